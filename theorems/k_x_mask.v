(* k_x_mask.v - K-X-mask: encoders, decoders, and any mask.  The mask is a function of two positions; the
 * reduced model has the same. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Masks.
Variables (R : comUnitRingType) (n h h_kv dk V : nat) (sh : shape R n (h * dk) h h_kv dk).
Hypothesis no_norm : norm sh = None.

(* Provably: claim=K-X-mask part=as-stated theorem=decoder_4_2 quantifiers=all sizes, heads, depths, functions *)
Theorem decoder_4_2 : one_layer_eliminated V (with_mask sh (@causal n)).
Proof. exact: one_layer_holds. Qed.
(* Provably: claim=K-X-mask part=as-stated-encoder theorem=encoder_4_2 quantifiers=all sizes, heads, depths, functions *)
Theorem encoder_4_2 : one_layer_eliminated V (with_mask sh (@full n)).
Proof. exact: one_layer_holds. Qed.
(* Provably: claim=K-X-mask part=as-stated-any theorem=any_mask_4_2 quantifiers=all sizes, heads, depths, masks *)
Theorem any_mask_4_2 visible : one_layer_eliminated V (with_mask sh visible).
Proof. exact: one_layer_holds. Qed.
(* Provably: claim=K-X-mask part=as-stated-theorem-4.3-decoder theorem=decoder_4_3 quantifiers=all sizes, heads, depths, functions *)
Theorem decoder_4_3 : shared_block_eliminated V (with_mask sh (@causal n)).
Proof. exact: shared_block_holds. Qed.
(* Provably: claim=K-X-mask part=as-stated-theorem-4.3-encoder theorem=encoder_4_3 quantifiers=all sizes, heads, depths, functions *)
Theorem encoder_4_3 : shared_block_eliminated V (with_mask sh (@full n)).
Proof. exact: shared_block_holds. Qed.
(* Provably: claim=K-X-mask part=as-stated-theorem-4.4-random-mask theorem=any_mask_4_4 quantifiers=all sizes, heads, depths, masks *)
Theorem any_mask_4_4 visible : skips_around_attention_only sh -> all_layers_eliminated V (with_mask sh visible).
Proof. by move=> only; apply: all_layers_hold => //; apply: (@attention_only_crosses _ _ _ _ _ _ sh). Qed.
(* Provably: claim=K-X-mask part=as-stated-theorem-4.4-decoder theorem=decoder_4_4 quantifiers=all sizes, heads, depths, functions *)
Theorem decoder_4_4 : skips_around_attention_only sh -> all_layers_eliminated V (with_mask sh (@causal n)).
Proof. exact: any_mask_4_4. Qed.
(* Provably: claim=K-X-mask part=as-stated-theorem-4.4-encoder theorem=encoder_4_4 quantifiers=all sizes, heads, depths, functions *)
Theorem encoder_4_4 : skips_around_attention_only sh -> all_layers_eliminated V (with_mask sh (@full n)).
Proof. exact: any_mask_4_4. Qed.
End Masks.

(* Needed: theorem=decoder_4_2,encoder_4_2,any_mask_4_2 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_2 *)
(* Needed: theorem=decoder_4_2,encoder_4_2,any_mask_4_2 hypothesis=head of its own lemma=k_x_needed.needs_untied_4_2 *)
(* Needed: theorem=decoder_4_2,encoder_4_2,any_mask_4_2 hypothesis=layers before, W and after argued=names the layer W that gives the basis, and those before and behind it *)
(* Needed: theorem=decoder_4_2,encoder_4_2,any_mask_4_2 hypothesis=W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_2 *)
(* Needed: theorem=decoder_4_3,encoder_4_3 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_3 *)
(* Needed: theorem=decoder_4_3,encoder_4_3 hypothesis=head of its own lemma=k_x_needed.needs_untied_4_3 *)
(* Needed: theorem=decoder_4_3,encoder_4_3 hypothesis=one block for all layers lemma=k_t4_3.needs_shared_block *)
(* Needed: theorem=decoder_4_3,encoder_4_3 hypothesis=W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_3 *)
(* Needed: theorem=any_mask_4_4,decoder_4_4,encoder_4_4 hypothesis=no normalization lemma=k_x_needed.needs_no_norm_4_4 *)
(* Needed: theorem=any_mask_4_4,decoder_4_4,encoder_4_4 hypothesis=skips around attention only lemma=k_x_needed.needs_no_MLP_skip_4_4 *)
(* Needed: theorem=any_mask_4_4,decoder_4_4,encoder_4_4 hypothesis=each W_Q in GL(d) lemma=k_x_needed.needs_invertible_4_4 *)
