#!/usr/bin/env bash
# usage: [LIMIT=SECONDS] lab/gpu/weakness.sh BENCH WEAKNESS FOLDER PART...
#
# Measures on one GPU how often bench why is right. PARTs:
#   counters  the kernels that corrected the model, with the counters that decide a class (three minutes)
#   judges    those that judge it, also under Nsight Compute (five minutes)
#   promises  those before and after a change that corrected what is promised (three minutes)
#   changes   those that judged it first (two minutes)
#   blind     those that judge it (two minutes); blind2: a second set
#   table     prints what the parts measured, as WEAKNESS explains it; needs NVRTC and no GPU
# Each keeps its runs in a folder of its name in FOLDER. A part begins no config after LIMIT seconds (225) of its
# own and leaves out what is there: called again, it goes on. WEAKNESS is lab/weakness, built (CGO_ENABLED=0 go build -C lab ./weakness).
set -uo pipefail
bench=$(realpath "${1:?BENCH, the program}")
weakness=$(realpath "${2:?WEAKNESS, lab/weakness as a program}")
mkdir -p "${3:?FOLDER for the results}"
out=$(realpath "$3")
shift 3
[ $# -gt 0 ] || { echo "no PART: counters, judges, promises, changes, blind, blind2, table" >&2; exit 2; }
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../.."
export BENCH_PLOTS=none XDG_CONFIG_HOME="$out/home"
deciding=$(printf '%s.avg.pct_of_peak_sustained_elapsed,' sm__throughput gpu__compute_memory_throughput gpu__dram_throughput lts__throughput l1tex__throughput)sm__cycles_elapsed.max,sm__cycles_active.max
device=${DEVICE:-cuda:0}

# each PART CONFIGS DONE COMMAND... measures configs that have no file DONE yet: COMMAND CONFIG FOLDER.
each() {
  local part=$1 configs=$2 done=$3 begun=$SECONDS config name
  shift 3
  mkdir -p "$out/$part"
  for config in "$configs"/*.json; do
    name=$(basename "$config" .json)
    case $name in energy-*) continue ;; esac # of lab/gpu/energy.sh, on another GPU
    [ -s "$out/$part/$name/$done" ] && continue
    if [ $((SECONDS - begun)) -ge "${LIMIT:-225}" ]; then
      echo "$part: $name and what follows is left out: no time is left; call again" >&2
      return
    fi
    rm -rf "${out:?}/$part/$name"
    "$@" "$config" "$out/$part/$name" >>"$out/$part.txt" 2>&1 || echo "$part: $name failed, $out/$part.txt has why" >&2
  done
  echo "$part: done after $((SECONDS - begun)) s"
}
counted() { "$bench" run "$1" --wisdom none --device "$device" --set counters="${deciding%,}" --out "$2"; }
judged() { "$weakness" classes "$(dirname "$2")" "$1"; }
changed() { "$bench" run "$1" --wisdom none --device "$device" --out "$2"; }

for part in "$@"; do
  case $part in
  counters) each counters test/weakness/correcting summary.csv counted ;;
  judges) each judges test/weakness/unseen ncu.jsonl judged ;;
  promises) each promises test/weakness/promises summary.csv changed ;;
  changes | blind | blind2) each "$part" "test/weakness/$part" summary.csv changed ;;
  table)
    for run in "$out"/counters/*/; do # by what the profiler said of the same kernels
      python3 -c 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.read([n for n in z.namelist() if n.endswith("ncu.jsonl")][0]).decode(), end="")' \
        "results/h200-weakness/correcting/$(basename "$run").zip" >"$run/ncu.jsonl"
    done
    for part in counters judges; do
      [ -d "$out/$part" ] && "$weakness" table "$out/$part"/*/ | tee "$out/$part-table.txt"
    done
    for part in promises changes blind blind2; do
      [ -d "$out/$part" ] && "$weakness" promises "$out/$part" | tee "$out/$part-table.txt"
    done
    ;;
  *) echo "no part $part: counters, judges, promises, changes, blind, blind2, table" >&2; exit 2 ;;
  esac
done
