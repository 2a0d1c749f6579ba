#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a command as on a machine without CUDA: bare.sh COMMAND...
# The toolkit's folders are hidden from it alone, in a mount namespace of its own, which needs root.  Where that cannot
# be done it says so and runs nothing (exit status 0: there is a line in the log, not a result).
set -u
if [ "${1:-}" != --hidden ]; then
    if ! unshare -m true 2>/dev/null; then echo "bare: no mount namespace (root?): CUDA cannot be hidden, nothing was run"; exit 0; fi
    exec unshare -m sh "$0" --hidden "$@"
fi
shift
for folder in /usr/local/cuda* /opt/cuda*; do
    if [ -d "$folder" ] && [ ! -L "$folder" ]; then mount -t tmpfs none "$folder" || exit 2; fi
done
for word in nvcc compute-sanitizer; do
    path=$(command -v $word) && mount --bind /dev/null "$path"          # not executable: as good as missing
done
if echo '#include <cuda_runtime_api.h>' | ${CC:-cc} -x c -E - >/dev/null 2>&1; then
    echo "bare: CUDA's headers lie where the compiler looks without being told: they cannot be hidden, nothing was run"
    exit 0
fi
echo "bare: CUDA is hidden"
exec "$@"
