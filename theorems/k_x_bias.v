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
