#!/usr/bin/env bash
# usage: lab/gpu/board.sh BENCH FOLDER
#
# Measures this machine by bench board, in its present power mode, and looks for whatever names the machine or a user in what
# comes of it, packed and unpacked: exact words that the system says, and everything of the form of a UUID, a MAC or an IP
# address. FOLDER keeps board.zip, board.html, board.txt (what was printed), site/ and found.txt, which is empty where nothing
# was found. Called again with the same folder it resumes. At most ten minutes, and some seconds. Ends with 1 if something
# was found, or nothing was looked for.
set -euo pipefail
bench=$(realpath "${1:?BENCH, the program}")
mkdir -p "${2:?FOLDER for the results}"
out=$(realpath "$2")
export BENCH_PLOTS=none XDG_CONFIG_HOME="$out/home"
resume=()
[ ! -d "$out/board" ] || resume=(--resume)
if [ ! -e "$out/board.zip" ]; then
  "$bench" board --out "$out/board" "${resume[@]}" </dev/null >>"$out/board.txt" 2>&1 || echo "bench board ended with $?: see board.txt" >&2
fi
rm -rf "$out/unpacked" "$out/site"
"$bench" board "$out/board.zip" --out "$out/unpacked"
"$bench" boards "$out/board.zip" --out "$out/site"

# Everything as text: unpacked, with what is compressed in it.
find "$out/unpacked" -name '*.gz' -exec gunzip {} +
cp "$out/board.html" "$out/board.zip" "$out/unpacked/"
cp -r "$out/site" "$out/unpacked/site"

# names prints words that name this machine and its users, one a line.
names() {
  hostname; hostname -f; cat /etc/hostname /proc/sys/kernel/hostname /proc/sys/kernel/random/boot_id /etc/machine-id
  cat /sys/class/dmi/id/*_serial /sys/class/dmi/id/*_uuid /sys/class/dmi/id/*_asset_tag /sys/class/net/*/address
  hostname -I | tr ' ' '\n'
  awk -F: '$3 >= 1000 && $3 < 60000 { print $1; print $6 }' /etc/passwd
  echo "${USER:-}"; echo "${SUDO_USER:-}"; echo "${HOME:-}"; pwd; echo "$out"
  nvidia-smi --query-gpu=uuid,serial,pci.bus_id --format=csv,noheader | tr ',' '\n'
} 2>/dev/null

# What many machines have in common names none of them.
common='root|nobody|/|/root|localhost|ubuntu|nvidia|debian|user|none|Not Specified|Default string|To Be Filled By O\.E\.M\.|00:00:00:00:00:00|127\.0\.0\.1|::1|\[N/A\]|0+'
words=$(names | sed 's/^ *//; s/ *$//' | awk 'length($0) > 2' | grep -vxE "$common" | sort -u || true)
[ -n "$words" ] || { echo "board.sh: the system says no word to look for" >&2; exit 1; }
{
  grep -rawnoF -f <(echo "$words") "$out/unpacked" || true
  # A SHA-256 and a float have no such hyphens, colons or dots; versions of four numbers that are no address are looked at by hand.
  grep -ranoE '\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b|\b([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b|\b(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\.(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])){3}\b|\bGPU-[0-9a-f]{8}|/home/[A-Za-z0-9._-]+|\b[0-9a-fA-F]{4}(:[0-9a-fA-F]{0,4}){4,7}\b' \
    --exclude=board.zip --exclude-dir=assets "$out/unpacked" || true
} | sed "s|^$out/unpacked/||" | sort -u >"$out/found.txt"
echo "board.sh: looked for $(wc -l <<<"$words") words and five forms in $(find "$out/unpacked" -type f | wc -l) files: $(wc -l <"$out/found.txt") found"
head -20 "$out/found.txt"
rm -rf "$out/unpacked"
[ ! -s "$out/found.txt" ]
