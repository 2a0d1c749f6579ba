(* k_x_parallel.v - K-X-parallel: X' = [X +] Attn(X) + MLP(X). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Parallel.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Variable sh : shape R n (h * dk) h h_kv dk.
Hypothesis no_norm : norm sh = None.
Hypothesis in_parallel : parallel sh = true.

(* With the skip: one W_Q^j = I, as Theorem 4.2. *)
(* Provably: claim=K-X-parallel part=as-stated theorem=with_skip quantifiers=all sizes, heads, depths, functions *)
(* Provably: claim=K-X-parallel part=as-stated-with-gated-mlp theorem=with_skip quantifiers=all sizes, heads, depths, gates *)
Theorem with_skip : attn_skip sh -> one_layer_eliminated V sh.
Proof. by move=> _; apply: one_layer_holds. Qed.
(* Provably: claim=K-X-parallel part=as-stated-theorem-4.3 theorem=shared quantifiers=all sizes, heads, depths, functions *)
Theorem shared : attn_skip sh -> shared_block_eliminated V sh.
Proof. by move=> _; apply: shared_block_holds. Qed.

(* Without the skip: W_Q = I in all layers; a tied head stays tied. *)
(* Provably: claim=K-X-parallel part=as-stated-free theorem=without_skip quantifiers=all sizes, heads, depths *)
(* Provably: claim=K-X-parallel part=as-stated-tied theorem=without_skip quantifiers=all sizes, heads, depths *)
Theorem without_skip : ~~ attn_skip sh -> all_layers_eliminated V sh.
Proof. by move=> no_skip; apply: all_layers_hold => //; rewrite /crosses (negPf no_skip). Qed.
End Parallel.

(* Needed: theorem=with_skip,shared hypothesis=the skip argued=selects the case: nothing in the proof asks for it, and without it without_skip gives all layers *)
(* Needed: theorem=with_skip hypothesis=no normalization lemma=k_x_needed.parallel_needs_no_norm_4_2 *)
(* Needed: theorem=with_skip hypothesis=head of its own lemma=k_x_needed.parallel_needs_untied_4_2 *)
(* Needed: theorem=with_skip hypothesis=layers before, W and after argued=names the layer W that gives the basis, and those before and behind it *)
(* Needed: theorem=with_skip hypothesis=W_Q in GL(d) lemma=k_x_needed.parallel_needs_invertible_4_2 *)
(* Needed: theorem=shared hypothesis=no normalization lemma=k_x_needed.parallel_needs_no_norm_4_3 *)
(* Needed: theorem=shared hypothesis=head of its own lemma=k_x_needed.parallel_needs_untied_4_3 *)
(* Needed: theorem=shared hypothesis=one block for all layers lemma=k_t4_3.needs_shared_block *)
(* Needed: theorem=shared hypothesis=W_Q in GL(d) lemma=k_x_needed.parallel_needs_invertible_4_3 *)
(* Needed: theorem=without_skip hypothesis=no normalization lemma=k_x_needed.parallel_needs_no_norm_4_4 *)
(* Needed: theorem=without_skip hypothesis=no skip lemma=k_x_needed.parallel_needs_no_skip *)
(* Needed: theorem=without_skip hypothesis=each W_Q in GL(d) lemma=k_x_needed.parallel_needs_invertible_4_4 *)
