#!/bin/sh
# Lets one program write its certificates and proofcheck verify them from the files alone.
#   prove.sh BUILD PROGRAM SEED LIST [UNPROVED]
# BUILD/evidence/PROGRAM.accepted gets proofcheck's line of each.  Exit status 1 if one is rejected, states something
# else than LIST says (reports/statements.csv), or if one that stands in LIST is missing.  With UNPROVED the status goes to that
# file instead, so that `make check` goes on.
set -u
build=$1 program=$2 seed=$3 list=$4 unproved=${5:-}
folder=$build/certificates/$program output=$build/evidence/$program.proofcheck accepted=$build/evidence/$program.accepted
. src/build/child.sh
failed() { [ "$1" -eq 0 ] || [ -z "$unproved" ] || { echo "$1" > "$unproved"; exit 0; }; }
trap 'failed $?' EXIT
undo() { rm -f "$output" "$accepted"; }
mkdir -p "$build/evidence" && rm -rf "$folder" "$accepted" && mkdir -p "$folder" || exit 2
child "$build/theorems/$program" --certificates="$folder" --suite --seed="$seed" > "$build/evidence/$program.certificates" || exit 2
: > "$output"
status=0
if ls "$folder" | grep -q '[.]cert$'; then
    child "$build/proofcheck" --statements="$list" "$folder"/*.cert > "$output"
    status=$?
    [ $status -le 1 ] || exit $status
fi
grep -v ': accepted: ' "$output" >&2
id=$("$build/theorems/$program" --describe | sed -n 's/^id: //p')
missing=$(awk -F, -v id="$id" '$1 == id { print $3 }' "$list" | while read -r name; do
    grep -qF "/$name.cert: accepted: " "$output" || echo "$program: $list has a statement of $name, but there is no such certificate"
done)
[ -z "$missing" ] || { echo "$missing" >&2; status=1; }
[ $status -eq 0 ] || { echo "$program: if the new statements are meant, run make statements and read the difference" >&2; exit 1; }
mv "$output" "$accepted"
