#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cuda_absent.sh PROGRAM [OBJECT]     PROGRAM, built with CUDA, is the same one for machines without: it needs none of CUDA's
#                                     libraries to start, and where the toolkit is hidden it trains on the CPU.
#                                     OBJECT, cuda/nccl.c's, wants no symbol of NCCL.
set -u
program=$1 object=${2:-}
if readelf -d "$program" | grep -E 'NEEDED.*(cuda|cublas|cudnn|nccl)'; then echo "$program does not start without these" >&2; exit 1; fi
if [ "$object" ] && nm -u "$object" | grep ' nccl'; then echo "$object is bound to NCCL" >&2; exit 1; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sh tests/bare.sh "$program" train --data=synthetic --layers=1 --width=16 --heads=2 --window=8 --batch=2 --steps=2 \
    --out="$folder/run" > "$folder/said" 2>&1
status=$?
cat "$folder/said"
[ $status = 0 ] || exit 1
grep -q 'nothing was run' "$folder/said" || { grep -q 'falling back to the CPU' "$folder/said" && grep -q '^step 2/2' "$folder/said"; }
