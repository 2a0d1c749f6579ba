(* k_t4_3.v - K-T4.3, weight-shared elimination: k_t4_3.c for every size, depth and number of heads.
 *
 * The paper (003, Theorem 4.3): where all layers share one block, W_Q in GL(d), and nothing is normalized, the model
 * that shares one block with W~_Q = I is the same function.  Theta = W_Q is the basis of the whole stream. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Shared.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V) (T : 'M[R]_(n, V)).

(* L times the layer W *)
(* Provably: claim=K-T4.3 part=as-stated theorem=shared_block quantifiers=all sizes, heads, depths, functions *)
Theorem shared_block sh M L W :
  norm sh = None -> head M <> None -> at_ M = nseq L W -> W_Q W \in unitmx ->
  let M' := gauge_model sh (fun=> W_Q W) M in
  (forall T, model_forward sh M' T = model_forward sh M T) /\
  (exists W', at_ M' = nseq L W' /\ W_Q W' = 1%:M).
Proof.
move=> noN untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
exists (gauge_layer sh (W_Q W) (W_Q W) W); rewrite W_Q_gauge mulVmx //; split=> //.
by rewrite /M' /= gauge_layers_one layers map_nseq.
Qed.
End Shared.

(* ---- without a hypothesis: the construction on two layers of one number, all skips, W_Q = 2 --------------------- *)

Section Needed.
Notation logits sh M := (model_forward sh M 1%:M 0 0).
Notation small head q := (small_model_of head [:: silent 0 q; silent 0 q]).

(* A norm in front of the head: the logit is 1/3 in place of 1/2. *)
(* Needed: theorem=shared_block hypothesis=no normalization lemma=needs_no_norm *)
Lemma needs_no_norm : let sh := small_shape_of true true (Some small_norm) in
  logits sh (gauge_model sh (fun=> 2%:R%:M) (small (Some 1%:M) 2%:R)) = 1 / 3%:R /\
  logits sh (small (Some 1%:M) 2%:R) = 1 / 2%:R.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?passes ?passes0.
  rewrite !mul1mx mul0mx addr0 !mulmx1 /affine const0 addr0 mulmx1 invmx_scalar mul_mx_scalar.
  by rewrite /small_norm !(mxE, big_ord1, eqxx, mulr1n); apply/eqP; vm_compute.
rewrite !mulmx1 addr0 /affine const0 addr0 !mulmx1.
by rewrite /small_norm !(mxE, eqxx, mulr1n); apply/eqP; vm_compute.
Qed.

(* A tied head that stays tied: the logit is 4 in place of 1. *)
(* Needed: theorem=shared_block hypothesis=untied head lemma=needs_untied *)
Lemma needs_untied : let sh := small_shape_of true true None in
  logits sh (gauge_model sh (fun=> 2%:R%:M) (small None 2%:R)) = 4%:R /\ logits sh (small None 2%:R) = 1.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?passes ?passes0.
  rewrite !mul1mx mul0mx addr0 tr_scalar_mx mul_mx_scalar.
  by rewrite !(mxE, eqxx, mulr1n); apply/eqP; vm_compute.
by rewrite !mulmx1 addr0 trmx1 mulmx1 mxE.
Qed.

(* W_Q = 0 has no inverse: the logit is 0 in place of 1. *)
(* Needed: theorem=shared_block hypothesis=W_Q in GL(d) lemma=needs_invertible *)
Lemma needs_invertible : let sh := small_shape_of true true None in
  logits sh (gauge_model sh (fun=> 0%:M) (small (Some 1%:M) 0)) = 0 /\ logits sh (small (Some 1%:M) 0) = 1.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?passes ?passes0.
  by rewrite !(zero_scalar, mulmx0, mul0mx, addr0) mxE.
by rewrite !mulmx1 addr0 mxE.
Qed.

(* Layers of two blocks: no Theta makes W_Q = 1 and W_Q = 2 one block with W_Q = I. *)
(* Needed: theorem=shared_block hypothesis=all layers share one block lemma=needs_shared_block *)
Lemma needs_shared_block sh (Theta : 'M[rat]_(1 * 1)) : Theta \in unitmx ->
  let M := small_model_of (Some 1%:M) [:: silent 0 1; silent 0 2%:R] in
  ~ exists W', at_ (gauge_model sh (fun=> Theta) M) = nseq 2 W' /\ W_Q W' = 1%:M.
Proof.
move=> u M [W' [/= [e1 e2] gone]]; have := congr1 (@W_Q _ _ _ _ _ _) e1; have := congr1 (@W_Q _ _ _ _ _ _) e2.
rewrite gone !W_Q_gauge => two one.
have := mulKVmx u (W_Q (silent 0 1)); rewrite one -two mulKVmx //= => /matrixP /(_ 0 0).
by rewrite !mxE => /eqP.
Qed.
End Needed.
