#!/usr/bin/env bash
# usage: lab/gpu/opencl/run.sh BENCH FOLDER
#
# Times ten kernels, each verified, through CUDA and through NVIDIA's OpenCL on one GPU, in turns, and prints both
# times. FOLDER keeps the runs. Takes about four minutes.
set -euo pipefail
bench=$(realpath "${1:?BENCH, the program}")
mkdir -p "${2:?FOLDER for the results}"
out=$(realpath "$2")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
export BENCH_PLOTS=none
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/*.cu "$here"/*.cl "$here"/*.c "$work"
cd "$work"
for config in "$here"/*.json; do
  name=$(basename "$config" .json)
  cp "$config" "$name.cuda.json"
  sed 's/"cuda":/"opencl":/; s/"cuda[.]cu"/"opencl.cl"/' "$config" >"$name.opencl.json"
done
kernels="copy triad multiply_add scan_blocks sum transpose stencil gather butterflies forces"
for turn in 1 2; do
  for k in $kernels; do
    for on in cuda:0 opencl:nvidia; do
      "$bench" run "$k.${on%:*}.json" --processor GPU --device $on --seed $turn --out "$out/$k.${on%:*}.$turn" >"$out/$k.${on%:*}.$turn.txt" 2>&1
    done
  done
done
python3 "$here/compare.py" "$out" $kernels
