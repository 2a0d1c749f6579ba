(* k_p4_1.v - K-P4.1: one head needs two weights, not four.
 *
 * The paper (003, Proposition 4.1): Attn(X, W_Q, W_K, W_V, W_O) = Attn(X, I, W_K W_Q', W_V W_O, I) for h = 1,
 * regardless of norms and skips.  No RoPE and no norm of queries and keys, which would stand between W_Q and W_K'; no
 * biases of query, key and value.  Nothing is asked of the ranks. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads witness_idle witness_linear.
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

(* ---- without a hypothesis: logits of linear attention, where the scores themselves are the weights -------------- *)

Section Needed.
(* -- one token, one number wide *)
Notation Attn W := (model_forward (straight 1 1 1) (attends false W) (1%:M : 'M[rat]_(1 * 1)) 0 0).

(* A bias of 1 of the queries, the keys or the values: 1 in place of 2. *)
(* Needed: theorem=single_head,models hypothesis=no biases of queries lemma=needs_no_query_bias *)
Lemma needs_no_query_bias : let W := numbers 1 1 1 0 1 0 id id in Attn (four_to_two W) = 1 /\ Attn W = 2%:R.
Proof. by move=> W; split; rewrite (@of_numbers _ _ id id) // !(mxE, big_ord1); apply/eqP; vm_compute. Qed.
(* Needed: theorem=single_head,models hypothesis=no biases of keys lemma=needs_no_key_bias *)
Lemma needs_no_key_bias : let W := numbers 1 0 1 1 1 0 id id in Attn (four_to_two W) = 1 /\ Attn W = 2%:R.
Proof. by move=> W; split; rewrite (@of_numbers _ _ id id) // !(mxE, big_ord1); apply/eqP; vm_compute. Qed.
(* Needed: theorem=single_head,values_alone,models hypothesis=no biases of values lemma=needs_no_value_bias *)
Lemma needs_no_value_bias : let W := numbers 1 0 1 0 1 1 id id in
  [/\ Attn (four_to_two W) = 1, Attn (four_to_three W) = 1 & Attn W = 2%:R].
Proof. by move=> W; split; rewrite (@of_numbers _ _ id id) // !(mxE, big_ord1); apply/eqP; vm_compute. Qed.
(* A norm x / (|x| + 1) of the queries, W_Q = 2: 1 in place of 2/3; of the keys: 2/3 in place of 1. *)
(* Needed: theorem=single_head,models hypothesis=no norm of queries lemma=needs_no_query_norm *)
Lemma needs_no_query_norm : let W := numbers 2%:R 0 1 0 1 0 shrunk id in
  Attn (four_to_two W) = 1 /\ Attn W = 2%:R / 3%:R.
Proof. by move=> W; split; rewrite (@of_numbers _ _ shrunk id) // !(mxE, big_ord1); apply/eqP; vm_compute. Qed.
(* Needed: theorem=single_head,models hypothesis=no norm of keys lemma=needs_no_key_norm *)
Lemma needs_no_key_norm : let W := numbers 2%:R 0 1 0 1 0 id shrunk in
  Attn (four_to_two W) = 2%:R / 3%:R /\ Attn W = 1.
Proof. by move=> W; split; rewrite (@of_numbers _ _ id shrunk) // !(mxE, big_ord1); apply/eqP; vm_compute. Qed.

(* -- two tokens, one head of width 2, X = I: attention is (rotated W_Q) (rotated W_K)' W_V W_O *)
Notation Attn2 rot W := (model_forward (@reading 2 1 2 id rot) (attends false W) (1%:M : 'M[rat]_(1 * 2))).
Notation plain_tokens Wq Wk Wv Wo := (two_tokens Wq Wk Wv Wo id id).

(* RoPE, a quarter turn at the second token, W_Q = diag(1, 2): -1 in place of -2. *)
(* Needed: theorem=single_head,models hypothesis=no RoPE lemma=needs_no_rope *)
Lemma needs_no_rope : let W := plain_tokens (pair_of 1 0 0 2%:R) 1%:M 1%:M 1%:M in
  Attn2 quarter (four_to_two W) 1 0 = - 1 /\ Attn2 quarter W 1 0 = - 2%:R.
Proof.
move=> W; rewrite -[four_to_two _]/(plain_tokens _ _ _ _) !of_pairs !map_mx_id // !mulmx1 !mul1mx !pair_dot.
by rewrite !(mxE, big_ord_recl, big_ord0); split; apply/eqP; vm_compute.
Qed.
(* W_Q W_K' as keys in place of W_K W_Q': 1 in place of 0; W_O W_V as values in place of W_V W_O: 1 in place of 2. *)
Lemma needs_order : let u := pair_of 1 1 0 1 in
  [/\ Attn2 (fun=> 1%:M) (plain_tokens 1%:M (u *m 1%:M^T) 1%:M 1%:M) 1 0 = 1,
      Attn2 (fun=> 1%:M) (plain_tokens u 1%:M 1%:M 1%:M) 1 0 = 0,
      Attn2 (fun=> 1%:M) (plain_tokens 1%:M 1%:M (u^T *m u) 1%:M) 0 0 = 1 &
      Attn2 (fun=> 1%:M) (plain_tokens 1%:M 1%:M u u^T) 0 0 = 2%:R].
Proof.
move=> u; rewrite !of_pairs !map_mx_id // !unturned !trmx1 !mulmx1 !mul1mx !pair_dot.
by rewrite !mxE; split; apply/eqP; vm_compute.
Qed.

(* -- one token X = (1, 1), two heads of width 1: head a is its query times its key times its value *)
Notation Attn1 W := (model_forward (straight 1 2 1) (attends true W) (const_mx 1 : 'M[rat]_(1, 2 * 1)) 0 0).
(* W_Q = (1, 1; 0, 1): the first head gives 2 in place of 1; the values alone, W_O = (0, 1; 1, 0): 1 in place of 2. *)
Lemma needs_one_head : let u := pair_of 1 1 0 1 in let swap := pair_of 0 1 1 0 in
  [/\ Attn1 (two_heads 1%:M (1%:M *m u^T) 1%:M 1%:M) = 2%:R, Attn1 (two_heads u 1%:M 1%:M 1%:M) = 1,
      Attn1 (two_heads u 1%:M (1%:M *m swap) 1%:M) = 1 & Attn1 (two_heads u 1%:M 1%:M swap) = 2%:R].
Proof. by move=> u swap; rewrite !mul1mx; split; rewrite of_heads !mxE; apply/eqP; vm_compute. Qed.
End Needed.
