"""usage: compare.py FOLDER KERNEL...

Prints the times of each kernel by both interfaces, of the runs that run.sh left in FOLDER. The time between two events of CUDA with
nothing between them is part of CUDA's cold times and not of OpenCL's: the difference is of what is left.
"""
import csv
import glob
import sys


def rows(folder):
    """Returns the rows of a run's table of times, by problem."""
    return {row["N"]: row for name in glob.glob(folder + "/*_time.csv") for row in csv.DictReader(open(name))}


print("kernel,N,run,cuda_cold_s,cuda_event_floor_s,opencl_cold_s,opencl_runs_per_sample,cold_difference,cuda_hot_s,opencl_hot_s,hot_difference")
for kernel in sys.argv[2:]:
    for turn in "12":
        cuda, opencl = (rows(f"{sys.argv[1]}/{kernel}.{api}.{turn}") for api in ("cuda", "opencl"))
        for n, c in cuda.items():
            o = opencl.get(n)
            if not o or c["status"] != "ok" or o["status"] != "ok":
                print(f"{kernel} {n}: {c['status']} by CUDA, {o['status'] if o else 'absent'} by OpenCL", file=sys.stderr)
                continue
            cold, floor, other, hot, other_hot = (float(x) for x in (c["time_s"], c["event_floor_s"], o["time_s"], c["hot_time_s"], o["hot_time_s"]))
            print(f"{kernel},{n},{turn},{cold:.6g},{floor:.4g},{other:.6g},{o['runs_per_sample']},{other / (cold - floor) - 1:.4f},{hot:.6g},{other_hot:.6g},{other_hot / hot - 1:.4f}")
