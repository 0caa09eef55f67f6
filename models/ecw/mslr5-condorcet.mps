NAME        ecw_0
ROWS
 N  Obj     
 E  settled_1
 E  settled_2
 E  settled_3
 E  settled_4
COLUMNS
    x_0_1     Obj       50.9786937486198
    x_0_1     settled_1  1
    x_0_2     Obj       9.70498269185861
    x_0_2     settled_2  1
    x_0_3     Obj       2.70496775669471
    x_0_3     settled_3  1
    x_0_4     Obj       3.3806738038337
    x_0_4     settled_4  1
    x_1_2     Obj       29.1711192897416
    x_1_3     Obj       4.67607645495473
    x_2_3     Obj       12.1475661688609
    x_1_4     Obj       5.29621950066596
    x_2_4     Obj       12.8727475577408
    x_3_4     Obj       4374.70830610601
RHS
    RHS_V     settled_1  1
    RHS_V     settled_2  1
    RHS_V     settled_3  1
    RHS_V     settled_4  1
BOUNDS
 UP BOUND     x_0_1     1
 UP BOUND     x_0_2     1
 UP BOUND     x_0_3     1
 UP BOUND     x_0_4     1
 UP BOUND     x_1_2     1
 UP BOUND     x_1_3     1
 UP BOUND     x_2_3     1
 UP BOUND     x_1_4     1
 UP BOUND     x_2_4     1
 UP BOUND     x_3_4     1
ENDATA
