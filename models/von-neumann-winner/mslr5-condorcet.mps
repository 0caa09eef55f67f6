NAME von_neumann FREE
ROWS
 N obj
 G arm_0
 G arm_1
 G arm_2
 G arm_3
 G arm_4
 E total
COLUMNS
 p_0 arm_1 0.03500000000000003
 p_0 arm_2 0.11299999999999999
 p_0 arm_3 0.257
 p_0 arm_4 0.265
 p_0 total 1
 p_1 arm_0 -0.03500000000000003
 p_1 arm_2 0.07999999999999996
 p_1 arm_3 0.22699999999999998
 p_1 arm_4 0.238
 p_1 total 1
 p_2 arm_0 -0.11299999999999999
 p_2 arm_1 -0.07999999999999996
 p_2 arm_3 0.15900000000000003
 p_2 arm_4 0.16900000000000004
 p_2 total 1
 p_3 arm_0 -0.257
 p_3 arm_1 -0.22699999999999998
 p_3 arm_2 -0.15900000000000003
 p_3 arm_4 0.010000000000000009
 p_3 total 1
 p_4 arm_0 -0.265
 p_4 arm_1 -0.238
 p_4 arm_2 -0.16900000000000004
 p_4 arm_3 -0.010000000000000009
 p_4 total 1
 loss obj 1
 loss arm_0 1
 loss arm_1 1
 loss arm_2 1
 loss arm_3 1
 loss arm_4 1
RHS
 RHS total 1
BOUNDS
 UP BOUND p_0 1
 UP BOUND p_1 1
 UP BOUND p_2 1
 UP BOUND p_3 1
 UP BOUND p_4 1
 LO BOUND loss -0.5
 UP BOUND loss 0.5
ENDATA
