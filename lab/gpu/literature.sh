#!/usr/bin/env bash
# usage: lab/gpu/literature.sh --list
#        lab/gpu/literature.sh BENCH FOLDER [PART…]
#
# Makes the runs anew that README and pages rest on, each once, on the GPU of this machine (DEVICE=cuda:1: on another): the parts of the list, all in its order unless
# some are named. FOLDER gets the runs, what each printed (NAME.txt), and in packed each run as the archive that belongs into results. A part
# that FOLDER has is not made again, and what was interrupted goes on. MINUTES=8 begins no part whose estimate ends later than that. BENCH has to
# be built from a commit of main (make build).
set -uo pipefail

# name | minutes on an H200 | results that it replaces | pages
parts='tridiagonal-f64 | 1.5 | h200-tridiagonal-peers-f64 | results/README.md, algorithms/tridiagonal
flush           | 0.4 | h200-flush | results/h200-flush, docs/measuring.md
strided         | 0.4 | h200-strided | algorithms/tridiagonal
energy          | 1.6 | h200-energy | results/README.md
counts          | 1.5 | h200-counts/fft-literature.txt | results/README.md, test/literature/counts_test.go
gates           | 3.0 | h200-gates/quiet | results/h200-gates, docs/measuring.md, docs/comparing.md
graph           | 0.5 | h200-graph-fft, -qr, -tridiagonal | results/h200-graph-qr, docs/rates.md
qr-f64          | 2.9 | h200-qr-f64, h200-qr-batch-f64, h200-tune-qr-f64 | algorithms/qr
rates           | 3.5 | h200-rate-empty-spin, -qr, -fft, -memory, -pattern | results/h200-rate-qr, docs/rates.md
fft             | 1.6 | h200-fft-peers | README.md, results/README.md, algorithms/fft
scan            | 1.0 | h200-scan-peers, -single, -peers-f64, -single-f64 | results/README.md, algorithms/scan
tridiagonal     | 1.3 | h200-tridiagonal-peers, -large | README.md, results/README.md, algorithms/tridiagonal
qr              | 0.5 | h200-qr, h200-qr-batch | README.md, results/README.md, algorithms/qr
bicubic         | 0.3 | h200-bicubic | README.md, results/README.md, algorithms/bicubic
pattern         | 0.5 | h200-pattern | results/README.md, algorithms/pattern
table4          | 1.0 | h200-pattern-speedups | results/literature
recursion       | 6.5 | h200-tridiagonal-recursion | results/h200-tridiagonal-sizes, results/literature
recursion-rule  | 2.6 | nothing: beside h200-tridiagonal-recursion | results/h200-tridiagonal-sizes, results/literature
peers-energy    | 4.0 | h200-peers-energy | results/README.md
fft-f64         | 4.0 | h200-fft-peers-f64 | algorithms/fft
latency         | 1.3 | h200-latency-* | results/small.md
sizes           | 5.5 | h200-tridiagonal-sizes | results/h200-tridiagonal-sizes, results/literature
qr-literature-64 | 2.0 | h200-qr-literature-64 | results/literature/embedded.md
qr-literature   | 4.4 | h200-qr-literature | results/literature/embedded.md
pattern-literature | 3.7 | h200-pattern-literature | results/literature/embedded.md
bicubic-literature | 11.2 | h200-bicubic-literature | results/literature/embedded.md
bicubic-factor  | 45  | h200-bicubic-factor, -bspline | results/literature/embedded.md
fft-literature  | 7.1 | h200-fft-literature | algorithms/fft, results/literature
fft-large       | 3.1 | h200-tune-fft-large, -bo, -guideline | algorithms/fft, results/literature'

if [ "${1:-}" = --list ]; then
  { echo "PART|MINUTES|REPLACES|PAGES"; echo "$parts" | sed 's/ *| */|/g'; } | column -t -s '|'
  exit
fi
bench=$(realpath "${1:?BENCH, the program}") || exit 2
mkdir -p "${2:?FOLDER for the runs}/packed" || exit 2
out=$(realpath "$2")
shift 2
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../.." || exit 2
"$bench" version --json | grep -q '"commit"' || { echo "literature: $bench does not say its commit: make build, in a tree without changes" >&2; exit 2; }
for part; do
  echo "$parts" | grep -q "^$part  *|" || { echo "literature: no part $part; --list has them" >&2; exit 2; }
done
export BENCH_PLOTS=none XDG_CONFIG_HOME="$out/home"
device=(${DEVICE:+--device "$DEVICE"})
failed=0

# made NAME VERB CONFIG ARGUMENT… makes, or goes on with, the run or search NAME, and packs it.
made() {
  local name=$1 verb=$2 config=$3 resume=() kind
  shift 3
  [ -e "$out/packed/$name.zip" ] && return
  [ -e "$out/$name/journal.jsonl" ] && resume=(--resume)
  mkdir -p "$(dirname "$out/$name")"
  if ! "$bench" "$verb" "$config" "$@" "${device[@]}" --wisdom none --quiet --out "$out/$name" "${resume[@]}" >>"$out/$name.txt" 2>&1; then
    echo "  $name: $(tail -n 1 "$out/$name.txt")" >&2
    bad=1
  fi
  for kind in run.json tune.json; do
    [ -e "$out/$name/$kind" ] && "$bench" export --to zip "$out/$name" --out "$(dirname "$out/packed/$name")" >>"$out/$name.txt" 2>&1
  done
}
run() { local name=$1 config=$2; shift 2; made "$name" run "$config" --processor GPU "$@"; }
tune() { local name=$1 config=$2; shift 2; made "$name" tune "$config" --confirm 0 --whole-trials --strategy exhaustive --budget 100000 "$@"; }

# times NAME CONFIG ARGUMENT… is run without sensors: the pages have times only.
times() {
  local name=$1 config=$2
  shift 2
  mkdir -p "$out/configs"
  python3 -c 'import json, sys; c = json.load(open(sys.argv[1])); c["sensors"] = []; json.dump(c, open(sys.argv[2], "w"), indent=1)' "$config" "$out/configs/$(basename "$config")" || return
  run "$name" "$out/configs/$(basename "$config")" "$@"
}

# rule PRECISION WRITTEN SIZES… writes the config of the recursion's sweep with sub-system sizes as the source takes them: m1 the optimum
# of the interface system with one step and 10 with more, those below the optima of theirs, by the model that bench predict makes of
# searches for m.
rule() {
  python3 - "$bench" "$@" <<'END'
import json, subprocess, sys
bench, precision, written, *searches = sys.argv[1:]
config = json.load(open("configs/tridiagonal-recursion.json"))
rows = [500, 625, 1000, 1250]
interface = lambda n, m: 2 * -(-n // m)
known = {}
def best(sizes):
    ask = sorted(set(sizes) - known.keys())
    if ask:
        line = subprocess.run([bench, "predict", *searches, "--json", "--sizes", ",".join(map(str, ask))], check=True, capture_output=True, text=True).stdout
        known.update(zip(ask, json.loads(line)["predicted"]))
    return known
first = {interface(n, m) for n in config["sweep_arg"]["N"] for m in rows}
rest = {interface(n, 10) for n in first}
levels = [first]
for _ in range(3):
    levels.append(rest)
    rest = {interface(n, best(rest)[n]) for n in rest}
def step(sizes, n):
    text, sizes = "", sorted(sizes)
    best(sizes)
    for a, b in zip(sizes, sizes[1:]):
        if known[a] != known[b]:
            text += f"{n} < {b} ? {known[a]} : "
    return text + str(known[sizes[-1]])
below = lambda n, m: f"2 * ceildiv({n}, {m})"
sizes = [below("N", "m")]
for m in ("10", "m2", "m3"):
    sizes.append(below(sizes[-1], m))
config["tunables"].update(m=rows, **{f"m{i + 1}": sorted({10} | {known[n] for n in best(l) if n in l}) for i, l in enumerate(levels)})
config["tuning_constraints"] = [f"m{i + 1} == (R {'== 1' if i == 0 else f'>= {i + 1}'} ? ({step(l, sizes[i])}) : 10)" for i, l in enumerate(levels)]
config["static_args"]["precision"] = precision
json.dump(config, open(written, "w"), indent=1)
END
}

small=100,200,400,500,800,1000,2000,4000,4500,5000,8000,10000,20000,25000,30000,40000,50000,60000,70000,75000,80000,100000,200000,400000,500000,800000,1000000
large=2000000,4000000,5000000,8000000,10000000,20000000,40000000,50000000,80000000,100000000
part() {
  local i n
  case $1 in
  tridiagonal-f64) times h200-tridiagonal-peers-f64 configs/tridiagonal-peers-f64.json ;;
  flush) for i in clean dirty; do run h200-flush/$i configs/flush/$i.json; done ;;
  strided) run h200-strided configs/strided/strided.json ;;
  energy) for i in 1 2 3 4 5; do [ -e "$out/packed/h200-energy/$i.zip" ] || { sleep ${BENCH_REST:-5}; run h200-energy/$i configs/power-repeat.json; }; done ;;
  counts)
    mkdir -p "$out/h200-counts"
    "$bench" verify --counts configs/fft-literature.json --versions stockham,multi,cooperative --set N=8192,65536,1048576 --set batch_elements=4194304 "${device[@]}" \
      >"$out/h200-counts/fft-literature.txt" 2>&1 || bad=1
    cat "$out/h200-counts/fft-literature.txt" ;;
  gates) for ((i = 0; i < 20; i++)); do run h200-gates/quiet/$i configs/gates.json --repeats 5; done ;;
  graph) for i in fft qr tridiagonal; do run h200-graph-$i configs/graph/$i.json; done ;;
  qr-f64)
    run h200-qr-f64 configs/qr-peers-f64.json
    run h200-qr-batch-f64 configs/qr-batch-peers-f64.json
    made h200-tune-qr-f64 tune configs/qr-peers-f64.json --versions tiles --budget 40 --confirm 1 ;;
  rates)
    run h200-rate-empty-spin configs/rate/empty.json --set rate_hz=20000 --set wait=spin
    run h200-rate-qr configs/rate/qr.json --set rate_hz=10,100,1000,max --set wait=sleep --versions registers
    run h200-rate-fft configs/rate/fft.json --set rate_hz=max --versions stockham
    run h200-rate-memory configs/rate/fft.json --set N=4096 --set rate_hz=1000 --set memory=device,mapped,managed --versions stockham
    run h200-rate-pattern configs/rate/pattern.json --set rate_hz=10,max --versions v5 ;;
  fft) times h200-fft-peers configs/fft-peers.json ;;
  scan) for i in scan-peers scan-single scan-peers-f64 scan-single-f64; do times h200-$i configs/$i.json; done ;;
  tridiagonal) for i in tridiagonal-peers tridiagonal-large; do times h200-$i configs/$i.json; done ;;
  qr)
    times h200-qr configs/qr-peers.json
    times h200-qr-batch configs/qr-batch-peers.json ;;
  bicubic | pattern) times h200-$1 configs/$1-peers.json ;;
  table4) made h200-pattern-speedups run configs/pattern-literature.json --set K=3000 ;;
  recursion) for i in f64 f32; do tune h200-tridiagonal-recursion/$i configs/tridiagonal-recursion.json --set precision=$i; done ;;
  recursion-rule)
    mkdir -p "$out/configs"
    for i in f64:f64-small f32:f32; do
      rule ${i%:*} "$out/configs/tridiagonal-recursion-rule-${i%:*}.json" results/h200-tridiagonal-sizes/${i#*:}.zip || { bad=1; continue; }
      tune h200-tridiagonal-recursion/rule-${i%:*} "$out/configs/tridiagonal-recursion-rule-${i%:*}.json"
    done ;;
  peers-energy)
    run h200-peers-energy/tridiagonal-peers configs/tridiagonal-peers.json --set N=64,4096
    run h200-peers-energy/tridiagonal-large configs/tridiagonal-large.json --set N=2000000
    run h200-peers-energy/qr-peers configs/qr-peers.json --set n=1024
    run h200-peers-energy/qr-batch-peers configs/qr-batch-peers.json --set batch=1,16384 ;;
  fft-f64) run h200-fft-peers-f64 configs/fft-peers-f64.json ;;
  latency)
    for n in 256 1024 4096 16384; do times h200-latency-fft-$n configs/latency-fft.json --set N=$n --set batch_elements=$n,$((4 * n)),$((16 * n)),$((64 * n)); done
    for n in 256 4096 16384; do times h200-latency-scan-$n configs/latency-scan.json --set N=$n --set batch_elements=$n,$((16 * n)),$((64 * n)); done
    for i in tridiagonal qr bicubic; do times h200-latency-$i configs/latency-$i.json; done ;;
  sizes)
    tune h200-tridiagonal-sizes/f64-small configs/tridiagonal-partition.json --set P=4 --set STREAMS=1,4 --set N=$small
    tune h200-tridiagonal-sizes/f64-large configs/tridiagonal-partition.json --set P=4 --set STREAMS=1 --set N=$large
    tune h200-tridiagonal-sizes/f32 configs/tridiagonal-partition.json --set P=4 --set STREAMS=1 --set precision=f32 --set N=$small
    tune h200-tridiagonal-sizes/f32-large configs/tridiagonal-partition.json --set P=4 --set STREAMS=1 --set precision=f32 --set N=$large ;;
  qr-literature-64 | qr-literature | pattern-literature | bicubic-literature) run h200-$1 configs/$1.json ;;
  bicubic-factor)
    run h200-bicubic-factor configs/bicubic-literature-factor.json --set basis=hermite
    run h200-bicubic-factor-bspline configs/bicubic-literature-factor.json --set basis=bspline ;;
  fft-literature) run h200-fft-literature configs/fft-literature.json --set N=8192,16384,32768,65536,131072,262144,524288,1048576,2097152,4194304,8388608 ;;
  fft-large)
    made h200-tune-fft-large tune configs/tune-fft-large.json --budget 50 --confirm 1
    made h200-tune-fft-large-bo tune configs/tune-fft-large.json --strategy bo --budget 60 --confirm 1
    made h200-tune-fft-large-guideline tune configs/tune-fft-large-guideline.json --strategy exhaustive --budget 100 --confirm 1 ;;
  esac
}

wanted=" $* "
while IFS='|' read -r name minutes _ <&3; do
  name=${name// /} minutes=${minutes// /}
  [ $# = 0 ] || [[ $wanted == *" $name "* ]] || continue
  if [ -e "$out/$name.done" ]; then
    echo "$name: is there"
    continue
  fi
  if [ -n "${MINUTES:-}" ] && awk "BEGIN { exit !($SECONDS / 60 + $minutes > $MINUTES) }"; then
    echo "$name: takes $minutes minutes, and $((SECONDS / 60)) of $MINUTES are over"
    continue
  fi
  bad=0 began=$SECONDS
  part "$name"
  if [ $bad = 0 ]; then touch "$out/$name.done"; else failed=1; fi
  echo "$name: $((SECONDS - began)) s, $minutes minutes were expected$([ $bad = 0 ] || echo ", with failures")"
done 3<<<"$parts"
exit $failed
