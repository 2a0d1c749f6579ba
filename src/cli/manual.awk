# SPDX-License-Identifier: GPL-3.0-or-later
# What a program says with --help, as a manual page: awk -f manual.awk -v name=provably-run -v does='decide one claim' \
#   -v date=2026-11-22 -v version=0.1 -v see='provably(1), ...' -v example='provably run K-T4.4' HELP
# Lines of --help are: `Usage: ...`; text that begins at the margin; options, `      --seed=N   text`, whose text may go
# on in lines that begin far right; headings of options, one blank before them; other indented lines, kept as they are.
function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.']/) text = "\\&" text
    return text
}
function say(text,    n, k, word, line) {           # in lines of at most 78
    n = split(text, word, " ")
    for (k = 1; k <= n; k++) {
        if (line != "" && length(line) + length(word[k]) > 76) { print roff(line); line = "" }
        line = line (line == "" ? "" : " ") word[k]
    }
    if (line != "") print roff(line)
}
function state(now) {
    if (block == "kept" && now != "kept") print ".fi\n.RE"
    if (now != block && (now == "kept" || now == "text") && block != "fresh") print ".PP"
    if (now == "kept" && block != "kept") print ".RS 4\n.nf"
    block = now
}
function heading(title) { state(""); print ".SH " title; block = "fresh" }
BEGIN {
    printf ".\\\" written by src/cli/manual.awk from what the program says with --help\n"
    printf ".TH %s 1 %s \"provably %s\" \"User Commands\"\n", toupper(roff(name)), date, version
    print ".SH NAME"
    say(name " - " does)
}
{ sub(/ +$/, "") }
/^[Uu]sage: / {
    heading("SYNOPSIS")
    sub(/^[Uu]sage: */, "")
    n = split($0, word, " ")
    print ".B " roff(word[1] (name ~ /-/ ? " " word[2] : ""))
    for (k = name ~ /-/ ? 3 : 2; k <= n; k++) print roff(word[k])
    usage = 1
    next
}
usage && !described && match($0, /^ +/) && RLENGTH > 8 {            # the rest of a long Usage line
    n = split($0, word, " ")
    for (k = 1; k <= n; k++) print roff(word[k])
    next
}
usage && /^ +or: / { sub(/^ +or: */, ""); print ".br\n" roff($0); next }
usage && !described && NF { heading("DESCRIPTION"); described = 1 }
!NF { if (block == "kept") blank = 1; else if (block != "fresh") state("gap"); next }
/^ [A-Z]/ {
    if (!options++) heading("OPTIONS")
    state("")
    print ".SS " roff(substr($0, 2))
    block = "option"
    next
}
/^  (    )?--?[a-z?]/ || /^      --/ {
    if (!options++) heading("OPTIONS")
    state("option")
    text = $0
    sub(/^ +/, "", text)
    at = match(text, /  +/)
    print ".TP\n.B " roff(at ? substr(text, 1, at - 1) : text)
    if (at) say(substr(text, at + RLENGTH))
    next
}
block == "option" && match($0, /^ +/) && RLENGTH > 20 { say($0); next }
/^  / {
    state("kept")
    if (blank) print ""
    blank = 0
    print roff($0)
    next
}
/^Exit status: / { heading("EXIT STATUS"); sub(/^Exit status: /, ""); ended = 1; say($0); next }
{
    if (options && !notes++ && !ended) heading("NOTES")
    state("text")
    blank = 0
    say($0)
}
END {
    if (example != "") { heading("EXAMPLES"); print ".nf\n" roff(example) "\n.fi" }
    heading("SEE ALSO")
    print see
}
