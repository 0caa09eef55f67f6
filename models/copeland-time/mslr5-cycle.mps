NAME copeland_time_1 FREE
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
COLUMNS
 x_0_1 obj 1952.7915869841884
 x_0_1 row_2 1
 x_0_1 row_4 1
 x_0_1 row_7 1
 x_0_1 row_11 1
 x_1_3 obj 555.2219417515108
 x_1_3 row_0 1
 x_1_3 row_5 1
 x_1_3 row_9 1
 x_1_3 row_10 1
 x_1_3 row_12 1
 x_1_4 obj 328.3972900821623
 x_1_4 row_1 1
 x_1_4 row_6 1
 x_1_4 row_8 1
 x_1_4 row_13 1
 x_1_4 row_14 1
 x_1_4 row_15 1
 x_0_2 obj 1384.7081055264507
 x_0_2 row_3 1
 x_0_3 obj 594.196725657633
 x_0_3 row_7 1
 x_0_3 row_8 1
 x_0_3 row_9 1
 x_2_3 obj 31249.666661687952
 x_2_3 row_7 1
 x_2_3 row_8 1
 x_2_3 row_10 1
 x_0_4 obj 1542.8764423489608
 x_0_4 row_11 1
 x_0_4 row_12 1
 x_0_4 row_13 1
 x_0_4 row_14 1
 x_2_4 obj 3471.8888440768465
 x_2_4 row_11 1
 x_2_4 row_12 1
 x_2_4 row_13 1
 x_2_4 row_15 1
 x_3_4 obj 55555.222219421645
 x_3_4 row_11 1
 x_3_4 row_12 1
 x_3_4 row_14 1
 x_3_4 row_15 1
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
BOUNDS
 UP BOUND x_0_1 1
 UP BOUND x_1_3 1
 UP BOUND x_1_4 1
 UP BOUND x_0_2 1
 UP BOUND x_0_3 1
 UP BOUND x_2_3 1
 UP BOUND x_0_4 1
 UP BOUND x_2_4 1
 UP BOUND x_3_4 1
ENDATA
