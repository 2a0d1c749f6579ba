#!/bin/sh
# Compares the index with the programs and with what proofcheck has accepted, and counts the certificates:
#   certificates.sh BUILD INDEX [FORMAL]
# FORMAL, reports/formal.csv, says which certificates Coq's kernel has accepted, by their SHA-256: a certificate that has
# changed since is not among them.  Without Coq nothing else notices.
# Exit status 1 if the index says something else (src/build/index.sh), or if FORMAL lacks a certificate.
set -u
build=$1 index=$2 formal=${3:-} status=0
all=$(cat "$build"/evidence/*.accepted)
sh src/build/index.sh "$build" "$index" || status=1
if [ "$formal" ]; then
    known=$build/certificates.known
    sed -n 's/^certificate,.*,\([^,]*\.cert\),\([0-9a-f]\{64\}\),.*/\2 \1/p' "$formal" > "$known" || exit 1
    unknown=$(sha256sum "$build"/certificates/*/*.cert | sed 's|  .*/| |' | grep -vxFf "$known" | cut -d' ' -f2)
    [ -z "$unknown" ] || {
        echo "$unknown" | sed "s|^|$formal: not the certificate that Coq's kernel has accepted: |" >&2
        echo "run \`make deps-formal formal\` (minutes) and read the difference of $formal" >&2
        status=1
    }
fi
echo "$all" | awk '/: accepted: / { sub(/^.*: accepted: [^,]*, /, ""); sub(/,.*/, ""); kind[$0]++; n++ }
END { printf "certificates: %d accepted:", n; for (k in kind) printf " %d %s", kind[k], k; print "" }'
exit $status
