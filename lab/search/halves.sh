#!/usr/bin/env bash
# usage: [REPEATS=5] [MOST=400] lab/search/halves.sh FOLDER
#
# Fixes settings of the strategy best on half of the kernels of a folder of score.sh, by the score over seconds, and
# tests them on the other half; both ways. A setting is a line of tuning/strategy/best.go with another value, and
# bench is built with it. Spaces of which the score looks at more than MOST evaluations are left out. Run it in the
# checkout, with ./bench built.
set -euo pipefail
out=${1:?FOLDER}/halves
mkdir -p "$out"
source=$PWD/tuning/strategy/best.go
spaces=()
while read -r name; do spaces+=("$1/spaces/$name.csv.gz"); done < <(
  ./bench replay "$1"/spaces/*.csv.gz --manifest "$1/spaces/manifest.json" --score=seconds --strategy exhaustive --repeats 1 --json |
    sed -n 's/^{"space":"\([^"]*\)".*"budget":\([0-9]*\),.*/\1 \2/p' | awk -v most="${MOST:-400}" '$2 <= most { print $1 }')
while read -r name change; do
  [ ! -e "$out/$name/score.csv" ] || continue
  sed "$change" "$source" >"$out/best.go"
  [ "$name" = in-use ] || ! cmp -s "$out/best.go" "$source" || { echo "$name: $change changes nothing"; exit 1; }
  echo "{\"Replace\": {\"$source\": \"$(realpath "$out/best.go")\"}}" >"$out/overlay.json"
  CGO_ENABLED=0 go build -overlay "$out/overlay.json" -o "$out/bench" ./cmd/bench
  "$out/bench" replay "${spaces[@]}" --manifest "$1/spaces/manifest.json" --score=seconds --compilers 0 --strategy best \
    --repeats "${REPEATS:-5}" --out "$out/$name" >"$out/$name.txt"
done <<'SETTINGS'
in-use s/x/x/
three-points s/designPoints = 5/designPoints = 3/
eight-points s/designPoints = 5/designPoints = 8/
refine-often s/refineEvery = 4/refineEvery = 2/
small-margin s/margins = \[\]float64{0.1, 0.5, 1}/margins = []float64{0.1}/
middle-margin s/margins = \[\]float64{0.1, 0.5, 1}/margins = []float64{0.5}/
costs-unbent s/bendAt, bendSlope = 0.5, 0.3/bendAt, bendSlope = 0.5, 1.0/
SETTINGS
# Convolution's kernels are the one half; dedispersion, gemm and the point in a polygon the other.
awk -F, 'FNR > 1 { half = $1 ~ /^convolution/; n = FILENAME; sub(/\/score.csv$/, "", n); sub(/.*\//, "", n); sum[n, half] += $6; count[n, half]++; names[n] }
END {
  printf "%-14s %12s %12s\n", "setting", "convolutions", "others"
  for (n in names) { for (h = 0; h < 2; h++) { s = sum[n, h] / count[n, h]; mean[n, h] = s; if (!(h in best) || s > mean[best[h], h]) best[h] = n }
    printf "%-14s %12.3f %12.3f\n", n, mean[n, 1], mean[n, 0] }
  printf "fixed on the convolutions: %s, on the others %.3f (in use %.3f)\n", best[1], mean[best[1], 0], mean["in-use", 0]
  printf "fixed on the others: %s, on the convolutions %.3f (in use %.3f)\n", best[0], mean[best[0], 1], mean["in-use", 1]
}' "$out"/*/score.csv | tee "$out/halves.txt"
