#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bodies.sh [BUILD [FILE...]]: what the text of a theorem may not use, silent where none does.  FILE: theorems/*.c.
#   A body has matrices over some arithmetic, and says what must hold of them.  What tells it more (which layer of a
#   table it is in, what was checked so far, which arithmetic this is) would let it show one thing and state another.
#   Nor may its text hide from its reader, or from the names below, what it does: by other spellings of a token, other
#   names of a function, bytes of an object.
#   With BUILD, the objects there: none has a variable that keeps something from one trial to the next, and none
#   calls what the text may not name, nor what is neither the library's nor in the list below.
set -eu
unset CDPATH
B=${1:-} bad=0
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- theorems/*.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The headers that a theorem may include; others are of the runner, of the judge, or of what lies behind these.
cat > "$work/headers" <<'END'
numerics/(mat|measure|random)[.]h
src/model/(model|stack|gauge|balanced|dual|denorm)[.]h
src/claim/(claim|check|check_figures|shapes|papers|words|reduce|induction)[.]h
src/claim/certificate/certificate[.]h
src/methods/[a-z]+/[a-z_]+[.]h
src/train/(optim|basis)[.]h
(math|string|stdlib)[.]h
gsl/gsl_cdf[.]h
END
# Names, then why none of them stands in a theorem, whatever it is there.
cat > "$work/names" <<'END'
record trial_record check_[a-z]+ certifier[a-z_]*: what was checked is the runner's
random_(drew|forget|note) mat_(forget_values|value_was_read|note_numbers|compare_quietly|log2max_quietly) contract_set_handler: what a body drew or asked is the runner's
mat_(mark|is_of|lengthen|chain) MARK_[A-Z]+ fingerprint_[a-z]+ drawn_sizes_[a-z_]+ drawn_name scope_draws DRAWN_BY_[A-Z]+ constrained_[a-z_]+: what was drawn is the runner's
arith arith_[a-z0-9_]+ traits A_(F64|MPFR|ARB|FP|Q|SYM|DEG|TERM): claim_over asks for the arithmetic
SYMBOLIC RIGOROUS BOUNDED OPAQUE HAS_EXP: claim_over asks for the arithmetic
status reason depth fp32 frugal model_note_[a-z]+: what a scope came to is the runner's
scope_open scope_close: a body has one scope, the trial's, which the runner closes
runner_[a-z_]+ judge_[a-z_]+ program_[a-z_]+ evidence_[a-z_]+ verdict_[a-z_]+: it runs and judges bodies
comparison: what two quantities came to is computed, not written
layer_number extern typeof union asm _[A-Za-z_]+: a theorem is what its text says
mem(cpy|move|set|cmp) b(copy|zero) offsetof: it takes no object by its bytes
END
# Expressions, of code without blanks around -> and before =, in the same way.
cat > "$work/expressions" <<'END'
(^|[^a-zA-Z0-9_])s(->|[.])R([^a-zA-Z0-9_]|$)|R->(kind|name|bits|state|key|prime|ring|functions|default_log2bound|close)([^a-zA-Z0-9_]|$): claim_over asks for the arithmetic
(->|[.])key([^a-zA-Z0-9_]|$): draws take it, and a generator claim_seeds
(->|[.])plan([^a-zA-Z0-9_]|$): the models that are asked for are t->sh
(->|[.])(buffers|shape_of_draws|gain|most_held|rep|given|marks)([^a-zA-Z0-9_]|$): the library keeps it
->(seed|id|part|stream)([^a-zA-Z0-9_]|$): a body is the same for every run
number->: no function of a table knows which layer it is in
(->|[.])(draws|drawn|seen|chain|applied|held|first|next)([^a-zA-Z0-9_]|$)|(->|s[.])(kappa|why)([^a-zA-Z0-9_]|$)|(^|[^a-zA-Z0-9_])s(->|[.])reduced([^a-zA-Z0-9_]|$): what a scope came to is the runner's
->(number|seed|id|part|widest)=[^=]: the runner sets it
estimate [a-zA-Z_]+(\[[^]]*\])?=[ ]*[{]|[(]estimate[)]|[.](value|low|high|least|most)=[^=]: a figure comes from measure_*
(^|[^a-zA-Z0-9_.>])(scope|trial) [a-zA-Z_]+[=;,[]|trial [*]+(const )?[a-zA-Z_]+[=;]|(^|[;{}]) *[*]t=: a body has one trial and one scope, the runner's
[(](unsigned |signed |struct )?[a-z_][a-z_0-9]*[ ]*[*]+[)]|(^|[^t] )void [*]: it takes no object for one of another type
##|#(undef|pragma|if|define [a-z])|[\200-\377]|[\\].: a theorem is what its text says
END
LC_ALL=C awk '
    function load(file, to, why,    line, at) {
        while ((getline line < file) > 0) {
            at = index(line, ": ")
            to[++to[0]] = at ? substr(line, 1, at - 1) : line
            why[to[0]] = substr(line, at + 2)
        }
    }
    function complain(text) { print FILENAME ":" FNR ": " text ": " $0; bad = 1 }
    BEGIN {
        load(ARGV[1], header, none); load(ARGV[2], name, of_name); load(ARGV[3], expression, of_expression)
        for (k = 1; k <= header[0]; k++) allowed = allowed (k > 1 ? "|" : "") "^" header[k] "$"
        for (k = 1; k <= name[0]; k++) { gsub(/ /, "|", name[k]); name[k] = "^(" name[k] ")$" }
        ARGV[1] = ARGV[2] = ARGV[3] = ""
    }
    # A line without comments, and with "" for texts and characters, as a compiler reads it.
    function code_of(line,    out, quote) {
        for (out = ""; line != ""; line = substr(line, RSTART + RLENGTH)) {
            if (comment) { if (!match(line, /[*][\/]/)) return out; comment = 0; out = out " "; continue }
            if (!match(line, /["\047]|[\/][*]|[\/][\/]/)) return out line
            out = out substr(line, 1, RSTART - 1)
            quote = substr(line, RSTART, RLENGTH)
            if (quote == "/*") { comment = 1; continue }
            if (quote == "//") { complain("comments are /* */"); return out }
            line = substr(line, RSTART + 1)
            out = out "\"\""
            if (quote == "\"") match(line, /^([^"\\]|\\.)*"/)
            else match(line, /^([^\047\\]|\\.)*\047/)
            if (RSTART == 0) { complain("a text ends in its line"); return out }
        }
        return out
    }
    FNR == 1 { comment = 0 }
    {
        code = code_of($0)
        if (code ~ /#[ \t]*include/) {
            file = $0
            if (!sub(/^[ \t]*#[ \t]*include[ \t]+["<]/, "", file) || !sub(/[">].*/, "", file) ||
                !(file ~ allowed || (file ~ /^tests\/false\/[a-z0-9_]+[.]h$/ && FILENAME ~ /^tests\/false\//))) complain("no theorem includes it")
            next
        }
        if ($0 ~ /[?][?][=\/()!<>\047-]|[^ ]\\$/ || code ~ /<[%:]|[%:]>|%:/) complain("a token has one spelling")
        gsub(/[ \t]*->[ \t]*/, "->", code); gsub(/[ \t]+=/, "=", code); gsub(/#[ \t]+/, "#", code)
        for (k = 1; k <= expression[0]; k++) if (code ~ expression[k]) complain(of_expression[k])
        n = split(code, word, /[^A-Za-z0-9_]+/)
        for (i = 1; i <= n; i++)
            for (k = 1; k <= name[0]; k++) if (word[i] !~ /^(__VA_ARGS__|__builtin_popcountl)$/ && word[i] ~ name[k]) complain(word[i] ": " of_name[k])
        # Draws carry the number of their layer: who compares two of them in a table knows which layer it is.
        for (i = 1; i <= n; i++) {
            if (word[i] == "layer_site") table[FILENAME] = 1
            if (word[i] ~ /^mat_(compare|positive|get_.*|rank_.*|log2max)$/) compares[FILENAME] = word[i]
        }
    }
    END {
        for (f in compares) if (f in table) { print f ": " compares[f] " in a program of layers: no function of a table compares"; bad = 1 }
        exit bad
    }' "$work/headers" "$work/names" "$work/expressions" "$@" || bad=1

# An object calls what it calls, whatever its text says: of the library what the names above leave, and of other
# libraries what remembers nothing.
if [ -f "$B/libprovably.so" ]; then
    nm -D --defined-only "$B/libprovably.so" | sed 's/.* //; s/@.*//' > "$work/library"
    for f in "$@"; do echo "$B/${f%.c}.o"; done | xargs ls 2> /dev/null | xargs nm -Au | awk -v B="$B/" '
        FILENAME ~ /names$/ { sub(/: .*/, ""); gsub(/ /, "|"); no = no (no == "" ? "" : "|") $0; next }
        FILENAME ~ /library$/ { library[$1] = 1; next }
        { f = substr($1, length(B) + 1); sub(/[.]o:.*/, ".c", f) }
        library[$NF] ? $NF ~ "^(" no ")$" : \
            $NF !~ /^(_.*|fmp[zq]_.*|gsl_cdf_.*|exp2?|log(2|1p)?|sqrt|pow|f(abs|max|min|loor)|ceil|ldexp|l?l?round|free|mem(cpy|set)|str(len|n?cmp)|snprintf)$/ {
            print f ": calls " $NF; bad = 1 }
        END { exit bad }' "$work/names" "$work/library" - || bad=1
fi

# Constants with pointers are in .data.rel.ro, which nothing writes; what is in .data or .bss, any trial may change.
[ -z "$B" ] || for f in "$@"; do
    [ ! -f "$B/${f%.c}.o" ] || objdump -t "$B/${f%.c}.o" | awk -v f="$f" '
        NF > 4 && $(NF - 2) ~ /^([.]t?(data|bss)|[*]COM[*])/ && $(NF - 2) !~ /^[.]data[.]rel[.]ro/ && $NF !~ /^[.]/ {
            print f ": " $NF " keeps something from one trial to the next: make it const"; bad = 1 }
        END { exit bad }' || bad=1
done
exit $bad
