#!/usr/bin/env bash
# usage: [LIMIT=SECONDS] [LIVE=1] lab/gpu/search/run.sh FOLDER [CONFIG [--set X=…]…]
#
# Measures every point of a config's space once, on the first GPU and with an empty cache of compiled
# code, has the model say what bench tune would have it say, and compares searches with and without that
# prior by replay, in evaluations and in the space's own seconds. With LIVE also six live searches of
# each, with and without the prior, seeds 1 to 3. No config is begun after LIMIT seconds (600).
#
# Without a CONFIG: the six kernels of PolyBench/GPU that did not correct the model (gemm, 2dconv,
# stencil27, mvt and syrk did), each with 1024 blocks. The folder gets the spaces, which have the seconds of
# compiling and running each point, compare.txt and live.txt. Run it in the checkout, with ./bench built.
set -euo pipefail
out=${1:?FOLDER}
shift
mkdir -p "$out"
pairs=()

# study CONFIG FLAG... measures one.
study() {
  local config=$1 name
  name=$(basename "$config" .json)
  if [ "$SECONDS" -gt "${LIMIT:-600}" ]; then
    echo "$config: left out, no time is left"
    return
  fi
  XDG_CACHE_HOME=$(mktemp -d) ./bench tune "$@" --strategy exhaustive --confirm 0 --wisdom none --whole-trials --budget 100000 --out "$out/$name" || return 0
  ./bench why "$@" --device h200 --space "$out/$name/model" || return 0
  local space model
  for space in "$out/$name"/spaces/*.csv.gz; do
    model=$out/$name/model/$(basename "$space" .csv.gz)-model.csv.gz
    if [ -e "$model" ]; then pairs+=("$space=$model"); else echo "$space: no $model"; fi
  done
  [ -n "${LIVE:-}" ] || return 0
  local seed prior
  for seed in 1 2 3; do
    for prior in "" "--from none"; do
      echo "$name, seed $seed, ${prior:-with the prior}"
      XDG_CACHE_HOME=$(mktemp -d) ./bench tune "$@" --seed "$seed" $prior --budget 60 --confirm 0 --wisdom none --out "$out/$name/live-$seed${prior:+-none}"
    done
  done >>"$out/live.txt" 2>&1
}

if [ $# -gt 0 ]; then
  study "$@"
else
  for name in 2mm 3mm 3dconv gesummv ldc syr2k; do
    study "configs/iterml/$name.json" --set X=1..64 --set Y=1..16
  done
fi
[ ${#pairs[@]} -gt 0 ] || { echo "nothing was measured"; exit 1; }
lab/run search -repeats 3 "${pairs[@]}" | tee "$out/compare.txt"
