(* b_27.v - B-27, attention under a symmetric similarity: a reversible Markov chain with a real spectrum.
 *
 * Not in the paper, which says of similarity (002, Section 5) that "a is equally similar to b as is b to a" under
 * W_Q = W_K.  A = D^-1 K, K = e(S) entrywise, D = diag(K 1), with any positive function e in place of exp; numbers are
 * those of an algebraically closed field with conjugation, K is real. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* K divided by its row sums *)
Definition by_row_sums (F : fieldType) n (K : 'M[F]_n) : 'M[F]_n := \matrix_(i, j) (K i j / \sum_k K i k).
Definition symmetric (F : fieldType) n (K : 'M[F]_n) := forall i j, K i j = K j i.

(* Kolmogorov's condition *)
Lemma triangle (F : fieldType) n (K : 'M[F]_n) i j k : symmetric K -> let A := by_row_sums K in
  A i j * A j k * A k i = A i k * A k j * A j i.
Proof.
move=> sym /=; rewrite !mxE (sym i k) (sym k j) (sym j i); set x := K i j; set y := K j k; set z := K k i.
set a := (\sum_l K i l)^-1; set b := (\sum_l K j l)^-1; set c := (\sum_l K k l)^-1.
by rewrite (mulrACA x) (mulrACA (x * y)) (mulrACA z) (mulrACA (z * y)) (mulrAC a) [x * y * z]mulrC [x * y]mulrC mulrA.
Qed.

(* A reversible Markov chain: probabilities, and the row sums D_i of K = e(S) have D_i a_ij = D_j a_ji *)
(* Provably: claim=B-27 part=as-stated theorem=reversible quantifiers=all ordered fields, sizes, symmetric S, positive functions in place of exp, tokens i, j, k *)
Theorem reversible (F : numFieldType) n (S : 'M[F]_n) (e : F -> F) : symmetric S -> (forall i j, 0 < e (S i j)) ->
  let K := map_mx e S in let A := by_row_sums K in let D i := \sum_k K i k in
  [/\ forall i j k, A i j * A j k * A k i = A i k * A k j * A j i, forall i j, 0 <= A i j,
      forall i, \sum_j A i j = 1, forall i, 0 < D i & forall i j, D i * A i j = D j * A j i].
Proof.
move=> sym pos K A D; have symK : symmetric K by move=> i j; rewrite !mxE sym.
have K0 i j : 0 < K i j by rewrite mxE.
have D0 i : 0 < D i by rewrite /D (bigD1 i) //= ltr_paddr ?K0 ?sumr_ge0 // => k _; exact: ltW.
have D1 i : D i != 0 by rewrite gt_eqF.
split=> [i j k|i j|i|//|i j]; first exact: triangle.
- by rewrite mxE divr_ge0 ?ltW ?K0 //; exact: D0.
- rewrite (eq_bigr (fun j => K i j / D i)) => [|j _]; last by rewrite [LHS]mxE.
  by rewrite -mulr_suml -/(D i) divff.
by rewrite [A i j]mxE [A j i]mxE -/(D i) -/(D j) ![D _ * _]mulrC !divfK.
Qed.

Section Spectrum.
Variables (C : numClosedFieldType) (n : nat).
Implicit Types (K : 'M[C]_n) (w : 'rV[C]_n).

(* w K w*, for rows w of complex numbers *)
Definition form K w : C := \sum_i \sum_j w 0 i * K i j * (w 0 j)^*.

Lemma form_real K w : (forall i j, K i j \is Num.real) -> symmetric K -> form K w \is Num.real.
Proof.
move=> re sym; rewrite CrealE /form rmorph_sum exchange_big /=; apply/eqP; apply: eq_bigr => i _.
rewrite rmorph_sum; apply: eq_bigr => j _; rewrite !rmorphM conjCK (CrealP (re i j)) (sym i j).
by rewrite mulrC [_^* * _]mulrC mulrA.
Qed.

(* A row with w D^-1 K = a w turns into u = w D^-1: a sum_i d_i |u_i|^2 = u K u*. *)
Lemma rayleigh K a : (forall i j, K i j \is Num.real) -> (forall i, 0 < \sum_k K i k) ->
  eigenvalue (by_row_sums K) a -> exists u : 'rV[C]_n, u != 0 /\ a * (\sum_i (\sum_k K i k) * `|u 0 i| ^+ 2) = form K u.
Proof.
move=> re d0 /eigenvalueP [w wA w0]; pose d i := \sum_k K i k.
exists (\row_i (w 0 i / d i)); split.
  apply: contraNneq w0 => /rowP z; apply/eqP/rowP => i; have /eqP := z i.
  by rewrite !mxE mulf_eq0 invr_eq0 (gt_eqF (d0 i)) orbF => /eqP.
rewrite mulr_sumr /form exchange_big /=; apply: eq_bigr => j _; rewrite -mulr_suml !mxE.
have -> : \sum_i (\row_i (w 0 i / d i)) 0 i * K i j = a * w 0 j.
  have /rowP /(_ j) := wA; rewrite !mxE => <-; apply: eq_bigr => i _.
  by rewrite !mxE mulrAC mulrA.
rewrite normCK -/(d j) -[RHS]mulrA; congr (a * _); rewrite !mulrA; congr (_ * _).
by rewrite mulrAC divff ?mul1r // gt_eqF //; apply: d0.
Qed.

Lemma weight_gt0 K (u : 'rV[C]_n) : (forall i, 0 < \sum_k K i k) -> u != 0 -> 0 < \sum_i (\sum_k K i k) * `|u 0 i| ^+ 2.
Proof.
move=> d0 /rV0Pn [i ui]; rewrite (bigD1 i) //=; apply: ltr_paddr.
  by apply: sumr_ge0 => j _; apply: mulr_ge0; [exact: ltW|exact: exprn_ge0].
by rewrite mulr_gt0 // exprn_gt0 // normr_gt0.
Qed.

(* all eigenvalues are real *)
(* Provably: claim=B-27 part=as-stated-real theorem=real_spectrum quantifiers=all sizes, real symmetric K with positive row sums, eigenvalues *)
Theorem real_spectrum K a : (forall i j, K i j \is Num.real) -> symmetric K -> (forall i, 0 < \sum_k K i k) ->
  eigenvalue (by_row_sums K) a -> a \is Num.real.
Proof.
move=> re sym d0 /(rayleigh re d0) [u [u0 e]]; have pos := weight_gt0 d0 u0.
have -> : a = form K u / \sum_i (\sum_k K i k) * `|u 0 i| ^+ 2 by rewrite -e mulfK // gt_eqF.
by rewrite rpredM ?rpredV ?form_real // gtr0_real.
Qed.
End Spectrum.

(* ---- without a hypothesis ---------------------------------------------------------------------------------------- *)

(* 2 from each token to the next of three, else 1: 1/8 one way round, 1/64 the other. *)
(* Needed: theorem=reversible hypothesis=symmetric S lemma=needs_symmetric_triangles *)
Lemma needs_symmetric_triangles :
  let A := by_row_sums (\matrix_(i < 3, j < 3) (if (j == (i + 1) %% 3 :> nat)%N then 2%:R else 1 : rat)) in
  let i := Ordinal (isT : 0 < 3)%N in let j := Ordinal (isT : 1 < 3)%N in let k := Ordinal (isT : 2 < 3)%N in
  A i j * A j k * A k i = 1 / 8%:R /\ A i k * A k j * A j i = 1 / 64%:R.
Proof.
by move=> A i j k; rewrite /A !mxE !big_ord_recl !big_ord0 !mxE; split; apply/eqP; vm_compute.
Qed.

(* K = (1, -1; -1, 1): the row sums of A are 0 in place of 1. *)
(* Needed: theorem=reversible hypothesis=a positive function in place of exp lemma=reversible_needs_positive *)
Lemma reversible_needs_positive : let K : 'M[rat]_2 := \matrix_(i, j) (if i == j then 1 else - 1) in
  symmetric K /\ forall i, \sum_j by_row_sums K i j = 0.
Proof.
split=> [i j|i]; first by rewrite !mxE eq_sym.
by case: i => [[|[|//]] ?]; rewrite !(big_ord_recl, big_ord0, mxE); apply/eqP; vm_compute.
Qed.

Section Needed.
Variable C : numClosedFieldType.
Definition over m n (A : 'M[rat]_(m, n)) : 'M[C]_(m, n) := map_mx ratr A.
Lemma over_by_row_sums n (K : 'M[rat]_n) : by_row_sums (over K) = over (by_row_sums K).
Proof.
apply/matrixP => i j; rewrite !mxE fmorph_div rmorph_sum; congr (_ / _).
by apply: eq_bigr => k _; rewrite mxE.
Qed.
(* the eigenvector v1 + i v2 of a + i b *)
Lemma gaussian n (K : 'M[rat]_n) (v1 v2 : 'rV_n) (a b : rat) l :
  v1 *m by_row_sums K = a *: v1 - b *: v2 -> v2 *m by_row_sums K = b *: v1 + a *: v2 -> v1 0 l = 1 -> v2 0 l = 0 ->
  eigenvalue (by_row_sums (over K)) (ratr a + 'i * ratr b).
Proof.
move=> e1 e2 one zero; apply/eigenvalueP; exists (over v1 + 'i *: over v2).
  rewrite over_by_row_sums mulmxDl -scalemxAl /over -!map_mxM e1 e2; apply/rowP => j.
  rewrite !mxE rmorphB rmorphD !rmorphM mulrDl !mulrDr; set x := ratr (v1 0 j); set y := ratr (v2 0 j).
  rewrite (mulrACA 'i (ratr b) 'i) -expr2 sqrCi mulN1r (mulrCA (ratr a) 'i y) (mulrA 'i (ratr b) x).
  by rewrite [LHS]addrACA [RHS]addrACA; congr (_ + _); rewrite addrC.
apply: contraTneq (oner_neq0 C) => /rowP /(_ l); rewrite !mxE one zero rmorph1 rmorph0 mulr0 addr0 => ->.
by rewrite eqxx.
Qed.
Lemma not_real (a b : rat) : b != 0 -> (ratr a + 'i * ratr b : C) \isn't Num.real.
Proof.
move=> b0; rewrite CrealE rmorphD [('i * _)^*]rmorphM conjCi !(CrealP (rpred_rat _ _)) (inj_eq (addrI _)) mulNr.
by rewrite eq_sym -addr_eq0 -mulr2n mulrn_eq0 mulf_eq0 (negPf (neq0Ci _)) fmorph_eq0 (negPf b0).
Qed.
Lemma over_real m n (K : 'M[rat]_(m, n)) i j : over K i j \is Num.real.
Proof. by rewrite mxE rpred_rat. Qed.
Lemma over_sums n (K : 'M[rat]_n) : (forall i, 0 < \sum_k K i k) -> forall i, 0 < \sum_k over K i k.
Proof.
move=> pos i; rewrite (eq_bigr (fun k => ratr (K i k))) => [|k _]; last by rewrite mxE.
by rewrite -rmorph_sum ltr0q.
Qed.
Ltac entry := rewrite !(mxE, big_ord_recl, big_ord0); apply/eqP; vm_compute; reflexivity.

(* K_ij = 1 from each of four tokens to the next, else 0, whose eigenvalues are 1, i, -1 and -i. *)
Definition next : 'M[rat]_4 := \matrix_(i, j) (if (j == (i + 1) %% 4 :> nat)%N then 1 else 0).
(* Needed: theorem=real_spectrum hypothesis=symmetric K lemma=needs_symmetric *)
Lemma needs_symmetric : [/\ forall i j, over next i j \is Num.real, forall i, 0 < \sum_k over next i k &
  exists a, eigenvalue (by_row_sums (over next)) a /\ a \isn't Num.real].
Proof.
split=> [i j|i|]; [exact: over_real|move: i|exists (ratr 0 + 'i * ratr 1); split; last exact: not_real].
  by apply: over_sums => i; case: i => [[|[|[|[|//]]]] ?]; rewrite !big_ord_recl big_ord0 !mxE.
pose v1 : 'rV[rat]_4 := \row_j nth 0 [:: 1; 0; - 1; 0] j; pose v2 : 'rV[rat]_4 := \row_j nth 0 [:: 0; - 1; 0; 1] j.
apply: (@gaussian _ next v1 v2 0 1 0); rewrite ?mxE //; apply/rowP; case=> [[|[|[|[|//]]]] ?]; entry.
Qed.
(* Row sums -1, 1 and 1: the eigenvalue 1 + i. *)
Definition mixed : 'M[rat]_3 :=
  \matrix_(i, j) nth 0 (nth [::] [:: [:: - 1; - 1; 1]; [:: - 1; 2%:R; 0]; [:: 1; 0; 0]] i) j.
(* Needed: theorem=real_spectrum hypothesis=positive row sums lemma=needs_positive_sums *)
Lemma needs_positive_sums : [/\ forall i j, over mixed i j \is Num.real, symmetric (over mixed) &
  exists a, eigenvalue (by_row_sums (over mixed)) a /\ a \isn't Num.real].
Proof.
split=> [i j|i j|]; first exact: over_real.
  by rewrite !mxE; case: i j => [[|[|[|//]]] ?] [[|[|[|//]]] ?].
exists (ratr 1 + 'i * ratr 1); split; last exact: not_real.
pose v1 : 'rV[rat]_3 := \row_j nth 0 [:: - 1; 0; 1] j; pose v2 : 'rV[rat]_3 := \row_j nth 0 [:: - 1; 1; 0] j.
apply: (@gaussian _ mixed v1 v2 1 1 (Ordinal (isT : 2 < 3)%N)); rewrite ?mxE //; apply/rowP.
  by case=> [[|[|[|//]]] ?]; entry.
by case=> [[|[|[|//]]] ?]; entry.
Qed.
(* K = (1 - i, i; i, 1 - i), of row sums 1: the eigenvalue 1 - 2i. *)
Definition complex : 'M[C]_2 := \matrix_(i, j) (if i == j then 1 - 'i else 'i).
(* Needed: theorem=real_spectrum hypothesis=real K lemma=needs_real *)
Lemma needs_real : [/\ symmetric complex, forall i, 0 < \sum_k complex i k &
  exists a, eigenvalue (by_row_sums complex) a /\ a \isn't Num.real].
Proof.
have sums i : \sum_k complex i k = 1.
  by case: i => [[|[|//]] ?]; rewrite !big_ord_recl big_ord0 !mxE /= addr0 ?subrK // addrC subrK.
split=> [i j|i|]; first by rewrite !mxE eq_sym.
  by rewrite sums ltr01.
exists (ratr 1 + 'i * ratr (- 2%:R)); split; last exact: not_real.
have e : by_row_sums complex = complex by apply/matrixP => i j; rewrite [LHS]mxE sums divr1.
apply/eigenvalueP; exists (\row_j (if j == 0 then 1 else - 1)).
  rewrite e rmorphN rmorph1 rmorph_nat mulrN mulr_natr mulr2n; apply/rowP.
  case=> [[|[|//]] ?]; rewrite !(mxE, big_ord_recl, big_ord0) /= ?mulr1 ?mulrN1 ?mul1r ?mulN1r addr0.
    by rewrite opprD addrA.
  by rewrite !opprB addrA.
by apply/rV0Pn; exists 0; rewrite mxE /= oner_neq0.
Qed.
End Needed.

(* Needed: theorem=real_spectrum hypothesis=an eigenvalue argued=says what the number a is, of which the theorem speaks *)
