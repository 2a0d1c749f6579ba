(* k_x_gqa.v - K-X-gqa: grouped-query and multi-query attention.
 *
 * Head a reads key-value head `group a`, any map of the h heads to the h_kv key-value heads.  W_K and W_V are
 * d x h_kv d_k; one Theta serves them all. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Grouped.
Variables (R : comUnitRingType) (n h h_kv dk V : nat) (sh : shape R n (h * dk) h h_kv dk).
Hypothesis no_norm : norm sh = None.

(* Provably: claim=K-X-gqa part=as-stated theorem=grouped_4_2 quantifiers=all sizes, heads, groups, depths, functions *)
Theorem grouped_4_2 : one_layer_eliminated V sh.
Proof. exact: one_layer_holds. Qed.
(* Provably: claim=K-X-gqa part=as-stated-theorem-4.3 theorem=grouped_4_3 quantifiers=all sizes, heads, groups, depths *)
Theorem grouped_4_3 : shared_block_eliminated V sh.
Proof. exact: shared_block_holds. Qed.
(* Provably: claim=K-X-gqa part=as-stated-theorem-4.4 theorem=grouped_4_4 quantifiers=all sizes, heads, groups, depths *)
Theorem grouped_4_4 : skips_around_attention_only sh -> all_layers_eliminated V sh.
Proof. by move=> only; apply: all_layers_hold => //; apply: attention_only_crosses. Qed.
End Grouped.

(* one key-value head *)
Section MultiQuery.
Variables (R : comUnitRingType) (n h dk V : nat) (sh : shape R n (h * dk) h 1 dk).
Hypothesis no_norm : norm sh = None.
(* Provably: claim=K-X-gqa part=as-stated-multi-query theorem=mqa_4_2 quantifiers=all sizes, heads, depths, functions *)
Theorem mqa_4_2 : one_layer_eliminated V sh.
Proof. exact: one_layer_holds. Qed.
(* Provably: claim=K-X-gqa part=as-stated-theorem-4.4-multi-query theorem=mqa_4_4 quantifiers=all sizes, heads, depths, functions *)
Theorem mqa_4_4 : skips_around_attention_only sh -> all_layers_eliminated V sh.
Proof. by move=> only; apply: all_layers_hold => //; apply: attention_only_crosses. Qed.
End MultiQuery.

(* Needed: theorem=grouped_4_2,mqa_4_2 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_2 *)
(* Needed: theorem=grouped_4_2,mqa_4_2 hypothesis=head of its own lemma=k_x_needed.needs_untied_4_2 *)
(* Needed: theorem=grouped_4_2,mqa_4_2 hypothesis=layers before, W and after argued=names the layer W that gives the basis, and those before and behind it *)
(* Needed: theorem=grouped_4_2,mqa_4_2 hypothesis=W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_2 *)
(* Needed: theorem=grouped_4_3 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_3 *)
(* Needed: theorem=grouped_4_3 hypothesis=head of its own lemma=k_x_needed.needs_untied_4_3 *)
(* Needed: theorem=grouped_4_3 hypothesis=one block for all layers lemma=k_t4_3.needs_shared_block *)
(* Needed: theorem=grouped_4_3 hypothesis=W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_3 *)
(* Needed: theorem=grouped_4_4,mqa_4_4 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_4 *)
(* Needed: theorem=grouped_4_4,mqa_4_4 hypothesis=skips around attention only lemma=k_x_needed.needs_no_MLP_skip_4_4 *)
(* Needed: theorem=grouped_4_4,mqa_4_4 hypothesis=each W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_4 *)
