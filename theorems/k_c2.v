(* k_c2.v - K-C2, basis transformation through LayerNorm: which D' there are.
 *
 * The paper (003, Theorem C.2): "If there exist MLP' and D' such that D' L_eps(x + MLP'(x)) = Theta D L_eps(x + MLP(x))
 * for all x, then by Lemma C.1, MLP' must satisfy: ..".  Corrected: D' is the inverse of a multiple of diag(v),
 * v = A^-T 1, A = Theta D, if no entry of v is 0 and the x + MLP(x) span H modulo 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
From Theorems Require Import k_c1.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Notation ones := (const_mx 1).

Lemma another d (i : 'I_d) : (1 < d)%N -> exists j : 'I_d, j != i.
Proof. by case: d i => [|[|d']] i // _; exists (lift i ord0); rewrite eq_sym neq_lift. Qed.

Section Only.
Variables (F : fieldType) (d : nat) (I : Type) (A : 'M[F]_d) (g : 'cV[F]_d) (u w : I -> 'cV[F]_d).
(* u x = L(x + MLP'(x)), w x = L(x + MLP(x)): in H, and the w x span it; D' = diag(g) *)
Hypotheses (inv : A \in unitmx) (uH : forall x, in_H (u x)).
Hypothesis same : forall x, diagonal g *m u x = A *m w x.
Definition spans := forall b : 'rV[F]_d, (forall x, b *m w x = 0) -> forall z, in_H z -> b *m z = 0.
Hypothesis span : spans.

(* an entry 0 of D' makes a row of A a multiple of 1' *)
Lemma row_of_zero i : g i 0 = 0 -> exists c, row i A = c *: ones.
Proof.
move=> gi; apply: kills_H => z; apply: span => x.
by rewrite -row_mul -same /diagonal mul_diag_mx; apply/matrixP => a b; rewrite !mxE gi mul0r.
Qed.

Lemma only : (1 < d)%N -> (forall i, gain A i 0 != 0) ->
  exists lambda, lambda != 0 /\ forall i, lambda * gain A i 0 * g i 0 = 1.
Proof.
move=> d1 v0; have inv' : A^T \in unitmx by rewrite unitmx_tr.
have Av : A^T *m gain A = ones by rewrite /gain mulmxA mulmxV // mul1mx.
have g0 i : g i 0 != 0.
  apply/eqP => /row_of_zero [c e].
  have c0 : c != 0.
    apply/eqP => c0; have : row i A *m invmx A = 0 by rewrite e c0 scale0r mul0mx.
    by rewrite -row_mul mulmxV // => /rowP /(_ i) /eqP; rewrite !mxE eqxx oner_eq0.
  have gi : gain A = c^-1 *: delta_mx i 0.
    apply: (can_inj (mulKmx inv')); rewrite Av -scalemxAr -colE -tr_row e linearZ /= scalerA mulVf // scale1r.
    by rewrite trmx_const.
  have [j ji] := another i d1.
  by have := v0 j; rewrite gi !mxE (negPf ji) mulr0 eqxx.
pose k : 'cV[F]_d := \col_i (g i 0)^-1.
have kills z : in_H z -> k^T *m A *m z = 0.
  rewrite -mulmxA => zH; rewrite mulmxA; apply: (span _ zH) => x; rewrite -mulmxA -same mulmxA.
  rewrite (_ : k^T *m diagonal g = ones) ?uH //; apply/rowP => i.
  by rewrite mul_mx_diag !mxE mulVf.
have [lambda e] := (line inv k).1 kills; exists lambda; split=> [|i].
  apply: contra_neq (g0 (Ordinal (ltnW d1))) => l0; have /colP /(_ (Ordinal (ltnW d1))) := e.
  by rewrite l0 scale0r !mxE => /eqP; rewrite invr_eq0 => /eqP.
by have /colP /(_ i) := e; rewrite !mxE => <-; rewrite mulVf.
Qed.
End Only.

Section LayerNorm.
Variables (F : rcfType) (d : nat) (eps : F) (A : 'M[F]_d) (g : 'cV[F]_d) (mlp mlp' : 'cV[F]_d -> 'cV[F]_d).
Hypotheses (inv : A \in unitmx) (eps0 : 0 < eps) (d1 : (1 < d)%N).
Notation L := (L eps).

(* the P (x + MLP(x)) span H *)
Definition reaches_H := spans (fun x => centred (x + mlp x)).

(* Provably: claim=K-C2 part=corrected-only theorem=no_other quantifiers=all real closed fields, d > 1, eps > 0, MLP, MLP', invertible A *)
Theorem no_other : (forall i, gain A i 0 != 0) -> reaches_H ->
  (forall x, diagonal g *m L (x + mlp' x) = A *m L (x + mlp x)) ->
  exists lambda, lambda != 0 /\ forall i, lambda * gain A i 0 * g i 0 = 1.
Proof.
move=> v0 reach same; apply: (only inv _ same) => //; first by move=> x; apply: L_in_H; apply: ltnW.
move=> b bL z zH; apply: reach zH => x; have := bL x; rewrite /k_c1.L -scalemxAr => /eqP.
rewrite scaler_eq0 invr_eq0 sqrtr_eq0 leNgt => /orP [/negP []|/eqP //].
by apply: ltr_paddl eps0; rewrite mulr_ge0 ?invr_ge0 ?ler0n ?sumr_ge0 // => i _; rewrite sqr_ge0.
Qed.

(* (S A)^-T 1 = S^-T A^-T 1 *)
(* Provably: claim=K-C2 part=corrected-flip theorem=flip quantifiers=all real closed fields, d, invertible A and S *)
Theorem flip (S : 'M[F]_d) : S \in unitmx -> gain (S *m A) = invmx S^T *m gain A.
Proof.
move=> u; have u' : S^T \in unitmx by rewrite unitmx_tr.
have inv' : A^T \in unitmx by rewrite unitmx_tr.
rewrite /gain trmx_mul; have ui : A^T *m S^T \in unitmx by rewrite unitmx_mul inv'.
by apply: (can_inj (mulKmx ui)); rewrite mulKVmx // -mulmxA mulKVmx // mulKVmx.
Qed.
End LayerNorm.

(* ---- without a hypothesis: D' may be anything, such as 0, which is no inverse of a multiple of diag(v) ----------- *)

Section Needed.
Variable F : rcfType.
(* D' = diag(g) solves the equation; what no_other says of it *)
Definition solves d eps (A : 'M[F]_d) g (mlp mlp' : 'cV[F]_d -> 'cV[F]_d) :=
  forall x, diagonal g *m k_c1.L eps (x + mlp' x) = A *m k_c1.L eps (x + mlp x).
Definition of_form d (A : 'M[F]_d) (g : 'cV[F]_d) :=
  exists lambda, lambda != 0 /\ forall i, lambda * gain A i 0 * g i 0 = 1.
Lemma zero_is_not d (A : 'M[F]_d.+1) : ~ of_form A 0.
Proof. by case=> lambda [_ /(_ 0) /eqP]; rewrite [X in _ * X]mxE mulr0 eq_sym oner_eq0. Qed.
(* Needed: theorem=no_other hypothesis=D' and MLP' solve the equation argued=it is what is said of D'; without it D' and A have nothing to do with each other *)

Lemma L_0 d (eps : F) : k_c1.L eps (0 : 'cV_d) = 0.
Proof.
have c : centred (0 : 'cV[F]_d) = 0.
  by apply/colP => i; rewrite !mxE big1 ?mulr0 ?mul0r ?subrr // => j _; rewrite mxE.
by rewrite /k_c1.L c scaler0.
Qed.
Lemma H_reached d : reaches_H (fun=> 0 : 'cV[F]_d).
Proof. by move=> b kills z zH; rewrite -(centred_H zH); have := kills z; rewrite addr0. Qed.
Notation minus := (fun x => - x).

(* A of ones has no inverse: A kills H, and MLP' = -x does for every D'.  (Coq writes A for the inverse: v = (2, 2).) *)
(* Needed: theorem=no_other hypothesis=A invertible lemma=needs_invertible *)
Lemma needs_invertible : let A : 'M[F]_2 := const_mx 1 in
  [/\ forall i, gain A i 0 != 0, reaches_H (fun=> 0 : 'cV[F]_2), forall g, solves 1 A g (fun=> 0) minus &
      ~ of_form A 0].
Proof.
move=> A; split=> [i||g x|]; [|exact: H_reached| |exact: zero_is_not].
  have out : A^T \notin unitmx.
    apply/negP; rewrite unitmx_tr => u; have := mulKmx u (apart F).
    rewrite (_ : A *m apart F = 0) ?mulmx0 => [/colP /(_ 0) /eqP|]; first by rewrite !mxE eq_sym oner_eq0.
    by apply/colP => j; rewrite !mxE !big_ord_recl big_ord0 !mxE !mul1r addr0 subrr.
  rewrite /gain invmx_out // trmx_const !mxE !big_ord_recl big_ord0 !mxE !mul1r addr0.
  by rewrite -(natrD _ 1 1) pnatr_eq0.
rewrite subrr L_0 mulmx0 addr0; apply/colP => j; rewrite [LHS]mxE.
have /matrixP /(_ 0 0) := L_in_H 1 (isT : (0 < 2)%N) x; rewrite [RHS]mxE => <-.
by rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
Qed.
(* eps = -1: where x + MLP(x) = (1/2, -1/2), the root is that of a negative number, which Coq writes 0, and L is 0. *)
(* Needed: theorem=no_other hypothesis=eps > 0 lemma=needs_eps *)
Lemma needs_eps : let mlp (x : 'cV[F]_2) := 2%:R^-1 *: apart F - x in
  [/\ forall i, gain (1%:M : 'M[F]_2) i 0 != 0, reaches_H mlp, forall g, solves (- 1) 1%:M g mlp minus &
      ~ of_form (1%:M : 'M[F]_2) 0].
Proof.
move=> mlp; have half0 : 2%:R^-1 != 0 :> F by rewrite invr_eq0 pnatr_eq0.
split=> [i|b /(_ 0) + z zH|g x|]; last exact: zero_is_not.
- by rewrite gain_1 mxE oner_eq0.
- rewrite /mlp addrC subrK (centred_H (apart_in_H _)) -scalemxAr => /eqP.
  rewrite scaler_eq0 (negPf half0) => /eqP b0; suff -> : z = z 0 0 *: apart F by rewrite -scalemxAr b0 scaler0.
  apply/colP => i; rewrite !mxE; have [->|i1] := eqVneq i 0; first by rewrite mulr1.
  have /matrixP /(_ 0 0) := zH; rewrite !mxE !big_ord_recl big_ord0 !mxE !mul1r addr0 mulrN1 => /eqP.
  rewrite addrC addr_eq0 => /eqP <-; congr (z _ _); apply: val_inj.
  by move: i1; case: i => -[|[|//]].
rewrite subrr L_0 mulmx0 addrC subrK mul1mx L_apart ler0_sqrtr ?invr0 ?scale0r //.
by rewrite subr_le0 exprVn invf_le1 ?exprn_gt0 ?ltr0n // exprn_ege1 // ler1n.
Qed.
(* d = 1: L is 0. *)
(* Needed: theorem=no_other hypothesis=d > 1 lemma=needs_two_dimensions *)
Lemma needs_two_dimensions : [/\ forall i, gain (1%:M : 'M[F]_1) i 0 != 0, reaches_H (fun=> 0 : 'cV[F]_1),
  forall g, solves 1 (1%:M : 'M[F]_1) g (fun=> 0) (fun=> 0) & ~ of_form (1%:M : 'M[F]_1) 0].
Proof.
split=> [i||g x|]; [by rewrite gain_1 mxE oner_eq0|exact: H_reached| |exact: zero_is_not].
by have [-> _] := dimension_one 1 1%:M 1%:M id (x + 0); rewrite !mulmx0.
Qed.
(* v = (1, 0, 0), for A with rows (1,1,1), (0,1,0), (0,0,1): D' = diag(0, 1, 1) does. *)
(* Needed: theorem=no_other hypothesis=no entry of v is 0 lemma=needs_no_zero *)
Lemma needs_no_zero : let g : 'cV[F]_3 := \col_i (i != 0)%:R in
  [/\ degenerate F \in unitmx, reaches_H (fun=> 0 : 'cV[F]_3), solves 1 (degenerate F) g (fun=> 0) (fun=> 0) &
      ~ of_form (degenerate F) g].
Proof.
move=> g; split=> [||x|[lambda [_ /(_ 1) /eqP]]]; [exact: degenerate_unit|exact: H_reached| |]; last first.
  by rewrite degenerate_gain !mxE mulr0 mul0r eq_sym oner_eq0.
have := L_in_H 1 (isT : (0 < 3)%N) (x + 0); move: (k_c1.L _ _) => l /matrixP /(_ 0 0).
rewrite !mxE !big_ord_recl big_ord0 !mxE !mul1r addr0 => l0.
rewrite /diagonal mul_diag_mx; apply/colP => i; rewrite !mxE !big_ord_recl big_ord0 !mxE addr0.
case: i => -[|[|[|//]]] lt /=; rewrite ?(mul0r, mul1r, add0r, addr0) //.
  by congr (l _ _); apply: val_inj.
by congr (l _ _); apply: val_inj.
Qed.
(* MLP = -x: x + MLP(x) is 0 and L is 0. *)
(* Needed: theorem=no_other hypothesis=the x + MLP(x) span H lemma=needs_span *)
Lemma needs_span : [/\ forall i, gain (1%:M : 'M[F]_2) i 0 != 0,
  forall g, solves 1 (1%:M : 'M[F]_2) g minus minus & ~ of_form (1%:M : 'M[F]_2) 0].
Proof.
split=> [i|g x|]; [by rewrite gain_1 mxE oner_eq0| |exact: zero_is_not].
by rewrite subrr L_0 !mulmx0.
Qed.

Definition two_diagonal (a b : F) : 'M_2 := diag_mx (\row_j if j == 0 then a else b).
Lemma two_diagonal_mul a b c e : two_diagonal a b *m two_diagonal c e = two_diagonal (a * c) (b * e).
Proof.
rewrite /two_diagonal mul_diag_mx; apply/matrixP => i j; rewrite !mxE mulrnAr.
by case: (i == 0).
Qed.
Lemma two_diagonal_1 a b : (two_diagonal a b *m (ones : 'cV_2)) 0 0 = a.
Proof. by rewrite /two_diagonal mul_diag_mx !mxE mulr1. Qed.
Lemma two_diagonal_singular a : invmx (two_diagonal a 0) = two_diagonal a 0.
Proof.
have out : two_diagonal a 0 \notin unitmx; last by rewrite invmx_out.
by rewrite unitmxE det_diag !big_ord_recl big_ord0 !mxE /= mul0r mulr0 unitr0.
Qed.
Lemma two_diagonal_inverse : invmx (two_diagonal 2%:R 1) = two_diagonal 2%:R^-1 1.
Proof.
have e : two_diagonal 2%:R 1 *m two_diagonal 2%:R^-1 1 = 1%:M.
  rewrite two_diagonal_mul mulfV ?pnatr_eq0 // mulr1; apply/matrixP => i j; rewrite !mxE.
  by case: (i == 0).
by have [u _] := mulmx1_unit e; rewrite -[RHS]mul1mx -(mulVmx u) -mulmxA e mulmx1.
Qed.
(* diag(1, 0) has no inverse (Coq writes it itself for that): v' = (2, 0), S^-T v = (1/2, 0) for S = diag(1, 0) and
 * A = diag(2, 1), or A = diag(1, 0) and S = diag(2, 1). *)
(* Needed: theorem=flip hypothesis=A invertible lemma=needs_invertible_flip *)
(* Needed: theorem=flip hypothesis=S invertible lemma=needs_invertible_flip *)
Lemma needs_invertible_flip : let flat := two_diagonal 1 0 in let wide := two_diagonal 2%:R 1 in
  [/\ gain (flat *m wide) 0 0 = 2%:R, (invmx flat^T *m gain wide) 0 0 = 2%:R^-1,
      gain (wide *m flat) 0 0 = 2%:R & (invmx wide^T *m gain flat) 0 0 = 2%:R^-1].
Proof.
have tr a b : (two_diagonal a b)^T = two_diagonal a b by rewrite tr_diag_mx.
rewrite /gain !two_diagonal_mul !tr !mul1r !mulr1 !two_diagonal_singular two_diagonal_inverse.
by rewrite !mulmxA !two_diagonal_mul !two_diagonal_1 mul1r mulr1.
Qed.
End Needed.
