#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the manual pages of what was built, from what the programs say with --help: manual.sh BUILD FOLDER VERSION DATE
# FOLDER gets provably.1, a page for each command, provably-COMMAND.1, and proofcheck.1, all or nothing.
set -eu
export LC_ALL=C
unset CDPATH POSIXLY_CORRECT ARGP_HELP_FMT
build=$1 folder=$2 version=$3 date=$4
new=$folder.new
rm -rf "$new" && mkdir -p "$new"

page() {                                # NAME WHAT-IT-DOES SEE EXAMPLE < HELP
    awk -f src/cli/manual.awk -v name="$1" -v does="$2" -v see="$3" -v example="$4" -v version="$version" -v date="$date" \
        > "$new/$1.1"
}
"$build/provably" help > "$new/help"
"$build/provably" complete --commands > "$new/commands"
tab=$(printf '\t')
see=
while IFS="$tab" read -r command does example; do
    see="$see,
.BR provably\\-$(echo "$command" | sed 's/-/\\-/g') (1)"
    "$build/provably" "$command" --help > "$new/text" < /dev/null
    page "provably-$command" "$does" '.BR provably (1)' "$example" < "$new/text"
done < "$new/commands"
page provably 'checks the claims of papers about transformers, one program per claim' ".BR proofcheck (1)$see" \
    'provably show K-T4.4' < "$new/help"
"$build/proofcheck" --help > "$new/text"
page proofcheck 'verifies certificates from their text alone' '.BR provably (1)' \
    'proofcheck build/certificates/k_e2/*.cert' < "$new/text"
rm "$new/help" "$new/text" "$new/commands"
rm -rf "$folder" && mv "$new" "$folder"
