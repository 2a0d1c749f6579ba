#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# kernels.sh TO NVCC             TO: what NVCC makes of the kernels, as PTX; where it does not run, that of the last build that
#                                was recorded, if the kernels are the same since
# kernels.sh record FROM         tests/ptx/kernels.ptx.xz: FROM, which NVCC has made
# The first line of the file says where it is from.
set -eu
recorded=tests/ptx/kernels.ptx.xz
# What a kernel's code depends on; the rest of the headers is for the host.
sources="$(echo cuda/*.cu) cuda/attn_flash.h cuda/attn_flash_tile.h cuda/bf16.h cuda/device.h cuda/launch.h cuda/layout.h
         cuda/product.h cuda/warp.h src/train/formula.h src/train/ops.h"
digest=$(cat $sources | sha256sum | cut -c1-64)
if [ "$1" = record ]; then
    head -n 1 "$2" | grep -q "^// nvcc $digest" || { echo "$2 is not what nvcc makes of these kernels" >&2; exit 1; }
    sed '1s/nvcc/recorded/' "$2" | xz -9e > $recorded.new && mv $recorded.new $recorded
    exit
fi
to=$1 nvcc=$2
if version=$("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p') && [ "$version" ]; then
    # one folder for all: names of static variables are made of the file's path
    echo "// nvcc $digest release $version" > "$to.new"
    for f in cuda/*.cu; do
        "$nvcc" --ptx -std=c++17 -O3 -D_GNU_SOURCE -I. -arch=compute_80 "$f" -o "$to.one" && cat "$to.one" >> "$to.new"
    done
    rm "$to.one"
elif [ -e $recorded ] && xz -dc $recorded | head -n 1 | grep -q "^// recorded $digest"; then
    xz -dc $recorded > "$to.new"
else
    echo "// none: there is no nvcc, and $recorded is of other kernels" > "$to.new"
fi
mv "$to.new" "$to"
