# SPDX-License-Identifier: GPL-3.0-or-later
# The matrices of numbers of a certificate: awk -f drawn.awk CERTIFICATE OTHER.. prints the names of those that differ
# in some other, which another seed has given, with blanks between them; awk -v without="W1 W2" -f drawn.awk CERTIFICATE
# prints the certificate without the rows of these.  Exit status 1: another certificate lacks one of the matrices.
BEGIN { n = split(without, word, " "); for (k = 1; k <= n; k++) left_out[word[k]] }
FNR == 1 { files++; rows = 0 }
rows > 0 {
    rows--
    text[files, name] = text[files, name] $0 "\n"
    if (without != "" && !(name in left_out)) print
    next
}
without != "" { print }
/^matrix / { name = $2; rows = $3; if (files == 1) called[++matrices] = name; text[files, name] = "" }
END {
    if (without != "") exit
    for (k = 1; k <= matrices; k++) {
        is = 0
        for (f = 2; f <= files; f++) {
            if (!((f, called[k]) in text)) { print FILENAME ": no matrix " called[k] > "/dev/stderr"; exit 1 }
            is += text[f, called[k]] != text[1, called[k]]
        }
        if (is) drawn = drawn (drawn == "" ? "" : " ") called[k]
    }
    print drawn
}
