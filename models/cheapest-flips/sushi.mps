NAME cheapest_flips_1 FREE
ROWS
 N obj
 G losses_1
 G losses_0
 G losses_2
 G losses_3
 G losses_4
 G losses_5
 G losses_6
 G losses_7
 G losses_8
 G losses_9
 G losses_10
 G losses_11
 G losses_12
 G losses_13
 G losses_14
 G losses_15
COLUMNS
 MARKER 'MARKER' 'INTORG'
 flip_1_0 obj 0.0002880276543720667
 flip_1_0 losses_1 1
 flip_1_0 losses_0 1
 flip_2_0 obj 0.03007064520578201
 flip_2_0 losses_0 1
 flip_2_0 losses_2 -1
 flip_3_0 obj 0.04885080479471737
 flip_3_0 losses_0 1
 flip_3_0 losses_3 -1
 flip_3_2 obj 0.0015688205710964569
 flip_3_2 losses_2 1
 flip_3_2 losses_3 -1
 flip_4_0 obj 0.0805977945531548
 flip_4_0 losses_0 1
 flip_4_0 losses_4 -1
 flip_4_2 obj 0.005843390636752072
 flip_4_2 losses_2 1
 flip_4_2 losses_4 -1
 flip_4_3 obj 0.005628568211924687
 flip_4_3 losses_3 1
 flip_4_3 losses_4 -1
 flip_5_0 obj 0.10595031349094144
 flip_5_0 losses_0 1
 flip_5_0 losses_5 -1
 flip_5_2 obj 0.002179583989578446
 flip_5_2 losses_2 1
 flip_5_2 losses_5 -1
 flip_5_3 obj 0.0285956272928463
 flip_5_3 losses_3 1
 flip_5_3 losses_5 -1
 flip_5_4 obj 0.0003380380916342546
 flip_5_4 losses_4 1
 flip_5_4 losses_5 -1
 flip_6_0 obj 0.09189331203240539
 flip_6_0 losses_0 1
 flip_6_0 losses_6 -1
 flip_6_2 obj 0.0023137850851032843
 flip_6_2 losses_2 1
 flip_6_2 losses_6 -1
 flip_6_3 obj 0.008737477640385495
 flip_6_3 losses_3 1
 flip_6_3 losses_6 -1
 flip_6_4 obj 0.0011524427761902718
 flip_6_4 losses_4 1
 flip_6_4 losses_6 -1
 flip_6_5 obj 0.0003380380916342546
 flip_6_5 losses_5 1
 flip_6_5 losses_6 -1
 flip_7_0 obj 0.08921443017530006
 flip_7_0 losses_0 1
 flip_7_0 losses_7 -1
 flip_7_2 obj 0.016654666686318195
 flip_7_2 losses_2 1
 flip_7_2 losses_7 -1
 flip_7_3 obj 0.04030652093124987
 flip_7_3 losses_3 1
 flip_7_3 losses_7 -1
 flip_7_4 obj 0.0006481400406098264
 flip_7_4 losses_4 1
 flip_7_4 losses_7 -1
 flip_7_5 obj 0.006978247143567783
 flip_7_5 losses_5 1
 flip_7_5 losses_7 -1
 flip_7_6 obj 0.006978247143567783
 flip_7_6 losses_6 1
 flip_7_6 losses_7 -1
 flip_8_0 obj 0.12971608795428344
 flip_8_0 losses_0 1
 flip_8_0 losses_8 -1
 flip_8_2 obj 0.010696190903976693
 flip_8_2 losses_2 1
 flip_8_2 losses_8 -1
 flip_8_3 obj 0.0625661521739306
 flip_8_3 losses_3 1
 flip_8_3 losses_8 -1
 flip_8_4 obj 0.023512871011099112
 flip_8_4 losses_4 1
 flip_8_4 losses_8 -1
 flip_8_5 obj 0.011292571829161907
 flip_8_5 losses_5 1
 flip_8_5 losses_8 -1
 flip_8_6 obj 0.005628568211924687
 flip_8_6 losses_6 1
 flip_8_6 losses_8 -1
 flip_8_7 obj 0.006285178901039856
 flip_8_7 losses_7 1
 flip_8_7 losses_8 -1
 flip_9_0 obj 0.1927447570217575
 flip_9_0 losses_0 1
 flip_9_0 losses_9 -1
 flip_9_2 obj 0.017399146658595613
 flip_9_2 losses_2 1
 flip_9_2 losses_9 -1
 flip_9_3 obj 0.07166715897363024
 flip_9_3 losses_3 1
 flip_9_3 losses_9 -1
 flip_9_4 obj 0.0028907866246116326
 flip_9_4 losses_4 1
 flip_9_4 losses_9 -1
 flip_9_5 obj 0.02957472518473815
 flip_9_5 losses_5 1
 flip_9_5 losses_9 -1
 flip_9_6 obj 0.02575996350923139
 flip_9_6 losses_6 1
 flip_9_6 losses_9 -1
 flip_9_7 obj 0.0014587094157904983
 flip_9_7 losses_7 1
 flip_9_7 losses_9 -1
 flip_9_8 obj 0.0002880276543720667
 flip_9_8 losses_8 1
 flip_9_8 losses_9 -1
 flip_10_0 obj 0.12113883290238892
 flip_10_0 losses_0 1
 flip_10_0 losses_10 -1
 flip_10_2 obj 0.05277722612174557
 flip_10_2 losses_2 1
 flip_10_2 losses_10 -1
 flip_10_3 obj 0.05548401177534856
 flip_10_3 losses_3 1
 flip_10_3 losses_10 -1
 flip_10_4 obj 0.0414746333579287
 flip_10_4 losses_4 1
 flip_10_4 losses_10 -1
 flip_10_5 obj 0.016654666686318195
 flip_10_5 losses_5 1
 flip_10_5 losses_10 -1
 flip_10_6 obj 0.008214517522892428
 flip_10_6 losses_6 1
 flip_10_6 losses_10 -1
 flip_10_7 obj 0.007707823962946059
 flip_10_7 losses_7 1
 flip_10_7 losses_10 -1
 flip_10_8 obj 0.004615104109489274
 flip_10_8 losses_8 1
 flip_10_8 losses_10 -1
 flip_10_9 obj 0.003702571940586756
 flip_10_9 losses_9 1
 flip_10_9 losses_10 -1
 flip_11_0 obj 0.17006252825688684
 flip_11_0 losses_0 1
 flip_11_0 losses_11 -1
 flip_11_2 obj 0.08657908268070447
 flip_11_2 losses_2 1
 flip_11_2 losses_11 -1
 flip_11_3 obj 0.07893168639805564
 flip_11_3 losses_3 1
 flip_11_3 losses_11 -1
 flip_11_4 obj 0.024399093708135908
 flip_11_4 losses_4 1
 flip_11_4 losses_11 -1
 flip_11_5 obj 0.08313255883287113
 flip_11_5 losses_5 1
 flip_11_5 losses_11 -1
 flip_11_6 obj 0.023076055215543373
 flip_11_6 losses_6 1
 flip_11_6 losses_11 -1
 flip_11_7 obj 0.012855180367791832
 flip_11_7 losses_7 1
 flip_11_7 losses_11 -1
 flip_11_8 obj 0.0035321606823932247
 flip_11_8 losses_8 1
 flip_11_8 losses_11 -1
 flip_11_9 obj 0.012534459072855067
 flip_11_9 losses_9 1
 flip_11_9 losses_11 -1
 flip_11_10 obj 0.008214517522892428
 flip_11_10 losses_10 1
 flip_11_10 losses_11 -1
 flip_12_0 obj 0.26526939192114085
 flip_12_0 losses_0 1
 flip_12_0 losses_12 -1
 flip_12_2 obj 0.1139075467167946
 flip_12_2 losses_2 1
 flip_12_2 losses_12 -1
 flip_12_3 obj 0.1969318714384417
 flip_12_3 losses_3 1
 flip_12_3 losses_12 -1
 flip_12_4 obj 0.0781057261105993
 flip_12_4 losses_4 1
 flip_12_4 losses_12 -1
 flip_12_5 obj 0.08398701018253818
 flip_12_5 losses_5 1
 flip_12_5 losses_12 -1
 flip_12_6 obj 0.08484624174510744
 flip_12_6 losses_6 1
 flip_12_6 losses_12 -1
 flip_12_7 obj 0.057561211180561844
 flip_12_7 losses_7 1
 flip_12_7 losses_12 -1
 flip_12_8 obj 0.02530213024918193
 flip_12_8 losses_8 1
 flip_12_8 losses_12 -1
 flip_12_9 obj 0.02575996350923139
 flip_12_9 losses_9 1
 flip_12_9 losses_12 -1
 flip_12_10 obj 0.03158394240196326
 flip_12_10 losses_10 1
 flip_12_10 losses_12 -1
 flip_12_11 obj 0.0035321606823932247
 flip_12_11 losses_11 1
 flip_12_11 losses_12 -1
 flip_13_0 obj 0.21723500804841056
 flip_13_0 losses_0 1
 flip_13_0 losses_13 -1
 flip_13_2 obj 0.06039396995936391
 flip_13_2 losses_2 1
 flip_13_2 losses_13 -1
 flip_13_3 obj 0.2263333574006044
 flip_13_3 losses_3 1
 flip_13_3 losses_13 -1
 flip_13_4 obj 0.06039396995936391
 flip_13_4 losses_4 1
 flip_13_4 losses_13 -1
 flip_13_5 obj 0.1752427643784122
 flip_13_5 losses_5 1
 flip_13_5 losses_13 -1
 flip_13_6 obj 0.11492512238559205
 flip_13_6 losses_6 1
 flip_13_6 losses_13 -1
 flip_13_7 obj 0.19975484881968247
 flip_13_7 losses_7 1
 flip_13_7 losses_13 -1
 flip_13_8 obj 0.17393880764184083
 flip_13_8 losses_8 1
 flip_13_8 losses_13 -1
 flip_13_9 obj 0.09831484615898126
 flip_13_9 losses_9 1
 flip_13_9 losses_13 -1
 flip_13_10 obj 0.028112440774372874
 flip_13_10 losses_10 1
 flip_13_10 losses_13 -1
 flip_13_11 obj 0.04206522137233483
 flip_13_11 losses_11 1
 flip_13_11 losses_13 -1
 flip_13_12 obj 0.011905321089557275
 flip_13_12 losses_12 1
 flip_13_12 losses_13 -1
 flip_14_0 obj 0.27743970784266403
 flip_14_0 losses_0 1
 flip_14_0 losses_14 -1
 flip_14_2 obj 0.1752427643784122
 flip_14_2 losses_2 1
 flip_14_2 losses_14 -1
 flip_14_3 obj 0.1872493322541573
 flip_14_3 losses_3 1
 flip_14_3 losses_14 -1
 flip_14_4 obj 0.06703379385399164
 flip_14_4 losses_4 1
 flip_14_4 losses_14 -1
 flip_14_5 obj 0.23567887834692255
 flip_14_5 losses_5 1
 flip_14_5 losses_14 -1
 flip_14_6 obj 0.1159478321928886
 flip_14_6 losses_6 1
 flip_14_6 losses_14 -1
 flip_14_7 obj 0.16246835884907682
 flip_14_7 losses_7 1
 flip_14_7 losses_14 -1
 flip_14_8 obj 0.09099549796726533
 flip_14_8 losses_8 1
 flip_14_8 losses_14 -1
 flip_14_9 obj 0.07010418701750704
 flip_14_9 losses_9 1
 flip_14_9 losses_14 -1
 flip_14_10 obj 0.08398701018253818
 flip_14_10 losses_10 1
 flip_14_10 losses_14 -1
 flip_14_11 obj 0.08228287850505184
 flip_14_11 losses_11 1
 flip_14_11 losses_14 -1
 flip_14_12 obj 0.023076055215543373
 flip_14_12 losses_12 1
 flip_14_12 losses_14 -1
 flip_14_13 obj 0.01221784019363939
 flip_14_13 losses_13 1
 flip_14_13 losses_14 -1
 flip_15_0 obj 0.3029761636843932
 flip_15_0 losses_0 1
 flip_15_0 losses_15 -1
 flip_15_2 obj 0.22479997826597922
 flip_15_2 losses_2 1
 flip_15_2 losses_15 -1
 flip_15_3 obj 0.26017014414772377
 flip_15_3 losses_3 1
 flip_15_3 losses_15 -1
 flip_15_4 obj 0.15998333982264676
 flip_15_4 losses_4 1
 flip_15_4 losses_15 -1
 flip_15_5 obj 0.20837747931168063
 flip_15_5 losses_5 1
 flip_15_5 losses_15 -1
 flip_15_6 obj 0.194134180299738
 flip_15_6 losses_6 1
 flip_15_6 losses_15 -1
 flip_15_7 obj 0.150271237907302
 flip_15_7 losses_7 1
 flip_15_7 losses_15 -1
 flip_15_8 obj 0.07010418701750704
 flip_15_8 losses_8 1
 flip_15_8 losses_15 -1
 flip_15_9 obj 0.1275401355200854
 flip_15_9 losses_9 1
 flip_15_9 losses_15 -1
 flip_15_10 obj 0.06932965672509706
 flip_15_10 losses_10 1
 flip_15_10 losses_15 -1
 flip_15_11 obj 0.11289509285359045
 flip_15_11 losses_11 1
 flip_15_11 losses_15 -1
 flip_15_12 obj 0.018546949845061333
 flip_15_12 losses_12 1
 flip_15_12 losses_15 -1
 flip_15_13 obj 0.03802240101541714
 flip_15_13 losses_13 1
 flip_15_13 losses_15 -1
 flip_15_14 obj 0.014865811433617787
 flip_15_14 losses_14 1
 flip_15_14 losses_15 -1
 level losses_1 1
 level losses_0 -1
 level losses_2 -1
 level losses_3 -1
 level losses_4 -1
 level losses_5 -1
 level losses_6 -1
 level losses_7 -1
 level losses_8 -1
 level losses_9 -1
 level losses_10 -1
 level losses_11 -1
 level losses_12 -1
 level losses_13 -1
 level losses_14 -1
 level losses_15 -1
 MARKER 'MARKER' 'INTEND'
RHS
 RHS losses_1 1
 RHS losses_2 -2
 RHS losses_3 -3
 RHS losses_4 -4
 RHS losses_5 -5
 RHS losses_6 -6
 RHS losses_7 -7
 RHS losses_8 -8
 RHS losses_9 -9
 RHS losses_10 -10
 RHS losses_11 -11
 RHS losses_12 -12
 RHS losses_13 -13
 RHS losses_14 -14
 RHS losses_15 -15
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
 UP BOUND flip_5_3 1
 UP BOUND flip_5_4 1
 UP BOUND flip_6_0 1
 UP BOUND flip_6_2 1
 UP BOUND flip_6_3 1
 UP BOUND flip_6_4 1
 UP BOUND flip_6_5 1
 UP BOUND flip_7_0 1
 UP BOUND flip_7_2 1
 UP BOUND flip_7_3 1
 UP BOUND flip_7_4 1
 UP BOUND flip_7_5 1
 UP BOUND flip_7_6 1
 UP BOUND flip_8_0 1
 UP BOUND flip_8_2 1
 UP BOUND flip_8_3 1
 UP BOUND flip_8_4 1
 UP BOUND flip_8_5 1
 UP BOUND flip_8_6 1
 UP BOUND flip_8_7 1
 UP BOUND flip_9_0 1
 UP BOUND flip_9_2 1
 UP BOUND flip_9_3 1
 UP BOUND flip_9_4 1
 UP BOUND flip_9_5 1
 UP BOUND flip_9_6 1
 UP BOUND flip_9_7 1
 UP BOUND flip_9_8 1
 UP BOUND flip_10_0 1
 UP BOUND flip_10_2 1
 UP BOUND flip_10_3 1
 UP BOUND flip_10_4 1
 UP BOUND flip_10_5 1
 UP BOUND flip_10_6 1
 UP BOUND flip_10_7 1
 UP BOUND flip_10_8 1
 UP BOUND flip_10_9 1
 UP BOUND flip_11_0 1
 UP BOUND flip_11_2 1
 UP BOUND flip_11_3 1
 UP BOUND flip_11_4 1
 UP BOUND flip_11_5 1
 UP BOUND flip_11_6 1
 UP BOUND flip_11_7 1
 UP BOUND flip_11_8 1
 UP BOUND flip_11_9 1
 UP BOUND flip_11_10 1
 UP BOUND flip_12_0 1
 UP BOUND flip_12_2 1
 UP BOUND flip_12_3 1
 UP BOUND flip_12_4 1
 UP BOUND flip_12_5 1
 UP BOUND flip_12_6 1
 UP BOUND flip_12_7 1
 UP BOUND flip_12_8 1
 UP BOUND flip_12_9 1
 UP BOUND flip_12_10 1
 UP BOUND flip_12_11 1
 UP BOUND flip_13_0 1
 UP BOUND flip_13_2 1
 UP BOUND flip_13_3 1
 UP BOUND flip_13_4 1
 UP BOUND flip_13_5 1
 UP BOUND flip_13_6 1
 UP BOUND flip_13_7 1
 UP BOUND flip_13_8 1
 UP BOUND flip_13_9 1
 UP BOUND flip_13_10 1
 UP BOUND flip_13_11 1
 UP BOUND flip_13_12 1
 UP BOUND flip_14_0 1
 UP BOUND flip_14_2 1
 UP BOUND flip_14_3 1
 UP BOUND flip_14_4 1
 UP BOUND flip_14_5 1
 UP BOUND flip_14_6 1
 UP BOUND flip_14_7 1
 UP BOUND flip_14_8 1
 UP BOUND flip_14_9 1
 UP BOUND flip_14_10 1
 UP BOUND flip_14_11 1
 UP BOUND flip_14_12 1
 UP BOUND flip_14_13 1
 UP BOUND flip_15_0 1
 UP BOUND flip_15_2 1
 UP BOUND flip_15_3 1
 UP BOUND flip_15_4 1
 UP BOUND flip_15_5 1
 UP BOUND flip_15_6 1
 UP BOUND flip_15_7 1
 UP BOUND flip_15_8 1
 UP BOUND flip_15_9 1
 UP BOUND flip_15_10 1
 UP BOUND flip_15_11 1
 UP BOUND flip_15_12 1
 UP BOUND flip_15_13 1
 UP BOUND flip_15_14 1
 UP BOUND level 1
ENDATA
