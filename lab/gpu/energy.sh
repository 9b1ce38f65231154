#!/usr/bin/env bash
# usage: lab/gpu/energy.sh BENCH FOLDER
#
# Calibrates what a GPU's energy goes to (bench why --calibrate), and measures 41 points of 26 kernels that the calibration has
# not seen, with energy: eight of the planted weaknesses before and after (test/weakness/kernels), and 18 kernels of
# test/weakness/judging, three of them in two versions. Was written down before any of them was measured. FOLDER gets
# calibration, a run, and one run of each kernel. Takes about eight minutes; after nine no further kernel is begun. Then, on any machine:
#
#   go run -C lab ./weakness energy FOLDER/calibration/energy.json FOLDER/judged/*
set -euo pipefail
bench=$(realpath "${1:?BENCH, the program}")
mkdir -p "${2:?FOLDER for the results}"
out=$(realpath "$2")
device=${DEVICE:-cuda:0}
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../.."
export BENCH_PLOTS=none XDG_CONFIG_HOME="$out/home"
mkdir -p "$out/judged"

"$bench" why --calibrate --device "$device" --out "$out/calibration" >"$out/calibration.txt" 2>&1 || echo "the calibration failed: $out/calibration.txt" >&2

# judged measures one config with energy: its folder, name and what of its sweep.
judged() {
  local folder=$1 name=$2
  shift 2
  if [ $SECONDS -gt 540 ]; then echo "left out: $name" >&2; return; fi
  local config=test/weakness/$folder/energy-$name.json
  python3 -c 'import json, sys
c = json.load(open(sys.argv[1]))
c.pop("sensors", None)
c["measure"].update(power_window_s=2, cooldown_s=0)
json.dump(c, open(sys.argv[2], "w"))' "test/weakness/$folder/$name.json" "$config"
  "$bench" run "$config" "$@" --processor GPU --seed 1 --wisdom none --device "$device" --out "$out/judged/$name" >"$out/$name.txt" 2>&1 || echo "$name failed: $out/$name.txt" >&2
  rm -f "$config"
}

judged judging histogram --set N=16777216
judged judging product --set N=2048
judged judging transpose --set N=8192
for planted in bank columns divergence division double exact narrow structs; do judged kernels $planted; done
judged judging nbody --set N=4096,65536
judged judging matvec --set N=1024,16384
judged judging collatz --set N=65536,4194304
judged judging reduce --set N=65536,16777216
judged judging bilinear --set N=16384
judged judging compact --set N=16777216
judged judging convolve --set N=16777216
judged judging hash --set N=16777216
judged judging lut --set N=67108864
judged judging popcount --set N=1048576
judged judging random --set N=16777216
judged judging scanblock --set N=16777216
judged judging sobel --set N=8192
judged judging softmax --set N=16384
judged judging stencil3 --set N=384
