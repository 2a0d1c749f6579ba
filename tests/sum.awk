# SPDX-License-Identifier: GPL-3.0-or-later
# Sums the closing lines of Check ("100%: Checks: 5, Failures: 0, Errors: 0") of the files given into one; a program that
# ended without one counts as an error.  What failed is said again here, where it is seen: a run of all tests is long.
# Exit status 1 unless all passed and something was checked.
/^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+$/ {
    split($0, n, /[^0-9]+/); checks += n[2]; failures += n[3]; errors += n[4]; closed[FILENAME] = 1
}
/^[^ ]+:[0-9]+:[FE]:/ { failed[++n_failed] = FILENAME ": " $0 }
END {
    for (k = 1; k <= n_failed; k++) print failed[k]
    for (k = 1; k < ARGC; k++)
        if (!(ARGV[k] in closed)) { errors++; print ARGV[k] ": ended without a closing line" }
    bad = failures + errors
    printf "%d%%: Checks: %d, Failures: %d, Errors: %d\n", checks ? 100 * (checks - bad) / checks : 0, checks, failures, errors
    exit bad || !checks
}
