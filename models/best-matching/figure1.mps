* a maximisation, written as the minimisation of the negated objective
NAME matching FREE
ROWS
 N negated_objective
 E position_0
 E position_1
 L candidate_0
 L candidate_1
 L candidate_2
 L candidate_3
COLUMNS
 x_0_0 negated_objective -0.5800000000000001
 x_0_0 position_0 1
 x_0_0 candidate_0 1
 x_1_0 negated_objective -0.53
 x_1_0 position_0 1
 x_1_0 candidate_1 1
 x_2_0 negated_objective -0.28
 x_2_0 position_0 1
 x_2_0 candidate_2 1
 x_2_1 negated_objective -0.2
 x_2_1 position_1 1
 x_2_1 candidate_2 1
 x_3_1 negated_objective -0.7
 x_3_1 position_1 1
 x_3_1 candidate_3 1
RHS
 RHS position_0 1
 RHS position_1 1
 RHS candidate_0 1
 RHS candidate_1 1
 RHS candidate_2 1
 RHS candidate_3 1
BOUNDS
 UP BOUND x_0_0 1
 UP BOUND x_1_0 1
 UP BOUND x_2_0 1
 UP BOUND x_2_1 1
 UP BOUND x_3_1 1
ENDATA
