* a maximisation, written as the minimisation of the negated objective
NAME ellipsoid FREE
ROWS
 N negated_objective
 E size
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
 x_0 negated_objective -5.06125885937
 x_0 size 1
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
 x_0 pairs_0 -4
 x_1 negated_objective -4.98198929598
 x_1 size 1
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
 x_1 pairs_1 -4
 x_2 negated_objective -5.53242135802
 x_2 size 1
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
 x_2 pairs_2 -4
 x_3 negated_objective -6.23890546563
 x_3 size 1
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
 x_3 pairs_3 -4
 x_4 negated_objective -3.80532658997
 x_4 size 1
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
 x_4 pairs_4 -4
 x_5 negated_objective -4.36395235463
 x_5 size 1
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
 x_5 pairs_5 -4
 x_6 negated_objective -5.2297080481
 x_6 size 1
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
 x_6 pairs_6 -4
 x_7 negated_objective -4.60642363875
 x_7 size 1
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
 x_7 pairs_7 -4
 x_8 negated_objective -4.86843627504
 x_8 size 1
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
 x_8 pairs_8 -4
 x_9 negated_objective -3.77084088625
 x_9 size 1
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
 x_9 pairs_9 -4
 y_0_1 negated_objective 4.050767613
 y_0_1 left_0_1 1
 y_0_1 right_0_1 1
 y_0_1 both_0_1 -1
 y_0_1 pairs_0 1
 y_0_1 pairs_1 1
 y_0_2 negated_objective 3.59500861938
 y_0_2 left_0_2 1
 y_0_2 right_0_2 1
 y_0_2 both_0_2 -1
 y_0_2 pairs_0 1
 y_0_2 pairs_2 1
 y_0_3 negated_objective -3.70560228702
 y_0_3 left_0_3 1
 y_0_3 right_0_3 1
 y_0_3 both_0_3 -1
 y_0_3 pairs_0 1
 y_0_3 pairs_3 1
 y_0_4 negated_objective 1.16944306463
 y_0_4 left_0_4 1
 y_0_4 right_0_4 1
 y_0_4 both_0_4 -1
 y_0_4 pairs_0 1
 y_0_4 pairs_4 1
 y_0_5 negated_objective -0.59208274601
 y_0_5 left_0_5 1
 y_0_5 right_0_5 1
 y_0_5 both_0_5 -1
 y_0_5 pairs_0 1
 y_0_5 pairs_5 1
 y_0_6 negated_objective 0.62863136059
 y_0_6 left_0_6 1
 y_0_6 right_0_6 1
 y_0_6 both_0_6 -1
 y_0_6 pairs_0 1
 y_0_6 pairs_6 1
 y_0_7 negated_objective 0.381191380214
 y_0_7 left_0_7 1
 y_0_7 right_0_7 1
 y_0_7 both_0_7 -1
 y_0_7 pairs_0 1
 y_0_7 pairs_7 1
 y_0_8 negated_objective 1.490872343726
 y_0_8 left_0_8 1
 y_0_8 right_0_8 1
 y_0_8 both_0_8 -1
 y_0_8 pairs_0 1
 y_0_8 pairs_8 1
 y_0_9 negated_objective 2.05281603866
 y_0_9 left_0_9 1
 y_0_9 right_0_9 1
 y_0_9 both_0_9 -1
 y_0_9 pairs_0 1
 y_0_9 pairs_9 1
 y_1_2 negated_objective -1.949231020462
 y_1_2 left_1_2 1
 y_1_2 right_1_2 1
 y_1_2 both_1_2 -1
 y_1_2 pairs_1 1
 y_1_2 pairs_2 1
 y_1_3 negated_objective 2.31612414362
 y_1_3 left_1_3 1
 y_1_3 right_1_3 1
 y_1_3 both_1_3 -1
 y_1_3 pairs_1 1
 y_1_3 pairs_3 1
 y_1_4 negated_objective 1.420348560328
 y_1_4 left_1_4 1
 y_1_4 right_1_4 1
 y_1_4 both_1_4 -1
 y_1_4 pairs_1 1
 y_1_4 pairs_4 1
 y_1_5 negated_objective -0.167382203568
 y_1_5 left_1_5 1
 y_1_5 right_1_5 1
 y_1_5 both_1_5 -1
 y_1_5 pairs_1 1
 y_1_5 pairs_5 1
 y_1_6 negated_objective -1.244457806052
 y_1_6 left_1_6 1
 y_1_6 right_1_6 1
 y_1_6 both_1_6 -1
 y_1_6 pairs_1 1
 y_1_6 pairs_6 1
 y_1_7 negated_objective 2.925076406
 y_1_7 left_1_7 1
 y_1_7 right_1_7 1
 y_1_7 both_1_7 -1
 y_1_7 pairs_1 1
 y_1_7 pairs_7 1
 y_1_8 negated_objective -1.93180505383
 y_1_8 left_1_8 1
 y_1_8 right_1_8 1
 y_1_8 both_1_8 -1
 y_1_8 pairs_1 1
 y_1_8 pairs_8 1
 y_1_9 negated_objective -0.073736764322
 y_1_9 left_1_9 1
 y_1_9 right_1_9 1
 y_1_9 both_1_9 -1
 y_1_9 pairs_1 1
 y_1_9 pairs_9 1
 y_2_3 negated_objective 5.68314558376
 y_2_3 left_2_3 1
 y_2_3 right_2_3 1
 y_2_3 both_2_3 -1
 y_2_3 pairs_2 1
 y_2_3 pairs_3 1
 y_2_4 negated_objective 2.15171987814
 y_2_4 left_2_4 1
 y_2_4 right_2_4 1
 y_2_4 both_2_4 -1
 y_2_4 pairs_2 1
 y_2_4 pairs_4 1
 y_2_5 negated_objective 0.942490073882
 y_2_5 left_2_5 1
 y_2_5 right_2_5 1
 y_2_5 both_2_5 -1
 y_2_5 pairs_2 1
 y_2_5 pairs_5 1
 y_2_6 negated_objective -2.79256472048
 y_2_6 left_2_6 1
 y_2_6 right_2_6 1
 y_2_6 both_2_6 -1
 y_2_6 pairs_2 1
 y_2_6 pairs_6 1
 y_2_7 negated_objective 2.73106220914
 y_2_7 left_2_7 1
 y_2_7 right_2_7 1
 y_2_7 both_2_7 -1
 y_2_7 pairs_2 1
 y_2_7 pairs_7 1
 y_2_8 negated_objective -1.48907180627
 y_2_8 left_2_8 1
 y_2_8 right_2_8 1
 y_2_8 both_2_8 -1
 y_2_8 pairs_2 1
 y_2_8 pairs_8 1
 y_2_9 negated_objective -1.349822590486
 y_2_9 left_2_9 1
 y_2_9 right_2_9 1
 y_2_9 both_2_9 -1
 y_2_9 pairs_2 1
 y_2_9 pairs_9 1
 y_3_4 negated_objective -1.372080600562
 y_3_4 left_3_4 1
 y_3_4 right_3_4 1
 y_3_4 both_3_4 -1
 y_3_4 pairs_3 1
 y_3_4 pairs_4 1
 y_3_5 negated_objective 3.36180239594
 y_3_5 left_3_5 1
 y_3_5 right_3_5 1
 y_3_5 both_3_5 -1
 y_3_5 pairs_3 1
 y_3_5 pairs_5 1
 y_3_6 negated_objective -1.489979180944
 y_3_6 left_3_6 1
 y_3_6 right_3_6 1
 y_3_6 both_3_6 -1
 y_3_6 pairs_3 1
 y_3_6 pairs_6 1
 y_3_7 negated_objective 1.348365324896
 y_3_7 left_3_7 1
 y_3_7 right_3_7 1
 y_3_7 both_3_7 -1
 y_3_7 pairs_3 1
 y_3_7 pairs_7 1
 y_3_8 negated_objective 2.9959937495
 y_3_8 left_3_8 1
 y_3_8 right_3_8 1
 y_3_8 both_3_8 -1
 y_3_8 pairs_3 1
 y_3_8 pairs_8 1
 y_3_9 negated_objective 3.4758910959
 y_3_9 left_3_9 1
 y_3_9 right_3_9 1
 y_3_9 both_3_9 -1
 y_3_9 pairs_3 1
 y_3_9 pairs_9 1
 y_4_5 negated_objective 0.463489169922
 y_4_5 left_4_5 1
 y_4_5 right_4_5 1
 y_4_5 both_4_5 -1
 y_4_5 pairs_4 1
 y_4_5 pairs_5 1
 y_4_6 negated_objective 1.59551560131
 y_4_6 left_4_6 1
 y_4_6 right_4_6 1
 y_4_6 both_4_6 -1
 y_4_6 pairs_4 1
 y_4_6 pairs_6 1
 y_4_7 negated_objective 0.821552334952
 y_4_7 left_4_7 1
 y_4_7 right_4_7 1
 y_4_7 both_4_7 -1
 y_4_7 pairs_4 1
 y_4_7 pairs_7 1
 y_4_8 negated_objective 0.145645660624
 y_4_8 left_4_8 1
 y_4_8 right_4_8 1
 y_4_8 both_4_8 -1
 y_4_8 pairs_4 1
 y_4_8 pairs_8 1
 y_4_9 negated_objective 1.92896486178
 y_4_9 left_4_9 1
 y_4_9 right_4_9 1
 y_4_9 both_4_9 -1
 y_4_9 pairs_4 1
 y_4_9 pairs_9 1
 y_5_6 negated_objective 1.528621316608
 y_5_6 left_5_6 1
 y_5_6 right_5_6 1
 y_5_6 both_5_6 -1
 y_5_6 pairs_5 1
 y_5_6 pairs_6 1
 y_5_7 negated_objective -0.298197207774
 y_5_7 left_5_7 1
 y_5_7 right_5_7 1
 y_5_7 both_5_7 -1
 y_5_7 pairs_5 1
 y_5_7 pairs_7 1
 y_5_8 negated_objective 1.815089340192
 y_5_8 left_5_8 1
 y_5_8 right_5_8 1
 y_5_8 both_5_8 -1
 y_5_8 pairs_5 1
 y_5_8 pairs_8 1
 y_5_9 negated_objective 0.47829686867
 y_5_9 left_5_9 1
 y_5_9 right_5_9 1
 y_5_9 both_5_9 -1
 y_5_9 pairs_5 1
 y_5_9 pairs_9 1
 y_6_7 negated_objective 5.11237411714
 y_6_7 left_6_7 1
 y_6_7 right_6_7 1
 y_6_7 both_6_7 -1
 y_6_7 pairs_6 1
 y_6_7 pairs_7 1
 y_6_8 negated_objective 2.11500946662
 y_6_8 left_6_8 1
 y_6_8 right_6_8 1
 y_6_8 both_6_8 -1
 y_6_8 pairs_6 1
 y_6_8 pairs_8 1
 y_6_9 negated_objective 1.80357770728
 y_6_9 left_6_9 1
 y_6_9 right_6_9 1
 y_6_9 both_6_9 -1
 y_6_9 pairs_6 1
 y_6_9 pairs_9 1
 y_7_8 negated_objective 0.283872713372
 y_7_8 left_7_8 1
 y_7_8 right_7_8 1
 y_7_8 both_7_8 -1
 y_7_8 pairs_7 1
 y_7_8 pairs_8 1
 y_7_9 negated_objective -0.350032352554
 y_7_9 left_7_9 1
 y_7_9 right_7_9 1
 y_7_9 both_7_9 -1
 y_7_9 pairs_7 1
 y_7_9 pairs_9 1
 y_8_9 negated_objective 0.202378442198
 y_8_9 left_8_9 1
 y_8_9 right_8_9 1
 y_8_9 both_8_9 -1
 y_8_9 pairs_8 1
 y_8_9 pairs_9 1
 MARKER 'MARKER' 'INTEND'
RHS
 RHS size 5
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
