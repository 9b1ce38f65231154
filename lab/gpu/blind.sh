#!/usr/bin/env bash
# usage: lab/gpu/blind.sh BENCH WEAKNESS FOLDER 0|1
#
# Measures what judges bench why, on two GPUs of one host at once: track 0 the changes of test/weakness/blind, squares of
# test/weakness/promises, whose sums were wrong once, and then a calibration and energies; track 1 a calibration and energies.
# The GPU is cuda:0 for track 0 and cuda:1 for track 1, or DEVICE. Each takes 400 seconds at most.
set -uo pipefail
bench=$(realpath "${1:?BENCH, the program}")
weakness=$(realpath "${2:?WEAKNESS, lab/weakness as a program}")
mkdir -p "${3:?FOLDER for the results}"
out=$(realpath "$3")
track=${4:?0 or 1}
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../.."
export DEVICE=${DEVICE:-cuda:$track} BENCH_PLOTS=none
case $track in
0)
  LIMIT=130 lab/gpu/weakness.sh "$bench" "$weakness" "$out" blind
  XDG_CONFIG_HOME="$out/home" "$bench" run test/weakness/promises/squares.json --wisdom none --device "$DEVICE" --out "$out/squares" >"$out/squares.txt" 2>&1 || echo "squares failed: $out/squares.txt" >&2
  LIMIT=$((375 - SECONDS)) lab/gpu/energy.sh "$bench" "$out/energy-0" calibration first
  ;;
1) LIMIT=375 lab/gpu/energy.sh "$bench" "$out/energy-1" calibration second ;;
*) echo "no track $track: 0, 1" >&2; exit 2 ;;
esac
echo "blind.sh: track $track, $SECONDS s"
