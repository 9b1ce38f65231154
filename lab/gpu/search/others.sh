#!/usr/bin/env bash
# usage: lab/gpu/search/others.sh BENCHMARK_HUB KTT FOLDER
#
# Ten kernels of others for run.sh: their files, unchanged, out of clones of github.com/AutoTuningAssociation/benchmark_hub
# (8eeb99e7) and github.com/HiPerCoRe/KTT (931c4157), beside configs that narrow each to 528 to 736 valid points.
set -euo pipefail
hub=${1:?} ktt=${2:?} out=${3:?}
mkdir -p "$out"
cp "$(dirname "$0")"/others/* "$out"
for f in kernels/{convolution_milo,hotspot_milo,dedisp_milo/dedispersion}.cu currently_unused/kernels/pnpoly.cu; do
  git -C "$hub" show "${HUB_COMMIT:-8eeb99e}:$f" >"$out/$(basename "$f")"
done
for n in CoulombSum3d Nbody ClTuneGemm Transpose ClTuneConvolution Reduction; do
  git -C "$ktt" show "${KTT_COMMIT:-931c4157}:Examples/$n/$n.cu" >"$out/$n.cu"
done
