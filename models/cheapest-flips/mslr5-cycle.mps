NAME cheapest_flips_4 FREE
ROWS
 N obj
 G losses_4
 G losses_0
 G losses_1
 G losses_2
 G losses_3
COLUMNS
 MARKER 'MARKER' 'INTORG'
 flip_0_1 obj 0.0005120874171443759
 flip_0_1 losses_0 -1
 flip_0_1 losses_1 1
 flip_1_2 obj 0.0007221738617755914
 flip_1_2 losses_1 -1
 flip_1_2 losses_2 1
 flip_2_0 obj 0.0007221738617755914
 flip_2_0 losses_0 1
 flip_2_0 losses_2 -1
 flip_3_0 obj 0.0016829443125813935
 flip_3_0 losses_0 1
 flip_3_0 losses_3 -1
 flip_3_1 obj 0.0018010815582060503
 flip_3_1 losses_1 1
 flip_3_1 losses_3 -1
 flip_3_2 obj 3.200034134207257e-05
 flip_3_2 losses_2 1
 flip_3_2 losses_3 -1
 flip_4_0 obj 0.0006481400406098264
 flip_4_0 losses_4 1
 flip_4_0 losses_0 1
 flip_4_1 obj 0.0030450921192127015
 flip_4_1 losses_4 1
 flip_4_1 losses_1 1
 flip_4_2 obj 0.0002880276543720667
 flip_4_2 losses_4 1
 flip_4_2 losses_2 1
 flip_4_3 obj 1.8000108001555402e-05
 flip_4_3 losses_4 1
 flip_4_3 losses_3 1
 level losses_4 1
 level losses_0 -1
 level losses_1 -1
 level losses_2 -1
 level losses_3 -1
 MARKER 'MARKER' 'INTEND'
RHS
 RHS losses_4 4
 RHS losses_0 -1
 RHS losses_1 -1
 RHS losses_2 -1
 RHS losses_3 -3
BOUNDS
 UP BOUND flip_0_1 1
 UP BOUND flip_1_2 1
 UP BOUND flip_2_0 1
 UP BOUND flip_3_0 1
 UP BOUND flip_3_1 1
 UP BOUND flip_3_2 1
 UP BOUND flip_4_0 1
 UP BOUND flip_4_1 1
 UP BOUND flip_4_2 1
 UP BOUND flip_4_3 1
 UP BOUND level 4
ENDATA
