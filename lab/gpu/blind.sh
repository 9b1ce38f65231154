#!/usr/bin/env bash
# usage: lab/gpu/blind.sh BENCH WEAKNESS FOLDER SET 0|1
#
# Measures what judges bench why, on two GPUs of one host at once, by a SET of changes: blind or blind2, a folder of test/weakness.
# Track 0 measures the changes, and then a calibration and energies of the set; track 1 a calibration and energies: of blind2 the
# set's, of blind those of test/weakness/changes. With blind track 0 has squares of test/weakness/promises too, whose sums were
# wrong once. The GPU is cuda:0 for track 0 and cuda:1 for track 1, or DEVICE. Each takes 400 seconds at most.
set -uo pipefail
bench=$(realpath "${1:?BENCH, the program}")
weakness=$(realpath "${2:?WEAKNESS, lab/weakness as a program}")
mkdir -p "${3:?FOLDER for the results}"
out=$(realpath "$3")
set=${4:?SET: blind, blind2}
track=${5:?0 or 1}
case $set in
blind) energies=changes ;;
blind2) energies=blind2 ;;
*) echo "no set $set: blind, blind2" >&2; exit 2 ;;
esac
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../.."
export DEVICE=${DEVICE:-cuda:$track} BENCH_PLOTS=none
case $track in
0)
  LIMIT=130 lab/gpu/weakness.sh "$bench" "$weakness" "$out" "$set"
  if [ "$set" = blind ]; then
    XDG_CONFIG_HOME="$out/home" "$bench" run test/weakness/promises/squares.json --wisdom none --device "$DEVICE" --out "$out/squares" >"$out/squares.txt" 2>&1 || echo "squares failed: $out/squares.txt" >&2
  fi
  LIMIT=$((375 - SECONDS)) lab/gpu/energy.sh "$bench" "$out/energy-0" calibration "$set"
  ;;
1) LIMIT=375 lab/gpu/energy.sh "$bench" "$out/energy-1" calibration "$energies" ;;
*) echo "no track $track: 0, 1" >&2; exit 2 ;;
esac
echo "blind.sh: track $track, $SECONDS s"
