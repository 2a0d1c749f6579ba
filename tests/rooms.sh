#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rooms.sh: every C source that is compiled here and that `make mutants` changes, as FILE <tab> ROOM: the folder of
# src/LAYERS that it is in, or, where none is, its own.  Kernels need nvcc; cuDNN's and NCCL's headers need more.
set -u
unset CDPATH
kernels='! -name *.cu'
[ ! -x "${NVCC:-/usr/local/cuda/bin/nvcc}" ] || kernels=
set -f
find src numerics cuda theorems \( -name '*.c' -o -name '*.h' -o -name '*.cu' \) $kernels ! -name attn_cudnn.c ! -name nccl.c | LC_ALL=C sort |
    awk 'NR == FNR { if ($0 !~ /^#/) rooms[++n] = $0; next }
         { room = $0; sub(/\/[^\/]*$/, "", room); at = ""
           for (k = 1; k <= n; k++) if (index($0, rooms[k] "/") == 1 && length(rooms[k]) > length(at)) at = rooms[k]
           print $0 "\t" (at == "" ? room : at) }' src/LAYERS -
