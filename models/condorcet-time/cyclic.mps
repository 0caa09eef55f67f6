NAME condorcet_time FREE
ROWS
 N obj
 G loses_1
 G loses_2
 G loses_3
COLUMNS
 x_0_1 obj 49.66349616475457
 x_0_1 loses_1 1
 x_1_3 obj 2.716917267486994
 x_1_3 loses_1 1
 x_0_2 obj 49.66349616475457
 x_0_2 loses_2 1
 x_1_2 obj 2.716917267486994
 x_1_2 loses_2 1
 x_0_3 obj 49.66349616475457
 x_0_3 loses_3 1
 x_2_3 obj 2.716917267486994
 x_2_3 loses_3 1
RHS
 RHS loses_1 1
 RHS loses_2 1
 RHS loses_3 1
BOUNDS
ENDATA
