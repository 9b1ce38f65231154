#!/usr/bin/env bash
# usage: lab/gpu/opencl/six.sh BENCH FOLDER [CUDA OPENCL]
#
# Times the six algorithms' own versions, and cuFFT and clFFT, through CUDA and through OpenCL on one GPU, each point verified, and prints the
# best version of each beside the other: six.csv. Of tridiagonal systems OpenCL's two best versions are also tried with other P and L.
# FOLDER keeps the runs. CUDA and OPENCL are devices (cuda:0, opencl:nvidia). ONLY names some of the runs (ONLY="fft tridiagonal"). All take
# about six minutes on an H200, fft half a one, tridiagonal a minute and a half. clFFT is found by LD_LIBRARY_PATH (libclFFT.so.2 of
# Debian's libclfft2); without it that run has no peer for OpenCL.
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

# config NAME ALGORITHM VERSIONS STATIC SWEEP [TUNABLES] writes a config of a few points, where it is wanted.
all=
config() {
  case " ${ONLY:-${1%-steps}} " in *" ${1%-steps} "*) ;; *) return 0 ;; esac
  all+=" $1"
  cat >"$1.json" <<EOF
{"algorithm": "$2", "processor": "GPU", "versions": [$3], "static_args": {$4}, "sweep_arg": {$5}, "tunables": {${6:-}}, "sensors": [],
 "measure": {"ceilings": false, "min_time_s": 0.1, "noise": 0.01, "timeout_s": 0.5, "cooldown_s": 0}}
EOF
}
config fft fft '"stockham", "multi"' '"batch_elements": 16777216' '"N": [64, 512, 4096, 8192, 65536, 1048576]'
config fft-f64 fft '"stockham"' '"batch_elements": 16777216, "precision": "f64"' '"N": [256, 4096]'
config fft-peers fft '"cufft", "clfft"' '"batch_elements": 16777216' '"N": [64, 512, 4096, 65536, 1048576]'
config scan scan '"lf", "ks", "lookback", "passes"' '"batch_elements": 33554432' '"N": [64, 512, 4096, 33554432]'
config tridiagonal tridiagonal '"cr", "pcr", "lf", "wm"' '"batch_elements": 16777216' '"N": [64, 512, 2048, 4096]'
config tridiagonal-steps tridiagonal '"cr", "pcr"' '"batch_elements": 16777216' '"N": [64, 512, 2048, 4096]' '"P": [4, 8, 16], "L": [64, 128, 256, 512], "S": [256, 512, 1024, 2048, 4096], "SHUFFLE": [0]'
config qr qr '"v1", "v2", "v3", "tiles", "registers"' '"m": 1024' '"n": [64, 256]'
config qr-small qr '"v4", "v5", "v6", "v7", "v8", "registers"' '"m": 64, "n": 64' '"batch": [2048]'
config bicubic bicubic '"v1", "v2", "v3", "v5"' '"cols": 2048, "row_factor": 8, "column_factor": 2' '"rows": [512, 2048]'
config pattern pattern '"v1", "v2", "v3", "v4", "v5"' '"N": 32' '"K": [1000, 10000]'

status=0
for name in $all; do
  for on in "$cuda" "$opencl"; do
    api=${on%%:*}
    [ "$name" != tridiagonal-steps ] || [ "$on" = "$opencl" ] || continue
    # A point that is not ok ends in six.py's list, not the runs.
    "$bench" run "$name.json" --device "$on" --seed 1 --out "$out/$name.$api" >"$out/$name.$api.txt" 2>&1 || { status=1; echo "$name on $on: see $out/$name.$api.txt" >&2; }
  done
done
python3 "$here/six.py" "$out" "${cuda%%:*}" "${opencl%%:*}" ${all/ tridiagonal-steps/} | tee "$out/six.csv"
exit $status
