# SPDX-License-Identifier: GPL-3.0-or-later
# A certificate of kind `matrix`, `relu-eq`, `relu-neq` or `no-j` as an ordinary theorem of Coq about matrices 'M_(m, n) of the
# numbers that it shows, with the proof that src/formal/typed_formulas.v or typed_networks.v makes of the certificate:
# awk -v name=THEOREM -v number=N -f formal_typed_matrix.awk CERTIFICATE.  accepted_N says that Coq's kernel accepts its text,
# c_N is what it says and parsed_N that it does.  Exit status 3, and the reason, where no such theorem can be written.
function refuse(why) { print why > "/dev/stderr"; refused = 1; exit 3 }
function string(word) { return "\"" word "\"%string" }
function free(word) { gsub(/[.:]/, "_", word); while (word in taken) word = word "_"; taken[word] = 1; return word }
function type(r, c) { return "'M[F]_" (r == c ? r : "(" r ", " c ")") }
function numerator(k) { sub(/\/.*/, "", k); return k }
function denominator(k) { return k ~ /\// ? substr(k, index(k, "/") + 1) : 1 }
function named(x, rows, r, c, fractions) {
    if (r > 64 || c > 64) refuse("a matrix of " r " x " c)
    called[x] = free(x); height[x] = r; width[x] = c
    names = names " " called[x]
    lets = lets "  let " called[x] " : " type(r, c) " := " (fractions ? "rational" : "whole") "_matrix F " r " " c \
        "\n    [:: " rows "]%Z in\n"
}
# w[from] .. w[to], reverse Polish: out["text"], how tight it binds, its shape and why it is the value
function expression(w, from, to, out,    j, n, r, c, text, tight, why) {
    for (j = from; j <= to; j++) {
        if (w[j] == "'") {
            text[n] = (tight[n] > 2 ? text[n] : "(" text[n] ")") "^T"; tight[n] = 2
            t = r[n]; r[n] = c[n]; c[n] = t
            why[n] = "(VTurn " why[n] ")"
        } else if (w[j] == "*") {
            n--
            text[n] = (tight[n] > 0 ? text[n] : "(" text[n] ")") " *m " (tight[n + 1] > 1 ? text[n + 1] : "(" text[n + 1] ")")
            tight[n] = 1; c[n] = c[n + 1]
            why[n] = "(VMul " why[n] "\n " why[n + 1] ")"
        } else if (w[j] == "+" || w[j] == "-") {
            n--
            text[n] = text[n] " " w[j] " " (tight[n + 1] > 0 ? text[n + 1] : "(" text[n + 1] ")"); tight[n] = 0
            why[n] = "(V" (w[j] == "+" ? "Add " : "Sub ") why[n] "\n " why[n + 1] ")"
        } else if (w[j] in called) {
            text[++n] = called[w[j]]; tight[n] = 3; r[n] = height[w[j]]; c[n] = width[w[j]]
            why[n] = "(VName env' " string(w[j]) " : is_value env' _ (@Mat F " r[n] " " c[n] " " called[w[j]] "))"
        } else {
            text[++n] = "number F (" numerator(w[j]) ") " denominator(w[j]); tight[n] = 2; r[n] = c[n] = 1
            why[n] = "(VNumber env' ((" numerator(w[j]) ")%Z, " denominator(w[j]) "%positive) : is_value env' _ (@Mat F 1 1 (" \
                text[n] ")))"
        }
    }
    out["text"] = text[1]; out["tight"] = tight[1]; out["why"] = why[1]; out["r"] = r[1]; out["c"] = c[1]
}
BEGIN {
    n = split("F as at by cofix do else end exists exists2 fix for forall fun if in is isnt let match mod of return then using " \
              "where with seq name mat coef conj expr Mat VName VNumber VMul VAdd VSub VTurn is_value given_value proj1 proj2 Prop Set Type SProp nat number whole_matrix rational_matrix", reserved, " ")
    for (k = 1; k <= n; k++) taken[reserved[k]] = 1
}
function network(left, right, skip) { return right " *m map_mx (@relu F) (" left " *m x) + " skip " *m x" }
/^claim / { claim = $2 }
/^part / { part_name = $2 }
/^kind / { kind = $2 }
/^says / { says = substr($0, 6) }
/^matrix / {
    x = $2; r = $3; c = $4; rows = ""
    for (k = 0; k < r; k++) { getline; line[k] = $0; rows = rows " " $0 }
    fractions = rows ~ /\//; rows = ""
    for (k = 0; k < r; k++) {
        n = split(line[k], w, " "); s = ""
        for (j = 1; j <= n; j++)
            s = s (j > 1 ? "; " : "") (fractions ? "(" numerator(w[j]) ", " denominator(w[j]) "%positive)" : w[j])
        rows = rows (k ? "; " : "") "[:: " s "]"
    }
    if (kind != "no-j" || x != "y") named(x, rows, r, c, fractions)      # y is how it is shown, no part of the claim
}
/^value / {
    fractions = $3 ~ /\//
    named($2, "[:: " (fractions ? "(" numerator($3) ", " denominator($3) "%positive)" : $3) "]", 1, 1, fractions)
}
/^formula / {
    n = split($0, w, " ")
    for (k = 2; w[k] !~ /^[=!<]/; k++);
    expression(w, 2, k - 1, a); expression(w, k + 1, n, b)
    formulas++
    same = w[k] == "=" || w[k] == "!="
    statement[formulas] = same ? a["text"] (w[k] == "=" ? " = " : " <> ") b["text"] : \
        "(" a["text"] ") 0 0 " w[k] " (" b["text"] ") 0 0"
    how = w[k] == "=" ? "equal" : w[k] == "!=" ? "differ" : w[k] == "<" ? "less" : "at_most"
    proof[formulas] = "(@typed_" how " F env' _ _ _ _" (same ? " _ _" : "") " (proj1 G'" formulas ")\n " \
        a["why"] "\n " b["why"] ")"
}
END {
    if (refused) exit 3
    print "(* " claim " " part_name ": " says " *)"
    if (kind != "matrix") {
        print "Theorem " name " (F : " (kind == "no-j" ? "num" : "real") "FieldType)" \
            (kind == "no-j" ? " (J : pred 'I_" height["W1"] ")" : kind == "relu-eq" ? " (x : 'cV[F]_" width["W1"] ")" : "") " :"
        printf "%s", lets
        print kind == "no-j" ? "  \\sum_(j | J j) col j W2 *m row j W1 + Z <> 0." : \
            "  " network("W1", "W2", "Z") (kind == "relu-eq" ? " =\n  " : " <>\n  ") network("V1", "V2", "Y") "."
        print "Proof. exact (@typed_network text" number " c_" number " accepted" number " parsed_" number " F" \
            (kind == "no-j" ? " J" : kind == "relu-eq" ? " x" : "") "). Qed."
        exit
    }
    print "Theorem " name " (F : numFieldType) :"
    printf "%s", lets
    for (k = 1; k <= formulas; k++) print "  " statement[k] (k < formulas ? " /\\" : ".")
    print "Proof."
    print "move=>" names "."
    print "pose env' := given_value F c_" number ".1."
    print "have G'1 := @typed_formulas text" number " c_" number ".1 c_" number ".2 F accepted" number " parsed_" number "."
    for (k = 2; k <= formulas; k++) print "have G'" k " := proj2 G'" (k - 1) "."
    for (k = 1; k <= formulas; k++) print "have Q'" k " := " proof[k] "."
    s = "Q'" formulas
    for (k = formulas - 1; k >= 1; k--) s = "(conj Q'" k " " s ")"
    print "exact " s ".\nQed."
}
