(* k_l_conjugate.v - K-L-conjugate: a block without norms is conjugate to its reduced block, and so are its iterates. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Conjugate.
Variables (R : comUnitRingType) (n h h_kv dk : nat).
Notation d := (h * dk)%N.
Variable sh : shape R n d h h_kv dk.
Hypothesis no_norm : norm sh = None.

(* B = Theta^-1 o B~ o Theta with W~_Q = I, and the same for B^k *)
(* Provably: claim=K-L-conjugate part=as-stated theorem=conjugate quantifiers=all sizes, heads, iterates, X *)
Theorem conjugate (W : layer R n d h h_kv dk) : W_Q W \in unitmx ->
  let W' := gauge_layer sh (W_Q W) (W_Q W) W in
  W_Q W' = 1%:M /\
  forall k X, iter k (model_block sh W) X = iter k (model_block sh W') (X *m W_Q W) *m invmx (W_Q W).
Proof.
move=> u W'; split=> [|k X]; first by rewrite W_Q_gauge mulVmx.
suff -> : iter k (model_block sh W') (X *m W_Q W) = iter k (model_block sh W) X *m W_Q W by rewrite mulmxK.
by elim: k => //= k ->; rewrite block_gauge.
Qed.
End Conjugate.

(* ---- without a hypothesis: blocks of one number, X = 1 ----------------------------------------------------------- *)

Section Needed.
Notation num x := (x%:M : 'M[rat]_(1 * 1)).
Notation conjugated sh W k :=
  ((iter k (model_block sh (gauge_layer sh (W_Q W) (W_Q W) W)) (1%:M *m W_Q W) *m invmx (W_Q W)) 0 0).

(* A norm x / (|x| + 1), then the identity MLP, W_Q = 2: 1/3 in place of 1/2. *)
(* Needed: theorem=conjugate hypothesis=no normalization lemma=needs_no_norm *)
Lemma needs_no_norm : let sh := small_shape_of true false (Some small_norm) in
  conjugated sh (silent 1 2%:R) 1 = 1 / 3%:R /\ iter 1 (model_block sh (silent 1 2%:R)) (num 1) 0 0 = 1 / 2%:R.
Proof.
split; rewrite /= ?is_norm ?is_norm0.
  rewrite mul1mx invmx_scalar !mul_mx_scalar.
  by rewrite /small_norm !(mxE, eqxx, mulr1n); apply/eqP; vm_compute.
by rewrite /small_norm !(mxE, eqxx, mulr1n); apply/eqP; vm_compute.
Qed.
(* W_Q = 0 has no inverse (Coq writes 0 for it): 0 in place of 1. *)
(* Needed: theorem=conjugate hypothesis=W_Q in GL(d) lemma=needs_invertible *)
Lemma needs_invertible : let sh := small_shape_of true true None in
  conjugated sh (silent 0 0) 1 = 0 /\ iter 1 (model_block sh (silent 0 0)) (num 1) 0 0 = 1.
Proof. by split; rewrite /= ?passes ?passes0 ?zero_scalar ?mulmx0 ?mul0mx mxE. Qed.
End Needed.
