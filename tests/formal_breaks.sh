#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do the theorems need what they say?  formal_breaks.sh BUILD, after make has compiled src/formal into BUILD/formal.  Each line
# below breaks one statement once: a transpose dropped, a hypothesis taken out, a quantifier moved, an exponent changed.
# The proof that stands there must no longer be one.  What a statement says is watched without Coq, too: by the hashes of
# reports/formal.csv and reports/formal_read.csv.
set -eu
B=$1 at=$1/formal/breaks
rm -rf "$at" && mkdir -p "$at"
n=0
broken() {                              # FILE SED: what is changed, in the first line that it fits
    n=$((n + 1))
    sed "$2" "$1" > "$at/break_$n.v"
    if cmp -s "$1" "$at/break_$n.v"; then echo "make formal: $1 has nothing that $2 would break" >&2; exit 1; fi
    if timeout --foreground 120 coqc -q -w none -Q "$B/formal/Provably" Provably -Q "$B/formal/Theorems" Theorems "$at/break_$n.v" > "$at/break_$n.said" 2>&1; then
        echo "make formal: $1 compiles with a broken statement: $2" >&2; exit 1
    fi
    grep -q '^Error' "$at/break_$n.said" && ! grep -q 'Syntax error\|was not found' "$at/break_$n.said" ||
        { cat "$at/break_$n.said" >&2; echo "make formal: $1, broken by $2, fails for another reason" >&2; exit 1; }
}
T4_4=theorems/k_t4_4.v
broken $T4_4 '/^Theorem tied_head/,/^Proof/s/invmx (W_Q W0)^T/invmx (W_Q W0)/'          # a transpose
broken $T4_4 '/^Theorem as_stated/,/^Proof/s/skips_around_attention_only sh -> //'        # a hypothesis
broken $T4_4 '/^Theorem as_stated/,/^Proof/s/norm sh = None -> //'                        # another
broken $T4_4 '/^Theorem as_stated/,/^Proof/s/all (fun W => W_Q W .in unitmx) (at_ M) ->/has (fun W => W_Q W \\in unitmx) (at_ M) ->/'  # all becomes some
broken $T4_4 '/^Theorem mixed/,/^Proof/s/all (fun p => chosen p == 1/all (fun p => W_Q p.2 == 1/'       # a conclusion
broken theorems/f1.v '/^Theorem squared/,/^Proof/s/-> Z = 0/-> W1 = 0/'
broken theorems/k_e1_nec.v '/^Theorem theorem_E1/,/^Proof/s/noncollinear W1 -> //'
broken theorems/k_e1_nec.v '/^Theorem theorem_E1/,/^Proof/s/exists J : pred/forall J : pred/'    # a quantifier
broken theorems/k_e_measure0.v '/^Theorem fixed/,/^Proof/s/ (m <= 1)%N || (1 < h)%N -> *$//'
broken src/formal/kinks.v '/^Lemma cancelling_rank/,/^Proof/s/(2 . .rank/(3 * \\rank/'                      # half the neurons
broken theorems/k_e1_001.v '/^Theorem corrected/,/^Proof/s/(p + #|K| + 2/(p + 2/'                  # no second neuron for K
broken theorems/f4_least.v '/^Theorem least_width/,/^Proof/s/2 . rank_modulo/3 * rank_modulo/'
broken theorems/f4.v '/^Theorem absorbed_iff/,/^Proof/s/ -> different_hyperplanes//'
broken theorems/k_p3_2_dim.v '/^Theorem rank_rope/,/^Proof/s/L . (h_kv . dk)/L * (h_kv * dk).+1/'
broken theorems/b_18.v '/^Theorem rank_no_skips/,/^Proof/s/~~ skips -> //'                            # with skips
broken theorems/b_28.v '/^Theorem rank_mirrored/,/^Proof/s/N.+1)/N)/'                                  # N^2/2
broken theorems/k_e2.v '/^Definition counted/,/^$/s/2 ^ m/2 ^ m.+1/'                          # an exponent
broken theorems/b_20.v '/^Theorem as_stated/,/^Proof/s/ -> (1 < .rank X)%N//'
broken theorems/b_11.v '/^Theorem collapsed/,/^Proof/s/(values O s)^T/values O s/'              # a transpose
broken theorems/k_r6_dyt.v '/^Theorem all_leave/,/^Proof/s/= Theta .m beta T ->/= beta T ->/'
broken theorems/n5b.v '/^Theorem independent /,/^Proof/s/row i W1 != row j W1 .. //'  # equal rows
broken theorems/k_o3_1.v "/^Theorem products_decide/,/^Proof/s/ -> X' .m V' = X .m W_V W ->/ ->/"  # unequal values
broken theorems/k_p4_1.v '/^Theorem single_head/,/^Proof/s/ -> (forall t, rotation sh t = 1%:M) ->/ ->/'            # with RoPE
broken theorems/b_7.v '/^Theorem cubic/,/^Proof/s/c ^+ 3/c ^+ 2/'                               # a degree
broken theorems/n7.v '/^Theorem fold sh/,/^Proof/s/ -> (head M = None -> gain_f M = 1%:M) ->/ ->/'     # a gain in front of a tied head
broken theorems/n21.v '/^Definition turn_heads/,/^$/s/(invmx (A a))^T/invmx (A a)/'               # a transpose
broken theorems/k_s5_inverse.v '/^Theorem large_entries/,/^Proof/s/2%:R ^+ k + 1/2%:R ^+ k/'
broken theorems/k_s5_inverse.v '/^Theorem distance/,/^Proof/s/ -> (forall j, j != i -> r^T .m col j W = 0) ->/ ->/'
broken theorems/k_c1.v '/^Theorem conjugate/,/^Proof/s/(forall z, in_H z -> square (DA .m z) <= square z) -> *//'   # no contraction
broken theorems/k_c1.v '/^Theorem unique/,/^Proof/s/h x .: ones/h x *: x/'                      # along x in place of 1
broken theorems/f4_least.v '/^Theorem least_width/,/^Proof/s/2 . rank_modulo/3 * rank_modulo/'
broken theorems/f4.v '/^Theorem turning_absorbs/,/^Proof/s/(b2 + part J W2 b1)/b2/'              # the output bias stays
broken theorems/n6.v '/^Definition half_odd_K/,/^(/s/ half_odd (phi K)\]/ True]/'             # any activation
broken theorems/n6.v '/^Theorem untied_fewer/,/^Proof/s/ -> neighbours_meet p0.2 (p0 :: ps) W ->/ ->/'   # no alignment
broken theorems/n6.v '/^Theorem tied_fewer/,/^Proof/s/ -> has_K q ->/ ->/'                    # d - d_k in the last layer, too
broken theorems/b_8.v '/^Theorem order /,/^Proof/s/c ^+ (3 ^ S)/c ^+ (3 * S)/'                # degrees added
broken theorems/b_8.v '/^Theorem order_skips/,/^Proof/s/coefs 1 P = X/coefs 1 P = 0/'         # no lowest part
broken theorems/k_p3_2_dim.v '/^Theorem orbit/,/^Proof/s/(invmx (D a))^T/invmx (D a)/'        # a transpose
broken theorems/n6.v '/^Definition partner/,/^$/s/ (- C) (- (b_up/ C (- (b_up/'                  # a sign
broken theorems/k_r5_alpha.v '/^Definition Delta/s/y - square/y + square/'                        # a sign
broken theorems/k_r5_alpha.v '/^Theorem isometry/,/^Proof/s/0 < eps -> //'                           # eps = 0
broken theorems/k_r5_radial.v '/^Theorem on_plane/,/^Proof/s/ -> (forall z, in_H z -> in_H (U .m z)) -> *$/ ->/'   # H is turned
broken theorems/b_21.v '/^Theorem dissimilar/,/^Proof/s/(- W_Q) in/W_Q in/'                          # W_K = W_Q
broken theorems/b_25.v '/^Theorem as_stated/,/^Proof/s/N.+1/N/'                                       # N^2/2
broken theorems/b_34.v '/^Theorem of_mlp/,/^Proof/s/ + entries (b_up F)//'                           # no bias
broken theorems/b_34.v '/^Theorem shares/,/^Proof/s/25 . attention/50 * attention/'
broken theorems/k_lengths.v '/^Theorem all_lengths_all_layers/,/^Proof/s/skips_around_attention_only (sh n)/true/'   # any skips
broken src/formal/lengths.v '/^Definition same_switches/,/^Lemma/s/attn_skip sh = attn_skip sh.,/True,/'   # a skip at one length
# The checkers of certificates: one that accepts more has no proof that it is right.
broken src/formal/formulas.v '/^Definition formula_ok/,/^$/s/Z.ltb 0 d.1/Z.leb 0 d.1/'                # < becomes <=
broken src/formal/networks.v '/^Fixpoint some_sum/,/^$/s/else if some_sum z ps. then true else/else/'  # a J is not tried
broken src/formal/numbers.v '/^Definition over/,/^D/s/Z.mul a.1 (Z.div (Zpos q) (Zpos a.2))/a.1/'      # another denominator
broken_sym() {                          # SED: src/formal/sym.v is changed, and sym_sound.v must fail
    n=$((n + 1)) && mkdir -p "$at/sym_$n"
    sed "$1" src/formal/sym.v > "$at/sym_$n/sym.v"
    if cmp -s src/formal/sym.v "$at/sym_$n/sym.v"; then echo "make formal: sym.v has nothing that $1 would break" >&2; exit 1; fi
    coqc -q -w none -Q "$at/sym_$n" Provably "$at/sym_$n/sym.v"
    if timeout --foreground 300 coqc -q -w none -Q "$at/sym_$n" Provably -o "$at/sym_$n/sym_sound.vo" src/formal/sym_sound.v \
        > "$at/sym_$n/said" 2>&1; then
        echo "make formal: sym_sound.v proves a broken checker right: $1" >&2; exit 1
    fi
    grep -q '^Error' "$at/sym_$n/said" || { cat "$at/sym_$n/said" >&2; exit 1; }
}
broken_sym '/^Fixpoint weq/,/end\./s/| _, _ => false/| _, _ => true/'                 # a word and a longer one
broken_sym '/^Definition meet/,/^Fixpoint/s/if Bool.eqb (x.2 (+) a.2) b.2 then Cancel else Stay/Cancel/'   # A and the inverse of A^T
echo "$n broken statements and checkers: each is refused"
