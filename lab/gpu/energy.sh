#!/usr/bin/env bash
# usage: lab/gpu/energy.sh BENCH FOLDER
#
# Calibrates what a GPU's energy goes to (bench why --calibrate, 44 loads), and measures with energy what no calibration has
# seen: ten kernels before and after a change (test/weakness/promises), and those of test/weakness/unseen by their names, at
# the largest of their sizes. Was written down before the energy of any was measured. Of the changes, the first by name of each
# kind that lessens what is done, not only how long it takes, with data that is not constant. FOLDER gets calibration, judged
# (a run of each kernel) and, where time is left, corrected: kernels whose energy corrects the model.
#
# A point takes 4.4 s, of which 2 s are its window: 20 updates of NVML's counter, the least that a measurement takes. A run takes 2.5 s
# besides. After LIMIT seconds (530) no further kernel is begun: nine minutes for all. Then, on any machine:
#
#   go run -C lab ./weakness energy FOLDER/calibration/energy.json FOLDER/judged/*
set -euo pipefail
bench=$(realpath "${1:?BENCH, the program}")
mkdir -p "${2:?FOLDER for the results}"
out=$(realpath "$2")
device=${DEVICE:-cuda:0}
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../.."
export BENCH_PLOTS=none XDG_CONFIG_HOME="$out/home"
limit=${LIMIT:-530}

"$bench" why --calibrate --device "$device" --out "$out/calibration" >"$out/calibration.txt" 2>&1 || echo "the calibration failed: $out/calibration.txt" >&2

# measured PART FOLDER NAME [OPTIONS] measures one config with energy: its folder, name and what of its sweep.
measured() {
  local part=$1 folder=$2 name=$3
  shift 3
  if [ $SECONDS -gt "$limit" ]; then echo "left out: $name" >&2; return; fi
  local config=test/weakness/$folder/energy-$name.json
  python3 -c 'import json, sys
c = json.load(open(sys.argv[1]))
c.pop("sensors", None)
c["measure"].update(min_time_s=0.02, noise=0.02, timeout_s=0.2, power_window_s=2, cooldown_s=0)
if len(sys.argv) > 3:
    for name, values in c["sweep_arg"].items():
        c["sweep_arg"][name] = [max(values)]
json.dump(c, open(sys.argv[2], "w"))' "test/weakness/$folder/$name.json" "$config" ${LARGEST:+largest}
  mkdir -p "$out/$part"
  "$bench" run "$config" "$@" --processor GPU --seed 1 --wisdom none --device "$device" --out "$out/$part/$name" >"$out/$name.txt" 2>&1 || echo "$name failed: $out/$name.txt" >&2
  rm -f "$config"
}

for changed in coefficients fused inexact logistic mix pad parity private tiles wrap; do measured judged promises $changed; done
for config in test/weakness/unseen/*.json; do
  case $config in */energy-*) continue ;; esac
  LARGEST=yes measured judged unseen "$(basename "$config" .json)"
done
for name in histogram reduce compact; do measured corrected judging $name --set N=16777216; done
echo "energy.sh: $SECONDS s"
