# Sums the closing lines of Check ("100%: Checks: 5, Failures: 0, Errors: 0") into one; a program that
# ended without one counts as an error.  Exit status 1 unless all passed and something was checked.
FNR == 1 && NR > 1 && !closed { errors++; print last_file ": ended without a closing line" }
FNR == 1 { closed = 0; last_file = FILENAME }
/^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+$/ {
    split($0, n, /[^0-9]+/); checks += n[2]; failures += n[3]; errors += n[4]; closed = 1
}
END {
    if (!closed) { errors++; print last_file ": ended without a closing line" }
    bad = failures + errors
    printf "%d%%: Checks: %d, Failures: %d, Errors: %d\n", checks ? 100 * (checks - bad) / checks : 0, checks, failures, errors
    exit bad || !checks
}
