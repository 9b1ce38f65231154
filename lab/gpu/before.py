"""usage: before.py FOLDER NAME...

Of the runs that before.sh left in FOLDER, writes cold.csv, the ratios of NAME.csv (bench compare) with their intervals, and hot.csv, those of runs
back to back: each pair A, B of a turn gives one, of which the middle, the least and the greatest stand there. Prints both, and the
mean of the logarithms' ratios.
"""
import csv
import glob
import math
import sys

KEYS = ("version", "N", "n", "K", "rows", "batch_elements", "precision", "basis")


def problem(row):
    """Returns what tells a row from the others of its run, in words."""
    return " ".join(f"{key}={row[key]}" for key in KEYS if row.get(key))


def rows(folder):
    """Returns the rows of a run's table of times by problem, those that are ok."""
    found = {}
    for name in glob.glob(folder + "/*_time.csv"):
        for row in csv.DictReader(open(name)):
            if row["status"] == "ok":
                found[problem(row)] = row
            else:
                print(f"{folder} {problem(row)}: {row['status']}: {row.get('reason') or row.get('error') or ''}", file=sys.stderr)
    return found


folder, names = sys.argv[1], sys.argv[2:]
tables = {"cold": [], "hot": []}
for name in names:
    for row in csv.DictReader(open(f"{folder}/{name}.csv")):
        if row.get("ratio"):
            tables["cold"].append((name, problem(row), float(row["ratio"]), float(row["ratio_low"] or "nan"), float(row["ratio_high"] or "nan"), row["verdict"]))
    pairs = {}
    for a in sorted(glob.glob(f"{folder}/{name}.*.A.[12]")):
        before, after = rows(a), rows(a.replace(".A.", ".B."))
        for key, row in before.items():
            if key in after and row.get("hot_time_s") and after[key].get("hot_time_s"):
                pairs.setdefault(key, []).append(float(after[key]["hot_time_s"]) / float(row["hot_time_s"]))
    for key, ratios in pairs.items():
        middle = math.exp(sum(map(math.log, ratios)) / len(ratios))
        tables["hot"].append((name, key, middle, min(ratios), max(ratios), f"{len(ratios)} pairs"))
for caches, table in tables.items():
    with open(f"{folder}/{caches}.csv", "w") as out:
        for to in (out, sys.stdout):
            print("config,problem,caches,ratio,ratio_low,ratio_high,said", file=to)
            for name, key, ratio, low, high, said in table:
                print(f'{name},"{key}",{caches},{ratio:.4f},{low:.4f},{high:.4f},{said}', file=to)
    if table:
        print(f"# {caches}: {len(table)} problems, B by A {math.exp(sum(math.log(t[2]) for t in table) / len(table)):.4f} in the mean")
