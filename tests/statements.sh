#!/bin/sh
# Writes the list of what certificates state: statements.sh BUILD SEED LIST
set -u
build=$1 seed=$2 list=$3
folder=$build/statements
rm -rf "$folder" && mkdir -p "$folder" || exit 2
for source in theorems/*.c; do
    "$build/theorems/$(basename "$source" .c)" --certificates="$folder" --seed="$seed" > /dev/null || exit 2
done
"$build/proofcheck" "$folder"/*.cert > "$folder/output" || { grep -v ': accepted: ' "$folder/output" >&2; exit 1; }
{ echo id,part,certificate,statement
  sed 's|^.*/\([^/]*\)[.]cert: accepted: \([^ ]*\) \([^,]*\),.*; statement \([0-9a-f]*\)$|\2,\3,\1,\4|' "$folder/output" | LC_ALL=C sort
} > "$list.new" && mv "$list.new" "$list"
rm -r "$folder"
echo "$list: $(($(wc -l < "$list") - 1)) statements"
