(* k_trm.v - K-TRM, corrected: two layers used in turn, no normalization: one of the two W_Q becomes the identity. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section InTurn.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V).

Definition in_turn k (W1 W2 : layer R n d h h_kv dk) := flatten (nseq k [:: W1; W2]).
Lemma map_in_turn (f : layer R n d h h_kv dk -> layer R n d h h_kv dk) k W1 W2 :
  map f (in_turn k W1 W2) = in_turn k (f W1) (f W2).
Proof. by elim: k => //= k IH; rewrite /in_turn /= -/(in_turn k W1 W2) IH. Qed.

(* Provably: claim=K-TRM part=corrected theorem=first_of_two quantifiers=all sizes, heads, depths, functions *)
Theorem first_of_two sh M k W1 W2 : norm sh = None -> head M <> None -> at_ M = in_turn k W1 W2 ->
  W_Q W1 \in unitmx ->
  let M' := gauge_model sh (fun=> W_Q W1) M in
  same_function sh M' M /\ exists W1' W2', at_ M' = in_turn k W1' W2' /\ W_Q W1' = 1%:M.
Proof.
move=> noN untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
exists (gauge_layer sh (W_Q W1) (W_Q W1) W1), (gauge_layer sh (W_Q W1) (W_Q W1) W2).
by rewrite W_Q_gauge mulVmx // /M' /= gauge_layers_one layers map_in_turn.
Qed.

(* Provably: claim=K-TRM part=corrected-second-layer theorem=second_of_two quantifiers=all sizes, heads, depths, functions *)
Theorem second_of_two sh M k W1 W2 : norm sh = None -> head M <> None -> at_ M = in_turn k W1 W2 ->
  W_Q W2 \in unitmx ->
  let M' := gauge_model sh (fun=> W_Q W2) M in
  same_function sh M' M /\ exists W1' W2', at_ M' = in_turn k W1' W2' /\ W_Q W2' = 1%:M.
Proof.
move=> noN untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
exists (gauge_layer sh (W_Q W2) (W_Q W2) W1), (gauge_layer sh (W_Q W2) (W_Q W2) W2).
by rewrite W_Q_gauge mulVmx // /M' /= gauge_layers_one layers map_in_turn.
Qed.
End InTurn.
