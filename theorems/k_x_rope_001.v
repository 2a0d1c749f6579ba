(* k_x_rope_001.v - K-X-rope-001: the rotation need not commute with the change of basis, and it does not.  *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* rot((X Theta)(Theta^-1 W_Q)) = rot(X W_Q), head by head *)
(* Provably: claim=K-X-rope-001 part=corrected theorem=no_commuting quantifiers=all sizes, heads, rotations *)
Theorem no_commuting (R : comUnitRingType) n d h h_kv dk (sh : shape R n d h h_kv dk) (Theta : 'M[R]_d)
    (X : 'M_(n, d)) (W_Q : 'M_(d, h * dk)) (a : 'I_h) : Theta \in unitmx ->
  rotate sh (cols (X *m Theta *m (invmx Theta *m W_Q)) a) = rotate sh (cols (X *m W_Q) a).
Proof. by move=> u; rewrite read_back. Qed.

(* The quarter turn and a shear do not commute. *)
Definition turn : 'M[rat]_2 := \matrix_(i, j)
  (if (i == 0) && (j == 1) then 1 else if (i == 1) && (j == 0) then -1 else 0).
Definition shear : 'M[rat]_2 := \matrix_(i, j) (if (i == 1) && (j == 0) then 0 else 1).
Theorem rotations_do_not_commute : shear \in unitmx /\ turn *m shear != shear *m turn.
Proof.
split; last first.
  by apply/eqP => /matrixP /(_ 0 0); rewrite !mxE !big_ord_recl !big_ord0 !mxE.
by rewrite unitmxE (expand_det_row _ 0) !big_ord_recl big_ord0 /cofactor !det_mx11 !mxE.
Qed.

(* Theta = 0, one number: 0 in place of 1. *)
(* Needed: theorem=no_commuting hypothesis=Theta in GL(d) lemma=needs_invertible *)
Lemma needs_invertible : let one := 1%:M : 'M[rat]_(1 * 1) in let sh := small_shape_of true true None in
  rotate sh (cols (one *m 0 *m (invmx 0 *m one)) 0) 0 0 = 0 /\ rotate sh (cols (one *m one) 0) 0 0 = 1.
Proof. by rewrite /= !mulmx0 !mul0mx mulmx1; split; rewrite !(mxE, big_ord1) ?mul0r. Qed.
