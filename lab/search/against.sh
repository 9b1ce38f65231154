#!/usr/bin/env bash
# usage: [PYTHON=python3] [REPEATS=20] [BUDGET=400] lab/search/against.sh FOLDER
#
# When Kernel Tuner's searches, with the options that it was tuned to, were within 5 % of the optimum on the spaces
# of a folder of lab/gpu/search/run.sh, beside those of best without the prior and with it: the medians of three seeds
# and of all REPEATS, in evaluations and in the space's own seconds. Kernel Tuner compiles each point when it
# is to be run, and so do the rows of best; those with compilers beside are as bench tune works. The prior is
# there from the start where its file has no compile_s: only live searches see what making it takes. The table is in
# FOLDER/against.txt, what was evaluated in FOLDER/against. opponents.py says what Kernel Tuner needs. A space takes a
# processor a minute. Run it in the checkout, with ./bench built.
set -euo pipefail
folder=${1:?FOLDER}
out=$folder/against
mkdir -p "$out"
spaces=() runs=
for space in "$folder"/*/spaces/*.csv.gz; do
  name=$(basename "$space" .csv.gz)
  model=$(dirname "$(dirname "$space")")/model/$name-model.csv.gz
  if [ -e "$model" ]; then spaces+=("$space=$model"); else spaces+=("$space"); fi
  runs+=,$out/$name.csv.gz
  [ ! -e "$out/$name.csv.gz" ] || continue
  ./bench export --to kernel-tuner "$space" --out "$out" >"$out/$name.txt"
  "${PYTHON:-python3}" "$(dirname "$0")/opponents.py" --evaluations "${BUDGET:-400}" --repeats "${REPEATS:-20}" --processor 30 --until 0.95 --out "$out/part" \
    "$out/$name.kernel-tuner.json" genetic_algorithm pso simulated_annealing firefly_algorithm:gamma=0.5 diff_evo dual_annealing mls greedy_ils adaptive_tabu_greywolf hybrid_vndx bayes_opt
  mv "$out/part" "$out/$name.csv.gz"
done
lab/run search -against "${runs#,}" -repeats "${REPEATS:-20}" -budget "${BUDGET:-400}" "${spaces[@]}" | tee "$folder/against.txt"
