(* k_t4_3.v - K-T4.3, weight-shared elimination: k_t4_3.c for every size, depth and number of heads.
 *
 * The paper (003, Theorem 4.3): where all layers share one block, W_Q in GL(d), and nothing is normalized, the model
 * that shares one block with W~_Q = I is the same function.  Theta = W_Q is the basis of the whole stream. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge.
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

Print Assumptions shared_block.
