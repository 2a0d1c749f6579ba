#!/bin/sh
# The evidence of one program after another, for `make check`: NAME.csv and what stands beside it in BUILD/evidence.
#   evidence.sh begin BUILD [all]                    before the first: which of the programs have to run; or all of them
#   evidence.sh run BUILD NAME COLUMNS OPTION...     runs one of them.  COLUMNS: the terminal's width, or `log`: a line
#                                                    when it has ended, or `silent`
#   evidence.sh kept BUILD                           how many did not have to run, and how old their evidence is
#   evidence.sh failed BUILD                         which have failed: NAME.failed, NAME.unproved
# INT, TERM and HUP end a program that runs, and nothing of its evidence is left.  `timeout --foreground` keeps it in the
# terminal's process group, so that whatever ends that group ends the program, too.
# NAME.done says that the program ran to its end with exit status 0; it is written last.  A program has to run when its
# NAME.done is missing or older than what the program or the library is made of (BUILD/identity), its parameters or this script: so says the Makefile, too.  `begin`
# removes the evidence of all that have to run, and of programs that are no more: whatever is interrupted, what lies in
# the folder belongs to the programs as they are.
# BUILD/check has: parameters; to-run, kept and finished (NAME SECONDS) of this time; took, the seconds of earlier ones.
set -u
export LC_ALL=C
unset CDPATH                            # with it cd prints where it goes
build=$2 evidence=$2/evidence state=$2/check
. src/build/child.sh
names=$(cd theorems && ls | sed -n "s,[.]c$,,p")

forget() { rm -f "$1.done" "$1.csv" "$1.ladder.csv" "$1.figures.csv" "$1.failed"; }
newer() { [ "$1" -nt "$stamp" ]; }
undo() { :; }
begin() {
    all=${1:-}
    set -- $names
    mkdir -p "$evidence" "$state"
    for file in "$evidence"/*; do
        name=${file##*/} name=${name%%.*}
        case " $* " in *" $name "*) ;; *) rm -f "$file" ;; esac
    done
    touch "$state/finished" "$state/took"
    cat "$state/took" "$state/finished" | awk '{ took[$1] = $2 } END { for (name in took) print name, took[name] }' |
        sort > "$state/took.new" && mv "$state/took.new" "$state/took"
    : > "$state/finished"
    : > "$state/to-run"
    : > "$state/kept"
    for name in "$@"; do
        stamp=$evidence/$name.done
        if [ -z "$all" ] && [ -e "$stamp" ] && ! newer "$build/identity/$name" && ! newer "$build/identity/libprovably" && ! newer "$state/parameters" &&
           ! newer src/build/evidence.sh; then echo "$name" >> "$state/kept"; continue; fi
        forget "$evidence/$name"
        echo "$name" >> "$state/to-run"
    done
    date +%s > "$state/began"
}

# DONE OF LEFT: what the programs took last time says how long the rest takes, at the pace of this time.
progress() {
    awk -v now="$(date +%s)" 'FILENAME ~ /began$/ { began = $1; next }
        FILENAME ~ /took$/ { took[$1] = $2 + 0.5; next }
        FILENAME ~ /to-run$/ { of++; if ($1 in took) all += took[$1]; else unknown++; next }
        { done++; gone += took[$1] }
        END { pace = gone >= 5 ? (now - began) / gone : 0
              print done + 0, of + 0, unknown || !pace ? "-" : int(pace * (all - gone)) }' \
        "$state/began" "$state/took" "$state/to-run" "$state/finished"
}
show() {                                # TEXT
    case $columns in log|silent) return ;; esac
    set -- $(progress) "$1"
    sh src/build/progress.sh "$columns" "$1" "$2" "${3#-}" "$4"
}

run() {
    name=$1 columns=$2 at=$evidence/$1 program=$build/theorems/$1 status=0
    shift 2
    show "$name"
    forget "$at"
    start=$(date +%s)
    "$program" --describe > "$at.meta" || echo $? > "$at.failed"
    undo() { forget "$at"; rm -f "$at".*part "$at".*part.csv; }
    child timeout --foreground -k 10 900 "$program" --suite --out="$at.csv" "$@" > "$at.log" 2>&1 || status=$?
    if [ $status -ne 0 ]; then
        echo $status > "$at.failed"
        case $columns in log|silent) clear= ;; *) clear='\r\033[K' ;; esac
        printf "$clear%s\n%s\n" "$(cat "$at.log")" "$name: exit status $status" >&2      # at once: others write, too
    fi
    echo "$name $(($(date +%s) - start))" >> "$state/finished"
    show "$name"
    if [ "$columns" = log ]; then
        id=$(sed -n 's/^id: //p' "$at.meta")
        printf '[%3d/%d] %s\n' "$(sed -n "/^$name /=" "$state/finished")" "$(wc -l < "$state/to-run")" "${id:-$name}"
    fi
    [ -e "$at.failed" ] || : > "$at.done"
}

kept() {
    n=$(wc -l < "$state/kept")
    [ "$n" -gt 0 ] || return 0
    set -- $(sed "s|.*|$evidence/&.done|" "$state/kept")
    first=$(date -r "$(ls -tr "$@" | head -n 1)" '+%Y-%m-%d %H:%M')
    last=$(date -r "$(ls -t "$@" | head -n 1)" '+%Y-%m-%d %H:%M')
    [ "$first" = "$last" ] || first="$first to $last"
    all=$(echo "$names" | wc -l)
    echo "Unchanged and not run again: $n of $all programs, evidence of $first (\`make recheck\` runs all)"
}

failed() {
    for name in $names; do
        [ -e "$evidence/$name.done" ] || echo "$name.failed"
        [ -e "$evidence/$name.accepted" ] || echo "$name.unproved"
    done
}

what=$1; shift 2
case $what in
begin) begin "$@" ;;
run)   run "$@" ;;
kept)  kept ;;
failed) failed ;;
*)     echo "evidence.sh takes begin, run, kept or failed" >&2; exit 2 ;;
esac
