(* b_6.v - B-6, when an MLP has more parameters than attention: m >= 2N + 1, with biases or without.
 *
 * The paper (002, Section 2): "The MLP requires the majority of the parameters to be fitted." *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* four N x N matrices and their biases; two matrices, N x m and m x N, and their biases *)
Definition attention (biases : bool) N := 4 * (N * N) + (if biases then 4 * N else 0).
Definition mlp (biases : bool) N m := 2 * (m * N) + (if biases then m + N else 0).

Ltac linear := rewrite -?plusE -?multE; nia.

(* Provably: claim=B-6 part=as-stated theorem=narrow quantifiers=all N > 0 *)
Theorem narrow N : 0 < N -> mlp true N N < attention true N /\ mlp true N (2 * N) < attention true N.
Proof. by move=> /ltP N0; rewrite /mlp /attention; split; apply/ltP; linear. Qed.

(* Provably: claim=B-6 part=corrected theorem=corrected quantifiers=all N > 0, m, with biases or without *)
Theorem corrected N biases : 0 < N ->
  (forall m, (attention biases N < mlp biases N m) = (2 * N + 1 <= m)) /\
  3 * mlp false N (4 * N) = 2 * (mlp false N (4 * N) + attention false N).
Proof.
move=> /ltP N0; split=> [m|]; rewrite /mlp /attention; last by linear.
by apply/ltP/leP; case: biases; linear.
Qed.

(* N = 0: nothing is less than nothing, in an MLP without biases of any width. *)
(* Needed: theorem=narrow,corrected hypothesis=N > 0 lemma=needs_width *)
Lemma needs_width :
  [/\ mlp true 0 0 < attention true 0 = false, attention false 0 < mlp false 0 1 = false & 2 * 0 + 1 <= 1].
Proof. by []. Qed.
