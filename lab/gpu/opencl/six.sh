#!/usr/bin/env bash
# usage: lab/gpu/opencl/six.sh BENCH FOLDER [CUDA OPENCL]
#
# Times the six algorithms' own versions through CUDA and through OpenCL on one GPU, each point verified, and prints the best
# version of each beside the other. FOLDER keeps the runs. CUDA and OPENCL are devices (cuda:0, opencl:nvidia). Takes about five minutes.
set -euo pipefail
bench=$(realpath "${1:?BENCH, the program}")
mkdir -p "${2:?FOLDER for the results}"
out=$(realpath "$2")
cuda=${3:-cuda:0} opencl=${4:-opencl:nvidia}
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
export BENCH_PLOTS=none
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# config NAME ALGORITHM VERSIONS STATIC SWEEP writes a config of a few points.
config() {
  cat >"$1.json" <<EOF
{"algorithm": "$2", "processor": "GPU", "versions": [$3], "static_args": {$4}, "sweep_arg": {$5}, "sensors": [],
 "measure": {"ceilings": false, "min_time_s": 0.1, "noise": 0.01, "timeout_s": 0.5, "cooldown_s": 0}}
EOF
}
config fft fft '"stockham", "multi"' '"batch_elements": 16777216' '"N": [64, 512, 4096, 8192, 65536, 1048576]'
config fft-f64 fft '"stockham"' '"batch_elements": 16777216, "precision": "f64"' '"N": [256, 4096]'
config scan scan '"lf", "ks", "lookback", "passes"' '"batch_elements": 33554432' '"N": [64, 512, 4096, 33554432]'
config tridiagonal tridiagonal '"cr", "pcr", "lf", "wm"' '"batch_elements": 16777216' '"N": [64, 512, 2048, 4096]'
config qr qr '"v1", "v2", "v3", "tiles", "registers"' '"m": 1024' '"n": [64, 256]'
config qr-small qr '"v4", "v5", "v6", "v7", "v8", "registers"' '"m": 64, "n": 64' '"batch": [2048]'
config bicubic bicubic '"v1", "v2", "v3", "v5"' '"cols": 2048, "row_factor": 8, "column_factor": 2' '"rows": [512, 2048]'
config pattern pattern '"v1", "v2", "v3", "v4", "v5"' '"N": 32' '"K": [1000, 10000]'

all="fft fft-f64 scan tridiagonal qr qr-small bicubic pattern"
status=0
for name in $all; do
  for on in "$cuda" "$opencl"; do
    api=${on%%:*}
    # A point that is not ok ends in six.py's list, not the runs.
    "$bench" run "$name.json" --device "$on" --seed 1 --out "$out/$name.$api" >"$out/$name.$api.txt" 2>&1 || { status=1; echo "$name on $on: see $out/$name.$api.txt" >&2; }
  done
done
python3 "$here/six.py" "$out" "${cuda%%:*}" "${opencl%%:*}" $all
exit $status
