(* b_10.v - B-10, one head: W_Q W_K' and W_V W_O are one matrix each.
 *
 * The paper (002, Section 3): "With square matrices, it is evident that W_s^V W_s^O can be collapsed to a single matrix
 * W_s^VO, and, analogically, W_s^Q W_s^KT to W_s^QK. This saves 50 % of the attention module's parameters". *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section OneHead.
Variables (R : comUnitRingType) (n dk V : nat).
Notation d := (1 * dk)%N.
Notation layer := (layer R n d 1 1 dk).
Implicit Types (sh : shape R n d 1 1 dk) (M : model R n d 1 1 dk V) (W : layer).

(* (W_QK, I) and (W_VO, I) *)
Definition collapsed_scores W : layer := with_queries W (W_Q W *m (W_K W)^T) 1%:M.
Definition collapsed W : layer := with_values (collapsed_scores W) (W_V W *m W_O W) 1%:M.

Lemma collapsed_attention sh W X : plain sh -> plain_layer W -> b_V W = 0 ->
  model_attention sh (collapsed W) X = model_attention sh W X.
Proof.
move=> pl plW bv; have plC : plain_layer (collapsed_scores W) by case: plW.
transitivity (model_attention sh (collapsed_scores W) X).
  apply: (@value_output_forms R n d 1 dk sh (collapsed_scores W) (W_V W *m W_O W) 1%:M X pl plC bv) => a.
  by rewrite /value_form !one_head mulmx1.
apply: (@query_key_forms R n d 1 dk sh W (W_Q W *m (W_K W)^T) 1%:M X pl plW) => a.
by left; rewrite !one_form trmx1 mulmx1.
Qed.

(* the same function, with any skips, norms and MLPs; W_K and W_O are I *)
(* Provably: claim=B-10 part=as-stated theorem=collapse quantifiers=all sizes, depths, skips, norms, functions *)
(* Provably: claim=B-10 part=as-stated-block theorem=collapse quantifiers=all sizes, depths, skips, norms, functions *)
Theorem collapse sh M : plain sh ->
  (forall i W, List.nth_error (at_ M) i = Some W -> plain_layer W /\ b_V W = 0) ->
  same_function sh (with_layers M (map collapsed (at_ M))) M /\
  forall W, W_K (collapsed W) = 1%:M /\ W_O (collapsed W) = 1%:M.
Proof.
move=> pl ok; split; last by [].
have := @same_layers _ _ _ _ _ _ V sh M unit (fun _ => collapsed) [seq (tt, W) | W <- at_ M].
rewrite -map_comp /=; apply; first by rewrite /unzip2 -map_comp map_id.
move=> i [[] W] e X; have {e} /ok [plW bv] : List.nth_error (at_ M) i = Some W.
  by elim: (at_ M) i e {ok} => [|W' r IH] [|i] //= => [[->]|/IH].
by rewrite /model_block /=; have att Y := collapsed_attention Y pl plW bv; rewrite !att.
Qed.
End OneHead.
