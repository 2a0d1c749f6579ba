(* k_e1_r8.v - K-E1-R8, corrected: Theorem E.1 does not ask for m = 4h; below h neurons nothing is absorbable. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section EveryWidth.
Variables (F : realFieldType) (h m : nat) (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(h, m)).
Hypotheses (rows : nonzero_rows W1) (apart : noncollinear W1) (columns : nonzero_columns W2).
Definition absorbable := exists (V2 : 'M[F]_(h, m)) (V1 : 'M[F]_(m, h)), absorbs V2 V1 W2 W1 1%:M.

(* Provably: claim=K-E1-R8 part=corrected theorem=every_width quantifiers=all ordered fields, h, m, W1, W2 *)
Theorem every_width : absorbable <-> exists J : pred 'I_m, part J W2 W1 = - 1%:M.
Proof. exact: absorbable_iff. Qed.

(* Provably: claim=K-E1-R8 part=corrected-m-below-h theorem=below_h quantifiers=all ordered fields, h, m < h, W1, W2 *)
Theorem below_h : (m < h)%N -> ~ absorbable.
Proof.
move=> small /every_width [J eJ]; have := part_rank J W2 W1.
by rewrite eJ mxrank_opp mxrank1 leqNgt small.
Qed.
End EveryWidth.

(* Without a hypothesis of every_width: E.1's own weights (k_e1_nec.v).  below_h does not need the conditions on W1 and
 * W2: where the neurons of V and of W add up to x, at least two of them lie on each line that adds a linear part. *)
(* Needed: theorem=every_width hypothesis=no row of W1 zero lemma=k_e1_nec.needs_nonzero_rows *)
(* Needed: theorem=every_width hypothesis=no two rows of W1 collinear lemma=k_e1_nec.needs_noncollinear *)
(* Needed: theorem=every_width hypothesis=no column of W2 zero lemma=k_e1_nec.needs_nonzero_columns *)
(* Needed: theorem=below_h hypothesis=no row of W1 zero argued=not needed: I takes h lines with two of the 2m neurons of V and W on each *)
(* Needed: theorem=below_h hypothesis=no two rows of W1 collinear argued=not needed: I takes h lines with two of the 2m neurons of V and W on each *)
(* Needed: theorem=below_h hypothesis=no column of W2 zero argued=not needed: I takes h lines with two of the 2m neurons of V and W on each *)
(* m = h = 1: -ReLU(x) + x = -ReLU(-x). *)
(* Needed: theorem=below_h hypothesis=m below h lemma=needs_few_neurons *)
Lemma needs_few_neurons (F : realFieldType) : let W1 : 'M[F]_1 := 1%:M in let W2 : 'M[F]_1 := - 1%:M in
  [/\ nonzero_rows W1, noncollinear W1, nonzero_columns W2 & absorbable W1 W2].
Proof.
move=> W1 W2; have [rows apart columns] : [/\ nonzero_rows W1, noncollinear W1 & nonzero_columns W2].
  split=> [i|i j c|i]; [|by rewrite !ord1|].
    by apply/rV0Pn; exists 0; rewrite !mxE !ord1 oner_eq0.
  by apply/cV0Pn; exists 0; rewrite !mxE !ord1 oppr_eq0 oner_eq0.
split=> //; apply/(every_width rows apart columns); exists predT.
by rewrite /part big_ord1; apply/matrixP => i j; rewrite !mxE big_ord1 !mxE !ord1 eqxx mulr1.
Qed.
