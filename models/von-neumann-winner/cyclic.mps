NAME von_neumann FREE
ROWS
 N obj
 G arm_0
 G arm_1
 G arm_2
 G arm_3
 E total
COLUMNS
 p_0 arm_1 0.09999999999999998
 p_0 arm_2 0.09999999999999998
 p_0 arm_3 0.09999999999999998
 p_0 total 1
 p_1 arm_0 -0.09999999999999998
 p_1 arm_2 0.4
 p_1 arm_3 -0.4
 p_1 total 1
 p_2 arm_0 -0.09999999999999998
 p_2 arm_1 -0.4
 p_2 arm_3 0.4
 p_2 total 1
 p_3 arm_0 -0.09999999999999998
 p_3 arm_1 0.4
 p_3 arm_2 -0.4
 p_3 total 1
 loss obj 1
 loss arm_0 1
 loss arm_1 1
 loss arm_2 1
 loss arm_3 1
RHS
 RHS total 1
BOUNDS
 UP BOUND p_0 1
 UP BOUND p_1 1
 UP BOUND p_2 1
 UP BOUND p_3 1
 LO BOUND loss -0.5
 UP BOUND loss 0.5
ENDATA
