(* k_x_moe.v - K-X-moe: mixtures of experts, each with its own width and activation, weighed by a row map (any) of the
 * scores Y W_r.  The router reads the stream, so it is rewritten, too: W~_r = Theta^-1 W_r.  One Theta serves all
 * experts. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Experts.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Variable sh : shape R n d h h_kv dk.
Hypothesis no_norm : norm sh = None.

(* What becomes of the router and of each expert where the MLP reads in C and writes in D. *)
Definition experts_turn := forall (A B C D : 'M[R]_d) (W : layer R n d h h_kv dk),
  let W' := rewrite_layer A B C D W in
  (forall r f, router W = Some (r, f) -> router W' = Some (invmx C *m r, f)) /\
  forall e, W_up (expert W' e) = invmx C *m W_up (expert W e) /\ W_down (expert W' e) = W_down (expert W e) *m D.
Lemma experts_turn_holds : experts_turn.
Proof. by move=> A B C D W W'; split=> // r f rW; rewrite /W' /= rW. Qed.

(* Provably: claim=K-X-moe part=corrected theorem=moe_4_2 quantifiers=all sizes, heads, depths, functions, experts *)
(* Provably: claim=K-X-moe part=corrected-with-gated-mlp theorem=moe_4_2 quantifiers=all sizes, heads, depths, experts, gates *)
Theorem moe_4_2 : one_layer_eliminated V sh /\ experts_turn.
Proof. by split; [exact: one_layer_holds|exact: experts_turn_holds]. Qed.
(* Provably: claim=K-X-moe part=corrected-theorem-4.3 theorem=moe_4_3 quantifiers=all sizes, heads, depths, experts *)
Theorem moe_4_3 : shared_block_eliminated V sh /\ experts_turn.
Proof. by split; [exact: shared_block_holds|exact: experts_turn_holds]. Qed.
(* Provably: claim=K-X-moe part=corrected-theorem-4.4 theorem=moe_4_4 quantifiers=all sizes, heads, depths, experts *)
Theorem moe_4_4 : skips_around_attention_only sh -> all_layers_eliminated V sh /\ experts_turn.
Proof.
move=> only; split; last exact: experts_turn_holds.
by apply: all_layers_hold => //; apply: attention_only_crosses.
Qed.
End Experts.

(* Needed: theorem=moe_4_2 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_2 *)
(* Needed: theorem=moe_4_2 hypothesis=head of its own lemma=k_x_needed.needs_untied_4_2 *)
(* Needed: theorem=moe_4_2 hypothesis=layers before, W and after argued=names the layer W that gives the basis, and those before and behind it *)
(* Needed: theorem=moe_4_2 hypothesis=W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_2 *)
(* Needed: theorem=moe_4_3 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_3 *)
(* Needed: theorem=moe_4_3 hypothesis=head of its own lemma=k_x_needed.needs_untied_4_3 *)
(* Needed: theorem=moe_4_3 hypothesis=one block for all layers lemma=k_t4_3.needs_shared_block *)
(* Needed: theorem=moe_4_3 hypothesis=W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_3 *)
(* Needed: theorem=moe_4_4 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_4 *)
(* Needed: theorem=moe_4_4 hypothesis=skips around attention only lemma=k_x_needed.needs_no_MLP_skip_4_4 *)
(* Needed: theorem=moe_4_4 hypothesis=each W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_4 *)
