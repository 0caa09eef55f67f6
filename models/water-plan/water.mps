NAME        water_plan
OBJSENSE
  MAX
ROWS
 N  Obj     
 G  demand  
COLUMNS
    MARK0000  'MARKER'                 'INTORG'
    step_0_1  Obj       -0.2
    step_0_1  demand    1
    step_0_2  Obj       -0.4
    step_0_2  demand    1
    step_0_3  Obj       -0.6
    step_0_3  demand    1
    step_0_4  Obj       -0.8
    step_0_4  demand    1
    step_1_1  Obj       -0.5
    step_1_1  demand    1
    step_1_2  Obj       -0.962288826689833
    step_1_2  demand    1
    step_1_3  Obj       -1.2088786842579
    step_1_3  demand    1
    step_1_4  Obj       -1.39169875509386
    step_1_4  demand    1
    step_2_1  Obj       -0.75
    step_2_1  demand    1
    step_2_2  Obj       -0.75
    step_2_2  demand    1
    step_2_3  Obj       -1.25
    step_2_3  demand    1
    step_2_4  Obj       -1.25
    step_2_4  demand    1
    step_3_1  Obj       -0.883333333333333
    step_3_1  demand    1
    step_3_2  Obj       -0.983333333333334
    step_3_2  demand    1
    step_3_3  Obj       -1.08333333333333
    step_3_3  demand    1
    step_3_4  Obj       -1.18333333333333
    step_3_4  demand    1
    MARK0001  'MARKER'                 'INTEND'
RHS
    RHS_V     demand    6
BOUNDS
 BV BOUND     step_0_1
 BV BOUND     step_0_2
 BV BOUND     step_0_3
 BV BOUND     step_0_4
 BV BOUND     step_1_1
 BV BOUND     step_1_2
 BV BOUND     step_1_3
 BV BOUND     step_1_4
 BV BOUND     step_2_1
 BV BOUND     step_2_2
 BV BOUND     step_2_3
 BV BOUND     step_2_4
 BV BOUND     step_3_1
 BV BOUND     step_3_2
 BV BOUND     step_3_3
 BV BOUND     step_3_4
ENDATA
