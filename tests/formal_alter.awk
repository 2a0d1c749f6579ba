# SPDX-License-Identifier: GPL-3.0-or-later
# Altered certificates, for formal_compare.sh: reads the names of certificates, a name a line, and writes `rounds` files
# TO/1.cert, TO/2.cert, ..  In each one line is altered, sometimes two or three: a word is another, comes from another line,
# changes places, is left out or stands twice, or a byte of it is another; or the line is left out, stands twice or
# changes places.  What is written depends on seed, piece and the certificates alone: the numbers are drawn
# here (Park and Miller's generator), since each awk has a rand() of its own.
function any(n) { state = (state * 48271) % 2147483647; return 1 + state % n }
function other(word,    n) {
    if (any(3) == 1) return borrowed()
    if (word ~ /^-?[0-9]+$/ && length(word) < 16) {
        n = any(8)
        return n == 1 ? word "/" any(6) : n == 2 ? "-" word : n == 3 ? "0" word : word + any(5) - 3
    }
    if (word ~ /^-?[0-9]+\/[0-9]+$/) { sub(/[0-9]+$/, any(64), word); return word }
    return any(10) == 1 ? word "x" : new[any(news)]
}
function borrowed(    w) { return w[any(split(line[any(lines)], w, " "))] }
function joined(w, n,    j, s) {                         # the words that are not empty
    s = ""
    for (j = 1; j <= n; j++) if (w[j] != "") s = s (s == "" ? "" : " ") w[j]
    return s
}
function alter(    at, how, n, w, k, j, text) {
    # two of three times among the last lines but `end`: there are the statements
    at = any(8) == 1 ? any(lines) : any(3) == 1 ? lines - any(lines < 16 ? lines - 1 : 15) : first + any(lines - first)
    how = any(24); n = split(line[at], w, " "); k = any(n)
    if (how == 1) { for (j = lines++; j >= at; j--) line[j + 1] = line[j]; return }
    if (how == 2) { for (j = at; j < lines; j++) line[j] = line[j + 1]; lines--; return }
    if (how == 3) { j = any(8) > 1 && at < lines ? at + 1 : any(lines); text = line[at]; line[at] = line[j]; line[j] = text; return }
    if (how == 4) line[at] = line[at] " " w[k]
    else if (how == 5) { line[at] = substr(line[at], 1, j = any(length(line[at])) - 1) byte[any(bytes)] substr(line[at], j + 2) }
    else {
        if (how == 6) w[k] = ""
        else if (how <= 8) { j = any(n); text = w[k]; w[k] = w[j]; w[j] = text }
        else w[k] = other(w[k])
        line[at] = joined(w, n)
    }
}
BEGIN {
    news = split("d n d_k 1 0 sum product transpose matrix value block identity ones size function equal formula end + * - ' = != < <= " \
                 "inverse orthogonal half-odd stochastic shift-invariant every none 01 -0 1/2 2/4 1/0", new, " ")
    bytes = split("0 1 2 9 - / . : _ ' = < ! A x ~", byte, " "); byte[++bytes] = " "; byte[++bytes] = "\t"; byte[++bytes] = "\200"
}
{ name[NR] = $0 }
END {
    state = (seed % 2147483647 * 1000003 + piece * 7919 + 12345) % 2147483646 + 1
    for (r = 1; r <= 10; r++) any(2)
    for (r = 1; r <= rounds; r++) {
        f = name[any(NR)]
        if (!(f in length_of)) {
            n = 0
            while ((getline l < f) > 0) { text[f, ++n] = l; if (l ~ /^says /) first_of[f] = n }
            close(f)
            length_of[f] = n
        }
        lines = length_of[f]; first = first_of[f] < lines ? first_of[f] : 0
        for (j = 1; j <= lines; j++) line[j] = text[f, j]
        for (j = any(6) < 6 ? 1 : 1 + any(2); j > 0; j--) alter()
        out = to "/" r ".cert"
        for (j = 1; j <= lines; j++) print line[j] > out
        close(out)
    }
}
