#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Branches of what decides verdicts, src/claim/judge and src/proofcheck, that no test takes.
#   coverage_trust.sh BUILD [CERTIFICATES...]      compiles into BUILD/coverage; GCOV=: gcov of CC's version
# The judge is run by its tests, proofcheck by its tests and on the certificates.  A branch that is not taken must
# stand in tests/coverage_trust.argued as
#   FILE <tab> SOURCE LINE (trimmed) <tab> REASON
# Exit status 1 if another one is not taken, or if a line of that list has none left.
set -u
unset CDPATH GCOV_PREFIX GCOV_PREFIX_STRIP
B=$1; shift
to=$B/coverage gcov=${GCOV:-gcov} argued=tests/coverage_trust.argued tab=$(printf '\t')
command -v "$gcov" >/dev/null || { echo "coverage-trust: gcov is missing; it comes with gcc" >&2; exit 2; }
rm -rf "$to" && mkdir -p "$to/log" || exit 2
compile() { ${CC:-cc} -std=c17 -D_GNU_SOURCE -I. -O0 -g --coverage -w -c "$1" -o "$to/$2.o"; }
judge= proofcheck=
for f in src/claim/judge/*.c; do
    name=judge-$(basename "$f" .c); compile "$f" "$name" || exit 2; judge="$judge $to/$name.o"
done
for f in src/proofcheck/*.c; do
    name=proofcheck-$(basename "$f" .c); compile "$f" "$name" || exit 2; proofcheck="$proofcheck $to/$name.o"
done
${CC:-cc} --coverage $proofcheck -lgmp -o "$to/proofcheck" || exit 2
support=$(for f in tests/support/*.c; do echo "$B/${f%.c}.o"; done)
# What a child took counts, too, though it ends in _Exit or _exit, where nothing is written.
printf '%s\n' 'extern void __gcov_dump(void);' \
    '_Noreturn void __real__Exit(int s); _Noreturn void __wrap__Exit(int s) { __gcov_dump(); __real__Exit(s); }' \
    '_Noreturn void __real__exit(int s); _Noreturn void __wrap__exit(int s) { __gcov_dump(); __real__exit(s); }' |
    ${CC:-cc} -w -x c -c - -o "$to/ends.o" || exit 2
ends="-Wl,--wrap=_Exit,--wrap=_exit $to/ends.o"
for t in t_verdict t_records t_findings t_readings; do
    ${CC:-cc} --coverage "$B/tests/$t.o" $judge $ends $support "$B/libprovably.a" "@$B/all.libs" -o "$to/$t" || exit 2
done

# What fails here fails in `make test`, too; a branch that a failing test took would not count.
run() {                                 # LOG COMMAND...
    log=$1; shift
    BUILD=$B PROOFCHECK=$to/proofcheck "$@" > "$to/log/$log" 2>&1 </dev/null && return
    echo "coverage-trust: $* failed, see $to/log/$log" >&2
    exit 1
}
for t in t_verdict t_records t_findings t_readings; do run "$t" "$to/$t"; done
for part in checker rules; do run "$part" env CK_RUN_CASE=$part "$B/tests/t_certificate"; done
run help "$to/proofcheck" --help
run version "$to/proofcheck" --version
[ $# -eq 0 ] || run certificates "$to/proofcheck" "$@"

# ---- FILE <tab> LINE <tab> BRANCHES <tab> NOT TAKEN <tab> TEXT of each line that has branches
for o in $judge $proofcheck; do
    "$gcov" -b -c -t "$o" 2>/dev/null | awk '
        function put() { if (n) printf "%s\t%d\t%d\t%d\t%s\n", file, line, n, missed, text; n = missed = 0 }
        /^ *-: *0:Source:/ { put(); file = $0; sub(/^.*:Source:/, "", file); next }
        /^branch / { n++; if ($3 == "taken" && $4 > 0) next; missed++; next }
        /^ *[-#=0-9]+\*?: *[0-9]+:/ {
            put(); line = $0; sub(/^[^:]*: */, "", line); text = line; sub(/:.*/, "", line); sub(/^[0-9]*:/, "", text)
            gsub(/^[ \t]+|[ \t]+$/, "", text) }
        END { put() }'
done | grep "^src/claim/judge\|^src/proofcheck" > "$to/branches"

grep -v '^#' "$argued" 2>/dev/null | awk -F'\t' -v branches="$to/branches" '
    NF == 3 && $3 != "" { why[$1 "\t" $2] = $3; next }
    NF { print "coverage-trust: no FILE, LINE and REASON: " $0; bad = 1 }
    END {
        FS = "\t"
        while ((getline row < branches) > 0) {
            split(row, c, "\t")
            if (!(c[1] in all)) order[++files] = c[1]
            all[c[1]] += c[3]
            if (!c[4]) continue
            key = c[1] "\t" c[5]
            if (key in why) { said[c[1]] += c[4]; used[key] = 1; continue }
            open_[c[1]] += c[4]
            lines = lines sprintf("%s:%d: %d of %d branches are not taken: %s\n", c[1], c[2], c[4], c[3], c[5])
        }
        printf "%-40s %9s %7s %7s %7s\n", "", "branches", "taken", "argued", "open"
        for (k = 1; k <= files; k++) {
            f = order[k]
            printf "%-40s %9d %7d %7d %7d\n", f, all[f], all[f] - said[f] - open_[f], said[f], open_[f]
            a += all[f]; s += said[f]; o += open_[f]
        }
        printf "%-40s %9d %7d %7d %7d\n", "together", a, a - s - o, s, o
        printf "%s", lines
        for (key in why) if (!(key in used)) { print "coverage-trust: argued, but taken or gone: " key; bad = 1 }
        exit bad || o > 0 || !files
    }'
