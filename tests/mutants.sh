#!/bin/sh
# Breaks the code in every generated way (tests/mutants.awk), and in the ways of the lists *mutants.txt
# (FILE|SED EXPRESSION), one at a time, and expects a test to fail.
#   mutants.sh BUILD [SAMPLE [SEED [FILES]]]      SAMPLE = n: only n of them, chosen by SEED
#                                                 FILES: only those of these files, as in 'cuda/* src/base/base.c'
# The same tests must pass when nothing is broken, or they judge nothing.
# A generated mutant that does not compile is not counted; a listed one must compile and change the file.
# Survivors must stand in tests/mutants.argued as
#   FILE <tab> ORIGINAL LINE (trimmed) <tab> NEW TEXT <tab> REASON
# Exit status 1 if any other survives, or if one chosen has no verdict.  Report: BUILD/mutants.csv.
set -u
B=$1 sample=${2:-0} seed=${3:-1} files=${4:-}
work=$B/mutants jobs=2 tab=$(printf '\t')
rm -rf "$work"; mkdir -p "$work"
: > "$work/listed"
for f in theorems/*.c src/model/gauge.c src/model/model.c numerics/mat.c; do
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

# The tests that must see a break of a file, cheapest first.
judges() {
    case $1 in
    theorems/*) echo "$B/theorems/$(basename "$1" .c)" ;;
    numerics/f64_error.c) echo "$B/tests/t_f64" ;;
    src/claim/certificate*|numerics/record/arith_term.c) echo "$B/tests/t_certificate" ;;
    src/claim/proofs.c) echo "$B/tests/t_proofs" ;;
    src/claim/papers.c) echo "$B/tests/t_quotes $B/tests/t_report" ;;
    src/model/model.c|src/model/shape.c) echo "$B/tests/t_induction $B/tests/t_forward $B/tests/t_contracts $B/theorems/k_t4_2 $B/theorems/k_t4_3" ;;
    src/model/gauge.c) echo "$B/theorems/n16 $B/theorems/n1 $B/theorems/k_t4_4 $B/theorems/k_t4_2 $B/theorems/k_p3_2" ;;
    src/train/cpu/cpu_image.c|src/train/vit*) echo "$B/tests/t_vit" ;;
    src/data/image*|src/data/digits.c|src/train/train_vit.c) echo "$B/tests/t_images" ;;
    src/experiments/*) echo "$B/tests/t_experiments" ;;
    src/train/eliminate.c) echo "$B/tests/t_gpt $B/tests/t_experiments" ;;
    src/train/cpu/cpu_random.c|src/train/*basis*) echo "$B/tests/t_basis" ;;
    src/train/backend.c) echo "$B/tests/t_cuda" ;;
    src/train/cpu/cpu_*|src/train/formula.h) echo "$B/tests/t_nn $B/tests/t_gpt" ;;
    src/train/gpt.c|src/train/params.c) echo "$B/tests/t_gpt $B/tests/t_nn $B/tests/t_pad" ;;
    src/data/safetensors.c) echo "$B/tests/t_safetensors" ;;
    src/train/progress.c) echo "$B/tests/t_run" ;;
    src/train/run.c|src/train/train.c) echo "$B/tests/t_run $B/tests/t_faults $B/tests/t_train $B/tests/t_pad" ;;
    src/train/checkpoint.c) echo "$B/tests/t_safetensors $B/tests/t_train $B/tests/t_faults $B/tests/t_pad" ;;
    src/data/tokens.c|src/data/torch_draws.c) echo "$B/tests/t_data $B/tests/t_train" ;;
    src/data/*) echo "$B/tests/t_data $B/tests/t_download" ;;
    src/train/*) echo "$B/tests/t_train" ;;
    src/base/csv.c|src/base/fields.c) echo "$B/tests/t_base $B/tests/t_report $B/tests/t_verdict" ;;
    src/base/base.c|src/base/error.c|src/base/memory.c|src/base/outfile.c|src/base/file.c|src/base/text.c) echo "$B/tests/t_base $B/tests/t_files $B/tests/t_faults $B/tests/t_harness $B/tests/t_verdict $B/tests/t_contracts $B/tests/t_replay $B/tests/t_memory $B/tests/t_cli $B/tests/t_measure" ;;
    src/claim/induction.c|src/claim/theorem_main.c) echo "$B/tests/t_induction $B/tests/t_harness" ;;
    src/claim/reduce.c) echo "$B/tests/t_induction $B/theorems/k_x_tied $B/theorems/k_x_bias $B/theorems/k_tab1 $B/theorems/k_x_gqa $B/theorems/k_x_rope" ;;
    src/model/balanced.c) echo "$B/theorems/n15 $B/theorems/k_p3_2_wd" ;;
    src/model/denorm.c|src/methods/measure/rounding.c) echo "$B/theorems/k_r2" ;;
    src/model/dual.c) echo "$B/tests/t_dual $B/theorems/n17" ;;
    src/methods/order/hull*.c|src/methods/order/ldl.c|src/methods/order/order.c|src/methods/order/spectrum.c|src/methods/order/spread.c|src/model/stack.c) echo "$B/tests/t_order $B/tests/t_contracts" ;;
    numerics/arith_arb.c) echo "$B/tests/t_f64 $B/tests/t_balls $B/tests/t_order $B/tests/t_arith $B/tests/t_forward $B/tests/t_exhaustive $B/tests/t_slots" ;;
    src/methods/rank/stack_family*) echo "$B/theorems/b_18 $B/theorems/b_12 $B/theorems/b_28" ;;
    src/methods/rank/free_family.c) echo "$B/theorems/n21 $B/theorems/b_18" ;;
    src/methods/rank/deficit.c) echo "$B/tests/t_rank $B/tests/t_audit" ;;
    src/methods/rank/licence.c|src/methods/rank/dimension_claim.c) echo "$B/tests/t_rank $B/theorems/n8 $B/theorems/n9" ;;
    numerics/*tape*|src/methods/rank/jacobian.c|src/methods/rank/gauge_*|src/methods/rank/dimension.c|src/methods/rank/nullity.c|src/methods/rank/architecture.c)
        echo "$B/tests/t_rank $B/theorems/n8" ;;
    numerics/symbolic/*.c) echo "$B/tests/t_hypotheses $B/tests/t_sym $B/tests/t_arith" ;;
    src/methods/counts/*|src/report/sections/audit.c) echo "$B/tests/t_audit" ;;
    src/report/*/coverage.c|src/report/sections/closing_table.c|src/report/sections/experiments.c) echo "$B/tests/t_report" ;;
    src/report/collect/dependencies.c|src/report/document/layered.c|src/report/document/*diagram.c|src/report/sections/graph.c) echo "$B/tests/t_graph" ;;
    numerics/arith_f64.c) echo "$B/tests/t_f64 $B/tests/t_order $B/tests/t_balls $B/tests/t_arith $B/tests/t_norm $B/tests/t_forward $B/tests/t_slots" ;;
    numerics/record/arith_deg.c|numerics/record/degree.c|numerics/arith_fp.c|numerics/mat.c)
        echo "$B/tests/t_f64 $B/tests/t_fp $B/tests/t_hypotheses $B/tests/t_arith $B/tests/t_norm $B/tests/t_forward $B/tests/t_exhaustive $B/tests/t_slots" ;;
    src/claim/runner.c) echo "$B/tests/t_f64 $B/tests/t_fp $B/tests/t_hypotheses $B/tests/t_induction $B/tests/t_harness $B/tests/t_verdict $B/tests/t_contracts $B/tests/t_replay $B/tests/t_memory $B/tests/t_cli $B/tests/t_measure" ;;
    numerics/*) echo "$B/tests/t_hypotheses $B/tests/t_arith $B/tests/t_norm $B/tests/t_forward $B/tests/t_exhaustive $B/tests/t_slots" ;;
    src/methods/norm/norm*|src/methods/norm/dyt.c) echo "$B/tests/t_norm $B/theorems/k_r6_dyt $B/theorems/k_c1 $B/theorems/k_r5_alpha" ;;
    src/claim/claim.c) echo "$B/tests/t_fp $B/tests/t_induction $B/tests/t_norm $B/tests/t_harness $B/tests/t_verdict $B/tests/t_contracts" ;;
    src/data/matrix_*.c) echo "$B/tests/t_absorb" ;;
    src/methods/relu/relu_draw.c) echo "$B/tests/t_relu $B/theorems/k_e2 $B/theorems/k_e1_suff $B/theorems/n5" ;;
    src/methods/relu/relu_turn.c) echo "$B/tests/t_relu $B/theorems/k_e1_suff $B/theorems/k_e2 $B/theorems/k_e1_r8" ;;
    src/methods/relu/relu_affine*.c) echo "$B/tests/t_relu_affine" ;;
    src/methods/relu/relu*.c) echo "$B/tests/t_relu" ;;
    src/claim/index.c) echo "$B/tests/t_harness $B/tests/t_report $B/tests/t_fuzz" ;;
    src/claim/*) echo "$B/tests/t_verdict $B/tests/t_report" ;;
    src/claim/evidence.c) echo "$B/tests/t_evidence $B/tests/t_hypotheses $B/tests/t_induction $B/tests/t_harness $B/tests/t_verdict $B/tests/t_contracts" ;;
    numerics/measure.c|src/methods/measure/radial.c|src/methods/measure/integral.c|src/methods/measure/quarter.c|src/methods/measure/clamping.c|src/methods/measure/gaussian.c|src/methods/measure/transfer.c) echo "$B/tests/t_measure" ;;
    src/report/*) echo "$B/tests/t_report" ;;
    *) echo "$B/tests/t_harness $B/tests/t_verdict $B/tests/t_contracts $B/tests/t_replay $B/tests/t_memory $B/tests/t_cli $B/tests/t_measure" ;;
    esac
}

# One object of a mutant; headers of the mutant's folder come first.
object() { ${CC:-cc} -std=c17 -D_GNU_SOURCE -I"$folder" -I. -ffp-contract=off -O1 -w -c "$@" 2>/dev/null; }
kernel() { ${CXX:-c++} -x c++ -std=c++17 -D_GNU_SOURCE -I"$folder" -I. -ffp-contract=off -O1 -w -fno-exceptions -fno-rtti \
               -fno-threadsafe-statics -c "$@" 2>/dev/null; }
linked() { ${CC:-cc} "$@" "$B/libprovably.a" "@$B/all.libs" -lstdc++ -o "$folder/judge" 2>/dev/null; }
support=$(ls "$B"/tests/support/*.o | grep -v host)

# Kernels of attention, on the host.
try_attention() {
    objects=
    for f in cuda/attn_flash_fwd.cu cuda/attn_flash_bwd.cu tests/support/cuda_kernels.cu cuda/emulate.c; do
        from=$f object=$folder/$(basename "$f").o
        case $file in
        "$f") from=$src ;;
        *.h) ;;
        *.cu|*.c) objects="$objects $(ls "$B/${f%.*}.host.o" "$B/${f%.*}.o" 2>/dev/null)"; continue ;;
        esac
        case $f in
        *.cu) kernel "$from" -o "$object" ;;
        *)    object "$from" -o "$object" ;;
        esac || { echo stillborn; return; }
        objects="$objects $object"
    done
    linked "$B/tests/t_cuda_attn.o" $objects $support || { echo stillborn; return; }
    if timeout 300 "$folder/judge" >/dev/null 2>&1; then echo survived; else echo killed; fi
}

# gpu-check with the kernels on the CPU, and the tests around it.
try_kernels() {
    mkdir -p "$folder/objects"
    for f in $(ls "$B"/emulated/cuda/*.o); do
        name=$(basename "$f" .o) from=cuda/$(basename "$f" .o)
        case $file in
        "cuda/$name") from=$src ;;
        *.h) ;;
        *) cp "$f" "$folder/objects/"; continue ;;
        esac
        case $name in
        *.c) object "$from" -DEMULATED -o "$folder/objects/$name.o" ;;
        *)   kernel "$from" -DEMULATED -o "$folder/objects/$name.o" ;;
        esac || { echo stillborn; return; }
    done
    test=$B/tests/t_cuda.o
    case $file in *.h) test=$folder/t_cuda.o; object tests/t_cuda.c -o "$test" || { echo stillborn; return; } ;; esac
    linked $(ls "$folder"/objects/*.o) && mv "$folder/judge" "$folder/gpu-check-emulated" &&
        linked "$test" $(ls "$folder"/objects/*.o | grep -v /check.c.o) $support || { echo stillborn; return; }
    if BUILD=$folder timeout 300 "$folder/judge" >/dev/null 2>&1; then echo survived; else echo killed; fi
}

# A program of its own.
try_proofcheck() {
    files=
    for f in src/proofcheck/*.c; do
        if [ "$f" = "$file" ]; then files="$files $src"; else files="$files $f"; fi
    done
    ${CC:-cc} -std=c17 -D_GNU_SOURCE -I"$folder" -I. -O1 -w $files -lgmp -o "$folder/proofcheck" 2>/dev/null || { echo stillborn; return; }
    for part in checker programs; do
        CK_RUN_CASE=$part PROOFCHECK=$folder/proofcheck BUILD=$B timeout 300 "$B/tests/t_certificate" >/dev/null 2>&1 ||
            { echo killed; return; }
    done
    echo survived
}

# What the compiler makes of the loops: tests/packed.sh.
try_loops() {
    case $file in Makefile) rules=$src ;; *) rules=Makefile ;; esac
    loops="$folder/b/src/train/cpu/cpu_rows.o $folder/b/src/train/cpu/cpu_loss.o $folder/b/src/train/cpu/cpu_attn.o"
    make -f "$rules" CC="${CC:-cc} -I$folder" B="$folder/b" $loops >/dev/null 2>&1 || { echo stillborn; return; }
    if sh tests/packed.sh "$folder/b" >/dev/null 2>&1; then echo survived; else echo killed; fi
}

# t_cli and its like run the command itself: give them a folder with the broken one.
try_command() {
    mkdir -p "$folder/bin"
    ln -sfn "$(realpath "$B/theorems")" "$folder/bin/theorems"
    ln -sfn "$(realpath "$B/proofcheck")" "$folder/bin/proofcheck"
    object "$src" -o "$folder/command.o" &&
        linked $(ls "$B"/src/cli/*.o | grep -v "/$(basename "$file" .c).o") "$folder/command.o" &&
        mv "$folder/judge" "$folder/bin/provably" || { echo stillborn; return; }
    case $file in src/cli/absorb*) suite=t_absorb ;; src/cli/export.c) suite=t_safetensors ;; *) suite=t_cli ;; esac
    if BUILD=$folder/bin timeout 120 "$B/tests/$suite" >/dev/null 2>&1; then echo survived; else echo killed; fi
}

# The objects that a break of a library's source changes; of a header: of every source that reads it.
broken_objects() {
    sources=$file
    case $file in *.h) sources=$(cd "$B" && grep -l -e " $file\$" -e " $file " $(ls src/*.d src/*/*.d numerics/*.d) |
                                 grep -v -e '^src/cli/' -e '^src/proofcheck/' -e '\.f64\.d$' | sed 's/\.d$/.c/') ;; esac
    objects=
    for f in $sources; do
        from=$f object=$folder/$(echo "$f" | tr / _).o double=
        [ "$f" != "$file" ] || from=$src
        case $f in src/train/cpu/cpu_*) double=-DREAL_IS_DOUBLE ;; esac       # the double half is broken
        object "$from" $double -o "$object" || return 1
        objects="$objects $object"
    done
    [ -n "$objects" ]
}

try_library() {
    broken_objects || { echo stillborn; return; }
    case $file in src/claim/certificate*|numerics/record/arith_term.c) export CK_RUN_CASE=writer ;; esac      # of t_certificate
    for judge in $(judges "$file"); do
        main=$judge.o with=
        case $judge in */tests/*) with=$support ;; esac
        [ "$main" = "$B/${file%.c}.o" ] && main=
        case $judge in */t_cuda) with="$with $(ls "$B"/emulated/cuda/*.o | grep -v /check.c.o)" ;; esac
        linked $main $objects $with || { echo stillborn; return; }
        case $judge in
        */theorems/*) options="--scale=quick --arith=f64,arb,fp,q,sym --trials=1" ;;
        *) options= ;;
        esac
        BUILD=$B timeout 120 "$folder/judge" $options >/dev/null 2>&1 || { echo killed; return; }
    done
    # The quick look let it pass: the whole program has the last word (`make check` has it where nothing is broken).
    case $kind:$file in none:*) ;; *:theorems/*)
        timeout 300 "$folder/judge" >/dev/null 2>&1 || { echo killed; return; }
        if grep -q certify_ "$file"; then         # what is only written down is judged by the checker
            rm -rf "$folder/certificates"; mkdir "$folder/certificates"
            "$folder/judge" --certificates="$folder/certificates" >/dev/null 2>&1 &&
                "$B/proofcheck" $(ls "$folder"/certificates/*.cert) >/dev/null 2>&1 || { echo killed; return; }
        fi ;;
    esac
    echo survived
}

try() {                                 # kind file line column length text folder
    kind=$1 file=$2 folder=$7 src=$7/$2
    mkdir -p "$(dirname "$src")"
    case $kind in
    none) cp "$file" "$src" ;;
    sed)  sed "$6" "$file" > "$src" || { echo stillborn; return; } ;;
    *)    awk -v n="$3" -v c="$4" -v l="$5" -v new="$6" 'FNR == n { $0 = substr($0, 1, c - 1) new substr($0, c + l) } { print }' "$file" > "$src" ;;
    esac
    if [ "$kind" != none ] && cmp -s "$src" "$file"; then echo unchanged; return; fi
    case $file in
    Makefile|src/train/cpu/real.h)                      try_loops ;;
    src/proofcheck/*)                            try_proofcheck ;;
    cuda/attn_flash*|cuda/warp.h|cuda/emulate.*) try_attention ;;
    cuda/*)                                      try_kernels ;;
    src/cli/*)                                   try_command ;;
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
        sed:stillborn|sed:unchanged) verdict=void ;;
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
        judged = n["killed"] + n["argued"] + n["survived"] + n["stillborn"] + n["unchanged"] + n["void"]
        printf "mutants: %d killed, %d argued, %d survived of %d", n["killed"], n["argued"], n["survived"], chosen
        printf " (%d did not compile, %d changed nothing, %d void)\n", n["stillborn"], n["unchanged"], n["void"]
        if (judged != chosen) printf "mutants: %d chosen, but %d judged: a verdict is missing\n", chosen, judged
        exit judged != chosen || n["survived"] || n["unchanged"] || n["void"] || n["unsound"] || !n["killed"]
    }' "$B/mutants.csv"
