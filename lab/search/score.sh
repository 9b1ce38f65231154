#!/usr/bin/env bash
# usage: [PYTHON=python3] [REPEATS=5] [PROCESSOR=2] lab/search/score.sh HUB FOLDER
#
# The community's score over seconds on all full spaces of AutoTuningAssociation/benchmark_hub that HUB, a clone,
# has: searches by other tuners (opponents.py says what they need), then those of bench tune, and the table.
# A strategy's runs on a space end after REPEATS, or once they have used PROCESSOR seconds; of SMAC and LFBO, which take
# 40 to 90 ms an evaluation, after two, or once they have used five. Nothing that the FOLDER has is done again. Run it in
# the checkout, with ./bench built.
set -euo pipefail
hub=${1:?HUB} out=${2:?FOLDER}
here=$(dirname "$0")
mkdir -p "$out/files" "$out/cache" "$out/runs"

# The hub's spaces with the seconds of compiling and running; gemm-RTX_3060_laptop has 10,000 points of 17,956.
while read -r path name; do
  path=${path//%/ }
  [ ! -e "$out/files/$name.json.gz" ] || continue
  git -C "$hub" show "HEAD:$path.json.gz" >"$out/files/$name.part" 2>"$out/absent.txt" || { echo "$name: not in $hub"; rm "$out/files/$name.part"; continue; }
  mv "$out/files/$name.part" "$out/files/$name.json.gz"
done < <(
  for kernel in convolution_milo dedispersion_milo gemm_milo hotspot_milo; do
    for gpu in A100 A4000 A6000 MI250X W6600 W7800; do echo "cachefiles/$kernel/$gpu $kernel-$gpu"; done
  done
  old=currently_unused/cachefiles
  for gpu in RTX_2080_Ti RTX_3090; do
    for kernel in convolution pnpoly; do echo "$old/$kernel/$gpu $kernel-$gpu"; done
  done
  for name in convolution-RTX_3060_laptop convolution-RTX_Titan pnpoly-RTX_3060_laptop pnpoly-RTX_Titan gemm-RTX_2080_Ti gemm-RTX_3090 gemm-RTX_Titan; do
    echo "$old/KernelTuner%data/${name%%-*}/${name#*-} $name"
  done
  for gpu in a4000 mi50; do echo "$old/KernelTuner%data/convolution_milo/$gpu convolution_milo_old-$gpu"; done
)
[ -e "$out/spaces/manifest.json" ] || ./bench import "$out"/files/*.json.gz --out "$out/spaces"

# search GROUP OPTION... STRATEGY... has them search each space.
search() {
  local group=$1 space name seconds
  shift
  for space in "$out"/spaces/*.csv.gz; do
    name=$(basename "$space" .csv.gz)
    [ ! -e "$out/runs/$name-$group.csv.gz" ] || continue
    [ -e "$out/cache/$name.kernel-tuner.json" ] || ./bench export --to kernel-tuner "$space" --manifest "$out/spaces/manifest.json" --out "$out/cache" >"$out/export.txt"
    seconds=$(./bench replay "$space" --manifest "$out/spaces/manifest.json" --score=seconds --strategy random --repeats 1 --json | sed -n 's/.*"budget_s":\([0-9.e+]*\).*/\1/p' | head -n 1)
    "${PYTHON:-python3}" "$here/opponents.py" --seconds "$seconds" --out "$out/runs/part-$group" "$out/cache/$name.kernel-tuner.json" "$@"
    mv "$out/runs/part-$group" "$out/runs/$name-$group.csv.gz"
  done
}
search kernel-tuner --repeats "${REPEATS:-5}" --processor "${PROCESSOR:-2}" --longest 20 genetic_algorithm pso simulated_annealing firefly_algorithm \
  firefly_algorithm:gamma=0.5 diff_evo dual_annealing mls adaptive_tabu_greywolf hybrid_vndx bayes_opt
search others --repeats 2 --processor 5 --longest 10 lfbo smac

# Of what they evaluated the rows that found something better: the score is the same.
zcat "$out"/runs/*.csv.gz | awk -F, -v OFS=, '$1 == "space" { if (!head++) print; next }
  $1 $2 $3 != run { run = $1 $2 $3; best = took = 0 }
  { took += $6 }
  $5 != "" && (!best || $5 < best) { best = $5; print $1, $2, $3, $4, $5, took; took = 0 }' | gzip -9 >"$out/runs.csv.gz"

# The table: ours as Kernel Tuner's, each point compiled when it is to be run, and with compilers beside.
for compilers in 15 0; do
  ./bench replay "$out"/spaces/*.csv.gz --manifest "$out/spaces/manifest.json" --score=seconds --compilers $compilers --strategy best,random \
    --repeats "${REPEATS:-5}" --runs "$out/runs.csv.gz" --out "$out/all-$compilers" >"$out/all-$compilers.txt"
done
cat "$out/all-0.txt"
