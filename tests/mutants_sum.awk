# SPDX-License-Identifier: GPL-3.0-or-later
# Sums up a run of tests/mutants.sh: mutants_sum.awk chosen=N sampled=N FLOORS ROOMS mutants.csv; sampled is empty where
# every survivor counts, else those that the language gives are `open`, and what share of them is killed is held against
# FLOORS, in rooms where 50 or more were judged.  ROOMS: lines FILE <tab> ROOM.  Exit status 1: something survived, is void,
# is missing, or too few are killed.
BEGIN { FS = "\t" }
FILENAME ~ /floors$/ { if ($0 !~ /^#/) floor[$1] = $2; next }
FILENAME ~ /rooms$/  { room[$1] = $2; next }
FNR == 1 { next }
$6 ~ /^lang/ && sampled && ($1 == "survived" || $1 == "killed" || $1 == "argued") {
    judged_in[room[$2]]++; judged_in["all"]++
    if ($1 != "survived") { killed_in[room[$2]]++; killed_in["all"]++ } else { $1 = "open" }
}
$1 == "survived" || $1 == "open" { print $1 "\t" $2 "\t" $3 "\t" $4 "\t" $5 }
$1 == "void" { print "void: does not compile or changes nothing: " $2 "|" substr($4, 5) }
$1 == "unsound" { print "unsound: the tests of " $2 " fail though nothing is broken: they judge nothing" }
{ n[$1]++ }
END {
    judged = n["killed"] + n["argued"] + n["survived"] + n["open"] + n["did-not-compile"] + n["unchanged"] + n["void"]
    printf "mutants: %d killed, %d argued, %d survived of %d", n["killed"], n["argued"], n["survived"] + n["open"], chosen
    printf " (%d did not compile, %d changed nothing, %d void)\n", n["did-not-compile"], n["unchanged"], n["void"]
    if (judged != chosen) printf "mutants: %d chosen, but %d judged: a verdict is missing\n", chosen, judged
    for (r in judged_in) {
        share = 100 * killed_in[r] / judged_in[r]
        if (r in floor && judged_in[r] >= 50 && share < floor[r]) {
            printf "mutants: of %s, %.0f %% of %d are killed; tests/mutants.floors demands %d %%\n", r, share, judged_in[r], floor[r]
            too_few = 1
        }
    }
    exit judged != chosen || n["survived"] || n["unchanged"] || n["void"] || n["unsound"] || !n["killed"] || too_few
}
