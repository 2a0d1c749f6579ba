(* k_l_conjugate.v - K-L-conjugate: a block without norms is conjugate to its reduced block, and so are its iterates. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
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
