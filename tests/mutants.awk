# SPDX-License-Identifier: GPL-3.0-or-later
# Generates mutants of C sources: each operand of each mat_* call dropped, swapped, not transposed or not
# inverted.  One line per mutant: FILE <tab> LINE <tab> COLUMN <tab> LENGTH <tab> NEW TEXT.
# Bodies that serve controls only are left out (a control broken twice is still broken): the functions
# named in `control ...[] = { ... }` tables.
FNR == 1 { in_table = 0 }
pass == 1 {
    if ($0 ~ /(^|[^a-z_0-9])control +[a-z_0-9]+ *\[[^]]*\] *= *\{/) in_table = 1
    line = $0
    if (in_table) gsub(/\.[a-z_]+ *= */, "", line)                  # { .name = "x", .run = f } is { "x", f }
    while (in_table && match(line, /\{ *"[^"]*" *, *[a-z_0-9A-Z]+/)) {
        name = substr(line, RSTART, RLENGTH); sub(/.*, */, "", name); only_control[FILENAME, name] = 1
        line = substr(line, RSTART + RLENGTH)
    }
    if (!in_table && match($0, /\.run *= *[a-z_0-9A-Z]+/)) {
        name = substr($0, RSTART, RLENGTH); sub(/.*= */, "", name); used[FILENAME, name] = 1
    }
    if (in_table && /\} *;/) in_table = 0
    next
}
# The text of argument `want` (1-based) of the call whose "(" is at position p of line s; "" if the call
# does not end on this line.  Sets call_end to the position of its ")".
function argument(s, p, want,    depth, i, c, n, start) {
    depth = 0; n = 1; start = p + 1; result = ""; call_end = 0
    for (i = p; i <= length(s); i++) {
        c = substr(s, i, 1)
        if (c == "(" || c == "{" || c == "[") depth++
        if (c == ")" || c == "}" || c == "]") depth--
        if ((c == "," && depth == 1) || depth == 0) {
            if (n == want) { result = substr(s, start, i - start); sub(/^ +/, "", result) }
            n++; start = i + 1
            if (depth == 0) { call_end = i; return result }
        }
    }
    return ""
}
function emit(new) { if (new != "" && new != substr($0, call_start, call_end - call_start + 1)) printf "%s\t%d\t%d\t%d\t%s\n", FILENAME, FNR, call_start, call_end - call_start + 1, new }
/^[a-zA-Z_].*\(/ && !/; *(\/\*.*)?$/ {                     # the head of a function
    name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); current = name
}
(FILENAME, current) in only_control && !((FILENAME, current) in used) { next }
{
    rest = $0; offset = 0
    while (match(rest, /(mat_(mul3|mul|add|sub|hadamard|scale_rows|t|inv|phi|rowmap|norm|rotate|cols|hcat)|read_from|write_to|add_bias|affine)\(/)) {
        call_start = offset + RSTART; p = offset + RSTART + RLENGTH - 1
        f = substr(rest, RSTART, RLENGTH - 1)
        offset += RSTART + RLENGTH - 1; rest = substr($0, offset + 1)
        if (substr($0, call_start - 1, 1) ~ /[a-z_*]/ || ($0 ~ /^([a-zA-Z_]|\/\*| \*)/ && $0 !~ /\{ *return/)) continue
        s = argument($0, p, 1); a = argument($0, p, 2); b = argument($0, p, 3); c = argument($0, p, 4)
        if (!call_end) continue
        if (f == "mat_mul")  { emit("mat_mul(" s ", " b ", " a ")"); emit(a); emit(b) }
        if (f == "mat_mul3") { emit("mat_mul(" s ", " a ", " c ")"); emit("mat_mul(" s ", " a ", " b ")"); emit("mat_mul(" s ", " b ", " c ")"); emit("mat_mul3(" s ", " c ", " b ", " a ")") }
        if (f == "mat_add")  { emit("mat_sub(" s ", " a ", " b ")"); emit(a); emit(b) }
        if (f == "mat_sub")  { emit("mat_add(" s ", " a ", " b ")"); emit(a); emit(b) }
        if (f == "mat_hadamard" || f == "mat_scale_rows") { emit(a); emit(b) }
        if (f == "mat_t" || f == "mat_phi" || f == "mat_rowmap" || f == "mat_norm" || f == "mat_rotate") emit(a)
        if (f == "mat_inv")  { emit(a); emit("mat_t(" s ", " a ")") }
        if (f == "read_from") emit(c == "" ? b : b)
        if (f == "write_to")  emit(a)
        if (f == "add_bias")  emit(a)
        if (f == "affine")    emit("mat_mul(" s ", " a ", " b ")")
        if (f == "mat_cols")  emit("mat_cols(" s ", " a ", 0, " c ")")
    }
}
