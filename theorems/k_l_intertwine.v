(* k_l_intertwine.v - K-L-intertwine: B(X) = B~(X Theta) Theta'^-1 for a block with a skip around attention only. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Intertwine.
Variables (R : comUnitRingType) (n h h_kv dk : nat).
Notation d := (h * dk)%N.
Variable sh : shape R n d h h_kv dk.
Hypotheses (no_norm : norm sh = None) (only : skips_around_attention_only sh).
Implicit Types (W : layer R n d h h_kv dk) (X : 'M[R]_(n, d)) (Theta : 'M[R]_d).

(* any pair of bases *)
(* Provably: claim=K-L-intertwine part=as-stated-any theorem=any_bases quantifiers=all sizes, heads, functions, X *)
Theorem any_bases W X Theta Theta' : Theta \in unitmx -> Theta' \in unitmx ->
  model_block sh W X = model_block sh (gauge_layer sh Theta Theta' W) (X *m Theta) *m invmx Theta'.
Proof. by move=> u u'; rewrite block_gauge ?mulmxK // attention_only_crosses. Qed.

(* Theta = W_Q: the new query matrix is I *)
(* Provably: claim=K-L-intertwine part=as-stated theorem=query_basis quantifiers=all sizes, heads, functions, X *)
Theorem query_basis W X Theta' : W_Q W \in unitmx -> Theta' \in unitmx ->
  let W' := gauge_layer sh (W_Q W) Theta' W in
  model_block sh W X = model_block sh W' (X *m W_Q W) *m invmx Theta' /\ W_Q W' = 1%:M.
Proof. by move=> u u' W'; split; [exact: any_bases|rewrite W_Q_gauge mulVmx]. Qed.
End Intertwine.

(* ---- without a hypothesis: blocks of one number, X = 1, Theta = W_Q = 2 where it is not said otherwise ----------- *)

Section Needed.
Notation num x := (x%:M : 'M[rat]_(1 * 1)).
(* B(X) and B~(X Theta) Theta'^-1, Theta = W_Q = q and Theta' = t *)
Notation plainly sh e q := (model_block sh (silent e q) (num 1) 0 0).
Notation between sh e q t :=
  ((model_block sh (gauge_layer sh (num q) (num t) (silent e q)) (num 1 *m num q) *m invmx (num t)) 0 0).

(* A norm x / (|x| + 1), then the identity MLP: 1/3 in place of 1/2. *)
(* Needed: theorem=any_bases,query_basis hypothesis=no normalization lemma=needs_no_norm *)
Lemma needs_no_norm : let sh := small_shape_of true false (Some small_norm) in
  between sh 1%N 2%:R 1 = 1 / 3%:R /\ plainly sh 1%N 2%:R = 1 / 2%:R.
Proof.
split; rewrite ?is_norm ?is_norm0.
  rewrite mul1mx mulmx1 invmx1 mulmx1 invmx_scalar mul_mx_scalar.
  by rewrite /small_norm !(mxE, eqxx, mulr1n); apply/eqP; vm_compute.
by rewrite /small_norm !(mxE, eqxx, mulr1n); apply/eqP; vm_compute.
Qed.
(* A skip around the MLP as well: 2 in place of 1. *)
(* Needed: theorem=any_bases,query_basis hypothesis=skips around attention only lemma=needs_no_MLP_skip *)
Lemma needs_no_MLP_skip : let sh := small_shape_of true true None in
  between sh 0%N 2%:R 1 = 2%:R /\ plainly sh 0%N 2%:R = 1.
Proof. by split; rewrite ?passes ?passes0 ?mul1mx ?invmx1 ?mulmx1 mxE. Qed.
(* Theta = W_Q = 0 or Theta' = 0, which have no inverse (Coq writes 0 for it): 0 in place of 1. *)
(* Needed: theorem=any_bases,query_basis hypothesis=Theta or W_Q invertible lemma=needs_invertible *)
(* Needed: theorem=any_bases,query_basis hypothesis=Theta' invertible lemma=needs_invertible *)
Lemma needs_invertible : let sh := small_shape_of true false None in
  [/\ between sh 1%N 0 1 = 0, plainly sh 1%N 0 = 1, between sh 1%N 2%:R 0 = 0 & plainly sh 1%N 2%:R = 1].
Proof. by split; rewrite ?is_norm ?is_norm0 ?zero_scalar ?mulmx0 ?mul0mx mxE. Qed.
End Needed.
