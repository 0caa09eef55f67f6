NAME copeland_time_0 FREE
ROWS
 N obj
 G head_row_0_2_1_0
 G head_row_0_2_1_1
 G head_row_0_2_1_2
 G head_row_0_2_1_3
 G head_row_0_2_1_4
 G head_row_0_2_1_5
 G head_row_0_2_1_6
 G head_row_0_2_1_7
 G head_row_0_2_1_8
 G head_row_0_2_1_9
 G head_row_0_2_1_10
 G head_row_0_2_1_11
 G head_row_0_2_1_12
 G head_row_0_2_1_13
 G head_row_0_1_1_0
 G head_row_0_1_1_1
 G head_row_0_1_1_2
 G head_row_0_1_1_3
 G head_row_0_1_1_4
 G head_row_0_1_1_5
 G head_row_0_1_1_6
 G head_row_0_1_1_7
 G head_row_0_1_1_8
 G head_row_0_1_1_9
 G head_row_0_1_1_10
 G head_row_0_1_1_11
 G head_row_0_1_1_12
 G head_row_0_1_1_13
 G head_row_0_2_2_0
 G head_row_0_2_2_1
 G head_row_0_2_2_2
 G head_row_0_2_2_3
 G head_row_0_2_2_4
 G head_row_0_2_2_5
 G head_row_0_2_2_6
 G head_row_0_2_2_7
 G head_row_0_2_2_8
 G head_row_0_2_2_9
 G head_row_0_2_2_10
 G head_row_0_2_2_11
 G head_row_0_2_2_12
 G head_row_0_2_2_13
 G head_row_0_1_2_0
 G head_row_0_1_2_1
 G head_row_0_1_2_2
 G head_row_0_1_2_3
 G head_row_0_1_2_4
 G head_row_0_1_2_5
 G head_row_0_1_2_6
 G head_row_0_1_2_7
 G head_row_0_1_2_8
 G head_row_0_1_2_9
 G head_row_0_1_2_10
 G head_row_0_1_2_11
 G head_row_0_1_2_12
 G head_row_0_1_2_13
 G head_row_0_2_3_0
 G head_row_0_2_3_1
 G head_row_0_2_3_2
 G head_row_0_2_3_3
 G head_row_0_2_3_4
 G head_row_0_2_3_5
 G head_row_0_2_3_6
 G head_row_0_2_3_7
 G head_row_0_2_3_8
 G head_row_0_2_3_9
 G head_row_0_2_3_10
 G head_row_0_2_3_11
 G head_row_0_2_3_12
 G head_row_0_2_3_13
 G head_row_0_1_3_0
 G head_row_0_1_3_1
 G head_row_0_1_3_2
 G head_row_0_1_3_3
 G head_row_0_1_3_4
 G head_row_0_1_3_5
 G head_row_0_1_3_6
 G head_row_0_1_3_7
 G head_row_0_1_3_8
 G head_row_0_1_3_9
 G head_row_0_1_3_10
 G head_row_0_1_3_11
 G head_row_0_1_3_12
 G head_row_0_1_3_13
 G tail_row_3_1_0
 G tail_row_3_1_1
 G head_row_0_2_4_0
 G head_row_0_2_4_1
 G head_row_0_2_4_2
 G head_row_0_2_4_3
 G head_row_0_2_4_4
 G head_row_0_2_4_5
 G head_row_0_2_4_6
 G head_row_0_2_4_7
 G head_row_0_2_4_8
 G head_row_0_2_4_9
 G head_row_0_2_4_10
 G head_row_0_2_4_11
 G head_row_0_2_4_12
 G head_row_0_2_4_13
 G head_row_0_1_4_0
 G head_row_0_1_4_1
 G head_row_0_1_4_2
 G head_row_0_1_4_3
 G head_row_0_1_4_4
 G head_row_0_1_4_5
 G head_row_0_1_4_6
 G head_row_0_1_4_7
 G head_row_0_1_4_8
 G head_row_0_1_4_9
 G head_row_0_1_4_10
 G head_row_0_1_4_11
 G head_row_0_1_4_12
 G head_row_0_1_4_13
 G tail_row_4_2_0
 G tail_row_4_2_1
 G tail_row_4_2_2
 G head_row_0_2_5_0
 G head_row_0_2_5_1
 G head_row_0_2_5_2
 G head_row_0_2_5_3
 G head_row_0_2_5_4
 G head_row_0_2_5_5
 G head_row_0_2_5_6
 G head_row_0_2_5_7
 G head_row_0_2_5_8
 G head_row_0_2_5_9
 G head_row_0_2_5_10
 G head_row_0_2_5_11
 G head_row_0_2_5_12
 G head_row_0_2_5_13
 G head_row_0_1_5_0
 G head_row_0_1_5_1
 G head_row_0_1_5_2
 G head_row_0_1_5_3
 G head_row_0_1_5_4
 G head_row_0_1_5_5
 G head_row_0_1_5_6
 G head_row_0_1_5_7
 G head_row_0_1_5_8
 G head_row_0_1_5_9
 G head_row_0_1_5_10
 G head_row_0_1_5_11
 G head_row_0_1_5_12
 G head_row_0_1_5_13
 G tail_row_5_3_0
 G tail_row_5_3_1
 G tail_row_5_3_2
 G tail_row_5_3_3
 G head_row_0_2_6_0
 G head_row_0_2_6_1
 G head_row_0_2_6_2
 G head_row_0_2_6_3
 G head_row_0_2_6_4
 G head_row_0_2_6_5
 G head_row_0_2_6_6
 G head_row_0_2_6_7
 G head_row_0_2_6_8
 G head_row_0_2_6_9
 G head_row_0_2_6_10
 G head_row_0_2_6_11
 G head_row_0_2_6_12
 G head_row_0_2_6_13
 G head_row_0_1_6_0
 G head_row_0_1_6_1
 G head_row_0_1_6_2
 G head_row_0_1_6_3
 G head_row_0_1_6_4
 G head_row_0_1_6_5
 G head_row_0_1_6_6
 G head_row_0_1_6_7
 G head_row_0_1_6_8
 G head_row_0_1_6_9
 G head_row_0_1_6_10
 G head_row_0_1_6_11
 G head_row_0_1_6_12
 G head_row_0_1_6_13
 G tail_row_6_4_0
 G tail_row_6_4_1
 G tail_row_6_4_2
 G tail_row_6_4_3
 G tail_row_6_4_4
 G head_row_0_2_7_0
 G head_row_0_2_7_1
 G head_row_0_2_7_2
 G head_row_0_2_7_3
 G head_row_0_2_7_4
 G head_row_0_2_7_5
 G head_row_0_2_7_6
 G head_row_0_2_7_7
 G head_row_0_2_7_8
 G head_row_0_2_7_9
 G head_row_0_2_7_10
 G head_row_0_2_7_11
 G head_row_0_2_7_12
 G head_row_0_2_7_13
 G head_row_0_1_7_0
 G head_row_0_1_7_1
 G head_row_0_1_7_2
 G head_row_0_1_7_3
 G head_row_0_1_7_4
 G head_row_0_1_7_5
 G head_row_0_1_7_6
 G head_row_0_1_7_7
 G head_row_0_1_7_8
 G head_row_0_1_7_9
 G head_row_0_1_7_10
 G head_row_0_1_7_11
 G head_row_0_1_7_12
 G head_row_0_1_7_13
 G tail_row_7_5_0
 G tail_row_7_5_1
 G tail_row_7_5_2
 G tail_row_7_5_3
 G tail_row_7_5_4
 G tail_row_7_5_5
 G head_row_0_2_8_0
 G head_row_0_2_8_1
 G head_row_0_2_8_2
 G head_row_0_2_8_3
 G head_row_0_2_8_4
 G head_row_0_2_8_5
 G head_row_0_2_8_6
 G head_row_0_2_8_7
 G head_row_0_2_8_8
 G head_row_0_2_8_9
 G head_row_0_2_8_10
 G head_row_0_2_8_11
 G head_row_0_2_8_12
 G head_row_0_2_8_13
 G head_row_0_1_8_0
 G head_row_0_1_8_1
 G head_row_0_1_8_2
 G head_row_0_1_8_3
 G head_row_0_1_8_4
 G head_row_0_1_8_5
 G head_row_0_1_8_6
 G head_row_0_1_8_7
 G head_row_0_1_8_8
 G head_row_0_1_8_9
 G head_row_0_1_8_10
 G head_row_0_1_8_11
 G head_row_0_1_8_12
 G head_row_0_1_8_13
 G tail_row_8_6_0
 G tail_row_8_6_1
 G tail_row_8_6_2
 G tail_row_8_6_3
 G tail_row_8_6_4
 G tail_row_8_6_5
 G tail_row_8_6_6
 G head_row_0_2_9_0
 G head_row_0_2_9_1
 G head_row_0_2_9_2
 G head_row_0_2_9_3
 G head_row_0_2_9_4
 G head_row_0_2_9_5
 G head_row_0_2_9_6
 G head_row_0_2_9_7
 G head_row_0_2_9_8
 G head_row_0_2_9_9
 G head_row_0_2_9_10
 G head_row_0_2_9_11
 G head_row_0_2_9_12
 G head_row_0_2_9_13
 G head_row_0_1_9_0
 G head_row_0_1_9_1
 G head_row_0_1_9_2
 G head_row_0_1_9_3
 G head_row_0_1_9_4
 G head_row_0_1_9_5
 G head_row_0_1_9_6
 G head_row_0_1_9_7
 G head_row_0_1_9_8
 G head_row_0_1_9_9
 G head_row_0_1_9_10
 G head_row_0_1_9_11
 G head_row_0_1_9_12
 G head_row_0_1_9_13
 G tail_row_9_7_0
 G tail_row_9_7_1
 G tail_row_9_7_2
 G tail_row_9_7_3
 G tail_row_9_7_4
 G tail_row_9_7_5
 G tail_row_9_7_6
 G tail_row_9_7_7
 G head_row_0_2_10_0
 G head_row_0_2_10_1
 G head_row_0_2_10_2
 G head_row_0_2_10_3
 G head_row_0_2_10_4
 G head_row_0_2_10_5
 G head_row_0_2_10_6
 G head_row_0_2_10_7
 G head_row_0_2_10_8
 G head_row_0_2_10_9
 G head_row_0_2_10_10
 G head_row_0_2_10_11
 G head_row_0_2_10_12
 G head_row_0_2_10_13
 G head_row_0_1_10_0
 G head_row_0_1_10_1
 G head_row_0_1_10_2
 G head_row_0_1_10_3
 G head_row_0_1_10_4
 G head_row_0_1_10_5
 G head_row_0_1_10_6
 G head_row_0_1_10_7
 G head_row_0_1_10_8
 G head_row_0_1_10_9
 G head_row_0_1_10_10
 G head_row_0_1_10_11
 G head_row_0_1_10_12
 G head_row_0_1_10_13
 G tail_row_10_8_0
 G tail_row_10_8_1
 G tail_row_10_8_2
 G tail_row_10_8_3
 G tail_row_10_8_4
 G tail_row_10_8_5
 G tail_row_10_8_6
 G tail_row_10_8_7
 G tail_row_10_8_8
 G head_row_0_2_11_0
 G head_row_0_2_11_1
 G head_row_0_2_11_2
 G head_row_0_2_11_3
 G head_row_0_2_11_4
 G head_row_0_2_11_5
 G head_row_0_2_11_6
 G head_row_0_2_11_7
 G head_row_0_2_11_8
 G head_row_0_2_11_9
 G head_row_0_2_11_10
 G head_row_0_2_11_11
 G head_row_0_2_11_12
 G head_row_0_2_11_13
 G head_row_0_1_11_0
 G head_row_0_1_11_1
 G head_row_0_1_11_2
 G head_row_0_1_11_3
 G head_row_0_1_11_4
 G head_row_0_1_11_5
 G head_row_0_1_11_6
 G head_row_0_1_11_7
 G head_row_0_1_11_8
 G head_row_0_1_11_9
 G head_row_0_1_11_10
 G head_row_0_1_11_11
 G head_row_0_1_11_12
 G head_row_0_1_11_13
 G tail_row_11_9_0
 G tail_row_11_9_1
 G tail_row_11_9_2
 G tail_row_11_9_3
 G tail_row_11_9_4
 G tail_row_11_9_5
 G tail_row_11_9_6
 G tail_row_11_9_7
 G tail_row_11_9_8
 G tail_row_11_9_9
 G head_row_0_2_12_0
 G head_row_0_2_12_1
 G head_row_0_2_12_2
 G head_row_0_2_12_3
 G head_row_0_2_12_4
 G head_row_0_2_12_5
 G head_row_0_2_12_6
 G head_row_0_2_12_7
 G head_row_0_2_12_8
 G head_row_0_2_12_9
 G head_row_0_2_12_10
 G head_row_0_2_12_11
 G head_row_0_2_12_12
 G head_row_0_2_12_13
 G head_row_0_1_12_0
 G head_row_0_1_12_1
 G head_row_0_1_12_2
 G head_row_0_1_12_3
 G head_row_0_1_12_4
 G head_row_0_1_12_5
 G head_row_0_1_12_6
 G head_row_0_1_12_7
 G head_row_0_1_12_8
 G head_row_0_1_12_9
 G head_row_0_1_12_10
 G head_row_0_1_12_11
 G head_row_0_1_12_12
 G head_row_0_1_12_13
 G tail_row_12_10_0
 G tail_row_12_10_1
 G tail_row_12_10_2
 G tail_row_12_10_3
 G tail_row_12_10_4
 G tail_row_12_10_5
 G tail_row_12_10_6
 G tail_row_12_10_7
 G tail_row_12_10_8
 G tail_row_12_10_9
 G tail_row_12_10_10
 G head_row_0_2_13_0
 G head_row_0_2_13_1
 G head_row_0_2_13_2
 G head_row_0_2_13_3
 G head_row_0_2_13_4
 G head_row_0_2_13_5
 G head_row_0_2_13_6
 G head_row_0_2_13_7
 G head_row_0_2_13_8
 G head_row_0_2_13_9
 G head_row_0_2_13_10
 G head_row_0_2_13_11
 G head_row_0_2_13_12
 G head_row_0_2_13_13
 G head_row_0_1_13_0
 G head_row_0_1_13_1
 G head_row_0_1_13_2
 G head_row_0_1_13_3
 G head_row_0_1_13_4
 G head_row_0_1_13_5
 G head_row_0_1_13_6
 G head_row_0_1_13_7
 G head_row_0_1_13_8
 G head_row_0_1_13_9
 G head_row_0_1_13_10
 G head_row_0_1_13_11
 G head_row_0_1_13_12
 G head_row_0_1_13_13
 G tail_row_13_11_0
 G tail_row_13_11_1
 G tail_row_13_11_2
 G tail_row_13_11_3
 G tail_row_13_11_4
 G tail_row_13_11_5
 G tail_row_13_11_6
 G tail_row_13_11_7
 G tail_row_13_11_8
 G tail_row_13_11_9
 G tail_row_13_11_10
 G tail_row_13_11_11
 G head_row_0_2_14_0
 G head_row_0_2_14_1
 G head_row_0_2_14_2
 G head_row_0_2_14_3
 G head_row_0_2_14_4
 G head_row_0_2_14_5
 G head_row_0_2_14_6
 G head_row_0_2_14_7
 G head_row_0_2_14_8
 G head_row_0_2_14_9
 G head_row_0_2_14_10
 G head_row_0_2_14_11
 G head_row_0_2_14_12
 G head_row_0_2_14_13
 G head_row_0_1_14_0
 G head_row_0_1_14_1
 G head_row_0_1_14_2
 G head_row_0_1_14_3
 G head_row_0_1_14_4
 G head_row_0_1_14_5
 G head_row_0_1_14_6
 G head_row_0_1_14_7
 G head_row_0_1_14_8
 G head_row_0_1_14_9
 G head_row_0_1_14_10
 G head_row_0_1_14_11
 G head_row_0_1_14_12
 G head_row_0_1_14_13
 G tail_row_14_12_0
 G tail_row_14_12_1
 G tail_row_14_12_2
 G tail_row_14_12_3
 G tail_row_14_12_4
 G tail_row_14_12_5
 G tail_row_14_12_6
 G tail_row_14_12_7
 G tail_row_14_12_8
 G tail_row_14_12_9
 G tail_row_14_12_10
 G tail_row_14_12_11
 G tail_row_14_12_12
 G head_row_0_2_15_0
 G head_row_0_2_15_1
 G head_row_0_2_15_2
 G head_row_0_2_15_3
 G head_row_0_2_15_4
 G head_row_0_2_15_5
 G head_row_0_2_15_6
 G head_row_0_2_15_7
 G head_row_0_2_15_8
 G head_row_0_2_15_9
 G head_row_0_2_15_10
 G head_row_0_2_15_11
 G head_row_0_2_15_12
 G head_row_0_2_15_13
 G head_row_0_1_15_0
 G head_row_0_1_15_1
 G head_row_0_1_15_2
 G head_row_0_1_15_3
 G head_row_0_1_15_4
 G head_row_0_1_15_5
 G head_row_0_1_15_6
 G head_row_0_1_15_7
 G head_row_0_1_15_8
 G head_row_0_1_15_9
 G head_row_0_1_15_10
 G head_row_0_1_15_11
 G head_row_0_1_15_12
 G head_row_0_1_15_13
 G tail_row_15_13_0
 G tail_row_15_13_1
 G tail_row_15_13_2
 G tail_row_15_13_3
 G tail_row_15_13_4
 G tail_row_15_13_5
 G tail_row_15_13_6
 G tail_row_15_13_7
 G tail_row_15_13_8
 G tail_row_15_13_9
 G tail_row_15_13_10
 G tail_row_15_13_11
 G tail_row_15_13_12
 G tail_row_15_13_13
 G family_0
 G family_1
 G family_2
 G family_3
 G family_4
 G family_5
 G family_6
 G family_7
 G family_8
 G family_9
 G family_10
 G family_11
 G family_12
 G family_13
 G family_14
 G family_15
 G family_16
 G family_17
 G family_18
 G family_19
 G family_20
 G family_21
 G family_22
 G family_23
 G family_24
 G family_25
 G family_26
 G family_27
 G family_28
 G family_29
 G family_30
 G family_31
 G family_32
 G family_33
 G family_34
 G family_35
 G family_36
 G family_37
 G family_38
 G family_39
 G family_40
 G family_41
 G family_42
 G family_43
 G family_44
COLUMNS
 x_0_1 obj 3471.8888440768465
 x_0_1 head_row_0_2_2_0 1
 x_0_1 head_row_0_1_2_0 1
 x_0_1 head_row_0_2_3_0 1
 x_0_1 head_row_0_1_3_0 1
 x_0_1 head_row_0_2_4_0 1
 x_0_1 head_row_0_1_4_0 1
 x_0_1 head_row_0_2_5_0 1
 x_0_1 head_row_0_1_5_0 1
 x_0_1 head_row_0_2_6_0 1
 x_0_1 head_row_0_1_6_0 1
 x_0_1 head_row_0_2_7_0 1
 x_0_1 head_row_0_1_7_0 1
 x_0_1 head_row_0_2_8_0 1
 x_0_1 head_row_0_1_8_0 1
 x_0_1 head_row_0_2_9_0 1
 x_0_1 head_row_0_1_9_0 1
 x_0_1 head_row_0_2_10_0 1
 x_0_1 head_row_0_1_10_0 1
 x_0_1 head_row_0_2_11_0 1
 x_0_1 head_row_0_1_11_0 1
 x_0_1 head_row_0_2_12_0 1
 x_0_1 head_row_0_1_12_0 1
 x_0_1 head_row_0_2_13_0 1
 x_0_1 head_row_0_1_13_0 1
 x_0_1 head_row_0_2_14_0 1
 x_0_1 head_row_0_1_14_0 1
 x_0_1 head_row_0_2_15_0 1
 x_0_1 head_row_0_1_15_0 1
 x_0_1 family_1 1
 x_0_1 family_2 1
 x_0_2 obj 33.25502306840158
 x_0_2 head_row_0_2_1_0 1
 x_0_2 head_row_0_1_1_0 1
 x_0_2 head_row_0_2_3_1 1
 x_0_2 head_row_0_1_3_1 1
 x_0_2 head_row_0_2_4_1 1
 x_0_2 head_row_0_1_4_1 1
 x_0_2 head_row_0_2_5_1 1
 x_0_2 head_row_0_1_5_1 1
 x_0_2 head_row_0_2_6_1 1
 x_0_2 head_row_0_1_6_1 1
 x_0_2 head_row_0_2_7_1 1
 x_0_2 head_row_0_1_7_1 1
 x_0_2 head_row_0_2_8_1 1
 x_0_2 head_row_0_1_8_1 1
 x_0_2 head_row_0_2_9_1 1
 x_0_2 head_row_0_1_9_1 1
 x_0_2 head_row_0_2_10_1 1
 x_0_2 head_row_0_1_10_1 1
 x_0_2 head_row_0_2_11_1 1
 x_0_2 head_row_0_1_11_1 1
 x_0_2 head_row_0_2_12_1 1
 x_0_2 head_row_0_1_12_1 1
 x_0_2 head_row_0_2_13_1 1
 x_0_2 head_row_0_1_13_1 1
 x_0_2 head_row_0_2_14_1 1
 x_0_2 head_row_0_1_14_1 1
 x_0_2 head_row_0_2_15_1 1
 x_0_2 head_row_0_1_15_1 1
 x_0_2 family_4 1
 x_0_2 family_5 1
 x_0_3 obj 20.47049182100963
 x_0_3 head_row_0_2_1_1 1
 x_0_3 head_row_0_1_1_1 1
 x_0_3 head_row_0_2_2_1 1
 x_0_3 head_row_0_1_2_1 1
 x_0_3 head_row_0_2_4_2 1
 x_0_3 head_row_0_1_4_2 1
 x_0_3 head_row_0_2_5_2 1
 x_0_3 head_row_0_1_5_2 1
 x_0_3 head_row_0_2_6_2 1
 x_0_3 head_row_0_1_6_2 1
 x_0_3 head_row_0_2_7_2 1
 x_0_3 head_row_0_1_7_2 1
 x_0_3 head_row_0_2_8_2 1
 x_0_3 head_row_0_1_8_2 1
 x_0_3 head_row_0_2_9_2 1
 x_0_3 head_row_0_1_9_2 1
 x_0_3 head_row_0_2_10_2 1
 x_0_3 head_row_0_1_10_2 1
 x_0_3 head_row_0_2_11_2 1
 x_0_3 head_row_0_1_11_2 1
 x_0_3 head_row_0_2_12_2 1
 x_0_3 head_row_0_1_12_2 1
 x_0_3 head_row_0_2_13_2 1
 x_0_3 head_row_0_1_13_2 1
 x_0_3 head_row_0_2_14_2 1
 x_0_3 head_row_0_1_14_2 1
 x_0_3 head_row_0_2_15_2 1
 x_0_3 head_row_0_1_15_2 1
 x_0_3 family_7 1
 x_0_3 family_8 1
 x_0_4 obj 12.407287389737359
 x_0_4 head_row_0_2_1_2 1
 x_0_4 head_row_0_1_1_2 1
 x_0_4 head_row_0_2_2_2 1
 x_0_4 head_row_0_1_2_2 1
 x_0_4 head_row_0_2_3_2 1
 x_0_4 head_row_0_1_3_2 1
 x_0_4 head_row_0_2_5_3 1
 x_0_4 head_row_0_1_5_3 1
 x_0_4 head_row_0_2_6_3 1
 x_0_4 head_row_0_1_6_3 1
 x_0_4 head_row_0_2_7_3 1
 x_0_4 head_row_0_1_7_3 1
 x_0_4 head_row_0_2_8_3 1
 x_0_4 head_row_0_1_8_3 1
 x_0_4 head_row_0_2_9_3 1
 x_0_4 head_row_0_1_9_3 1
 x_0_4 head_row_0_2_10_3 1
 x_0_4 head_row_0_1_10_3 1
 x_0_4 head_row_0_2_11_3 1
 x_0_4 head_row_0_1_11_3 1
 x_0_4 head_row_0_2_12_3 1
 x_0_4 head_row_0_1_12_3 1
 x_0_4 head_row_0_2_13_3 1
 x_0_4 head_row_0_1_13_3 1
 x_0_4 head_row_0_2_14_3 1
 x_0_4 head_row_0_1_14_3 1
 x_0_4 head_row_0_2_15_3 1
 x_0_4 head_row_0_1_15_3 1
 x_0_4 family_10 1
 x_0_4 family_11 1
 x_0_5 obj 9.438386419550312
 x_0_5 head_row_0_2_1_3 1
 x_0_5 head_row_0_1_1_3 1
 x_0_5 head_row_0_2_2_3 1
 x_0_5 head_row_0_1_2_3 1
 x_0_5 head_row_0_2_3_3 1
 x_0_5 head_row_0_1_3_3 1
 x_0_5 head_row_0_2_4_3 1
 x_0_5 head_row_0_1_4_3 1
 x_0_5 head_row_0_2_6_4 1
 x_0_5 head_row_0_1_6_4 1
 x_0_5 head_row_0_2_7_4 1
 x_0_5 head_row_0_1_7_4 1
 x_0_5 head_row_0_2_8_4 1
 x_0_5 head_row_0_1_8_4 1
 x_0_5 head_row_0_2_9_4 1
 x_0_5 head_row_0_1_9_4 1
 x_0_5 head_row_0_2_10_4 1
 x_0_5 head_row_0_1_10_4 1
 x_0_5 head_row_0_2_11_4 1
 x_0_5 head_row_0_1_11_4 1
 x_0_5 head_row_0_2_12_4 1
 x_0_5 head_row_0_1_12_4 1
 x_0_5 head_row_0_2_13_4 1
 x_0_5 head_row_0_1_13_4 1
 x_0_5 head_row_0_2_14_4 1
 x_0_5 head_row_0_1_14_4 1
 x_0_5 head_row_0_2_15_4 1
 x_0_5 head_row_0_1_15_4 1
 x_0_5 family_13 1
 x_0_5 family_14 1
 x_0_6 obj 10.88218476277532
 x_0_6 head_row_0_2_1_4 1
 x_0_6 head_row_0_1_1_4 1
 x_0_6 head_row_0_2_2_4 1
 x_0_6 head_row_0_1_2_4 1
 x_0_6 head_row_0_2_3_4 1
 x_0_6 head_row_0_1_3_4 1
 x_0_6 head_row_0_2_4_4 1
 x_0_6 head_row_0_1_4_4 1
 x_0_6 head_row_0_2_5_4 1
 x_0_6 head_row_0_1_5_4 1
 x_0_6 head_row_0_2_7_5 1
 x_0_6 head_row_0_1_7_5 1
 x_0_6 head_row_0_2_8_5 1
 x_0_6 head_row_0_1_8_5 1
 x_0_6 head_row_0_2_9_5 1
 x_0_6 head_row_0_1_9_5 1
 x_0_6 head_row_0_2_10_5 1
 x_0_6 head_row_0_1_10_5 1
 x_0_6 head_row_0_2_11_5 1
 x_0_6 head_row_0_1_11_5 1
 x_0_6 head_row_0_2_12_5 1
 x_0_6 head_row_0_1_12_5 1
 x_0_6 head_row_0_2_13_5 1
 x_0_6 head_row_0_1_13_5 1
 x_0_6 head_row_0_2_14_5 1
 x_0_6 head_row_0_1_14_5 1
 x_0_6 head_row_0_2_15_5 1
 x_0_6 head_row_0_1_15_5 1
 x_0_6 family_16 1
 x_0_6 family_17 1
 x_0_7 obj 11.208949023550009
 x_0_7 head_row_0_2_1_5 1
 x_0_7 head_row_0_1_1_5 1
 x_0_7 head_row_0_2_2_5 1
 x_0_7 head_row_0_1_2_5 1
 x_0_7 head_row_0_2_3_5 1
 x_0_7 head_row_0_1_3_5 1
 x_0_7 head_row_0_2_4_5 1
 x_0_7 head_row_0_1_4_5 1
 x_0_7 head_row_0_2_5_5 1
 x_0_7 head_row_0_1_5_5 1
 x_0_7 head_row_0_2_6_5 1
 x_0_7 head_row_0_1_6_5 1
 x_0_7 head_row_0_2_8_6 1
 x_0_7 head_row_0_1_8_6 1
 x_0_7 head_row_0_2_9_6 1
 x_0_7 head_row_0_1_9_6 1
 x_0_7 head_row_0_2_10_6 1
 x_0_7 head_row_0_1_10_6 1
 x_0_7 head_row_0_2_11_6 1
 x_0_7 head_row_0_1_11_6 1
 x_0_7 head_row_0_2_12_6 1
 x_0_7 head_row_0_1_12_6 1
 x_0_7 head_row_0_2_13_6 1
 x_0_7 head_row_0_1_13_6 1
 x_0_7 head_row_0_2_14_6 1
 x_0_7 head_row_0_1_14_6 1
 x_0_7 head_row_0_2_15_6 1
 x_0_7 head_row_0_1_15_6 1
 x_0_7 family_19 1
 x_0_7 family_20 1
 x_0_8 obj 7.709143991086407
 x_0_8 head_row_0_2_1_6 1
 x_0_8 head_row_0_1_1_6 1
 x_0_8 head_row_0_2_2_6 1
 x_0_8 head_row_0_1_2_6 1
 x_0_8 head_row_0_2_3_6 1
 x_0_8 head_row_0_1_3_6 1
 x_0_8 head_row_0_2_4_6 1
 x_0_8 head_row_0_1_4_6 1
 x_0_8 head_row_0_2_5_6 1
 x_0_8 head_row_0_1_5_6 1
 x_0_8 head_row_0_2_6_6 1
 x_0_8 head_row_0_1_6_6 1
 x_0_8 head_row_0_2_7_6 1
 x_0_8 head_row_0_1_7_6 1
 x_0_8 head_row_0_2_9_7 1
 x_0_8 head_row_0_1_9_7 1
 x_0_8 head_row_0_2_10_7 1
 x_0_8 head_row_0_1_10_7 1
 x_0_8 head_row_0_2_11_7 1
 x_0_8 head_row_0_1_11_7 1
 x_0_8 head_row_0_2_12_7 1
 x_0_8 head_row_0_1_12_7 1
 x_0_8 head_row_0_2_13_7 1
 x_0_8 head_row_0_1_13_7 1
 x_0_8 head_row_0_2_14_7 1
 x_0_8 head_row_0_1_14_7 1
 x_0_8 head_row_0_2_15_7 1
 x_0_8 head_row_0_1_15_7 1
 x_0_8 family_22 1
 x_0_8 family_23 1
 x_0_9 obj 5.188208568947572
 x_0_9 head_row_0_2_1_7 1
 x_0_9 head_row_0_1_1_7 1
 x_0_9 head_row_0_2_2_7 1
 x_0_9 head_row_0_1_2_7 1
 x_0_9 head_row_0_2_3_7 1
 x_0_9 head_row_0_1_3_7 1
 x_0_9 head_row_0_2_4_7 1
 x_0_9 head_row_0_1_4_7 1
 x_0_9 head_row_0_2_5_7 1
 x_0_9 head_row_0_1_5_7 1
 x_0_9 head_row_0_2_6_7 1
 x_0_9 head_row_0_1_6_7 1
 x_0_9 head_row_0_2_7_7 1
 x_0_9 head_row_0_1_7_7 1
 x_0_9 head_row_0_2_8_7 1
 x_0_9 head_row_0_1_8_7 1
 x_0_9 head_row_0_2_10_8 1
 x_0_9 head_row_0_1_10_8 1
 x_0_9 head_row_0_2_11_8 1
 x_0_9 head_row_0_1_11_8 1
 x_0_9 head_row_0_2_12_8 1
 x_0_9 head_row_0_1_12_8 1
 x_0_9 head_row_0_2_13_8 1
 x_0_9 head_row_0_1_13_8 1
 x_0_9 head_row_0_2_14_8 1
 x_0_9 head_row_0_1_14_8 1
 x_0_9 head_row_0_2_15_8 1
 x_0_9 head_row_0_1_15_8 1
 x_0_9 family_25 1
 x_0_9 family_26 1
 x_0_10 obj 8.25499120340526
 x_0_10 head_row_0_2_1_8 1
 x_0_10 head_row_0_1_1_8 1
 x_0_10 head_row_0_2_2_8 1
 x_0_10 head_row_0_1_2_8 1
 x_0_10 head_row_0_2_3_8 1
 x_0_10 head_row_0_1_3_8 1
 x_0_10 head_row_0_2_4_8 1
 x_0_10 head_row_0_1_4_8 1
 x_0_10 head_row_0_2_5_8 1
 x_0_10 head_row_0_1_5_8 1
 x_0_10 head_row_0_2_6_8 1
 x_0_10 head_row_0_1_6_8 1
 x_0_10 head_row_0_2_7_8 1
 x_0_10 head_row_0_1_7_8 1
 x_0_10 head_row_0_2_8_8 1
 x_0_10 head_row_0_1_8_8 1
 x_0_10 head_row_0_2_9_8 1
 x_0_10 head_row_0_1_9_8 1
 x_0_10 head_row_0_2_11_9 1
 x_0_10 head_row_0_1_11_9 1
 x_0_10 head_row_0_2_12_9 1
 x_0_10 head_row_0_1_12_9 1
 x_0_10 head_row_0_2_13_9 1
 x_0_10 head_row_0_1_13_9 1
 x_0_10 head_row_0_2_14_9 1
 x_0_10 head_row_0_1_14_9 1
 x_0_10 head_row_0_2_15_9 1
 x_0_10 head_row_0_1_15_9 1
 x_0_10 family_28 1
 x_0_10 family_29 1
 x_0_11 obj 5.8801901291827
 x_0_11 head_row_0_2_1_9 1
 x_0_11 head_row_0_1_1_9 1
 x_0_11 head_row_0_2_2_9 1
 x_0_11 head_row_0_1_2_9 1
 x_0_11 head_row_0_2_3_9 1
 x_0_11 head_row_0_1_3_9 1
 x_0_11 head_row_0_2_4_9 1
 x_0_11 head_row_0_1_4_9 1
 x_0_11 head_row_0_2_5_9 1
 x_0_11 head_row_0_1_5_9 1
 x_0_11 head_row_0_2_6_9 1
 x_0_11 head_row_0_1_6_9 1
 x_0_11 head_row_0_2_7_9 1
 x_0_11 head_row_0_1_7_9 1
 x_0_11 head_row_0_2_8_9 1
 x_0_11 head_row_0_1_8_9 1
 x_0_11 head_row_0_2_9_9 1
 x_0_11 head_row_0_1_9_9 1
 x_0_11 head_row_0_2_10_9 1
 x_0_11 head_row_0_1_10_9 1
 x_0_11 head_row_0_2_12_10 1
 x_0_11 head_row_0_1_12_10 1
 x_0_11 head_row_0_2_13_10 1
 x_0_11 head_row_0_1_13_10 1
 x_0_11 head_row_0_2_14_10 1
 x_0_11 head_row_0_1_14_10 1
 x_0_11 head_row_0_2_15_10 1
 x_0_11 head_row_0_1_15_10 1
 x_0_11 family_31 1
 x_0_11 family_32 1
 x_0_12 obj 3.769752675790351
 x_0_12 head_row_0_2_1_10 1
 x_0_12 head_row_0_1_1_10 1
 x_0_12 head_row_0_2_2_10 1
 x_0_12 head_row_0_1_2_10 1
 x_0_12 head_row_0_2_3_10 1
 x_0_12 head_row_0_1_3_10 1
 x_0_12 head_row_0_2_4_10 1
 x_0_12 head_row_0_1_4_10 1
 x_0_12 head_row_0_2_5_10 1
 x_0_12 head_row_0_1_5_10 1
 x_0_12 head_row_0_2_6_10 1
 x_0_12 head_row_0_1_6_10 1
 x_0_12 head_row_0_2_7_10 1
 x_0_12 head_row_0_1_7_10 1
 x_0_12 head_row_0_2_8_10 1
 x_0_12 head_row_0_1_8_10 1
 x_0_12 head_row_0_2_9_10 1
 x_0_12 head_row_0_1_9_10 1
 x_0_12 head_row_0_2_10_10 1
 x_0_12 head_row_0_1_10_10 1
 x_0_12 head_row_0_2_11_10 1
 x_0_12 head_row_0_1_11_10 1
 x_0_12 head_row_0_2_13_11 1
 x_0_12 head_row_0_1_13_11 1
 x_0_12 head_row_0_2_14_11 1
 x_0_12 head_row_0_1_14_11 1
 x_0_12 head_row_0_2_15_11 1
 x_0_12 head_row_0_1_15_11 1
 x_0_12 family_34 1
 x_0_12 family_35 1
 x_0_13 obj 4.603309609182104
 x_0_13 head_row_0_2_1_11 1
 x_0_13 head_row_0_1_1_11 1
 x_0_13 head_row_0_2_2_11 1
 x_0_13 head_row_0_1_2_11 1
 x_0_13 head_row_0_2_3_11 1
 x_0_13 head_row_0_1_3_11 1
 x_0_13 head_row_0_2_4_11 1
 x_0_13 head_row_0_1_4_11 1
 x_0_13 head_row_0_2_5_11 1
 x_0_13 head_row_0_1_5_11 1
 x_0_13 head_row_0_2_6_11 1
 x_0_13 head_row_0_1_6_11 1
 x_0_13 head_row_0_2_7_11 1
 x_0_13 head_row_0_1_7_11 1
 x_0_13 head_row_0_2_8_11 1
 x_0_13 head_row_0_1_8_11 1
 x_0_13 head_row_0_2_9_11 1
 x_0_13 head_row_0_1_9_11 1
 x_0_13 head_row_0_2_10_11 1
 x_0_13 head_row_0_1_10_11 1
 x_0_13 head_row_0_2_11_11 1
 x_0_13 head_row_0_1_11_11 1
 x_0_13 head_row_0_2_12_11 1
 x_0_13 head_row_0_1_12_11 1
 x_0_13 head_row_0_2_14_12 1
 x_0_13 head_row_0_1_14_12 1
 x_0_13 head_row_0_2_15_12 1
 x_0_13 head_row_0_1_15_12 1
 x_0_13 family_37 1
 x_0_13 family_38 1
 x_0_14 obj 3.604386725230765
 x_0_14 head_row_0_2_1_12 1
 x_0_14 head_row_0_1_1_12 1
 x_0_14 head_row_0_2_2_12 1
 x_0_14 head_row_0_1_2_12 1
 x_0_14 head_row_0_2_3_12 1
 x_0_14 head_row_0_1_3_12 1
 x_0_14 head_row_0_2_4_12 1
 x_0_14 head_row_0_1_4_12 1
 x_0_14 head_row_0_2_5_12 1
 x_0_14 head_row_0_1_5_12 1
 x_0_14 head_row_0_2_6_12 1
 x_0_14 head_row_0_1_6_12 1
 x_0_14 head_row_0_2_7_12 1
 x_0_14 head_row_0_1_7_12 1
 x_0_14 head_row_0_2_8_12 1
 x_0_14 head_row_0_1_8_12 1
 x_0_14 head_row_0_2_9_12 1
 x_0_14 head_row_0_1_9_12 1
 x_0_14 head_row_0_2_10_12 1
 x_0_14 head_row_0_1_10_12 1
 x_0_14 head_row_0_2_11_12 1
 x_0_14 head_row_0_1_11_12 1
 x_0_14 head_row_0_2_12_12 1
 x_0_14 head_row_0_1_12_12 1
 x_0_14 head_row_0_2_13_12 1
 x_0_14 head_row_0_1_13_12 1
 x_0_14 head_row_0_2_15_13 1
 x_0_14 head_row_0_1_15_13 1
 x_0_14 family_40 1
 x_0_14 family_41 1
 x_0_15 obj 3.300589682829599
 x_0_15 head_row_0_2_1_13 1
 x_0_15 head_row_0_1_1_13 1
 x_0_15 head_row_0_2_2_13 1
 x_0_15 head_row_0_1_2_13 1
 x_0_15 head_row_0_2_3_13 1
 x_0_15 head_row_0_1_3_13 1
 x_0_15 head_row_0_2_4_13 1
 x_0_15 head_row_0_1_4_13 1
 x_0_15 head_row_0_2_5_13 1
 x_0_15 head_row_0_1_5_13 1
 x_0_15 head_row_0_2_6_13 1
 x_0_15 head_row_0_1_6_13 1
 x_0_15 head_row_0_2_7_13 1
 x_0_15 head_row_0_1_7_13 1
 x_0_15 head_row_0_2_8_13 1
 x_0_15 head_row_0_1_8_13 1
 x_0_15 head_row_0_2_9_13 1
 x_0_15 head_row_0_1_9_13 1
 x_0_15 head_row_0_2_10_13 1
 x_0_15 head_row_0_1_10_13 1
 x_0_15 head_row_0_2_11_13 1
 x_0_15 head_row_0_1_11_13 1
 x_0_15 head_row_0_2_12_13 1
 x_0_15 head_row_0_1_12_13 1
 x_0_15 head_row_0_2_13_13 1
 x_0_15 head_row_0_1_13_13 1
 x_0_15 head_row_0_2_14_13 1
 x_0_15 head_row_0_1_14_13 1
 x_0_15 family_43 1
 x_0_15 family_44 1
 x_1_2 obj 47.721804579021196
 x_1_2 family_3 1
 x_1_2 family_4 1
 x_1_3 obj 14.58581684559065
 x_1_3 tail_row_3_1_0 1
 x_1_3 family_6 1
 x_1_3 family_7 1
 x_2_3 obj 637.4215244392766
 x_2_3 tail_row_3_1_1 1
 x_2_3 family_6 1
 x_2_3 family_7 1
 x_1_4 obj 21.300425520726076
 x_1_4 tail_row_4_2_0 1
 x_1_4 family_9 1
 x_1_4 family_10 1
 x_2_4 obj 171.13351856206373
 x_2_4 tail_row_4_2_1 1
 x_2_4 family_9 1
 x_2_4 family_10 1
 x_3_4 obj 177.66507615229742
 x_3_4 tail_row_4_2_2 1
 x_3_4 family_9 1
 x_3_4 family_10 1
 x_1_5 obj 6.202590004937952
 x_1_5 tail_row_5_3_0 1
 x_1_5 family_12 1
 x_1_5 family_13 1
 x_2_5 obj 458.80314995037673
 x_2_5 tail_row_5_3_1 1
 x_2_5 family_12 1
 x_2_5 family_13 1
 x_3_5 obj 34.97038165167888
 x_3_5 tail_row_5_3_2 1
 x_3_5 family_12 1
 x_3_5 family_13 1
 x_4_5 obj 2958.2464957291413
 x_4_5 tail_row_5_3_3 1
 x_4_5 family_12 1
 x_4_5 family_13 1
 x_1_6 obj 18.47688817341699
 x_1_6 tail_row_6_4_0 1
 x_1_6 family_15 1
 x_1_6 family_16 1
 x_2_6 obj 432.1922578022675
 x_2_6 tail_row_6_4_1 1
 x_2_6 family_15 1
 x_2_6 family_16 1
 x_3_6 obj 114.44950604255627
 x_3_6 tail_row_6_4_2 1
 x_3_6 family_15 1
 x_3_6 family_16 1
 x_4_6 obj 867.7220428295668
 x_4_6 tail_row_6_4_3 1
 x_4_6 family_15 1
 x_4_6 family_16 1
 x_5_6 obj 2958.2464957291413
 x_5_6 tail_row_6_4_4 1
 x_5_6 family_15 1
 x_5_6 family_16 1
 x_1_7 obj 14.58581684559065
 x_1_7 tail_row_7_5_0 1
 x_1_7 family_18 1
 x_1_7 family_19 1
 x_2_7 obj 60.04323105556353
 x_2_7 tail_row_7_5_1 1
 x_2_7 family_18 1
 x_2_7 family_19 1
 x_3_7 obj 24.809881301977978
 x_3_7 tail_row_7_5_2 1
 x_3_7 family_18 1
 x_3_7 family_19 1
 x_4_7 obj 1542.8764423489608
 x_4_7 tail_row_7_5_3 1
 x_4_7 family_18 1
 x_4_7 family_19 1
 x_5_7 obj 143.30246255633875
 x_5_7 tail_row_7_5_4 1
 x_5_7 family_18 1
 x_5_7 family_19 1
 x_6_7 obj 143.30246255633875
 x_6_7 tail_row_7_5_5 1
 x_6_7 family_18 1
 x_6_7 family_19 1
 x_1_8 obj 8.47395120106553
 x_1_8 tail_row_8_6_0 1
 x_1_8 family_21 1
 x_1_8 family_22 1
 x_2_8 obj 93.49122589315549
 x_2_8 tail_row_8_6_1 1
 x_2_8 family_21 1
 x_2_8 family_22 1
 x_3_8 obj 15.983082949068894
 x_3_8 tail_row_8_6_2 1
 x_3_8 family_21 1
 x_3_8 family_22 1
 x_4_8 obj 42.529897753785825
 x_4_8 tail_row_8_6_3 1
 x_4_8 family_21 1
 x_4_8 family_22 1
 x_5_8 obj 88.5537869608766
 x_5_8 tail_row_8_6_4 1
 x_5_8 family_21 1
 x_5_8 family_22 1
 x_6_8 obj 177.66507615229742
 x_6_8 tail_row_8_6_5 1
 x_6_8 family_21 1
 x_6_8 family_22 1
 x_7_8 obj 159.10446078703572
 x_7_8 tail_row_8_6_6 1
 x_7_8 family_21 1
 x_7_8 family_22 1
 x_1_9 obj 11.098466180215077
 x_1_9 tail_row_9_7_0 1
 x_1_9 family_24 1
 x_1_9 family_25 1
 x_2_9 obj 57.47408304682431
 x_2_9 tail_row_9_7_1 1
 x_2_9 family_24 1
 x_2_9 family_25 1
 x_3_9 obj 13.953392520665535
 x_3_9 tail_row_9_7_2 1
 x_3_9 family_24 1
 x_3_9 family_25 1
 x_4_9 obj 345.926604020574
 x_4_9 tail_row_9_7_3 1
 x_4_9 family_24 1
 x_4_9 family_25 1
 x_5_9 obj 33.81265569683277
 x_5_9 tail_row_9_7_4 1
 x_5_9 family_24 1
 x_5_9 family_25 1
 x_6_9 obj 38.819930767434435
 x_6_9 tail_row_9_7_5 1
 x_6_9 family_24 1
 x_6_9 family_25 1
 x_7_9 obj 685.5374957993836
 x_7_9 tail_row_9_7_6 1
 x_7_9 family_24 1
 x_7_9 family_25 1
 x_8_9 obj 3471.8888440768465
 x_8_9 tail_row_9_7_7 1
 x_8_9 family_24 1
 x_8_9 family_25 1
 x_1_10 obj 5.749148298516052
 x_1_10 tail_row_10_8_0 1
 x_1_10 family_27 1
 x_1_10 family_28 1
 x_2_10 obj 18.94756646916641
 x_2_10 tail_row_10_8_1 1
 x_2_10 family_27 1
 x_2_10 family_28 1
 x_3_10 obj 18.023210074443426
 x_3_10 tail_row_10_8_2 1
 x_3_10 family_27 1
 x_3_10 family_28 1
 x_4_10 obj 24.111123330975275
 x_4_10 tail_row_10_8_3 1
 x_4_10 family_27 1
 x_4_10 family_28 1
 x_5_10 obj 60.04323105556353
 x_5_10 tail_row_10_8_4 1
 x_5_10 family_27 1
 x_5_10 family_28 1
 x_6_10 obj 121.73569503177445
 x_6_10 tail_row_10_8_5 1
 x_6_10 family_27 1
 x_6_10 family_28 1
 x_7_10 obj 129.73830289940656
 x_7_10 tail_row_10_8_6 1
 x_7_10 family_27 1
 x_7_10 family_28 1
 x_8_10 obj 216.6798356604493
 x_8_10 tail_row_10_8_7 1
 x_8_10 family_27 1
 x_8_10 family_28 1
 x_9_10 obj 270.08253075064556
 x_9_10 tail_row_10_8_8 1
 x_9_10 family_27 1
 x_9_10 family_28 1
 x_1_11 obj 5.114307923181825
 x_1_11 tail_row_11_9_0 1
 x_1_11 family_30 1
 x_1_11 family_31 1
 x_2_11 obj 11.550133924240178
 x_2_11 tail_row_11_9_1 1
 x_2_11 family_30 1
 x_2_11 family_31 1
 x_3_11 obj 12.669183260027665
 x_3_11 tail_row_11_9_2 1
 x_3_11 family_30 1
 x_3_11 family_31 1
 x_4_11 obj 40.98512887249368
 x_4_11 tail_row_11_9_3 1
 x_4_11 family_30 1
 x_4_11 family_31 1
 x_5_11 obj 12.028981352665808
 x_5_11 tail_row_11_9_4 1
 x_5_11 family_30 1
 x_5_11 family_31 1
 x_6_11 obj 43.33496304543545
 x_6_11 tail_row_11_9_5 1
 x_6_11 family_30 1
 x_6_11 family_31 1
 x_7_11 obj 77.78965143931097
 x_7_11 tail_row_11_9_6 1
 x_7_11 family_30 1
 x_7_11 family_31 1
 x_8_11 obj 283.1128280728292
 x_8_11 tail_row_11_9_7 1
 x_8_11 family_30 1
 x_8_11 family_31 1
 x_9_11 obj 79.78006822533129
 x_9_11 tail_row_11_9_8 1
 x_9_11 family_30 1
 x_9_11 family_31 1
 x_10_11 obj 121.73569503177445
 x_10_11 tail_row_11_9_9 1
 x_10_11 family_30 1
 x_10_11 family_31 1
 x_1_12 obj 4.214768279837912
 x_1_12 tail_row_12_10_0 1
 x_1_12 family_33 1
 x_1_12 family_34 1
 x_2_12 obj 8.77904957856984
 x_2_12 tail_row_12_10_1 1
 x_2_12 family_33 1
 x_2_12 family_34 1
 x_3_12 obj 5.077898222851077
 x_3_12 tail_row_12_10_2 1
 x_3_12 family_33 1
 x_3_12 family_34 1
 x_4_12 obj 12.80315861328758
 x_4_12 tail_row_12_10_3 1
 x_4_12 family_33 1
 x_4_12 family_34 1
 x_5_12 obj 11.906603150017965
 x_5_12 tail_row_12_10_4 1
 x_5_12 family_33 1
 x_5_12 family_34 1
 x_6_12 obj 11.786025867877216
 x_6_12 tail_row_12_10_5 1
 x_6_12 family_33 1
 x_6_12 family_34 1
 x_7_12 obj 17.372810256947744
 x_7_12 tail_row_12_10_6 1
 x_7_12 family_33 1
 x_7_12 family_34 1
 x_8_12 obj 39.52236393346098
 x_8_12 tail_row_12_10_7 1
 x_8_12 family_33 1
 x_8_12 family_34 1
 x_9_12 obj 38.819930767434435
 x_9_12 tail_row_12_10_8 1
 x_9_12 family_33 1
 x_9_12 family_34 1
 x_10_12 obj 31.66165855019543
 x_10_12 tail_row_12_10_9 1
 x_10_12 family_33 1
 x_10_12 family_34 1
 x_11_12 obj 283.1128280728292
 x_11_12 tail_row_12_10_10 1
 x_11_12 family_33 1
 x_11_12 family_34 1
 x_1_13 obj 3.697703935923715
 x_1_13 tail_row_13_11_0 1
 x_1_13 family_36 1
 x_1_13 family_37 1
 x_2_13 obj 16.55794445493234
 x_2_13 tail_row_13_11_1 1
 x_2_13 family_36 1
 x_2_13 family_37 1
 x_3_13 obj 4.418261680402792
 x_3_13 tail_row_13_11_2 1
 x_3_13 family_36 1
 x_3_13 family_37 1
 x_4_13 obj 16.55794445493234
 x_4_13 tail_row_13_11_3 1
 x_4_13 family_36 1
 x_4_13 family_37 1
 x_5_13 obj 5.706369695473646
 x_5_13 tail_row_13_11_4 1
 x_5_13 family_36 1
 x_5_13 family_37 1
 x_6_13 obj 8.701317686178667
 x_6_13 tail_row_13_11_5 1
 x_6_13 family_36 1
 x_6_13 family_37 1
 x_7_13 obj 5.006136301115244
 x_7_13 tail_row_13_11_6 1
 x_7_13 family_36 1
 x_7_13 family_37 1
 x_8_13 obj 5.749148298516052
 x_8_13 tail_row_13_11_7 1
 x_8_13 family_36 1
 x_8_13 family_37 1
 x_9_13 obj 10.171403801852444
 x_9_13 tail_row_13_11_8 1
 x_9_13 family_36 1
 x_9_13 family_37 1
 x_10_13 obj 35.57143999078137
 x_10_13 tail_row_13_11_9 1
 x_10_13 family_36 1
 x_10_13 family_37 1
 x_11_13 obj 23.772607569294127
 x_11_13 tail_row_13_11_10 1
 x_11_13 family_36 1
 x_11_13 family_37 1
 x_12_13 obj 83.99605457740638
 x_12_13 tail_row_13_11_11 1
 x_12_13 family_36 1
 x_12_13 family_37 1
 x_1_14 obj 3.2397492499007097
 x_1_14 tail_row_14_12_0 1
 x_1_14 family_39 1
 x_1_14 family_40 1
 x_2_14 obj 5.706369695473646
 x_2_14 tail_row_14_12_1 1
 x_2_14 family_39 1
 x_2_14 family_40 1
 x_3_14 obj 5.340472983063458
 x_3_14 tail_row_14_12_2 1
 x_3_14 family_39 1
 x_3_14 family_40 1
 x_4_14 obj 14.91784878203568
 x_4_14 tail_row_14_12_3 1
 x_4_14 family_39 1
 x_4_14 family_40 1
 x_5_14 obj 4.243061605749779
 x_5_14 tail_row_14_12_4 1
 x_5_14 family_39 1
 x_5_14 family_40 1
 x_6_14 obj 8.624568317382762
 x_6_14 tail_row_14_12_5 1
 x_6_14 family_39 1
 x_6_14 family_40 1
 x_7_14 obj 6.155044631976242
 x_7_14 tail_row_14_12_6 1
 x_7_14 family_39 1
 x_7_14 family_40 1
 x_8_14 obj 10.98955467400969
 x_8_14 tail_row_14_12_7 1
 x_8_14 family_39 1
 x_8_14 family_40 1
 x_9_14 obj 14.26448322908689
 x_9_14 tail_row_14_12_8 1
 x_9_14 family_39 1
 x_9_14 family_40 1
 x_10_14 obj 11.906603150017965
 x_10_14 tail_row_14_12_9 1
 x_10_14 family_39 1
 x_10_14 family_40 1
 x_11_14 obj 12.153196608679703
 x_11_14 tail_row_14_12_10 1
 x_11_14 family_39 1
 x_11_14 family_40 1
 x_12_14 obj 43.33496304543545
 x_12_14 tail_row_14_12_11 1
 x_12_14 family_39 1
 x_12_14 family_40 1
 x_13_14 obj 81.84752658007429
 x_13_14 tail_row_14_12_12 1
 x_13_14 family_39 1
 x_13_14 family_40 1
 x_1_15 obj 3.1999651658855313
 x_1_15 tail_row_15_13_0 1
 x_1_15 family_42 1
 x_1_15 family_43 1
 x_2_15 obj 4.448399006590732
 x_2_15 tail_row_15_13_1 1
 x_2_15 family_42 1
 x_2_15 family_43 1
 x_3_15 obj 3.8436385668918382
 x_3_15 tail_row_15_13_2 1
 x_3_15 family_42 1
 x_3_15 family_43 1
 x_4_15 obj 6.250650855948958
 x_4_15 tail_row_15_13_3 1
 x_4_15 family_42 1
 x_4_15 family_43 1
 x_5_15 obj 4.798983092142361
 x_5_15 tail_row_15_13_4 1
 x_5_15 family_42 1
 x_5_15 family_43 1
 x_6_15 obj 5.151076427942914
 x_6_15 tail_row_15_13_5 1
 x_6_15 family_42 1
 x_6_15 family_43 1
 x_7_15 obj 6.654633407737488
 x_7_15 tail_row_15_13_6 1
 x_7_15 family_42 1
 x_7_15 family_43 1
 x_8_15 obj 14.26448322908689
 x_8_15 tail_row_15_13_7 1
 x_8_15 family_42 1
 x_8_15 family_43 1
 x_9_15 obj 7.840669103276255
 x_9_15 tail_row_15_13_8 1
 x_9_15 family_42 1
 x_9_15 family_43 1
 x_10_15 obj 14.42384179060855
 x_10_15 tail_row_15_13_9 1
 x_10_15 family_42 1
 x_10_15 family_43 1
 x_11_15 obj 8.857780924958924
 x_11_15 tail_row_15_13_10 1
 x_11_15 family_42 1
 x_11_15 family_43 1
 x_12_15 obj 53.91722134118345
 x_12_15 tail_row_15_13_11 1
 x_12_15 family_42 1
 x_12_15 family_43 1
 x_13_15 obj 26.300285444744137
 x_13_15 tail_row_15_13_12 1
 x_13_15 family_42 1
 x_13_15 family_43 1
 x_14_15 obj 67.26844373517235
 x_14_15 tail_row_15_13_13 1
 x_14_15 family_42 1
 x_14_15 family_43 1
 head_level_0_2_1 head_row_0_2_1_0 -1
 head_level_0_2_1 head_row_0_2_1_1 -1
 head_level_0_2_1 head_row_0_2_1_2 -1
 head_level_0_2_1 head_row_0_2_1_3 -1
 head_level_0_2_1 head_row_0_2_1_4 -1
 head_level_0_2_1 head_row_0_2_1_5 -1
 head_level_0_2_1 head_row_0_2_1_6 -1
 head_level_0_2_1 head_row_0_2_1_7 -1
 head_level_0_2_1 head_row_0_2_1_8 -1
 head_level_0_2_1 head_row_0_2_1_9 -1
 head_level_0_2_1 head_row_0_2_1_10 -1
 head_level_0_2_1 head_row_0_2_1_11 -1
 head_level_0_2_1 head_row_0_2_1_12 -1
 head_level_0_2_1 head_row_0_2_1_13 -1
 head_level_0_2_1 family_0 2
 head_short_0_2_1_0 head_row_0_2_1_0 1
 head_short_0_2_1_0 family_0 -1
 head_short_0_2_1_1 head_row_0_2_1_1 1
 head_short_0_2_1_1 family_0 -1
 head_short_0_2_1_2 head_row_0_2_1_2 1
 head_short_0_2_1_2 family_0 -1
 head_short_0_2_1_3 head_row_0_2_1_3 1
 head_short_0_2_1_3 family_0 -1
 head_short_0_2_1_4 head_row_0_2_1_4 1
 head_short_0_2_1_4 family_0 -1
 head_short_0_2_1_5 head_row_0_2_1_5 1
 head_short_0_2_1_5 family_0 -1
 head_short_0_2_1_6 head_row_0_2_1_6 1
 head_short_0_2_1_6 family_0 -1
 head_short_0_2_1_7 head_row_0_2_1_7 1
 head_short_0_2_1_7 family_0 -1
 head_short_0_2_1_8 head_row_0_2_1_8 1
 head_short_0_2_1_8 family_0 -1
 head_short_0_2_1_9 head_row_0_2_1_9 1
 head_short_0_2_1_9 family_0 -1
 head_short_0_2_1_10 head_row_0_2_1_10 1
 head_short_0_2_1_10 family_0 -1
 head_short_0_2_1_11 head_row_0_2_1_11 1
 head_short_0_2_1_11 family_0 -1
 head_short_0_2_1_12 head_row_0_2_1_12 1
 head_short_0_2_1_12 family_0 -1
 head_short_0_2_1_13 head_row_0_2_1_13 1
 head_short_0_2_1_13 family_0 -1
 head_level_0_1_1 head_row_0_1_1_0 -1
 head_level_0_1_1 head_row_0_1_1_1 -1
 head_level_0_1_1 head_row_0_1_1_2 -1
 head_level_0_1_1 head_row_0_1_1_3 -1
 head_level_0_1_1 head_row_0_1_1_4 -1
 head_level_0_1_1 head_row_0_1_1_5 -1
 head_level_0_1_1 head_row_0_1_1_6 -1
 head_level_0_1_1 head_row_0_1_1_7 -1
 head_level_0_1_1 head_row_0_1_1_8 -1
 head_level_0_1_1 head_row_0_1_1_9 -1
 head_level_0_1_1 head_row_0_1_1_10 -1
 head_level_0_1_1 head_row_0_1_1_11 -1
 head_level_0_1_1 head_row_0_1_1_12 -1
 head_level_0_1_1 head_row_0_1_1_13 -1
 head_level_0_1_1 family_2 1
 head_short_0_1_1_0 head_row_0_1_1_0 1
 head_short_0_1_1_0 family_2 -1
 head_short_0_1_1_1 head_row_0_1_1_1 1
 head_short_0_1_1_1 family_2 -1
 head_short_0_1_1_2 head_row_0_1_1_2 1
 head_short_0_1_1_2 family_2 -1
 head_short_0_1_1_3 head_row_0_1_1_3 1
 head_short_0_1_1_3 family_2 -1
 head_short_0_1_1_4 head_row_0_1_1_4 1
 head_short_0_1_1_4 family_2 -1
 head_short_0_1_1_5 head_row_0_1_1_5 1
 head_short_0_1_1_5 family_2 -1
 head_short_0_1_1_6 head_row_0_1_1_6 1
 head_short_0_1_1_6 family_2 -1
 head_short_0_1_1_7 head_row_0_1_1_7 1
 head_short_0_1_1_7 family_2 -1
 head_short_0_1_1_8 head_row_0_1_1_8 1
 head_short_0_1_1_8 family_2 -1
 head_short_0_1_1_9 head_row_0_1_1_9 1
 head_short_0_1_1_9 family_2 -1
 head_short_0_1_1_10 head_row_0_1_1_10 1
 head_short_0_1_1_10 family_2 -1
 head_short_0_1_1_11 head_row_0_1_1_11 1
 head_short_0_1_1_11 family_2 -1
 head_short_0_1_1_12 head_row_0_1_1_12 1
 head_short_0_1_1_12 family_2 -1
 head_short_0_1_1_13 head_row_0_1_1_13 1
 head_short_0_1_1_13 family_2 -1
 head_level_0_2_2 head_row_0_2_2_0 -1
 head_level_0_2_2 head_row_0_2_2_1 -1
 head_level_0_2_2 head_row_0_2_2_2 -1
 head_level_0_2_2 head_row_0_2_2_3 -1
 head_level_0_2_2 head_row_0_2_2_4 -1
 head_level_0_2_2 head_row_0_2_2_5 -1
 head_level_0_2_2 head_row_0_2_2_6 -1
 head_level_0_2_2 head_row_0_2_2_7 -1
 head_level_0_2_2 head_row_0_2_2_8 -1
 head_level_0_2_2 head_row_0_2_2_9 -1
 head_level_0_2_2 head_row_0_2_2_10 -1
 head_level_0_2_2 head_row_0_2_2_11 -1
 head_level_0_2_2 head_row_0_2_2_12 -1
 head_level_0_2_2 head_row_0_2_2_13 -1
 head_level_0_2_2 family_3 2
 head_short_0_2_2_0 head_row_0_2_2_0 1
 head_short_0_2_2_0 family_3 -1
 head_short_0_2_2_1 head_row_0_2_2_1 1
 head_short_0_2_2_1 family_3 -1
 head_short_0_2_2_2 head_row_0_2_2_2 1
 head_short_0_2_2_2 family_3 -1
 head_short_0_2_2_3 head_row_0_2_2_3 1
 head_short_0_2_2_3 family_3 -1
 head_short_0_2_2_4 head_row_0_2_2_4 1
 head_short_0_2_2_4 family_3 -1
 head_short_0_2_2_5 head_row_0_2_2_5 1
 head_short_0_2_2_5 family_3 -1
 head_short_0_2_2_6 head_row_0_2_2_6 1
 head_short_0_2_2_6 family_3 -1
 head_short_0_2_2_7 head_row_0_2_2_7 1
 head_short_0_2_2_7 family_3 -1
 head_short_0_2_2_8 head_row_0_2_2_8 1
 head_short_0_2_2_8 family_3 -1
 head_short_0_2_2_9 head_row_0_2_2_9 1
 head_short_0_2_2_9 family_3 -1
 head_short_0_2_2_10 head_row_0_2_2_10 1
 head_short_0_2_2_10 family_3 -1
 head_short_0_2_2_11 head_row_0_2_2_11 1
 head_short_0_2_2_11 family_3 -1
 head_short_0_2_2_12 head_row_0_2_2_12 1
 head_short_0_2_2_12 family_3 -1
 head_short_0_2_2_13 head_row_0_2_2_13 1
 head_short_0_2_2_13 family_3 -1
 head_level_0_1_2 head_row_0_1_2_0 -1
 head_level_0_1_2 head_row_0_1_2_1 -1
 head_level_0_1_2 head_row_0_1_2_2 -1
 head_level_0_1_2 head_row_0_1_2_3 -1
 head_level_0_1_2 head_row_0_1_2_4 -1
 head_level_0_1_2 head_row_0_1_2_5 -1
 head_level_0_1_2 head_row_0_1_2_6 -1
 head_level_0_1_2 head_row_0_1_2_7 -1
 head_level_0_1_2 head_row_0_1_2_8 -1
 head_level_0_1_2 head_row_0_1_2_9 -1
 head_level_0_1_2 head_row_0_1_2_10 -1
 head_level_0_1_2 head_row_0_1_2_11 -1
 head_level_0_1_2 head_row_0_1_2_12 -1
 head_level_0_1_2 head_row_0_1_2_13 -1
 head_level_0_1_2 family_5 1
 head_short_0_1_2_0 head_row_0_1_2_0 1
 head_short_0_1_2_0 family_5 -1
 head_short_0_1_2_1 head_row_0_1_2_1 1
 head_short_0_1_2_1 family_5 -1
 head_short_0_1_2_2 head_row_0_1_2_2 1
 head_short_0_1_2_2 family_5 -1
 head_short_0_1_2_3 head_row_0_1_2_3 1
 head_short_0_1_2_3 family_5 -1
 head_short_0_1_2_4 head_row_0_1_2_4 1
 head_short_0_1_2_4 family_5 -1
 head_short_0_1_2_5 head_row_0_1_2_5 1
 head_short_0_1_2_5 family_5 -1
 head_short_0_1_2_6 head_row_0_1_2_6 1
 head_short_0_1_2_6 family_5 -1
 head_short_0_1_2_7 head_row_0_1_2_7 1
 head_short_0_1_2_7 family_5 -1
 head_short_0_1_2_8 head_row_0_1_2_8 1
 head_short_0_1_2_8 family_5 -1
 head_short_0_1_2_9 head_row_0_1_2_9 1
 head_short_0_1_2_9 family_5 -1
 head_short_0_1_2_10 head_row_0_1_2_10 1
 head_short_0_1_2_10 family_5 -1
 head_short_0_1_2_11 head_row_0_1_2_11 1
 head_short_0_1_2_11 family_5 -1
 head_short_0_1_2_12 head_row_0_1_2_12 1
 head_short_0_1_2_12 family_5 -1
 head_short_0_1_2_13 head_row_0_1_2_13 1
 head_short_0_1_2_13 family_5 -1
 head_level_0_2_3 head_row_0_2_3_0 -1
 head_level_0_2_3 head_row_0_2_3_1 -1
 head_level_0_2_3 head_row_0_2_3_2 -1
 head_level_0_2_3 head_row_0_2_3_3 -1
 head_level_0_2_3 head_row_0_2_3_4 -1
 head_level_0_2_3 head_row_0_2_3_5 -1
 head_level_0_2_3 head_row_0_2_3_6 -1
 head_level_0_2_3 head_row_0_2_3_7 -1
 head_level_0_2_3 head_row_0_2_3_8 -1
 head_level_0_2_3 head_row_0_2_3_9 -1
 head_level_0_2_3 head_row_0_2_3_10 -1
 head_level_0_2_3 head_row_0_2_3_11 -1
 head_level_0_2_3 head_row_0_2_3_12 -1
 head_level_0_2_3 head_row_0_2_3_13 -1
 head_level_0_2_3 family_6 2
 head_short_0_2_3_0 head_row_0_2_3_0 1
 head_short_0_2_3_0 family_6 -1
 head_short_0_2_3_1 head_row_0_2_3_1 1
 head_short_0_2_3_1 family_6 -1
 head_short_0_2_3_2 head_row_0_2_3_2 1
 head_short_0_2_3_2 family_6 -1
 head_short_0_2_3_3 head_row_0_2_3_3 1
 head_short_0_2_3_3 family_6 -1
 head_short_0_2_3_4 head_row_0_2_3_4 1
 head_short_0_2_3_4 family_6 -1
 head_short_0_2_3_5 head_row_0_2_3_5 1
 head_short_0_2_3_5 family_6 -1
 head_short_0_2_3_6 head_row_0_2_3_6 1
 head_short_0_2_3_6 family_6 -1
 head_short_0_2_3_7 head_row_0_2_3_7 1
 head_short_0_2_3_7 family_6 -1
 head_short_0_2_3_8 head_row_0_2_3_8 1
 head_short_0_2_3_8 family_6 -1
 head_short_0_2_3_9 head_row_0_2_3_9 1
 head_short_0_2_3_9 family_6 -1
 head_short_0_2_3_10 head_row_0_2_3_10 1
 head_short_0_2_3_10 family_6 -1
 head_short_0_2_3_11 head_row_0_2_3_11 1
 head_short_0_2_3_11 family_6 -1
 head_short_0_2_3_12 head_row_0_2_3_12 1
 head_short_0_2_3_12 family_6 -1
 head_short_0_2_3_13 head_row_0_2_3_13 1
 head_short_0_2_3_13 family_6 -1
 head_level_0_1_3 head_row_0_1_3_0 -1
 head_level_0_1_3 head_row_0_1_3_1 -1
 head_level_0_1_3 head_row_0_1_3_2 -1
 head_level_0_1_3 head_row_0_1_3_3 -1
 head_level_0_1_3 head_row_0_1_3_4 -1
 head_level_0_1_3 head_row_0_1_3_5 -1
 head_level_0_1_3 head_row_0_1_3_6 -1
 head_level_0_1_3 head_row_0_1_3_7 -1
 head_level_0_1_3 head_row_0_1_3_8 -1
 head_level_0_1_3 head_row_0_1_3_9 -1
 head_level_0_1_3 head_row_0_1_3_10 -1
 head_level_0_1_3 head_row_0_1_3_11 -1
 head_level_0_1_3 head_row_0_1_3_12 -1
 head_level_0_1_3 head_row_0_1_3_13 -1
 head_level_0_1_3 family_8 1
 head_short_0_1_3_0 head_row_0_1_3_0 1
 head_short_0_1_3_0 family_8 -1
 head_short_0_1_3_1 head_row_0_1_3_1 1
 head_short_0_1_3_1 family_8 -1
 head_short_0_1_3_2 head_row_0_1_3_2 1
 head_short_0_1_3_2 family_8 -1
 head_short_0_1_3_3 head_row_0_1_3_3 1
 head_short_0_1_3_3 family_8 -1
 head_short_0_1_3_4 head_row_0_1_3_4 1
 head_short_0_1_3_4 family_8 -1
 head_short_0_1_3_5 head_row_0_1_3_5 1
 head_short_0_1_3_5 family_8 -1
 head_short_0_1_3_6 head_row_0_1_3_6 1
 head_short_0_1_3_6 family_8 -1
 head_short_0_1_3_7 head_row_0_1_3_7 1
 head_short_0_1_3_7 family_8 -1
 head_short_0_1_3_8 head_row_0_1_3_8 1
 head_short_0_1_3_8 family_8 -1
 head_short_0_1_3_9 head_row_0_1_3_9 1
 head_short_0_1_3_9 family_8 -1
 head_short_0_1_3_10 head_row_0_1_3_10 1
 head_short_0_1_3_10 family_8 -1
 head_short_0_1_3_11 head_row_0_1_3_11 1
 head_short_0_1_3_11 family_8 -1
 head_short_0_1_3_12 head_row_0_1_3_12 1
 head_short_0_1_3_12 family_8 -1
 head_short_0_1_3_13 head_row_0_1_3_13 1
 head_short_0_1_3_13 family_8 -1
 tail_level_3_1 tail_row_3_1_0 -1
 tail_level_3_1 tail_row_3_1_1 -1
 tail_level_3_1 family_8 1
 tail_short_3_1_0 tail_row_3_1_0 1
 tail_short_3_1_0 family_8 -1
 tail_short_3_1_1 tail_row_3_1_1 1
 tail_short_3_1_1 family_8 -1
 head_level_0_2_4 head_row_0_2_4_0 -1
 head_level_0_2_4 head_row_0_2_4_1 -1
 head_level_0_2_4 head_row_0_2_4_2 -1
 head_level_0_2_4 head_row_0_2_4_3 -1
 head_level_0_2_4 head_row_0_2_4_4 -1
 head_level_0_2_4 head_row_0_2_4_5 -1
 head_level_0_2_4 head_row_0_2_4_6 -1
 head_level_0_2_4 head_row_0_2_4_7 -1
 head_level_0_2_4 head_row_0_2_4_8 -1
 head_level_0_2_4 head_row_0_2_4_9 -1
 head_level_0_2_4 head_row_0_2_4_10 -1
 head_level_0_2_4 head_row_0_2_4_11 -1
 head_level_0_2_4 head_row_0_2_4_12 -1
 head_level_0_2_4 head_row_0_2_4_13 -1
 head_level_0_2_4 family_9 2
 head_short_0_2_4_0 head_row_0_2_4_0 1
 head_short_0_2_4_0 family_9 -1
 head_short_0_2_4_1 head_row_0_2_4_1 1
 head_short_0_2_4_1 family_9 -1
 head_short_0_2_4_2 head_row_0_2_4_2 1
 head_short_0_2_4_2 family_9 -1
 head_short_0_2_4_3 head_row_0_2_4_3 1
 head_short_0_2_4_3 family_9 -1
 head_short_0_2_4_4 head_row_0_2_4_4 1
 head_short_0_2_4_4 family_9 -1
 head_short_0_2_4_5 head_row_0_2_4_5 1
 head_short_0_2_4_5 family_9 -1
 head_short_0_2_4_6 head_row_0_2_4_6 1
 head_short_0_2_4_6 family_9 -1
 head_short_0_2_4_7 head_row_0_2_4_7 1
 head_short_0_2_4_7 family_9 -1
 head_short_0_2_4_8 head_row_0_2_4_8 1
 head_short_0_2_4_8 family_9 -1
 head_short_0_2_4_9 head_row_0_2_4_9 1
 head_short_0_2_4_9 family_9 -1
 head_short_0_2_4_10 head_row_0_2_4_10 1
 head_short_0_2_4_10 family_9 -1
 head_short_0_2_4_11 head_row_0_2_4_11 1
 head_short_0_2_4_11 family_9 -1
 head_short_0_2_4_12 head_row_0_2_4_12 1
 head_short_0_2_4_12 family_9 -1
 head_short_0_2_4_13 head_row_0_2_4_13 1
 head_short_0_2_4_13 family_9 -1
 head_level_0_1_4 head_row_0_1_4_0 -1
 head_level_0_1_4 head_row_0_1_4_1 -1
 head_level_0_1_4 head_row_0_1_4_2 -1
 head_level_0_1_4 head_row_0_1_4_3 -1
 head_level_0_1_4 head_row_0_1_4_4 -1
 head_level_0_1_4 head_row_0_1_4_5 -1
 head_level_0_1_4 head_row_0_1_4_6 -1
 head_level_0_1_4 head_row_0_1_4_7 -1
 head_level_0_1_4 head_row_0_1_4_8 -1
 head_level_0_1_4 head_row_0_1_4_9 -1
 head_level_0_1_4 head_row_0_1_4_10 -1
 head_level_0_1_4 head_row_0_1_4_11 -1
 head_level_0_1_4 head_row_0_1_4_12 -1
 head_level_0_1_4 head_row_0_1_4_13 -1
 head_level_0_1_4 family_11 1
 head_short_0_1_4_0 head_row_0_1_4_0 1
 head_short_0_1_4_0 family_11 -1
 head_short_0_1_4_1 head_row_0_1_4_1 1
 head_short_0_1_4_1 family_11 -1
 head_short_0_1_4_2 head_row_0_1_4_2 1
 head_short_0_1_4_2 family_11 -1
 head_short_0_1_4_3 head_row_0_1_4_3 1
 head_short_0_1_4_3 family_11 -1
 head_short_0_1_4_4 head_row_0_1_4_4 1
 head_short_0_1_4_4 family_11 -1
 head_short_0_1_4_5 head_row_0_1_4_5 1
 head_short_0_1_4_5 family_11 -1
 head_short_0_1_4_6 head_row_0_1_4_6 1
 head_short_0_1_4_6 family_11 -1
 head_short_0_1_4_7 head_row_0_1_4_7 1
 head_short_0_1_4_7 family_11 -1
 head_short_0_1_4_8 head_row_0_1_4_8 1
 head_short_0_1_4_8 family_11 -1
 head_short_0_1_4_9 head_row_0_1_4_9 1
 head_short_0_1_4_9 family_11 -1
 head_short_0_1_4_10 head_row_0_1_4_10 1
 head_short_0_1_4_10 family_11 -1
 head_short_0_1_4_11 head_row_0_1_4_11 1
 head_short_0_1_4_11 family_11 -1
 head_short_0_1_4_12 head_row_0_1_4_12 1
 head_short_0_1_4_12 family_11 -1
 head_short_0_1_4_13 head_row_0_1_4_13 1
 head_short_0_1_4_13 family_11 -1
 tail_level_4_2 tail_row_4_2_0 -1
 tail_level_4_2 tail_row_4_2_1 -1
 tail_level_4_2 tail_row_4_2_2 -1
 tail_level_4_2 family_11 2
 tail_short_4_2_0 tail_row_4_2_0 1
 tail_short_4_2_0 family_11 -1
 tail_short_4_2_1 tail_row_4_2_1 1
 tail_short_4_2_1 family_11 -1
 tail_short_4_2_2 tail_row_4_2_2 1
 tail_short_4_2_2 family_11 -1
 head_level_0_2_5 head_row_0_2_5_0 -1
 head_level_0_2_5 head_row_0_2_5_1 -1
 head_level_0_2_5 head_row_0_2_5_2 -1
 head_level_0_2_5 head_row_0_2_5_3 -1
 head_level_0_2_5 head_row_0_2_5_4 -1
 head_level_0_2_5 head_row_0_2_5_5 -1
 head_level_0_2_5 head_row_0_2_5_6 -1
 head_level_0_2_5 head_row_0_2_5_7 -1
 head_level_0_2_5 head_row_0_2_5_8 -1
 head_level_0_2_5 head_row_0_2_5_9 -1
 head_level_0_2_5 head_row_0_2_5_10 -1
 head_level_0_2_5 head_row_0_2_5_11 -1
 head_level_0_2_5 head_row_0_2_5_12 -1
 head_level_0_2_5 head_row_0_2_5_13 -1
 head_level_0_2_5 family_12 2
 head_short_0_2_5_0 head_row_0_2_5_0 1
 head_short_0_2_5_0 family_12 -1
 head_short_0_2_5_1 head_row_0_2_5_1 1
 head_short_0_2_5_1 family_12 -1
 head_short_0_2_5_2 head_row_0_2_5_2 1
 head_short_0_2_5_2 family_12 -1
 head_short_0_2_5_3 head_row_0_2_5_3 1
 head_short_0_2_5_3 family_12 -1
 head_short_0_2_5_4 head_row_0_2_5_4 1
 head_short_0_2_5_4 family_12 -1
 head_short_0_2_5_5 head_row_0_2_5_5 1
 head_short_0_2_5_5 family_12 -1
 head_short_0_2_5_6 head_row_0_2_5_6 1
 head_short_0_2_5_6 family_12 -1
 head_short_0_2_5_7 head_row_0_2_5_7 1
 head_short_0_2_5_7 family_12 -1
 head_short_0_2_5_8 head_row_0_2_5_8 1
 head_short_0_2_5_8 family_12 -1
 head_short_0_2_5_9 head_row_0_2_5_9 1
 head_short_0_2_5_9 family_12 -1
 head_short_0_2_5_10 head_row_0_2_5_10 1
 head_short_0_2_5_10 family_12 -1
 head_short_0_2_5_11 head_row_0_2_5_11 1
 head_short_0_2_5_11 family_12 -1
 head_short_0_2_5_12 head_row_0_2_5_12 1
 head_short_0_2_5_12 family_12 -1
 head_short_0_2_5_13 head_row_0_2_5_13 1
 head_short_0_2_5_13 family_12 -1
 head_level_0_1_5 head_row_0_1_5_0 -1
 head_level_0_1_5 head_row_0_1_5_1 -1
 head_level_0_1_5 head_row_0_1_5_2 -1
 head_level_0_1_5 head_row_0_1_5_3 -1
 head_level_0_1_5 head_row_0_1_5_4 -1
 head_level_0_1_5 head_row_0_1_5_5 -1
 head_level_0_1_5 head_row_0_1_5_6 -1
 head_level_0_1_5 head_row_0_1_5_7 -1
 head_level_0_1_5 head_row_0_1_5_8 -1
 head_level_0_1_5 head_row_0_1_5_9 -1
 head_level_0_1_5 head_row_0_1_5_10 -1
 head_level_0_1_5 head_row_0_1_5_11 -1
 head_level_0_1_5 head_row_0_1_5_12 -1
 head_level_0_1_5 head_row_0_1_5_13 -1
 head_level_0_1_5 family_14 1
 head_short_0_1_5_0 head_row_0_1_5_0 1
 head_short_0_1_5_0 family_14 -1
 head_short_0_1_5_1 head_row_0_1_5_1 1
 head_short_0_1_5_1 family_14 -1
 head_short_0_1_5_2 head_row_0_1_5_2 1
 head_short_0_1_5_2 family_14 -1
 head_short_0_1_5_3 head_row_0_1_5_3 1
 head_short_0_1_5_3 family_14 -1
 head_short_0_1_5_4 head_row_0_1_5_4 1
 head_short_0_1_5_4 family_14 -1
 head_short_0_1_5_5 head_row_0_1_5_5 1
 head_short_0_1_5_5 family_14 -1
 head_short_0_1_5_6 head_row_0_1_5_6 1
 head_short_0_1_5_6 family_14 -1
 head_short_0_1_5_7 head_row_0_1_5_7 1
 head_short_0_1_5_7 family_14 -1
 head_short_0_1_5_8 head_row_0_1_5_8 1
 head_short_0_1_5_8 family_14 -1
 head_short_0_1_5_9 head_row_0_1_5_9 1
 head_short_0_1_5_9 family_14 -1
 head_short_0_1_5_10 head_row_0_1_5_10 1
 head_short_0_1_5_10 family_14 -1
 head_short_0_1_5_11 head_row_0_1_5_11 1
 head_short_0_1_5_11 family_14 -1
 head_short_0_1_5_12 head_row_0_1_5_12 1
 head_short_0_1_5_12 family_14 -1
 head_short_0_1_5_13 head_row_0_1_5_13 1
 head_short_0_1_5_13 family_14 -1
 tail_level_5_3 tail_row_5_3_0 -1
 tail_level_5_3 tail_row_5_3_1 -1
 tail_level_5_3 tail_row_5_3_2 -1
 tail_level_5_3 tail_row_5_3_3 -1
 tail_level_5_3 family_14 3
 tail_short_5_3_0 tail_row_5_3_0 1
 tail_short_5_3_0 family_14 -1
 tail_short_5_3_1 tail_row_5_3_1 1
 tail_short_5_3_1 family_14 -1
 tail_short_5_3_2 tail_row_5_3_2 1
 tail_short_5_3_2 family_14 -1
 tail_short_5_3_3 tail_row_5_3_3 1
 tail_short_5_3_3 family_14 -1
 head_level_0_2_6 head_row_0_2_6_0 -1
 head_level_0_2_6 head_row_0_2_6_1 -1
 head_level_0_2_6 head_row_0_2_6_2 -1
 head_level_0_2_6 head_row_0_2_6_3 -1
 head_level_0_2_6 head_row_0_2_6_4 -1
 head_level_0_2_6 head_row_0_2_6_5 -1
 head_level_0_2_6 head_row_0_2_6_6 -1
 head_level_0_2_6 head_row_0_2_6_7 -1
 head_level_0_2_6 head_row_0_2_6_8 -1
 head_level_0_2_6 head_row_0_2_6_9 -1
 head_level_0_2_6 head_row_0_2_6_10 -1
 head_level_0_2_6 head_row_0_2_6_11 -1
 head_level_0_2_6 head_row_0_2_6_12 -1
 head_level_0_2_6 head_row_0_2_6_13 -1
 head_level_0_2_6 family_15 2
 head_short_0_2_6_0 head_row_0_2_6_0 1
 head_short_0_2_6_0 family_15 -1
 head_short_0_2_6_1 head_row_0_2_6_1 1
 head_short_0_2_6_1 family_15 -1
 head_short_0_2_6_2 head_row_0_2_6_2 1
 head_short_0_2_6_2 family_15 -1
 head_short_0_2_6_3 head_row_0_2_6_3 1
 head_short_0_2_6_3 family_15 -1
 head_short_0_2_6_4 head_row_0_2_6_4 1
 head_short_0_2_6_4 family_15 -1
 head_short_0_2_6_5 head_row_0_2_6_5 1
 head_short_0_2_6_5 family_15 -1
 head_short_0_2_6_6 head_row_0_2_6_6 1
 head_short_0_2_6_6 family_15 -1
 head_short_0_2_6_7 head_row_0_2_6_7 1
 head_short_0_2_6_7 family_15 -1
 head_short_0_2_6_8 head_row_0_2_6_8 1
 head_short_0_2_6_8 family_15 -1
 head_short_0_2_6_9 head_row_0_2_6_9 1
 head_short_0_2_6_9 family_15 -1
 head_short_0_2_6_10 head_row_0_2_6_10 1
 head_short_0_2_6_10 family_15 -1
 head_short_0_2_6_11 head_row_0_2_6_11 1
 head_short_0_2_6_11 family_15 -1
 head_short_0_2_6_12 head_row_0_2_6_12 1
 head_short_0_2_6_12 family_15 -1
 head_short_0_2_6_13 head_row_0_2_6_13 1
 head_short_0_2_6_13 family_15 -1
 head_level_0_1_6 head_row_0_1_6_0 -1
 head_level_0_1_6 head_row_0_1_6_1 -1
 head_level_0_1_6 head_row_0_1_6_2 -1
 head_level_0_1_6 head_row_0_1_6_3 -1
 head_level_0_1_6 head_row_0_1_6_4 -1
 head_level_0_1_6 head_row_0_1_6_5 -1
 head_level_0_1_6 head_row_0_1_6_6 -1
 head_level_0_1_6 head_row_0_1_6_7 -1
 head_level_0_1_6 head_row_0_1_6_8 -1
 head_level_0_1_6 head_row_0_1_6_9 -1
 head_level_0_1_6 head_row_0_1_6_10 -1
 head_level_0_1_6 head_row_0_1_6_11 -1
 head_level_0_1_6 head_row_0_1_6_12 -1
 head_level_0_1_6 head_row_0_1_6_13 -1
 head_level_0_1_6 family_17 1
 head_short_0_1_6_0 head_row_0_1_6_0 1
 head_short_0_1_6_0 family_17 -1
 head_short_0_1_6_1 head_row_0_1_6_1 1
 head_short_0_1_6_1 family_17 -1
 head_short_0_1_6_2 head_row_0_1_6_2 1
 head_short_0_1_6_2 family_17 -1
 head_short_0_1_6_3 head_row_0_1_6_3 1
 head_short_0_1_6_3 family_17 -1
 head_short_0_1_6_4 head_row_0_1_6_4 1
 head_short_0_1_6_4 family_17 -1
 head_short_0_1_6_5 head_row_0_1_6_5 1
 head_short_0_1_6_5 family_17 -1
 head_short_0_1_6_6 head_row_0_1_6_6 1
 head_short_0_1_6_6 family_17 -1
 head_short_0_1_6_7 head_row_0_1_6_7 1
 head_short_0_1_6_7 family_17 -1
 head_short_0_1_6_8 head_row_0_1_6_8 1
 head_short_0_1_6_8 family_17 -1
 head_short_0_1_6_9 head_row_0_1_6_9 1
 head_short_0_1_6_9 family_17 -1
 head_short_0_1_6_10 head_row_0_1_6_10 1
 head_short_0_1_6_10 family_17 -1
 head_short_0_1_6_11 head_row_0_1_6_11 1
 head_short_0_1_6_11 family_17 -1
 head_short_0_1_6_12 head_row_0_1_6_12 1
 head_short_0_1_6_12 family_17 -1
 head_short_0_1_6_13 head_row_0_1_6_13 1
 head_short_0_1_6_13 family_17 -1
 tail_level_6_4 tail_row_6_4_0 -1
 tail_level_6_4 tail_row_6_4_1 -1
 tail_level_6_4 tail_row_6_4_2 -1
 tail_level_6_4 tail_row_6_4_3 -1
 tail_level_6_4 tail_row_6_4_4 -1
 tail_level_6_4 family_17 4
 tail_short_6_4_0 tail_row_6_4_0 1
 tail_short_6_4_0 family_17 -1
 tail_short_6_4_1 tail_row_6_4_1 1
 tail_short_6_4_1 family_17 -1
 tail_short_6_4_2 tail_row_6_4_2 1
 tail_short_6_4_2 family_17 -1
 tail_short_6_4_3 tail_row_6_4_3 1
 tail_short_6_4_3 family_17 -1
 tail_short_6_4_4 tail_row_6_4_4 1
 tail_short_6_4_4 family_17 -1
 head_level_0_2_7 head_row_0_2_7_0 -1
 head_level_0_2_7 head_row_0_2_7_1 -1
 head_level_0_2_7 head_row_0_2_7_2 -1
 head_level_0_2_7 head_row_0_2_7_3 -1
 head_level_0_2_7 head_row_0_2_7_4 -1
 head_level_0_2_7 head_row_0_2_7_5 -1
 head_level_0_2_7 head_row_0_2_7_6 -1
 head_level_0_2_7 head_row_0_2_7_7 -1
 head_level_0_2_7 head_row_0_2_7_8 -1
 head_level_0_2_7 head_row_0_2_7_9 -1
 head_level_0_2_7 head_row_0_2_7_10 -1
 head_level_0_2_7 head_row_0_2_7_11 -1
 head_level_0_2_7 head_row_0_2_7_12 -1
 head_level_0_2_7 head_row_0_2_7_13 -1
 head_level_0_2_7 family_18 2
 head_short_0_2_7_0 head_row_0_2_7_0 1
 head_short_0_2_7_0 family_18 -1
 head_short_0_2_7_1 head_row_0_2_7_1 1
 head_short_0_2_7_1 family_18 -1
 head_short_0_2_7_2 head_row_0_2_7_2 1
 head_short_0_2_7_2 family_18 -1
 head_short_0_2_7_3 head_row_0_2_7_3 1
 head_short_0_2_7_3 family_18 -1
 head_short_0_2_7_4 head_row_0_2_7_4 1
 head_short_0_2_7_4 family_18 -1
 head_short_0_2_7_5 head_row_0_2_7_5 1
 head_short_0_2_7_5 family_18 -1
 head_short_0_2_7_6 head_row_0_2_7_6 1
 head_short_0_2_7_6 family_18 -1
 head_short_0_2_7_7 head_row_0_2_7_7 1
 head_short_0_2_7_7 family_18 -1
 head_short_0_2_7_8 head_row_0_2_7_8 1
 head_short_0_2_7_8 family_18 -1
 head_short_0_2_7_9 head_row_0_2_7_9 1
 head_short_0_2_7_9 family_18 -1
 head_short_0_2_7_10 head_row_0_2_7_10 1
 head_short_0_2_7_10 family_18 -1
 head_short_0_2_7_11 head_row_0_2_7_11 1
 head_short_0_2_7_11 family_18 -1
 head_short_0_2_7_12 head_row_0_2_7_12 1
 head_short_0_2_7_12 family_18 -1
 head_short_0_2_7_13 head_row_0_2_7_13 1
 head_short_0_2_7_13 family_18 -1
 head_level_0_1_7 head_row_0_1_7_0 -1
 head_level_0_1_7 head_row_0_1_7_1 -1
 head_level_0_1_7 head_row_0_1_7_2 -1
 head_level_0_1_7 head_row_0_1_7_3 -1
 head_level_0_1_7 head_row_0_1_7_4 -1
 head_level_0_1_7 head_row_0_1_7_5 -1
 head_level_0_1_7 head_row_0_1_7_6 -1
 head_level_0_1_7 head_row_0_1_7_7 -1
 head_level_0_1_7 head_row_0_1_7_8 -1
 head_level_0_1_7 head_row_0_1_7_9 -1
 head_level_0_1_7 head_row_0_1_7_10 -1
 head_level_0_1_7 head_row_0_1_7_11 -1
 head_level_0_1_7 head_row_0_1_7_12 -1
 head_level_0_1_7 head_row_0_1_7_13 -1
 head_level_0_1_7 family_20 1
 head_short_0_1_7_0 head_row_0_1_7_0 1
 head_short_0_1_7_0 family_20 -1
 head_short_0_1_7_1 head_row_0_1_7_1 1
 head_short_0_1_7_1 family_20 -1
 head_short_0_1_7_2 head_row_0_1_7_2 1
 head_short_0_1_7_2 family_20 -1
 head_short_0_1_7_3 head_row_0_1_7_3 1
 head_short_0_1_7_3 family_20 -1
 head_short_0_1_7_4 head_row_0_1_7_4 1
 head_short_0_1_7_4 family_20 -1
 head_short_0_1_7_5 head_row_0_1_7_5 1
 head_short_0_1_7_5 family_20 -1
 head_short_0_1_7_6 head_row_0_1_7_6 1
 head_short_0_1_7_6 family_20 -1
 head_short_0_1_7_7 head_row_0_1_7_7 1
 head_short_0_1_7_7 family_20 -1
 head_short_0_1_7_8 head_row_0_1_7_8 1
 head_short_0_1_7_8 family_20 -1
 head_short_0_1_7_9 head_row_0_1_7_9 1
 head_short_0_1_7_9 family_20 -1
 head_short_0_1_7_10 head_row_0_1_7_10 1
 head_short_0_1_7_10 family_20 -1
 head_short_0_1_7_11 head_row_0_1_7_11 1
 head_short_0_1_7_11 family_20 -1
 head_short_0_1_7_12 head_row_0_1_7_12 1
 head_short_0_1_7_12 family_20 -1
 head_short_0_1_7_13 head_row_0_1_7_13 1
 head_short_0_1_7_13 family_20 -1
 tail_level_7_5 tail_row_7_5_0 -1
 tail_level_7_5 tail_row_7_5_1 -1
 tail_level_7_5 tail_row_7_5_2 -1
 tail_level_7_5 tail_row_7_5_3 -1
 tail_level_7_5 tail_row_7_5_4 -1
 tail_level_7_5 tail_row_7_5_5 -1
 tail_level_7_5 family_20 5
 tail_short_7_5_0 tail_row_7_5_0 1
 tail_short_7_5_0 family_20 -1
 tail_short_7_5_1 tail_row_7_5_1 1
 tail_short_7_5_1 family_20 -1
 tail_short_7_5_2 tail_row_7_5_2 1
 tail_short_7_5_2 family_20 -1
 tail_short_7_5_3 tail_row_7_5_3 1
 tail_short_7_5_3 family_20 -1
 tail_short_7_5_4 tail_row_7_5_4 1
 tail_short_7_5_4 family_20 -1
 tail_short_7_5_5 tail_row_7_5_5 1
 tail_short_7_5_5 family_20 -1
 head_level_0_2_8 head_row_0_2_8_0 -1
 head_level_0_2_8 head_row_0_2_8_1 -1
 head_level_0_2_8 head_row_0_2_8_2 -1
 head_level_0_2_8 head_row_0_2_8_3 -1
 head_level_0_2_8 head_row_0_2_8_4 -1
 head_level_0_2_8 head_row_0_2_8_5 -1
 head_level_0_2_8 head_row_0_2_8_6 -1
 head_level_0_2_8 head_row_0_2_8_7 -1
 head_level_0_2_8 head_row_0_2_8_8 -1
 head_level_0_2_8 head_row_0_2_8_9 -1
 head_level_0_2_8 head_row_0_2_8_10 -1
 head_level_0_2_8 head_row_0_2_8_11 -1
 head_level_0_2_8 head_row_0_2_8_12 -1
 head_level_0_2_8 head_row_0_2_8_13 -1
 head_level_0_2_8 family_21 2
 head_short_0_2_8_0 head_row_0_2_8_0 1
 head_short_0_2_8_0 family_21 -1
 head_short_0_2_8_1 head_row_0_2_8_1 1
 head_short_0_2_8_1 family_21 -1
 head_short_0_2_8_2 head_row_0_2_8_2 1
 head_short_0_2_8_2 family_21 -1
 head_short_0_2_8_3 head_row_0_2_8_3 1
 head_short_0_2_8_3 family_21 -1
 head_short_0_2_8_4 head_row_0_2_8_4 1
 head_short_0_2_8_4 family_21 -1
 head_short_0_2_8_5 head_row_0_2_8_5 1
 head_short_0_2_8_5 family_21 -1
 head_short_0_2_8_6 head_row_0_2_8_6 1
 head_short_0_2_8_6 family_21 -1
 head_short_0_2_8_7 head_row_0_2_8_7 1
 head_short_0_2_8_7 family_21 -1
 head_short_0_2_8_8 head_row_0_2_8_8 1
 head_short_0_2_8_8 family_21 -1
 head_short_0_2_8_9 head_row_0_2_8_9 1
 head_short_0_2_8_9 family_21 -1
 head_short_0_2_8_10 head_row_0_2_8_10 1
 head_short_0_2_8_10 family_21 -1
 head_short_0_2_8_11 head_row_0_2_8_11 1
 head_short_0_2_8_11 family_21 -1
 head_short_0_2_8_12 head_row_0_2_8_12 1
 head_short_0_2_8_12 family_21 -1
 head_short_0_2_8_13 head_row_0_2_8_13 1
 head_short_0_2_8_13 family_21 -1
 head_level_0_1_8 head_row_0_1_8_0 -1
 head_level_0_1_8 head_row_0_1_8_1 -1
 head_level_0_1_8 head_row_0_1_8_2 -1
 head_level_0_1_8 head_row_0_1_8_3 -1
 head_level_0_1_8 head_row_0_1_8_4 -1
 head_level_0_1_8 head_row_0_1_8_5 -1
 head_level_0_1_8 head_row_0_1_8_6 -1
 head_level_0_1_8 head_row_0_1_8_7 -1
 head_level_0_1_8 head_row_0_1_8_8 -1
 head_level_0_1_8 head_row_0_1_8_9 -1
 head_level_0_1_8 head_row_0_1_8_10 -1
 head_level_0_1_8 head_row_0_1_8_11 -1
 head_level_0_1_8 head_row_0_1_8_12 -1
 head_level_0_1_8 head_row_0_1_8_13 -1
 head_level_0_1_8 family_23 1
 head_short_0_1_8_0 head_row_0_1_8_0 1
 head_short_0_1_8_0 family_23 -1
 head_short_0_1_8_1 head_row_0_1_8_1 1
 head_short_0_1_8_1 family_23 -1
 head_short_0_1_8_2 head_row_0_1_8_2 1
 head_short_0_1_8_2 family_23 -1
 head_short_0_1_8_3 head_row_0_1_8_3 1
 head_short_0_1_8_3 family_23 -1
 head_short_0_1_8_4 head_row_0_1_8_4 1
 head_short_0_1_8_4 family_23 -1
 head_short_0_1_8_5 head_row_0_1_8_5 1
 head_short_0_1_8_5 family_23 -1
 head_short_0_1_8_6 head_row_0_1_8_6 1
 head_short_0_1_8_6 family_23 -1
 head_short_0_1_8_7 head_row_0_1_8_7 1
 head_short_0_1_8_7 family_23 -1
 head_short_0_1_8_8 head_row_0_1_8_8 1
 head_short_0_1_8_8 family_23 -1
 head_short_0_1_8_9 head_row_0_1_8_9 1
 head_short_0_1_8_9 family_23 -1
 head_short_0_1_8_10 head_row_0_1_8_10 1
 head_short_0_1_8_10 family_23 -1
 head_short_0_1_8_11 head_row_0_1_8_11 1
 head_short_0_1_8_11 family_23 -1
 head_short_0_1_8_12 head_row_0_1_8_12 1
 head_short_0_1_8_12 family_23 -1
 head_short_0_1_8_13 head_row_0_1_8_13 1
 head_short_0_1_8_13 family_23 -1
 tail_level_8_6 tail_row_8_6_0 -1
 tail_level_8_6 tail_row_8_6_1 -1
 tail_level_8_6 tail_row_8_6_2 -1
 tail_level_8_6 tail_row_8_6_3 -1
 tail_level_8_6 tail_row_8_6_4 -1
 tail_level_8_6 tail_row_8_6_5 -1
 tail_level_8_6 tail_row_8_6_6 -1
 tail_level_8_6 family_23 6
 tail_short_8_6_0 tail_row_8_6_0 1
 tail_short_8_6_0 family_23 -1
 tail_short_8_6_1 tail_row_8_6_1 1
 tail_short_8_6_1 family_23 -1
 tail_short_8_6_2 tail_row_8_6_2 1
 tail_short_8_6_2 family_23 -1
 tail_short_8_6_3 tail_row_8_6_3 1
 tail_short_8_6_3 family_23 -1
 tail_short_8_6_4 tail_row_8_6_4 1
 tail_short_8_6_4 family_23 -1
 tail_short_8_6_5 tail_row_8_6_5 1
 tail_short_8_6_5 family_23 -1
 tail_short_8_6_6 tail_row_8_6_6 1
 tail_short_8_6_6 family_23 -1
 head_level_0_2_9 head_row_0_2_9_0 -1
 head_level_0_2_9 head_row_0_2_9_1 -1
 head_level_0_2_9 head_row_0_2_9_2 -1
 head_level_0_2_9 head_row_0_2_9_3 -1
 head_level_0_2_9 head_row_0_2_9_4 -1
 head_level_0_2_9 head_row_0_2_9_5 -1
 head_level_0_2_9 head_row_0_2_9_6 -1
 head_level_0_2_9 head_row_0_2_9_7 -1
 head_level_0_2_9 head_row_0_2_9_8 -1
 head_level_0_2_9 head_row_0_2_9_9 -1
 head_level_0_2_9 head_row_0_2_9_10 -1
 head_level_0_2_9 head_row_0_2_9_11 -1
 head_level_0_2_9 head_row_0_2_9_12 -1
 head_level_0_2_9 head_row_0_2_9_13 -1
 head_level_0_2_9 family_24 2
 head_short_0_2_9_0 head_row_0_2_9_0 1
 head_short_0_2_9_0 family_24 -1
 head_short_0_2_9_1 head_row_0_2_9_1 1
 head_short_0_2_9_1 family_24 -1
 head_short_0_2_9_2 head_row_0_2_9_2 1
 head_short_0_2_9_2 family_24 -1
 head_short_0_2_9_3 head_row_0_2_9_3 1
 head_short_0_2_9_3 family_24 -1
 head_short_0_2_9_4 head_row_0_2_9_4 1
 head_short_0_2_9_4 family_24 -1
 head_short_0_2_9_5 head_row_0_2_9_5 1
 head_short_0_2_9_5 family_24 -1
 head_short_0_2_9_6 head_row_0_2_9_6 1
 head_short_0_2_9_6 family_24 -1
 head_short_0_2_9_7 head_row_0_2_9_7 1
 head_short_0_2_9_7 family_24 -1
 head_short_0_2_9_8 head_row_0_2_9_8 1
 head_short_0_2_9_8 family_24 -1
 head_short_0_2_9_9 head_row_0_2_9_9 1
 head_short_0_2_9_9 family_24 -1
 head_short_0_2_9_10 head_row_0_2_9_10 1
 head_short_0_2_9_10 family_24 -1
 head_short_0_2_9_11 head_row_0_2_9_11 1
 head_short_0_2_9_11 family_24 -1
 head_short_0_2_9_12 head_row_0_2_9_12 1
 head_short_0_2_9_12 family_24 -1
 head_short_0_2_9_13 head_row_0_2_9_13 1
 head_short_0_2_9_13 family_24 -1
 head_level_0_1_9 head_row_0_1_9_0 -1
 head_level_0_1_9 head_row_0_1_9_1 -1
 head_level_0_1_9 head_row_0_1_9_2 -1
 head_level_0_1_9 head_row_0_1_9_3 -1
 head_level_0_1_9 head_row_0_1_9_4 -1
 head_level_0_1_9 head_row_0_1_9_5 -1
 head_level_0_1_9 head_row_0_1_9_6 -1
 head_level_0_1_9 head_row_0_1_9_7 -1
 head_level_0_1_9 head_row_0_1_9_8 -1
 head_level_0_1_9 head_row_0_1_9_9 -1
 head_level_0_1_9 head_row_0_1_9_10 -1
 head_level_0_1_9 head_row_0_1_9_11 -1
 head_level_0_1_9 head_row_0_1_9_12 -1
 head_level_0_1_9 head_row_0_1_9_13 -1
 head_level_0_1_9 family_26 1
 head_short_0_1_9_0 head_row_0_1_9_0 1
 head_short_0_1_9_0 family_26 -1
 head_short_0_1_9_1 head_row_0_1_9_1 1
 head_short_0_1_9_1 family_26 -1
 head_short_0_1_9_2 head_row_0_1_9_2 1
 head_short_0_1_9_2 family_26 -1
 head_short_0_1_9_3 head_row_0_1_9_3 1
 head_short_0_1_9_3 family_26 -1
 head_short_0_1_9_4 head_row_0_1_9_4 1
 head_short_0_1_9_4 family_26 -1
 head_short_0_1_9_5 head_row_0_1_9_5 1
 head_short_0_1_9_5 family_26 -1
 head_short_0_1_9_6 head_row_0_1_9_6 1
 head_short_0_1_9_6 family_26 -1
 head_short_0_1_9_7 head_row_0_1_9_7 1
 head_short_0_1_9_7 family_26 -1
 head_short_0_1_9_8 head_row_0_1_9_8 1
 head_short_0_1_9_8 family_26 -1
 head_short_0_1_9_9 head_row_0_1_9_9 1
 head_short_0_1_9_9 family_26 -1
 head_short_0_1_9_10 head_row_0_1_9_10 1
 head_short_0_1_9_10 family_26 -1
 head_short_0_1_9_11 head_row_0_1_9_11 1
 head_short_0_1_9_11 family_26 -1
 head_short_0_1_9_12 head_row_0_1_9_12 1
 head_short_0_1_9_12 family_26 -1
 head_short_0_1_9_13 head_row_0_1_9_13 1
 head_short_0_1_9_13 family_26 -1
 tail_level_9_7 tail_row_9_7_0 -1
 tail_level_9_7 tail_row_9_7_1 -1
 tail_level_9_7 tail_row_9_7_2 -1
 tail_level_9_7 tail_row_9_7_3 -1
 tail_level_9_7 tail_row_9_7_4 -1
 tail_level_9_7 tail_row_9_7_5 -1
 tail_level_9_7 tail_row_9_7_6 -1
 tail_level_9_7 tail_row_9_7_7 -1
 tail_level_9_7 family_26 7
 tail_short_9_7_0 tail_row_9_7_0 1
 tail_short_9_7_0 family_26 -1
 tail_short_9_7_1 tail_row_9_7_1 1
 tail_short_9_7_1 family_26 -1
 tail_short_9_7_2 tail_row_9_7_2 1
 tail_short_9_7_2 family_26 -1
 tail_short_9_7_3 tail_row_9_7_3 1
 tail_short_9_7_3 family_26 -1
 tail_short_9_7_4 tail_row_9_7_4 1
 tail_short_9_7_4 family_26 -1
 tail_short_9_7_5 tail_row_9_7_5 1
 tail_short_9_7_5 family_26 -1
 tail_short_9_7_6 tail_row_9_7_6 1
 tail_short_9_7_6 family_26 -1
 tail_short_9_7_7 tail_row_9_7_7 1
 tail_short_9_7_7 family_26 -1
 head_level_0_2_10 head_row_0_2_10_0 -1
 head_level_0_2_10 head_row_0_2_10_1 -1
 head_level_0_2_10 head_row_0_2_10_2 -1
 head_level_0_2_10 head_row_0_2_10_3 -1
 head_level_0_2_10 head_row_0_2_10_4 -1
 head_level_0_2_10 head_row_0_2_10_5 -1
 head_level_0_2_10 head_row_0_2_10_6 -1
 head_level_0_2_10 head_row_0_2_10_7 -1
 head_level_0_2_10 head_row_0_2_10_8 -1
 head_level_0_2_10 head_row_0_2_10_9 -1
 head_level_0_2_10 head_row_0_2_10_10 -1
 head_level_0_2_10 head_row_0_2_10_11 -1
 head_level_0_2_10 head_row_0_2_10_12 -1
 head_level_0_2_10 head_row_0_2_10_13 -1
 head_level_0_2_10 family_27 2
 head_short_0_2_10_0 head_row_0_2_10_0 1
 head_short_0_2_10_0 family_27 -1
 head_short_0_2_10_1 head_row_0_2_10_1 1
 head_short_0_2_10_1 family_27 -1
 head_short_0_2_10_2 head_row_0_2_10_2 1
 head_short_0_2_10_2 family_27 -1
 head_short_0_2_10_3 head_row_0_2_10_3 1
 head_short_0_2_10_3 family_27 -1
 head_short_0_2_10_4 head_row_0_2_10_4 1
 head_short_0_2_10_4 family_27 -1
 head_short_0_2_10_5 head_row_0_2_10_5 1
 head_short_0_2_10_5 family_27 -1
 head_short_0_2_10_6 head_row_0_2_10_6 1
 head_short_0_2_10_6 family_27 -1
 head_short_0_2_10_7 head_row_0_2_10_7 1
 head_short_0_2_10_7 family_27 -1
 head_short_0_2_10_8 head_row_0_2_10_8 1
 head_short_0_2_10_8 family_27 -1
 head_short_0_2_10_9 head_row_0_2_10_9 1
 head_short_0_2_10_9 family_27 -1
 head_short_0_2_10_10 head_row_0_2_10_10 1
 head_short_0_2_10_10 family_27 -1
 head_short_0_2_10_11 head_row_0_2_10_11 1
 head_short_0_2_10_11 family_27 -1
 head_short_0_2_10_12 head_row_0_2_10_12 1
 head_short_0_2_10_12 family_27 -1
 head_short_0_2_10_13 head_row_0_2_10_13 1
 head_short_0_2_10_13 family_27 -1
 head_level_0_1_10 head_row_0_1_10_0 -1
 head_level_0_1_10 head_row_0_1_10_1 -1
 head_level_0_1_10 head_row_0_1_10_2 -1
 head_level_0_1_10 head_row_0_1_10_3 -1
 head_level_0_1_10 head_row_0_1_10_4 -1
 head_level_0_1_10 head_row_0_1_10_5 -1
 head_level_0_1_10 head_row_0_1_10_6 -1
 head_level_0_1_10 head_row_0_1_10_7 -1
 head_level_0_1_10 head_row_0_1_10_8 -1
 head_level_0_1_10 head_row_0_1_10_9 -1
 head_level_0_1_10 head_row_0_1_10_10 -1
 head_level_0_1_10 head_row_0_1_10_11 -1
 head_level_0_1_10 head_row_0_1_10_12 -1
 head_level_0_1_10 head_row_0_1_10_13 -1
 head_level_0_1_10 family_29 1
 head_short_0_1_10_0 head_row_0_1_10_0 1
 head_short_0_1_10_0 family_29 -1
 head_short_0_1_10_1 head_row_0_1_10_1 1
 head_short_0_1_10_1 family_29 -1
 head_short_0_1_10_2 head_row_0_1_10_2 1
 head_short_0_1_10_2 family_29 -1
 head_short_0_1_10_3 head_row_0_1_10_3 1
 head_short_0_1_10_3 family_29 -1
 head_short_0_1_10_4 head_row_0_1_10_4 1
 head_short_0_1_10_4 family_29 -1
 head_short_0_1_10_5 head_row_0_1_10_5 1
 head_short_0_1_10_5 family_29 -1
 head_short_0_1_10_6 head_row_0_1_10_6 1
 head_short_0_1_10_6 family_29 -1
 head_short_0_1_10_7 head_row_0_1_10_7 1
 head_short_0_1_10_7 family_29 -1
 head_short_0_1_10_8 head_row_0_1_10_8 1
 head_short_0_1_10_8 family_29 -1
 head_short_0_1_10_9 head_row_0_1_10_9 1
 head_short_0_1_10_9 family_29 -1
 head_short_0_1_10_10 head_row_0_1_10_10 1
 head_short_0_1_10_10 family_29 -1
 head_short_0_1_10_11 head_row_0_1_10_11 1
 head_short_0_1_10_11 family_29 -1
 head_short_0_1_10_12 head_row_0_1_10_12 1
 head_short_0_1_10_12 family_29 -1
 head_short_0_1_10_13 head_row_0_1_10_13 1
 head_short_0_1_10_13 family_29 -1
 tail_level_10_8 tail_row_10_8_0 -1
 tail_level_10_8 tail_row_10_8_1 -1
 tail_level_10_8 tail_row_10_8_2 -1
 tail_level_10_8 tail_row_10_8_3 -1
 tail_level_10_8 tail_row_10_8_4 -1
 tail_level_10_8 tail_row_10_8_5 -1
 tail_level_10_8 tail_row_10_8_6 -1
 tail_level_10_8 tail_row_10_8_7 -1
 tail_level_10_8 tail_row_10_8_8 -1
 tail_level_10_8 family_29 8
 tail_short_10_8_0 tail_row_10_8_0 1
 tail_short_10_8_0 family_29 -1
 tail_short_10_8_1 tail_row_10_8_1 1
 tail_short_10_8_1 family_29 -1
 tail_short_10_8_2 tail_row_10_8_2 1
 tail_short_10_8_2 family_29 -1
 tail_short_10_8_3 tail_row_10_8_3 1
 tail_short_10_8_3 family_29 -1
 tail_short_10_8_4 tail_row_10_8_4 1
 tail_short_10_8_4 family_29 -1
 tail_short_10_8_5 tail_row_10_8_5 1
 tail_short_10_8_5 family_29 -1
 tail_short_10_8_6 tail_row_10_8_6 1
 tail_short_10_8_6 family_29 -1
 tail_short_10_8_7 tail_row_10_8_7 1
 tail_short_10_8_7 family_29 -1
 tail_short_10_8_8 tail_row_10_8_8 1
 tail_short_10_8_8 family_29 -1
 head_level_0_2_11 head_row_0_2_11_0 -1
 head_level_0_2_11 head_row_0_2_11_1 -1
 head_level_0_2_11 head_row_0_2_11_2 -1
 head_level_0_2_11 head_row_0_2_11_3 -1
 head_level_0_2_11 head_row_0_2_11_4 -1
 head_level_0_2_11 head_row_0_2_11_5 -1
 head_level_0_2_11 head_row_0_2_11_6 -1
 head_level_0_2_11 head_row_0_2_11_7 -1
 head_level_0_2_11 head_row_0_2_11_8 -1
 head_level_0_2_11 head_row_0_2_11_9 -1
 head_level_0_2_11 head_row_0_2_11_10 -1
 head_level_0_2_11 head_row_0_2_11_11 -1
 head_level_0_2_11 head_row_0_2_11_12 -1
 head_level_0_2_11 head_row_0_2_11_13 -1
 head_level_0_2_11 family_30 2
 head_short_0_2_11_0 head_row_0_2_11_0 1
 head_short_0_2_11_0 family_30 -1
 head_short_0_2_11_1 head_row_0_2_11_1 1
 head_short_0_2_11_1 family_30 -1
 head_short_0_2_11_2 head_row_0_2_11_2 1
 head_short_0_2_11_2 family_30 -1
 head_short_0_2_11_3 head_row_0_2_11_3 1
 head_short_0_2_11_3 family_30 -1
 head_short_0_2_11_4 head_row_0_2_11_4 1
 head_short_0_2_11_4 family_30 -1
 head_short_0_2_11_5 head_row_0_2_11_5 1
 head_short_0_2_11_5 family_30 -1
 head_short_0_2_11_6 head_row_0_2_11_6 1
 head_short_0_2_11_6 family_30 -1
 head_short_0_2_11_7 head_row_0_2_11_7 1
 head_short_0_2_11_7 family_30 -1
 head_short_0_2_11_8 head_row_0_2_11_8 1
 head_short_0_2_11_8 family_30 -1
 head_short_0_2_11_9 head_row_0_2_11_9 1
 head_short_0_2_11_9 family_30 -1
 head_short_0_2_11_10 head_row_0_2_11_10 1
 head_short_0_2_11_10 family_30 -1
 head_short_0_2_11_11 head_row_0_2_11_11 1
 head_short_0_2_11_11 family_30 -1
 head_short_0_2_11_12 head_row_0_2_11_12 1
 head_short_0_2_11_12 family_30 -1
 head_short_0_2_11_13 head_row_0_2_11_13 1
 head_short_0_2_11_13 family_30 -1
 head_level_0_1_11 head_row_0_1_11_0 -1
 head_level_0_1_11 head_row_0_1_11_1 -1
 head_level_0_1_11 head_row_0_1_11_2 -1
 head_level_0_1_11 head_row_0_1_11_3 -1
 head_level_0_1_11 head_row_0_1_11_4 -1
 head_level_0_1_11 head_row_0_1_11_5 -1
 head_level_0_1_11 head_row_0_1_11_6 -1
 head_level_0_1_11 head_row_0_1_11_7 -1
 head_level_0_1_11 head_row_0_1_11_8 -1
 head_level_0_1_11 head_row_0_1_11_9 -1
 head_level_0_1_11 head_row_0_1_11_10 -1
 head_level_0_1_11 head_row_0_1_11_11 -1
 head_level_0_1_11 head_row_0_1_11_12 -1
 head_level_0_1_11 head_row_0_1_11_13 -1
 head_level_0_1_11 family_32 1
 head_short_0_1_11_0 head_row_0_1_11_0 1
 head_short_0_1_11_0 family_32 -1
 head_short_0_1_11_1 head_row_0_1_11_1 1
 head_short_0_1_11_1 family_32 -1
 head_short_0_1_11_2 head_row_0_1_11_2 1
 head_short_0_1_11_2 family_32 -1
 head_short_0_1_11_3 head_row_0_1_11_3 1
 head_short_0_1_11_3 family_32 -1
 head_short_0_1_11_4 head_row_0_1_11_4 1
 head_short_0_1_11_4 family_32 -1
 head_short_0_1_11_5 head_row_0_1_11_5 1
 head_short_0_1_11_5 family_32 -1
 head_short_0_1_11_6 head_row_0_1_11_6 1
 head_short_0_1_11_6 family_32 -1
 head_short_0_1_11_7 head_row_0_1_11_7 1
 head_short_0_1_11_7 family_32 -1
 head_short_0_1_11_8 head_row_0_1_11_8 1
 head_short_0_1_11_8 family_32 -1
 head_short_0_1_11_9 head_row_0_1_11_9 1
 head_short_0_1_11_9 family_32 -1
 head_short_0_1_11_10 head_row_0_1_11_10 1
 head_short_0_1_11_10 family_32 -1
 head_short_0_1_11_11 head_row_0_1_11_11 1
 head_short_0_1_11_11 family_32 -1
 head_short_0_1_11_12 head_row_0_1_11_12 1
 head_short_0_1_11_12 family_32 -1
 head_short_0_1_11_13 head_row_0_1_11_13 1
 head_short_0_1_11_13 family_32 -1
 tail_level_11_9 tail_row_11_9_0 -1
 tail_level_11_9 tail_row_11_9_1 -1
 tail_level_11_9 tail_row_11_9_2 -1
 tail_level_11_9 tail_row_11_9_3 -1
 tail_level_11_9 tail_row_11_9_4 -1
 tail_level_11_9 tail_row_11_9_5 -1
 tail_level_11_9 tail_row_11_9_6 -1
 tail_level_11_9 tail_row_11_9_7 -1
 tail_level_11_9 tail_row_11_9_8 -1
 tail_level_11_9 tail_row_11_9_9 -1
 tail_level_11_9 family_32 9
 tail_short_11_9_0 tail_row_11_9_0 1
 tail_short_11_9_0 family_32 -1
 tail_short_11_9_1 tail_row_11_9_1 1
 tail_short_11_9_1 family_32 -1
 tail_short_11_9_2 tail_row_11_9_2 1
 tail_short_11_9_2 family_32 -1
 tail_short_11_9_3 tail_row_11_9_3 1
 tail_short_11_9_3 family_32 -1
 tail_short_11_9_4 tail_row_11_9_4 1
 tail_short_11_9_4 family_32 -1
 tail_short_11_9_5 tail_row_11_9_5 1
 tail_short_11_9_5 family_32 -1
 tail_short_11_9_6 tail_row_11_9_6 1
 tail_short_11_9_6 family_32 -1
 tail_short_11_9_7 tail_row_11_9_7 1
 tail_short_11_9_7 family_32 -1
 tail_short_11_9_8 tail_row_11_9_8 1
 tail_short_11_9_8 family_32 -1
 tail_short_11_9_9 tail_row_11_9_9 1
 tail_short_11_9_9 family_32 -1
 head_level_0_2_12 head_row_0_2_12_0 -1
 head_level_0_2_12 head_row_0_2_12_1 -1
 head_level_0_2_12 head_row_0_2_12_2 -1
 head_level_0_2_12 head_row_0_2_12_3 -1
 head_level_0_2_12 head_row_0_2_12_4 -1
 head_level_0_2_12 head_row_0_2_12_5 -1
 head_level_0_2_12 head_row_0_2_12_6 -1
 head_level_0_2_12 head_row_0_2_12_7 -1
 head_level_0_2_12 head_row_0_2_12_8 -1
 head_level_0_2_12 head_row_0_2_12_9 -1
 head_level_0_2_12 head_row_0_2_12_10 -1
 head_level_0_2_12 head_row_0_2_12_11 -1
 head_level_0_2_12 head_row_0_2_12_12 -1
 head_level_0_2_12 head_row_0_2_12_13 -1
 head_level_0_2_12 family_33 2
 head_short_0_2_12_0 head_row_0_2_12_0 1
 head_short_0_2_12_0 family_33 -1
 head_short_0_2_12_1 head_row_0_2_12_1 1
 head_short_0_2_12_1 family_33 -1
 head_short_0_2_12_2 head_row_0_2_12_2 1
 head_short_0_2_12_2 family_33 -1
 head_short_0_2_12_3 head_row_0_2_12_3 1
 head_short_0_2_12_3 family_33 -1
 head_short_0_2_12_4 head_row_0_2_12_4 1
 head_short_0_2_12_4 family_33 -1
 head_short_0_2_12_5 head_row_0_2_12_5 1
 head_short_0_2_12_5 family_33 -1
 head_short_0_2_12_6 head_row_0_2_12_6 1
 head_short_0_2_12_6 family_33 -1
 head_short_0_2_12_7 head_row_0_2_12_7 1
 head_short_0_2_12_7 family_33 -1
 head_short_0_2_12_8 head_row_0_2_12_8 1
 head_short_0_2_12_8 family_33 -1
 head_short_0_2_12_9 head_row_0_2_12_9 1
 head_short_0_2_12_9 family_33 -1
 head_short_0_2_12_10 head_row_0_2_12_10 1
 head_short_0_2_12_10 family_33 -1
 head_short_0_2_12_11 head_row_0_2_12_11 1
 head_short_0_2_12_11 family_33 -1
 head_short_0_2_12_12 head_row_0_2_12_12 1
 head_short_0_2_12_12 family_33 -1
 head_short_0_2_12_13 head_row_0_2_12_13 1
 head_short_0_2_12_13 family_33 -1
 head_level_0_1_12 head_row_0_1_12_0 -1
 head_level_0_1_12 head_row_0_1_12_1 -1
 head_level_0_1_12 head_row_0_1_12_2 -1
 head_level_0_1_12 head_row_0_1_12_3 -1
 head_level_0_1_12 head_row_0_1_12_4 -1
 head_level_0_1_12 head_row_0_1_12_5 -1
 head_level_0_1_12 head_row_0_1_12_6 -1
 head_level_0_1_12 head_row_0_1_12_7 -1
 head_level_0_1_12 head_row_0_1_12_8 -1
 head_level_0_1_12 head_row_0_1_12_9 -1
 head_level_0_1_12 head_row_0_1_12_10 -1
 head_level_0_1_12 head_row_0_1_12_11 -1
 head_level_0_1_12 head_row_0_1_12_12 -1
 head_level_0_1_12 head_row_0_1_12_13 -1
 head_level_0_1_12 family_35 1
 head_short_0_1_12_0 head_row_0_1_12_0 1
 head_short_0_1_12_0 family_35 -1
 head_short_0_1_12_1 head_row_0_1_12_1 1
 head_short_0_1_12_1 family_35 -1
 head_short_0_1_12_2 head_row_0_1_12_2 1
 head_short_0_1_12_2 family_35 -1
 head_short_0_1_12_3 head_row_0_1_12_3 1
 head_short_0_1_12_3 family_35 -1
 head_short_0_1_12_4 head_row_0_1_12_4 1
 head_short_0_1_12_4 family_35 -1
 head_short_0_1_12_5 head_row_0_1_12_5 1
 head_short_0_1_12_5 family_35 -1
 head_short_0_1_12_6 head_row_0_1_12_6 1
 head_short_0_1_12_6 family_35 -1
 head_short_0_1_12_7 head_row_0_1_12_7 1
 head_short_0_1_12_7 family_35 -1
 head_short_0_1_12_8 head_row_0_1_12_8 1
 head_short_0_1_12_8 family_35 -1
 head_short_0_1_12_9 head_row_0_1_12_9 1
 head_short_0_1_12_9 family_35 -1
 head_short_0_1_12_10 head_row_0_1_12_10 1
 head_short_0_1_12_10 family_35 -1
 head_short_0_1_12_11 head_row_0_1_12_11 1
 head_short_0_1_12_11 family_35 -1
 head_short_0_1_12_12 head_row_0_1_12_12 1
 head_short_0_1_12_12 family_35 -1
 head_short_0_1_12_13 head_row_0_1_12_13 1
 head_short_0_1_12_13 family_35 -1
 tail_level_12_10 tail_row_12_10_0 -1
 tail_level_12_10 tail_row_12_10_1 -1
 tail_level_12_10 tail_row_12_10_2 -1
 tail_level_12_10 tail_row_12_10_3 -1
 tail_level_12_10 tail_row_12_10_4 -1
 tail_level_12_10 tail_row_12_10_5 -1
 tail_level_12_10 tail_row_12_10_6 -1
 tail_level_12_10 tail_row_12_10_7 -1
 tail_level_12_10 tail_row_12_10_8 -1
 tail_level_12_10 tail_row_12_10_9 -1
 tail_level_12_10 tail_row_12_10_10 -1
 tail_level_12_10 family_35 10
 tail_short_12_10_0 tail_row_12_10_0 1
 tail_short_12_10_0 family_35 -1
 tail_short_12_10_1 tail_row_12_10_1 1
 tail_short_12_10_1 family_35 -1
 tail_short_12_10_2 tail_row_12_10_2 1
 tail_short_12_10_2 family_35 -1
 tail_short_12_10_3 tail_row_12_10_3 1
 tail_short_12_10_3 family_35 -1
 tail_short_12_10_4 tail_row_12_10_4 1
 tail_short_12_10_4 family_35 -1
 tail_short_12_10_5 tail_row_12_10_5 1
 tail_short_12_10_5 family_35 -1
 tail_short_12_10_6 tail_row_12_10_6 1
 tail_short_12_10_6 family_35 -1
 tail_short_12_10_7 tail_row_12_10_7 1
 tail_short_12_10_7 family_35 -1
 tail_short_12_10_8 tail_row_12_10_8 1
 tail_short_12_10_8 family_35 -1
 tail_short_12_10_9 tail_row_12_10_9 1
 tail_short_12_10_9 family_35 -1
 tail_short_12_10_10 tail_row_12_10_10 1
 tail_short_12_10_10 family_35 -1
 head_level_0_2_13 head_row_0_2_13_0 -1
 head_level_0_2_13 head_row_0_2_13_1 -1
 head_level_0_2_13 head_row_0_2_13_2 -1
 head_level_0_2_13 head_row_0_2_13_3 -1
 head_level_0_2_13 head_row_0_2_13_4 -1
 head_level_0_2_13 head_row_0_2_13_5 -1
 head_level_0_2_13 head_row_0_2_13_6 -1
 head_level_0_2_13 head_row_0_2_13_7 -1
 head_level_0_2_13 head_row_0_2_13_8 -1
 head_level_0_2_13 head_row_0_2_13_9 -1
 head_level_0_2_13 head_row_0_2_13_10 -1
 head_level_0_2_13 head_row_0_2_13_11 -1
 head_level_0_2_13 head_row_0_2_13_12 -1
 head_level_0_2_13 head_row_0_2_13_13 -1
 head_level_0_2_13 family_36 2
 head_short_0_2_13_0 head_row_0_2_13_0 1
 head_short_0_2_13_0 family_36 -1
 head_short_0_2_13_1 head_row_0_2_13_1 1
 head_short_0_2_13_1 family_36 -1
 head_short_0_2_13_2 head_row_0_2_13_2 1
 head_short_0_2_13_2 family_36 -1
 head_short_0_2_13_3 head_row_0_2_13_3 1
 head_short_0_2_13_3 family_36 -1
 head_short_0_2_13_4 head_row_0_2_13_4 1
 head_short_0_2_13_4 family_36 -1
 head_short_0_2_13_5 head_row_0_2_13_5 1
 head_short_0_2_13_5 family_36 -1
 head_short_0_2_13_6 head_row_0_2_13_6 1
 head_short_0_2_13_6 family_36 -1
 head_short_0_2_13_7 head_row_0_2_13_7 1
 head_short_0_2_13_7 family_36 -1
 head_short_0_2_13_8 head_row_0_2_13_8 1
 head_short_0_2_13_8 family_36 -1
 head_short_0_2_13_9 head_row_0_2_13_9 1
 head_short_0_2_13_9 family_36 -1
 head_short_0_2_13_10 head_row_0_2_13_10 1
 head_short_0_2_13_10 family_36 -1
 head_short_0_2_13_11 head_row_0_2_13_11 1
 head_short_0_2_13_11 family_36 -1
 head_short_0_2_13_12 head_row_0_2_13_12 1
 head_short_0_2_13_12 family_36 -1
 head_short_0_2_13_13 head_row_0_2_13_13 1
 head_short_0_2_13_13 family_36 -1
 head_level_0_1_13 head_row_0_1_13_0 -1
 head_level_0_1_13 head_row_0_1_13_1 -1
 head_level_0_1_13 head_row_0_1_13_2 -1
 head_level_0_1_13 head_row_0_1_13_3 -1
 head_level_0_1_13 head_row_0_1_13_4 -1
 head_level_0_1_13 head_row_0_1_13_5 -1
 head_level_0_1_13 head_row_0_1_13_6 -1
 head_level_0_1_13 head_row_0_1_13_7 -1
 head_level_0_1_13 head_row_0_1_13_8 -1
 head_level_0_1_13 head_row_0_1_13_9 -1
 head_level_0_1_13 head_row_0_1_13_10 -1
 head_level_0_1_13 head_row_0_1_13_11 -1
 head_level_0_1_13 head_row_0_1_13_12 -1
 head_level_0_1_13 head_row_0_1_13_13 -1
 head_level_0_1_13 family_38 1
 head_short_0_1_13_0 head_row_0_1_13_0 1
 head_short_0_1_13_0 family_38 -1
 head_short_0_1_13_1 head_row_0_1_13_1 1
 head_short_0_1_13_1 family_38 -1
 head_short_0_1_13_2 head_row_0_1_13_2 1
 head_short_0_1_13_2 family_38 -1
 head_short_0_1_13_3 head_row_0_1_13_3 1
 head_short_0_1_13_3 family_38 -1
 head_short_0_1_13_4 head_row_0_1_13_4 1
 head_short_0_1_13_4 family_38 -1
 head_short_0_1_13_5 head_row_0_1_13_5 1
 head_short_0_1_13_5 family_38 -1
 head_short_0_1_13_6 head_row_0_1_13_6 1
 head_short_0_1_13_6 family_38 -1
 head_short_0_1_13_7 head_row_0_1_13_7 1
 head_short_0_1_13_7 family_38 -1
 head_short_0_1_13_8 head_row_0_1_13_8 1
 head_short_0_1_13_8 family_38 -1
 head_short_0_1_13_9 head_row_0_1_13_9 1
 head_short_0_1_13_9 family_38 -1
 head_short_0_1_13_10 head_row_0_1_13_10 1
 head_short_0_1_13_10 family_38 -1
 head_short_0_1_13_11 head_row_0_1_13_11 1
 head_short_0_1_13_11 family_38 -1
 head_short_0_1_13_12 head_row_0_1_13_12 1
 head_short_0_1_13_12 family_38 -1
 head_short_0_1_13_13 head_row_0_1_13_13 1
 head_short_0_1_13_13 family_38 -1
 tail_level_13_11 tail_row_13_11_0 -1
 tail_level_13_11 tail_row_13_11_1 -1
 tail_level_13_11 tail_row_13_11_2 -1
 tail_level_13_11 tail_row_13_11_3 -1
 tail_level_13_11 tail_row_13_11_4 -1
 tail_level_13_11 tail_row_13_11_5 -1
 tail_level_13_11 tail_row_13_11_6 -1
 tail_level_13_11 tail_row_13_11_7 -1
 tail_level_13_11 tail_row_13_11_8 -1
 tail_level_13_11 tail_row_13_11_9 -1
 tail_level_13_11 tail_row_13_11_10 -1
 tail_level_13_11 tail_row_13_11_11 -1
 tail_level_13_11 family_38 11
 tail_short_13_11_0 tail_row_13_11_0 1
 tail_short_13_11_0 family_38 -1
 tail_short_13_11_1 tail_row_13_11_1 1
 tail_short_13_11_1 family_38 -1
 tail_short_13_11_2 tail_row_13_11_2 1
 tail_short_13_11_2 family_38 -1
 tail_short_13_11_3 tail_row_13_11_3 1
 tail_short_13_11_3 family_38 -1
 tail_short_13_11_4 tail_row_13_11_4 1
 tail_short_13_11_4 family_38 -1
 tail_short_13_11_5 tail_row_13_11_5 1
 tail_short_13_11_5 family_38 -1
 tail_short_13_11_6 tail_row_13_11_6 1
 tail_short_13_11_6 family_38 -1
 tail_short_13_11_7 tail_row_13_11_7 1
 tail_short_13_11_7 family_38 -1
 tail_short_13_11_8 tail_row_13_11_8 1
 tail_short_13_11_8 family_38 -1
 tail_short_13_11_9 tail_row_13_11_9 1
 tail_short_13_11_9 family_38 -1
 tail_short_13_11_10 tail_row_13_11_10 1
 tail_short_13_11_10 family_38 -1
 tail_short_13_11_11 tail_row_13_11_11 1
 tail_short_13_11_11 family_38 -1
 head_level_0_2_14 head_row_0_2_14_0 -1
 head_level_0_2_14 head_row_0_2_14_1 -1
 head_level_0_2_14 head_row_0_2_14_2 -1
 head_level_0_2_14 head_row_0_2_14_3 -1
 head_level_0_2_14 head_row_0_2_14_4 -1
 head_level_0_2_14 head_row_0_2_14_5 -1
 head_level_0_2_14 head_row_0_2_14_6 -1
 head_level_0_2_14 head_row_0_2_14_7 -1
 head_level_0_2_14 head_row_0_2_14_8 -1
 head_level_0_2_14 head_row_0_2_14_9 -1
 head_level_0_2_14 head_row_0_2_14_10 -1
 head_level_0_2_14 head_row_0_2_14_11 -1
 head_level_0_2_14 head_row_0_2_14_12 -1
 head_level_0_2_14 head_row_0_2_14_13 -1
 head_level_0_2_14 family_39 2
 head_short_0_2_14_0 head_row_0_2_14_0 1
 head_short_0_2_14_0 family_39 -1
 head_short_0_2_14_1 head_row_0_2_14_1 1
 head_short_0_2_14_1 family_39 -1
 head_short_0_2_14_2 head_row_0_2_14_2 1
 head_short_0_2_14_2 family_39 -1
 head_short_0_2_14_3 head_row_0_2_14_3 1
 head_short_0_2_14_3 family_39 -1
 head_short_0_2_14_4 head_row_0_2_14_4 1
 head_short_0_2_14_4 family_39 -1
 head_short_0_2_14_5 head_row_0_2_14_5 1
 head_short_0_2_14_5 family_39 -1
 head_short_0_2_14_6 head_row_0_2_14_6 1
 head_short_0_2_14_6 family_39 -1
 head_short_0_2_14_7 head_row_0_2_14_7 1
 head_short_0_2_14_7 family_39 -1
 head_short_0_2_14_8 head_row_0_2_14_8 1
 head_short_0_2_14_8 family_39 -1
 head_short_0_2_14_9 head_row_0_2_14_9 1
 head_short_0_2_14_9 family_39 -1
 head_short_0_2_14_10 head_row_0_2_14_10 1
 head_short_0_2_14_10 family_39 -1
 head_short_0_2_14_11 head_row_0_2_14_11 1
 head_short_0_2_14_11 family_39 -1
 head_short_0_2_14_12 head_row_0_2_14_12 1
 head_short_0_2_14_12 family_39 -1
 head_short_0_2_14_13 head_row_0_2_14_13 1
 head_short_0_2_14_13 family_39 -1
 head_level_0_1_14 head_row_0_1_14_0 -1
 head_level_0_1_14 head_row_0_1_14_1 -1
 head_level_0_1_14 head_row_0_1_14_2 -1
 head_level_0_1_14 head_row_0_1_14_3 -1
 head_level_0_1_14 head_row_0_1_14_4 -1
 head_level_0_1_14 head_row_0_1_14_5 -1
 head_level_0_1_14 head_row_0_1_14_6 -1
 head_level_0_1_14 head_row_0_1_14_7 -1
 head_level_0_1_14 head_row_0_1_14_8 -1
 head_level_0_1_14 head_row_0_1_14_9 -1
 head_level_0_1_14 head_row_0_1_14_10 -1
 head_level_0_1_14 head_row_0_1_14_11 -1
 head_level_0_1_14 head_row_0_1_14_12 -1
 head_level_0_1_14 head_row_0_1_14_13 -1
 head_level_0_1_14 family_41 1
 head_short_0_1_14_0 head_row_0_1_14_0 1
 head_short_0_1_14_0 family_41 -1
 head_short_0_1_14_1 head_row_0_1_14_1 1
 head_short_0_1_14_1 family_41 -1
 head_short_0_1_14_2 head_row_0_1_14_2 1
 head_short_0_1_14_2 family_41 -1
 head_short_0_1_14_3 head_row_0_1_14_3 1
 head_short_0_1_14_3 family_41 -1
 head_short_0_1_14_4 head_row_0_1_14_4 1
 head_short_0_1_14_4 family_41 -1
 head_short_0_1_14_5 head_row_0_1_14_5 1
 head_short_0_1_14_5 family_41 -1
 head_short_0_1_14_6 head_row_0_1_14_6 1
 head_short_0_1_14_6 family_41 -1
 head_short_0_1_14_7 head_row_0_1_14_7 1
 head_short_0_1_14_7 family_41 -1
 head_short_0_1_14_8 head_row_0_1_14_8 1
 head_short_0_1_14_8 family_41 -1
 head_short_0_1_14_9 head_row_0_1_14_9 1
 head_short_0_1_14_9 family_41 -1
 head_short_0_1_14_10 head_row_0_1_14_10 1
 head_short_0_1_14_10 family_41 -1
 head_short_0_1_14_11 head_row_0_1_14_11 1
 head_short_0_1_14_11 family_41 -1
 head_short_0_1_14_12 head_row_0_1_14_12 1
 head_short_0_1_14_12 family_41 -1
 head_short_0_1_14_13 head_row_0_1_14_13 1
 head_short_0_1_14_13 family_41 -1
 tail_level_14_12 tail_row_14_12_0 -1
 tail_level_14_12 tail_row_14_12_1 -1
 tail_level_14_12 tail_row_14_12_2 -1
 tail_level_14_12 tail_row_14_12_3 -1
 tail_level_14_12 tail_row_14_12_4 -1
 tail_level_14_12 tail_row_14_12_5 -1
 tail_level_14_12 tail_row_14_12_6 -1
 tail_level_14_12 tail_row_14_12_7 -1
 tail_level_14_12 tail_row_14_12_8 -1
 tail_level_14_12 tail_row_14_12_9 -1
 tail_level_14_12 tail_row_14_12_10 -1
 tail_level_14_12 tail_row_14_12_11 -1
 tail_level_14_12 tail_row_14_12_12 -1
 tail_level_14_12 family_41 12
 tail_short_14_12_0 tail_row_14_12_0 1
 tail_short_14_12_0 family_41 -1
 tail_short_14_12_1 tail_row_14_12_1 1
 tail_short_14_12_1 family_41 -1
 tail_short_14_12_2 tail_row_14_12_2 1
 tail_short_14_12_2 family_41 -1
 tail_short_14_12_3 tail_row_14_12_3 1
 tail_short_14_12_3 family_41 -1
 tail_short_14_12_4 tail_row_14_12_4 1
 tail_short_14_12_4 family_41 -1
 tail_short_14_12_5 tail_row_14_12_5 1
 tail_short_14_12_5 family_41 -1
 tail_short_14_12_6 tail_row_14_12_6 1
 tail_short_14_12_6 family_41 -1
 tail_short_14_12_7 tail_row_14_12_7 1
 tail_short_14_12_7 family_41 -1
 tail_short_14_12_8 tail_row_14_12_8 1
 tail_short_14_12_8 family_41 -1
 tail_short_14_12_9 tail_row_14_12_9 1
 tail_short_14_12_9 family_41 -1
 tail_short_14_12_10 tail_row_14_12_10 1
 tail_short_14_12_10 family_41 -1
 tail_short_14_12_11 tail_row_14_12_11 1
 tail_short_14_12_11 family_41 -1
 tail_short_14_12_12 tail_row_14_12_12 1
 tail_short_14_12_12 family_41 -1
 head_level_0_2_15 head_row_0_2_15_0 -1
 head_level_0_2_15 head_row_0_2_15_1 -1
 head_level_0_2_15 head_row_0_2_15_2 -1
 head_level_0_2_15 head_row_0_2_15_3 -1
 head_level_0_2_15 head_row_0_2_15_4 -1
 head_level_0_2_15 head_row_0_2_15_5 -1
 head_level_0_2_15 head_row_0_2_15_6 -1
 head_level_0_2_15 head_row_0_2_15_7 -1
 head_level_0_2_15 head_row_0_2_15_8 -1
 head_level_0_2_15 head_row_0_2_15_9 -1
 head_level_0_2_15 head_row_0_2_15_10 -1
 head_level_0_2_15 head_row_0_2_15_11 -1
 head_level_0_2_15 head_row_0_2_15_12 -1
 head_level_0_2_15 head_row_0_2_15_13 -1
 head_level_0_2_15 family_42 2
 head_short_0_2_15_0 head_row_0_2_15_0 1
 head_short_0_2_15_0 family_42 -1
 head_short_0_2_15_1 head_row_0_2_15_1 1
 head_short_0_2_15_1 family_42 -1
 head_short_0_2_15_2 head_row_0_2_15_2 1
 head_short_0_2_15_2 family_42 -1
 head_short_0_2_15_3 head_row_0_2_15_3 1
 head_short_0_2_15_3 family_42 -1
 head_short_0_2_15_4 head_row_0_2_15_4 1
 head_short_0_2_15_4 family_42 -1
 head_short_0_2_15_5 head_row_0_2_15_5 1
 head_short_0_2_15_5 family_42 -1
 head_short_0_2_15_6 head_row_0_2_15_6 1
 head_short_0_2_15_6 family_42 -1
 head_short_0_2_15_7 head_row_0_2_15_7 1
 head_short_0_2_15_7 family_42 -1
 head_short_0_2_15_8 head_row_0_2_15_8 1
 head_short_0_2_15_8 family_42 -1
 head_short_0_2_15_9 head_row_0_2_15_9 1
 head_short_0_2_15_9 family_42 -1
 head_short_0_2_15_10 head_row_0_2_15_10 1
 head_short_0_2_15_10 family_42 -1
 head_short_0_2_15_11 head_row_0_2_15_11 1
 head_short_0_2_15_11 family_42 -1
 head_short_0_2_15_12 head_row_0_2_15_12 1
 head_short_0_2_15_12 family_42 -1
 head_short_0_2_15_13 head_row_0_2_15_13 1
 head_short_0_2_15_13 family_42 -1
 head_level_0_1_15 head_row_0_1_15_0 -1
 head_level_0_1_15 head_row_0_1_15_1 -1
 head_level_0_1_15 head_row_0_1_15_2 -1
 head_level_0_1_15 head_row_0_1_15_3 -1
 head_level_0_1_15 head_row_0_1_15_4 -1
 head_level_0_1_15 head_row_0_1_15_5 -1
 head_level_0_1_15 head_row_0_1_15_6 -1
 head_level_0_1_15 head_row_0_1_15_7 -1
 head_level_0_1_15 head_row_0_1_15_8 -1
 head_level_0_1_15 head_row_0_1_15_9 -1
 head_level_0_1_15 head_row_0_1_15_10 -1
 head_level_0_1_15 head_row_0_1_15_11 -1
 head_level_0_1_15 head_row_0_1_15_12 -1
 head_level_0_1_15 head_row_0_1_15_13 -1
 head_level_0_1_15 family_44 1
 head_short_0_1_15_0 head_row_0_1_15_0 1
 head_short_0_1_15_0 family_44 -1
 head_short_0_1_15_1 head_row_0_1_15_1 1
 head_short_0_1_15_1 family_44 -1
 head_short_0_1_15_2 head_row_0_1_15_2 1
 head_short_0_1_15_2 family_44 -1
 head_short_0_1_15_3 head_row_0_1_15_3 1
 head_short_0_1_15_3 family_44 -1
 head_short_0_1_15_4 head_row_0_1_15_4 1
 head_short_0_1_15_4 family_44 -1
 head_short_0_1_15_5 head_row_0_1_15_5 1
 head_short_0_1_15_5 family_44 -1
 head_short_0_1_15_6 head_row_0_1_15_6 1
 head_short_0_1_15_6 family_44 -1
 head_short_0_1_15_7 head_row_0_1_15_7 1
 head_short_0_1_15_7 family_44 -1
 head_short_0_1_15_8 head_row_0_1_15_8 1
 head_short_0_1_15_8 family_44 -1
 head_short_0_1_15_9 head_row_0_1_15_9 1
 head_short_0_1_15_9 family_44 -1
 head_short_0_1_15_10 head_row_0_1_15_10 1
 head_short_0_1_15_10 family_44 -1
 head_short_0_1_15_11 head_row_0_1_15_11 1
 head_short_0_1_15_11 family_44 -1
 head_short_0_1_15_12 head_row_0_1_15_12 1
 head_short_0_1_15_12 family_44 -1
 head_short_0_1_15_13 head_row_0_1_15_13 1
 head_short_0_1_15_13 family_44 -1
 tail_level_15_13 tail_row_15_13_0 -1
 tail_level_15_13 tail_row_15_13_1 -1
 tail_level_15_13 tail_row_15_13_2 -1
 tail_level_15_13 tail_row_15_13_3 -1
 tail_level_15_13 tail_row_15_13_4 -1
 tail_level_15_13 tail_row_15_13_5 -1
 tail_level_15_13 tail_row_15_13_6 -1
 tail_level_15_13 tail_row_15_13_7 -1
 tail_level_15_13 tail_row_15_13_8 -1
 tail_level_15_13 tail_row_15_13_9 -1
 tail_level_15_13 tail_row_15_13_10 -1
 tail_level_15_13 tail_row_15_13_11 -1
 tail_level_15_13 tail_row_15_13_12 -1
 tail_level_15_13 tail_row_15_13_13 -1
 tail_level_15_13 family_44 13
 tail_short_15_13_0 tail_row_15_13_0 1
 tail_short_15_13_0 family_44 -1
 tail_short_15_13_1 tail_row_15_13_1 1
 tail_short_15_13_1 family_44 -1
 tail_short_15_13_2 tail_row_15_13_2 1
 tail_short_15_13_2 family_44 -1
 tail_short_15_13_3 tail_row_15_13_3 1
 tail_short_15_13_3 family_44 -1
 tail_short_15_13_4 tail_row_15_13_4 1
 tail_short_15_13_4 family_44 -1
 tail_short_15_13_5 tail_row_15_13_5 1
 tail_short_15_13_5 family_44 -1
 tail_short_15_13_6 tail_row_15_13_6 1
 tail_short_15_13_6 family_44 -1
 tail_short_15_13_7 tail_row_15_13_7 1
 tail_short_15_13_7 family_44 -1
 tail_short_15_13_8 tail_row_15_13_8 1
 tail_short_15_13_8 family_44 -1
 tail_short_15_13_9 tail_row_15_13_9 1
 tail_short_15_13_9 family_44 -1
 tail_short_15_13_10 tail_row_15_13_10 1
 tail_short_15_13_10 family_44 -1
 tail_short_15_13_11 tail_row_15_13_11 1
 tail_short_15_13_11 family_44 -1
 tail_short_15_13_12 tail_row_15_13_12 1
 tail_short_15_13_12 family_44 -1
 tail_short_15_13_13 tail_row_15_13_13 1
 tail_short_15_13_13 family_44 -1
RHS
 RHS family_0 1
 RHS family_1 1
 RHS family_2 1
 RHS family_3 1
 RHS family_4 1
 RHS family_5 1
 RHS family_6 1
 RHS family_7 1
 RHS family_8 1
 RHS family_9 1
 RHS family_10 1
 RHS family_11 1
 RHS family_12 1
 RHS family_13 1
 RHS family_14 1
 RHS family_15 1
 RHS family_16 1
 RHS family_17 1
 RHS family_18 1
 RHS family_19 1
 RHS family_20 1
 RHS family_21 1
 RHS family_22 1
 RHS family_23 1
 RHS family_24 1
 RHS family_25 1
 RHS family_26 1
 RHS family_27 1
 RHS family_28 1
 RHS family_29 1
 RHS family_30 1
 RHS family_31 1
 RHS family_32 1
 RHS family_33 1
 RHS family_34 1
 RHS family_35 1
 RHS family_36 1
 RHS family_37 1
 RHS family_38 1
 RHS family_39 1
 RHS family_40 1
 RHS family_41 1
 RHS family_42 1
 RHS family_43 1
 RHS family_44 1
BOUNDS
 UP BOUND x_0_1 1
 UP BOUND x_0_2 1
 UP BOUND x_0_3 1
 UP BOUND x_0_4 1
 UP BOUND x_0_5 1
 UP BOUND x_0_6 1
 UP BOUND x_0_7 1
 UP BOUND x_0_8 1
 UP BOUND x_0_9 1
 UP BOUND x_0_10 1
 UP BOUND x_0_11 1
 UP BOUND x_0_12 1
 UP BOUND x_0_13 1
 UP BOUND x_0_14 1
 UP BOUND x_0_15 1
 UP BOUND x_1_2 1
 UP BOUND x_1_3 1
 UP BOUND x_2_3 1
 UP BOUND x_1_4 1
 UP BOUND x_2_4 1
 UP BOUND x_3_4 1
 UP BOUND x_1_5 1
 UP BOUND x_2_5 1
 UP BOUND x_3_5 1
 UP BOUND x_4_5 1
 UP BOUND x_1_6 1
 UP BOUND x_2_6 1
 UP BOUND x_3_6 1
 UP BOUND x_4_6 1
 UP BOUND x_5_6 1
 UP BOUND x_1_7 1
 UP BOUND x_2_7 1
 UP BOUND x_3_7 1
 UP BOUND x_4_7 1
 UP BOUND x_5_7 1
 UP BOUND x_6_7 1
 UP BOUND x_1_8 1
 UP BOUND x_2_8 1
 UP BOUND x_3_8 1
 UP BOUND x_4_8 1
 UP BOUND x_5_8 1
 UP BOUND x_6_8 1
 UP BOUND x_7_8 1
 UP BOUND x_1_9 1
 UP BOUND x_2_9 1
 UP BOUND x_3_9 1
 UP BOUND x_4_9 1
 UP BOUND x_5_9 1
 UP BOUND x_6_9 1
 UP BOUND x_7_9 1
 UP BOUND x_8_9 1
 UP BOUND x_1_10 1
 UP BOUND x_2_10 1
 UP BOUND x_3_10 1
 UP BOUND x_4_10 1
 UP BOUND x_5_10 1
 UP BOUND x_6_10 1
 UP BOUND x_7_10 1
 UP BOUND x_8_10 1
 UP BOUND x_9_10 1
 UP BOUND x_1_11 1
 UP BOUND x_2_11 1
 UP BOUND x_3_11 1
 UP BOUND x_4_11 1
 UP BOUND x_5_11 1
 UP BOUND x_6_11 1
 UP BOUND x_7_11 1
 UP BOUND x_8_11 1
 UP BOUND x_9_11 1
 UP BOUND x_10_11 1
 UP BOUND x_1_12 1
 UP BOUND x_2_12 1
 UP BOUND x_3_12 1
 UP BOUND x_4_12 1
 UP BOUND x_5_12 1
 UP BOUND x_6_12 1
 UP BOUND x_7_12 1
 UP BOUND x_8_12 1
 UP BOUND x_9_12 1
 UP BOUND x_10_12 1
 UP BOUND x_11_12 1
 UP BOUND x_1_13 1
 UP BOUND x_2_13 1
 UP BOUND x_3_13 1
 UP BOUND x_4_13 1
 UP BOUND x_5_13 1
 UP BOUND x_6_13 1
 UP BOUND x_7_13 1
 UP BOUND x_8_13 1
 UP BOUND x_9_13 1
 UP BOUND x_10_13 1
 UP BOUND x_11_13 1
 UP BOUND x_12_13 1
 UP BOUND x_1_14 1
 UP BOUND x_2_14 1
 UP BOUND x_3_14 1
 UP BOUND x_4_14 1
 UP BOUND x_5_14 1
 UP BOUND x_6_14 1
 UP BOUND x_7_14 1
 UP BOUND x_8_14 1
 UP BOUND x_9_14 1
 UP BOUND x_10_14 1
 UP BOUND x_11_14 1
 UP BOUND x_12_14 1
 UP BOUND x_13_14 1
 UP BOUND x_1_15 1
 UP BOUND x_2_15 1
 UP BOUND x_3_15 1
 UP BOUND x_4_15 1
 UP BOUND x_5_15 1
 UP BOUND x_6_15 1
 UP BOUND x_7_15 1
 UP BOUND x_8_15 1
 UP BOUND x_9_15 1
 UP BOUND x_10_15 1
 UP BOUND x_11_15 1
 UP BOUND x_12_15 1
 UP BOUND x_13_15 1
 UP BOUND x_14_15 1
ENDATA
