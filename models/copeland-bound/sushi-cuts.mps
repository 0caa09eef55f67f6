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
