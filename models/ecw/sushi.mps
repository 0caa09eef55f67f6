NAME        ecw_0
ROWS
 N  Obj     
 E  settled_1
 E  settled_2
 E  settled_3
 E  settled_4
 E  settled_5
 E  settled_6
 E  settled_7
 E  settled_8
 E  settled_9
 E  settled_10
 E  settled_11
 E  settled_12
 E  settled_13
 E  settled_14
 E  settled_15
COLUMNS
    x_0_1     Obj       115.729628135895
    x_0_1     settled_1  1
    x_0_2     Obj       2.21700153789344
    x_0_2     settled_2  1
    x_0_3     Obj       2.04704918210096
    x_0_3     settled_3  1
    x_0_4     Obj       1.65430498529831
    x_0_4     settled_4  1
    x_0_5     Obj       1.57306440325839
    x_0_5     settled_5  1
    x_0_6     Obj       2.17643695255506
    x_0_6     settled_6  1
    x_0_7     Obj       2.61542143882833
    x_0_7     settled_7  1
    x_0_8     Obj       2.05577173095637
    x_0_8     settled_8  1
    x_0_9     Obj       1.55646257068427
    x_0_9     settled_9  1
    x_0_10    Obj       2.75166373446842
    x_0_10    settled_10  1
    x_0_11    Obj       2.15606971403366
    x_0_11    settled_11  1
    x_0_12    Obj       1.50790107031614
    x_0_12    settled_12  1
    x_0_13    Obj       1.99476749731225
    x_0_13    settled_13  1
    x_0_14    Obj       1.68204713844102
    x_0_14    settled_14  1
    x_0_15    Obj       1.6502948414148
    x_0_15    settled_15  1
    x_1_2     Obj       4.77218045790212
    x_1_3     Obj       1.94477557941209
    x_2_3     Obj       106.236920739879
    x_1_4     Obj       3.55007092012101
    x_2_4     Obj       34.2267037124127
    x_3_4     Obj       41.4551844355361
    x_1_5     Obj       1.24051800098759
    x_2_5     Obj       107.054068321755
    x_3_5     Obj       9.32543510711437
    x_4_5     Obj       887.473948718742
    x_1_6     Obj       4.31127390713063
    x_2_6     Obj       115.251268747271
    x_3_6     Obj       34.3348518127669
    x_4_6     Obj       289.240680943189
    x_5_6     Obj       1084.69038176735
    x_1_7     Obj       3.88955115882417
    x_2_7     Obj       18.0129693166691
    x_3_7     Obj       8.26996043399266
    x_4_7     Obj       565.721362194619
    x_5_7     Obj       57.3209850225355
    x_6_7     Obj       62.0977337744135
    x_1_8     Obj       2.54218536031966
    x_2_8     Obj       31.1637419643852
    x_3_8     Obj       5.86046374799193
    x_4_8     Obj       17.0119591015143
    x_5_8     Obj       38.3733076830465
    x_6_8     Obj       82.9103688710721
    x_7_8     Obj       79.5522303935179
    x_1_9     Obj       3.69948872673836
    x_2_9     Obj       21.0738304505022
    x_3_9     Obj       5.58135700826621
    x_4_9     Obj       149.901528408915
    x_5_9     Obj       15.7792393251886
    x_6_9     Obj       19.4099653837172
    x_7_9     Obj       365.619997759671
    x_8_9     Obj       1967.40367831021
    x_1_10    Obj       2.10802104278922
    x_2_10    Obj       7.57902658766657
    x_3_10    Obj       7.81005769892549
    x_4_10    Obj       11.2518575544551
    x_5_10    Obj       30.0216155277818
    x_6_10    Obj       64.9257040169464
    x_7_10    Obj       73.5183716429971
    x_8_10    Obj       130.00790139627
    x_9_10    Obj       171.052269475409
    x_1_11    Obj       2.04572316927273
    x_2_11    Obj       5.00505803383741
    x_3_11    Obj       5.91228552134624
    x_4_11    Obj       20.4925644362468
    x_5_11    Obj       6.41545672142176
    x_6_11    Obj       24.5564790590801
    x_7_11    Obj       46.6737908635866
    x_8_11    Obj       179.304791112792
    x_9_11    Obj       53.1867121502209
    x_10_11   Obj       85.2149865222421
    x_1_12    Obj       1.82639958792976
    x_2_12    Obj       4.09688980333259
    x_3_12    Obj       2.53894911142554
    x_4_12    Obj       6.82835126042004
    x_5_12    Obj       6.74707511834351
    x_6_12    Obj       7.07161552072633
    x_7_12    Obj       11.0027798294002
    x_8_12    Obj       26.3482426223073
    x_9_12    Obj       27.1739515372041
    x_10_12   Obj       23.2185496034766
    x_11_12   Obj       217.053168189169
    x_1_13    Obj       1.72559517009773
    x_2_13    Obj       8.27897222746617
    x_3_13    Obj       2.35640622954816
    x_4_13    Obj       9.38283519112833
    x_5_13    Obj       3.42382181728419
    x_6_13    Obj       5.51083453457982
    x_7_13    Obj       3.3374242007435
    x_8_13    Obj       4.02440380896124
    x_9_13    Obj       7.45902945469179
    x_10_13   Obj       27.2714373262657
    x_11_13   Obj       19.0180860554353
    x_12_13   Obj       69.9967121478387
    x_1_14    Obj       1.61987462495035
    x_2_14    Obj       3.04339717091928
    x_3_14    Obj       3.02626802373596
    x_4_14    Obj       8.95070926922141
    x_5_14    Obj       2.68727235030819
    x_6_14    Obj       5.74971221158851
    x_7_14    Obj       4.30853124238337
    x_8_14    Obj       8.05900676094044
    x_9_14    Obj       10.9361038089666
    x_10_14   Obj       9.52528252001437
    x_11_14   Obj       10.1276638405664
    x_12_14   Obj       37.5569679727107
    x_13_14   Obj       73.6627739220669
    x_1_15    Obj       1.70664808847228
    x_2_15    Obj       2.52075943706808
    x_3_15    Obj       2.3061831401351
    x_4_15    Obj       3.95874554210101
    x_5_15    Obj       3.19932206142824
    x_6_15    Obj       3.60575349956004
    x_7_15    Obj       4.88006449900749
    x_8_15    Obj       10.9361038089666
    x_9_15    Obj       6.272535282621
    x_10_15   Obj       12.0198681588405
    x_11_15   Obj       7.67674346829773
    x_12_15   Obj       48.5254992070651
    x_13_15   Obj       24.5469330817612
    x_14_15   Obj       65.0261622773333
RHS
    RHS_V     settled_1  1
    RHS_V     settled_2  1
    RHS_V     settled_3  1
    RHS_V     settled_4  1
    RHS_V     settled_5  1
    RHS_V     settled_6  1
    RHS_V     settled_7  1
    RHS_V     settled_8  1
    RHS_V     settled_9  1
    RHS_V     settled_10  1
    RHS_V     settled_11  1
    RHS_V     settled_12  1
    RHS_V     settled_13  1
    RHS_V     settled_14  1
    RHS_V     settled_15  1
BOUNDS
 UP BOUND     x_0_1     1
 UP BOUND     x_0_2     1
 UP BOUND     x_0_3     1
 UP BOUND     x_0_4     1
 UP BOUND     x_0_5     1
 UP BOUND     x_0_6     1
 UP BOUND     x_0_7     1
 UP BOUND     x_0_8     1
 UP BOUND     x_0_9     1
 UP BOUND     x_0_10    1
 UP BOUND     x_0_11    1
 UP BOUND     x_0_12    1
 UP BOUND     x_0_13    1
 UP BOUND     x_0_14    1
 UP BOUND     x_0_15    1
 UP BOUND     x_1_2     1
 UP BOUND     x_1_3     1
 UP BOUND     x_2_3     1
 UP BOUND     x_1_4     1
 UP BOUND     x_2_4     1
 UP BOUND     x_3_4     1
 UP BOUND     x_1_5     1
 UP BOUND     x_2_5     1
 UP BOUND     x_3_5     1
 UP BOUND     x_4_5     1
 UP BOUND     x_1_6     1
 UP BOUND     x_2_6     1
 UP BOUND     x_3_6     1
 UP BOUND     x_4_6     1
 UP BOUND     x_5_6     1
 UP BOUND     x_1_7     1
 UP BOUND     x_2_7     1
 UP BOUND     x_3_7     1
 UP BOUND     x_4_7     1
 UP BOUND     x_5_7     1
 UP BOUND     x_6_7     1
 UP BOUND     x_1_8     1
 UP BOUND     x_2_8     1
 UP BOUND     x_3_8     1
 UP BOUND     x_4_8     1
 UP BOUND     x_5_8     1
 UP BOUND     x_6_8     1
 UP BOUND     x_7_8     1
 UP BOUND     x_1_9     1
 UP BOUND     x_2_9     1
 UP BOUND     x_3_9     1
 UP BOUND     x_4_9     1
 UP BOUND     x_5_9     1
 UP BOUND     x_6_9     1
 UP BOUND     x_7_9     1
 UP BOUND     x_8_9     1
 UP BOUND     x_1_10    1
 UP BOUND     x_2_10    1
 UP BOUND     x_3_10    1
 UP BOUND     x_4_10    1
 UP BOUND     x_5_10    1
 UP BOUND     x_6_10    1
 UP BOUND     x_7_10    1
 UP BOUND     x_8_10    1
 UP BOUND     x_9_10    1
 UP BOUND     x_1_11    1
 UP BOUND     x_2_11    1
 UP BOUND     x_3_11    1
 UP BOUND     x_4_11    1
 UP BOUND     x_5_11    1
 UP BOUND     x_6_11    1
 UP BOUND     x_7_11    1
 UP BOUND     x_8_11    1
 UP BOUND     x_9_11    1
 UP BOUND     x_10_11   1
 UP BOUND     x_1_12    1
 UP BOUND     x_2_12    1
 UP BOUND     x_3_12    1
 UP BOUND     x_4_12    1
 UP BOUND     x_5_12    1
 UP BOUND     x_6_12    1
 UP BOUND     x_7_12    1
 UP BOUND     x_8_12    1
 UP BOUND     x_9_12    1
 UP BOUND     x_10_12   1
 UP BOUND     x_11_12   1
 UP BOUND     x_1_13    1
 UP BOUND     x_2_13    1
 UP BOUND     x_3_13    1
 UP BOUND     x_4_13    1
 UP BOUND     x_5_13    1
 UP BOUND     x_6_13    1
 UP BOUND     x_7_13    1
 UP BOUND     x_8_13    1
 UP BOUND     x_9_13    1
 UP BOUND     x_10_13   1
 UP BOUND     x_11_13   1
 UP BOUND     x_12_13   1
 UP BOUND     x_1_14    1
 UP BOUND     x_2_14    1
 UP BOUND     x_3_14    1
 UP BOUND     x_4_14    1
 UP BOUND     x_5_14    1
 UP BOUND     x_6_14    1
 UP BOUND     x_7_14    1
 UP BOUND     x_8_14    1
 UP BOUND     x_9_14    1
 UP BOUND     x_10_14   1
 UP BOUND     x_11_14   1
 UP BOUND     x_12_14   1
 UP BOUND     x_13_14   1
 UP BOUND     x_1_15    1
 UP BOUND     x_2_15    1
 UP BOUND     x_3_15    1
 UP BOUND     x_4_15    1
 UP BOUND     x_5_15    1
 UP BOUND     x_6_15    1
 UP BOUND     x_7_15    1
 UP BOUND     x_8_15    1
 UP BOUND     x_9_15    1
 UP BOUND     x_10_15   1
 UP BOUND     x_11_15   1
 UP BOUND     x_12_15   1
 UP BOUND     x_13_15   1
 UP BOUND     x_14_15   1
ENDATA
