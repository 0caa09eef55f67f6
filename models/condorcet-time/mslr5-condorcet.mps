NAME condorcet_time FREE
ROWS
 N obj
 G loses_1
 G loses_2
 G loses_3
 G loses_4
COLUMNS
 x_0_1 obj 407.8295499889581
 x_0_1 loses_1 1
 x_0_2 obj 38.819930767434435
 x_0_2 loses_2 1
 x_1_2 obj 77.78965143931097
 x_1_2 loses_2 1
 x_0_3 obj 7.213247351185882
 x_0_3 loses_3 1
 x_1_3 obj 9.352152909909453
 x_1_3 loses_3 1
 x_2_3 obj 19.436105870177446
 x_2_3 loses_3 1
 x_0_4 obj 6.761347607667409
 x_0_4 loses_4 1
 x_1_4 obj 8.47395120106553
 x_1_4 loses_4 1
 x_2_4 obj 17.163663410321135
 x_2_4 loses_4 1
 x_3_4 obj 4999.666635549724
 x_3_4 loses_4 1
RHS
 RHS loses_1 1
 RHS loses_2 1
 RHS loses_3 1
 RHS loses_4 1
BOUNDS
ENDATA
