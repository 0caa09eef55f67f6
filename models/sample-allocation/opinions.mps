NAME sample_allocation FREE
ROWS
 N obj
 L budget
COLUMNS
 MARKER 'MARKER' 'INTORG'
 more_0_1 obj -75
 more_0_1 budget 1
 more_0_2 obj -45
 more_0_2 budget 1
 more_1_1 obj -94.5
 more_1_1 budget 1
 more_1_2 obj -31.5
 more_1_2 budget 1
 more_2_1 obj -0.9799999999999999
 more_2_1 budget 1
 more_2_2 obj -0.3266666666666666
 more_2_2 budget 1
 MARKER 'MARKER' 'INTEND'
 objective_constant obj 490.96
RHS
 RHS budget 2
BOUNDS
 UP BOUND more_0_1 1
 UP BOUND more_0_2 1
 UP BOUND more_1_1 1
 UP BOUND more_1_2 1
 UP BOUND more_2_1 1
 UP BOUND more_2_2 1
 FX BOUND objective_constant 1
ENDATA
