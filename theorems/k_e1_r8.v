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
