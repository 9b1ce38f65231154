#!/bin/sh
# Compiles NAME.c where that is needed, and becomes the program.
set -e
folder=$(dirname "$0")
[ "$folder/NAME" -nt "$folder/NAME.c" ] || cc -O2 -o "$folder/NAME" "$folder/NAME.c" -lm
exec "$folder/NAME" "$@"
