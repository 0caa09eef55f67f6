NAME ecw_0 FREE
ROWS
 N obj
 E settled_1
 E settled_2
 E settled_3
COLUMNS
 x_0_1 obj 16.554498721584856
 x_0_1 settled_1 1
 x_0_2 obj 16.554498721584856
 x_0_2 settled_2 1
 x_0_3 obj 16.554498721584856
 x_0_3 settled_3 1
 x_1_3 obj 1.8112781783246625
 x_1_2 obj 1.8112781783246623
 x_2_3 obj 1.8112781783246623
RHS
 RHS settled_1 1
 RHS settled_2 1
 RHS settled_3 1
BOUNDS
 UP BOUND x_0_1 1
 UP BOUND x_0_2 1
 UP BOUND x_0_3 1
 UP BOUND x_1_3 1
 UP BOUND x_1_2 1
 UP BOUND x_2_3 1
ENDATA
