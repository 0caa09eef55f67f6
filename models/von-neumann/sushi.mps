NAME        von_neumann
ROWS
 N  Obj     
 G  arm_0   
 G  arm_1   
 G  arm_2   
 G  arm_3   
 G  arm_4   
 G  arm_5   
 G  arm_6   
 G  arm_7   
 G  arm_8   
 G  arm_9   
 G  arm_10  
 G  arm_11  
 G  arm_12  
 G  arm_13  
 G  arm_14  
 G  arm_15  
 E  total   
COLUMNS
    p_0       arm_1     0.012
    p_0       arm_2     0.122
    p_0       arm_3     0.155
    p_0       arm_4     0.198
    p_0       arm_5     0.226
    p_0       arm_6     0.211
    p_0       arm_7     0.208
    p_0       arm_8     0.249
    p_0       arm_9     0.3
    p_0       arm_10    0.241
    p_0       arm_11    0.283
    p_0       arm_12    0.347
    p_0       arm_13    0.317
    p_0       arm_14    0.354
    p_0       arm_15    0.368
    p_0       total     1
    p_1       arm_0     -0.012
    p_1       arm_2     0.102
    p_1       arm_3     0.183
    p_1       arm_4     0.152
    p_1       arm_5     0.276
    p_1       arm_6     0.163
    p_1       arm_7     0.183
    p_1       arm_8     0.238
    p_1       arm_9     0.209
    p_1       arm_10    0.286
    p_1       arm_11    0.302
    p_1       arm_12    0.33
    p_1       arm_13    0.35
    p_1       arm_14    0.371
    p_1       arm_15    0.373
    p_1       total     1
    p_2       arm_0     -0.122
    p_2       arm_1     -0.102
    p_2       arm_3     0.028
    p_2       arm_4     0.054
    p_2       arm_5     0.033
    p_2       arm_6     0.034
    p_2       arm_7     0.091
    p_2       arm_8     0.073
    p_2       arm_9     0.093
    p_2       arm_10    0.161
    p_2       arm_11    0.205
    p_2       arm_12    0.234
    p_2       arm_13    0.172
    p_2       arm_14    0.287
    p_2       arm_15    0.322
    p_2       total     1
    p_3       arm_0     -0.155
    p_3       arm_1     -0.183
    p_3       arm_2     -0.028
    p_3       arm_4     0.053
    p_3       arm_5     0.119
    p_3       arm_6     0.0659999999999999
    p_3       arm_7     0.141
    p_3       arm_8     0.175
    p_3       arm_9     0.187
    p_3       arm_10    0.165
    p_3       arm_11    0.196
    p_3       arm_12    0.303
    p_3       arm_13    0.323
    p_3       arm_14    0.296
    p_3       arm_15    0.344
    p_3       total     1
    p_4       arm_0     -0.198
    p_4       arm_1     -0.152
    p_4       arm_2     -0.054
    p_4       arm_3     -0.053
    p_4       arm_5     0.013
    p_4       arm_6     0.024
    p_4       arm_7     0.018
    p_4       arm_8     0.108
    p_4       arm_9     0.038
    p_4       arm_10    0.143
    p_4       arm_11    0.11
    p_4       arm_12    0.195
    p_4       arm_13    0.172
    p_4       arm_14    0.181
    p_4       arm_15    0.275
    p_4       total     1
    p_5       arm_0     -0.226
    p_5       arm_1     -0.276
    p_5       arm_2     -0.033
    p_5       arm_3     -0.119
    p_5       arm_4     -0.013
    p_5       arm_6     0.013
    p_5       arm_7     0.0590000000000001
    p_5       arm_8     0.075
    p_5       arm_9     0.121
    p_5       arm_10    0.091
    p_5       arm_11    0.201
    p_5       arm_12    0.202
    p_5       arm_13    0.287
    p_5       arm_14    0.329
    p_5       arm_15    0.311
    p_5       total     1
    p_6       arm_0     -0.211
    p_6       arm_1     -0.163
    p_6       arm_2     -0.034
    p_6       arm_3     -0.0659999999999999
    p_6       arm_4     -0.024
    p_6       arm_5     -0.013
    p_6       arm_7     0.0590000000000001
    p_6       arm_8     0.053
    p_6       arm_9     0.113
    p_6       arm_10    0.0639999999999999
    p_6       arm_11    0.107
    p_6       arm_12    0.203
    p_6       arm_13    0.235
    p_6       arm_14    0.236
    p_6       arm_15    0.301
    p_6       total     1
    p_7       arm_0     -0.208
    p_7       arm_1     -0.183
    p_7       arm_2     -0.091
    p_7       arm_3     -0.141
    p_7       arm_4     -0.018
    p_7       arm_5     -0.0590000000000001
    p_7       arm_6     -0.0590000000000001
    p_7       arm_8     0.056
    p_7       arm_9     0.027
    p_7       arm_10    0.0620000000000001
    p_7       arm_11    0.08
    p_7       arm_12    0.168
    p_7       arm_13    0.305
    p_7       arm_14    0.277
    p_7       arm_15    0.267
    p_7       total     1
    p_8       arm_0     -0.249
    p_8       arm_1     -0.238
    p_8       arm_2     -0.073
    p_8       arm_3     -0.175
    p_8       arm_4     -0.108
    p_8       arm_5     -0.075
    p_8       arm_6     -0.053
    p_8       arm_7     -0.056
    p_8       arm_9     0.012
    p_8       arm_10    0.048
    p_8       arm_11    0.042
    p_8       arm_12    0.112
    p_8       arm_13    0.286
    p_8       arm_14    0.21
    p_8       arm_15    0.185
    p_8       total     1
    p_9       arm_0     -0.3
    p_9       arm_1     -0.209
    p_9       arm_2     -0.093
    p_9       arm_3     -0.187
    p_9       arm_4     -0.038
    p_9       arm_5     -0.121
    p_9       arm_6     -0.113
    p_9       arm_7     -0.027
    p_9       arm_8     -0.012
    p_9       arm_10    0.043
    p_9       arm_11    0.079
    p_9       arm_12    0.113
    p_9       arm_13    0.218
    p_9       arm_14    0.185
    p_9       arm_15    0.247
    p_9       total     1
    p_10      arm_0     -0.241
    p_10      arm_1     -0.286
    p_10      arm_2     -0.161
    p_10      arm_3     -0.165
    p_10      arm_4     -0.143
    p_10      arm_5     -0.091
    p_10      arm_6     -0.0639999999999999
    p_10      arm_7     -0.0620000000000001
    p_10      arm_8     -0.048
    p_10      arm_9     -0.043
    p_10      arm_11    0.0639999999999999
    p_10      arm_12    0.125
    p_10      arm_13    0.118
    p_10      arm_14    0.202
    p_10      arm_15    0.184
    p_10      total     1
    p_11      arm_0     -0.283
    p_11      arm_1     -0.302
    p_11      arm_2     -0.205
    p_11      arm_3     -0.196
    p_11      arm_4     -0.11
    p_11      arm_5     -0.201
    p_11      arm_6     -0.107
    p_11      arm_7     -0.08
    p_11      arm_8     -0.042
    p_11      arm_9     -0.079
    p_11      arm_10    -0.0639999999999999
    p_11      arm_12    0.042
    p_11      arm_13    0.144
    p_11      arm_14    0.2
    p_11      arm_15    0.233
    p_11      total     1
    p_12      arm_0     -0.347
    p_12      arm_1     -0.33
    p_12      arm_2     -0.234
    p_12      arm_3     -0.303
    p_12      arm_4     -0.195
    p_12      arm_5     -0.202
    p_12      arm_6     -0.203
    p_12      arm_7     -0.168
    p_12      arm_8     -0.112
    p_12      arm_9     -0.113
    p_12      arm_10    -0.125
    p_12      arm_11    -0.042
    p_12      arm_13    0.077
    p_12      arm_14    0.107
    p_12      arm_15    0.096
    p_12      total     1
    p_13      arm_0     -0.317
    p_13      arm_1     -0.35
    p_13      arm_2     -0.172
    p_13      arm_3     -0.323
    p_13      arm_4     -0.172
    p_13      arm_5     -0.287
    p_13      arm_6     -0.235
    p_13      arm_7     -0.305
    p_13      arm_8     -0.286
    p_13      arm_9     -0.218
    p_13      arm_10    -0.118
    p_13      arm_11    -0.144
    p_13      arm_12    -0.077
    p_13      arm_14    0.078
    p_13      arm_15    0.137
    p_13      total     1
    p_14      arm_0     -0.354
    p_14      arm_1     -0.371
    p_14      arm_2     -0.287
    p_14      arm_3     -0.296
    p_14      arm_4     -0.181
    p_14      arm_5     -0.329
    p_14      arm_6     -0.236
    p_14      arm_7     -0.277
    p_14      arm_8     -0.21
    p_14      arm_9     -0.185
    p_14      arm_10    -0.202
    p_14      arm_11    -0.2
    p_14      arm_12    -0.107
    p_14      arm_13    -0.078
    p_14      arm_15    0.086
    p_14      total     1
    p_15      arm_0     -0.368
    p_15      arm_1     -0.373
    p_15      arm_2     -0.322
    p_15      arm_3     -0.344
    p_15      arm_4     -0.275
    p_15      arm_5     -0.311
    p_15      arm_6     -0.301
    p_15      arm_7     -0.267
    p_15      arm_8     -0.185
    p_15      arm_9     -0.247
    p_15      arm_10    -0.184
    p_15      arm_11    -0.233
    p_15      arm_12    -0.096
    p_15      arm_13    -0.137
    p_15      arm_14    -0.086
    p_15      total     1
    loss      Obj       1
    loss      arm_0     1
    loss      arm_1     1
    loss      arm_2     1
    loss      arm_3     1
    loss      arm_4     1
    loss      arm_5     1
    loss      arm_6     1
    loss      arm_7     1
    loss      arm_8     1
    loss      arm_9     1
    loss      arm_10    1
    loss      arm_11    1
    loss      arm_12    1
    loss      arm_13    1
    loss      arm_14    1
    loss      arm_15    1
RHS
    RHS_V     total     1
BOUNDS
 UP BOUND     p_0       1
 UP BOUND     p_1       1
 UP BOUND     p_2       1
 UP BOUND     p_3       1
 UP BOUND     p_4       1
 UP BOUND     p_5       1
 UP BOUND     p_6       1
 UP BOUND     p_7       1
 UP BOUND     p_8       1
 UP BOUND     p_9       1
 UP BOUND     p_10      1
 UP BOUND     p_11      1
 UP BOUND     p_12      1
 UP BOUND     p_13      1
 UP BOUND     p_14      1
 UP BOUND     p_15      1
 LO BOUND     loss      -0.5
 UP BOUND     loss      0.5
ENDATA
