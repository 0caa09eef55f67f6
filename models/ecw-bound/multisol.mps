NAME ecw_0 FREE
ROWS
 N obj
 E settled_2
 E settled_3
 E settled_4
 G row_0
COLUMNS
 x_0_2 settled_2 1
 x_0_3 obj 1.297052142236893
 x_0_3 settled_3 1
 x_0_4 obj 1.9455782133553396
 x_0_4 settled_4 1
 x_1_2 row_0 1
 x_1_3 obj 1.297052142236893
 x_2_3 obj 1.297052142236893
 x_1_4 obj 1.9455782133553396
 x_2_4 obj 1.9455782133553396
 x_3_4 obj 31.039685102971607
RHS
 RHS settled_2 1
 RHS settled_3 1
 RHS settled_4 1
 RHS row_0 1
BOUNDS
 UP BOUND x_0_2 1
 UP BOUND x_0_3 1
 UP BOUND x_0_4 1
 UP BOUND x_1_2 1
 UP BOUND x_1_3 1
 UP BOUND x_2_3 1
 UP BOUND x_1_4 1
 UP BOUND x_2_4 1
 UP BOUND x_3_4 1
ENDATA
