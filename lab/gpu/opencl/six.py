"""usage: six.py FOLDER CUDA OPENCL NAME...

Prints, of the runs that six.sh left in FOLDER as NAME.CUDA and NAME.OPENCL, the fastest version of each problem by both interfaces, back
to back (hot) where both were timed so, else cold without the event floor; what NAME-steps.OPENCL has of it counts too. Points that are not ok
go to standard error.
"""
import csv
import glob
import sys

PARAMETERS = ("N", "n", "m", "rows", "basis", "K", "batch", "precision")
TUNABLES = ("P", "L", "r")


def best(folder, steps=""):
    """Returns {problem: (hot seconds or None, cold seconds, version)} of the fastest points of a run, and of one beside it."""
    found = {}
    for name in glob.glob(folder + "/*_time.csv") + (glob.glob(steps + "/*_time.csv") if steps else []):
        for row in csv.DictReader(open(name)):
            problem = " ".join(f"{p}={row[p]}" for p in PARAMETERS if row.get(p))
            if row["status"] == "skipped" and "tunables cannot run" in row["reason"]:
                continue  # such as an S that does not follow from P and L
            if row["status"] != "ok":
                print(f"{folder} {row['version']} {problem}: {row['status']}: {row.get('reason') or row.get('error') or ''}", file=sys.stderr)
                continue
            hot = float(row["hot_time_s"]) if row.get("hot_time_s") else None
            cold = float(row["time_s"]) - float(row.get("event_floor_s") or 0)
            if problem not in found or (hot or cold) < (found[problem][0] or found[problem][1]):
                found[problem] = (hot, cold, " ".join([row["version"]] + [f"{t}={row[t]}" for t in TUNABLES if row.get(t)]))
    return found


folder, cuda, opencl, names = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
print("algorithm,problem,timed,cuda_version,cuda_s,opencl_version,opencl_s,opencl_share_of_cuda_speed")
for name in names:
    left, right = best(f"{folder}/{name}.{cuda}"), best(f"{folder}/{name}.{opencl}", f"{folder}/{name}-steps.{opencl}")
    for problem, (hot, cold, version) in left.items():
        if problem not in right:
            print(f"{name} {problem}: not timed by OpenCL", file=sys.stderr)
            continue
        other_hot, other_cold, other = right[problem]
        timed = "hot" if hot and other_hot else "cold"
        a, b = (hot, other_hot) if timed == "hot" else (cold, other_cold)
        print(f"{name},{problem},{timed},{version},{a:.6g},{other},{b:.6g},{a / b:.3f}")
