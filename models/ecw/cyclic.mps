NAME        ecw_0
ROWS
 N  Obj     
 E  settled_1
 E  settled_2
 E  settled_3
COLUMNS
    x_0_1     Obj       16.5544987215849
    x_0_1     settled_1  1
    x_0_2     Obj       16.5544987215849
    x_0_2     settled_2  1
    x_0_3     Obj       16.5544987215849
    x_0_3     settled_3  1
    x_1_3     Obj       1.81127817832466
    x_1_2     Obj       1.81127817832466
    x_2_3     Obj       1.81127817832466
RHS
    RHS_V     settled_1  1
    RHS_V     settled_2  1
    RHS_V     settled_3  1
BOUNDS
 UP BOUND     x_0_1     1
 UP BOUND     x_0_2     1
 UP BOUND     x_0_3     1
 UP BOUND     x_1_3     1
 UP BOUND     x_1_2     1
 UP BOUND     x_2_3     1
ENDATA
