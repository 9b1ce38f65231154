#!/usr/bin/env bash
# usage: lab/gpu/radar.sh BENCH FOLDER
#
# Measures configs/radar on one GPU, each config at the last value of its sweep: tunes five, runs all with energy, runs the five that are in
# OpenCL C through both interfaces with their defaults, and does what CuPy's functions, and CLBlast's, do of it. FOLDER keeps the
# runs, cupy.csv and clblast.csv. Takes about six minutes. PARTS are those to do (default "tune energy cupy opencl"), OPENCL the configs of the last (channelizer
# alone takes 20 s: PARTS=opencl OPENCL=channelizer).
set -euo pipefail
bench=$(realpath "${1:?BENCH, the program}")
mkdir -p "${2:?FOLDER for the results}"
out=$(realpath "$2")
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../.."
export BENCH_PLOTS=none XDG_CONFIG_HOME="$out/home"

# last prints what sets a config to the last value of its sweep.
last() { python3 -c 'import json, sys
for name, values in json.load(open(sys.argv[1]))["sweep_arg"].items(): print("--set", "%s=%s" % (name, values[-1]))' "$1"; }

fast=(--processor GPU --seed 1)
part() { case " ${PARTS:-tune energy cupy opencl} " in *" $1 "*) ;; *) false ;; esac; }
if part tune; then
  for tuned in tdfir/blocked cfar/tiled,streamed beamform/blocked beamform16/tensor channelizer/polyphase; do
    name=${tuned%/*}
    "$bench" tune configs/radar/$name.json $(last configs/radar/$name.json) --versions "${tuned#*/}" --device cuda:0 --budget 5s --out "$out/tune-$name" >"$out/tune-$name.txt" 2>&1 || echo "tune $name failed" >&2
  done
fi
if part energy; then
  for config in configs/radar/*.json; do
    name=$(basename "$config" .json)
    "$bench" run "$config" $(last "$config") "${fast[@]}" --device cuda:0 --out "$out/$name" >"$out/$name.txt" 2>&1 || echo "$name failed" >&2
  done
fi
if part cupy; then
  python3 lab/gpu/radar.py >"$out/cupy.csv" || echo "CuPy failed" >&2
fi
part opencl || exit 0
python3 lab/gpu/opencl/clblast.py nvidia >"$out/clblast.csv" || echo "CLBlast failed" >&2
for name in ${OPENCL:-cornerturn tdfir cfar beamform channelizer}; do
  for on in cuda:0 opencl:nvidia; do
    python3 -c 'import json, sys; c = json.load(open(sys.argv[1])); c["sensors"] = []; json.dump(c, open(sys.argv[2], "w"))' configs/radar/$name.json configs/radar/timed.json
    "$bench" run configs/radar/timed.json $(last configs/radar/$name.json) "${fast[@]}" --wisdom none --device $on --out "$out/$name.${on%:*}" >"$out/$name.${on%:*}.txt" 2>&1 || echo "$name on $on failed" >&2
  done
done
rm -f configs/radar/timed.json
