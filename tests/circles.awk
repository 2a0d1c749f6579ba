# SPDX-License-Identifier: GPL-3.0-or-later
# Circles of a graph given as lines FROM TO: prints each set of more than `most` of `what` that all reach one another.
# Exit status 1 if there is one.
{ uses[$1, ++n[$1]] = $2; node[$1]; node[$2] }
function reach(from,    stack, top, at, k, next_one) {
    stack[top = 1] = from
    while (top) {
        at = stack[top--]
        for (k = 1; k <= n[at]; k++) {
            next_one = uses[at, k]
            if (gone[next_one] || (from, next_one) in reaches) continue
            reaches[from, next_one]
            stack[++top] = next_one
        }
    }
}
END {
    do {                                  # what uses nothing that is left is in no circle
        changed = 0
        for (a in node) {
            if (gone[a]) continue
            for (k = 1; k <= n[a] && gone[uses[a, k]]; k++) ;
            if (k > n[a]) { gone[a] = 1; changed = 1 }
        }
    } while (changed)
    for (a in node) if (!gone[a]) reach(a)
    for (a in node) {
        if (gone[a] || seen[a]) continue
        size = 0; names = ""
        for (b in node) if ((a, b) in reaches && (b, a) in reaches) { seen[b] = 1; size++; names = names "\n  " b }
        if (size > most) { print "layers: a circle of " size " " what ":" names; bad = 1 }
    }
    exit bad
}
