# SPDX-License-Identifier: GPL-3.0-or-later
# A certificate of kind `recount` as equations and inequalities between rational numbers, Coq's Q, with the proof that
# src/formal/typed_numbers.v makes of the certificate: awk -v name=THEOREM -v number=N -f formal_typed_numbers.awk CERTIFICATE.
# accepted_N says that Coq's kernel accepts its text, c_N is what it says and parsed_N that it does.  Exit status 3, and the
# reason, where no such theorem can be written.
function refuse(why) { print why > "/dev/stderr"; refused = 1; exit 3 }
function free(word) { gsub(/[.:]/, "_", word); while (word in taken) word = word "_"; taken[word] = 1; return word }
# 12, -12, 0.75 where the denominator is 1 and noughts, 3 # 4.  How tight it binds: 3 a word, 1 a product, 0 a sum, -1 a fraction.
function shown(k,    w, sign, noughts, digits) {
    sign = sub(/^-/, "", k) ? "-" : ""; tightly = 3
    if (split(k, w, "/") == 1) return sign == "" ? k : "(" sign k ")"
    if (w[2] !~ /^10+$/) { tightly = -1; return (sign == "" ? w[1] : "(" sign w[1] ")") " # " w[2] }
    noughts = length(w[2]) - 1; digits = w[1]
    while (length(digits) <= noughts) digits = "0" digits
    k = substr(digits, 1, length(digits) - noughts) "." substr(digits, length(digits) - noughts + 1)
    return sign == "" ? k : "(" sign k ")"
}
# of a value, where only the value counts, the decimal fraction if it has one: 4843/5000 is 0.9686
function decimal(k,    w, d) {
    if (split(k, w, "/") == 2)
        for (d = 10; d <= 1000000; d *= 10) if (d % w[2] == 0 && length(w[1]) < 9) return shown(sprintf("%.0f/%.0f", w[1] * (d / w[2]), d))
    return shown(k)
}
function within(n, least) { return tight[n] >= least ? text[n] : "(" text[n] ")" }
function expression(w, from, to,    j, n) {              # reverse Polish; of a number the transpose is itself
    for (j = from; j <= to; j++) {
        if (w[j] == "'") continue
        if (w[j] == "*") { n--; text[n] = within(n, 1) " * " within(n + 1, 2); tight[n] = 1 }
        else if (w[j] == "+" || w[j] == "-") { n--; text[n] = within(n, 0) " " w[j] " " within(n + 1, 1); tight[n] = 0 }
        else if (w[j] in called) { text[++n] = called[w[j]]; tight[n] = 3 }
        else { text[++n] = shown(w[j]); tight[n] = tightly }
    }
    return text[1]
}
BEGIN {
    n = split("Q Z N nat as at by cofix do else end exists exists2 fix for forall fun if in is isnt let match mod of return then using " \
              "where with listed cons pair typed_numbers Prop Set Type SProp", reserved, " ")
    for (k = 1; k <= n; k++) taken[reserved[k]] = 1
}
/^claim / { claim = $2 }
/^part / { part_name = $2 }
/^says / { says = substr($0, 6) }
/^matrix / { refuse("a matrix in a recount") }
/^value / {
    called[$2] = free($2); names = names " " called[$2]
    lets = lets "  let " called[$2] " : Q := " decimal($3) " in\n"
    env = env (env == "" ? "" : "; ") "(\"" $2 "\"%string, " called[$2] ")"
}
/^formula / {
    n = split($0, w, " ")
    for (k = 2; w[k] !~ /^[=!<]/; k++);
    left = expression(w, 2, k - 1)
    how = w[k] == "=" ? "==" : w[k]
    right = expression(w, k + 1, n)
    statement[++formulas] = how == "!=" ? "~ " left " == " right : left " " how " " right
}
END {
    if (refused) exit 3
    print "(* " claim " " part_name ": " says " *)"
    print "Theorem " name " :"
    printf "%s", lets
    for (k = 1; k <= formulas; k++) print "  " statement[k] (k < formulas ? " /\\" : ".")
    print "Proof."
    if (names != "") print "move=>" names "."
    print "exact (@typed_numbers text" number " c_" number " (listed [:: " env "]) accepted" number " parsed_" number " erefl)."
    print "Qed."
}
