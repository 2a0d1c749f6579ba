(* b_34.v - B-34, parameters of MLP and attention: b_34.c for every N, H, h and all weights.
 *
 * The paper (002, Section 7): "With model size N, the attention mechanism requires 4N^2 parameters in the form of
 * matrices W^Q, W^K, W^V, and W^O. [..] the MLP consists of weights and biases of two layers, with a total of
 * hN(N+1) + N(hN+1) = 2hN^2 + hN + N ~ 2hN^2.  If the multiple is h = 4, MLP has double the number of parameters as the
 * attention mechanism.  Consequently, omitting MLP reduces the parameters to 33 % of the original size."  Shares are of
 * matrices, as the paper's are. *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import transformer.
From Theorems Require Import b_5.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Ltac linear := rewrite -?plusE -?multE; nia.
Lemma entries_of (R : comUnitRingType) p q (A : 'M[R]_(p, q)) : entries A = p * q.
Proof. by rewrite /entries card_prod !card_ord. Qed.

(* Provably: claim=B-34 part=as-stated-mlp theorem=of_mlp quantifiers=all N, h, MLPs of width h N *)
Theorem of_mlp (R : comUnitRingType) N h (F : mlp R N) : m F = h * N ->
  let parameters := entries (W_up F) + entries (b_up F) + entries (W_down F) + entries (b_down F) in
  parameters = h * N * (N + 1) + N * (h * N + 1) /\ parameters = 2 * h * N ^ 2 + h * N + N.
Proof. by move=> width parameters; rewrite /parameters !entries_of width expnS expn1; split; linear. Qed.

(* One layer of H heads, N = H dk, with an MLP F of width 4N, and any one matrix W_QK for queries and keys.  1/3 is 33 %
 * rounded: between 32.5 and 33.5. *)
(* Provably: claim=B-34 part=as-stated theorem=shares quantifiers=all H, N > 0, weights *)
Theorem shares (R : comUnitRingType) n H dk (W : layer R n (H * dk) H H dk) (F : mlp R (H * dk))
  (W_QK : 'M[R]_(H * dk)) :
  let N := H * dk in 0 < N -> m F = 4 * N ->
  let query_key := entries (W_Q W) + entries (W_K W) in let value_output := entries (W_V W) + entries (W_O W) in
  let attention := query_key + value_output in let mlp := entries (W_up F) + entries (W_down F) in
  let whole := attention + mlp in
  [/\ attention = 4 * N ^ 2, mlp = 2 * attention, 65 * whole <= 200 * attention < 67 * whole &
      [/\ 100 * (query_key - entries (W_Q W)) = 50 * query_key, 100 * value_output = 50 * attention &
          100 * entries W_QK = 25 * attention]].
Proof.
move=> N N0 width; rewrite /= !entries_of width -/N expnS expn1 addnK.
have sq : 0 < N * N by rewrite muln_gt0 N0.
split; [linear|linear| |by split; linear].
apply/andP; split; first by apply/leP; linear.
by apply/ltP; move/ltP: sq; linear.
Qed.

(* ---- without a hypothesis ---------------------------------------------------------------------------------------- *)

(* N = 0: nothing is no share of nothing. *)
(* Needed: theorem=shares hypothesis=N > 0 lemma=needs_width *)
Lemma needs_width : 200 * (4 * 0 ^ 2) < 67 * (4 * 0 ^ 2 + 2 * (4 * 0 ^ 2)) = false. Proof. by []. Qed.
(* An MLP of another width m: its matrices have twice what attention has at m = 4N alone, N > 0. *)
(* Needed: theorem=shares hypothesis=an MLP of width 4N lemma=needs_multiple *)
Lemma needs_multiple (R : comUnitRingType) N (F : mlp R N) : 0 < N ->
  (entries (W_up F) + entries (W_down F) == 2 * (4 * N ^ 2)) = (m F == 4 * N).
Proof.
move=> N0; rewrite !entries_of (mulnC (m F)) addnn -mul2n eqn_mul2l expnS expn1 /= mulnCA eqn_mul2l.
by rewrite eqn0Ngt N0.
Qed.
(* h N + 1 neurons: 2N + 1 parameters more. *)
(* Needed: theorem=of_mlp hypothesis=an MLP of width h N lemma=needs_width_hN *)
Lemma needs_width_hN (R : comUnitRingType) N h (F : mlp R N) : m F = h * N + 1 ->
  entries (W_up F) + entries (b_up F) + entries (W_down F) + entries (b_down F) =
  2 * h * N ^ 2 + h * N + N + (2 * N + 1).
Proof. by move=> width; rewrite !entries_of width expnS expn1; linear. Qed.
