NAME cheapest_flips_1 FREE
ROWS
 N obj
 G losses_1
 G losses_0
 G losses_2
 G losses_3
COLUMNS
 MARKER 'MARKER' 'INTORG'
 flip_1_0 obj 0.020135513550688863
 flip_1_0 losses_1 1
 flip_1_0 losses_0 1
 flip_1_3 obj 0.3680642071684971
 flip_1_3 losses_1 1
 flip_1_3 losses_3 1
 flip_2_0 obj 0.020135513550688863
 flip_2_0 losses_0 1
 flip_2_0 losses_2 -1
 flip_3_0 obj 0.020135513550688863
 flip_3_0 losses_0 1
 flip_3_0 losses_3 -1
 flip_3_2 obj 0.36806420716849714
 flip_3_2 losses_2 1
 flip_3_2 losses_3 -1
 level losses_1 1
 level losses_0 -1
 level losses_2 -1
 level losses_3 -1
 MARKER 'MARKER' 'INTEND'
RHS
 RHS losses_1 2
 RHS losses_2 -2
 RHS losses_3 -2
BOUNDS
 UP BOUND flip_1_0 1
 UP BOUND flip_1_3 1
 UP BOUND flip_2_0 1
 UP BOUND flip_3_0 1
 UP BOUND flip_3_2 1
 UP BOUND level 2
ENDATA
