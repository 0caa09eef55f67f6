* a maximisation, written as the minimisation of the negated objective
NAME subset FREE
ROWS
 N negated_objective
 E edges
 E joined_0_0
 E joined_0_1
 E joined_0_2
 E joined_0_3
 E joined_0_4
 E joined_0_5
 L away_0_0
 L away_0_1
 L away_0_2
 L away_0_3
 E joined_1_0
 E joined_1_1
 E joined_1_2
 E joined_1_3
 E joined_1_4
 E joined_1_5
 L away_1_0
 L away_1_1
 L away_1_2
 L away_1_3
 E joined_2_0
 E joined_2_1
 E joined_2_2
 E joined_2_3
 E joined_2_4
 E joined_2_5
 L away_2_0
 L away_2_1
 L away_2_2
 L away_2_3
 E joined_3_0
 E joined_3_1
 E joined_3_2
 E joined_3_3
 E joined_3_4
 E joined_3_5
 L away_3_0
 L away_3_1
 L away_3_2
 L away_3_3
COLUMNS
 x_0 negated_objective -0.9
 x_0 edges 1
 x_0 joined_0_0 -1
 x_0 joined_1_0 -1
 x_0 joined_2_0 -1
 x_0 joined_3_0 -1
 x_1 negated_objective -0.8
 x_1 edges 1
 x_1 joined_0_1 -1
 x_1 joined_1_1 -1
 x_1 joined_2_1 -1
 x_1 joined_3_1 -1
 x_2 negated_objective -0.7
 x_2 edges 1
 x_2 joined_0_2 -1
 x_2 joined_1_2 -1
 x_2 joined_2_2 -1
 x_2 joined_3_2 -1
 x_3 negated_objective -0.6
 x_3 edges 1
 x_3 joined_0_3 -1
 x_3 joined_1_3 -1
 x_3 joined_2_3 -1
 x_3 joined_3_3 -1
 x_4 negated_objective -0.5
 x_4 edges 1
 x_4 joined_0_4 -1
 x_4 joined_1_4 -1
 x_4 joined_2_4 -1
 x_4 joined_3_4 -1
 x_5 negated_objective -0.4
 x_5 edges 1
 x_5 joined_0_5 -1
 x_5 joined_1_5 -1
 x_5 joined_2_5 -1
 x_5 joined_3_5 -1
 z_0_0_0 joined_0_0 1
 z_0_0_0 away_0_0 1
 z_0_1_0 joined_0_1 1
 z_0_1_0 away_0_0 1
 z_0_2_0 joined_0_2 1
 z_0_2_0 away_0_0 1
 z_0_3_0 joined_0_3 1
 z_0_3_0 away_0_1 1
 z_0_4_0 joined_0_4 1
 z_0_4_0 away_0_1 1
 z_0_5_0 joined_0_5 1
 z_0_5_0 away_0_2 1
 z_0_0_1 joined_0_0 1
 z_0_0_1 away_0_1 1
 z_0_1_1 joined_0_1 1
 z_0_1_1 away_0_2 1
 z_0_2_1 joined_0_2 1
 z_0_2_1 away_0_3 1
 z_0_3_1 joined_0_3 1
 z_0_3_1 away_0_2 1
 z_0_4_1 joined_0_4 1
 z_0_4_1 away_0_3 1
 z_0_5_1 joined_0_5 1
 z_0_5_1 away_0_3 1
 z_1_0_0 joined_1_0 1
 z_1_0_0 away_1_0 1
 z_1_1_0 joined_1_1 1
 z_1_1_0 away_1_0 1
 z_1_2_0 joined_1_2 1
 z_1_2_0 away_1_0 1
 z_1_3_0 joined_1_3 1
 z_1_3_0 away_1_1 1
 z_1_4_0 joined_1_4 1
 z_1_4_0 away_1_1 1
 z_1_5_0 joined_1_5 1
 z_1_5_0 away_1_2 1
 z_1_0_1 joined_1_0 1
 z_1_0_1 away_1_1 1
 z_1_1_1 joined_1_1 1
 z_1_1_1 away_1_2 1
 z_1_2_1 joined_1_2 1
 z_1_2_1 away_1_3 1
 z_1_3_1 joined_1_3 1
 z_1_3_1 away_1_2 1
 z_1_4_1 joined_1_4 1
 z_1_4_1 away_1_3 1
 z_1_5_1 joined_1_5 1
 z_1_5_1 away_1_3 1
 z_2_0_0 joined_2_0 1
 z_2_0_0 away_2_0 1
 z_2_1_0 joined_2_1 1
 z_2_1_0 away_2_0 1
 z_2_2_0 joined_2_2 1
 z_2_2_0 away_2_0 1
 z_2_3_0 joined_2_3 1
 z_2_3_0 away_2_1 1
 z_2_4_0 joined_2_4 1
 z_2_4_0 away_2_1 1
 z_2_5_0 joined_2_5 1
 z_2_5_0 away_2_2 1
 z_2_0_1 joined_2_0 1
 z_2_0_1 away_2_1 1
 z_2_1_1 joined_2_1 1
 z_2_1_1 away_2_2 1
 z_2_2_1 joined_2_2 1
 z_2_2_1 away_2_3 1
 z_2_3_1 joined_2_3 1
 z_2_3_1 away_2_2 1
 z_2_4_1 joined_2_4 1
 z_2_4_1 away_2_3 1
 z_2_5_1 joined_2_5 1
 z_2_5_1 away_2_3 1
 z_3_0_0 joined_3_0 1
 z_3_0_0 away_3_0 1
 z_3_1_0 joined_3_1 1
 z_3_1_0 away_3_0 1
 z_3_2_0 joined_3_2 1
 z_3_2_0 away_3_0 1
 z_3_3_0 joined_3_3 1
 z_3_3_0 away_3_1 1
 z_3_4_0 joined_3_4 1
 z_3_4_0 away_3_1 1
 z_3_5_0 joined_3_5 1
 z_3_5_0 away_3_2 1
 z_3_0_1 joined_3_0 1
 z_3_0_1 away_3_1 1
 z_3_1_1 joined_3_1 1
 z_3_1_1 away_3_2 1
 z_3_2_1 joined_3_2 1
 z_3_2_1 away_3_3 1
 z_3_3_1 joined_3_3 1
 z_3_3_1 away_3_2 1
 z_3_4_1 joined_3_4 1
 z_3_4_1 away_3_3 1
 z_3_5_1 joined_3_5 1
 z_3_5_1 away_3_3 1
RHS
 RHS edges 3
 RHS away_0_0 1
 RHS away_0_1 1
 RHS away_0_2 1
 RHS away_0_3 1
 RHS away_1_0 1
 RHS away_1_1 1
 RHS away_1_2 1
 RHS away_1_3 1
 RHS away_2_0 1
 RHS away_2_1 1
 RHS away_2_2 1
 RHS away_2_3 1
 RHS away_3_0 1
 RHS away_3_1 1
 RHS away_3_2 1
 RHS away_3_3 1
BOUNDS
 UP BOUND x_0 1
 UP BOUND x_1 1
 UP BOUND x_2 1
 UP BOUND x_3 1
 UP BOUND x_4 1
 UP BOUND x_5 1
 FX BOUND z_0_0_0 0
 FX BOUND z_0_1_0 0
 FX BOUND z_0_2_0 0
 UP BOUND z_0_3_0 1
 UP BOUND z_0_4_0 1
 UP BOUND z_0_5_0 1
 UP BOUND z_0_0_1 1
 UP BOUND z_0_1_1 1
 UP BOUND z_0_2_1 1
 UP BOUND z_0_3_1 1
 UP BOUND z_0_4_1 1
 UP BOUND z_0_5_1 1
 UP BOUND z_1_0_0 1
 UP BOUND z_1_1_0 1
 UP BOUND z_1_2_0 1
 FX BOUND z_1_3_0 0
 FX BOUND z_1_4_0 0
 UP BOUND z_1_5_0 1
 FX BOUND z_1_0_1 0
 UP BOUND z_1_1_1 1
 UP BOUND z_1_2_1 1
 UP BOUND z_1_3_1 1
 UP BOUND z_1_4_1 1
 UP BOUND z_1_5_1 1
 UP BOUND z_2_0_0 1
 UP BOUND z_2_1_0 1
 UP BOUND z_2_2_0 1
 UP BOUND z_2_3_0 1
 UP BOUND z_2_4_0 1
 FX BOUND z_2_5_0 0
 UP BOUND z_2_0_1 1
 FX BOUND z_2_1_1 0
 UP BOUND z_2_2_1 1
 FX BOUND z_2_3_1 0
 UP BOUND z_2_4_1 1
 UP BOUND z_2_5_1 1
 UP BOUND z_3_0_0 1
 UP BOUND z_3_1_0 1
 UP BOUND z_3_2_0 1
 UP BOUND z_3_3_0 1
 UP BOUND z_3_4_0 1
 UP BOUND z_3_5_0 1
 UP BOUND z_3_0_1 1
 UP BOUND z_3_1_1 1
 FX BOUND z_3_2_1 0
 UP BOUND z_3_3_1 1
 FX BOUND z_3_4_1 0
 FX BOUND z_3_5_1 0
ENDATA
