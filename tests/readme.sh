#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What README, EXPERIMENTS, INSTALL, WALKTHROUGHS and `make help` show is run: every command of their sh blocks and every one that
# `make help` names.
#   readme.sh list             the commands
#   readme.sh check            each has a row in tests/readme_commands.txt, and each row is still shown
#   readme.sh run [PATTERN]    runs them (those that match the shell pattern), the programs from build/
# A row is  COMMAND <tab> HOW <tab> WHY.  HOW is
#   literally   as written.  Programs run in a scratch folder that has files called as README calls them (DIR,
#               FILE, LIST, TEXT, ...), make in the source folder
#   ci          literally, by a line of .ci/run
#   a command   the same in a small form; WHY says why that one is run
# Exit status 1 if a command fails, or if rows and README differ.
set -u
unset CDPATH
table=tests/readme_commands.txt tab=$(printf '\t')

shown() {
    awk '/^```/ { sh = $0 == "```sh"; next } sh && NF { sub(/  +#.*/, ""); sub(/ +$/, ""); print }' \
        README.md EXPERIMENTS.md INSTALL.md WALKTHROUGHS.md
    make -s help | awk '/^  make / { sub(/^ +/, ""); sub(/  +.*/, ""); n = split($0, word, / \| /)
                                     print word[1]; for (k = 2; k <= n; k++) print "make " word[k] }'
}
list() { shown | awk '!seen[$0]++'; }

check() {
    bad=0
    list > "$work/shown"
    [ "$(wc -l < "$work/shown")" -ge 30 ] || { echo "readme: fewer than 30 commands are shown; has README another form?"; bad=1; }
    grep -v '^#' "$table" | cut -f1 > "$work/rows"
    sort "$work/rows" | uniq -d | sed "s/^/readme: two rows in $(basename $table): /" | grep . && bad=1
    grep -vxFf "$work/rows" "$work/shown" | sed 's/^/readme: shown, but never run: /' | grep . && bad=1
    grep -vxFf "$work/shown" "$work/rows" | sed 's/^/readme: a row that nobody shows any more: /' | grep . && bad=1
    while IFS="$tab" read -r command how why; do
        case $command in \#*) continue ;; esac
        case $how in
        '') echo "readme: no way to run: $command"; bad=1 ;;
        ci) grep -qxF "$command" .ci/run || { echo "readme: .ci/run has no line: $command"; bad=1; } ;;
        literally) ;;
        *) [ -n "$why" ] || { echo "readme: no reason why not literally: $command"; bad=1; } ;;
        esac
    done < "$table"
    return $bad
}

# Small files under the names that README uses.
fixtures() {
    root=$(pwd)
    mkdir -p "$work/at/DIR/mnist" && cd "$work/at" && ln -s "$root/build" "$root/reports" . || return 1
    build/provably data synthetic --out=all >/dev/null && head -c 60000 all > TEXT || return 1
    printf '#version: 0.2\nt h\nth e\n\304\240 the\na n\n' > vocab.bpe
    printf '1,0\n0,1\n1,1\n' > W1.csv
    npy W2.npy
    images DIR/train-images-idx3-ubyte DIR/train-labels-idx1-ubyte 2560 && images DIR/t10k-images-idx3-ubyte DIR/t10k-labels-idx1-ubyte 512
    cp DIR/*-ubyte DIR/mnist/
    printf 'one train --steps=3 --layers=1 --width=16 --window=8\ntwo basis-transfer --width=8 --steps=3 --fits=200 --tests=64\n' > LIST
    cd "$root"
}
npy() {                                 # FILE: 2 x 3 doubles, 1 0 1 / 0 1 0
    { printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"
      one='\000\000\000\000\000\000\360\077' none='\000\000\000\000\000\000\000\000'
      printf "$one$none$one$none$one$none"; } > "$1"
}
images() {                              # IMAGES LABELS COUNT: images of 28 x 28 made of the text, labels 0..9 in turn
    size=$(printf '%08x' "$3" | sed "s/../ &/g")
    bytes() { for b in "$@"; do printf "\\$(printf %03o "0x$b")"; done; }
    { bytes 00 00 08 03 $size 00 00 00 1c 00 00 00 1c
      yes '.:-=+*#%@ MNIST is not here: these are made up.' | head -c $(($3 * 784)); } > "$1"
    { bytes 00 00 08 01 $size; awk -v n="$3" 'BEGIN { for (i = 0; i < n; i++) printf "%c", 1 + i % 9 }'; } > "$2"
}

run() {
    failed=0
    fixtures || { echo "readme: the files for the commands cannot be made"; exit 1; }
    list > "$work/shown"
    while IFS= read -r command <&3; do
        case $command in $1) ;; *) continue ;; esac
        row=$(grep -F "$command$tab" "$table" | awk -F'\t' -v c="$command" '$1 == c')
        how=$(echo "$row" | cut -f2) why=$(echo "$row" | cut -f3) text=$command note=
        case $how in
        ci) echo "readme: $command: has a line of its own in .ci/run"; continue ;;
        literally) ;;
        *) text=$how note=" instead of: $command ($why)" ;;
        esac
        echo "readme: $text$note"
        case $command in make*) at=. ;; *) at=$work/at ;; esac
        start=$(date +%s) status=0
        (cd "$at" && timeout 1800 sh -c "$text") > "$work/output" 2>&1 < /dev/null || status=$?
        if [ $status -ne 0 ]; then
            tail -n 30 "$work/output"
            echo "readme: exit status $status: $text"
            { echo "readme: exit status $status: $text"; tail -n 5 "$work/output" | sed 's/^/    /'; } >> "$work/failed"
            failed=$((failed + 1))
        else tail -n 2 "$work/output" | cut -c1-120 | sed 's/^/    /'; fi
        echo "    $(($(date +%s) - start)) s"
    done 3< "$work/shown"
    [ $failed -eq 0 ] || { cat "$work/failed"; echo "readme: $failed commands failed"; return 1; }
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case ${1:-} in
list)  list ;;
check) check ;;
run)   check && run "${2:-*}" ;;
*)     echo "usage: readme.sh list|check|run [PATTERN]" >&2; exit 2 ;;
esac
