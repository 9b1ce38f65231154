#!/usr/bin/env python3
"""Run Kernel Tuner's strategies in its simulation mode on a recorded space.

simulate.py CACHE.json MANIFEST.json SPACE BUDGET REPEATS OUT.csv.gz STRATEGY...

CACHE.json is what `bench export --to kernel-tuner` wrote. OUT has a row an evaluation, in
order, of points not evaluated before: space, strategy, run, evaluation, time_ms (empty: invalid),
seconds (that compiling, checking and measuring took, where the cache knows).
`bench replay SPACE --score --runs OUT` scores it. A strategy that ends before
its budget, or proposes nothing new for five seconds, is not started again: its
last value counts to the end.
"""
import contextlib
import csv
import gzip
import io
import json
import random
import signal
import sys
import time
import types
import warnings

try:
    import pymoo  # noqa: F401
except ImportError:  # only its own strategies need it
    sys.modules["pymoo"] = types.ModuleType("pymoo")

import numpy as np
import kernel_tuner
from kernel_tuner import interface
from kernel_tuner.runners import simulation

warnings.filterwarnings("ignore")
PATIENCE = 5  # seconds
cache_path, manifest, name, budget, repeats, out, *strategies = sys.argv[1:]
budget, repeats = int(budget), int(repeats)
with open(cache_path) as f:
    cache = json.load(f)
with open(manifest) as f:
    entry = json.load(f)[name]
space = cache["tune_params"]
points = cache["cache"]


def recorded(point):
    return ",".join(str(point[parameter]) for parameter in space) in points


# Of a space of which only some points are recorded, these are the space.
constraints = recorded if entry.get("drawn") else entry["constraints"]
problem_size = cache.get("problem_size") or (1,)

build, built = interface.Searchspace, {}


def searchspace(*args, **kwargs):
    """The same space again is not built again: building draws no random number."""
    if not built:
        built["space"] = build(*args, **kwargs)
    return built["space"]


interface.Searchspace = searchspace


class TooLong(BaseException):
    """A run has proposed nothing new for long: some strategies repeat themselves without end."""


def too_long(*_):
    raise TooLong


signal.signal(signal.SIGALRM, too_long)
evaluated = []


def first_time(tune_params, result, *_):
    """The simulation prints each configuration when it is evaluated for the first time."""
    signal.alarm(PATIENCE)
    t = result.get("time")
    seconds = sum(result.get(k) or 0 for k in ("compile_time", "benchmark_time", "verification_time")) / 1000
    evaluated.append((t if isinstance(t, (int, float)) and t < 1e19 else None, seconds))


simulation.util.print_config_output = first_time


def run(strategy):
    evaluated.clear()
    signal.alarm(PATIENCE)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            kernel_tuner.tune_kernel(
                cache["kernel_name"], "extern \"C\" __global__ void %s() {}" % cache["kernel_name"], problem_size, [], space,
                restrictions=constraints, strategy=strategy, strategy_options={"max_fevals": min(budget, len(points))},
                simulation_mode=True, cache=cache_path, lang="CUDA", quiet=True)
    except TooLong:
        print(f"{name} {strategy}: nothing new for {PATIENCE} s after {len(evaluated)} evaluations", file=sys.stderr)
    signal.alarm(0)
    return evaluated[:budget]


with gzip.open(out, "wt", newline="") as f:
    table = csv.writer(f)
    table.writerow(["space", "strategy", "run", "evaluation", "time_ms", "seconds"])
    for strategy in strategies:
        start, total = time.process_time(), 0
        for i in range(repeats):
            np.random.seed(i)
            random.seed(i)
            try:
                times = run(strategy)
            except Exception as e:  # named and left out
                print(f"{name} {strategy} run {i}: {type(e).__name__}: {e}", file=sys.stderr)
                break
            total += len(times)
            for n, (t, seconds) in enumerate(times, 1):
                table.writerow([name, strategy, i, n, "" if t is None else repr(t), round(seconds, 4)])
        print(f"{name} {strategy}: {total / repeats:.1f} evaluations a run, "
              f"{1e3 * (time.process_time() - start) / max(total, 1):.2f} ms an evaluation", file=sys.stderr, flush=True)
