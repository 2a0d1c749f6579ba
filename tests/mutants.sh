#!/bin/sh
# Breaks the code in every generated way (tests/mutants.awk), and in the ways of the lists *mutants.txt
# (FILE|SED EXPRESSION), one at a time, and expects a test to fail.
#   mutants.sh BUILD [SAMPLE [SEED [FILES]]]      SAMPLE = n: only n of them, chosen by SEED
#                                                 FILES: only those of these files, as in 'cuda/* src/base/base.c'
# The same tests must pass when nothing is broken, or they judge nothing.
# A generated mutant that does not compile is not counted; a listed one must compile and change the file.
# Survivors must stand in tests/mutants.argued as
#   FILE <tab> ORIGINAL LINE (trimmed) <tab> NEW TEXT <tab> REASON
# tests/mutants.count says how many there are of each kind: fewer is an error, so that no change of layout loses any.
# Exit status 1 if any other survives, or if one chosen has no verdict.  Report: BUILD/mutants.csv.
#
# What judges a file of the library: the programs that use it most (tests/judges.awk ranks them by the symbols in BUILD's
# objects), 20 tests and 8 theorem programs, the quickest first, as long as they take 150 processor seconds together.
set -u
unset CDPATH
B=$1 sample=${2:-0} seed=${3:-1} files=${4:-}
work=$B/mutants jobs=2 tab=$(printf '\t')
rm -rf "$work"; mkdir -p "$work"
: > "$work/listed"
for f in theorems/*.c src/model/gauge.c src/model/model.c src/model/block.c numerics/mat.c; do
    awk -f tests/mutants.awk pass=1 "$f" pass=2 "$f" | sed 's/^/gen\t/' >> "$work/listed"
done
for list in tests/mutants.txt tests/forward/mutants.txt; do
    awk -F'|' '/^#/ || /^$/ { next }
               !/\|/ { print "mutants: " FILENAME ":" FNR ": no FILE|SED EXPRESSION" > "/dev/stderr"; bad = 1; next }
               { f = $1; sub(/^[^|]*\|/, ""); print "sed\t" f "\t0\t0\t0\t" $0 }
               END { exit bad }' "$list" >> "$work/listed" || exit 1
done
cut -f2 "$work/listed" | sort -u > "$work/files"
if [ -n "$files" ]; then
    set -f
    while read -r f; do
        for pattern in $files; do case $f in $pattern) echo "$f" ;; esac; done
    done < "$work/files" | sort -u > "$work/files.chosen"
    set +f
    awk -F'\t' 'NR == FNR { chosen[$1] = 1; next } $2 in chosen' "$work/files.chosen" "$work/listed" > "$work/all"
else
    cp "$work/listed" "$work/all"
fi
if [ "$sample" -gt 0 ]; then
    awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' "$work/all" | sort -n | head -n "$sample" | cut -f2- > "$work/chosen"
else
    cp "$work/all" "$work/chosen"
fi
chosen=$(wc -l < "$work/chosen")
[ "$chosen" -gt 0 ] || { echo "mutants: no break is listed for FILES='$files'" >&2; exit 1; }
cut -f2 "$work/chosen" | sort -u | sed "s/.*/none$tab&${tab}0${tab}0${tab}0$tab/" | cat - "$work/chosen" > "$work/lines"
split -n "r/$jobs" -d "$work/lines" "$work/part"

count() {                               # KIND LINES
    awk -v kind="$1" -v is="$2" '$1 == kind && is < $2 {
        print "mutants: " is " are " kind ", " $2 " in tests/mutants.count: find the lost ones, or correct the number"; exit 1 }' \
        tests/mutants.count >&2
}
count generated "$(grep -c '^gen' "$work/listed")" && count listed "$(grep -c '^sed' "$work/listed")" || exit 1

# ---- which programs judge a file
{ find src numerics -name '*.c' ! -path 'src/proofcheck/*' ! -path 'src/cli/*' | sed "s|^|$B/|; s|\.c$||" |
      while read -r f; do for o in "$f.o" "$f.f64.o"; do [ ! -f "$o" ] || echo "$o"; done; done
  for f in tests/t_*.c theorems/*.c tests/support/*.c tests/readers/*.c; do [ ! -f "$B/${f%.c}.o" ] || echo "$B/${f%.c}.o"; done; } | xargs nm -gA |
    sed "s|^$B/||; s/\(\.f64\)\{0,1\}\.o:[0-9a-f]* */ /" | awk -f tests/judges.awk > "$work/weights"

# A source itself, or every source of the library that reads a header.
readers() {
    case $1 in
    *.h) (cd "$B" && find src numerics -name '*.d' ! -name '*.f64.d' ! -path 'src/cli/*' ! -path 'src/proofcheck/*' \
              -exec grep -l -e " $1\$" -e " $1 " {} +) | sed 's/\.d$/.c/' ;;
    *) echo "$1" ;;
    esac
}

options_of() { case $1 in */theorems/*) echo "--scale=quick --arith=f64,arb,fp,q,sym --trials=1 --suite" ;; esac; }
# Does BINARY, which is PROGRAM or a broken one, pass within so many processor seconds, so that other work on the machine
# changes no verdict?  t_certificate has a corpus for proofcheck, too: what writes certificates is judged by one case of it.
passes() (                              # PROGRAM BINARY SECONDS
    case $1 in */t_certificate) export CK_RUN_CASE=writer ;; esac
    ulimit -t "$3"
    status=0
    BUILD=$B timeout -k 5 $((10 * $3)) "$2" $(options_of "$1") >/dev/null 2>&1 </dev/null || status=$?
    case $status:$1 in                  # some part of it does not run over one of these: then over all that it has
    2:*/theorems/*)
        status=0
        timeout -k 5 $((10 * $3)) "$2" --scale=quick --trials=1 --suite >/dev/null 2>&1 </dev/null || status=$? ;;
    esac
    return $status
)

# How many processor seconds PROGRAM takes while nothing is broken, measured once and kept until it is built again; "fails"
# if it does not pass within a minute of them.
seconds_of() {
    record=$B/seconds/$(basename "$1")
    if [ ! "$record" -nt "$1" ]; then
        (passes "$1" "$1" 60 && echo passes; times) | awk '
            /passes/ { passes = 1 }
            { spent = 0; for (k = 1; k <= 2; k++) { split($k, t, /[ms]/); spent += 60 * t[1] + t[2] } }    # the last line: of children
            END { if (passes) printf "%.2f\n", spent; else print "fails" }' > "$record.${folder##*/}"
        mv "$record.${folder##*/}" "$record"
    fi
    cat "$record"
}
mkdir -p "$B/seconds" "$work/judges"

judges() {                              # of one file, or of those that read a header
    case $1 in theorems/*) echo "$B/theorems/$(basename "$1" .c)"; return ;; esac
    list=$work/judges/$(echo "$1" | tr / _)
    if [ ! -f "$list" ]; then
        readers "$1" | awk -F'\t' 'NR == FNR { of[$1]; next } $1 in of { weight[$3] += $2 }
            END { for (p in weight) printf "%.9f\t%s\n", weight[p], p }' - "$work/weights" | sort -t "$tab" -k1,1gr |
            awk -F'\t' '{ theorem = $2 ~ /^theorems/ } ++n[theorem] <= (theorem ? 8 : 20) { print $2 }' |
            while read -r p; do echo "$(seconds_of "$B/$p")$tab$B/$p"; done > "$list.${folder##*/}"
        first=$(head -n 1 "$list.${folder##*/}" | cut -f2)      # the closest one judges in any case: it must pass
        sort -g "$list.${folder##*/}" | awk -F'\t' -v first="$first" '
            $1 == "fails" { if ($2 == first) print "fails"; next }
            (total += $1) <= 150 || $2 == first { print $2 }' > "$list.${folder##*/}.new"
        mv "$list.${folder##*/}.new" "$list"
    fi
    cat "$list"
}

# One object of a mutant; headers of the mutant's folder come first.
object() { ${CC:-cc} -std=c17 -D_GNU_SOURCE -I"$folder" -I. -ffp-contract=off -O1 -w -c "$@" 2>/dev/null; }
linked() { ${CC:-cc} "$@" "$B/theorem_program.a" "$B/libprovably.a" "@$B/all.libs" -lstdc++ -o "$folder/judge" 2>/dev/null; }
support=$(for f in tests/support/*.c; do echo "$B/${f%.c}.o"; done)

machine=$(for o in parse lanes memory warp run; do echo "$B/tests/ptx/$o.o"; done)

# The backend and its kernels, as nvcc compiles them, in the interpreter; what its headers say of the host, by t_cuda, too.
try_kernels() {
    sh tests/ptx/judge.sh "$B" "$folder" "$file"
    case $? in
    0) echo killed; return ;;
    1) ;;
    2) echo did-not-compile; return ;;
    *) echo no-verdict; return ;;
    esac
    case $file in *.h|*.c)
        objects="$machine $B/tests/ptx/device.o $(ls "$B"/ptx/cuda/*.cu.o)"
        test=$B/tests/t_cuda.o key=$B/mocked/cuda/gemm_key.o
        [ ! -e "$folder/objects/gemm_key.o" ] || key=$folder/objects/gemm_key.o
        case $file in *.h) test=$folder/t_cuda.o; object tests/t_cuda.c -o "$test" || { echo did-not-compile; return; } ;; esac
        linked "$test" $objects "$key" "$B/mocked/cuda/attn.o" "$B/mocked/cuda/backend.o" $support || { echo did-not-compile; return; }
        BUILD=$B timeout -k 5 300 "$folder/judge" >/dev/null 2>&1 || { echo killed; return; } ;;
    esac
    echo survived
}

# The host half on a GPU that is none.
mocked='cuda/device.c cuda/gemm.c cuda/gemm_key.c cuda/attn.c tests/mock/cuda_mock.c'
try_mock() {
    objects=
    for f in $mocked; do
        if [ "$f" = "$file" ]; then
            object "$src" -Itests/mock -o "$folder/mocked.o" || { echo did-not-compile; return; }
            objects="$objects $folder/mocked.o"
        else
            objects="$objects $B/mocked/${f%.c}.o"
        fi
    done
    linked "$B/tests/t_cuda_host.o" $objects $support || { echo did-not-compile; return; }
    if timeout -k 5 120 "$folder/judge" >/dev/null 2>&1; then echo survived; else echo killed; fi
}

# A program of its own.
try_proofcheck() {
    files=
    for f in src/proofcheck/*.c; do
        if [ "$f" = "$file" ]; then files="$files $src"; else files="$files $f"; fi
    done
    ${CC:-cc} -std=c17 -D_GNU_SOURCE -I"$folder" -I. -O1 -w $files -lgmp -o "$folder/proofcheck" 2>/dev/null || { echo did-not-compile; return; }
    for part in checker rules programs; do
        CK_RUN_CASE=$part PROOFCHECK=$folder/proofcheck BUILD=$B timeout -k 5 300 "$B/tests/t_certificate" >/dev/null 2>&1 ||
            { echo killed; return; }
    done
    echo survived
}

# What the compiler makes of the loops: tests/packed.sh.
try_loops() {
    rules=Makefile included=src/build
    case $file in
    Makefile) rules=$src ;;
    *.mk)     included=$folder/mk; mkdir -p "$included"; cp src/build/*.mk "$included/"; cp "$src" "$included/" ;;
    esac
    loops=
    for of in activation loss attn norm tile; do loops="$loops $folder/b/src/train/cpu/cpu_$of.o"; done
    make -f "$rules" build_files="$included" CC="${CC:-cc} -I$folder" B="$folder/b" $loops >/dev/null 2>&1 || { echo did-not-compile; return; }
    if ! sh tests/packed.sh "$folder/b" >/dev/null 2>&1; then echo killed; return; fi
    case $file in Makefile|*.mk) try_scripts ;; *) echo survived ;; esac
}

# t_cli and its like run the command itself: give them a folder with the broken one.
try_command() {
    mkdir -p "$folder/bin"
    ln -sfn "$(realpath "$B/theorems")" "$folder/bin/theorems"
    for f in proofcheck libprovably.so; do ln -sfn "$(realpath "$B/$f")" "$folder/bin/$f"; done
    object "$src" -o "$folder/command.o" &&
        linked "$B"/theorems/*.o $(ls "$B"/src/cli/*.o | grep -vF "/$(basename "$file" .c).o") "$folder/command.o" &&
        mv "$folder/judge" "$folder/bin/provably" || { echo did-not-compile; return; }
    case $file in
    src/cli/absorb*) suite=t_absorb ;; src/cli/export.c) suite=t_safetensors ;; src/cli/inspect*) suite=t_inspect ;; src/cli/verify*) suite='t_experts t_gauges t_verify t_gallery' ;; src/cli/reduce.c) suite='t_gauges t_reduce' ;; src/cli/complete.c) suite=t_install ;; src/cli/check*) suite='t_check t_plain t_power' ;; *) suite=t_cli ;;
    esac
    for judge in $suite; do
        BUILD=$folder/bin timeout -k 5 300 "$B/tests/$judge" >/dev/null 2>&1 || { echo killed; return; }
    done
    echo survived
}

# Data of architectures: programs read them from the tree that they were built in, which is the mutant's folder here.
try_data() {
    mkdir -p "$folder/b/tests"
    for f in src/checkpoint/architectures/*; do [ -e "$folder/$f" ] || cp "$f" "$folder/$f"; done
    cp "$B/provably" "$B/libprovably.so" "$folder/b"
    for judge in t_architectures t_families t_inspect t_reduce; do
        cp "$B/tests/$judge" "$folder/b/tests"
        BUILD=$folder/b timeout -k 5 300 "$folder/b/tests/$judge" >/dev/null 2>&1 || { echo killed; return; }
    done
    echo survived
}

# The main of the theorem programs: those that t_signals interrupts, each linked with the broken one.
try_programs() {
    mkdir -p "$folder/bin/theorems"
    for f in provably proofcheck libprovably.so tests; do ln -sfn "$(realpath "$B/$f")" "$folder/bin/$f"; done
    object "$src" -o "$folder/main.o" || { echo did-not-compile; return; }
    for p in "$B"/theorems/*.o; do
        ${CC:-cc} "$p" "$folder/main.o" "$B/libprovably.so" -Wl,-rpath,"$(realpath "$B")" "@$B/all.libs" \
            -o "$folder/bin/theorems/$(basename "$p" .o)" 2>/dev/null || { echo did-not-compile; return; }
    done
    if BUILD=$folder/bin timeout -k 5 600 "$B/tests/t_signals" >/dev/null 2>&1; then echo survived; else echo killed; fi
}

# The Makefile, its scripts and what is installed as it is: t_make, t_install and t_formal, or t_cuda, in a copy of the tree;
# documents: t_findings.
try_scripts() {
    mkdir -p "$folder/tree" && cp -r $(ls | grep -v '^build') .ci .gitignore "$folder/tree" && cp "$src" "$folder/tree/$file" || { echo did-not-compile; return; }
    built=$(realpath "$B")
    case $file in src/build/gpu_*) suites=t_cuda ;; *.md|tests/dialect.txt) suites=t_findings ;; tests/recorded.sh|tests/sources.sh) suites=t_bench ;; tests/coverage.sh|tests/guided.sh) suites=t_scripts ;; src/build/install.sh) suites='t_install t_install_faults' ;; *) suites='t_make t_install t_formal' ;; esac
    for judge in $suites; do
        (cd "$folder/tree" && BUILD=$built timeout -k 5 300 "$built/tests/$judge" >/dev/null 2>&1 </dev/null) || { echo killed; return; }
    done
    echo survived
}

# The objects that a break of a library's source changes.
broken_objects() {
    objects=
    for f in $(readers "$file"); do
        from=$f object=$folder/$(echo "$f" | tr / _).o double=
        [ "$f" != "$file" ] || from=$src
        case $f in src/train/cpu/cpu_*) double=-DREAL_IS_DOUBLE ;; esac       # the double half is broken
        object "$from" $double -o "$object" || return 1
        objects="$objects $object"
    done
    [ -n "$objects" ]
}

try_library() {
    broken_objects || { echo did-not-compile; return; }
    for judge in $(judges "$file"); do
        [ "$judge" != fails ] || { echo killed; return; }     # unsound, for a file that is not broken
        main=$judge.o with=
        case $judge in */tests/*) with=$support ;; esac
        [ "$main" = "$B/${file%.c}.o" ] && main=
        case $judge in
        */t_cuda)              with="$with $machine $B/tests/ptx/device.o $(ls "$B"/ptx/cuda/*.cu.o) $B/mocked/cuda/attn.o $B/mocked/cuda/backend.o $B/mocked/cuda/gemm_key.o" ;;
        */t_ptx|*/t_interpreter) with="$with $machine" ;;
        */t_readers)           with="$with $(for f in tests/readers/*.c; do echo "$B/${f%.c}.o"; done)" ;;
        */t_cuda_host)         with="$with $(echo "$mocked" | sed "s|[^ ]*\.c|$B/mocked/&|g; s|\.c|.o|g")" ;;
        esac
        linked $main $objects $with || { echo did-not-compile; return; }
        [ "$kind" != none ] || continue           # that it compiles and is linked; seconds_of has run the program
        passes "$judge" "$folder/judge" 120 || { echo killed; return; }
    done
    # The quick look let it pass: the whole program has the last word (`make check` has it where nothing is broken).
    case $kind:$file in none:*) ;; *:theorems/*)
        timeout -k 5 300 "$folder/judge" >/dev/null 2>&1 || { echo killed; return; }
        if grep -q certify_ "$file"; then         # what is only written down is judged by the checker
            rm -rf "$folder/certificates"; mkdir "$folder/certificates"
            "$folder/judge" --certificates="$folder/certificates" >/dev/null 2>&1 &&
                "$B/proofcheck" $(ls "$folder"/certificates/*.cert) >/dev/null 2>&1 || { echo killed; return; }
        fi ;;
    esac
    echo survived
}

# The performance model: what its tests let pass is held against what the kernels do.
try_tally() {
    verdict=$(try_library)
    [ "$verdict" = survived ] || { echo "$verdict"; return; }
    linked "$folder/src_train_tally.c.o" "$B/tests/ptx/counts.o" $machine "$B/tests/ptx/device.o" "$B"/ptx/cuda/*.cu.o \
        "$B/mocked/cuda/attn.o" "$B/mocked/cuda/backend.o" "$B/mocked/cuda/gemm_key.o" || { echo did-not-compile; return; }
    if PTX_FILE=$B/ptx/kernels.ptx passes counts "$folder/judge" 120; then echo survived; else echo killed; fi
}

try() {                                 # kind file line column length text folder
    kind=$1 file=$2 folder=$7 src=$7/$2
    mkdir -p "$(dirname "$src")"
    case $kind in
    none) cp "$file" "$src" ;;
    sed)  sed "$6" "$file" > "$src" || { echo did-not-compile; return; } ;;
    *)    awk -v n="$3" -v c="$4" -v l="$5" -v new="$6" 'FNR == n { $0 = substr($0, 1, c - 1) new substr($0, c + l) } { print }' "$file" > "$src" ;;
    esac
    if [ "$kind" != none ] && cmp -s "$src" "$file"; then echo unchanged; return; fi
    case $file in
    Makefile|*.mk|src/train/cpu/real.h)                 try_loops ;;
    src/claim/program/theorem_program.c)                try_programs ;;
    *.sh|*.awk|*.md|tests/dialect.txt|src/cli/complete.bash|src/cli/complete.zsh|src/cli/complete.fish) try_scripts ;;
    src/checkpoint/architectures/*)              try_data ;;
    src/proofcheck/*)                            try_proofcheck ;;
    cuda/device.c|cuda/gemm.c|cuda/attn.c)       try_mock ;;
    cuda/*)                                      try_kernels ;;
    src/cli/*)                                   try_command ;;
    src/train/tally.c)                           try_tally ;;
    *)                                           try_library ;;
    esac
}

run_part() {
    while IFS="$tab" read -r kind file line column length text; do
        case $kind in sed) original="sed $text" new= ;; none) original= new= ;; *) original=$(sed -n "${line}s/^ *//p" "$file") new=$text ;; esac
        rm -rf "$2"; mkdir -p "$2"
        verdict=$(try "$kind" "$file" "$line" "$column" "$length" "$text" "$2")
        case $kind:$verdict in
        none:survived) verdict=sound ;;
        none:*)        verdict=unsound ;;
        sed:did-not-compile|sed:unchanged) verdict=void ;;
        *:survived)
            awk -F'\t' -v f="$file" -v o="$original" -v n="$new" \
                '$1 == f && ($2 == o || $2 == "*") && ($3 == n || $3 == "*") { found = 1 } END { exit !found }' tests/mutants.argued && verdict=argued ;;
        esac
        printf '%s\t%s\t%s\t%s\t%s\n' "$verdict" "$file" "$line" "$original" "$new"
    done < "$1" > "$2.out"
}
for part in $(ls "$work" | grep '^part[0-9]*$'); do run_part "$work/$part" "$work/$part.d" & done
wait
{ printf 'verdict\tfile\tline\toriginal\tnew\n'; cat $(ls "$work"/*.d.out); } > "$B/mutants.csv"
awk -F'\t' -v chosen="$chosen" '
    NR == 1 { next }
    $1 == "survived" { print }
    $1 == "void" { print "void: does not compile or changes nothing: " $2 "|" substr($4, 5) }
    $1 == "unsound" { print "unsound: the tests of " $2 " fail though nothing is broken: they judge nothing" }
    { n[$1]++ }
    END {
        judged = n["killed"] + n["argued"] + n["survived"] + n["did-not-compile"] + n["unchanged"] + n["void"]
        printf "mutants: %d killed, %d argued, %d survived of %d", n["killed"], n["argued"], n["survived"], chosen
        printf " (%d did not compile, %d changed nothing, %d void)\n", n["did-not-compile"], n["unchanged"], n["void"]
        if (judged != chosen) printf "mutants: %d chosen, but %d judged: a verdict is missing\n", chosen, judged
        exit judged != chosen || n["survived"] || n["unchanged"] || n["void"] || n["unsound"] || !n["killed"]
    }' "$B/mutants.csv"
