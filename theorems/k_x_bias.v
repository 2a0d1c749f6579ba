(* k_x_bias.v - K-X-bias: a bias in every affine map.  Those that live in the stream turn with it, the others stay. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Biases.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Variable sh : shape R n d h h_kv dk.
Hypothesis no_norm : norm sh = None.

(* b~_O = b_O Theta, b~_down = b_down Theta'; b_Q, b_K, b_V and b_up stay. *)
Definition biases_turn := forall (A B C D : 'M[R]_d) (W : layer R n d h h_kv dk),
  let W' := rewrite_layer A B C D W in
  [/\ b_Q W' = b_Q W, b_K W' = b_K W, b_V W' = b_V W, b_O W' = b_O W *m B &
      forall e, b_up (expert W' e) = b_up (expert W e) /\ b_down (expert W' e) = b_down (expert W e) *m D].

(* Provably: claim=K-X-bias part=as-stated theorem=bias_4_2 quantifiers=all sizes, heads, depths, functions, biases *)
(* Provably: claim=K-X-bias part=as-stated-with-gated-mlp theorem=bias_4_2 quantifiers=all sizes, heads, depths, biases, gates *)
Theorem bias_4_2 : one_layer_eliminated V sh /\ biases_turn.
Proof. by split; first exact: one_layer_holds. Qed.
(* Provably: claim=K-X-bias part=as-stated-theorem-4.3 theorem=bias_4_3 quantifiers=all sizes, heads, depths, biases *)
Theorem bias_4_3 : shared_block_eliminated V sh /\ biases_turn.
Proof. by split; first exact: shared_block_holds. Qed.
(* Provably: claim=K-X-bias part=as-stated-theorem-4.4 theorem=bias_4_4 quantifiers=all sizes, heads, depths, biases *)
Theorem bias_4_4 : skips_around_attention_only sh -> all_layers_eliminated V sh /\ biases_turn.
Proof. by move=> only; split=> //; apply: all_layers_hold => //; apply: attention_only_crosses. Qed.
End Biases.

(* Needed: theorem=bias_4_2 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_2 *)
(* Needed: theorem=bias_4_2 hypothesis=head of its own lemma=k_x_needed.needs_untied_4_2 *)
(* Needed: theorem=bias_4_2 hypothesis=layers before, W and after argued=names the layer W that gives the basis, and those before and behind it *)
(* Needed: theorem=bias_4_2 hypothesis=W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_2 *)
(* Needed: theorem=bias_4_3 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_3 *)
(* Needed: theorem=bias_4_3 hypothesis=head of its own lemma=k_x_needed.needs_untied_4_3 *)
(* Needed: theorem=bias_4_3 hypothesis=one block for all layers lemma=k_t4_3.needs_shared_block *)
(* Needed: theorem=bias_4_3 hypothesis=W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_3 *)
(* Needed: theorem=bias_4_4 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_4 *)
(* Needed: theorem=bias_4_4 hypothesis=skips around attention only lemma=k_x_needed.needs_no_MLP_skip_4_4 *)
(* Needed: theorem=bias_4_4 hypothesis=each W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_4 *)
