NAME copeland_0 FREE
ROWS
 N obj
 G cut_1
 G cut_2
 G cut_3
 G cut_4
 G cut_5
 G cut_6
 G cut_7
 G cut_8
 G cut_9
 G cut_10
 G cut_11
 G cut_12
 G cut_13
 G cut_14
 G cut_15
 G cut_16
 G cut_17
 G cut_18
 G cut_19
 G cut_20
 G cut_21
 G cut_22
 G cut_23
 G cut_24
 G cut_25
 G cut_26
 G cut_27
 G cut_28
 G cut_29
 G cut_30
 G cut_31
 G cut_32
 G cut_33
 G cut_34
 G cut_35
 G cut_36
 G cut_37
 G cut_38
 G cut_39
 G cut_40
 G cut_41
 G cut_42
 G cut_43
 G cut_44
 G cut_45
 G cut_46
 G cut_47
 G cut_48
 G cut_49
 G cut_50
 G cut_51
 G cut_52
 G cut_53
 G cut_54
 G cut_55
 G cut_56
 G cut_57
 G cut_58
 G cut_59
 G cut_60
 G cut_61
 G cut_62
 G cut_63
 G cut_64
 G cut_65
 G cut_66
 G cut_67
 G cut_68
 G cut_69
 G cut_70
 G cut_71
 G cut_72
 G cut_73
 G cut_74
 G cut_75
 G cut_76
 G cut_77
 G cut_78
 G cut_79
 G cut_80
 G cut_81
 G cut_82
 G cut_83
 G cut_84
 G cut_85
 G cut_86
 G cut_87
 G cut_88
 G cut_89
COLUMNS
 x_0_1 obj 115.72962813589487
 x_0_1 cut_2 1
 x_0_1 cut_3 1
 x_0_1 cut_4 1
 x_0_1 cut_6 1
 x_0_1 cut_8 1
 x_0_1 cut_9 1
 x_0_1 cut_11 1
 x_0_1 cut_12 1
 x_0_1 cut_14 1
 x_0_1 cut_15 1
 x_0_1 cut_17 1
 x_0_1 cut_18 1
 x_0_1 cut_20 1
 x_0_1 cut_21 1
 x_0_1 cut_23 1
 x_0_1 cut_24 1
 x_0_1 cut_26 1
 x_0_1 cut_27 1
 x_0_1 cut_29 1
 x_0_1 cut_30 1
 x_0_1 cut_32 1
 x_0_1 cut_33 1
 x_0_1 cut_35 1
 x_0_1 cut_36 1
 x_0_1 cut_38 1
 x_0_1 cut_39 1
 x_0_1 cut_41 1
 x_0_1 cut_42 1
 x_0_1 cut_44 1
 x_0_2 obj 2.2170015378934385
 x_0_2 cut_1 1
 x_0_2 cut_3 1
 x_0_2 cut_5 1
 x_0_2 cut_6 1
 x_0_2 cut_9 1
 x_0_2 cut_12 1
 x_0_2 cut_15 1
 x_0_2 cut_18 1
 x_0_2 cut_21 1
 x_0_2 cut_24 1
 x_0_2 cut_27 1
 x_0_2 cut_30 1
 x_0_2 cut_33 1
 x_0_2 cut_36 1
 x_0_2 cut_39 1
 x_0_2 cut_42 1
 x_0_3 obj 2.047049182100963
 x_0_3 cut_1 1
 x_0_3 cut_4 1
 x_0_3 cut_7 1
 x_0_3 cut_8 1
 x_0_3 cut_45 1
 x_0_3 cut_46 1
 x_0_3 cut_47 1
 x_0_3 cut_48 1
 x_0_3 cut_49 1
 x_0_3 cut_50 1
 x_0_3 cut_51 1
 x_0_3 cut_52 1
 x_0_3 cut_53 1
 x_0_3 cut_54 1
 x_0_3 cut_55 1
 x_0_3 cut_56 1
 x_0_3 cut_57 1
 x_0_3 cut_58 1
 x_0_3 cut_59 1
 x_0_4 obj 1.6543049852983145
 x_0_4 cut_10 1
 x_0_4 cut_11 1
 x_0_5 obj 1.5730644032583854
 x_0_5 cut_13 1
 x_0_5 cut_14 1
 x_0_5 cut_45 1
 x_0_5 cut_46 1
 x_0_5 cut_47 1
 x_0_5 cut_48 1
 x_0_5 cut_49 1
 x_0_5 cut_50 1
 x_0_5 cut_51 1
 x_0_5 cut_52 1
 x_0_5 cut_53 1
 x_0_5 cut_56 1
 x_0_5 cut_59 1
 x_0_5 cut_60 1
 x_0_5 cut_61 1
 x_0_5 cut_62 1
 x_0_5 cut_63 1
 x_0_5 cut_64 1
 x_0_5 cut_65 1
 x_0_5 cut_66 1
 x_0_5 cut_67 1
 x_0_5 cut_68 1
 x_0_5 cut_69 1
 x_0_5 cut_70 1
 x_0_5 cut_71 1
 x_0_5 cut_72 1
 x_0_5 cut_73 1
 x_0_5 cut_74 1
 x_0_6 obj 2.1764369525550644
 x_0_6 cut_16 1
 x_0_6 cut_17 1
 x_0_7 obj 2.615421438828335
 x_0_7 cut_19 1
 x_0_7 cut_20 1
 x_0_8 obj 2.055771730956375
 x_0_8 cut_22 1
 x_0_8 cut_23 1
 x_0_9 obj 1.5564625706842716
 x_0_9 cut_25 1
 x_0_9 cut_26 1
 x_0_10 obj 2.751663734468419
 x_0_10 cut_28 1
 x_0_10 cut_29 1
 x_0_10 cut_54 1
 x_0_10 cut_60 1
 x_0_10 cut_61 1
 x_0_10 cut_62 1
 x_0_10 cut_63 1
 x_0_10 cut_64 1
 x_0_10 cut_65 1
 x_0_10 cut_66 1
 x_0_10 cut_67 1
 x_0_10 cut_68 1
 x_0_10 cut_69 1
 x_0_10 cut_71 1
 x_0_10 cut_74 1
 x_0_10 cut_75 1
 x_0_10 cut_76 1
 x_0_10 cut_77 1
 x_0_10 cut_78 1
 x_0_10 cut_79 1
 x_0_10 cut_80 1
 x_0_10 cut_81 1
 x_0_10 cut_82 1
 x_0_10 cut_83 1
 x_0_10 cut_84 1
 x_0_10 cut_85 1
 x_0_10 cut_86 1
 x_0_10 cut_87 1
 x_0_10 cut_88 1
 x_0_10 cut_89 1
 x_0_11 obj 2.1560697140336567
 x_0_11 cut_31 1
 x_0_11 cut_32 1
 x_0_11 cut_55 1
 x_0_11 cut_70 1
 x_0_11 cut_75 1
 x_0_11 cut_76 1
 x_0_11 cut_77 1
 x_0_11 cut_78 1
 x_0_11 cut_79 1
 x_0_11 cut_80 1
 x_0_11 cut_81 1
 x_0_11 cut_82 1
 x_0_11 cut_83 1
 x_0_11 cut_84 1
 x_0_11 cut_85 1
 x_0_11 cut_86 1
 x_0_11 cut_89 1
 x_0_12 obj 1.5079010703161404
 x_0_12 cut_34 1
 x_0_12 cut_35 1
 x_0_13 obj 1.9947674973122451
 x_0_13 cut_37 1
 x_0_13 cut_38 1
 x_0_13 cut_57 1
 x_0_13 cut_72 1
 x_0_13 cut_87 1
 x_0_14 obj 1.6820471384410236
 x_0_14 cut_40 1
 x_0_14 cut_41 1
 x_0_14 cut_58 1
 x_0_14 cut_73 1
 x_0_14 cut_88 1
 x_0_15 obj 1.6502948414147995
 x_0_15 cut_43 1
 x_0_15 cut_44 1
 prefix_2_1 obj 4.772180457902119
 prefix_2_1 cut_4 1
 prefix_2_1 cut_5 1
 prefix_2_1 cut_46 1
 prefix_2_1 cut_61 1
 prefix_2_1 cut_76 1
 prefix_3_2 obj 108.1816963192915
 prefix_3_2 cut_6 2
 prefix_3_2 cut_7 2
 prefix_3_2 cut_8 1
 prefix_3_2 cut_47 1
 prefix_3_2 cut_62 2
 prefix_3_2 cut_77 2
 prefix_3_1 obj 1.9447755794120867
 prefix_3_1 cut_6 1
 prefix_3_1 cut_7 1
 prefix_3_1 cut_62 1
 prefix_3_1 cut_77 1
 prefix_4_3 obj 79.23195906806984
 prefix_4_3 cut_9 3
 prefix_4_3 cut_10 3
 prefix_4_3 cut_11 2
 prefix_4_3 cut_48 3
 prefix_4_3 cut_63 3
 prefix_4_3 cut_78 3
 prefix_4_2 obj 37.776774632533765
 prefix_4_2 cut_9 2
 prefix_4_2 cut_10 2
 prefix_4_2 cut_11 1
 prefix_4_2 cut_48 2
 prefix_4_2 cut_63 2
 prefix_4_2 cut_78 2
 prefix_4_1 obj 3.5500709201210126
 prefix_4_1 cut_9 1
 prefix_4_1 cut_10 1
 prefix_4_1 cut_48 1
 prefix_4_1 cut_63 1
 prefix_4_1 cut_78 1
 prefix_5_4 obj 1005.0939701485988
 prefix_5_4 cut_12 4
 prefix_5_4 cut_13 4
 prefix_5_4 cut_14 3
 prefix_5_4 cut_49 3
 prefix_5_4 cut_64 3
 prefix_5_4 cut_79 4
 prefix_5_3 obj 117.62002142985654
 prefix_5_3 cut_12 3
 prefix_5_3 cut_13 3
 prefix_5_3 cut_14 2
 prefix_5_3 cut_49 2
 prefix_5_3 cut_64 2
 prefix_5_3 cut_79 3
 prefix_5_2 obj 10.565953108101958
 prefix_5_2 cut_12 2
 prefix_5_2 cut_13 2
 prefix_5_2 cut_14 1
 prefix_5_2 cut_49 1
 prefix_5_2 cut_64 1
 prefix_5_2 cut_79 2
 prefix_5_1 obj 1.2405180009875905
 prefix_5_1 cut_12 1
 prefix_5_1 cut_13 1
 prefix_5_1 cut_79 1
 prefix_6_5 obj 1527.8284571777094
 prefix_6_5 cut_15 5
 prefix_6_5 cut_16 5
 prefix_6_5 cut_17 4
 prefix_6_5 cut_50 5
 prefix_6_5 cut_65 5
 prefix_6_5 cut_80 5
 prefix_6_4 obj 443.13807541035777
 prefix_6_4 cut_15 4
 prefix_6_4 cut_16 4
 prefix_6_4 cut_17 3
 prefix_6_4 cut_50 4
 prefix_6_4 cut_65 4
 prefix_6_4 cut_80 4
 prefix_6_3 obj 153.89739446716885
 prefix_6_3 cut_15 3
 prefix_6_3 cut_16 3
 prefix_6_3 cut_17 2
 prefix_6_3 cut_50 3
 prefix_6_3 cut_65 3
 prefix_6_3 cut_80 3
 prefix_6_2 obj 38.64612571989751
 prefix_6_2 cut_15 2
 prefix_6_2 cut_16 2
 prefix_6_2 cut_17 1
 prefix_6_2 cut_50 2
 prefix_6_2 cut_65 2
 prefix_6_2 cut_80 2
 prefix_6_1 obj 4.311273907130632
 prefix_6_1 cut_15 1
 prefix_6_1 cut_16 1
 prefix_6_1 cut_50 1
 prefix_6_1 cut_65 1
 prefix_6_1 cut_80 1
 prefix_7_6 obj 715.3125619010538
 prefix_7_6 cut_18 6
 prefix_7_6 cut_19 6
 prefix_7_6 cut_20 5
 prefix_7_6 cut_51 6
 prefix_7_6 cut_66 6
 prefix_7_6 cut_81 6
 prefix_7_5 obj 149.59119970643485
 prefix_7_5 cut_18 5
 prefix_7_5 cut_19 5
 prefix_7_5 cut_20 4
 prefix_7_5 cut_51 5
 prefix_7_5 cut_66 5
 prefix_7_5 cut_81 5
 prefix_7_4 obj 87.4934659320214
 prefix_7_4 cut_18 4
 prefix_7_4 cut_19 4
 prefix_7_4 cut_20 3
 prefix_7_4 cut_51 4
 prefix_7_4 cut_66 4
 prefix_7_4 cut_81 4
 prefix_7_3 obj 30.172480909485888
 prefix_7_3 cut_18 3
 prefix_7_3 cut_19 3
 prefix_7_3 cut_20 2
 prefix_7_3 cut_51 3
 prefix_7_3 cut_66 3
 prefix_7_3 cut_81 3
 prefix_7_2 obj 12.15951159281683
 prefix_7_2 cut_18 2
 prefix_7_2 cut_19 2
 prefix_7_2 cut_20 1
 prefix_7_2 cut_51 2
 prefix_7_2 cut_66 2
 prefix_7_2 cut_81 2
 prefix_7_1 obj 3.8895511588241733
 prefix_7_1 cut_18 1
 prefix_7_1 cut_19 1
 prefix_7_1 cut_51 1
 prefix_7_1 cut_66 1
 prefix_7_1 cut_81 1
 prefix_8_7 obj 257.4142571218476
 prefix_8_7 cut_21 7
 prefix_8_7 cut_22 7
 prefix_8_7 cut_23 6
 prefix_8_7 cut_52 7
 prefix_8_7 cut_67 7
 prefix_8_7 cut_82 7
 prefix_8_6 obj 174.50388825077545
 prefix_8_6 cut_21 6
 prefix_8_6 cut_22 6
 prefix_8_6 cut_23 5
 prefix_8_6 cut_52 6
 prefix_8_6 cut_67 6
 prefix_8_6 cut_82 6
 prefix_8_5 obj 94.9516578572576
 prefix_8_5 cut_21 5
 prefix_8_5 cut_22 5
 prefix_8_5 cut_23 4
 prefix_8_5 cut_52 5
 prefix_8_5 cut_67 5
 prefix_8_5 cut_82 5
 prefix_8_4 obj 56.57835017421108
 prefix_8_4 cut_21 4
 prefix_8_4 cut_22 4
 prefix_8_4 cut_23 3
 prefix_8_4 cut_52 4
 prefix_8_4 cut_67 4
 prefix_8_4 cut_82 4
 prefix_8_3 obj 25.414608209825918
 prefix_8_3 cut_21 3
 prefix_8_3 cut_22 3
 prefix_8_3 cut_23 2
 prefix_8_3 cut_52 3
 prefix_8_3 cut_67 3
 prefix_8_3 cut_82 3
 prefix_8_2 obj 8.402649108311586
 prefix_8_2 cut_21 2
 prefix_8_2 cut_22 2
 prefix_8_2 cut_23 1
 prefix_8_2 cut_52 2
 prefix_8_2 cut_67 2
 prefix_8_2 cut_82 2
 prefix_8_1 obj 2.542185360319659
 prefix_8_1 cut_21 1
 prefix_8_1 cut_22 1
 prefix_8_1 cut_52 1
 prefix_8_1 cut_67 1
 prefix_8_1 cut_82 1
 prefix_9_8 obj 2548.4690853732122
 prefix_9_8 cut_24 8
 prefix_9_8 cut_25 8
 prefix_9_8 cut_26 7
 prefix_9_8 cut_53 8
 prefix_9_8 cut_68 8
 prefix_9_8 cut_83 8
 prefix_9_7 obj 581.0654070629994
 prefix_9_7 cut_24 7
 prefix_9_7 cut_25 7
 prefix_9_7 cut_26 6
 prefix_9_7 cut_53 7
 prefix_9_7 cut_68 7
 prefix_9_7 cut_83 7
 prefix_9_6 obj 215.44540930332806
 prefix_9_6 cut_24 6
 prefix_9_6 cut_25 6
 prefix_9_6 cut_26 5
 prefix_9_6 cut_53 6
 prefix_9_6 cut_68 6
 prefix_9_6 cut_83 6
 prefix_9_5 obj 65.54388089441265
 prefix_9_5 cut_24 5
 prefix_9_5 cut_25 5
 prefix_9_5 cut_26 4
 prefix_9_5 cut_53 5
 prefix_9_5 cut_68 5
 prefix_9_5 cut_83 5
 prefix_9_4 obj 44.47005044391041
 prefix_9_4 cut_24 4
 prefix_9_4 cut_25 4
 prefix_9_4 cut_26 3
 prefix_9_4 cut_53 4
 prefix_9_4 cut_68 4
 prefix_9_4 cut_83 4
 prefix_9_3 obj 25.060085060193195
 prefix_9_3 cut_24 3
 prefix_9_3 cut_25 3
 prefix_9_3 cut_26 2
 prefix_9_3 cut_53 3
 prefix_9_3 cut_68 3
 prefix_9_3 cut_83 3
 prefix_9_2 obj 9.280845735004572
 prefix_9_2 cut_24 2
 prefix_9_2 cut_25 2
 prefix_9_2 cut_26 1
 prefix_9_2 cut_53 2
 prefix_9_2 cut_68 2
 prefix_9_2 cut_83 2
 prefix_9_1 obj 3.6994887267383585
 prefix_9_1 cut_24 1
 prefix_9_1 cut_25 1
 prefix_9_1 cut_53 1
 prefix_9_1 cut_68 1
 prefix_9_1 cut_83 1
 prefix_10_9 obj 498.27482494324
 prefix_10_9 cut_27 9
 prefix_10_9 cut_28 9
 prefix_10_9 cut_29 8
 prefix_10_9 cut_54 8
 prefix_10_9 cut_69 8
 prefix_10_9 cut_84 8
 prefix_10_8 obj 327.22255546783117
 prefix_10_8 cut_27 8
 prefix_10_8 cut_28 8
 prefix_10_8 cut_29 7
 prefix_10_8 cut_54 7
 prefix_10_8 cut_69 7
 prefix_10_8 cut_84 7
 prefix_10_7 obj 197.2146540715616
 prefix_10_7 cut_27 7
 prefix_10_7 cut_28 7
 prefix_10_7 cut_29 6
 prefix_10_7 cut_54 6
 prefix_10_7 cut_69 6
 prefix_10_7 cut_84 6
 prefix_10_6 obj 123.69628242856453
 prefix_10_6 cut_27 6
 prefix_10_6 cut_28 6
 prefix_10_6 cut_29 5
 prefix_10_6 cut_54 5
 prefix_10_6 cut_69 5
 prefix_10_6 cut_84 5
 prefix_10_5 obj 58.77057841161816
 prefix_10_5 cut_27 5
 prefix_10_5 cut_28 5
 prefix_10_5 cut_29 4
 prefix_10_5 cut_54 4
 prefix_10_5 cut_69 4
 prefix_10_5 cut_84 4
 prefix_10_4 obj 28.7489628838364
 prefix_10_4 cut_27 4
 prefix_10_4 cut_28 4
 prefix_10_4 cut_29 3
 prefix_10_4 cut_54 3
 prefix_10_4 cut_69 3
 prefix_10_4 cut_84 3
 prefix_10_3 obj 17.49710532938127
 prefix_10_3 cut_27 3
 prefix_10_3 cut_28 3
 prefix_10_3 cut_29 2
 prefix_10_3 cut_54 2
 prefix_10_3 cut_69 2
 prefix_10_3 cut_84 2
 prefix_10_2 obj 9.687047630455783
 prefix_10_2 cut_27 2
 prefix_10_2 cut_28 2
 prefix_10_2 cut_29 1
 prefix_10_2 cut_54 1
 prefix_10_2 cut_69 1
 prefix_10_2 cut_84 1
 prefix_10_1 obj 2.1080210427892188
 prefix_10_1 cut_27 1
 prefix_10_1 cut_28 1
 prefix_11_10 obj 428.80784759004644
 prefix_11_10 cut_30 10
 prefix_11_10 cut_31 10
 prefix_11_10 cut_32 9
 prefix_11_10 cut_55 9
 prefix_11_10 cut_70 9
 prefix_11_10 cut_85 9
 prefix_11_9 obj 249.50305647725463
 prefix_11_9 cut_30 9
 prefix_11_9 cut_31 9
 prefix_11_9 cut_32 8
 prefix_11_9 cut_55 8
 prefix_11_9 cut_70 8
 prefix_11_9 cut_85 8
 prefix_11_8 obj 164.28806995501253
 prefix_11_8 cut_30 8
 prefix_11_8 cut_31 8
 prefix_11_8 cut_32 7
 prefix_11_8 cut_55 7
 prefix_11_8 cut_70 7
 prefix_11_8 cut_85 7
 prefix_11_7 obj 111.10135780479166
 prefix_11_7 cut_30 7
 prefix_11_7 cut_31 7
 prefix_11_7 cut_32 6
 prefix_11_7 cut_55 6
 prefix_11_7 cut_70 6
 prefix_11_7 cut_85 6
 prefix_11_6 obj 64.42756694120509
 prefix_11_6 cut_30 6
 prefix_11_6 cut_31 6
 prefix_11_6 cut_32 5
 prefix_11_6 cut_55 5
 prefix_11_6 cut_70 5
 prefix_11_6 cut_85 5
 prefix_11_5 obj 39.871087882124996
 prefix_11_5 cut_30 5
 prefix_11_5 cut_31 5
 prefix_11_5 cut_32 4
 prefix_11_5 cut_55 4
 prefix_11_5 cut_70 4
 prefix_11_5 cut_85 4
 prefix_11_4 obj 19.37852344587815
 prefix_11_4 cut_30 4
 prefix_11_4 cut_31 4
 prefix_11_4 cut_32 3
 prefix_11_4 cut_55 3
 prefix_11_4 cut_70 3
 prefix_11_4 cut_85 3
 prefix_11_3 obj 12.963066724456386
 prefix_11_3 cut_30 3
 prefix_11_3 cut_31 3
 prefix_11_3 cut_32 2
 prefix_11_3 cut_55 2
 prefix_11_3 cut_70 2
 prefix_11_3 cut_85 2
 prefix_11_2 obj 7.050781203110141
 prefix_11_2 cut_30 2
 prefix_11_2 cut_31 2
 prefix_11_2 cut_32 1
 prefix_11_2 cut_55 1
 prefix_11_2 cut_70 1
 prefix_11_2 cut_85 1
 prefix_11_1 obj 2.0457231692727302
 prefix_11_1 cut_30 1
 prefix_11_1 cut_31 1
 prefix_12_11 obj 333.9059721837351
 prefix_12_11 cut_33 11
 prefix_12_11 cut_34 11
 prefix_12_11 cut_35 10
 prefix_12_11 cut_56 11
 prefix_12_11 cut_71 11
 prefix_12_11 cut_86 11
 prefix_12_10 obj 116.85280399456609
 prefix_12_10 cut_33 10
 prefix_12_10 cut_34 10
 prefix_12_10 cut_35 9
 prefix_12_10 cut_56 10
 prefix_12_10 cut_71 10
 prefix_12_10 cut_86 10
 prefix_12_9 obj 89.67885245736198
 prefix_12_9 cut_33 9
 prefix_12_9 cut_34 9
 prefix_12_9 cut_35 8
 prefix_12_9 cut_56 9
 prefix_12_9 cut_71 9
 prefix_12_9 cut_86 9
 prefix_12_8 obj 63.33060983505466
 prefix_12_8 cut_33 8
 prefix_12_8 cut_34 8
 prefix_12_8 cut_35 7
 prefix_12_8 cut_56 8
 prefix_12_8 cut_71 8
 prefix_12_8 cut_86 8
 prefix_12_7 obj 40.11206023157801
 prefix_12_7 cut_33 7
 prefix_12_7 cut_34 7
 prefix_12_7 cut_35 6
 prefix_12_7 cut_56 7
 prefix_12_7 cut_71 7
 prefix_12_7 cut_86 7
 prefix_12_6 obj 29.109280402177777
 prefix_12_6 cut_33 6
 prefix_12_6 cut_34 6
 prefix_12_6 cut_35 5
 prefix_12_6 cut_56 6
 prefix_12_6 cut_71 6
 prefix_12_6 cut_86 6
 prefix_12_5 obj 22.037664881451448
 prefix_12_5 cut_33 5
 prefix_12_5 cut_34 5
 prefix_12_5 cut_35 4
 prefix_12_5 cut_56 5
 prefix_12_5 cut_71 5
 prefix_12_5 cut_86 5
 prefix_12_4 obj 15.209313621031406
 prefix_12_4 cut_33 4
 prefix_12_4 cut_34 4
 prefix_12_4 cut_35 3
 prefix_12_4 cut_56 4
 prefix_12_4 cut_71 4
 prefix_12_4 cut_86 4
 prefix_12_3 obj 8.462238502687892
 prefix_12_3 cut_33 3
 prefix_12_3 cut_34 3
 prefix_12_3 cut_35 2
 prefix_12_3 cut_56 3
 prefix_12_3 cut_71 3
 prefix_12_3 cut_86 3
 prefix_12_2 obj 4.365348699355301
 prefix_12_2 cut_33 2
 prefix_12_2 cut_34 2
 prefix_12_2 cut_35 1
 prefix_12_2 cut_56 2
 prefix_12_2 cut_71 2
 prefix_12_2 cut_86 2
 prefix_12_1 obj 1.826399587929762
 prefix_12_1 cut_33 1
 prefix_12_1 cut_34 1
 prefix_12_1 cut_56 1
 prefix_12_1 cut_71 1
 prefix_12_1 cut_86 1
 prefix_13_12 obj 161.7855581640406
 prefix_13_12 cut_36 12
 prefix_13_12 cut_37 12
 prefix_13_12 cut_38 11
 prefix_13_12 cut_57 11
 prefix_13_12 cut_72 11
 prefix_13_12 cut_87 11
 prefix_13_11 obj 91.78884601620194
 prefix_13_11 cut_36 11
 prefix_13_11 cut_37 11
 prefix_13_11 cut_38 10
 prefix_13_11 cut_57 10
 prefix_13_11 cut_72 10
 prefix_13_11 cut_87 10
 prefix_13_10 obj 64.51740868993622
 prefix_13_10 cut_36 10
 prefix_13_10 cut_37 10
 prefix_13_10 cut_38 9
 prefix_13_10 cut_57 9
 prefix_13_10 cut_72 9
 prefix_13_10 cut_87 9
 prefix_13_9 obj 45.49932263450091
 prefix_13_9 cut_36 9
 prefix_13_9 cut_37 9
 prefix_13_9 cut_38 8
 prefix_13_9 cut_57 8
 prefix_13_9 cut_72 8
 prefix_13_9 cut_87 8
 prefix_13_8 obj 36.11648744337259
 prefix_13_8 cut_36 8
 prefix_13_8 cut_37 8
 prefix_13_8 cut_38 7
 prefix_13_8 cut_57 7
 prefix_13_8 cut_72 7
 prefix_13_8 cut_87 7
 prefix_13_7 obj 27.83751521590642
 prefix_13_7 cut_36 7
 prefix_13_7 cut_37 7
 prefix_13_7 cut_38 6
 prefix_13_7 cut_57 6
 prefix_13_7 cut_72 6
 prefix_13_7 cut_87 6
 prefix_13_6 obj 20.37848576121463
 prefix_13_6 cut_36 6
 prefix_13_6 cut_37 6
 prefix_13_6 cut_38 5
 prefix_13_6 cut_57 5
 prefix_13_6 cut_72 5
 prefix_13_6 cut_87 5
 prefix_13_5 obj 14.867651226634809
 prefix_13_5 cut_36 5
 prefix_13_5 cut_37 5
 prefix_13_5 cut_38 4
 prefix_13_5 cut_57 4
 prefix_13_5 cut_72 4
 prefix_13_5 cut_87 4
 prefix_13_4 obj 10.843247417673572
 prefix_13_4 cut_36 4
 prefix_13_4 cut_37 4
 prefix_13_4 cut_38 3
 prefix_13_4 cut_57 3
 prefix_13_4 cut_72 3
 prefix_13_4 cut_87 3
 prefix_13_3 obj 7.419425600389385
 prefix_13_3 cut_36 3
 prefix_13_3 cut_37 3
 prefix_13_3 cut_38 2
 prefix_13_3 cut_57 2
 prefix_13_3 cut_72 2
 prefix_13_3 cut_87 2
 prefix_13_2 obj 4.082001399645889
 prefix_13_2 cut_36 2
 prefix_13_2 cut_37 2
 prefix_13_2 cut_38 1
 prefix_13_2 cut_57 1
 prefix_13_2 cut_72 1
 prefix_13_2 cut_87 1
 prefix_13_1 obj 1.7255951700977337
 prefix_13_1 cut_36 1
 prefix_13_1 cut_37 1
 prefix_14_13 obj 179.2535637183725
 prefix_14_13 cut_39 13
 prefix_14_13 cut_40 13
 prefix_14_13 cut_41 12
 prefix_14_13 cut_58 12
 prefix_14_13 cut_73 12
 prefix_14_13 cut_88 12
 prefix_14_12 obj 105.59078979630564
 prefix_14_12 cut_39 12
 prefix_14_12 cut_40 12
 prefix_14_12 cut_41 11
 prefix_14_12 cut_58 11
 prefix_14_12 cut_73 11
 prefix_14_12 cut_88 11
 prefix_14_11 obj 68.03382182359492
 prefix_14_11 cut_39 11
 prefix_14_11 cut_40 11
 prefix_14_11 cut_41 10
 prefix_14_11 cut_58 10
 prefix_14_11 cut_73 10
 prefix_14_11 cut_88 10
 prefix_14_10 obj 57.0977180146283
 prefix_14_10 cut_39 10
 prefix_14_10 cut_40 10
 prefix_14_10 cut_41 9
 prefix_14_10 cut_58 9
 prefix_14_10 cut_73 9
 prefix_14_10 cut_88 9
 prefix_14_9 obj 46.97005417406188
 prefix_14_9 cut_39 9
 prefix_14_9 cut_40 9
 prefix_14_9 cut_41 8
 prefix_14_9 cut_58 8
 prefix_14_9 cut_73 8
 prefix_14_9 cut_88 8
 prefix_14_8 obj 37.44477165404751
 prefix_14_8 cut_39 8
 prefix_14_8 cut_40 8
 prefix_14_8 cut_41 7
 prefix_14_8 cut_58 7
 prefix_14_8 cut_73 7
 prefix_14_8 cut_88 7
 prefix_14_7 obj 28.4940623848261
 prefix_14_7 cut_39 7
 prefix_14_7 cut_40 7
 prefix_14_7 cut_41 6
 prefix_14_7 cut_58 6
 prefix_14_7 cut_73 6
 prefix_14_7 cut_88 6
 prefix_14_6 obj 20.43505562388566
 prefix_14_6 cut_39 6
 prefix_14_6 cut_40 6
 prefix_14_6 cut_41 5
 prefix_14_6 cut_58 5
 prefix_14_6 cut_73 5
 prefix_14_6 cut_88 5
 prefix_14_5 obj 14.685343412297154
 prefix_14_5 cut_39 5
 prefix_14_5 cut_40 5
 prefix_14_5 cut_41 4
 prefix_14_5 cut_58 4
 prefix_14_5 cut_73 4
 prefix_14_5 cut_88 4
 prefix_14_4 obj 10.376812169913785
 prefix_14_4 cut_39 4
 prefix_14_4 cut_40 4
 prefix_14_4 cut_41 3
 prefix_14_4 cut_58 3
 prefix_14_4 cut_73 3
 prefix_14_4 cut_88 3
 prefix_14_3 obj 7.333414998994508
 prefix_14_3 cut_39 3
 prefix_14_3 cut_40 3
 prefix_14_3 cut_41 2
 prefix_14_3 cut_58 2
 prefix_14_3 cut_73 2
 prefix_14_3 cut_88 2
 prefix_14_2 obj 4.307146975258548
 prefix_14_2 cut_39 2
 prefix_14_2 cut_40 2
 prefix_14_2 cut_41 1
 prefix_14_2 cut_58 1
 prefix_14_2 cut_73 1
 prefix_14_2 cut_88 1
 prefix_14_1 obj 1.6198746249503548
 prefix_14_1 cut_39 1
 prefix_14_1 cut_40 1
 prefix_15_14 obj 197.18132155265764
 prefix_15_14 cut_42 14
 prefix_15_14 cut_43 14
 prefix_15_14 cut_44 13
 prefix_15_14 cut_59 14
 prefix_15_14 cut_74 14
 prefix_15_14 cut_89 14
 prefix_15_13 obj 132.15515927532437
 prefix_15_13 cut_42 13
 prefix_15_13 cut_43 13
 prefix_15_13 cut_44 12
 prefix_15_13 cut_59 13
 prefix_15_13 cut_74 13
 prefix_15_13 cut_89 13
 prefix_15_12 obj 83.62966006825926
 prefix_15_12 cut_42 12
 prefix_15_12 cut_43 12
 prefix_15_12 cut_44 11
 prefix_15_12 cut_59 12
 prefix_15_12 cut_74 12
 prefix_15_12 cut_89 12
 prefix_15_11 obj 59.08272698649806
 prefix_15_11 cut_42 11
 prefix_15_11 cut_43 11
 prefix_15_11 cut_44 10
 prefix_15_11 cut_59 11
 prefix_15_11 cut_74 11
 prefix_15_11 cut_89 11
 prefix_15_10 obj 47.0628588276576
 prefix_15_10 cut_42 10
 prefix_15_10 cut_43 10
 prefix_15_10 cut_44 9
 prefix_15_10 cut_59 10
 prefix_15_10 cut_74 10
 prefix_15_10 cut_89 10
 prefix_15_9 obj 36.126755018690986
 prefix_15_9 cut_42 9
 prefix_15_9 cut_43 9
 prefix_15_9 cut_44 8
 prefix_15_9 cut_59 9
 prefix_15_9 cut_74 9
 prefix_15_9 cut_89 9
 prefix_15_8 obj 28.450011550393253
 prefix_15_8 cut_42 8
 prefix_15_8 cut_43 8
 prefix_15_8 cut_44 7
 prefix_15_8 cut_59 8
 prefix_15_8 cut_74 8
 prefix_15_8 cut_89 8
 prefix_15_7 obj 22.17747626777225
 prefix_15_7 cut_42 7
 prefix_15_7 cut_43 7
 prefix_15_7 cut_44 6
 prefix_15_7 cut_59 7
 prefix_15_7 cut_74 7
 prefix_15_7 cut_89 7
 prefix_15_6 obj 17.297411768764757
 prefix_15_6 cut_42 6
 prefix_15_6 cut_43 6
 prefix_15_6 cut_44 5
 prefix_15_6 cut_59 6
 prefix_15_6 cut_74 6
 prefix_15_6 cut_89 6
 prefix_15_5 obj 13.338666226663749
 prefix_15_5 cut_42 5
 prefix_15_5 cut_43 5
 prefix_15_5 cut_44 4
 prefix_15_5 cut_59 5
 prefix_15_5 cut_74 5
 prefix_15_5 cut_89 5
 prefix_15_4 obj 9.73291272710371
 prefix_15_4 cut_42 4
 prefix_15_4 cut_43 4
 prefix_15_4 cut_44 3
 prefix_15_4 cut_59 4
 prefix_15_4 cut_74 4
 prefix_15_4 cut_89 4
 prefix_15_3 obj 6.533590665675468
 prefix_15_3 cut_42 3
 prefix_15_3 cut_43 3
 prefix_15_3 cut_44 2
 prefix_15_3 cut_59 3
 prefix_15_3 cut_74 3
 prefix_15_3 cut_89 3
 prefix_15_2 obj 4.012831228607387
 prefix_15_2 cut_42 2
 prefix_15_2 cut_43 2
 prefix_15_2 cut_44 1
 prefix_15_2 cut_59 2
 prefix_15_2 cut_74 2
 prefix_15_2 cut_89 2
 prefix_15_1 obj 1.7066480884722834
 prefix_15_1 cut_42 1
 prefix_15_1 cut_43 1
 prefix_15_1 cut_59 1
 prefix_15_1 cut_74 1
 prefix_15_1 cut_89 1
RHS
 RHS cut_1 1
 RHS cut_2 1
 RHS cut_3 1
 RHS cut_4 1
 RHS cut_5 1
 RHS cut_6 1
 RHS cut_7 1
 RHS cut_8 1
 RHS cut_9 1
 RHS cut_10 1
 RHS cut_11 1
 RHS cut_12 1
 RHS cut_13 1
 RHS cut_14 1
 RHS cut_15 1
 RHS cut_16 1
 RHS cut_17 1
 RHS cut_18 1
 RHS cut_19 1
 RHS cut_20 1
 RHS cut_21 1
 RHS cut_22 1
 RHS cut_23 1
 RHS cut_24 1
 RHS cut_25 1
 RHS cut_26 1
 RHS cut_27 1
 RHS cut_28 1
 RHS cut_29 1
 RHS cut_30 1
 RHS cut_31 1
 RHS cut_32 1
 RHS cut_33 1
 RHS cut_34 1
 RHS cut_35 1
 RHS cut_36 1
 RHS cut_37 1
 RHS cut_38 1
 RHS cut_39 1
 RHS cut_40 1
 RHS cut_41 1
 RHS cut_42 1
 RHS cut_43 1
 RHS cut_44 1
 RHS cut_45 1
 RHS cut_46 1
 RHS cut_47 1
 RHS cut_48 1
 RHS cut_49 1
 RHS cut_50 1
 RHS cut_51 1
 RHS cut_52 1
 RHS cut_53 1
 RHS cut_54 1
 RHS cut_55 1
 RHS cut_56 1
 RHS cut_57 1
 RHS cut_58 1
 RHS cut_59 1
 RHS cut_60 1
 RHS cut_61 1
 RHS cut_62 1
 RHS cut_63 1
 RHS cut_64 1
 RHS cut_65 1
 RHS cut_66 1
 RHS cut_67 1
 RHS cut_68 1
 RHS cut_69 1
 RHS cut_70 1
 RHS cut_71 1
 RHS cut_72 1
 RHS cut_73 1
 RHS cut_74 1
 RHS cut_75 1
 RHS cut_76 1
 RHS cut_77 1
 RHS cut_78 1
 RHS cut_79 1
 RHS cut_80 1
 RHS cut_81 1
 RHS cut_82 1
 RHS cut_83 1
 RHS cut_84 1
 RHS cut_85 1
 RHS cut_86 1
 RHS cut_87 1
 RHS cut_88 1
 RHS cut_89 1
BOUNDS
 UP BOUND x_0_1 1
 UP BOUND x_0_2 1
 UP BOUND x_0_3 1
 UP BOUND x_0_4 1
 UP BOUND x_0_5 1
 UP BOUND x_0_6 1
 UP BOUND x_0_7 1
 UP BOUND x_0_8 1
 UP BOUND x_0_9 1
 UP BOUND x_0_10 1
 UP BOUND x_0_11 1
 UP BOUND x_0_12 1
 UP BOUND x_0_13 1
 UP BOUND x_0_14 1
 UP BOUND x_0_15 1
ENDATA
