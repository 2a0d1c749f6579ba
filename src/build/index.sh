#!/bin/sh
# The columns `certificate` and `controls` of the index, generated: index.sh BUILD INDEX [write]
# controls: those that the program declares, each once, without `minimal`; certificate: the kinds that proofcheck has
# accepted, else the reason in its place, `none: ...`.  Without `write` the index is only compared: exit status 1
# and the lines that differ.
set -u
build=$1 index=$2 mode=${3:-check}
new=$build/index.csv
awk -v build="$build" '
# The first n fields of a line of CSV, with the comma behind them.
function head(line, n,    k, c, quoted) {
    for (k = 1; k <= length(line) && n; k++) {
        c = substr(line, k, 1)
        if (c == "\"") quoted = !quoted
        if (c == "," && !quoted) n--
    }
    return substr(line, 1, k - 1)
}
function controls(program,    command, line, name, list, seen) {
    command = build "/theorems/" program " --describe"
    while ((command | getline line) > 0) {
        if (line !~ /^control: /) continue
        name = substr(line, 10)
        sub(/: .*/, "", name)
        if (name == "minimal" || name in seen) continue
        seen[name] = 1
        list = list (list == "" ? "" : ";") name
    }
    close(command)
    return list
}
# In the order of the alphabet, whatever the order of the files.
function kinds(id, program,    file, line, list, seen, n, k, kind) {
    file = build "/evidence/" program ".accepted"
    while ((getline line < file) > 0) {
        if (index(line, ": accepted: " id " ") == 0) continue
        sub(/^.*: accepted: [^,]*, /, "", line)
        sub(/,.*/, "", line)
        if (line in seen) continue
        seen[line] = 1
        for (k = ++n; k > 1 && kind[k - 1] > line; k--) kind[k] = kind[k - 1]
        kind[k] = line
    }
    close(file)
    for (k = 1; k <= n; k++) list = list (k > 1 ? ";" : "") kind[k]
    return list
}
NR == 1 { print; next }
{
    before = head($0, 9)
    fields = head($0, 10)
    program = substr(fields, length(before) + 1)
    sub(/,$/, "", program)
    id = head($0, 1)
    sub(/,$/, "", id)
    if (program == "") { print; next }
    old = substr(head($0, 11), length(fields) + 1)
    sub(/,$/, "", old)
    found = kinds(id, program)
    if (found == "") found = old ~ /^"?none: / ? old : "none: give a reason here"
    print fields found "," controls(program)
}' "$index" > "$new" || exit 2
[ "$mode" != write ] || { cp "$new" "$index"; exit; }
diff "$index" "$new" > "$new.diff" && exit 0
sed -n 's/^>/the index should say:/p' "$new.diff"
echo "$index: its columns certificate and controls are generated: run make index"
exit 1
