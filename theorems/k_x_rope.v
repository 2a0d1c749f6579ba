(* k_x_rope.v - K-X-rope: with rotary positions Theorems 4.2, 4.3 and 4.4 hold as they are.
 *
 * Queries and keys of row t are multiplied by a d_k x d_k matrix of position t: rotations, or any others (`rho`).  They
 * stand behind X W_Q and X W_K, which no change of basis changes. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Rope.
Variables (R : comUnitRingType) (n h h_kv dk V : nat) (rho : 'I_n -> 'M[R]_dk).

(* S(X Theta, Theta^-1 W_Q, Theta^-1 W_K, Theta^-1 W_V) = S(X, W_Q, W_K, W_V) *)
(* Provably: claim=K-X-rope part=as-stated theorem=attention quantifiers=all sizes, heads, functions; any rotations *)
Theorem attention d (sh : shape R n d h h_kv dk) Theta (W : layer R n d h h_kv dk) X : Theta \in unitmx ->
  model_self_attention (with_rotation sh rho) (rewrite_layer Theta 1%:M 1%:M 1%:M W) (X *m Theta) =
  model_self_attention (with_rotation sh rho) W X.
Proof. exact: self_attention_gauge. Qed.

Variable sh : shape R n (h * dk) h h_kv dk.
Hypothesis no_norm : norm sh = None.

(* Provably: claim=K-X-rope part=as-stated-theorem-4.2 theorem=rope_4_2 quantifiers=all sizes, heads, depths, functions *)
Theorem rope_4_2 : one_layer_eliminated V (with_rotation sh rho).
Proof. exact: one_layer_holds. Qed.
(* Provably: claim=K-X-rope part=as-stated-theorem-4.3 theorem=rope_4_3 quantifiers=all sizes, heads, depths, functions *)
Theorem rope_4_3 : shared_block_eliminated V (with_rotation sh rho).
Proof. exact: shared_block_holds. Qed.
(* Provably: claim=K-X-rope part=as-stated-theorem-4.4 theorem=rope_4_4 quantifiers=all sizes, heads, depths, functions *)
Theorem rope_4_4 : skips_around_attention_only sh -> all_layers_eliminated V (with_rotation sh rho).
Proof. by move=> only; apply: all_layers_hold => //; apply: (@attention_only_crosses _ _ _ _ _ _ sh). Qed.
End Rope.

(* Needed: theorem=attention hypothesis=Theta in GL(d) lemma=k_x_needed.needs_invertible_attention *)
(* Needed: theorem=rope_4_2 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_2 *)
(* Needed: theorem=rope_4_2 hypothesis=head of its own lemma=k_x_needed.needs_untied_4_2 *)
(* Needed: theorem=rope_4_2 hypothesis=layers before, W and after argued=names the layer W that gives the basis, and those before and behind it *)
(* Needed: theorem=rope_4_2 hypothesis=W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_2 *)
(* Needed: theorem=rope_4_3 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_3 *)
(* Needed: theorem=rope_4_3 hypothesis=head of its own lemma=k_x_needed.needs_untied_4_3 *)
(* Needed: theorem=rope_4_3 hypothesis=one block for all layers lemma=k_t4_3.needs_shared_block *)
(* Needed: theorem=rope_4_3 hypothesis=W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_3 *)
(* Needed: theorem=rope_4_4 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_4 *)
(* Needed: theorem=rope_4_4 hypothesis=skips around attention only lemma=k_x_needed.needs_no_MLP_skip_4_4 *)
(* Needed: theorem=rope_4_4 hypothesis=each W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_4 *)
