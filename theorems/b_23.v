(* b_23.v - B-23, a mirrored W_QK in place of W_Q = W_K.
 *
 * The paper (002, Section 5): "In the single-head case, the same effect is reached by a symmetric matrix W_s^QK, with
 * identical parameters mirrored over the diagonal".  The similarity is symmetric, but only positive semidefinite
 * mirrored matrices are W W'. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import semidefinite.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* Provably: claim=B-23 part=as-stated theorem=symmetric quantifiers=all commutative rings, sizes, X, M = M' *)
Theorem symmetric (R : comRingType) n N (X : 'M[R]_(n, N)) (M : 'M_N) : M^T = M ->
  (X *m M *m X^T)^T = X *m M *m X^T.
Proof. by move=> sym; rewrite !trmx_mul trmxK sym mulmxA. Qed.

(* Provably: claim=B-23 part=corrected theorem=cone quantifiers=all real closed fields, N, M = M' *)
Theorem cone (F : rcfType) N (M : 'M[F]_N) : M^T = M ->
  (exists W : 'M[F]_N, M = W *m W^T) <-> (forall v : 'rV_N, 0 <= (v *m M *m v^T) 0 0).
Proof.
move=> sym; split=> [[W ->] v|pos]; first by have [_] := gram_semidefinite W; exact.
by have [//|T [_ _ eT]] := @cholesky _ _ M; exists T.
Qed.
(* .. whatever the width of W *)
Lemma any_width (F : rcfType) N p (W : 'M[F]_(N, p)) : exists W' : 'M[F]_N, W *m W^T = W' *m W'^T.
Proof. by have [T [_ _ eT]] := cholesky (gram_semidefinite W); exists T. Qed.

(* diag(1, -1) is mirrored; the token (0, 1) is dissimilar to itself, which no W_Q = W_K allows. *)
Definition mirror (F : rcfType) : 'M[F]_2 := \matrix_(i, j) (if i == j then if i == 0 then 1 else - 1 else 0).
Definition second (F : rcfType) : 'rV[F]_2 := \row_j (j != 0)%:R.
(* Provably: claim=B-23 part=as-stated-sign theorem=dissimilar quantifiers=this matrix, all real closed fields *)
Theorem dissimilar (F : rcfType) :
  [/\ (mirror F)^T = mirror F, (second F *m mirror F *m (second F)^T) 0 0 = - 1 &
      forall N (W : 'M[F]_(2, N)), 0 <= (second F *m (W *m W^T) *m (second F)^T) 0 0].
Proof.
split; last by move=> N W; have [_] := gram_semidefinite W; exact.
  by apply/matrixP => i j; rewrite !mxE eq_sym; case: eqP => // ->.
rewrite mxE big_ord_recl big_ord1 !mxE !big_ord_recl !big_ord0 !mxE /=.
by rewrite !(mul0r, mulr0, mul1r, mulr1, add0r, addr0).
Qed.

(* Without M = M' the similarity is not symmetric: M = (0 1; 0 0), X = I. *)
(* Needed: theorem=symmetric hypothesis=mirrored M lemma=needs_mirrored *)
Lemma needs_mirrored : let M : 'M[rat]_2 := \matrix_(i, j) ((i == 0) && (j != 0))%:R in
  (1%:M *m M *m 1%:M^T)^T <> 1%:M *m M *m 1%:M^T.
Proof. by rewrite /= trmx1 mulmx1 mul1mx => /matrixP /(_ 0 1) /eqP; rewrite !mxE. Qed.

(* (1 1; -1 1) has v M v' = v_1^2 + v_2^2 and is no W W', which is mirrored. *)
(* Needed: theorem=cone hypothesis=mirrored M lemma=needs_mirrored_cone *)
Lemma needs_mirrored_cone (F : rcfType) : let M : 'M[F]_2 := \matrix_(i, j) (if (i != 0) && (j == 0) then - 1 else 1) in
  (forall v : 'rV_2, 0 <= (v *m M *m v^T) 0 0) /\ forall W : 'M_2, M <> W *m W^T.
Proof.
move=> M; split=> [v|W e].
  have -> : (v *m M *m v^T) 0 0 = v 0 0 ^+ 2 + v 0 1 ^+ 2.
    rewrite !mxE !big_ord_recl !big_ord0 !mxE !big_ord_recl !big_ord0 !mxE /= !addr0 !mulr1.
    have -> : lift ord0 ord0 = 1 :> 'I_2 by apply: val_inj.
    by rewrite mulrN1 mulrBl mulrDl (mulrC (v 0 1) (v 0 0)) addrA subrK !expr2.
  by rewrite addr_ge0 ?sqr_ge0.
have /matrixP /(_ 0 1) : M^T = M by rewrite e trmx_mul trmxK.
by rewrite !mxE /= => /eqP; rewrite eq_sym -subr_eq0 opprK -mulr2n mulrn_eq0 oner_eq0.
Qed.
