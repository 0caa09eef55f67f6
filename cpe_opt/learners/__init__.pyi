"""The learners and what feeds them, imported on first use."""

from .declaration import (
    Declaration as Declaration,
    declaration_of as declaration_of,
    declare as declare,
)
from .dueling.active_ranking import active_ranking as active_ranking
from .dueling.borda_tracking import borda_tracking as borda_tracking
from .dueling.ccb import ccb as ccb
from .dueling.condorcet_tracking import condorcet_tracking as condorcet_tracking
from .dueling.copeland_tracking import copeland_tracking as copeland_tracking
from .dueling.cw_rmed import cw_rmed as cw_rmed
from .dueling.dkwt import dkwt as dkwt
from .dueling.double_thompson import d_ts as d_ts, d_ts_plus as d_ts_plus
from .dueling.ecw_rmed import ecw_rmed as ecw_rmed
from .dueling.fixed_budget import (
    borda_budget as borda_budget,
    copeland_budget as copeland_budget,
)
from .dueling.noisy_tournament import noisy_tournament as noisy_tournament
from .dueling.pbr import pbr as pbr
from .dueling.pocowista import pocowista as pocowista
from .dueling.random_pairs import random_pairs as random_pairs
from .dueling.rankel import rankel as rankel
from .dueling.regret_tracking import regret_tracking as regret_tracking
from .dueling.rmed import rmed1 as rmed1, rmed2fh as rmed2fh
from .dueling.rucb import rucb as rucb
from .dueling.savage import savage as savage
from .dueling.scb import copeland_identification as copeland_identification, scb as scb
from .dueling.sequential_test import sequential_test as sequential_test
from .dueling.versatile_db import versatile_db as versatile_db
from .exchange import Exchange as Exchange
from .matchings.car_cond import car_cond as car_cond
from .matchings.car_parallel import car_parallel as car_parallel
from .matchings.car_verify import car_verify as car_verify
from .matchings.clucb_borda import (
    clucb_borda_exact as clucb_borda_exact,
    clucb_borda_pac as clucb_borda_pac,
)
from .matchings.matching_tracking import matching_tracking as matching_tracking
from .queries import (
    Assessed as Assessed,
    Conditional as Conditional,
    HorizonReached as HorizonReached,
    Learner as Learner,
    Unproved as Unproved,
)
from .registry import (
    LEARNERS as LEARNERS,
    get_learner as get_learner,
    learner_entry as learner_entry,
    learners_of as learners_of,
)
from .separable.coci import coci as coci, coci_uniform as coci_uniform
from .subsets.clucb import clucb as clucb
from .subsets.comb_game import comb_game as comb_game
from .subsets.eb_tc import eb_tc as eb_tc
from .subsets.exhaustive import exhaustive as exhaustive
from .subsets.fws import fws as fws
from .subsets.icb import icb as icb
from .subsets.poly_alba import poly_alba as poly_alba
from .subsets.sa_foa import sa_foa as sa_foa
from .subsets.saqm import saqm as saqm
from .subsets.score_tracking import score_tracking as score_tracking
from .subsets.subset_tracking import subset_tracking as subset_tracking
