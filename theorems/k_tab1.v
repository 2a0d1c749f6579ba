(* k_tab1.v - K-Tab1: the lines of the table of the results' scope, as theorems.  Proposition 4.1's lines: k_p4_1.v. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Lines.
Variables (R : comUnitRingType) (n h h_kv dk V : nat) (sh : shape R n (h * dk) h h_kv dk).
Hypothesis no_norm : norm sh = None.

(* Provably: claim=K-Tab1 part=corrected-theorem-4.2 theorem=line_4_2 quantifiers=all sizes, heads, depths, functions *)
Theorem line_4_2 : all_skips sh -> one_layer_eliminated V sh.
Proof. by move=> _; apply: one_layer_holds. Qed.
(* Provably: claim=K-Tab1 part=corrected-theorem-4.3-shared theorem=line_4_3 quantifiers=all sizes, heads, depths, functions *)
Theorem line_4_3 : all_skips sh -> shared_block_eliminated V sh.
Proof. by move=> _; apply: shared_block_holds. Qed.
(* tied or not *)
(* Provably: claim=K-Tab1 part=corrected-theorem-4.4-untied theorem=line_4_4 quantifiers=all sizes, heads, depths, functions *)
(* Provably: claim=K-Tab1 part=corrected-theorem-4.4-tied theorem=line_4_4 quantifiers=all sizes, heads, depths, functions *)
Theorem line_4_4 : skips_around_attention_only sh -> all_layers_eliminated V sh.
Proof. by move=> only; apply: all_layers_hold => //; apply: attention_only_crosses. Qed.
End Lines.

(* Without a hypothesis: the models of k_t4_2.v, k_t4_3.v and k_t4_4.v are those of the lines. *)
(* Needed: theorem=line_4_2 hypothesis=no normalization lemma=k_t4_2.needs_no_norm *)
(* Needed: theorem=line_4_2 hypothesis=untied head lemma=k_t4_2.needs_untied *)
(* Needed: theorem=line_4_2 hypothesis=W_Q in GL(d) lemma=k_t4_2.needs_invertible *)
(* Needed: theorem=line_4_2 hypothesis=W is a layer of the model lemma=k_t4_2.needs_own_layer *)
(* Needed: theorem=line_4_2,line_4_3 hypothesis=all skips argued=not used: the line is about models with all skips, and others have the same proof *)
(* Needed: theorem=line_4_3 hypothesis=no normalization lemma=k_t4_3.needs_no_norm *)
(* Needed: theorem=line_4_3 hypothesis=untied head lemma=k_t4_3.needs_untied *)
(* Needed: theorem=line_4_3 hypothesis=W_Q in GL(d) lemma=k_t4_3.needs_invertible *)
(* Needed: theorem=line_4_3 hypothesis=all layers share one block lemma=k_t4_3.needs_shared_block *)
(* Needed: theorem=line_4_4 hypothesis=no normalization lemma=k_t4_4.needs_no_norm *)
(* Needed: theorem=line_4_4 hypothesis=skips around attention only lemma=k_t4_4.needs_no_MLP_skip *)
(* Needed: theorem=line_4_4 hypothesis=W_Q in GL(d) lemma=k_t4_4.needs_invertible *)
