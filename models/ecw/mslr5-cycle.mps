NAME        ecw_1
ROWS
 N  Obj     
 E  settled_0
 E  settled_3
 E  settled_4
 G  row_0   
COLUMNS
    x_0_1     settled_0  1
    x_1_3     Obj       138.805485437878
    x_1_3     settled_3  1
    x_1_4     Obj       123.148983780811
    x_1_4     settled_4  1
    x_0_2     row_0     1
    x_0_3     Obj       148.549181414408
    x_2_3     Obj       7812.41666542199
    x_0_4     Obj       578.57866588086
    x_2_4     Obj       1301.95831652882
    x_3_4     Obj       34722.0138871385
RHS
    RHS_V     settled_0  1
    RHS_V     settled_3  1
    RHS_V     settled_4  1
    RHS_V     row_0     1
BOUNDS
 UP BOUND     x_0_1     1
 UP BOUND     x_1_3     1
 UP BOUND     x_1_4     1
 UP BOUND     x_0_2     1
 UP BOUND     x_0_3     1
 UP BOUND     x_2_3     1
 UP BOUND     x_0_4     1
 UP BOUND     x_2_4     1
 UP BOUND     x_3_4     1
ENDATA
