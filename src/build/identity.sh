#!/bin/sh
# identity.sh PROGRAM TO: writes the SHA-256 of what PROGRAM, or a library, is made of, code and data without what debuggers
# read, to TO; where TO says so already, it is left as it is.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${STRIP:-strip}" -o "$work/stripped" "$1" 2> "$work/said" || cp "$1" "$work/stripped"      # a program that is a script
sha256sum < "$work/stripped" | cut -d' ' -f1 > "$work/id"
cmp -s "$work/id" "$2" || { cp "$work/id" "$2.new" && mv "$2.new" "$2"; }
