(* f3.v - F3: linear skips reduce to identity skips, and the skips that a ReLU network absorbs are those of its J. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* y = Zx: W2 phi(W1 x) + Zx = W2 phi(W1 Z^-1 y) + y *)
(* Provably: claim=F3 part=as-stated theorem=to_identity quantifiers=all h, m, phi, W1, W2, x, Z in GL(h) *)
Theorem to_identity (R : comUnitRingType) h m (phi : R -> R) (W2 : 'M[R]_(h, m)) (W1 : 'M_(m, h)) (Z : 'M_h) x :
  Z \in unitmx -> mlp_of phi W2 W1 x + Z *m x = mlp_of phi W2 (W1 *m invmx Z) (Z *m x) + Z *m x.
Proof. by move=> u; rewrite /mlp_of -[W1 *m _ *m _]mulmxA mulKmx. Qed.

(* any Z, singular or not *)
(* Provably: claim=F3 part=as-stated-turned-subset theorem=turning_absorbs quantifiers=all h, m, J, W1, W2, Z, x, half-odd phi *)
(* Provably: claim=F3 part=as-stated-singular theorem=turning_absorbs quantifiers=all h, m, J, W1, W2, Z, x, half-odd phi *)
Theorem turning_absorbs (R : comRingType) h k m phi (W2 : 'M[R]_(k, m)) (W1 : 'M_(m, h)) Z J x :
  half_odd phi -> part J W2 W1 = - Z -> mlp_of phi W2 W1 x + Z *m x = mlp_of phi W2 (turn J W1) x.
Proof. by move=> odd eJ; rewrite (turn_over W2 W1 J x odd) eJ mulNmx subrK. Qed.

(* Provably: claim=F3 part=as-stated-only theorem=only_by_turning quantifiers=all ordered fields, h, m, W1, W2, Z *)
Theorem only_by_turning (F : realFieldType) h k m (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(k, m)) (Z : 'M[F]_(k, h)) :
  nonzero_rows W1 -> noncollinear W1 -> nonzero_columns W2 ->
  (exists (V2 : 'M[F]_(k, m)) (V1 : 'M_(m, h)), absorbs V2 V1 W2 W1 Z) <-> exists J : pred 'I_m, part J W2 W1 = - Z.
Proof. exact: absorbable_iff. Qed.

(* ---- without a hypothesis ---------------------------------------------------------------------------------------- *)

Section Needed.
Notation num a := (a%:M : 'M[rat]_1).
Lemma mlp_number phi (a b x : rat) : mlp_of phi (num a) (num b) (num x) = num (a * phi (b * x)).
Proof. by apply/colP => i; rewrite /mlp_of -scalar_mxM mul_scalar_mx !ord1 !mxE. Qed.
Lemma part_number (a b : rat) : part xpredT (num a) (num b) = num (a * b).
Proof. by rewrite /part big_ord1; apply/matrixP => i j; rewrite !ord1 !(mxE, big_ord1) mulr1n. Qed.

(* Z = 0, which has no inverse (Coq writes 0 for it), phi(y) = y, x = 1: 0 in place of 1. *)
(* Needed: theorem=to_identity hypothesis=Z in GL(h) lemma=needs_invertible *)
Lemma needs_invertible : let f W1 := mlp_of id (num 1) W1 in
  f (num 1 *m invmx (num 0)) (num 0 *m num 1) + num 0 *m num 1 = num 0 /\ f (num 1) (num 1) + num 0 *m num 1 = num 1.
Proof.
rewrite /= invmx_scalar -!scalar_mxM !mlp_number -!raddfD /=.
by split; congr (_%:M); apply/eqP; vm_compute.
Qed.
(* phi = 0, one neuron, Z = -1, x = 1: 0 + Z x = -1, and the neuron that is turned over gives 0. *)
(* Needed: theorem=turning_absorbs hypothesis=half-odd phi lemma=needs_half_odd *)
Lemma needs_half_odd : let f W1 := mlp_of (fun=> 0) (num 1) W1 (num 1) in
  [/\ part xpredT (num 1) (num 1) = - num (- 1), f (num 1) + num (- 1) *m num 1 = num (- 1) &
      f (turn xpredT (num 1)) = num 0].
Proof.
have turned : turn xpredT (num 1) = num (- 1) by apply/matrixP => i j; rewrite !ord1 !mxE.
rewrite /= part_number turned !mlp_number -scalar_mxM -raddfN -raddfD /=.
by split; congr (_%:M); apply/eqP; vm_compute.
Qed.
(* ReLU and Z = 1, which is not what turning adds, x = 1: 2, and the neuron that is turned over gives 0. *)
(* Needed: theorem=turning_absorbs hypothesis=Z is minus the part of J lemma=needs_part *)
Lemma needs_part : let f W1 := mlp_of (@relu _) (num 1) W1 (num 1) in
  f (num 1) + num 1 *m num 1 = num 2%:R /\ f (turn xpredT (num 1)) = num 0.
Proof.
have turned : turn xpredT (num 1) = num (- 1) by apply/matrixP => i j; rewrite !ord1 !mxE.
rewrite /= turned !mlp_number -scalar_mxM -raddfD /=.
by split; congr (_%:M); apply/eqP; vm_compute.
Qed.

(* ReLU(x_1), beside two neurons that write nothing: they can write x_2, and no J has the sum -(0, 1). *)
Definition rows_of : 'M[rat]_(3, 2) := \matrix_(i, j) nth 0 (nth [::] [:: [:: 1; 0]; [:: 0; 1]; [:: 1; 1]] i) j.
Definition first_alone : 'M[rat]_(1, 3) := \matrix_(i, j) nth 0 [:: 1; 0; 0] j.
Definition new_rows : 'M[rat]_(3, 2) := \matrix_(i, j) nth 0 (nth [::] [:: [:: 1; 0]; [:: 0; 1]; [:: 0; - 1]] i) j.
Definition new_columns : 'M[rat]_(1, 3) := \matrix_(i, j) nth 0 [:: 1; 1; - 1] j.
Definition second_entry : 'M[rat]_(1, 2) := \matrix_(i, j) nth 0 [:: 0; 1] j.
(* Needed: theorem=only_by_turning hypothesis=columns of W2 not 0 lemma=needs_columns *)
Lemma needs_columns : [/\ nonzero_rows rows_of, noncollinear rows_of,
  absorbs new_columns new_rows first_alone rows_of second_entry &
  forall J : pred 'I_3, part J first_alone rows_of <> - second_entry].
Proof.
split=> [i|i j c ne /rowP e|x|J].
- apply/rV0Pn; case: i => -[|[|[|//]]] ?; [exists 0|exists 1|exists 0]; by rewrite !mxE.
- have cross : rows_of i 0 * rows_of j 1 = rows_of j 0 * rows_of i 1.
    by have := e 0; have := e 1; rewrite !mxE => -> ->; rewrite mulrCA -mulrA.
  move: cross ne {e}; rewrite !mxE; case: i => -[|[|[|//]]] ?; case: j => -[|[|[|//]]] ? //= /eqP; by vm_compute.
- have dots (A : 'M[rat]_(3, 2)) i : dot (row i A) x = A i 0 * x 0 0 + A i 1 * x 1 0.
    by rewrite /dot !mxE !big_ord_recl big_ord0 !mxE addr0; congr (_ + A _ _ * x _ _); apply: val_inj.
  rewrite !mlp_sum !big_ord_recl !big_ord0 !addr0; apply/colP => i.
  rewrite !ord1 !(mxE, dots) !big_ord_recl !big_ord0 !mxE /=.
  rewrite !(mul0r, mul1r, mulr0, mulr1, addr0, add0r, mulrN1, mulN1r); congr (_ + _).
  have -> : lift ord0 ord0 = 1 :> 'I_2 by apply: val_inj.
  by rewrite relu_half_odd.
move=> /matrixP /(_ 0 1); rewrite /part summxE big_mkcond !big_ord_recl big_ord0 !mxE !big_ord1 !mxE /=.
by case: (J _); case: (J _); case: (J _) => /eqP; vm_compute.
Qed.
End Needed.

(* Needed: theorem=only_by_turning hypothesis=rows of W1 pairwise not collinear lemma=k_e1_nec.needs_noncollinear *)
(* Needed: theorem=only_by_turning hypothesis=rows of W1 not 0 argued=follows from noncollinear rows where m > 1; one neuron whose row is 0 absorbs no Z but 0, with J empty *)
