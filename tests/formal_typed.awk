# SPDX-License-Identifier: GPL-3.0-or-later
# A certificate of kind `sym` as an ordinary theorem of Coq about matrices 'M_(m, n), with the proof that src/formal/typed.v
# makes of the certificate: awk -v name=THEOREM -v number=N -f formal_typed.awk CERTIFICATE.  accepted_N says that Coq's
# kernel accepts its text (formal_certificates.sh), c_N is what it says and parsed_N that it does.  What is stated is for people:
# a node that is used once stands where it is used, another has a name, by an equation in front: of a hundred `let .. in`
# Coq is slow to find the types, and unfolds them all to store the theorem.  Exit status 3, and the reason, where no such theorem
# can be written.
function refuse(why) { print why > "/dev/stderr"; refused = 1; exit 3 }
function string(word) { return "\"" word "\"%string" }
function free(word) { gsub(/[.:]/, "_", word); while (word in taken) word = word "_"; taken[word] = 1; return word }
function size(word) {                                    # n, or a number
    if (word in size_of) return size_of[word]
    if (word !~ /^[0-9]/) { sizes++; size_of[word] = free(word); variables = variables " " size_of[word] }
    else { if (word > 999) refuse("a size of " word); size_of[word] = word }
    if (word != "1") {
        world_sizes = world_sizes (world_sizes == "" ? "" : "; ") "(" string(word) ", " size_of[word] "%N)"
        if (word !~ /^[0-9]/) suppose("(0 < " size_of[word] ")%N", "positive")
    }
    return size_of[word]
}
function suppose(what, kind) {
    hyp[++hyps] = what
    if (kind == "positive") positive = positive " H'" hyps
    return "H'" hyps
}
function matrix(r, c) { return "'M[R]_" (r == c ? r : "(" r ", " c ")") }
function conj(proofs, n,    k, s) {                      # proofs[1], .., proofs[n]
    s = "Logic.I"
    for (k = n; k >= 1; k--) s = "(conj " proofs[k] "\n " s ")"
    return s
}

# ---- expressions: text[k], and how tight it binds: 3 a name, 2 a function's value or a transpose, 1 a product, 0 a sum
function within(k, least) { return plain ? called[k] : tight[k] >= least ? text[k] : "(" text[k] ")" }
function multiple(p, q, k) {
    return p == 1 && q == 1 ? within(k, 1) : (q == 1 ? p "%:R" : "(" p "%:R / " q "%:R)") " *: " within(k, 2)
}
function term(coef, k, first,    sign, w, p, q) {
    sign = sub(/^-/, "", coef) ? "-" : "+"
    split(coef, w, "/"); p = w[1]; q = w[2] == "" ? 1 : w[2]
    if (p > 5000 || q > 5000) refuse("a coefficient of " coef)
    if (p == 0) return (first ? "" : " + ") "0 *: " within(k, 2)
    if (first) return sign == "-" ? (p == 1 && q == 1 ? "- " within(k, 2) : "- (" multiple(p, q, k) ")") : \
        p == 1 && q == 1 ? within(k, 0) : multiple(p, q, k)
    return " " sign " " multiple(p, q, k)
}
function coefficient(coef,    w, n, sign) {
    sign = sub(/^-/, "", coef)
    n = split(coef, w, "/")
    return "(@pair BinNums.Z BinNums.positive " (w[1] == 0 ? "Z0" : "(" (sign ? "Zneg " : "Zpos ") w[1] ")") " " \
        (n > 1 ? w[2] : 1) "%positive)"
}
function argument(s) { return s ~ /^[0-9]+$/ ? s "%N" : s }                  # of a function: ring_scope is open
function expression(k,    op, j, s) {                    # node k in terms of what it refers to
    op = word[k, 2]
    if (op == "block") {
        s = from(k)
        return s !~ /\+/ ? "columns " s : "columns (" s ")"
    }
    if (op == "value") {
        s = function_of[word[k, 3]] (family[word[k, 3]] ? " " argument(row[k]) " " argument(col[k]) : "")
        for (j = 6; j <= words[k]; j++) s = s " " within(word[k, j], 3)
        return s
    }
    if (op == "sum") {
        s = ""
        for (j = 3; j <= words[k]; j += 2) s = s term(word[k, j], word[k, j + 1], j == 3)
        return s
    }
    return op == "product" ? within(word[k, 3], 1) " *m " within(word[k, 4], 2) : within(word[k, 3], 3) "^T"
}
function tightness(k,    op) {
    op = word[k, 2]
    if (op == "sum") return words[k] > 4 || word[k, 3] ~ /^-/ ? 0 : word[k, 3] == "1" ? tight[word[k, 4]] : 1
    return op == "product" ? 1 : 2
}
function from(k,    j, s) {                              # where the columns of a block begin
    for (j = 0; j < word[k, 4]; j++) s = s (j ? " + " : "") size(part[word[k, 3], j])
    return s == "" ? "0" : s
}
# In the proof all is explicit: Coq then has nothing to find out.
function full(k) { return "(@Mat R " row[k] " " col[k] " " called[k] ")" }
function itself(k) { return " (@erefl (mat R) " full(k) ")" }
function explicit(k,    op, j, v) {
    op = word[k, 2]
    if (op == "value") return expression(k)
    if (op == "block") return "@columns R " row[k] " " col[k] " (" from(k) ")%N"
    if (op == "product")
        return "@mulmx (GRing.ComUnitRing.ringType R) " row[k] " " col[word[k, 3]] " " col[k] " " \
            called[word[k, 3]] " " called[word[k, 4]]
    if (op == "transpose") return "@trmx (GRing.ComUnitRing.sort R) " col[k] " " row[k] " " called[word[k, 3]]
    return "@sum_of_terms R " row[k] " " col[k] " " coefficient(word[k, 3]) " " called[word[k, 4]] " " terms_of(k)
}
function list(k, type, of,    j, s) {                    # from the second term of a sum on
    s = "(@nil " type ")"
    for (j = words[k] - 1; j > 4; j -= 2)
        s = "(@cons " type " " (of != "term" ? full(word[k, j + 1]) : "(@term R " row[k] " " col[k] " " \
            coefficient(word[k, j]) " " word[k, j + 1] "%num " called[word[k, j + 1]] ")") " " s ")"
    return s
}
function terms_of(k) { return list(k, "(coef * BinNums.N * 'M[R]_(" row[k] ", " col[k] "))%type", "term") }
function why(k,    op, f, j, s, v) {                     # a proof that node k means called[k]
    op = word[k, 2]
    if (op == "matrix") return "@line_matrix " of_lines " " string(word[k, 3]) " " string(word[k, 4]) " " \
        string(word[k, 5]) (words[k] < 6 ? " Any " : words[k] < 7 ? " Orthogonal " : " (Inverse " string(word[k, 7]) ") ") \
        called[k] itself(k)
    if (op == "identity") return "@MIdentity " of_env " " string(word[k, 3])
    if (op == "ones") return "@MOnes " of_env " " string(word[k, 3])
    if (op == "block") {
        before = before "have o'" k " : offset szs' w' (size_index szs' " string(word[k, 3]) ") " word[k, 4] \
            " = (" from(k) ")%N.\n  by rewrite /offset /= ?addnA ?addn0.\n"
        return "@line_block " of_lines " " string(word[k, 3]) " " word[k, 4] "%num (" from(k) ")%N o'" k
    }
    if (op == "value") {
        f = word[k, 3]
        s = "@line_" (words[k] > 6 ? "two" (family[f] ? "_shapes" : "") : family[f] ? "shapes" : "one") " " \
            of_lines " " string(f) " " string(word[k, 4]) " " string(word[k, 5])
        for (j = 6; j <= words[k]; j++) s = s " " word[k, j] "%num"
        if (!family[f]) for (j = 6; j <= words[k]; j++) s = s " " argument(row[word[k, j]]) " " argument(col[word[k, j]])
        s = s " " function_of[f]
        for (j = 6; j <= words[k]; j++) { s = s " " called[word[k, j]]; v = v itself(word[k, j]) }
        return s " (@erefl (family_of_values R) " value_of(f) ")" v
    }
    if (op == "sum") return "@line_sum " of_lines " " row[k] " " col[k] " " coefficient(word[k, 3]) " " \
        word[k, 4] "%num " called[word[k, 4]] " " terms_of(k) itself(word[k, 4]) " (@erefl (seq (mat R)) " list(k, "(mat R)") ")"
    if (op == "product") return "@MProduct " of_env " " word[k, 3] "%num " word[k, 4] "%num " row[k] " " \
        col[word[k, 3]] " " col[k] " " called[word[k, 3]] " " called[word[k, 4]] itself(word[k, 3]) itself(word[k, 4])
    return "@MTranspose " of_env " " word[k, 3] "%num " col[k] " " row[k] " " called[word[k, 3]] itself(word[k, 3])
}
function value_of(f,    s, w, n, j, dim) {
    s = "(@" (arguments[f] > 1 ? "of_two" (family[f] ? "_at_all_shapes" : "") : family[f] ? "at_all_shapes" : "of_one") " R"
    n = family[f] ? 0 : split(shape[f], w, ",")
    for (j = 1; j <= n; j++) { split(w[j], dim, " "); s = s " " dim[1] " " dim[2] }
    return s " " function_of[f] ")"
}
# How node k is written: by its name, in full where it is used once and short, and in the proof always by a name.
function write(k,    op, f, plainly) {
    op = word[k, 2]; tight[k] = 3; plain = 0
    if (op == "matrix") text[k] = called[k] = matrix_of[word[k, 3]]
    else if (op == "identity" || op == "ones") {
        f = op == "ones" ? "const_mx 1" : "1%:M"
        text[k] = "(" f " : " matrix(row[k], col[k]) ")"; called[k] = "B'" k
        inner = inner "let B'" k " : " matrix(row[k], col[k]) " := " f " in\n"
    } else {
        text[k] = expression(k)
        plainly = op == "transpose" && tight[word[k, 3]] == 3        # A^T needs no name
        if ((uses[k] > 1 && !plainly) || op == "block" || length(text[k]) > 80) {
            f = free(op == "block" ? "E_" word[k, 3] "_" word[k, 4] : "A" k)
            lets = lets "  forall " f " : " matrix(row[k], col[k]) ", " f " = " text[k] " ->\n"
            names = names " " f " e'" k
            text[k] = called[k] = f; named[k] = 1
        } else {
            tight[k] = tightness(k); called[k] = "B'" k; plain = 1
            inner = inner "let B'" k " : " matrix(row[k], col[k]) " := " explicit(k) " in\n"
        }
    }
    proof[k] = why(k)
    if (named[k]) {
        plain = 1
        proof[k] = "(@line_named " of_lines " " row[k] " " col[k] " " called[k] " (" explicit(k) ") _ e'" k " (" proof[k] "))"
    }
}

BEGIN {
    of_world = "R ns' ms' fs'"; of_lines = of_world " szs' vs'"; of_env = "R szs' w' env'"
    # what the theorem or its proof calls by its name; the other names of the proof end in an apostrophe and a number
    n = split("R as at by cofix do else end exists exists2 fix for forall fun if in is isnt let match mod of return then using " \
              "where with Prop Set Type SProp nat columns const_mx GRing seq name mat coef conj erefl all below nth pair cons nil " \
              "Any Orthogonal Inverse Mat mulmx trmx term sum_of_terms proj1 proj2 offset sizes lines means hypotheses " \
              "denominators", reserved, " ")
    for (k = 1; k <= n; k++) taken[reserved[k]] = 1
}
/^claim / { claim = $2 }
/^part / { part_name = $2 }
/^says / { says = substr($0, 6) }
/^size / { sums++; sum_name[sums] = $2; for (k = 3; k <= NF; k++) part[$2, k - 3] = $k; parts[$2] = NF - 2 }
/^function / { functions++; declared[functions] = $2; for (k = 3; k <= NF; k++) has[$2, $k] = 1; properties[$2] = NF - 2 }
/^[0-9]/ { nodes = $1 + 1; words[$1] = NF; for (k = 1; k <= NF; k++) word[$1, k] = $k }
/^equal / { equations++; left[equations] = $2; right[equations] = $3; uses[$2] += 1; uses[$3] += 1 }
END {
    if (refused) exit 3
    # shapes, and what is used how often
    for (s = 1; s <= sums; s++) { size(sum_name[s]); for (k = 0; k < parts[sum_name[s]]; k++) size(part[sum_name[s], k]) }
    for (k = 0; k < nodes; k++) {
        op = word[k, 2]
        if (op == "matrix" || op == "value") { row[k] = size(word[k, 4]); col[k] = size(word[k, 5]) }
        else if (op == "block") { row[k] = size(word[k, 3]); col[k] = size(part[word[k, 3], word[k, 4]]) }
        else if (op == "identity") row[k] = col[k] = size(word[k, 3])
        else if (op == "ones") { row[k] = size(word[k, 3]); col[k] = 1 }
        else if (op == "sum") { row[k] = row[word[k, 4]]; col[k] = col[word[k, 4]] }
        else if (op == "product") { row[k] = row[word[k, 3]]; col[k] = col[word[k, 4]] }
        else { row[k] = col[word[k, 3]]; col[k] = row[word[k, 3]] }
        for (j = op == "value" ? 6 : 3; j <= words[k]; j++)
            if (op == "value" || op == "product" || op == "transpose" || (op == "sum" && j % 2 == 0)) uses[word[k, j]] += 1
        if (op == "value") {
            s = row[k] " " col[k]; same = 1
            for (j = 6; j <= words[k]; j++) {
                s = s "," row[word[k, j]] " " col[word[k, j]]
                if (row[word[k, j]] != row[k] || col[word[k, j]] != col[k]) same = 0
            }
            f = word[k, 3]
            if (!(f in shape)) { shape[f] = s; order[++fs] = f; arguments[f] = words[k] - 5 }
            if (shape[f] != s) family[f] = 1
            if (!same) elsewhere[f] = 1
            if (arguments[f] != words[k] - 5) refuse("function " f " has one argument here and two there")
        }
        for (j = 3; op == "sum" && j <= words[k]; j += 2)
            if (split(word[k, j], w, "/") == 2 && !(w[2] in unit)) { unit[w[2]] = 1; units[++n_units] = w[2] }
    }
    for (k = 1; k <= functions; k++) if (has[declared[k], "half-odd"]) family[declared[k]] = 1
    for (k = 1; k <= fs; k++) {
        f = order[k]
        if (family[f] && elsewhere[f]) refuse("function " f " has values of several shapes, other ones than its arguments'")
        if (family[f] && properties[f] && !has[f, "half-odd"])
            refuse("function " f ", with a property, has values of several shapes")
    }
    # matrices, a binder for those of a shape that follow each other
    for (k = 0; k < nodes; k++) {
        if (word[k, 2] != "matrix") continue
        x = word[k, 3]; matrix_of[x] = free(x); type = matrix(row[k], col[k])
        if (type == last_type) sub(/ : [^:]*$/, " " matrix_of[x] " : " type ")", binders)
        else binders = binders (binders == "" ? "" : " ") "(" matrix_of[x] " : " type ")"
        last_type = type
        world = world (world == "" ? "" : "; ") "(" string(x) ", Mat " matrix_of[x] ")"
    }
    gsub(/\) \(/, ")\n    (", binders)
    for (k = 1; k <= fs; k++) {
        f = order[k]; function_of[f] = free(f)
        n = split(shape[f], w, ","); type = ""
        for (j = 2; j <= n; j++) { split(w[j], dim, " "); type = type matrix(dim[1], dim[2]) " -> " }
        split(w[1], dim, " "); type = type matrix(dim[1], dim[2])
        if (family[f]) type = "forall p q, 'M[R]_(p, q) -> " (arguments[f] > 1 ? "'M_(p, q) -> " : "") "'M_(p, q)"
        binders = binders "\n    (" function_of[f] " : " type ")"
        values = values (values == "" ? "" : "; ") "(" string(f) ", " value_of(f) ")"
    }
    # hypotheses
    for (s = 1; s <= sums; s++) {
        x = sum_name[s]; t = ""; v = ""
        for (k = 0; k < parts[x]; k++) { t = t (k ? " + " : "") size(part[x, k]); v = v (k ? "; " : "") string(part[x, k]) }
        h = suppose(size(x) " = (" t ")%N")
        sums_hold = sums_hold "have S'" s " : @sum_holds " of_world " (" string(x) ", [:: " v "])\n" \
            "  by rewrite /sum_holds /= ?addn0 ?addnA; exact: " h ".\n"
        sum_proof[s] = "S'" s
    }
    for (k = 0; k < nodes; k++) {
        if (word[k, 2] != "matrix" || words[k] < 6) continue
        x = matrix_of[word[k, 3]]; y = words[k] > 6 ? matrix_of[word[k, 7]] : x "^T"
        s = string(word[k, 3]) " " string(word[k, 4]) " _ "
        s = words[k] > 6 ? "@assumed_inverse " of_world " " s string(word[k, 7]) " " x " " y " erefl erefl " : \
            "@assumed_orthogonal " of_world " " s x " erefl "
        assumption[++assumptions] = "(" s suppose(x " *m " y " = 1%:M") ")"
    }
    for (k = 1; k <= functions; k++) {
        f = declared[k]; x = function_of[f]
        if (has[f, "half-odd"])
            property[k] = "(@assumed_half_odd " of_world " " string(f) " " x " erefl " suppose("half_odd_function " x) ")"
        else {
            s = ""
            if (has[f, "shift-invariant"]) s = " " suppose("blind_to_shifts " x)
            if (has[f, "stochastic"]) s = s " " suppose("stochastic_rows " x)
            property[k] = "(@assumed_" (properties[f] > 1 ? "both" : has[f, "stochastic"] ? "stochastic" : "shifts") \
                " " of_world " " string(f) " _ _ _ _ " x " erefl" s ")"
        }
    }
    for (k = 1; k <= n_units; k++) unit_proof[k] = suppose("(" units[k] "%:R : R) \\is a GRing.unit")
    for (k = 0; k < nodes; k++) write(k)
    # the statement
    print "(* " claim " " part_name ": " says " *)"
    print "Theorem " name " (R : comUnitRingType) (" substr(variables, 2) " : nat)\n    " binders " :"
    for (k = 1; k <= hyps; k++) {
        out = out (out == "" ? "  " : " ") hyp[k] " ->"
        if (length(out) > 80 || k == hyps) { print out; out = "" }
    }
    printf "%s", lets
    for (k = 1; k <= equations; k++) print "  " text[left[k]] " = " text[right[k]] (k < equations ? " /\\" : ".")
    # the proof
    print "Proof."
    s = ""
    for (k = 1; k <= hyps; k++) s = s " H'" k
    print "move=>" s names "."
    print "pose ns' : seq (name * nat) := [:: " world_sizes "]."
    print "pose ms' : seq (name * mat R) := [:: " world "]."
    print "pose fs' : seq (name * family_of_values R) := [:: " values "]."
    print "pose w' := typed_world ns' ms' fs'; pose szs' := sizes c_" number "."
    printf "%s%s", before, sums_hold
    print "have P' : all (fun y => 0 < y.2)%N ns' by rewrite /=" positive "."
    s = ""
    for (k = 1; k <= n_units; k++) s = s (k > 1 ? "; " : "") units[k] "%N"
    print "have D' : all (fun q => q \\in [:: 1%N" (s == "" ? "" : "; ") s "]) (denominators c_" number ") by vm_compute."
    print "have U' := @units_ok R c_" number " _ D' " conj(unit_proof, n_units) "."
    print "have Y' := @typed_hypotheses " of_world " c_" number " erefl P'\n " conj(sum_proof, sums) "\n " \
        conj(assumption, assumptions) "\n " conj(property, functions) "."
    # from here on one term: a tactic for each step would keep as many contexts as there are steps
    printf "exact (\n%slet vs' : seq (mat R) := ", inner
    for (k = 0; k < nodes; k++) printf "@cons (mat R) %s (", full(k)
    printf "@nil (mat R)"
    for (k = 0; k < nodes; k++) printf ")"
    print " in\nlet env' := @nth (mat R) (@Mat R 0 0 0) vs' in\nlet M' := line_ok szs' w' vs' (lines c_" number ") in"
    n = int((nodes + 31) / 32)
    for (j = 0; j < n; j++) {
        print "let L'" j " : below (M' " j "%N) 32%N :="
        for (k = 31; k >= 0; k--) printf "(@conj (below (M' %s%%N) %s%%N) (M' %s%%N %s%%N) ", j, k, j, k
        print "Logic.I"
        for (k = 0; k < 32; k++) print "  (" (j * 32 + k < nodes ? proof[j * 32 + k] : "Logic.I") "))" (k == 31 ? " in" : "")
    }
    printf "let K' := fun part => below (M' part) 32%%N in\nlet L' : below K' " n "%%N := "
    for (j = n - 1; j >= 0; j--) printf "(@conj (below K' %s%%N) (K' %s%%N) ", j, j
    printf "Logic.I"
    for (j = 0; j < n; j++) printf " L'%s)", j
    print " in\nlet E' : (size (lines c_" number ") <= " n "%N * 32)%N := erefl true in"
    print "let G' := @typed_golden text" number " c_" number " R w' vs' " n "%N accepted" number " parsed_" number \
        " U' Y' E' L' in"
    s = "G'"
    for (k = 1; k <= equations; k++) {
        l = left[k]
        v = "(@Mat_inj R " row[l] " " col[l] " " called[l] " " called[right[k]] " (proj1 " s "))"
        printf "%s%s", k < equations ? "(conj " : "", v
        s = "(proj2 " s ")"
    }
    for (k = 1; k < equations; k++) printf ")"
    print ").\nQed."
}
