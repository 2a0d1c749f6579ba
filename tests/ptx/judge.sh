#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# judge.sh B FOLDER FILE     Is FILE, a source or header of cuda/ or src/train/formula.h, of which FOLDER has a broken version
#                            under the same name, seen by the interpreter's tests?  Kernels are compiled by nvcc again, and both
#                            halves of their files; the programs of B are linked with these.  Exit status 0: seen, 1: not,
#                            2: it does not compile, 3: no verdict: stopped from outside, or an hour by the clock, where only
#                            processor seconds count
set -u
unset CDPATH
B=$1 folder=$2 file=$3 nvcc=${NVCC:-/usr/local/cuda/bin/nvcc}
[ -e "$folder/cuda/norm.cu" ] || { cp "$folder/$file" "$folder/broken"; cp -r cuda "$folder/"; mv "$folder/broken" "$folder/$file"; }
attention='attn_flash_fwd attn_flash_bwd'
all=$(cd cuda && ls *.cu | sed 's/\.cu$//')
name=$(basename "$file") kernels= units= judges=gpu-check
case $name in
warp.h|attn_flash_tile.h|attn_flash.h) kernels=$attention judges=attention ;;
attn_flash_*.cu)                       kernels=${name%.cu} judges=attention ;;
formula.h)                             kernels='loss activation' judges=counts ;;
*.cu)                                  kernels=${name%.cu} ;;
*.h)                                   kernels=$all units='attn backend gemm_key check' judges='gpu-check attention' ;;
*)                                     units=${name%.c} ;;
esac
cp "$B/ptx/kernels.ptx" "$folder/kernels.ptx"
rm -rf "$folder/objects"; mkdir -p "$folder/objects"
for k in $kernels; do                    # the later kernels replace those of the same names
    (cd "$folder" && "$nvcc" --ptx -std=c++17 -O3 -D_GNU_SOURCE -I. -I"$OLDPWD" -arch=compute_80 "cuda/$k.cu" -o one.ptx) \
        > "$folder/said" 2>&1 || { echo 'did not compile' > "$folder/said"; exit 2; }
    cat "$folder/one.ptx" >> "$folder/kernels.ptx"
    ${CXX:-c++} -x c++ -std=c++17 -O1 -w -fno-exceptions -fno-rtti -Itests/mock -include tests/ptx/launch.h -D_GNU_SOURCE \
        -I"$folder" -I. -c "$folder/cuda/$k.cu" -o "$folder/objects/$k.cu.o" 2>/dev/null || exit 2
done
for u in $units; do
    ${CC:-cc} -std=c17 -O1 -w -ffp-contract=off -Itests/mock -D_GNU_SOURCE -I"$folder" -I. -c "$folder/cuda/$u.c" \
        -o "$folder/objects/$u.o" 2>/dev/null || exit 2
done
either() {                               # the broken object of each, else B's
    for o in "$@"; do
        if [ -e "$folder/objects/$(basename "$o")" ]; then echo "$folder/objects/$(basename "$o")"; else echo "$o"; fi
    done
}
machine=$(for o in parse lanes memory warp run device; do echo "$B/tests/ptx/$o.o"; done)
backend=$(either "$B"/mocked/cuda/attn.o "$B"/mocked/cuda/backend.o "$B"/mocked/cuda/gemm_key.o "$B"/ptx/cuda/*.cu.o)
for j in $judges; do
    case $j in
    attention) of="$B/tests/ptx/attention.o $B/tests/ptx/reference.o $B/tests/ptx/tensor.o $(for f in tests/support/*.c; do echo "$B/${f%.c}.o"; done) $(either "$B"/ptx/cuda/attn_flash_fwd.cu.o "$B"/ptx/cuda/attn_flash_bwd.cu.o)"
               options= ;;
    counts)    of="$backend $B/tests/ptx/counts.o" options= ;;
    *)         of="$backend $(either "$B"/mocked/cuda/check.o)" options='--operations --own' ;;
    esac
    ${CC:-cc} $of $machine "$B/libprovably.a" "@$B/all.libs" -lstdc++ -o "$folder/judge" 2> "$folder/said" || exit 2
    {   (ulimit -t 300; CK_TIMEOUT_MULTIPLIER=12 PTX_FILE=$folder/kernels.ptx exec timeout -k 5 3600 "$folder/judge" $options) \
            > "$folder/said" 2>&1
        status=$?
    } 2> /dev/null                       # the shell's own word on a program that has aborted
    case $status in 0) ;; 124|125|126|127|130|137|143) exit 3 ;; *) exit 0 ;; esac
    case $options in *--own*) grep -q '^-- only our own kernels$' "$folder/said" || exit 0 ;; esac
done
exit 1
