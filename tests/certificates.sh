#!/bin/sh
# Compares the column `certificate` of the index with what proofcheck has accepted: certificates.sh BUILD INDEX
# Exit status 1 if a claim that has a program lacks a certificate of the kind named there, or has one though the column
# says `none: reason`.
set -u
build=$1 index=$2 status=0
all=$(cat "$build"/evidence/*.accepted)
wrong=$(awk -F, 'NR > 1 { n = NF; gsub(/"[^"]*"/, "quoted"); $0 = $0; if ($10 != "") print $1 "," $11 }' "$index" |
while IFS=, read -r id kind; do
    lines=$(echo "$all" | grep -F ": accepted: $id ")
    case $kind in
    'none: '*) [ -z "$lines" ] || echo "$id: the index says \`$kind\`, but there are certificates" ;;
    *) echo "$lines" | grep -qF ", $kind, " || echo "$id: the index says \`$kind\`, but there is none" ;;
    esac
done)
[ -z "$wrong" ] || { echo "$wrong"; status=1; }
echo "$all" | awk '/: accepted: / { sub(/^.*: accepted: [^,]*, /, ""); sub(/,.*/, ""); kind[$0]++; n++ }
END { printf "certificates: %d accepted:", n; for (k in kind) printf " %d %s", kind[k], k; print "" }'
exit $status
