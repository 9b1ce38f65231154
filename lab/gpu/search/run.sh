#!/usr/bin/env bash
# usage: [LIMIT=SECONDS] [LIVE="16 2"] lab/gpu/search/run.sh FOLDER [CONFIG…]
#
# Measures every point of a config's space once, on the first GPU and with an empty cache of compiled
# code, and has the model say what bench tune would have it say. With LIVE also live searches on that many
# cores each, seeds 1 to 3, with the prior and without. No config is begun after LIMIT seconds (600).
#
# Without a CONFIG: the six kernels of PolyBench/GPU that did not correct the model (gemm, 2dconv,
# stencil27, mvt and syrk did), each with 1024 blocks. Of each config the folder gets spaces, with the seconds of
# compiling and running each point, model and live-CORES-SEED. Run it in the checkout, with ./bench built;
# `lab/run search -live FOLDER` makes the table of the live ones, anywhere.
set -euo pipefail
out=${1:?FOLDER}
shift
mkdir -p "$out"
cores=$(nproc)

# fresh runs bench without compiled code of runs before.
fresh() { XDG_CACHE_HOME=$(mktemp -d) "$@"; }

# study CONFIG FLAG... measures one.
study() {
  local config=$1 name n seed prior
  name=$(basename "$config" .json)
  if [ "$SECONDS" -gt "${LIMIT:-600}" ]; then
    echo "$config: left out, no time is left"
    return
  fi
  echo "$SECONDS s: $name"
  fresh ./bench tune "$@" --strategy exhaustive --confirm 0 --wisdom none --whole-trials --budget 100000 --out "$out/$name" >"$out/$name.txt" 2>&1 || { tail -3 "$out/$name.txt"; return 0; }
  ./bench why "$@" --device h200 --space "$out/$name/model" >>"$out/$name.txt" 2>&1 || { tail -3 "$out/$name.txt"; return 0; }
  for n in ${LIVE:-}; do
    [ "$n" -le "$cores" ] || continue
    for seed in 1 2 3; do
      for prior in "" "--from none"; do
        fresh taskset -c "0-$((n - 1))" ./bench tune "$@" --seed "$seed" $prior --budget 60 --confirm 0 --wisdom none \
          --out "$out/$name/live-$n-$seed${prior:+-none}" >>"$out/$name.txt" 2>&1 || echo "$name: live on $n cores, seed $seed $prior: $(tail -1 "$out/$name.txt")"
      done
    done
  done
}

if [ $# -gt 0 ]; then
  for config; do study "$config"; done
else
  for name in 2mm 3mm 3dconv gesummv ldc syr2k; do
    study "configs/iterml/$name.json" --set X=1..64 --set Y=1..16
  done
fi
