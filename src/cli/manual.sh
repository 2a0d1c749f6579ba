#!/bin/sh
# Writes the manual pages of what was built, from what the programs say with --help: manual.sh BUILD FOLDER VERSION DATE
# FOLDER gets provably.1, a page for each command, provably-COMMAND.1, and proofcheck.1, all or nothing.
set -eu
build=$1 folder=$2 version=$3 date=$4
new=$folder.new
rm -rf "$new" && mkdir -p "$new"

page() {                                # NAME WHAT-IT-DOES SEE < HELP
    LC_ALL=C awk -f src/cli/manual.awk -v name="$1" -v does="$2" -v see="$3" -v version="$version" -v date="$date" > "$new/$1.1"
}
"$build/provably" help > "$new/help"
commands=$("$build/provably" complete "")
see=
for command in $commands; do see="$see,
.BR provably\\-$(echo "$command" | sed 's/-/\\-/g') (1)"; done
for command in $commands; do
    does=$(sed -n "s/^  $command .*  //p; s/^  $command [^ ]*[] ] *\([a-z]\)/\1/p" "$new/help" | head -n 1)
    "$build/provably" "$command" --help > "$new/text"
    page "provably-$command" "$does" '.BR provably (1)' < "$new/text"
done
page provably 'checks the claims of papers about transformers, one program per claim' ".BR proofcheck (1)$see" < "$new/help"
"$build/proofcheck" --help > "$new/text"
page proofcheck 'verifies certificates from their text alone' '.BR provably (1)' < "$new/text"
rm "$new/help" "$new/text"
rm -rf "$folder" && mv "$new" "$folder"
