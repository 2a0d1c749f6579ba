(* order.v - inequalities of sums, products and maxima that MathComp 1 and MathComp 2 call by different names.
 *
 * Debian 12 has MathComp 1.15, Debian 13 has 2.3; the proofs use the names of the first, which are proved here from
 * what both have.  Nothing is stated with them. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Sums.
Variable R : numDomainType.
Implicit Types x y z t : R.

Lemma ler_add2l x : {mono +%R x : y z / y <= z}.
Proof. by move=> y z; rewrite -subr_ge0 opprD addrACA subrr add0r subr_ge0. Qed.
Lemma ler_add2r x : {mono +%R^~ x : y z / y <= z}.
Proof. by move=> y z; rewrite /= ![_ + x]addrC ler_add2l. Qed.
Lemma ltr_add2l x : {mono +%R x : y z / y < z}.
Proof. by move=> y z; rewrite -subr_gt0 opprD addrACA subrr add0r subr_gt0. Qed.
Lemma ltr_add2r x : {mono +%R^~ x : y z / y < z}.
Proof. by move=> y z; rewrite /= ![_ + x]addrC ltr_add2l. Qed.
Lemma ler_addl x y : (x <= x + y) = (0 <= y).
Proof. by rewrite -[X in X <= _]addr0 ler_add2l. Qed.
Lemma ler_addr x y : (x <= y + x) = (0 <= y).
Proof. by rewrite addrC ler_addl. Qed.
Lemma ltr_addl x y : (x < x + y) = (0 < y).
Proof. by rewrite -[X in X < _]addr0 ltr_add2l. Qed.
Lemma ltr_addr x y : (x < y + x) = (0 < y).
Proof. by rewrite addrC ltr_addl. Qed.
Lemma ler_add x y z t : x <= y -> z <= t -> x + z <= y + t.
Proof. by move=> xy zt; apply: (@le_trans _ _ (y + z)); rewrite ?ler_add2l ?ler_add2r. Qed.
Lemma ltr_le_add x y z t : x < y -> z <= t -> x + z < y + t.
Proof. by move=> xy zt; apply: (@lt_le_trans _ _ (y + z)); rewrite ?ler_add2l ?ltr_add2r. Qed.
Lemma ltr_paddl y x z : 0 <= x -> y < z -> y < x + z.
Proof. by move=> x0 yz; apply: lt_le_trans yz _; rewrite ler_addr. Qed.
Lemma ltr_paddr y x z : 0 <= x -> y < z -> y < z + x.
Proof. by move=> x0 yz; rewrite addrC ltr_paddl. Qed.
Lemma ler_subl_addr x y z : (x - y <= z) = (x <= z + y).
Proof. by rewrite -[in RHS](ler_add2r (- y)) addrK. Qed.
Lemma ler_subl_addl x y z : (x - y <= z) = (x <= y + z).
Proof. by rewrite ler_subl_addr addrC. Qed.
Lemma ler_subr_addr x y z : (x <= y - z) = (x + z <= y).
Proof. by rewrite -[in LHS](ler_add2r z) subrK. Qed.
Lemma ltr_subl_addr x y z : (x - y < z) = (x < z + y).
Proof. by rewrite -[in RHS](ltr_add2r (- y)) addrK. Qed.
Lemma ltr_subl_addl x y z : (x - y < z) = (x < y + z).
Proof. by rewrite ltr_subl_addr addrC. Qed.
Lemma ler_opp2 : {mono -%R : x y /~ (x : R) <= y}.
Proof. by move=> x y; rewrite -subr_ge0 opprK addrC subr_ge0. Qed.
Lemma gtr_opp x : 0 < x -> - x < x.
Proof. by move=> x0; rewrite -subr_gt0 opprK addr_gt0. Qed.
Lemma ler_norm_sub x y : `|x - y| <= `|x| + `|y|.
Proof. by have := ler_norm_sum [:: x; - y] id xpredT; rewrite !big_cons !big_nil !addr0 normrN. Qed.

Lemma eqr_muln2r n x y : (x *+ n == y *+ n) = (n == 0)%N || (x == y).
Proof. by rewrite -subr_eq0 -mulrnBl mulrn_eq0 subr_eq0. Qed.
Lemma ler_wpmul2l x : 0 <= x -> {homo *%R x : y z / y <= z}.
Proof. by move=> x0 y z yz; rewrite -subr_ge0 -mulrBr mulr_ge0 ?subr_ge0. Qed.
Lemma ler_wpmul2r x : 0 <= x -> {homo *%R^~ x : y z / y <= z}.
Proof. by move=> x0 y z yz; rewrite /= ![_ * x]mulrC ler_wpmul2l. Qed.
Lemma ler_pmul2l x : 0 < x -> {mono *%R x : y z / y <= z}.
Proof. by move=> x0 y z; rewrite -subr_ge0 -mulrBr pmulr_rge0 ?subr_ge0. Qed.
Lemma ler_pmul2r x : 0 < x -> {mono *%R^~ x : y z / y <= z}.
Proof. by move=> x0 y z; rewrite /= ![_ * x]mulrC ler_pmul2l. Qed.
Lemma ltr_pmul2l x : 0 < x -> {mono *%R x : y z / y < z}.
Proof. by move=> x0 y z; rewrite -subr_gt0 -mulrBr pmulr_rgt0 ?subr_gt0. Qed.
Lemma ler_pmul x1 y1 x2 y2 : 0 <= x1 -> 0 <= x2 -> x1 <= y1 -> x2 <= y2 -> x1 * x2 <= y1 * y2.
Proof.
move=> x1ge x2ge le1 le2; apply: (@le_trans _ _ (x1 * y2)); first exact: ler_wpmul2l.
by apply: ler_wpmul2r => //; apply: le_trans le2.
Qed.
Lemma ler_pimulr x y : 0 <= y -> x <= 1 -> y * x <= y.
Proof. by move=> y0 x1; rewrite -[X in _ <= X]mulr1 ler_wpmul2l. Qed.
Lemma ler_pimull x y : 0 <= y -> x <= 1 -> x * y <= y.
Proof. by move=> y0 x1; rewrite mulrC ler_pimulr. Qed.
Lemma gtr_pmulr x y : 0 < y -> (y * x < y) = (x < 1).
Proof. by move=> y0; rewrite -[X in _ < X]mulr1 ltr_pmul2l. Qed.
Lemma ltr_pmulr x y : 0 < y -> (y < y * x) = (1 < x).
Proof. by move=> y0; rewrite -[X in X < _]mulr1 ltr_pmul2l. Qed.
End Sums.

Section Fractions.
Variables (F : numFieldType) (z : F).
Implicit Types x y : F.
Lemma ler_pdivl_mulr x y : 0 < z -> (x <= y / z) = (x * z <= y).
Proof. by move=> z0; rewrite -[in LHS](ler_pmul2r z0) divfK ?gt_eqF. Qed.
Lemma ler_pdivr_mulr x y : 0 < z -> (y / z <= x) = (y <= x * z).
Proof. by move=> z0; rewrite -[in LHS](ler_pmul2r z0) divfK ?gt_eqF. Qed.
Lemma ltr_pdivl_mulr x y : 0 < z -> (x < y / z) = (x * z < y).
Proof. by move=> z0; rewrite -[in LHS](ltr_pmul2l z0) ![z * _]mulrC divfK ?gt_eqF. Qed.
Lemma ltr_pdivr_mulr x y : 0 < z -> (y / z < x) = (y < x * z).
Proof. by move=> z0; rewrite -[in LHS](ltr_pmul2l z0) ![z * _]mulrC divfK ?gt_eqF. Qed.
End Fractions.

Section Extremes.
Variable R : realDomainType.
Implicit Types x y z : R.
Lemma le_maxl z x y : (Num.max x y <= z) = (x <= z) && (y <= z).
Proof.
case: (leP x y) => xy; first by case: (boolP (y <= z)) => [/(le_trans xy) ->|_]; rewrite ?andbF.
by case: (boolP (x <= z)) => [/(le_trans (ltW xy)) ->|_].
Qed.
Lemma lt_maxl z x y : (Num.max x y < z) = (x < z) && (y < z).
Proof.
case: (leP x y) => xy; first by case: (boolP (y < z)) => [/(le_lt_trans xy) ->|_]; rewrite ?andbF.
by case: (boolP (x < z)) => [/(lt_trans xy) ->|_].
Qed.
Lemma le_maxr z x y : (z <= Num.max x y) = (z <= x) || (z <= y).
Proof. by rewrite !leNgt lt_maxl negb_and. Qed.
Lemma lt_maxr z x y : (z < Num.max x y) = (z < x) || (z < y).
Proof. by rewrite !ltNge le_maxl negb_and. Qed.
Lemma le_minr z x y : (z <= Num.min x y) = (z <= x) && (z <= y).
Proof.
case: (leP x y) => xy; first by case: (boolP (z <= x)) => [zx|_] //; rewrite (le_trans zx xy).
by case: (boolP (z <= y)) => [zy|_]; rewrite ?andbF // (le_trans zy (ltW xy)).
Qed.
Lemma lt_minr z x y : (z < Num.min x y) = (z < x) && (z < y).
Proof.
case: (leP x y) => xy; first by case: (boolP (z < x)) => [zx|_] //; rewrite (lt_le_trans zx xy).
by case: (boolP (z < y)) => [zy|_]; rewrite ?andbF // (lt_trans zy xy).
Qed.
Lemma le_minl z x y : (Num.min x y <= z) = (x <= z) || (y <= z).
Proof. by rewrite !leNgt lt_minr negb_and. Qed.
End Extremes.
