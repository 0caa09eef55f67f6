NAME ecw_1 FREE
ROWS
 N obj
 E settled_0
 E settled_3
 E settled_4
 G row_0
COLUMNS
 x_0_1 settled_0 1
 x_1_3 obj 138.8054854378777
 x_1_3 settled_3 1
 x_1_4 obj 123.14898378081088
 x_1_4 settled_4 1
 x_0_2 row_0 1
 x_0_3 obj 148.54918141440825
 x_2_3 obj 7812.416665421988
 x_0_4 obj 578.5786658808603
 x_2_4 obj 1301.9583165288175
 x_3_4 obj 34722.01388713853
RHS
 RHS settled_0 1
 RHS settled_3 1
 RHS settled_4 1
 RHS row_0 1
BOUNDS
 UP BOUND x_0_1 1
 UP BOUND x_1_3 1
 UP BOUND x_1_4 1
 UP BOUND x_0_2 1
 UP BOUND x_0_3 1
 UP BOUND x_2_3 1
 UP BOUND x_0_4 1
 UP BOUND x_2_4 1
 UP BOUND x_3_4 1
ENDATA
