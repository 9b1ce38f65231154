#!/usr/bin/env python3
"""Say when each search of this folder was within 20, 10 and 5 % of the best time that any of them saw.

A line a search: points known, points that ran, seconds to the first, its best in µs and after how many seconds, and the
seconds to within 20, 10 and 5 %. Kernel Tuner's seconds count from the start of its program, those of bench from the start of its search.
"""
import csv
import datetime
import glob
import gzip
import json

searches = {}
for line in open("starts.txt"):
    name, start = line.split(" ", 1)
    began = datetime.datetime.fromisoformat(start.strip())
    with gzip.open(name + ".json.gz", "rt") as f:
        points = json.JSONDecoder().raw_decode(f.read())[0]["cache"].values()  # it ends with a brace too many
    searches[name] = sorted(((datetime.datetime.fromisoformat(p["timestamp"]) - began).total_seconds(),
                             p["time"] * 1e3 if isinstance(p.get("time"), float) else None) for p in points)
for name in sorted(glob.glob("best-*")):
    with open(name + "/trials.csv") as f:
        searches[name] = [(float(r["ended_s"]), float(r["time_s"]) * 1e6 if r["status"] == "ok" else None) for r in csv.DictReader(f)]

optimum = min(t for points in searches.values() for _, t in points if t)
print(f"best of all: {optimum:.1f} µs")
for name, points in searches.items():
    ran = [(at, t) for at, t in points if t]
    best = min(t for _, t in ran)
    within = [next((f"{at:.1f}" for at, t in ran if t <= optimum / share), "-") for share in (0.8, 0.9, 0.95)]
    print(f"{name}: {len(points)} points, {len(ran)} ran, first {ran[0][0]:.1f} s, best {best:.1f} µs "
          f"after {next(at for at, t in ran if t == best):.1f} s; within 20, 10, 5 %: {', '.join(within)} s; {points[-1][0]:.0f} s in all")
