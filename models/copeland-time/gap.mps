NAME copeland_time_0 FREE
ROWS
 N obj
 G row_0
 G row_1
 G row_2
 G row_3
 G row_4
 G row_5
 G row_6
 G row_7
 G row_8
 G row_9
 G row_10
 G row_11
 G row_12
 G row_13
 G row_14
 G row_15
 G row_16
 G row_17
 G row_18
 G row_19
 G row_20
 G row_21
 G row_22
 G row_23
 G row_24
 G row_25
 G row_26
 G row_27
 G row_28
 G row_29
COLUMNS
 x_0_1 obj 5.188208568947572
 x_0_1 row_3 1
 x_0_1 row_4 1
 x_0_1 row_5 1
 x_0_1 row_6 1
 x_0_1 row_8 1
 x_0_1 row_10 1
 x_0_1 row_12 1
 x_0_1 row_14 1
 x_0_1 row_15 1
 x_0_1 row_18 1
 x_0_1 row_21 1
 x_0_1 row_22 1
 x_0_1 row_27 1
 x_0_1 row_28 1
 x_0_2 obj 5.188208568947572
 x_0_2 row_0 1
 x_0_2 row_2 1
 x_0_2 row_4 1
 x_0_2 row_9 1
 x_0_2 row_10 1
 x_0_2 row_11 1
 x_0_2 row_13 1
 x_0_2 row_14 1
 x_0_2 row_15 1
 x_0_2 row_19 1
 x_0_2 row_23 1
 x_0_2 row_24 1
 x_0_2 row_27 1
 x_0_2 row_29 1
 x_0_3 obj 4999.666635549724
 x_0_3 row_1 1
 x_0_3 row_2 1
 x_0_3 row_5 1
 x_0_3 row_7 1
 x_0_3 row_8 1
 x_0_3 row_11 1
 x_0_3 row_16 1
 x_0_3 row_17 1
 x_0_3 row_18 1
 x_0_3 row_19 1
 x_0_3 row_25 1
 x_0_3 row_26 1
 x_0_3 row_28 1
 x_0_3 row_29 1
 x_1_3 obj 5.188208568947571
 x_1_3 row_0 1
 x_1_3 row_1 1
 x_1_2 obj 5.188208568947572
 x_1_2 row_6 1
 x_1_2 row_7 1
 x_2_3 obj 5.188208568947572
 x_2_3 row_12 1
 x_2_3 row_13 1
 x_2_3 row_14 1
 x_2_3 row_16 1
 x_3_4 obj 5.188208568947571
 x_3_4 row_12 1
 x_3_4 row_13 1
 x_3_4 row_15 1
 x_3_4 row_17 1
 x_1_4 obj 5.188208568947572
 x_1_4 row_20 1
 x_1_4 row_21 1
 x_1_4 row_23 1
 x_1_4 row_25 1
 x_2_4 obj 5.188208568947572
 x_2_4 row_20 1
 x_2_4 row_22 1
 x_2_4 row_24 1
 x_2_4 row_26 1
RHS
 RHS row_0 1
 RHS row_1 1
 RHS row_2 1
 RHS row_3 1
 RHS row_4 1
 RHS row_5 1
 RHS row_6 1
 RHS row_7 1
 RHS row_8 1
 RHS row_9 1
 RHS row_10 1
 RHS row_11 1
 RHS row_12 1
 RHS row_13 1
 RHS row_14 1
 RHS row_15 1
 RHS row_16 1
 RHS row_17 1
 RHS row_18 1
 RHS row_19 1
 RHS row_20 1
 RHS row_21 1
 RHS row_22 1
 RHS row_23 1
 RHS row_24 1
 RHS row_25 1
 RHS row_26 1
 RHS row_27 1
 RHS row_28 1
 RHS row_29 1
BOUNDS
 UP BOUND x_0_1 1
 UP BOUND x_0_2 1
 UP BOUND x_0_3 1
 UP BOUND x_1_3 1
 UP BOUND x_1_2 1
 UP BOUND x_2_3 1
 UP BOUND x_3_4 1
 UP BOUND x_1_4 1
 UP BOUND x_2_4 1
ENDATA
