(* k_p4_1.v - K-P4.1: one head needs two weights, not four.
 *
 * The paper (003, Proposition 4.1): Attn(X, W_Q, W_K, W_V, W_O) = Attn(X, I, W_K W_Q', W_V W_O, I) for h = 1,
 * regardless of norms and skips.  No RoPE and no norm of queries and keys, which would stand between W_Q and W_K'; no
 * biases of query, key and value.  Nothing is asked of the ranks. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section OneHead.
Variables (R : comUnitRingType) (n dk V : nat).
Notation d := (1 * dk)%N.
Notation layer := (layer R n d 1 1 dk).
Implicit Types (sh : shape R n d 1 1 dk) (W : layer) (M : model R n d 1 1 dk V).

Definition plain W := [/\ b_Q W = 0, b_K W = 0 & b_V W = 0].
Definition no_qk_norm W := (forall a A, norm_q W a A = A) /\ (forall g A, norm_k W g A = A).
Definition four_to_two W : layer := with_attention W 1%:M 0 (W_K W *m (W_Q W)^T) 0 (W_V W *m W_O W) 0 1%:M (b_O W).
(* only values and outputs: with RoPE or QK-norm *)
Definition four_to_three W : layer :=
  with_attention W (W_Q W) (b_Q W) (W_K W) (b_K W) (W_V W *m W_O W) 0 1%:M (b_O W).

Lemma affine0 p q (X : 'M[R]_(n, p)) (A : 'M_(p, q)) : affine X A 0 = X *m A.
Proof. by rewrite /affine (_ : \matrix_(i, j) _ = 0) ?addr0 //; apply/matrixP => i j; rewrite !mxE. Qed.
Lemma one_head_scores (A B : 'M[R]_(n, d)) (a b : 'I_1) : cols A a *m (cols B b)^T = A *m B^T.
Proof. by rewrite mul_cols_rows big_ord1 rows_tr !ord1. Qed.
Lemma rotate1 sh A : (forall t, rotation sh t = 1%:M) -> rotate sh A = A.
Proof. by move=> none; apply/row_matrixP => t; rewrite row_rotate none mulmx1. Qed.

Lemma one_head sh (S : 'I_1 -> 'M[R]_n) (B : 'M[R]_(n, d)) :
  hcat (fun a => S a *m cols B (group sh a)) = S ord0 *m B.
Proof. by rewrite -hcat_mul_cols; apply: eq_hcat => a; rewrite !ord1. Qed.

(* Provably: claim=K-P4.1 part=as-stated theorem=single_head quantifiers=all sizes, row maps, masks, X *)
(* Provably: claim=K-P4.1 part=as-stated-singular theorem=single_head quantifiers=all sizes, row maps, masks, X, ranks *)
Theorem single_head sh W X : plain W -> no_qk_norm W -> (forall t, rotation sh t = 1%:M) ->
  model_attention sh (four_to_two W) X = model_attention sh W X.
Proof.
case=> q0 k0 v0 [nq nk] rope; rewrite /model_attention /model_self_attention /model_attention_of /head_attention /=.
rewrite !one_head q0 k0 v0 !affine0 !nq !nk !rotate1 // !one_head_scores !trmx_mul trmxK !mulmx1.
by rewrite /affine mulmx1 !mulmxA.
Qed.

(* W_Q and W_K stay; anything may stand between them. *)
(* Provably: claim=K-P4.1 part=corrected-rope theorem=values_alone quantifiers=all sizes, row maps, rotations, X *)
(* Provably: claim=K-P4.1 part=corrected-with-qk-norm theorem=values_alone quantifiers=all sizes, row maps, masks, norms, X *)
Theorem values_alone sh W X : b_V W = 0 -> model_attention sh (four_to_three W) X = model_attention sh W X.
Proof.
move=> v0; rewrite /model_attention /model_self_attention /model_attention_of /head_attention /=.
by rewrite !one_head v0 !affine0 /affine mulmx1 !mulmxA.
Qed.

(* Every layer with two weights, whatever the norms, the skips and the head. *)
(* Provably: claim=K-P4.1 part=as-stated-none theorem=models quantifiers=all sizes, depths, functions *)
(* Provably: claim=K-P4.1 part=as-stated-all theorem=models quantifiers=all sizes, depths, norms, skips, heads *)
(* Provably: claim=K-Tab1 part=corrected theorem=models quantifiers=all sizes, depths, functions, norms *)
(* Provably: claim=K-Tab1 part=corrected-proposition-4.1-untied theorem=models quantifiers=all sizes, depths, functions *)
Theorem models sh M : (forall t, rotation sh t = 1%:M) -> (forall W, List.In W (at_ M) -> plain W /\ no_qk_norm W) ->
  let M' := with_layers M [seq four_to_two W | W <- at_ M] in
  same_function sh M' M /\ forall W, List.In W (at_ M') -> W_Q W = 1%:M /\ W_O W = 1%:M.
Proof.
move=> rope ok M'; split; last by rewrite /M' /= => W /List.in_map_iff [W0 [<- _]].
have -> : M' = with_layers M [seq (fun=> four_to_two) p.1 p.2 | p <- [seq (tt, W) | W <- at_ M]].
  by rewrite /M' -map_comp.
apply: (@same_layers _ _ _ _ _ _ _ sh M unit (fun=> four_to_two)) => [|i [u W] at_i X].
  by rewrite /unzip2 -map_comp map_id.
apply: block_with_attention => {}X; rewrite -/(four_to_two W).
have /List.in_map_iff [W' [[_ <-] inM]] := List.nth_error_In _ _ at_i.
by have [pl nn] := ok _ inM; apply: single_head.
Qed.
End OneHead.
