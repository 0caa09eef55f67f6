NAME cheapest_flips_1 FREE
ROWS
 N obj
 G losses_1
 G losses_0
 G losses_2
 G losses_3
 G losses_4
COLUMNS
 MARKER 'MARKER' 'INTORG'
 flip_0_4 obj 0.19274475702175753
 flip_0_4 losses_0 -1
 flip_0_4 losses_4 1
 flip_1_0 obj 0.1927447570217575
 flip_1_0 losses_1 1
 flip_1_0 losses_0 1
 flip_1_3 obj 0.19274475702175753
 flip_1_3 losses_1 1
 flip_1_3 losses_3 1
 flip_2_0 obj 0.1927447570217575
 flip_2_0 losses_0 1
 flip_2_0 losses_2 -1
 flip_3_0 obj 0.00020001333546712519
 flip_3_0 losses_0 1
 flip_3_0 losses_3 -1
 flip_3_2 obj 0.1927447570217575
 flip_3_2 losses_2 1
 flip_3_2 losses_3 -1
 flip_3_4 obj 0.19274475702175753
 flip_3_4 losses_3 -1
 flip_3_4 losses_4 1
 flip_4_2 obj 0.1927447570217575
 flip_4_2 losses_2 1
 flip_4_2 losses_4 -1
 level losses_1 1
 level losses_0 -1
 level losses_2 -1
 level losses_3 -1
 level losses_4 -1
 MARKER 'MARKER' 'INTEND'
RHS
 RHS losses_1 2
 RHS losses_0 -1
 RHS losses_2 -2
 RHS losses_3 -3
 RHS losses_4 -2
BOUNDS
 UP BOUND flip_0_4 1
 UP BOUND flip_1_0 1
 UP BOUND flip_1_3 1
 UP BOUND flip_2_0 1
 UP BOUND flip_3_0 1
 UP BOUND flip_3_2 1
 UP BOUND flip_3_4 1
 UP BOUND flip_4_2 1
 UP BOUND level 2
ENDATA
