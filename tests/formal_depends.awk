# SPDX-License-Identifier: GPL-3.0-or-later
# What coqdep says as rules for make: which compiled file needs which, all of them in the folder `to`.
#   awk -v to=build/formal -f formal_depends.awk OUTPUT-OF-COQDEP
function compiled(file) {
    sub(/^src\/formal\//, to "/Provably/", file)
    sub(/^theorems\//, to "/Theorems/", file)
    return file
}
$1 ~ /\.vo$/ {
    rule = compiled($1) ":"
    for (k = 2; k <= NF; k++) if ($k ~ /\.vo$/ && $(k - 1) != $k && past) rule = rule " " compiled($k)
        else if ($k ~ /:$/) past = 1
    print rule
    past = 0
}
