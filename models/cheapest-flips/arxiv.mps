NAME cheapest_flips_1 FREE
ROWS
 N obj
 G losses_1
 G losses_0
 G losses_2
 G losses_3
 G losses_4
 G losses_5
COLUMNS
 MARKER 'MARKER' 'INTORG'
 flip_1_0 obj 0.005008366846356839
 flip_1_0 losses_1 1
 flip_1_0 losses_0 1
 flip_2_0 obj 0.005008366846356839
 flip_2_0 losses_0 1
 flip_2_0 losses_2 -1
 flip_3_0 obj 0.003203422101545811
 flip_3_0 losses_0 1
 flip_3_0 losses_3 -1
 flip_3_2 obj 0.003203422101545811
 flip_3_2 losses_2 1
 flip_3_2 losses_3 -1
 flip_4_0 obj 0.024399093708135908
 flip_4_0 losses_0 1
 flip_4_0 losses_4 -1
 flip_4_2 obj 0.00020001333546712519
 flip_4_2 losses_2 1
 flip_4_2 losses_4 -1
 flip_4_3 obj 0.003203422101545811
 flip_4_3 losses_3 1
 flip_4_3 losses_4 -1
 flip_5_0 obj 0.024399093708135908
 flip_5_0 losses_0 1
 flip_5_0 losses_5 -1
 flip_5_2 obj 0.007217380307572428
 flip_5_2 losses_2 1
 flip_5_2 losses_5 -1
 flip_5_4 obj 0.00020001333546712519
 flip_5_4 losses_4 1
 flip_5_4 losses_5 -1
 tie_3_5 losses_3 -1
 tie_3_5 losses_5 1
 level losses_1 1
 level losses_0 -1
 level losses_2 -1
 level losses_3 -1
 level losses_4 -1
 level losses_5 -1
 MARKER 'MARKER' 'INTEND'
RHS
 RHS losses_1 1
 RHS losses_2 -2
 RHS losses_3 -4
 RHS losses_4 -4
 RHS losses_5 -4
BOUNDS
 UP BOUND flip_1_0 1
 UP BOUND flip_2_0 1
 UP BOUND flip_3_0 1
 UP BOUND flip_3_2 1
 UP BOUND flip_4_0 1
 UP BOUND flip_4_2 1
 UP BOUND flip_4_3 1
 UP BOUND flip_5_0 1
 UP BOUND flip_5_2 1
 UP BOUND flip_5_4 1
 UP BOUND tie_3_5 1
 UP BOUND level 1
ENDATA
