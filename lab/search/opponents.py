#!/usr/bin/env python3
"""Have other tuners search recorded spaces.

opponents.py [-h] [--evaluations N] [--seconds S] [--repeats N] [--processor S] [--longest S]
             [--until FRACTION] --out OUT.csv.gz CACHE.json STRATEGY...

CACHE.json is what `bench export --to kernel-tuner` wrote. A STRATEGY is one of Kernel Tuner's, with its
defaults or as NAME:OPTION=VALUE:..., or smac or lfbo. OUT has a row an evaluation, in order, of points not
evaluated before: space, strategy, run, evaluation, time_ms (empty: invalid), seconds (that compiling,
checking and measuring took by the cache, and the search itself by this processor). `bench replay SPACE
--score --runs OUT` scores it, `lab/run search -against OUT SPACE` says when it was within 5 %.

A run ends after its evaluations or seconds, when it is done, or when it proposes nothing new for five
seconds of the processor, or after --longest of them; what it had by then counts to the end. With --until it ends too with a point that reaches this
fraction of the optimum. No run of a strategy begins once its runs have used the seconds of --processor.

Kernel Tuner needs numpy, scipy, scikit-learn, pandas, jsonschema, xmltodict and python-constraint2; smac
(automl/SMAC3) ConfigSpace and pynisher; lfbo (lfbo-ml/lfbo) xgboost. All are looked for where Python looks,
clones in PYTHONPATH too.
"""
import argparse
import contextlib
import csv
import gzip
import importlib.metadata
import io
import json
import logging
import math
import os
import random
import signal
import sys
import tempfile
import time
import types
import warnings

import numpy as np

warnings.filterwarnings("ignore")
PATIENCE = 5  # seconds of the processor


class Ended(BaseException):
    """A run is over."""


class Run:
    """What one search evaluated."""

    def __init__(self, limits, optimum):
        self.limits, self.optimum = limits, optimum
        self.rows, self.total = [], 0.0
        self.start()

    def start(self):
        """From here on the search's own time counts."""
        self.began = self.last = time.process_time()

    def add(self, cost, seconds):
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        now = time.process_time()
        seconds += now - self.last
        self.last = now
        self.total += seconds
        self.rows.append((cost, seconds))
        o = self.limits
        if len(self.rows) >= o.evaluations or self.total >= o.seconds or now - self.began >= o.longest or cost is not None and o.until and self.optimum >= o.until * cost:
            raise Ended


class Space:
    """A recorded space, as the cache has it."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.name = os.path.basename(path).removesuffix(".json").removesuffix(".kernel-tuner")
        with open(path) as f:
            self.cache = json.load(f)
        self.parameters = self.cache["tune_params"]
        self.points = self.cache["cache"]
        self.optimum = min(c for c in map(self.cost, self.points.values()) if c is not None)

    @staticmethod
    def cost(result):
        t = result.get("time")
        return t if isinstance(t, (int, float)) and t < 1e19 else None

    @staticmethod
    def seconds(result):
        return sum(result.get(k) or 0 for k in ("compile_time", "benchmark_time", "verification_time")) / 1000

    def has(self, point=None, **named):
        point = named if point is None else point
        return ",".join(str(point[p]) for p in self.parameters) in self.points

    def ranks(self):
        """The points' parameters by the ranks of their values, from 0 to 1."""
        return np.array([[values.index(p[name]) / max(1, len(values) - 1) for name, values in self.parameters.items()] for p in self.points.values()])


def too_long(*_):
    raise Ended


class KernelTuner:
    """Its simulation mode. A run asks it for new points alone, as it says each when it is first evaluated."""

    def __init__(self, space):
        stand_in("pymoo")  # only its own strategies need it
        dist("kernel_tuner", "1.4.0")
        import kernel_tuner
        from kernel_tuner import interface
        from kernel_tuner.runners import simulation

        self.tune, self.space, self.run = kernel_tuner.tune_kernel, space, None
        simulation.util.print_config_output = self.evaluated
        build = interface.Searchspace
        built = []
        ordered = {"tune_params": space.parameters, "cache": {k: {p: v[p] for p in space.parameters} for k, v in space.points.items()}}

        def searchspace(*_, **options):
            """The recorded points are the space; drawing no random number, it is built once."""
            if not built:
                built.append(build(None, None, None, from_cache=ordered, **options))
                built[0].max_threads = 1024
            built[0]._modified_restrictions = [space.has]
            self.run.start()
            return built[0]

        interface.Searchspace = searchspace

    def evaluated(self, _, result, *__):
        self.run.add(self.space.cost(result), self.space.seconds(result))

    def search(self, run, strategy, options, _):
        self.run = run
        s, limits = self.space, run.limits
        options = dict(options)
        if limits.evaluations < math.inf or strategy in ("bayes_opt", "greedy_ils"):  # their default is 100
            options["max_fevals"] = int(min(limits.evaluations, len(s.points)))
        if limits.seconds < math.inf:  # as its own tuning of these options: 10 % more than are looked at
            options["time_limit"] = 1.1 * limits.seconds + 10
        with contextlib.redirect_stdout(io.StringIO()):
            self.tune(s.cache["kernel_name"], 'extern "C" __global__ void %s() {}' % s.cache["kernel_name"], s.cache.get("problem_size") or (1,), [],
                      s.parameters, restrictions=[], strategy=strategy, strategy_options=options, simulation_mode=True, cache=s.path, lang="CUDA",
                      quiet=True)


class SMAC:
    """SMAC3's facade for hyperparameters, asked for one point at a time. Points outside the space are forbidden to it;
    an invalid one is told as the worst so far."""

    def __init__(self, space):
        stand_in("dask_jobqueue")
        older_scikit_learn()
        import smac
        from ConfigSpace import ConfigurationSpace, ForbiddenEqualsClause, OrdinalHyperparameter
        from ConfigSpace.forbidden import ForbiddenConjunction
        from smac.runhistory.dataclasses import TrialValue

        logging.disable(logging.CRITICAL)
        smac.Scenario.save = lambda scenario: os.makedirs(scenario.output_directory, exist_ok=True)  # nothing is resumed
        self.smac, self.value, self.space = smac, TrialValue, space
        inside = {tuple(values.index(p[name]) for name, values in space.parameters.items()) for p in space.points.values()}

        class Outside(ForbiddenConjunction):
            def __repr__(self):
                return "outside"

            def __copy__(self):
                return self

            def is_forbidden_value(self, values):
                return not space.has(values)

            def is_forbidden_vector(self, vector):
                return tuple(int(vector[i]) for i in order) not in inside

            def is_forbidden_vector_array(self, vectors):
                return np.array([self.is_forbidden_vector(v) for v in vectors.T])

            def to_dict(self):
                return {}

        def configurations(seed):
            c = ConfigurationSpace(seed=seed)
            begin = random.choice(list(space.points.values()))  # a default that is not forbidden
            for name, values in space.parameters.items():
                c.add(OrdinalHyperparameter(name, sequence=values, default_value=begin[name]))
            order[:] = [list(c).index(name) for name in space.parameters]
            c.add(Outside(*[ForbiddenEqualsClause(c[name], values[0]) for name, values in space.parameters.items()]))
            return c

        order = []
        self.configurations = configurations

    def search(self, run, _, options, seed):
        with tempfile.TemporaryDirectory() as folder:
            usual = float(np.median([self.space.seconds(r) for r in self.space.points.values()]))
            trials = int(min(run.limits.evaluations, len(self.space.points), 1 + 1.1 * run.limits.seconds / usual))
            scenario = self.smac.Scenario(self.configurations(seed), deterministic=True, n_trials=trials, seed=seed, output_directory=folder)
            facade = self.smac.HyperparameterOptimizationFacade(scenario, lambda config, seed=0: 0, overwrite=True, logging_level=False, **options)
            worst = 1.0
            run.start()
            for _ in range(trials):
                asked = facade.ask()
                result = self.space.points[",".join(str(asked.config[p]) for p in self.space.parameters)]
                cost = self.space.cost(result)
                worst = max(worst, cost or 0)
                facade.tell(asked, self.value(cost=cost or worst), save=False)
                run.add(cost, self.space.seconds(result))


class LFBO:
    """lfbo-ml/lfbo with its defaults (expected improvement, a third are good, ten random points first) and its gradient-boosted
    classifier, which chooses among all points of the space; an invalid one is told as the worst so far."""

    def __init__(self, space):
        for name in ("tensorflow", "tensorflow.keras.models", "tensorflow.keras.layers", "tensorflow.keras.losses", "ConfigSpace"):
            stand_in(name)  # of its neural network, and of its own spaces
        import model

        self.model, self.space, self.points, self.results = model, space, space.ranks(), list(space.points.values())

    def search(self, run, _, options, seed):
        chance = np.random.RandomState(seed)
        record = self.model.Record()
        classifier = self.model.MaximizableXGBClassifier(objective="binary:logistic", min_child_weight=1, learning_rate=0.3, n_estimators=100, n_jobs=1,
                                                         random_state=seed, **options)
        left = np.ones(len(self.points), bool)
        worst, costs = 1.0, []
        run.start()
        while left.any():
            if len(costs) < 10:
                at = chance.choice(np.flatnonzero(left))
            else:
                record.features, record.targets = [self.points[i] for i, _ in costs], [worst if c is None else c for _, c in costs]
                x, z, w = record.load_classification_data(0.33, "ei")
                classifier.fit(x, z, sample_weight=w, verbose=False)
                good = np.where(left, classifier.predict_proba(self.points)[:, 1], -1)
                at = chance.choice(np.flatnonzero(good == good.max()))
            left[at] = False
            cost = self.space.cost(self.results[at])
            worst = max(worst, cost or 0)
            costs.append((at, cost))
            run.add(cost, self.space.seconds(self.results[at]))


with contextlib.suppress(ImportError):
    import typing_extensions

    if not hasattr(typing_extensions, "deprecated"):  # older than ConfigSpace asks for
        typing_extensions.deprecated = lambda *a, **k: lambda f: f


def stand_in(name):
    """Lets a module be imported that is absent and not needed."""
    try:
        __import__(name)
    except ImportError:
        module = types.ModuleType(name)
        module.__getattr__ = lambda member: type(member, (), {}) if not member.startswith("__") else (_ for _ in ()).throw(AttributeError(member))
        sys.modules[name] = module
        parent, _, child = name.rpartition(".")
        if parent:
            stand_in(parent)
            setattr(sys.modules[parent], child, module)


def older_scikit_learn():
    """Names that SMAC's forest takes from scikit-learn 1.6, for Debian's 1.2: what they ask for is not used."""
    from sklearn.ensemble import _forest
    from sklearn.tree import DecisionTreeRegressor
    from sklearn.utils import validation

    if hasattr(validation, "validate_data"):
        return
    set_params = DecisionTreeRegressor.set_params
    validation.validate_data = lambda estimator, *a, ensure_all_finite=True, **k: estimator._validate_data(*a, force_all_finite=ensure_all_finite, **k)
    DecisionTreeRegressor.set_params = lambda tree, monotonic_cst=None, **k: set_params(tree, **k)
    DecisionTreeRegressor._support_missing_values = lambda tree, x: False
    fit = _forest.BaseForest.fit

    def fit_counting(forest, X, y, **k):
        forest._n_samples = len(X)
        return fit(forest, X, y, **k)

    def samples(forest):
        n = forest._n_samples
        if not forest.bootstrap:
            return [np.arange(n) for _ in forest.estimators_]
        drawn = _forest._get_n_samples_bootstrap(n, forest.max_samples)
        return [_forest._generate_sample_indices(tree.random_state, n, drawn) for tree in forest.estimators_]

    _forest.BaseForest.fit, _forest.BaseForest.estimators_samples_ = fit_counting, property(samples)


def dist(name, version):
    """Lets a clone that is not installed ask for its own version."""
    ask = importlib.metadata.version

    def answer(other):
        try:
            return ask(other)
        except importlib.metadata.PackageNotFoundError:
            if other.replace("-", "_") == name:
                return version
            raise

    importlib.metadata.version = answer


def main():
    p = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    p.add_argument("--evaluations", type=float, default=math.inf)
    p.add_argument("--seconds", type=float, default=math.inf)
    p.add_argument("--repeats", type=int, default=20)
    p.add_argument("--processor", type=float, default=math.inf)
    p.add_argument("--longest", type=float, default=math.inf)
    p.add_argument("--until", type=float, default=0)
    p.add_argument("--out", required=True)
    p.add_argument("cache")
    p.add_argument("strategies", nargs="+")
    o = p.parse_args()
    space = Space(o.cache)
    tuners = {}
    signal.signal(signal.SIGPROF, too_long)
    with gzip.open(o.out, "wt", newline="") as f:
        table = csv.writer(f)
        table.writerow(["space", "strategy", "run", "evaluation", "time_ms", "seconds"])
        for text in o.strategies:
            strategy, *options = text.split(":")
            options = {k: json.loads(v) for k, v in (x.split("=") for x in options)}
            kind = {"smac": SMAC, "lfbo": LFBO}.get(strategy, KernelTuner)
            start, total, done = time.process_time(), 0, 0
            while done < o.repeats and time.process_time() - start < o.processor:
                run = Run(o, space.optimum)
                np.random.seed(done)
                random.seed(done)
                try:
                    if kind not in tuners:
                        tuners[kind] = kind(space)
                    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
                    tuners[kind].search(run, strategy, options, done)
                except Ended:
                    pass
                except Exception as e:  # named and left out
                    print(f"{space.name} {text} run {done}: {type(e).__name__}: {e}", file=sys.stderr)
                    break
                finally:
                    signal.setitimer(signal.ITIMER_PROF, 0)
                for n, (cost, seconds) in enumerate(run.rows, 1):
                    table.writerow([space.name, text, done, n, "" if cost is None else repr(cost), round(seconds, 4)])
                done, total = done + 1, total + len(run.rows)
            print(f"{space.name} {text}: {done} runs, {total / max(done, 1):.1f} evaluations a run, "
                  f"{1e3 * (time.process_time() - start) / max(total, 1):.2f} ms an evaluation", file=sys.stderr, flush=True)


main()
