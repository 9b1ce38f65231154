#!/usr/bin/env bash
# usage: [LIMIT=SECONDS] [LIVE="16:60 2:40"] [BENCH=./bench] lab/gpu/search/run.sh FOLDER [CONFIG…]
#
# Measures every point of a config's space once, on the first GPU and with an empty cache of compiled
# code. With LIVE, CORES:EVALUATIONS each, also live searches on so many cores and with such a budget, seeds
# 1 to 3, with the prior and without; and the model says what bench tune would have it say, on the cores that
# the searches leave (MODEL: whose, h200; none: it is not asked). Nothing is begun after LIMIT seconds (480), and nothing that the FOLDER has is done
# again: all spaces come first, then all searches of one seed.
#
# Without a CONFIG: the six kernels of PolyBench/GPU that did not correct the model (gemm, 2dconv,
# stencil27, mvt and syrk did), each with 1024 blocks. Of each config the folder gets spaces, with the seconds of
# compiling and running each point, model and live-CORES-SEED. Run it in the checkout; `lab/run search -live FOLDER`
# makes the table of the live ones, and against.sh says what other tuners need, anywhere.
set -euo pipefail
out=${1:?FOLDER}
shift
bench=${BENCH:-./bench} limit=${LIMIT:-480}
export BENCH_PLOTS=none
mkdir -p "$out"
cores=$(nproc) first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//') # of those that this process may use, one after the other
configs=("$@") more=()
if [ $# = 0 ]; then
  configs=(configs/iterml/{2mm,3mm,3dconv,gesummv,ldc,syr2k}.json)
  more=(--set X=1..64 --set Y=1..16)
fi

# step NAME FOLDER COMMAND... runs it without compiled code of runs before, into a folder that is there if it succeeded.
step() {
  local name=$1 folder=$2 began=$SECONDS
  shift 2
  [ ! -e "$folder" ] || return 0
  if [ "$SECONDS" -gt "$limit" ]; then
    echo "$folder: left out, no time is left"
    return 1
  fi
  mkdir -p "$(dirname "$folder")"
  rm -rf "$folder.part"
  if XDG_CACHE_HOME=$(mktemp -d) timeout -s INT 120 "$@" --out "$folder.part" >>"$out/$name.txt" 2>&1; then
    mv "$folder.part" "$folder"
    echo "$folder: from $began to $SECONDS s"
  else
    echo "$folder: $(tail -1 "$out/$name.txt")"
    return 1
  fi
}

# pairs CORES EVALUATIONS: searches with the prior and without, those of a seed of all configs before the next.
pairs() {
  local n=$1 budget=$2 seed config name
  [ "$n" -le "$cores" ] || return 0
  for seed in 1 2 3; do
    for config in "${configs[@]}"; do
      name=$(basename "$config" .json)
      [ -e "$out/$name/spaces" ] || continue
      set -- "$bench" tune "$config" "${more[@]}" --seed "$seed" --budget "$budget" --confirm 0 --wisdom none
      step "$name" "$out/$name/live-$n-$seed" taskset -c "$first-$((first + n - 1))" "$@" &&
        step "$name" "$out/$name/live-$n-$seed-none" taskset -c "$first-$((first + n - 1))" "$@" --from none ||
        rm -rf "$out/$name/live-$n-$seed"
    done
  done
}

for config in "${configs[@]}"; do
  name=$(basename "$config" .json)
  [ ! -e "$out/$name/spaces" ] || continue
  if step "$name" "$out/$name/all" "$bench" tune "$config" "${more[@]}" --strategy exhaustive --confirm 0 --wisdom none --whole-trials --budget 100000; then
    mv "$out/$name/all/spaces" "$out/$name/"
  fi
done

# models has the model say its times on the last cores.
models() {
  local config name
  [ "${MODEL:-}" != none ] || return 0
  for config in "${configs[@]}"; do
    name=$(basename "$config" .json)
    [ -e "$out/$name/spaces" ] && [ ! -e "$out/$name/model" ] && [ "$SECONDS" -le "$limit" ] || continue
    rm -rf "$out/$name/model.part"
    timeout -s INT 60 taskset -c "$((first + (cores > 4 ? 4 : 0)))-$((first + cores - 1))" nice "$bench" why "$config" "${more[@]}" --device "${MODEL:-h200}" --space "$out/$name/model.part" >>"$out/$name-model.txt" 2>&1 &&
      mv "$out/$name/model.part" "$out/$name/model" || echo "$name: $(tail -1 "$out/$name-model.txt")"
  done
}
making=
for x in ${LIVE:-}; do
  if [ -z "$making" ] && [ "${x%:*}" -le 4 ]; then
    models &
    making=$!
  fi
  pairs "${x%:*}" "${x#*:}"
done
if [ -z "$making" ]; then models; else wait "$making"; fi
