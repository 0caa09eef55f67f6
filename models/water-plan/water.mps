* a maximisation, written as the minimisation of the negated objective
NAME water_plan FREE
ROWS
 N negated_objective
 G demand
COLUMNS
 MARKER 'MARKER' 'INTORG'
 step_0_1 negated_objective 0.20000000000000007
 step_0_1 demand 1
 step_0_2 negated_objective 0.3999999999999998
 step_0_2 demand 1
 step_0_3 negated_objective 0.6
 step_0_3 demand 1
 step_0_4 negated_objective 0.7999999999999997
 step_0_4 demand 1
 step_1_1 negated_objective 0.5
 step_1_1 demand 1
 step_1_2 negated_objective 0.9622888266898326
 step_1_2 demand 1
 step_1_3 negated_objective 1.2088786842578956
 step_1_3 demand 1
 step_1_4 negated_objective 1.3916987550938646
 step_1_4 demand 1
 step_2_1 negated_objective 0.75
 step_2_1 demand 1
 step_2_2 negated_objective 0.75
 step_2_2 demand 1
 step_2_3 negated_objective 1.25
 step_2_3 demand 1
 step_2_4 negated_objective 1.25
 step_2_4 demand 1
 step_3_1 negated_objective 0.8833333333333334
 step_3_1 demand 1
 step_3_2 negated_objective 0.9833333333333335
 step_3_2 demand 1
 step_3_3 negated_objective 1.0833333333333333
 step_3_3 demand 1
 step_3_4 negated_objective 1.183333333333333
 step_3_4 demand 1
 MARKER 'MARKER' 'INTEND'
RHS
 RHS demand 6
BOUNDS
 UP BOUND step_0_1 1
 UP BOUND step_0_2 1
 UP BOUND step_0_3 1
 UP BOUND step_0_4 1
 UP BOUND step_1_1 1
 UP BOUND step_1_2 1
 UP BOUND step_1_3 1
 UP BOUND step_1_4 1
 UP BOUND step_2_1 1
 UP BOUND step_2_2 1
 UP BOUND step_2_3 1
 UP BOUND step_2_4 1
 UP BOUND step_3_1 1
 UP BOUND step_3_2 1
 UP BOUND step_3_3 1
 UP BOUND step_3_4 1
ENDATA
