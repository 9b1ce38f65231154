"""usage: compare.py FOLDER KERNEL...

Prints how each interface timed, and the times of each kernel by both, of the runs that run.sh left in FOLDER. A cold time has its event
floor in it. cold_difference is of what is left without each side's own; beyond_one is of what is left without
each side's time of the kernel "one", if there is such a run.
"""
import csv
import glob
import json
import os
import sys


def rows(folder):
    """Returns the rows of a run's table of times, by problem."""
    return {row["N"]: row for name in glob.glob(folder + "/*_time.csv") for row in csv.DictReader(open(name))}


def times(row):
    """Returns the seconds of a row: cold, event floor, hot."""
    return tuple(float(row[column] or 0) for column in ("time_s", "event_floor_s", "hot_time_s"))


folder, kernels, apis = sys.argv[1], sys.argv[2:], ("cuda", "opencl")
turns = sorted({path.rsplit(".", 1)[1] for path in glob.glob(folder + "/*.opencl.*") if os.path.isdir(path)}, key=int)
for api in apis:
    for path in sorted(glob.glob(f"{folder}/*.{api}.1/run.json"))[:1]:
        device = json.load(open(path))["devices"][0]
        print(f"# {device['id']}: {device.get('timing') or 'CUDA events'}")
print("kernel,N,turn,cuda_cold_s,cuda_floor_s,opencl_cold_s,opencl_floor_s,opencl_runs_per_sample,cold_difference,beyond_one,cuda_hot_s,opencl_hot_s,hot_difference")
for turn in turns:
    least = [times(row) for api in apis for row in rows(f"{folder}/one.{api}.{turn}").values() if row["status"] == "ok"]
    for kernel in kernels:
        cuda, opencl = (rows(f"{folder}/{kernel}.{api}.{turn}") for api in apis)
        for n, c in cuda.items():
            o = opencl.get(n)
            if not o or c["status"] != "ok" or o["status"] != "ok":
                print(f"{kernel} {n}: {c['status']} by CUDA, {o['status'] if o else 'absent'} by OpenCL", file=sys.stderr)
                continue
            cold, floor, hot = times(c)
            other, other_floor, other_hot = times(o)
            beyond = f"{(other - least[1][0]) / (cold - least[0][0]) - 1:.4f}" if len(least) == 2 and kernel != "one" else ""
            print(f"{kernel},{n},{turn},{cold:.6g},{floor:.4g},{other:.6g},{other_floor:.4g},{o['runs_per_sample']},"
                  f"{(other - other_floor) / (cold - floor) - 1:.4f},{beyond},{hot:.6g},{other_hot:.6g},{other_hot / hot - 1:.4f}")
