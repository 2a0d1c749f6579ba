#!/bin/sh
# Static checks, silent when clean: warnings of gcc and clang as errors, -fanalyzer, clang-tidy, cppcheck,
# and the project's own rules of text.
set -eu
# Of the GPU files these read headers of CUDA: make CUDA=1 compiles them, with the same warnings as errors in CI.
sources=$(ls src/*.c src/*/*.c $(ls cuda/*.c | grep -vE "/(device|gemm|nccl).c") numerics/*.c theorems/*.c tests/*.c \
          tests/support/*.c tests/reference/[dt]*.c)
flags="-std=c17 -D_GNU_SOURCE -DEMULATED -I. -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
       -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wno-unknown-pragmas -Werror"
export flags
echo "$sources" | xargs -P 2 -I{} sh -c 'gcc $flags -Woverride-init -Wcast-function-type -fsyntax-only {}'
if command -v clang >/dev/null; then
    echo "$sources" | xargs -P 2 -I{} sh -c 'clang $flags -fsyntax-only {}'
fi
# Leaks are left to the sanitizers: the analyzer counts what die() leaves behind when the process ends.
ls src/*.c src/*/*.c numerics/*.c |
    xargs -P 2 -I{} sh -c 'gcc -O1 $flags -fanalyzer -Wno-analyzer-malloc-leak -Wno-analyzer-file-leak -c {} -o /dev/null'
if command -v clang-tidy >/dev/null; then        # off: easily-swappable (shapes), memcpy and friends (C11 annex K)
    ls src/*.c src/*/*.c numerics/*.c | xargs -P 2 -I{} clang-tidy --quiet --warnings-as-errors='*' \
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
headers=$(ls src/*.h src/*/*.h cuda/*.h cuda/*.cu numerics/*.h tests/support/*.h)
bad=$(grep -nE "$blank|[ $blank]\$" $sources $headers || true
      grep -nE '.{121,}' $(echo "$sources $headers" | tr ' ' '\n' | grep -v '^tests/') || true)
[ -z "$bad" ] || { echo "$bad" | head -n 20; echo "lint: lines over 120 columns, tabs or trailing blanks"; exit 1; }
