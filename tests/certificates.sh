#!/bin/sh
# Lets every program write its certificates to BUILD/certificates, and proofcheck verify them from the files alone.
#   certificates.sh BUILD INDEX SEED
# Exit status 1 if one is rejected, or the column `certificate` of the index is not what was written: a claim that
# has a program must have a file of the kind named there, or `none: reason` and no file.
set -u
build=$1 index=$2 seed=$3
folder=$build/certificates
rm -rf "$folder" && mkdir -p "$folder" || exit 2
for source in theorems/*.c; do
    name=$(basename "$source" .c)
    "$build/theorems/$name" --certificates="$folder" --seed="$seed" > "$folder/$name.log" || exit 2
done
"$build/proofcheck" "$folder"/*.cert > "$folder/proofcheck.log"
status=$?
grep -v ': accepted: ' "$folder/proofcheck.log"
[ $status -le 1 ] || exit $status
wrong=$(awk -F, 'NR > 1 { n = NF; gsub(/"[^"]*"/, "quoted"); $0 = $0; if ($10 != "") print $1 "," $11 }' "$index" |
while IFS=, read -r id kind; do
    files=$(grep -l "^claim $id\$" "$folder"/*.cert)
    case $kind in
    'none: '*) [ -z "$files" ] || echo "$id: the index says \`$kind\`, but there are certificates" ;;
    *) [ -n "$files" ] && grep -q "^kind $kind\$" $files || echo "$id: the index says \`$kind\`, but there is none" ;;
    esac
done)
[ -z "$wrong" ] || { echo "$wrong"; status=1; }
awk -F ': ' '$2 == "accepted" { sub(/^.*, /, "", $3); kind[$3]++; n++ } $2 != "accepted" { bad++ }
END { printf "certificates: %d accepted, %d rejected:", n, bad; for (k in kind) printf " %d %s", kind[k], k; print "" }' \
    "$folder/proofcheck.log"
exit $status
