NAME        copeland_0
ROWS
 N  Obj     
 G  row_0   
 G  row_1   
 G  row_2   
 G  row_3   
 G  row_4   
 G  row_5   
 G  row_6   
 G  row_7   
 G  row_8   
 G  row_9   
 G  row_10  
 G  row_11  
 G  row_12  
 G  row_13  
 G  row_14  
 G  row_15  
 G  row_16  
 G  row_17  
 G  row_18  
 G  row_19  
 G  row_20  
 G  row_21  
 G  row_22  
 G  row_23  
 G  row_24  
 G  row_25  
 G  row_26  
 G  row_27  
 G  row_28  
 G  row_29  
COLUMNS
    x_0_1     Obj       0.648526071118447
    x_0_1     row_3     1
    x_0_1     row_4     1
    x_0_1     row_5     1
    x_0_1     row_6     1
    x_0_1     row_8     1
    x_0_1     row_10    1
    x_0_1     row_12    1
    x_0_1     row_14    1
    x_0_1     row_15    1
    x_0_1     row_18    1
    x_0_1     row_21    1
    x_0_1     row_22    1
    x_0_1     row_27    1
    x_0_1     row_28    1
    x_0_2     Obj       0.648526071118447
    x_0_2     row_0     1
    x_0_2     row_2     1
    x_0_2     row_4     1
    x_0_2     row_9     1
    x_0_2     row_10    1
    x_0_2     row_11    1
    x_0_2     row_13    1
    x_0_2     row_14    1
    x_0_2     row_15    1
    x_0_2     row_19    1
    x_0_2     row_23    1
    x_0_2     row_24    1
    x_0_2     row_27    1
    x_0_2     row_29    1
    x_0_3     Obj       1249.91665888743
    x_0_3     row_1     1
    x_0_3     row_2     1
    x_0_3     row_5     1
    x_0_3     row_7     1
    x_0_3     row_8     1
    x_0_3     row_11    1
    x_0_3     row_16    1
    x_0_3     row_17    1
    x_0_3     row_18    1
    x_0_3     row_19    1
    x_0_3     row_25    1
    x_0_3     row_26    1
    x_0_3     row_28    1
    x_0_3     row_29    1
    x_1_3     Obj       1.94557821335534
    x_1_3     row_0     1
    x_1_3     row_1     1
    x_1_2     Obj       1.29705214223689
    x_1_2     row_6     1
    x_1_2     row_7     1
    x_2_3     Obj       1.94557821335534
    x_2_3     row_12    1
    x_2_3     row_13    1
    x_2_3     row_14    1
    x_2_3     row_16    1
    x_3_4     Obj       1.94557821335534
    x_3_4     row_12    1
    x_3_4     row_13    1
    x_3_4     row_15    1
    x_3_4     row_17    1
    x_1_4     Obj       1.29705214223689
    x_1_4     row_20    1
    x_1_4     row_21    1
    x_1_4     row_23    1
    x_1_4     row_25    1
    x_2_4     Obj       1.29705214223689
    x_2_4     row_20    1
    x_2_4     row_22    1
    x_2_4     row_24    1
    x_2_4     row_26    1
RHS
    RHS_V     row_0     1
    RHS_V     row_1     1
    RHS_V     row_2     1
    RHS_V     row_3     1
    RHS_V     row_4     1
    RHS_V     row_5     1
    RHS_V     row_6     1
    RHS_V     row_7     1
    RHS_V     row_8     1
    RHS_V     row_9     1
    RHS_V     row_10    1
    RHS_V     row_11    1
    RHS_V     row_12    1
    RHS_V     row_13    1
    RHS_V     row_14    1
    RHS_V     row_15    1
    RHS_V     row_16    1
    RHS_V     row_17    1
    RHS_V     row_18    1
    RHS_V     row_19    1
    RHS_V     row_20    1
    RHS_V     row_21    1
    RHS_V     row_22    1
    RHS_V     row_23    1
    RHS_V     row_24    1
    RHS_V     row_25    1
    RHS_V     row_26    1
    RHS_V     row_27    1
    RHS_V     row_28    1
    RHS_V     row_29    1
BOUNDS
 UP BOUND     x_0_1     1
 UP BOUND     x_0_2     1
 UP BOUND     x_0_3     1
 UP BOUND     x_1_3     1
 UP BOUND     x_1_2     1
 UP BOUND     x_2_3     1
 UP BOUND     x_3_4     1
 UP BOUND     x_1_4     1
 UP BOUND     x_2_4     1
ENDATA
