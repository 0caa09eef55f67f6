NAME        ecw_0
ROWS
 N  Obj     
 E  settled_1
 E  settled_2
 E  settled_3
 G  row_0   
COLUMNS
    x_0_1     Obj       0.648526071118447
    x_0_1     settled_1  1
    x_0_2     Obj       0.648526071118447
    x_0_2     settled_2  1
    x_0_3     Obj       1249.91665888743
    x_0_3     settled_3  1
    x_1_3     Obj       1.94557821335534
    x_1_2     Obj       1.29705214223689
    x_2_3     Obj       1.94557821335534
    x_3_4     Obj       1.94557821335534
    x_1_4     Obj       1.29705214223689
    x_1_4     row_0     1
    x_2_4     Obj       1.29705214223689
    x_2_4     row_0     1
RHS
    RHS_V     settled_1  1
    RHS_V     settled_2  1
    RHS_V     settled_3  1
    RHS_V     row_0     1
BOUNDS
 UP BOUND     x_0_1     1
 UP BOUND     x_0_2     1
 UP BOUND     x_0_3     1
 UP BOUND     x_1_3     1
 UP BOUND     x_1_2     1
 UP BOUND     x_2_3     1
 UP BOUND     x_3_4     1
 UP BOUND     x_1_4     1
 UP BOUND     x_2_4     1
ENDATA
