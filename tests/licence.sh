#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# licence.sh [FOLDER]: silent where every source file names its licence in its first three lines.  Left out are files of Coq,
# whose hashes say what its kernel has read, and inputs of tests.
set -eu
unset CDPATH
cd "${1:-.}"
missing=$(find src numerics theorems cuda tests .ci Makefile -type f \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.sh' -o \
              -name '*.awk' -o -name '*.py' -o -name '*.mk' -o -name '*.ml' -o -name Makefile -o -path .ci/run -o -name 'complete.*' \) \
              ! -path 'tests/guided/seeds/*' | sort |
    while read -r f; do head -n 3 "$f" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || echo "$f"; done)
[ -z "$missing" ] || { echo "$missing"; echo "licence.sh: write SPDX-License-Identifier: GPL-3.0-or-later into the first lines"; exit 1; }
