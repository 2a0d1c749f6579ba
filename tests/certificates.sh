#!/bin/sh
# Compares the index with the programs and with what proofcheck has accepted, and counts the certificates:
#   certificates.sh BUILD INDEX
# Exit status 1 if the index says something else: tests/index.sh.
set -u
build=$1 index=$2 status=0
all=$(cat "$build"/evidence/*.accepted)
sh tests/index.sh "$build" "$index" || status=1
echo "$all" | awk '/: accepted: / { sub(/^.*: accepted: [^,]*, /, ""); sub(/,.*/, ""); kind[$0]++; n++ }
END { printf "certificates: %d accepted:", n; for (k in kind) printf " %d %s", kind[k], k; print "" }'
exit $status
