#!/usr/bin/env bash
# usage: lab/gpu/opencl/run.sh BENCH FOLDER [TURNS]
#
# Times ten kernels and one of a single element, each verified, through CUDA and through NVIDIA's OpenCL on one GPU, one after the
# other, and prints how each was timed and both times. FOLDER keeps the runs. Takes about 170 s a turn (default 1), a kernel 15. ONLY names
# some of them (ONLY="one butterflies forces").
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
kernels="${ONLY:-one copy sum butterflies scan_blocks stencil triad transpose gather multiply_add forces}"
for turn in $(seq "${3:-1}"); do
  for k in $kernels; do
    for on in cuda:0 opencl:nvidia; do
      "$bench" run "$k.${on%:*}.json" --processor GPU --device $on --seed "$turn" --out "$out/$k.${on%:*}.$turn" >"$out/$k.${on%:*}.$turn.txt" 2>&1 ||
        echo "$k on $on: see $out/$k.${on%:*}.$turn.txt" >&2
    done
  done
done
python3 "$here/compare.py" "$out" $kernels
