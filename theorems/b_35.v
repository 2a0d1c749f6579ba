(* b_35.v - B-35, which pairs of matrices of one head collapse into one: query and key, value and projection. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms.
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

(* G = 0 has no inverse (Coq writes 0 for it): the forms are 0 in place of W_Q W_K' and W_V W_O. *)
Lemma needs_invertible (R : comUnitRingType) d (A B : 'M[R]_d) :
  A *m 0 *m (B *m (invmx 0)^T)^T = 0 /\ A *m 0 *m (invmx 0 *m B) = 0.
Proof. by rewrite mulmx0 !mul0mx. Qed.
