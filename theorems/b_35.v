(* b_35.v - B-35, which pairs of matrices of one head collapse into one: query and key, value and projection. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms witness witness_idle witness_linear.
From Theorems Require k_p4_1.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section OneHead.
Variables (R : comUnitRingType) (n dk V : nat).
Notation d := (1 * dk)%N.
Implicit Types (sh : shape R n d 1 1 dk) (W : layer R n d 1 1 dk) (G : 'M[R]_d).

(* Provably: claim=B-35 part=corrected theorem=query_and_key quantifiers=all sizes, row maps, masks, weights, X, G in GL(N) *)
Theorem query_and_key sh W G X : plain sh -> plain_layer W -> G \in unitmx ->
  model_attention sh (with_queries W (W_Q W *m G) (W_K W *m (invmx G)^T)) X = model_attention sh W X.
Proof.
move=> pl plW u; apply: query_key_forms => // a; left.
by rewrite !one_form trmx_mul trmxK mulmxA mulmxK.
Qed.

(* Provably: claim=B-35 part=corrected-value-and-output theorem=value_and_output quantifiers=all sizes, row maps, masks, weights, X, G in GL(N) *)
Theorem value_and_output sh W G X : plain sh -> plain_layer W -> b_V W = 0 -> G \in unitmx ->
  model_attention sh (with_values W (W_V W *m G) (invmx G *m W_O W)) X = model_attention sh W X.
Proof.
move=> pl plW bv u; apply: value_output_forms => // a.
by rewrite /value_form !one_head -mulmxA mulKVmx.
Qed.
End OneHead.

(* Values turn behind any scores: value_and_output with neither of its first two hypotheses. *)
Lemma behind_any_scores (R : comUnitRingType) n dk (sh : shape R n (1 * dk) 1 1 dk) W (G : 'M_(1 * dk)) X :
  b_V W = 0 -> G \in unitmx ->
  model_attention sh (with_values W (W_V W *m G) (invmx G *m W_O W)) X = model_attention sh W X.
Proof.
move=> bv u; rewrite /model_attention /model_self_attention /model_attention_of /head_attention /=.
by rewrite !k_p4_1.one_head bv !affine_no_bias /affine !mulmxA mulmxK.
Qed.

(* ---- without a hypothesis: linear attention, where the scores themselves are the weights (witness_linear.v) ------ *)

Section Needed.
Notation Attn W := (model_attention (straight 1 1 1) W (1%:M : 'M[rat]_(1 * 1)) 0 0).
Notation num x := (x%:M : 'M[rat]_(1 * 1)).
Notation by_queries W G := (with_queries W (W_Q W *m G) (W_K W *m (invmx G)^T)).
Notation by_values W G := (with_values W (W_V W *m G) (invmx G *m W_O W)).
Section Turned.
Variables (q bq k bk v bv t : rat) (f g : rat -> rat).
Notation W := (numbers q bq k bk v bv f g).
Lemma attn_is : Attn W = f (q + bq) * g (k + bk) * (v + bv).
Proof. by rewrite (@attention_of_numbers W f g) // !mxE /= !mulr1n mulr1 addr0. Qed.
Lemma attn_by_queries : Attn (by_queries W (num t)) = f (q * t) * g (k * t^-1) * (v + bv).
Proof.
rewrite (@attention_of_numbers (by_queries W (num t)) f g) // [W_Q _]/= [W_K _]/= invmx_scalar tr_scalar_mx.
by rewrite -!scalar_mxM !mxE /= !mulr1n mulr1 !addr0.
Qed.
Lemma attn_by_values : Attn (by_values W (num t)) = f (q + bq) * g (k + bk) * (v * t) * (t^-1 * 1).
Proof.
rewrite (@attention_of_numbers (by_values W (num t)) f g) // [W_V _]/= [W_O _]/= invmx_scalar -!scalar_mxM !mxE /=.
by rewrite !mulr1n !addr0.
Qed.
End Turned.
Ltac number := apply/eqP; vm_compute; reflexivity.

(* G = 0 has no inverse (Coq writes 0 for it): 0 in place of 1. *)
(* Needed: theorem=query_and_key,value_and_output hypothesis=G in GL(N) lemma=needs_invertible *)
Lemma needs_invertible : let W := numbers 1 0 1 0 1 0 id id in
  [/\ Attn (by_queries W (num 0)) = 0, Attn (by_values W (num 0)) = 0 & Attn W = 1].
Proof. by split; [rewrite attn_by_queries|rewrite attn_by_values|rewrite attn_is]; number. Qed.
(* G = 1, a bias 1 of the queries, the keys or the values, which the new ones do not have: 1 in place of 2. *)
(* Needed: theorem=query_and_key hypothesis=no bias of queries and keys lemma=needs_no_bias *)
(* Needed: theorem=value_and_output hypothesis=no bias of the values lemma=needs_no_bias *)
Lemma needs_no_bias : let query := numbers 1 1 1 0 1 0 id id in let key := numbers 1 0 1 1 1 0 id id in
  let value := numbers 1 0 1 0 1 1 id id in
  [/\ Attn (by_queries query (num 1)) = 1 /\ Attn query = 2%:R, Attn (by_queries key (num 1)) = 1 /\ Attn key = 2%:R &
      Attn (by_values value (num 1)) = 1 /\ Attn value = 2%:R].
Proof.
by split; split; [rewrite attn_by_queries|rewrite attn_is|rewrite attn_by_queries|rewrite attn_is|
  rewrite attn_by_values|rewrite attn_is]; number.
Qed.
(* G = 2, a norm x / (|x| + 1) of the queries, or of the keys: 1/3 or 2/3 in place of 1/2. *)
(* Needed: theorem=query_and_key hypothesis=no norm of queries and keys lemma=needs_no_norm *)
Lemma needs_no_norm : let query := numbers 1 0 1 0 1 0 shrunk id in let key := numbers 1 0 1 0 1 0 id shrunk in
  (Attn (by_queries query (num 2%:R)) = 1 / 3%:R /\ Attn query = 1 / 2%:R) /\
  (Attn (by_queries key (num 2%:R)) = 2%:R / 3%:R /\ Attn key = 1 / 2%:R).
Proof.
by split; split; [rewrite attn_by_queries|rewrite attn_is|rewrite attn_by_queries|rewrite attn_is]; number.
Qed.

(* RoPE, a quarter turn at the second of two tokens, G = diag(1, 2), which does not commute: -2 in place of -1. *)
(* Needed: theorem=query_and_key hypothesis=no rotations lemma=needs_no_rope *)
Lemma needs_no_rope : let W := two_tokens 1%:M 1%:M 1%:M 1%:M id id in let G := pair_of 1 0 0 2%:R in
  let Attn2 W := model_attention (@reading 2 1 2 id quarter) W (1%:M : 'M[rat]_(1 * 2)) 1 0 in
  Attn2 (by_queries W G) = - 2%:R /\ Attn2 W = - 1.
Proof.
move=> W G Attn2; have [inv _] : invmx G = pair_of 1 0 0 (1 / 2%:R) /\ G \in unitmx.
  apply: invmx_eq; apply/matrixP => -[[|[|//]] ?] [[|[|//]] ?]; rewrite pair_dot !mxE; apply/eqP; by vm_compute.
rewrite /Attn2 /W -[by_queries _ _]/(two_tokens (1%:M *m G) (1%:M *m (invmx G)^T) 1%:M 1%:M id id) !attention_of_pairs.
by rewrite !map_mx_id // !mulmx1 !mul1mx inv !pair_dot !(mxE, big_ord_recl, big_ord0); split; apply/eqP; vm_compute.
Qed.
End Needed.

(* Needed: theorem=value_and_output hypothesis=no rotations, each head its own keys argued=not needed, as behind_any_scores shows: the class is that of query_and_key *)
(* Needed: theorem=value_and_output hypothesis=no norms, no biases of queries and keys argued=not needed, as behind_any_scores shows: the class is that of query_and_key *)
