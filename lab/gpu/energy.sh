#!/usr/bin/env bash
# usage: lab/gpu/energy.sh BENCH FOLDER calibration|SET...
#
# Measures what a GPU's energy goes to: calibration (bench why --calibrate, 46 loads), and what no calibration has seen,
# chosen before the energy of any was measured: both sides of each change of a SET, a folder of test/weakness (blind, blind2,
# changes), by name as far as time allows. FOLDER gets calibration and judged (a run of each kernel).
#
# GPUs of one kind differ in what the same takes: each part is judged by a calibration of the GPU that measured it, and two
# GPUs need a FOLDER and a calibration each.
#
# A point takes 4.4 s, of which 2 s are its window: 20 updates of NVML's counter, the least that a measurement takes. A run takes
# 2.5 s besides. After LIMIT seconds (370) of the script no further kernel is begun. Then, on any machine:
#
#   go run -C lab ./weakness energy FOLDER/calibration/energy.json FOLDER/judged/*
set -euo pipefail
bench=$(realpath "${1:?BENCH, the program}")
mkdir -p "${2:?FOLDER for the results}"
out=$(realpath "$2")
shift 2
[ $# -gt 0 ] || { echo "no part: calibration, or a SET of test/weakness" >&2; exit 2; }
device=${DEVICE:-cuda:0}
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../.."
export BENCH_PLOTS=none XDG_CONFIG_HOME="$out/home"
limit=${LIMIT:-370}

# measured CONFIG... measures configs with energy. Each is measured by one of its own beside its sources, which has this process in
# its name, as another may measure the same set on another GPU.
measured() {
  local config name own
  for config in "$@"; do
    name=$(basename "$config" .json)
    case $name in energy-*) continue ;; esac
    if [ $SECONDS -gt "$limit" ]; then echo "left out: $name" >&2; continue; fi
    own=$(dirname "$config")/energy-$$-$name.json
    python3 -c 'import json, sys
c = json.load(open(sys.argv[1]))
c.pop("sensors", None)
c["measure"].update(min_time_s=0.02, noise=0.02, timeout_s=0.2, power_window_s=2, cooldown_s=0)
for name, values in c["sweep_arg"].items():
    c["sweep_arg"][name] = [max(values)]
json.dump(c, open(sys.argv[2], "w"))' "$config" "$own"
    mkdir -p "$out/judged"
    "$bench" run "$own" --processor GPU --seed 1 --wisdom none --device "$device" --out "$out/judged/$name" >"$out/$name.txt" 2>&1 || echo "$name failed: $out/$name.txt" >&2
    rm -f "$own"
  done
}

for part in "$@"; do
  case $part in
  calibration) "$bench" why --calibrate --device "$device" --out "$out/calibration" >"$out/calibration.txt" 2>&1 || echo "the calibration failed: $out/calibration.txt" >&2 ;;
  blind | blind2 | changes) measured test/weakness/"$part"/*.json ;;
  *) echo "no part $part: calibration, blind, blind2, changes" >&2; exit 2 ;;
  esac
  echo "energy.sh: $part, $SECONDS s"
done
