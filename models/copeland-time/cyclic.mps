NAME copeland_time_0 FREE
ROWS
 N obj
 G row_0
 G row_1
 G row_2
 G row_3
 G row_4
 G row_5
 G row_6
 G row_7
 G row_8
 G row_9
 G row_10
 G row_11
 G row_12
 G row_13
 G row_14
COLUMNS
 x_0_1 obj 49.66349616475457
 x_0_1 row_1 1
 x_0_1 row_2 1
 x_0_1 row_3 1
 x_0_1 row_4 1
 x_0_1 row_5 1
 x_0_1 row_7 1
 x_0_1 row_9 1
 x_0_1 row_10 1
 x_0_1 row_12 1
 x_0_1 row_14 1
 x_0_2 obj 49.66349616475457
 x_0_2 row_0 1
 x_0_2 row_2 1
 x_0_2 row_4 1
 x_0_2 row_6 1
 x_0_2 row_7 1
 x_0_2 row_8 1
 x_0_2 row_9 1
 x_0_2 row_10 1
 x_0_2 row_13 1
 x_0_2 row_14 1
 x_0_3 obj 49.66349616475457
 x_0_3 row_0 1
 x_0_3 row_3 1
 x_0_3 row_4 1
 x_0_3 row_5 1
 x_0_3 row_8 1
 x_0_3 row_9 1
 x_0_3 row_11 1
 x_0_3 row_12 1
 x_0_3 row_13 1
 x_0_3 row_14 1
 x_1_3 obj 2.716917267486994
 x_1_3 row_0 1
 x_1_3 row_1 1
 x_1_2 obj 2.716917267486994
 x_1_2 row_5 1
 x_1_2 row_6 1
 x_2_3 obj 2.716917267486994
 x_2_3 row_10 1
 x_2_3 row_11 1
RHS
 RHS row_0 1
 RHS row_1 1
 RHS row_2 1
 RHS row_3 1
 RHS row_4 1
 RHS row_5 1
 RHS row_6 1
 RHS row_7 1
 RHS row_8 1
 RHS row_9 1
 RHS row_10 1
 RHS row_11 1
 RHS row_12 1
 RHS row_13 1
 RHS row_14 1
BOUNDS
 UP BOUND x_0_1 1
 UP BOUND x_0_2 1
 UP BOUND x_0_3 1
 UP BOUND x_1_3 1
 UP BOUND x_1_2 1
 UP BOUND x_2_3 1
ENDATA
