NAME        sample_allocation
ROWS
 N  Obj     
 L  budget  
COLUMNS
    MARK0000  'MARKER'                 'INTORG'
    more_0_1  Obj       -75
    more_0_1  budget    1
    more_0_2  Obj       -45
    more_0_2  budget    1
    more_1_1  Obj       -94.5
    more_1_1  budget    1
    more_1_2  Obj       -31.5
    more_1_2  budget    1
    more_2_1  Obj       -0.98
    more_2_1  budget    1
    more_2_2  Obj       -0.326666666666667
    more_2_2  budget    1
    MARK0001  'MARKER'                 'INTEND'
    objective_constant  Obj       490.96
RHS
    RHS_V     budget    2
BOUNDS
 BV BOUND     more_0_1
 BV BOUND     more_0_2
 BV BOUND     more_1_1
 BV BOUND     more_1_2
 BV BOUND     more_2_1
 BV BOUND     more_2_2
 FX BOUND     objective_constant  1
ENDATA
