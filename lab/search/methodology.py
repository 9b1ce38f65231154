#!/usr/bin/env python3
"""Score lines over seconds by the community's own software, to hold `bench replay --score=seconds` against.

methodology.py CACHE.json RUNS.csv.gz

CACHE.json is what `bench export --to kernel-tuner` wrote of a space, RUNS what opponents.py did. Prints each strategy's score on that
space with three seeds of chance: the software fits its curves to samples. Needs AutoTuningAssociation/autotuning_methodology's folder src,
numpy, scipy and scikit-learn where Python looks.
"""
import collections
import csv
import gzip
import os
import shutil
import sys
import tempfile
import types
import warnings
from pathlib import Path

import numpy as np

warnings.filterwarnings("ignore")
for absent in ("matplotlib", "matplotlib.pyplot", "progressbar", "yappi"):  # of its pictures and its own runs
    sys.modules[absent] = types.ModuleType(absent)
experiments = sys.modules["autotuning_methodology.experiments"] = types.ModuleType("experiments")
experiments.execute_experiment = None

from autotuning_methodology.baseline import RandomSearchCalculatedBaseline  # noqa: E402
from autotuning_methodology.curves import StochasticOptimizationAlgorithm  # noqa: E402
from autotuning_methodology.report_experiments import get_strategies_aggregated_performance  # noqa: E402
from autotuning_methodology.searchspace_statistics import SearchspaceStatistics  # noqa: E402

cache, path = sys.argv[1:]
name = os.path.basename(cache).removesuffix(".kernel-tuner.json")
with tempfile.TemporaryDirectory() as folder:
    os.mkdir(folder + "/kernel")
    shutil.copy(cache, folder + "/kernel/device.json")
    space = SearchspaceStatistics("kernel", "device", True, ["compilation", "benchmark", "validation"], ["time"], Path(folder))
moments = np.linspace(space.cutoff_point_fevals_time(0.01)[2], space.cutoff_point_fevals_time(0.95)[2], 1000)
random, costs = RandomSearchCalculatedBaseline(space), space.objective_performances_total_sorted
strategies = collections.OrderedDict()
with gzip.open(path, "rt") as f:
    for row in csv.DictReader(f):
        if row["space"] == name:
            strategies.setdefault(row["strategy"], collections.OrderedDict()).setdefault(row["run"], []).append(row)
for strategy, runs in strategies.items():
    ends, best = (np.full((max(map(len, runs.values())), len(runs)), np.nan) for _ in range(2))
    for i, rows in enumerate(runs.values()):
        ends[: len(rows), i] = np.cumsum([float(r["seconds"]) for r in rows])
        best[: len(rows), i] = np.fmin.accumulate([costs[min(np.searchsorted(costs, float(r["time_ms"]) * (1 - 1e-9)), len(costs) - 1)] if r["time_ms"] else np.nan
                                                   for r in rows])
    scores = []
    for seed in range(3):
        np.random.seed(seed)
        curve = StochasticOptimizationAlgorithm.__new__(StochasticOptimizationAlgorithm)
        curve.display_name, curve.minimization, curve._x_time, curve._y = strategy, True, ends.copy(), best.copy()
        try:
            scores.append("%.3f" % np.mean(get_strategies_aggregated_performance([(random, [curve], space, moments, None)], 0.95)[0][0]))
        except Exception as e:  # it wants two evaluations of every run between the first moment and the last
            scores.append(f"{type(e).__name__}: {e}")
    print(name, strategy, *scores, flush=True)
