# SPDX-License-Identifier: GPL-3.0-or-later
# Which programs judge which file: reads lines OBJECT KIND SYMBOL of nm, and prints FILE <tab> WEIGHT <tab> PROGRAM for
# every file of the library that a test or theorem program reaches.  The weight is how much of what the program uses is
# that file, directly, through the tests' own support, or (three tenths of it for each step) through other files.
$2 !~ /[Uwv]/ { home[$3] = $1; next }
{ user[++n] = $1; symbol[n] = $3 }
END {
    for (k = 1; k <= n; k++) {
        from = user[k]; to = home[symbol[k]]
        if (to == "" || to == from) continue
        if (!((from, to) in uses)) link[from, ++links[from]] = to
        uses[from, to]++
        total[from]++
    }
    for (p in links) {
        if (p !~ /^(tests\/t_|theorems\/)/) continue
        split("", weight); split("", now)
        for (k = 1; k <= links[p]; k++) now[link[p, k]] = uses[p, link[p, k]] / sqrt(total[p])
        for (step = 1; step <= 4; step++) {
            split("", later)
            for (g in now) {
                weight[g] += now[g]
                for (k = 1; k <= links[g]; k++) later[link[g, k]] += (g ~ /^tests\/(support|readers)/ ? 1 : 0.3) * now[g] * uses[g, link[g, k]] / total[g]
            }
            split("", now)
            for (g in later) now[g] = later[g]
        }
        for (g in weight) if (g ~ /^(src|numerics)\//) printf "%s.c\t%.9f\t%s\n", g, weight[g], p
    }
}
