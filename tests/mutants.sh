#!/bin/sh
# Breaks the code in every generated way (tests/mutants.awk), and in the ways of the lists *mutants.txt
# (FILE|SED EXPRESSION), one at a time, and expects a test to fail.
#   mutants.sh BUILD [SAMPLE [SEED]]      SAMPLE = n: only n of them, chosen by SEED
# A mutant that does not compile is not counted.  Survivors must stand in tests/mutants.argued as
#   FILE <tab> ORIGINAL LINE (trimmed) <tab> NEW TEXT <tab> REASON
# Exit status 1 if any other survives.  Report: BUILD/mutants.csv.
set -u
B=$1 sample=${2:-0} seed=${3:-1}
work=$B/mutants jobs=2
rm -rf "$work"; mkdir -p "$work"
: > "$work/all"
for f in theorems/*.c src/gauge.c src/model.c numerics/mat.c; do
    awk -f tests/mutants.awk pass=1 "$f" pass=2 "$f" | sed 's/^/gen\t/' >> "$work/all"
done
for list in tests/mutants.txt tests/forward/mutants.txt; do
    [ -f "$list" ] && grep -v '^#' "$list" | grep '|' | awk -F'|' '{ f = $1; sub(/^[^|]*\|/, ""); print "sed\t" f "\t0\t0\t0\t" $0 }' >> "$work/all"
done
if [ "$sample" -gt 0 ]; then
    awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' "$work/all" | sort -n | head -n "$sample" | cut -f2- > "$work/chosen"
else
    cp "$work/all" "$work/chosen"
fi
split -n "r/$jobs" -d "$work/chosen" "$work/part"

# The tests that must see a break of a file, cheapest first.
judges() {
    case $1 in
    theorems/*) echo "$B/theorems/$(basename "$1" .c)" ;;
    src/model.c|src/shape.c) echo "$B/tests/t_induction $B/tests/t_forward $B/tests/t_contracts $B/theorems/k_t4_2 $B/theorems/k_t4_3" ;;
    src/gauge.c) echo "$B/theorems/n16 $B/theorems/n1 $B/theorems/k_t4_4 $B/theorems/k_t4_2 $B/theorems/k_p3_2" ;;
    src/nn/cpu_image.c|src/nn/vit*) echo "$B/tests/t_vit" ;;
    src/nn/image*|src/nn/digits.c|src/nn/train_vit.c) echo "$B/tests/t_images" ;;
    src/experiments/*) echo "$B/tests/t_experiments" ;;
    src/nn/eliminate.c) echo "$B/tests/t_gpt $B/tests/t_experiments" ;;
    src/nn/cpu_random.c|src/nn/*basis*) echo "$B/tests/t_basis" ;;
    src/nn/backend.c) echo "$B/tests/t_cuda" ;;
    src/nn/cpu_*|src/nn/formula.h) echo "$B/tests/t_nn $B/tests/t_gpt" ;;
    src/nn/gpt.c|src/nn/params.c) echo "$B/tests/t_gpt $B/tests/t_nn $B/tests/t_pad" ;;
    src/nn/safetensors.c) echo "$B/tests/t_safetensors" ;;
    src/nn/progress.c) echo "$B/tests/t_run" ;;
    src/nn/run.c|src/nn/train.c) echo "$B/tests/t_run $B/tests/t_faults $B/tests/t_train $B/tests/t_pad" ;;
    src/nn/checkpoint.c) echo "$B/tests/t_safetensors $B/tests/t_train $B/tests/t_faults $B/tests/t_pad" ;;
    src/nn/tokens.c|src/nn/torch_draws.c) echo "$B/tests/t_data $B/tests/t_train" ;;
    src/data/*) echo "$B/tests/t_data $B/tests/t_download" ;;
    src/nn/*) echo "$B/tests/t_train" ;;
    src/base.c) echo "$B/tests/t_faults $B/tests/t_harness $B/tests/t_verdict $B/tests/t_contracts $B/tests/t_replay $B/tests/t_memory $B/tests/t_cli $B/tests/t_measure" ;;
    src/induction.c|src/theorem_main.c) echo "$B/tests/t_induction $B/tests/t_harness" ;;
    src/reduce.c) echo "$B/tests/t_induction $B/theorems/k_x_tied $B/theorems/k_x_bias $B/theorems/k_tab1" ;;
    src/balanced.c) echo "$B/theorems/n15 $B/theorems/k_p3_2_wd" ;;
    src/denorm.c|src/rounding.c) echo "$B/theorems/k_r2" ;;
    src/dual.c) echo "$B/tests/t_dual $B/theorems/n17" ;;
    src/order/hull*.c|src/order/ldl.c|src/order/order.c|src/order/spectrum.c|src/order/spread.c|src/stack.c) echo "$B/tests/t_order $B/tests/t_contracts" ;;
    numerics/arith_arb.c) echo "$B/tests/t_order $B/tests/t_arith $B/tests/t_forward $B/tests/t_exhaustive $B/tests/t_slots" ;;
    src/rank/stack_family*) echo "$B/theorems/b_18 $B/theorems/b_12 $B/theorems/b_28" ;;
    src/rank/licence.c|src/rank/dimension_claim.c) echo "$B/tests/t_rank $B/theorems/n8 $B/theorems/n9" ;;
    numerics/*tape*|src/rank/jacobian.c|src/rank/gauge_*|src/rank/dimension.c|src/rank/nullity.c|src/rank/architecture.c)
        echo "$B/tests/t_rank $B/theorems/n8" ;;
    numerics/arith_term.c|src/certificate.c|src/certificate_sym.c) echo "$B/tests/t_certificate" ;;
    numerics/arith_sym.c) echo "$B/tests/t_hypotheses $B/tests/t_sym $B/tests/t_arith" ;;
    src/audit/*|src/report/audit.c) echo "$B/tests/t_audit" ;;
    src/report/coverage.c|src/report/table.c|src/report/experiments.c) echo "$B/tests/t_report" ;;
    src/report/depends.c|src/report/graph*) echo "$B/tests/t_graph" ;;
    numerics/*) echo "$B/tests/t_hypotheses $B/tests/t_arith $B/tests/t_norm $B/tests/t_forward $B/tests/t_exhaustive $B/tests/t_slots" ;;
    src/norm/norm*|src/norm/dyt.c) echo "$B/tests/t_norm $B/theorems/k_r6_dyt $B/theorems/k_c1 $B/theorems/k_r5_alpha" ;;
    src/claim.c) echo "$B/tests/t_induction $B/tests/t_norm $B/tests/t_harness $B/tests/t_verdict $B/tests/t_contracts" ;;
    src/relu/matrix_*.c) echo "$B/tests/t_absorb" ;;
    src/relu/relu_draw.c) echo "$B/tests/t_relu $B/theorems/k_e2 $B/theorems/k_e1_suff $B/theorems/n5" ;;
    src/relu/relu_affine*.c) echo "$B/tests/t_relu_affine" ;;
    src/relu/relu*.c) echo "$B/tests/t_relu" ;;
    src/verdict.c) echo "$B/tests/t_verdict" ;;
    src/runner.c|src/evidence.c) echo "$B/tests/t_hypotheses $B/tests/t_induction $B/tests/t_harness $B/tests/t_verdict $B/tests/t_contracts" ;;
    src/measure/measure.c|src/measure/radial.c|src/measure/integral.c|src/measure/quarter.c|src/measure/gaussian.c|src/measure/transfer.c) echo "$B/tests/t_measure" ;;
    src/report/*) echo "$B/tests/t_report" ;;
    *) echo "$B/tests/t_harness $B/tests/t_verdict $B/tests/t_contracts $B/tests/t_replay $B/tests/t_memory $B/tests/t_cli $B/tests/t_measure" ;;
    esac
}

try() {                                 # kind file line column length text folder
    obj=$7/$2.o src=$7/$2
    mkdir -p "$(dirname "$src")"
    if [ "$1" = sed ]; then sed "$6" "$2" > "$src"
    else awk -v n="$3" -v c="$4" -v l="$5" -v new="$6" 'FNR == n { $0 = substr($0, 1, c - 1) new substr($0, c + l) } { print }' "$2" > "$src"
    fi
    case $2 in src/nn/cpu_*) double=-DREAL_IS_DOUBLE ;; *) double= ;; esac       # the double half is mutated
    if cmp -s "$src" "$2"; then echo unchanged; return; fi
    case $2 in src/proofcheck/*)                  # a program of its own
        ${CC:-cc} -std=c17 -D_GNU_SOURCE -O1 -w "$src" -lgmp -o "$7/proofcheck" 2>/dev/null || { echo stillborn; return; }
        for part in checker programs; do
            CK_RUN_CASE=$part PROOFCHECK=$7/proofcheck BUILD=$B timeout 300 "$B/tests/t_certificate" >/dev/null 2>&1 ||
                { echo killed; return; }
        done
        echo survived
        return ;;
    cuda/attn_flash*|cuda/warp.h|cuda/emulate.*)  # kernels, on the host; headers are found in the folder first
        objects= verdict=killed
        for f in cuda/attn_flash_fwd.cu cuda/attn_flash_bwd.cu tests/support/cuda_kernels.cu cuda/emulate.c; do
            from=$f object=$7/$(basename "$f").o
            case $2 in
            "$f") from=$src ;;
            *.h) ;;
            *.cu|*.c) objects="$objects $(ls "$B/${f%.*}.host.o" "$B/${f%.*}.o" 2>/dev/null)"; continue ;;
            esac
            case $f in
            *.cu) ${CXX:-c++} -x c++ -std=c++17 -D_GNU_SOURCE -I"$7" -I. -ffp-contract=off -O1 -w -fno-exceptions -fno-rtti \
                      -fno-threadsafe-statics -c "$from" -o "$object" 2>/dev/null ;;
            *) ${CC:-cc} -std=c17 -D_GNU_SOURCE -I"$7" -I. -O1 -w -c "$from" -o "$object" 2>/dev/null ;;
            esac || verdict=stillborn
            objects="$objects $object"
        done
        rm -f "$src"
        [ $verdict = stillborn ] || ${CC:-cc} "$B/tests/t_cuda_attn.o" $objects $(ls "$B"/tests/support/*.o | grep -v host) "$B/libprovably.a" \
            -lcheck -lsubunit -lrt -lpthread -llapacke -lopenblas -lgsl "@$B/flint.libs" -lmpfr -lgmp -lm -fopenmp \
            -o "$7/judge" 2>/dev/null || verdict=stillborn
        if [ $verdict = killed ] && timeout 300 "$7/judge" >/dev/null 2>&1; then verdict=survived; fi
        echo $verdict
        return ;;
    esac
    case $2 in cuda/*)                            # gpu-check with the kernels on the CPU, and the tests around it
        mkdir -p "$7/objects"
        for f in "$B"/emulated/cuda/*.o; do
            name=$(basename "$f" .o) from=cuda/$(basename "$f" .o)
            case $2 in
            "cuda/$name") from=$src ;;
            *.h) ;;
            *) cp "$f" "$7/objects/"; continue ;;
            esac
            case $name in
            *.c) ${CC:-cc} -std=c17 -D_GNU_SOURCE -DEMULATED -I"$7" -I. -ffp-contract=off -O1 -w -c "$from" -o "$7/objects/$name.o" ;;
            *)   ${CXX:-c++} -x c++ -std=c++17 -D_GNU_SOURCE -DEMULATED -I"$7" -I. -ffp-contract=off -O1 -w -fno-exceptions \
                     -fno-rtti -c "$from" -o "$7/objects/$name.o" ;;
            esac 2>/dev/null || { echo stillborn; return; }
        done
        test=$B/tests/t_cuda.o
        case $2 in *.h)
            test=$7/t_cuda.o
            ${CC:-cc} -std=c17 -D_GNU_SOURCE -I"$7" -I. -O1 -w -c tests/t_cuda.c -o "$test" 2>/dev/null || { echo stillborn; return; } ;;
        esac
        libs="$B/libprovably.a -lcheck -lsubunit -lrt -lpthread -llapacke -lopenblas -lgsl @$B/flint.libs -lmpfr -lgmp -lm -fopenmp $data -lstdc++"
        ${CC:-cc} "$7"/objects/*.o $libs -o "$7/gpu-check-emulated" 2>/dev/null &&
            ${CC:-cc} "$test" $(ls "$7"/objects/*.o | grep -v /check.c.o) $(ls "$B"/tests/support/*.o | grep -v host) $libs \
                -o "$7/judge" 2>/dev/null || { echo stillborn; return; }
        if BUILD=$7 timeout 300 "$7/judge" >/dev/null 2>&1; then echo survived; else echo killed; fi
        return ;;
    esac
    ${CC:-cc} -std=c17 -D_GNU_SOURCE -I. -ffp-contract=off -O1 -w $double -c "$src" -o "$obj" 2>/dev/null || { echo stillborn; return; }
    case $2 in
    src/cli/*)                          # t_cli runs the command itself: give it a folder with the broken one
        mkdir -p "$7/bin"
        ln -sfn "$(realpath "$B/theorems")" "$7/bin/theorems"
        ${CC:-cc} $(ls "$B"/src/cli/*.o | grep -v "/$(basename "$2" .c).o") "$obj" "$B/libprovably.a" -lcheck -lsubunit \
            -lrt -lpthread "@$B/all.libs" -o "$7/bin/provably" 2>/dev/null ||
            { echo stillborn; return; }
        case $2 in src/cli/absorb*) suite=t_absorb ;; src/cli/export.c) suite=t_safetensors ;; *) suite=t_cli ;; esac
        if BUILD=$7/bin timeout 120 "$B/tests/$suite" >/dev/null 2>&1; then echo survived; else echo killed; fi
        return ;;
    esac
    for judge in $(judges "$2"); do
        main=$judge.o support=
        case $judge in */tests/*) support=$(ls "$B"/tests/support/*.o) ;; esac
        [ "$main" = "$B/${2%.c}.o" ] && main=
        ${CC:-cc} $main "$obj" $support "$B/libprovably.a" -lcheck -lsubunit -lrt -lpthread "@$B/all.libs" -o "$7/judge" 2>/dev/null || { echo stillborn; return; }
        case $judge in
        */theorems/*) options="--scale=quick --arith=f64,arb,fp,q,sym --trials=1" ;;
        *) options= ;;
        esac
        BUILD=$B timeout 120 "$7/judge" $options >/dev/null 2>&1 || { echo killed; return; }
    done
    # The quick look let it pass: the whole program has the last word.
    case $2 in theorems/*)
        timeout 300 "$7/judge" >/dev/null 2>&1 || { echo killed; return; }
        if grep -q certify_ "$2"; then            # what is only written down is judged by the checker
            rm -rf "$7/certificates"; mkdir "$7/certificates"
            "$7/judge" --certificates="$7/certificates" >/dev/null 2>&1 &&
                "$B/proofcheck" "$7"/certificates/*.cert >/dev/null 2>&1 || { echo killed; return; }
        fi ;;
    esac
    echo survived
}

run_part() {
    tab=$(printf '\t')
    while IFS="$tab" read -r kind file line column length text; do
        [ "$kind" = sed ] && original="sed $text" || original=$(sed -n "${line}s/^ *//p" "$file")
        [ "$kind" = sed ] && new= || new=$text
        verdict=$(try "$kind" "$file" "$line" "$column" "$length" "$text" "$2")
        if [ "$verdict" = survived ] && [ -f tests/mutants.argued ] &&
           awk -F'\t' -v f="$file" -v o="$original" -v n="$new" '$1 == f && ($2 == o || $2 == "*") && ($3 == n || $3 == "*") { found = 1 } END { exit !found }' tests/mutants.argued
        then verdict=argued; fi
        printf '%s\t%s\t%s\t%s\t%s\n' "$verdict" "$file" "$line" "$original" "$new"
    done < "$1" > "$2.out"
}
for part in "$work"/part??; do
    mkdir -p "$part.d"
    run_part "$part" "$part.d" &
done
wait
{ printf 'verdict\tfile\tline\toriginal\tnew\n'; cat "$work"/part??.d.out; } > "$B/mutants.csv"
grep '^survived' "$B/mutants.csv"
awk -F'\t' 'NR > 1 { n[$1]++ } END { printf "mutants: %d killed, %d argued, %d survived (%d did not compile, %d changed nothing)\n", n["killed"], n["argued"], n["survived"], n["stillborn"], n["unchanged"]; exit n["survived"] > 0 || n["killed"] == 0 || n["unchanged"] > 0 }' "$B/mutants.csv"
