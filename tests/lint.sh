#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# lint.sh BUILD: static checks, silent when clean: the order of the rooms, warnings of gcc and clang as errors,
# -fanalyzer, clang-tidy, cppcheck, and the project's own rules of text.  Each tool reads a file once.
# clang-tidy's analyzer follows 30,000 states of a function: a quarter of the time of all that it would (DEEP=1).
set -eu
sh tests/layers.sh "$1"
sh tests/bodies.sh "$1"
sh tests/lines.sh
sh tests/licence.sh
product=$(find src numerics -name '*.c' | sort)
# One GPU file needs headers of NCCL.  Those that need CUDA's are read with the mock's.
# bench_llmc.c is compiled beside llm.c's sources.
others=$(find theorems cuda tests -name '*.c' ! -path cuda/nccl.c \
             ! -path tests/reference/bench_llmc.c ! -path 'tests/false/*' | sort)
flags="-std=c17 -D_GNU_SOURCE -I. -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
       -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wno-unknown-pragmas -Werror"
export flags
without_cuda='case {} in cuda/*|tests/mock/*|tests/t_cuda_host.c|tests/ptx/*) flags="-Itests/mock $flags" ;; esac; '
gcc_only="-Woverride-init -Wcast-function-type"
# Leaks are left to the sanitizers: the analyzer counts what die() leaves behind when the process ends.  Nor does it
# follow vectors (lanes.h): it takes numbers that a loop has set for uninitialised; clang-tidy's analyzer reads those files.
vectors=$(grep -lE '"src/train/cpu/(lanes|tile)\.h"|vector_size|<immintrin\.h>' $product)
echo "$vectors" | xargs -P 2 -I{} sh -c "gcc -O1 \$flags $gcc_only -c {} -o /dev/null"
echo "$product" | grep -vxF "$vectors" | xargs -P 2 -I{} \
    sh -c "gcc -O1 \$flags $gcc_only -fanalyzer -Wno-analyzer-malloc-leak -Wno-analyzer-file-leak -c {} -o /dev/null"
echo "$others" | xargs -P 2 -I{} sh -c "$without_cuda gcc \$flags $gcc_only -fsyntax-only {}"
if command -v clang >/dev/null; then
    printf '%s\n' "$product" "$others" | xargs -P 2 -I{} sh -c "$without_cuda"'clang $flags -fsyntax-only {}'
fi
# None of what runs without CUDA reads its headers, where they are installed, either; cuDNN's file asks for its own.
read=$(gcc -std=c17 -D_GNU_SOURCE -Itests/mock -I. -M $product $(echo "$others" | grep -v '^cuda/attn_cudnn.c')
       g++ -std=c++17 -D_GNU_SOURCE -Itests/mock -include tests/ptx/launch.h -I. -x c++ -M cuda/*.cu)
read=$(echo "$read" | awk '/^[^ ]/ { of = $1 } { for (k = 1; k <= NF; k++) if ($k ~ /^\/.*\/(cuda|cublas|cudnn|nccl)[^\/]*$/) print of " " $k }')
[ -z "$read" ] || { echo "$read"; echo "lint: these need the CUDA toolkit, and must not"; exit 1; }
if command -v clang-tidy >/dev/null; then        # off: easily-swappable (shapes), memcpy and friends (C11 annex K)
    checks='-*,bugprone-*,clang-analyzer-*'
    for off in bugprone-easily-swappable-parameters bugprone-macro-parentheses bugprone-reserved-identifier \
               clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling bugprone-narrowing-conversions \
               bugprone-implicit-widening-of-multiplication-result bugprone-branch-clone bugprone-assignment-in-if-condition
    do checks=$checks,-$off; done
    bound=
    [ -n "${DEEP:-}" ] || for word in -Xclang -analyzer-config -Xclang max-nodes=30000; do bound="$bound -extra-arg=$word"; done
    echo "$product" | xargs -P 2 -I{} clang-tidy --quiet --warnings-as-errors='*' --checks="$checks" $bound \
        {} -- -std=c17 -D_GNU_SOURCE -I. 2>/dev/null
fi
if command -v cppcheck >/dev/null; then
    # It does not see that die() ends the program (nullPointerRedundantCheck), nor that mpfr_init2 and its kin
    # initialise what they are given (uninitvar; likewise matrix_read); valgrind does.  It does not know GCC's vectors, which
    # may alias numbers (lanes.h).
    cppcheck -j 2 --quiet --std=c11 --error-exitcode=1 --enable=warning,portability -I. -D_GNU_SOURCE --inline-suppr \
        --suppress=missingIncludeSystem --suppress=unknownMacro --suppress=nullPointerRedundantCheck \
        --suppress='uninitvar:numerics/*' --suppress='uninitvar:src/cli/*' \
        --suppress='uninitvar:src/train/cpu/*' --suppress='invalidPointerCast:src/train/cpu/*' src numerics theorems
fi
# Text: no tabs or trailing blanks; no line over 120 columns but in the tables of the tests.
blank=$(printf '\t')
text=$(find src numerics cuda theorems tests \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cc' \) ! -path 'tests/false/*' | sort)
bad=$(grep -nE "$blank|[ $blank]\$" $text || true
      grep -nE '.{121,}' $(echo "$text" | grep -v '^tests/') || true)
[ -z "$bad" ] || { echo "$bad" | head -n 20; echo "lint: lines over 120 columns, tabs or trailing blanks"; exit 1; }
# A child that a test forks shares libcheck's file of messages: an assertion in both garbles it.
bad=$(awk 'FNR == 1 { forked = 0 } forked && /ck_assert/ { print FILENAME ":" FNR ":" $0 }
           { forked = /= fork(pty)?\(/ && !/_exit/ }' tests/*.c)
[ -z "$bad" ] || { echo "$bad"; echo "lint: an assertion between a fork and what its child does"; exit 1; }
