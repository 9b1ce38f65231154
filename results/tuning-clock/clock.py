#!/usr/bin/env python3
"""Say when the searches of a file that simulate.py wrote were within 5 % of the optimum.

clock.py SPACE.csv.gz RUNS.csv.gz: a line a strategy: how many of its runs came there, and the medians
(the mean of the middle two) of seconds and evaluations; a run that did not counts as later than all.
"""
import collections
import csv
import gzip
import math
import statistics
import sys

with gzip.open(sys.argv[1], "rt") as f:
    best = min(float(row["time_ms"]) for row in csv.DictReader(f) if row["time_ms"])
spent, count, at = collections.Counter(), collections.Counter(), {}
with gzip.open(sys.argv[2], "rt") as f:
    for row in csv.DictReader(f):
        run = row["strategy"], row["run"]
        spent[run] += float(row["seconds"])
        count[run] += 1
        if row["time_ms"] and float(row["time_ms"]) <= best / 0.95:
            at.setdefault(run, (spent[run], count[run]))
for strategy in sorted({s for s, _ in spent}):
    ends = [at.get(run, (math.inf, math.inf)) for run in spent if run[0] == strategy]
    print(f"{strategy}: {sum(e[0] < math.inf for e in ends)} of {len(ends)}, "
          f"{statistics.median(e[0] for e in ends):.0f} s, {statistics.median(e[1] for e in ends):.0f} evaluations")
