#!/bin/sh
# Static checks, silent when clean: warnings of gcc and clang as errors, -fanalyzer, clang-tidy, cppcheck,
# and the project's own rules of text.
set -eu
# Three GPU files need headers of CUDA: make CUDA=1 compiles them, with the same warnings as errors in CI.  The others
# are compiled as for the CPU.
sources=$(ls src/*/*.c src/*/*/*.c $(ls cuda/*.c | grep -vE "/(device|gemm|nccl).c") numerics/*.c numerics/*/*.c theorems/*.c tests/*.c \
          tests/support/*.c tests/reference/[dt]*.c)
flags="-std=c17 -D_GNU_SOURCE -I. -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
       -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wno-unknown-pragmas -Werror"
export flags
emulated='case {} in cuda/*) flags="$flags -DEMULATED" ;; esac; '
echo "$sources" | xargs -P 2 -I{} sh -c "$emulated"'gcc $flags -Woverride-init -Wcast-function-type -fsyntax-only {}'
if command -v clang >/dev/null; then
    echo "$sources" | xargs -P 2 -I{} sh -c "$emulated"'clang $flags -fsyntax-only {}'
fi
# None of what runs without CUDA reads its headers, where they are installed, either; cuDNN's file asks for its own.
read=$(gcc -std=c17 -D_GNU_SOURCE -I. -M $(ls src/*/*.c src/*/*/*.c numerics/*.c numerics/*/*.c theorems/*.c tests/*.c tests/support/*.c) cuda/emulate.c
       gcc -std=c17 -D_GNU_SOURCE -DEMULATED -I. -M $(ls cuda/*.c | grep -vE "/(device|gemm|nccl|attn_cudnn|emulate).c")
       g++ -std=c++17 -D_GNU_SOURCE -DEMULATED -I. -x c++ -M $(ls cuda/*.cu | grep -v /attn_flash)
       g++ -std=c++17 -D_GNU_SOURCE -I. -x c++ -M cuda/attn_flash*.cu tests/support/*.cu)
read=$(echo "$read" | awk '/^[^ ]/ { of = $1 } { for (k = 1; k <= NF; k++) if ($k ~ /^\/.*\/(cuda|cublas|cudnn|nccl)[^\/]*$/) print of " " $k }')
[ -z "$read" ] || { echo "$read"; echo "lint: these need the CUDA toolkit, and must not"; exit 1; }
# Leaks are left to the sanitizers: the analyzer counts what die() leaves behind when the process ends.
ls src/*/*.c src/*/*/*.c numerics/*.c numerics/*/*.c |
    xargs -P 2 -I{} sh -c 'gcc -O1 $flags -fanalyzer -Wno-analyzer-malloc-leak -Wno-analyzer-file-leak -c {} -o /dev/null'
if command -v clang-tidy >/dev/null; then        # off: easily-swappable (shapes), memcpy and friends (C11 annex K)
    ls src/*/*.c src/*/*/*.c numerics/*.c numerics/*/*.c | xargs -P 2 -I{} clang-tidy --quiet --warnings-as-errors='*' \
        --checks='-*,bugprone-*,clang-analyzer-*,-bugprone-easily-swappable-parameters,-bugprone-macro-parentheses,-bugprone-reserved-identifier,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,-bugprone-narrowing-conversions,-bugprone-implicit-widening-of-multiplication-result,-bugprone-branch-clone,-bugprone-assignment-in-if-condition' \
        {} -- -std=c17 -D_GNU_SOURCE -I. 2>/dev/null
fi
if command -v cppcheck >/dev/null; then
    # It does not see that die() ends the program (nullPointerRedundantCheck), nor that mpfr_init2 and its kin
    # initialise what they are given (uninitvar; likewise matrix_read); valgrind does.
    cppcheck --quiet --std=c11 --error-exitcode=1 --enable=warning,portability -I. -D_GNU_SOURCE --inline-suppr \
        --suppress=missingIncludeSystem --suppress=unknownMacro --suppress=nullPointerRedundantCheck --suppress='uninitvar:numerics/*' --suppress='uninitvar:src/cli/*' \
        src numerics theorems
fi
# Text: no tabs or trailing blanks; no line over 120 columns but in the tables of the tests.
blank=$(printf '\t')
headers=$(ls src/*/*.h src/*/*/*.h cuda/*.h cuda/*.cu numerics/*.h numerics/*/*.h tests/support/*.h)
bad=$(grep -nE "$blank|[ $blank]\$" $sources $headers || true
      grep -nE '.{121,}' $(echo "$sources $headers" | tr ' ' '\n' | grep -v '^tests/') || true)
[ -z "$bad" ] || { echo "$bad" | head -n 20; echo "lint: lines over 120 columns, tabs or trailing blanks"; exit 1; }
