* a maximisation, written as the minimisation of the negated objective
NAME condorcet FREE
ROWS
 N negated_objective
 E position_0
 E position_1
 L candidate_0
 L candidate_1
 L candidate_2
 L candidate_3
 L reply_0_0
 L reply_1_0
 L reply_2_0
 L reply_2_1
 L reply_3_1
COLUMNS
 x_0_0 position_0 1
 x_0_0 candidate_0 1
 x_0_0 reply_0_0 -0.5
 x_0_0 reply_1_0 -0.45
 x_0_0 reply_2_0 -1
 x_1_0 position_0 1
 x_1_0 candidate_1 1
 x_1_0 reply_0_0 -0.55
 x_1_0 reply_1_0 -0.5
 x_1_0 reply_2_0 -0.55
 x_2_0 position_0 1
 x_2_0 candidate_2 1
 x_2_0 reply_1_0 -0.44999999999999996
 x_2_0 reply_2_0 -0.5
 x_2_1 position_1 1
 x_2_1 candidate_2 1
 x_2_1 reply_2_1 -0.5
 x_3_1 position_1 1
 x_3_1 candidate_3 1
 x_3_1 reply_2_1 -1
 x_3_1 reply_3_1 -0.5
 u_0 negated_objective -0.5
 u_0 reply_0_0 1
 u_0 reply_1_0 1
 u_0 reply_2_0 1
 u_1 negated_objective -0.5
 u_1 reply_2_1 1
 u_1 reply_3_1 1
 v_0 negated_objective 0.5
 v_0 reply_0_0 -1
 v_1 negated_objective 0.5
 v_1 reply_1_0 -1
 v_2 negated_objective 0.5
 v_2 reply_2_0 -1
 v_2 reply_2_1 -1
 v_3 negated_objective 0.5
 v_3 reply_3_1 -1
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
 FR BOUND u_0
 FR BOUND u_1
ENDATA
