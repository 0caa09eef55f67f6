* a maximisation, written as the minimisation of the negated objective
NAME ellipsoid FREE
ROWS
 N negated_objective
 E edges
 E joined_0_0
 E joined_0_1
 E joined_0_2
 E joined_0_3
 E joined_0_4
 E joined_0_5
 E joined_0_6
 E joined_0_7
 E joined_0_8
 E joined_0_9
 L away_0_0
 L away_0_1
 L away_0_2
 L away_0_3
 L away_0_4
 E joined_1_0
 E joined_1_1
 E joined_1_2
 E joined_1_3
 E joined_1_4
 E joined_1_5
 E joined_1_6
 E joined_1_7
 E joined_1_8
 E joined_1_9
 L away_1_0
 L away_1_1
 L away_1_2
 L away_1_3
 L away_1_4
 E joined_2_0
 E joined_2_1
 E joined_2_2
 E joined_2_3
 E joined_2_4
 E joined_2_5
 E joined_2_6
 E joined_2_7
 E joined_2_8
 E joined_2_9
 L away_2_0
 L away_2_1
 L away_2_2
 L away_2_3
 L away_2_4
 E joined_3_0
 E joined_3_1
 E joined_3_2
 E joined_3_3
 E joined_3_4
 E joined_3_5
 E joined_3_6
 E joined_3_7
 E joined_3_8
 E joined_3_9
 L away_3_0
 L away_3_1
 L away_3_2
 L away_3_3
 L away_3_4
 E joined_4_0
 E joined_4_1
 E joined_4_2
 E joined_4_3
 E joined_4_4
 E joined_4_5
 E joined_4_6
 E joined_4_7
 E joined_4_8
 E joined_4_9
 L away_4_0
 L away_4_1
 L away_4_2
 L away_4_3
 L away_4_4
 L left_0_1
 L left_0_2
 L left_0_3
 L left_0_4
 L left_0_5
 L left_0_6
 L left_0_7
 L left_0_8
 L left_0_9
 L left_1_2
 L left_1_3
 L left_1_4
 L left_1_5
 L left_1_6
 L left_1_7
 L left_1_8
 L left_1_9
 L left_2_3
 L left_2_4
 L left_2_5
 L left_2_6
 L left_2_7
 L left_2_8
 L left_2_9
 L left_3_4
 L left_3_5
 L left_3_6
 L left_3_7
 L left_3_8
 L left_3_9
 L left_4_5
 L left_4_6
 L left_4_7
 L left_4_8
 L left_4_9
 L left_5_6
 L left_5_7
 L left_5_8
 L left_5_9
 L left_6_7
 L left_6_8
 L left_6_9
 L left_7_8
 L left_7_9
 L left_8_9
 L right_0_1
 L right_0_2
 L right_0_3
 L right_0_4
 L right_0_5
 L right_0_6
 L right_0_7
 L right_0_8
 L right_0_9
 L right_1_2
 L right_1_3
 L right_1_4
 L right_1_5
 L right_1_6
 L right_1_7
 L right_1_8
 L right_1_9
 L right_2_3
 L right_2_4
 L right_2_5
 L right_2_6
 L right_2_7
 L right_2_8
 L right_2_9
 L right_3_4
 L right_3_5
 L right_3_6
 L right_3_7
 L right_3_8
 L right_3_9
 L right_4_5
 L right_4_6
 L right_4_7
 L right_4_8
 L right_4_9
 L right_5_6
 L right_5_7
 L right_5_8
 L right_5_9
 L right_6_7
 L right_6_8
 L right_6_9
 L right_7_8
 L right_7_9
 L right_8_9
 L both_0_1
 L both_0_2
 L both_0_3
 L both_0_4
 L both_0_5
 L both_0_6
 L both_0_7
 L both_0_8
 L both_0_9
 L both_1_2
 L both_1_3
 L both_1_4
 L both_1_5
 L both_1_6
 L both_1_7
 L both_1_8
 L both_1_9
 L both_2_3
 L both_2_4
 L both_2_5
 L both_2_6
 L both_2_7
 L both_2_8
 L both_2_9
 L both_3_4
 L both_3_5
 L both_3_6
 L both_3_7
 L both_3_8
 L both_3_9
 L both_4_5
 L both_4_6
 L both_4_7
 L both_4_8
 L both_4_9
 L both_5_6
 L both_5_7
 L both_5_8
 L both_5_9
 L both_6_7
 L both_6_8
 L both_6_9
 L both_7_8
 L both_7_9
 L both_8_9
 E pairs_0
 E pairs_1
 E pairs_2
 E pairs_3
 E pairs_4
 E pairs_5
 E pairs_6
 E pairs_7
 E pairs_8
 E pairs_9
COLUMNS
 MARKER 'MARKER' 'INTORG'
 x_0 negated_objective -7.04479205615
 x_0 edges 1
 x_0 joined_0_0 -1
 x_0 joined_1_0 -1
 x_0 joined_2_0 -1
 x_0 joined_3_0 -1
 x_0 joined_4_0 -1
 x_0 left_0_1 -1
 x_0 left_0_2 -1
 x_0 left_0_3 -1
 x_0 left_0_4 -1
 x_0 left_0_5 -1
 x_0 left_0_6 -1
 x_0 left_0_7 -1
 x_0 left_0_8 -1
 x_0 left_0_9 -1
 x_0 both_0_1 1
 x_0 both_0_2 1
 x_0 both_0_3 1
 x_0 both_0_4 1
 x_0 both_0_5 1
 x_0 both_0_6 1
 x_0 both_0_7 1
 x_0 both_0_8 1
 x_0 both_0_9 1
 x_0 pairs_0 -3
 x_1 negated_objective -5.09284549273
 x_1 edges 1
 x_1 joined_0_1 -1
 x_1 joined_1_1 -1
 x_1 joined_2_1 -1
 x_1 joined_3_1 -1
 x_1 joined_4_1 -1
 x_1 left_1_2 -1
 x_1 left_1_3 -1
 x_1 left_1_4 -1
 x_1 left_1_5 -1
 x_1 left_1_6 -1
 x_1 left_1_7 -1
 x_1 left_1_8 -1
 x_1 left_1_9 -1
 x_1 right_0_1 -1
 x_1 both_0_1 1
 x_1 both_1_2 1
 x_1 both_1_3 1
 x_1 both_1_4 1
 x_1 both_1_5 1
 x_1 both_1_6 1
 x_1 both_1_7 1
 x_1 both_1_8 1
 x_1 both_1_9 1
 x_1 pairs_1 -3
 x_2 negated_objective -6.02999495931
 x_2 edges 1
 x_2 joined_0_2 -1
 x_2 joined_1_2 -1
 x_2 joined_2_2 -1
 x_2 joined_3_2 -1
 x_2 joined_4_2 -1
 x_2 left_2_3 -1
 x_2 left_2_4 -1
 x_2 left_2_5 -1
 x_2 left_2_6 -1
 x_2 left_2_7 -1
 x_2 left_2_8 -1
 x_2 left_2_9 -1
 x_2 right_0_2 -1
 x_2 right_1_2 -1
 x_2 both_0_2 1
 x_2 both_1_2 1
 x_2 both_2_3 1
 x_2 both_2_4 1
 x_2 both_2_5 1
 x_2 both_2_6 1
 x_2 both_2_7 1
 x_2 both_2_8 1
 x_2 both_2_9 1
 x_2 pairs_2 -3
 x_3 negated_objective -4.49543345587
 x_3 edges 1
 x_3 joined_0_3 -1
 x_3 joined_1_3 -1
 x_3 joined_2_3 -1
 x_3 joined_3_3 -1
 x_3 joined_4_3 -1
 x_3 left_3_4 -1
 x_3 left_3_5 -1
 x_3 left_3_6 -1
 x_3 left_3_7 -1
 x_3 left_3_8 -1
 x_3 left_3_9 -1
 x_3 right_0_3 -1
 x_3 right_1_3 -1
 x_3 right_2_3 -1
 x_3 both_0_3 1
 x_3 both_1_3 1
 x_3 both_2_3 1
 x_3 both_3_4 1
 x_3 both_3_5 1
 x_3 both_3_6 1
 x_3 both_3_7 1
 x_3 both_3_8 1
 x_3 both_3_9 1
 x_3 pairs_3 -3
 x_4 negated_objective -6.43805168064
 x_4 edges 1
 x_4 joined_0_4 -1
 x_4 joined_1_4 -1
 x_4 joined_2_4 -1
 x_4 joined_3_4 -1
 x_4 joined_4_4 -1
 x_4 left_4_5 -1
 x_4 left_4_6 -1
 x_4 left_4_7 -1
 x_4 left_4_8 -1
 x_4 left_4_9 -1
 x_4 right_0_4 -1
 x_4 right_1_4 -1
 x_4 right_2_4 -1
 x_4 right_3_4 -1
 x_4 both_0_4 1
 x_4 both_1_4 1
 x_4 both_2_4 1
 x_4 both_3_4 1
 x_4 both_4_5 1
 x_4 both_4_6 1
 x_4 both_4_7 1
 x_4 both_4_8 1
 x_4 both_4_9 1
 x_4 pairs_4 -3
 x_5 negated_objective -4.74819491668
 x_5 edges 1
 x_5 joined_0_5 -1
 x_5 joined_1_5 -1
 x_5 joined_2_5 -1
 x_5 joined_3_5 -1
 x_5 joined_4_5 -1
 x_5 left_5_6 -1
 x_5 left_5_7 -1
 x_5 left_5_8 -1
 x_5 left_5_9 -1
 x_5 right_0_5 -1
 x_5 right_1_5 -1
 x_5 right_2_5 -1
 x_5 right_3_5 -1
 x_5 right_4_5 -1
 x_5 both_0_5 1
 x_5 both_1_5 1
 x_5 both_2_5 1
 x_5 both_3_5 1
 x_5 both_4_5 1
 x_5 both_5_6 1
 x_5 both_5_7 1
 x_5 both_5_8 1
 x_5 both_5_9 1
 x_5 pairs_5 -3
 x_6 negated_objective -7.40232304287
 x_6 edges 1
 x_6 joined_0_6 -1
 x_6 joined_1_6 -1
 x_6 joined_2_6 -1
 x_6 joined_3_6 -1
 x_6 joined_4_6 -1
 x_6 left_6_7 -1
 x_6 left_6_8 -1
 x_6 left_6_9 -1
 x_6 right_0_6 -1
 x_6 right_1_6 -1
 x_6 right_2_6 -1
 x_6 right_3_6 -1
 x_6 right_4_6 -1
 x_6 right_5_6 -1
 x_6 both_0_6 1
 x_6 both_1_6 1
 x_6 both_2_6 1
 x_6 both_3_6 1
 x_6 both_4_6 1
 x_6 both_5_6 1
 x_6 both_6_7 1
 x_6 both_6_8 1
 x_6 both_6_9 1
 x_6 pairs_6 -3
 x_7 negated_objective -4.88626096809
 x_7 edges 1
 x_7 joined_0_7 -1
 x_7 joined_1_7 -1
 x_7 joined_2_7 -1
 x_7 joined_3_7 -1
 x_7 joined_4_7 -1
 x_7 left_7_8 -1
 x_7 left_7_9 -1
 x_7 right_0_7 -1
 x_7 right_1_7 -1
 x_7 right_2_7 -1
 x_7 right_3_7 -1
 x_7 right_4_7 -1
 x_7 right_5_7 -1
 x_7 right_6_7 -1
 x_7 both_0_7 1
 x_7 both_1_7 1
 x_7 both_2_7 1
 x_7 both_3_7 1
 x_7 both_4_7 1
 x_7 both_5_7 1
 x_7 both_6_7 1
 x_7 both_7_8 1
 x_7 both_7_9 1
 x_7 pairs_7 -3
 x_8 negated_objective -3.99379457562
 x_8 edges 1
 x_8 joined_0_8 -1
 x_8 joined_1_8 -1
 x_8 joined_2_8 -1
 x_8 joined_3_8 -1
 x_8 joined_4_8 -1
 x_8 left_8_9 -1
 x_8 right_0_8 -1
 x_8 right_1_8 -1
 x_8 right_2_8 -1
 x_8 right_3_8 -1
 x_8 right_4_8 -1
 x_8 right_5_8 -1
 x_8 right_6_8 -1
 x_8 right_7_8 -1
 x_8 both_0_8 1
 x_8 both_1_8 1
 x_8 both_2_8 1
 x_8 both_3_8 1
 x_8 both_4_8 1
 x_8 both_5_8 1
 x_8 both_6_8 1
 x_8 both_7_8 1
 x_8 both_8_9 1
 x_8 pairs_8 -3
 x_9 negated_objective -4.08707796213
 x_9 edges 1
 x_9 joined_0_9 -1
 x_9 joined_1_9 -1
 x_9 joined_2_9 -1
 x_9 joined_3_9 -1
 x_9 joined_4_9 -1
 x_9 right_0_9 -1
 x_9 right_1_9 -1
 x_9 right_2_9 -1
 x_9 right_3_9 -1
 x_9 right_4_9 -1
 x_9 right_5_9 -1
 x_9 right_6_9 -1
 x_9 right_7_9 -1
 x_9 right_8_9 -1
 x_9 both_0_9 1
 x_9 both_1_9 1
 x_9 both_2_9 1
 x_9 both_3_9 1
 x_9 both_4_9 1
 x_9 both_5_9 1
 x_9 both_6_9 1
 x_9 both_7_9 1
 x_9 both_8_9 1
 x_9 pairs_9 -3
 z_0_0_0 joined_0_0 1
 z_0_0_0 away_0_0 1
 z_0_1_0 joined_0_1 1
 z_0_1_0 away_0_0 1
 z_0_2_0 joined_0_2 1
 z_0_2_0 away_0_0 1
 z_0_3_0 joined_0_3 1
 z_0_3_0 away_0_0 1
 z_0_4_0 joined_0_4 1
 z_0_4_0 away_0_1 1
 z_0_5_0 joined_0_5 1
 z_0_5_0 away_0_1 1
 z_0_6_0 joined_0_6 1
 z_0_6_0 away_0_1 1
 z_0_7_0 joined_0_7 1
 z_0_7_0 away_0_2 1
 z_0_8_0 joined_0_8 1
 z_0_8_0 away_0_2 1
 z_0_9_0 joined_0_9 1
 z_0_9_0 away_0_3 1
 z_0_0_1 joined_0_0 1
 z_0_0_1 away_0_1 1
 z_0_1_1 joined_0_1 1
 z_0_1_1 away_0_2 1
 z_0_2_1 joined_0_2 1
 z_0_2_1 away_0_3 1
 z_0_3_1 joined_0_3 1
 z_0_3_1 away_0_4 1
 z_0_4_1 joined_0_4 1
 z_0_4_1 away_0_2 1
 z_0_5_1 joined_0_5 1
 z_0_5_1 away_0_3 1
 z_0_6_1 joined_0_6 1
 z_0_6_1 away_0_4 1
 z_0_7_1 joined_0_7 1
 z_0_7_1 away_0_3 1
 z_0_8_1 joined_0_8 1
 z_0_8_1 away_0_4 1
 z_0_9_1 joined_0_9 1
 z_0_9_1 away_0_4 1
 z_1_0_0 joined_1_0 1
 z_1_0_0 away_1_0 1
 z_1_1_0 joined_1_1 1
 z_1_1_0 away_1_0 1
 z_1_2_0 joined_1_2 1
 z_1_2_0 away_1_0 1
 z_1_3_0 joined_1_3 1
 z_1_3_0 away_1_0 1
 z_1_4_0 joined_1_4 1
 z_1_4_0 away_1_1 1
 z_1_5_0 joined_1_5 1
 z_1_5_0 away_1_1 1
 z_1_6_0 joined_1_6 1
 z_1_6_0 away_1_1 1
 z_1_7_0 joined_1_7 1
 z_1_7_0 away_1_2 1
 z_1_8_0 joined_1_8 1
 z_1_8_0 away_1_2 1
 z_1_9_0 joined_1_9 1
 z_1_9_0 away_1_3 1
 z_1_0_1 joined_1_0 1
 z_1_0_1 away_1_1 1
 z_1_1_1 joined_1_1 1
 z_1_1_1 away_1_2 1
 z_1_2_1 joined_1_2 1
 z_1_2_1 away_1_3 1
 z_1_3_1 joined_1_3 1
 z_1_3_1 away_1_4 1
 z_1_4_1 joined_1_4 1
 z_1_4_1 away_1_2 1
 z_1_5_1 joined_1_5 1
 z_1_5_1 away_1_3 1
 z_1_6_1 joined_1_6 1
 z_1_6_1 away_1_4 1
 z_1_7_1 joined_1_7 1
 z_1_7_1 away_1_3 1
 z_1_8_1 joined_1_8 1
 z_1_8_1 away_1_4 1
 z_1_9_1 joined_1_9 1
 z_1_9_1 away_1_4 1
 z_2_0_0 joined_2_0 1
 z_2_0_0 away_2_0 1
 z_2_1_0 joined_2_1 1
 z_2_1_0 away_2_0 1
 z_2_2_0 joined_2_2 1
 z_2_2_0 away_2_0 1
 z_2_3_0 joined_2_3 1
 z_2_3_0 away_2_0 1
 z_2_4_0 joined_2_4 1
 z_2_4_0 away_2_1 1
 z_2_5_0 joined_2_5 1
 z_2_5_0 away_2_1 1
 z_2_6_0 joined_2_6 1
 z_2_6_0 away_2_1 1
 z_2_7_0 joined_2_7 1
 z_2_7_0 away_2_2 1
 z_2_8_0 joined_2_8 1
 z_2_8_0 away_2_2 1
 z_2_9_0 joined_2_9 1
 z_2_9_0 away_2_3 1
 z_2_0_1 joined_2_0 1
 z_2_0_1 away_2_1 1
 z_2_1_1 joined_2_1 1
 z_2_1_1 away_2_2 1
 z_2_2_1 joined_2_2 1
 z_2_2_1 away_2_3 1
 z_2_3_1 joined_2_3 1
 z_2_3_1 away_2_4 1
 z_2_4_1 joined_2_4 1
 z_2_4_1 away_2_2 1
 z_2_5_1 joined_2_5 1
 z_2_5_1 away_2_3 1
 z_2_6_1 joined_2_6 1
 z_2_6_1 away_2_4 1
 z_2_7_1 joined_2_7 1
 z_2_7_1 away_2_3 1
 z_2_8_1 joined_2_8 1
 z_2_8_1 away_2_4 1
 z_2_9_1 joined_2_9 1
 z_2_9_1 away_2_4 1
 z_3_0_0 joined_3_0 1
 z_3_0_0 away_3_0 1
 z_3_1_0 joined_3_1 1
 z_3_1_0 away_3_0 1
 z_3_2_0 joined_3_2 1
 z_3_2_0 away_3_0 1
 z_3_3_0 joined_3_3 1
 z_3_3_0 away_3_0 1
 z_3_4_0 joined_3_4 1
 z_3_4_0 away_3_1 1
 z_3_5_0 joined_3_5 1
 z_3_5_0 away_3_1 1
 z_3_6_0 joined_3_6 1
 z_3_6_0 away_3_1 1
 z_3_7_0 joined_3_7 1
 z_3_7_0 away_3_2 1
 z_3_8_0 joined_3_8 1
 z_3_8_0 away_3_2 1
 z_3_9_0 joined_3_9 1
 z_3_9_0 away_3_3 1
 z_3_0_1 joined_3_0 1
 z_3_0_1 away_3_1 1
 z_3_1_1 joined_3_1 1
 z_3_1_1 away_3_2 1
 z_3_2_1 joined_3_2 1
 z_3_2_1 away_3_3 1
 z_3_3_1 joined_3_3 1
 z_3_3_1 away_3_4 1
 z_3_4_1 joined_3_4 1
 z_3_4_1 away_3_2 1
 z_3_5_1 joined_3_5 1
 z_3_5_1 away_3_3 1
 z_3_6_1 joined_3_6 1
 z_3_6_1 away_3_4 1
 z_3_7_1 joined_3_7 1
 z_3_7_1 away_3_3 1
 z_3_8_1 joined_3_8 1
 z_3_8_1 away_3_4 1
 z_3_9_1 joined_3_9 1
 z_3_9_1 away_3_4 1
 z_4_0_0 joined_4_0 1
 z_4_0_0 away_4_0 1
 z_4_1_0 joined_4_1 1
 z_4_1_0 away_4_0 1
 z_4_2_0 joined_4_2 1
 z_4_2_0 away_4_0 1
 z_4_3_0 joined_4_3 1
 z_4_3_0 away_4_0 1
 z_4_4_0 joined_4_4 1
 z_4_4_0 away_4_1 1
 z_4_5_0 joined_4_5 1
 z_4_5_0 away_4_1 1
 z_4_6_0 joined_4_6 1
 z_4_6_0 away_4_1 1
 z_4_7_0 joined_4_7 1
 z_4_7_0 away_4_2 1
 z_4_8_0 joined_4_8 1
 z_4_8_0 away_4_2 1
 z_4_9_0 joined_4_9 1
 z_4_9_0 away_4_3 1
 z_4_0_1 joined_4_0 1
 z_4_0_1 away_4_1 1
 z_4_1_1 joined_4_1 1
 z_4_1_1 away_4_2 1
 z_4_2_1 joined_4_2 1
 z_4_2_1 away_4_3 1
 z_4_3_1 joined_4_3 1
 z_4_3_1 away_4_4 1
 z_4_4_1 joined_4_4 1
 z_4_4_1 away_4_2 1
 z_4_5_1 joined_4_5 1
 z_4_5_1 away_4_3 1
 z_4_6_1 joined_4_6 1
 z_4_6_1 away_4_4 1
 z_4_7_1 joined_4_7 1
 z_4_7_1 away_4_3 1
 z_4_8_1 joined_4_8 1
 z_4_8_1 away_4_4 1
 z_4_9_1 joined_4_9 1
 z_4_9_1 away_4_4 1
 y_0_1 negated_objective 1.479346701798
 y_0_1 left_0_1 1
 y_0_1 right_0_1 1
 y_0_1 both_0_1 -1
 y_0_1 pairs_0 1
 y_0_1 pairs_1 1
 y_0_2 negated_objective 0.15273079732
 y_0_2 left_0_2 1
 y_0_2 right_0_2 1
 y_0_2 both_0_2 -1
 y_0_2 pairs_0 1
 y_0_2 pairs_2 1
 y_0_3 negated_objective 1.966777293996
 y_0_3 left_0_3 1
 y_0_3 right_0_3 1
 y_0_3 both_0_3 -1
 y_0_3 pairs_0 1
 y_0_3 pairs_3 1
 y_0_4 negated_objective -1.614707203036
 y_0_4 left_0_4 1
 y_0_4 right_0_4 1
 y_0_4 both_0_4 -1
 y_0_4 pairs_0 1
 y_0_4 pairs_4 1
 y_0_5 negated_objective -2.74751940274
 y_0_5 left_0_5 1
 y_0_5 right_0_5 1
 y_0_5 both_0_5 -1
 y_0_5 pairs_0 1
 y_0_5 pairs_5 1
 y_0_6 negated_objective -6.72368225642
 y_0_6 left_0_6 1
 y_0_6 right_0_6 1
 y_0_6 both_0_6 -1
 y_0_6 pairs_0 1
 y_0_6 pairs_6 1
 y_0_7 negated_objective 4.19293053804
 y_0_7 left_0_7 1
 y_0_7 right_0_7 1
 y_0_7 both_0_7 -1
 y_0_7 pairs_0 1
 y_0_7 pairs_7 1
 y_0_8 negated_objective 4.42066151008
 y_0_8 left_0_8 1
 y_0_8 right_0_8 1
 y_0_8 both_0_8 -1
 y_0_8 pairs_0 1
 y_0_8 pairs_8 1
 y_0_9 negated_objective 1.962196117006
 y_0_9 left_0_9 1
 y_0_9 right_0_9 1
 y_0_9 both_0_9 -1
 y_0_9 pairs_0 1
 y_0_9 pairs_9 1
 y_1_2 negated_objective -3.84726745548
 y_1_2 left_1_2 1
 y_1_2 right_1_2 1
 y_1_2 both_1_2 -1
 y_1_2 pairs_1 1
 y_1_2 pairs_2 1
 y_1_3 negated_objective 2.2567525186
 y_1_3 left_1_3 1
 y_1_3 right_1_3 1
 y_1_3 both_1_3 -1
 y_1_3 pairs_1 1
 y_1_3 pairs_3 1
 y_1_4 negated_objective 6.26714141196
 y_1_4 left_1_4 1
 y_1_4 right_1_4 1
 y_1_4 both_1_4 -1
 y_1_4 pairs_1 1
 y_1_4 pairs_4 1
 y_1_5 negated_objective 0.30868999654
 y_1_5 left_1_5 1
 y_1_5 right_1_5 1
 y_1_5 both_1_5 -1
 y_1_5 pairs_1 1
 y_1_5 pairs_5 1
 y_1_6 negated_objective -0.261334569192
 y_1_6 left_1_6 1
 y_1_6 right_1_6 1
 y_1_6 both_1_6 -1
 y_1_6 pairs_1 1
 y_1_6 pairs_6 1
 y_1_7 negated_objective 3.49722237752
 y_1_7 left_1_7 1
 y_1_7 right_1_7 1
 y_1_7 both_1_7 -1
 y_1_7 pairs_1 1
 y_1_7 pairs_7 1
 y_1_8 negated_objective -0.837234992364
 y_1_8 left_1_8 1
 y_1_8 right_1_8 1
 y_1_8 both_1_8 -1
 y_1_8 pairs_1 1
 y_1_8 pairs_8 1
 y_1_9 negated_objective -1.12369134189
 y_1_9 left_1_9 1
 y_1_9 right_1_9 1
 y_1_9 both_1_9 -1
 y_1_9 pairs_1 1
 y_1_9 pairs_9 1
 y_2_3 negated_objective -0.226842954038
 y_2_3 left_2_3 1
 y_2_3 right_2_3 1
 y_2_3 both_2_3 -1
 y_2_3 pairs_2 1
 y_2_3 pairs_3 1
 y_2_4 negated_objective 5.19826650848
 y_2_4 left_2_4 1
 y_2_4 right_2_4 1
 y_2_4 both_2_4 -1
 y_2_4 pairs_2 1
 y_2_4 pairs_4 1
 y_2_5 negated_objective 2.81432823382
 y_2_5 left_2_5 1
 y_2_5 right_2_5 1
 y_2_5 both_2_5 -1
 y_2_5 pairs_2 1
 y_2_5 pairs_5 1
 y_2_6 negated_objective -1.09225384473
 y_2_6 left_2_6 1
 y_2_6 right_2_6 1
 y_2_6 both_2_6 -1
 y_2_6 pairs_2 1
 y_2_6 pairs_6 1
 y_2_7 negated_objective 3.96576391388
 y_2_7 left_2_7 1
 y_2_7 right_2_7 1
 y_2_7 both_2_7 -1
 y_2_7 pairs_2 1
 y_2_7 pairs_7 1
 y_2_8 negated_objective 0.061937180916
 y_2_8 left_2_8 1
 y_2_8 right_2_8 1
 y_2_8 both_2_8 -1
 y_2_8 pairs_2 1
 y_2_8 pairs_8 1
 y_2_9 negated_objective -0.325570637836
 y_2_9 left_2_9 1
 y_2_9 right_2_9 1
 y_2_9 both_2_9 -1
 y_2_9 pairs_2 1
 y_2_9 pairs_9 1
 y_3_4 negated_objective -2.69891909034
 y_3_4 left_3_4 1
 y_3_4 right_3_4 1
 y_3_4 both_3_4 -1
 y_3_4 pairs_3 1
 y_3_4 pairs_4 1
 y_3_5 negated_objective 2.98532564446
 y_3_5 left_3_5 1
 y_3_5 right_3_5 1
 y_3_5 both_3_5 -1
 y_3_5 pairs_3 1
 y_3_5 pairs_5 1
 y_3_6 negated_objective 3.09065951826
 y_3_6 left_3_6 1
 y_3_6 right_3_6 1
 y_3_6 both_3_6 -1
 y_3_6 pairs_3 1
 y_3_6 pairs_6 1
 y_3_7 negated_objective -0.99203229887
 y_3_7 left_3_7 1
 y_3_7 right_3_7 1
 y_3_7 both_3_7 -1
 y_3_7 pairs_3 1
 y_3_7 pairs_7 1
 y_3_8 negated_objective 0.404230774606
 y_3_8 left_3_8 1
 y_3_8 right_3_8 1
 y_3_8 both_3_8 -1
 y_3_8 pairs_3 1
 y_3_8 pairs_8 1
 y_3_9 negated_objective 2.6690916445
 y_3_9 left_3_9 1
 y_3_9 right_3_9 1
 y_3_9 both_3_9 -1
 y_3_9 pairs_3 1
 y_3_9 pairs_9 1
 y_4_5 negated_objective 0.181844509052
 y_4_5 left_4_5 1
 y_4_5 right_4_5 1
 y_4_5 both_4_5 -1
 y_4_5 pairs_4 1
 y_4_5 pairs_5 1
 y_4_6 negated_objective -1.018257877284
 y_4_6 left_4_6 1
 y_4_6 right_4_6 1
 y_4_6 both_4_6 -1
 y_4_6 pairs_4 1
 y_4_6 pairs_6 1
 y_4_7 negated_objective -1.353148554536
 y_4_7 left_4_7 1
 y_4_7 right_4_7 1
 y_4_7 both_4_7 -1
 y_4_7 pairs_4 1
 y_4_7 pairs_7 1
 y_4_8 negated_objective 1.122014896688
 y_4_8 left_4_8 1
 y_4_8 right_4_8 1
 y_4_8 both_4_8 -1
 y_4_8 pairs_4 1
 y_4_8 pairs_8 1
 y_4_9 negated_objective 4.56324234462
 y_4_9 left_4_9 1
 y_4_9 right_4_9 1
 y_4_9 both_4_9 -1
 y_4_9 pairs_4 1
 y_4_9 pairs_9 1
 y_5_6 negated_objective -3.1484387831
 y_5_6 left_5_6 1
 y_5_6 right_5_6 1
 y_5_6 both_5_6 -1
 y_5_6 pairs_5 1
 y_5_6 pairs_6 1
 y_5_7 negated_objective 2.34087355112
 y_5_7 left_5_7 1
 y_5_7 right_5_7 1
 y_5_7 both_5_7 -1
 y_5_7 pairs_5 1
 y_5_7 pairs_7 1
 y_5_8 negated_objective 2.33104725846
 y_5_8 left_5_8 1
 y_5_8 right_5_8 1
 y_5_8 both_5_8 -1
 y_5_8 pairs_5 1
 y_5_8 pairs_8 1
 y_5_9 negated_objective -0.1829898033
 y_5_9 left_5_9 1
 y_5_9 right_5_9 1
 y_5_9 both_5_9 -1
 y_5_9 pairs_5 1
 y_5_9 pairs_9 1
 y_6_7 negated_objective 6.9126558072
 y_6_7 left_6_7 1
 y_6_7 right_6_7 1
 y_6_7 both_6_7 -1
 y_6_7 pairs_6 1
 y_6_7 pairs_7 1
 y_6_8 negated_objective 2.37875125362
 y_6_8 left_6_8 1
 y_6_8 right_6_8 1
 y_6_8 both_6_8 -1
 y_6_8 pairs_6 1
 y_6_8 pairs_8 1
 y_6_9 negated_objective 2.6722453533
 y_6_9 left_6_9 1
 y_6_9 right_6_9 1
 y_6_9 both_6_9 -1
 y_6_9 pairs_6 1
 y_6_9 pairs_9 1
 y_7_8 negated_objective -0.332508797188
 y_7_8 left_7_8 1
 y_7_8 right_7_8 1
 y_7_8 both_7_8 -1
 y_7_8 pairs_7 1
 y_7_8 pairs_8 1
 y_7_9 negated_objective -0.306714778926
 y_7_9 left_7_9 1
 y_7_9 right_7_9 1
 y_7_9 both_7_9 -1
 y_7_9 pairs_7 1
 y_7_9 pairs_9 1
 y_8_9 negated_objective 0.103997697182
 y_8_9 left_8_9 1
 y_8_9 right_8_9 1
 y_8_9 both_8_9 -1
 y_8_9 pairs_8 1
 y_8_9 pairs_9 1
 MARKER 'MARKER' 'INTEND'
RHS
 RHS edges 4
 RHS away_0_0 1
 RHS away_0_1 1
 RHS away_0_2 1
 RHS away_0_3 1
 RHS away_0_4 1
 RHS away_1_0 1
 RHS away_1_1 1
 RHS away_1_2 1
 RHS away_1_3 1
 RHS away_1_4 1
 RHS away_2_0 1
 RHS away_2_1 1
 RHS away_2_2 1
 RHS away_2_3 1
 RHS away_2_4 1
 RHS away_3_0 1
 RHS away_3_1 1
 RHS away_3_2 1
 RHS away_3_3 1
 RHS away_3_4 1
 RHS away_4_0 1
 RHS away_4_1 1
 RHS away_4_2 1
 RHS away_4_3 1
 RHS away_4_4 1
 RHS both_0_1 1
 RHS both_0_2 1
 RHS both_0_3 1
 RHS both_0_4 1
 RHS both_0_5 1
 RHS both_0_6 1
 RHS both_0_7 1
 RHS both_0_8 1
 RHS both_0_9 1
 RHS both_1_2 1
 RHS both_1_3 1
 RHS both_1_4 1
 RHS both_1_5 1
 RHS both_1_6 1
 RHS both_1_7 1
 RHS both_1_8 1
 RHS both_1_9 1
 RHS both_2_3 1
 RHS both_2_4 1
 RHS both_2_5 1
 RHS both_2_6 1
 RHS both_2_7 1
 RHS both_2_8 1
 RHS both_2_9 1
 RHS both_3_4 1
 RHS both_3_5 1
 RHS both_3_6 1
 RHS both_3_7 1
 RHS both_3_8 1
 RHS both_3_9 1
 RHS both_4_5 1
 RHS both_4_6 1
 RHS both_4_7 1
 RHS both_4_8 1
 RHS both_4_9 1
 RHS both_5_6 1
 RHS both_5_7 1
 RHS both_5_8 1
 RHS both_5_9 1
 RHS both_6_7 1
 RHS both_6_8 1
 RHS both_6_9 1
 RHS both_7_8 1
 RHS both_7_9 1
 RHS both_8_9 1
BOUNDS
 UP BOUND x_0 1
 UP BOUND x_1 1
 UP BOUND x_2 1
 UP BOUND x_3 1
 UP BOUND x_4 1
 UP BOUND x_5 1
 UP BOUND x_6 1
 UP BOUND x_7 1
 UP BOUND x_8 1
 UP BOUND x_9 1
 FX BOUND z_0_0_0 0
 FX BOUND z_0_1_0 0
 FX BOUND z_0_2_0 0
 FX BOUND z_0_3_0 0
 UP BOUND z_0_4_0 1
 UP BOUND z_0_5_0 1
 UP BOUND z_0_6_0 1
 UP BOUND z_0_7_0 1
 UP BOUND z_0_8_0 1
 UP BOUND z_0_9_0 1
 UP BOUND z_0_0_1 1
 UP BOUND z_0_1_1 1
 UP BOUND z_0_2_1 1
 UP BOUND z_0_3_1 1
 UP BOUND z_0_4_1 1
 UP BOUND z_0_5_1 1
 UP BOUND z_0_6_1 1
 UP BOUND z_0_7_1 1
 UP BOUND z_0_8_1 1
 UP BOUND z_0_9_1 1
 UP BOUND z_1_0_0 1
 UP BOUND z_1_1_0 1
 UP BOUND z_1_2_0 1
 UP BOUND z_1_3_0 1
 FX BOUND z_1_4_0 0
 FX BOUND z_1_5_0 0
 FX BOUND z_1_6_0 0
 UP BOUND z_1_7_0 1
 UP BOUND z_1_8_0 1
 UP BOUND z_1_9_0 1
 FX BOUND z_1_0_1 0
 UP BOUND z_1_1_1 1
 UP BOUND z_1_2_1 1
 UP BOUND z_1_3_1 1
 UP BOUND z_1_4_1 1
 UP BOUND z_1_5_1 1
 UP BOUND z_1_6_1 1
 UP BOUND z_1_7_1 1
 UP BOUND z_1_8_1 1
 UP BOUND z_1_9_1 1
 UP BOUND z_2_0_0 1
 UP BOUND z_2_1_0 1
 UP BOUND z_2_2_0 1
 UP BOUND z_2_3_0 1
 UP BOUND z_2_4_0 1
 UP BOUND z_2_5_0 1
 UP BOUND z_2_6_0 1
 FX BOUND z_2_7_0 0
 FX BOUND z_2_8_0 0
 UP BOUND z_2_9_0 1
 UP BOUND z_2_0_1 1
 FX BOUND z_2_1_1 0
 UP BOUND z_2_2_1 1
 UP BOUND z_2_3_1 1
 FX BOUND z_2_4_1 0
 UP BOUND z_2_5_1 1
 UP BOUND z_2_6_1 1
 UP BOUND z_2_7_1 1
 UP BOUND z_2_8_1 1
 UP BOUND z_2_9_1 1
 UP BOUND z_3_0_0 1
 UP BOUND z_3_1_0 1
 UP BOUND z_3_2_0 1
 UP BOUND z_3_3_0 1
 UP BOUND z_3_4_0 1
 UP BOUND z_3_5_0 1
 UP BOUND z_3_6_0 1
 UP BOUND z_3_7_0 1
 UP BOUND z_3_8_0 1
 FX BOUND z_3_9_0 0
 UP BOUND z_3_0_1 1
 UP BOUND z_3_1_1 1
 FX BOUND z_3_2_1 0
 UP BOUND z_3_3_1 1
 UP BOUND z_3_4_1 1
 FX BOUND z_3_5_1 0
 UP BOUND z_3_6_1 1
 FX BOUND z_3_7_1 0
 UP BOUND z_3_8_1 1
 UP BOUND z_3_9_1 1
 UP BOUND z_4_0_0 1
 UP BOUND z_4_1_0 1
 UP BOUND z_4_2_0 1
 UP BOUND z_4_3_0 1
 UP BOUND z_4_4_0 1
 UP BOUND z_4_5_0 1
 UP BOUND z_4_6_0 1
 UP BOUND z_4_7_0 1
 UP BOUND z_4_8_0 1
 UP BOUND z_4_9_0 1
 UP BOUND z_4_0_1 1
 UP BOUND z_4_1_1 1
 UP BOUND z_4_2_1 1
 FX BOUND z_4_3_1 0
 UP BOUND z_4_4_1 1
 UP BOUND z_4_5_1 1
 FX BOUND z_4_6_1 0
 UP BOUND z_4_7_1 1
 FX BOUND z_4_8_1 0
 FX BOUND z_4_9_1 0
 UP BOUND y_0_1 1
 UP BOUND y_0_2 1
 UP BOUND y_0_3 1
 UP BOUND y_0_4 1
 UP BOUND y_0_5 1
 UP BOUND y_0_6 1
 UP BOUND y_0_7 1
 UP BOUND y_0_8 1
 UP BOUND y_0_9 1
 UP BOUND y_1_2 1
 UP BOUND y_1_3 1
 UP BOUND y_1_4 1
 UP BOUND y_1_5 1
 UP BOUND y_1_6 1
 UP BOUND y_1_7 1
 UP BOUND y_1_8 1
 UP BOUND y_1_9 1
 UP BOUND y_2_3 1
 UP BOUND y_2_4 1
 UP BOUND y_2_5 1
 UP BOUND y_2_6 1
 UP BOUND y_2_7 1
 UP BOUND y_2_8 1
 UP BOUND y_2_9 1
 UP BOUND y_3_4 1
 UP BOUND y_3_5 1
 UP BOUND y_3_6 1
 UP BOUND y_3_7 1
 UP BOUND y_3_8 1
 UP BOUND y_3_9 1
 UP BOUND y_4_5 1
 UP BOUND y_4_6 1
 UP BOUND y_4_7 1
 UP BOUND y_4_8 1
 UP BOUND y_4_9 1
 UP BOUND y_5_6 1
 UP BOUND y_5_7 1
 UP BOUND y_5_8 1
 UP BOUND y_5_9 1
 UP BOUND y_6_7 1
 UP BOUND y_6_8 1
 UP BOUND y_6_9 1
 UP BOUND y_7_8 1
 UP BOUND y_7_9 1
 UP BOUND y_8_9 1
ENDATA
