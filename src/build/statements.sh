#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the list of what certificates state: statements.sh BUILD SEED LIST
# Numbers are drawn where another seed gives others; all others are part of the statement.  Of drawn networks the list
# demands `regular`, else `half`, else no more than proofcheck always does (src/proofcheck/list.c); of other drawn
# matrices `rows` or no more: the first that their certificate meets at each of 61 seeds, so that few others fail it.
set -u
unset CDPATH
build=$1 seed=$2 list=$3 others=$(seq 100 159)
folder=$build/statements header=id,part,certificate,drawn,demands,statement
rm -rf "$folder" && mkdir -p "$folder/own" || exit 2
written() {                             # PROGRAM FOLDER SEED
    mkdir -p "$2" && "$build/theorems/$1" --certificates="$2" --suite --seed="$3" > /dev/null
}
for source in theorems/*.c; do
    program=$(basename "$source" .c)
    written "$program" "$folder/new" "$seed" || exit 2
    if grep -q '^matrix ' "$folder"/new/*.cert 2> /dev/null; then
        for other in $others; do written "$program" "$folder/$other" "$other" || exit 2; done
    fi
    for f in "$folder"/new/*.cert; do [ ! -e "$f" ] || mv "$f" "$folder/own" || exit 2; done
done
"$build/proofcheck" "$folder"/own/*.cert > "$folder/output" || { grep -v ': accepted: ' "$folder/output" >&2; exit 1; }

# ---- the first demand that CLAIM,PART,NAME,DRAWN meets everywhere; none of them: exit status 1
demand() {                              # KEY NAME HASH
    case $1 in *,W1\ *) words='regular half' ;; *) words=rows ;; esac
    for word in $words ''; do
        printf '%s\n%s,%s,%s\n' "$header" "$1" "$word" "$3" > "$folder/tried"
        "$build/proofcheck" --statements="$folder/tried" "$folder/own/$2.cert" $(
            for other in $others; do echo "$folder/$other/$2.cert"; done) > /dev/null && { echo "$word"; return 0; }
    done
    echo "$2: at some seed its numbers are worth nothing, or it states something else" >&2
    return 1
}
{ echo "$header"
  sed 's|^.*/\([^/]*\)[.]cert: accepted: \([^ ]*\) \([^,]*\),.*; statement \([0-9a-f]*\)$|\2,\3,\1,\4|' \
      "$folder/output" | LC_ALL=C sort | while IFS=, read -r id part name hash; do
      drawn='' demands=''
      if grep -q '^matrix ' "$folder/own/$name.cert"; then
          drawn=$(awk -f src/build/drawn.awk "$folder/own/$name.cert" $(
              for other in $others; do echo "$folder/$other/$name.cert"; done)) || exit 1
      fi
      if [ "$drawn" ]; then
          hash=$(awk -v without="$drawn" -f src/build/drawn.awk "$folder/own/$name.cert" | sha256sum | cut -c1-64)
          demands=$(demand "$id,$part,$name,$drawn" "$name" "$hash") || exit 1
      fi
      echo "$id,$part,$name,$drawn,$demands,$hash"
  done; } > "$list.new" || { rm -f "$list.new"; exit 1; }
mv "$list.new" "$list"
rm -r "$folder"
echo "$list: $(($(wc -l < "$list") - 1)) statements"
