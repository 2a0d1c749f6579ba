#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# packed.sh BUILD     Are the loops that training spends its time in vectors, in the clones of real.h, and in the kernels of tile.h?
# In the machine code of each clone for AVX2 and AVX-512 one straight piece, without a jump or a jump's target inside,
# must have the arithmetic of one evaluation of the formula on packed floats, and none on single ones; in the kernels of
# products and norms it must not touch the stack either, for there a sum that is not in a register costs ten times the time.  Where a compiler
# leaves the formula's conditions as branches (gcc does under -ftrapping-math, its default), the whole loop is scalar:
# the same bits at half the speed, which no other test sees.  Exit status 1: some are not.  Builds that have no clones, or
# less than -O2 (their debugging information says so), are named in one line.
set -eu
B=$1 status=0
skip() { echo "packed.sh: $1: nothing to look at"; exit 0; }
first=$B/src/train/cpu/cpu_activation.o
[ -f "$first" ] || { echo "packed.sh: there is no $first"; exit 1; }
objdump -f "$first" | grep -q 'architecture: i386:x86-64' || skip "this is not x86-64"
objdump -s -j .comment "$first" | sed 's/.*  //' | tr -d '\n' | grep -q GCC || skip "not built by gcc"
built=$(readelf --debug-dump=info "$first" | sed -n '/DW_AT_producer/{s/.*GNU/GNU/p;q;}')
case $built in
*-fsanitize=*) skip "built for the sanitizers" ;;
*-O[23]*|'') ;;
*) skip "built without -O2" ;;
esac
clones='avx2 avx512f'
! grep -qs avx2_alone.h "${first%.o}.d" || clones=avx2                    # make ISA=avx2
while read -r file function least stack; do
    for clone in $clones; do
        most=$(objdump -d --no-show-raw-insn "$B/src/train/cpu/$file.o" | awk -v clone="<$function.$clone>:" -v own="<${function}_$clone>:" -v stack="$stack" '
            /^[0-9a-f]+ </ { inside = $2 == clone || $2 == own; next }
            inside && /^ +[0-9a-f]+:/ {
                text[++n] = $0
                if ($2 ~ /^j/) target[$3] = 1
            }
            END {
                for (k = 1; k <= n; k++) {
                    split(text[k], word, " ")
                    sub(/:$/, "", word[1])
                    if (word[1] in target) packed = single = spilled = 0
                    if (word[2] ~ /^v(add|sub|mul|div|fn?m[a-z]+[0-9]*)ps$/ && text[k] ~ /%[yz]mm/) packed++
                    if (word[2] ~ /^v(add|sub|mul|div|fn?m[a-z]+[0-9]*|u?comi)ss$/) single++
                    if (stack == "none" && text[k] ~ /\(%r[sb]p/) spilled++
                    if (!single && !spilled && packed > most) most = packed
                    if (word[2] ~ /^(j|call|ret)/) packed = single = spilled = 0
                }
                print n ? most + 0 : "missing"
            }')
        case $most in
        missing) echo "packed.sh: $file.o has no $function.$clone"; status=1 ;;
        *) [ "$most" -ge "$least" ] || { echo "packed.sh: $file.o: $function.$clone has $most packed operations in a row, not $least"; status=1; } ;;
        esac
    done
done <<END
cpu_activation activation_piece     40
cpu_activation activation_piece_bwd 50
cpu_loss exponentials   20
cpu_attn softmax_block  20
cpu_attn softmax_again  20
cpu_norm norm_rows       2 none
cpu_norm norm_rows_bwd   5 none
cpu_norm sum_rows        1 none
cpu_tile product        12 none
END
exit $status
