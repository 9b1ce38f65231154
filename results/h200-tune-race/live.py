#!/usr/bin/env python3
"""One live search of the convolution by Kernel Tuner: live.py STRATEGY SEED SECONDS FOLDER.

In FOLDER: Kernel Tuner's cache file, whose timestamps say when each point was known, and start.txt, the time at which the
program began. kernel_tuner, constraint, xmltodict.py and convolution.cu lie in the working folder. Searches that run side
by side take turns on the GPU by the file "lock" above FOLDER: each compiles on a core of its own and measures alone.
"""
import datetime, fcntl, json, os, random, sys, types
from collections import OrderedDict
from importlib import import_module

strategy, seed, seconds, folder = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), os.path.abspath(sys.argv[4])
os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, "start.txt"), "w") as f:
    f.write(str(datetime.datetime.now(datetime.timezone.utc)) + "\n")
# No search finds what another one compiled.
os.environ["CUPY_CACHE_DIR"] = os.path.join(folder, "compiled")
sys.path.insert(0, ".")
for name in ("jsonschema", "pymoo"):  # not installed on the machine: only strategies that are not used need them
    try:
        import_module(name)
    except ImportError:
        stand_in = types.ModuleType(name)
        stand_in.validate = lambda *a, **k: None
        sys.modules[name] = stand_in
import numpy as np
import kernel_tuner
import kernel_tuner.core

lock = open(os.path.join(os.path.dirname(folder), "lock"), "w")
waited = [0.0]
measure = kernel_tuner.core.DeviceInterface.benchmark


def alone(*arguments, **named):
    asked = datetime.datetime.now()
    fcntl.flock(lock, fcntl.LOCK_EX)
    waited[0] += (datetime.datetime.now() - asked).total_seconds()
    try:
        return measure(*arguments, **named)
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)


kernel_tuner.core.DeviceInterface.benchmark = alone
random.seed(seed)
np.random.seed(seed)
N = 4096
space = OrderedDict(
    block_size_x=[16 * i for i in range(1, 9)], block_size_y=[2**i for i in range(6)],
    tile_size_x=list(range(1, 9)), tile_size_y=list(range(1, 9)), use_padding=[0, 1], read_only=[0, 1],
    filter_height=[17], filter_width=[17])
weights = np.random.uniform(-1, 1, 17 * 17).astype(np.float32)
image = np.random.uniform(-1, 1, (N + 16) ** 2).astype(np.float32)
found, _ = kernel_tuner.tune_kernel(
    "convolution_kernel", open("convolution.cu").read(), (N, N), [np.zeros(N * N, np.float32), image, weights], space,
    grid_div_x=["block_size_x", "tile_size_x"], grid_div_y=["block_size_y", "tile_size_y"],
    restrictions=["use_padding==0 or (block_size_x % 32 != 0)", "block_size_x*block_size_y<=1024"],
    cmem_args={"d_filter": weights}, lang="CUPY", strategy=strategy, strategy_options={"time_limit": seconds},
    iterations=7, quiet=True, cache=os.path.join(folder, "cache.json"))
valid = [r for r in found if r and isinstance(r.get("time"), (int, float))]
print(json.dumps({"strategy": strategy, "seed": seed, "evaluations": len(found), "valid": len(valid),
                  "best_ms": min((r["time"] for r in valid), default=None), "waited_s": round(waited[0], 2)}))
