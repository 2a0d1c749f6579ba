(* n16.v - N16, level 0: Theorems 4.2, 4.3 and 4.4 ask nothing of the row map (Proposition 3.2, N1 and Proposition 4.1
 * neither: k_p3_2.v, n1.v, k_p4_1.v).  `rowmap` of a layer is any function of the mask and the scaled scores. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section AnyRowMap.
Variables (R : comUnitRingType) (n h h_kv dk V : nat) (sh : shape R n (h * dk) h h_kv dk).
Hypothesis no_norm : norm sh = None.
(* Provably: claim=N16 part=as-stated-theorem-4.2 theorem=any_row_map_4_2 quantifiers=all sizes, heads, depths, row maps *)
Theorem any_row_map_4_2 : one_layer_eliminated V sh.
Proof. exact: one_layer_holds. Qed.
(* Provably: claim=N16 part=as-stated-theorem-4.3 theorem=any_row_map_4_3 quantifiers=all sizes, heads, depths, row maps *)
Theorem any_row_map_4_3 : shared_block_eliminated V sh.
Proof. exact: shared_block_holds. Qed.
(* Provably: claim=N16 part=as-stated-theorem-4.4 theorem=any_row_map_4_4 quantifiers=all sizes, heads, depths, row maps *)
Theorem any_row_map_4_4 : skips_around_attention_only sh -> all_layers_eliminated V sh.
Proof. by move=> only; apply: all_layers_hold => //; apply: attention_only_crosses. Qed.
End AnyRowMap.

(* What goes wrong without a hypothesis: the witnesses of Theorems 4.2 to 4.4, whose row map is the score itself. *)
(* Needed: theorem=any_row_map_4_2 hypothesis=no normalization lemma=k_t4_2.needs_no_norm *)
(* Needed: theorem=any_row_map_4_2 hypothesis=untied head lemma=k_t4_2.needs_untied *)
(* Needed: theorem=any_row_map_4_2 hypothesis=W_Q in GL(d) lemma=k_t4_2.needs_invertible *)
(* Needed: theorem=any_row_map_4_2 hypothesis=one layer at a time lemma=k_t4_2.needs_one_layer *)
(* Needed: theorem=any_row_map_4_3 hypothesis=no normalization lemma=k_t4_3.needs_no_norm *)
(* Needed: theorem=any_row_map_4_3 hypothesis=untied head lemma=k_t4_3.needs_untied *)
(* Needed: theorem=any_row_map_4_3 hypothesis=W_Q in GL(d) lemma=k_t4_3.needs_invertible *)
(* Needed: theorem=any_row_map_4_3 hypothesis=one block for all layers lemma=k_t4_3.needs_shared_block *)
(* Needed: theorem=any_row_map_4_4 hypothesis=no normalization lemma=k_t4_4.needs_no_norm *)
(* Needed: theorem=any_row_map_4_4 hypothesis=no skip around the MLP lemma=k_t4_4.needs_no_MLP_skip *)
(* Needed: theorem=any_row_map_4_4 hypothesis=every W_Q in GL(d) lemma=k_t4_4.needs_invertible *)
