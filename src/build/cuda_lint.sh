#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cuda_lint.sh REPORT LIST LOG...   Compares the assembler's report on every kernel, for every architecture, with
# the list: a kernel that is not on it, spills more bytes than it allows, or is on it and does not exist, is an error.
# REPORT becomes: kernel, architecture, registers, bytes of shared memory, of stack, spilled.
set -eu
report=$1 list=$2
shift 2
cat "$@" | c++filt | awk '
    function field(pattern) { return match($0, pattern) ? substr($0, RSTART) + 0 : 0 }
    /Compiling entry function/ {
        name = $0; sub(/.*entry function ./, "", name); arch = name
        sub(/.*for ./, "", arch); sub(/.$/, "", arch)
        sub(/. for .*/, "", name); sub(/\(.*/, "", name); sub(/^void /, "", name); gsub(/, /, ",", name)
        gsub(/.*::/, "", name)
    }
    /bytes stack frame/ { stack = field("[0-9]+ bytes stack"); spill = field("[0-9]+ bytes spill stores") + \
                            field("[0-9]+ bytes spill loads") }
    /Used [0-9]+ registers/ { print name, arch, field("[0-9]+ registers"), field("[0-9]+ bytes smem"), stack, spill }
' | sort -u > "$report"
[ -s "$report" ] || { echo "cuda-lint: no kernel in the compiler's report"; exit 1; }
awk '
    /^#/ || NF == 0 { next }
    NR == FNR { allowed[$1] = $2; next }
    { seen[$1] = 1 }
    !($1 in allowed) {
        if (!listed[$1]++) print "cuda-lint: " $1 " is not in cuda/kernels.txt"
        bad = 1
        next
    }
    $6 > allowed[$1] { print "cuda-lint: " $1 " spills " $6 " bytes on " $2 ", allowed are " allowed[$1]; bad = 1 }
    END {
        for (k in allowed)
            if (!(k in seen)) { print "cuda-lint: " k " is in cuda/kernels.txt and does not exist"; bad = 1 }
        exit bad
    }' "$list" "$report"
awk '$3 > most { most = $3; who = $1 " on " $2 }
     END { print "cuda-lint: " NR " kernels, none spills more than allowed; " most " registers in " who }' "$report"
