#!/usr/bin/env bash
# usage: lab/gpu/before.sh BEFORE BENCH FOLDER [TURNS]
#
# Does what CUDA's kernels take by one build of the program differ from what they take by another? Published configs, each at some of
# its points, are run by BEFORE and BENCH in turns, A B B A (TURNS times, default 1), every answer verified. cold.csv has `bench compare`'s ratios
# of cold times with their intervals, hot.csv those of runs back to back. FOLDER keeps the runs. Takes about three minutes on an H200.
# Programs may be packed (.gz). A build before OpenCL:
#   git archive 861585a7^ | tar x -C DIR && (cd DIR && CGO_ENABLED=0 go build -trimpath -ldflags=-s -o before ./cmd/bench) && gzip DIR/before
# ON are flags that say where (default --processor GPU --device cuda:0), ONLY names of configs.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# unpacked PROGRAM NAME prints where the program can be run.
unpacked() {
  case $1 in
    *.gz) gunzip -c "$1" >"$work/$2" && chmod +x "$work/$2" && echo "$work/$2" ;;
    *) realpath "$1" ;;
  esac
}
before=$(unpacked "${1:?BEFORE, a program}" before)
after=$(unpacked "${2:?BENCH, a program}" after)
mkdir -p "${3:?FOLDER for the results}"
out=$(realpath "$3")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
read -ra on <<<"${ON:---processor GPU --device cuda:0}"
export BENCH_PLOTS=none XDG_CONFIG_HOME="$work/home" XDG_CACHE_HOME="$work/cache"
"$before" version | sed 's/^/A: /'
"$after" version | sed 's/^/B: /'
cp -r "$here/../../configs" "$work/configs"
cd "$work"

# config NAME VERSIONS [NAME=VALUES...] has a config measured quickly at a few of its points.
names=()
declare -A flags
config() {
  local name=$1 versions=$2 set
  shift 2
  case " ${ONLY:-$name} " in *" $name "*) ;; *) return 0 ;; esac
  names+=("$name")
  flags[$name]="--versions $versions"
  for set; do flags[$name]+=" --set $set"; done
  python3 - "configs/$name.json" <<'PYTHON'
import json, sys
c = json.load(open(sys.argv[1]))
c["sensors"] = []
c.pop("processor", None)
c.pop("versions", None)
c["measure"] = {"ceilings": False, "min_time_s": 0.1, "noise": 0.005, "timeout_s": 0.5, "cooldown_s": 0}
json.dump(c, open(sys.argv[1], "w"))
PYTHON
}
config fft stockham,cufft N=64,4096,65536,1048576
config scan lf,lookback N=64,4096,16777216
config tridiagonal wm,pcr precision=f32 N=64,1024,4096
config qr tiles n=64,512
config bicubic v5 basis=hermite rows=256,1024
config pattern v5 K=1000,100000
config polybench/gemm naive N=256,1024
config latency-fft stockham batch_elements=256,16384

status=0
for turn in $(seq "${4:-1}"); do
  for name in "${names[@]}"; do
    read -ra flag <<<"${flags[$name]}"
    for side in A.1 B.1 B.2 A.2; do
      program=$before
      [ "${side%.*}" = A ] || program=$after
      run="$out/${name//\//-}.$turn.$side"
      "$program" run "configs/$name.json" "${on[@]}" "${flag[@]}" --seed "$turn" --wisdom none --out "$run" >"$run.txt" 2>&1 ||
        { status=1; echo "$name, $side: see $run.txt" >&2; }
    done
  done
done
for name in "${names[@]}"; do
  "$after" compare --metric time --csv "$out/${name//\//-}".*.A.[12] -- "$out/${name//\//-}".*.B.[12] >"$out/${name//\//-}.csv" 2>"$out/${name//\//-}.compare.txt" ||
    { status=1; echo "$name: see $out/${name//\//-}.compare.txt" >&2; }
done
python3 "$here/before.py" "$out" "${names[@]//\//-}"
exit $status
