(* b_10.v - B-10, one head: W_Q W_K' and W_V W_O are one matrix each.
 *
 * The paper (002, Section 3): "With square matrices, it is evident that W_s^V W_s^O can be collapsed to a single matrix
 * W_s^VO, and, analogically, W_s^Q W_s^KT to W_s^QK. This saves 50 % of the attention module's parameters". *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms witness witness_idle witness_linear.
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

Definition entries p q (A : 'M[R]_(p, q)) : nat := #|{: 'I_p * 'I_q}|.
(* the same function, with any skips, norms and MLPs; W_K and W_O are I, so that 2 S N^2 parameters are left of
 * attention's 4 S N^2, S layers of width N *)
(* Provably: claim=B-10 part=as-stated theorem=collapse quantifiers=all sizes, depths, skips, norms, functions *)
(* Provably: claim=B-10 part=as-stated-block theorem=collapse quantifiers=all sizes, depths, skips, norms, functions *)
Theorem collapse sh M : plain sh ->
  (forall i W, List.nth_error (at_ M) i = Some W -> plain_layer W /\ b_V W = 0) ->
  let M' := with_layers M (map collapsed (at_ M)) in let S := size (at_ M) in
  [/\ same_function sh M' M, forall W, List.In W (at_ M') -> W_K W = 1%:M /\ W_O W = 1%:M,
      (\sum_(W <- at_ M) (entries (W_Q W) + entries (W_K W) + entries (W_V W) + entries (W_O W)) = 4 * S * d ^ 2)%N &
      (\sum_(W <- at_ M') (entries (W_Q W) + entries (W_V W)) = 2 * S * d ^ 2)%N].
Proof.
have square p (A : 'M[R]_p) : entries A = (p ^ 2)%N by rewrite /entries card_prod !card_ord -mulnn.
move=> pl ok M' S; split; last 3 first.
- by move=> W /= /List.in_map_iff [W0 [<- _]].
- rewrite (eq_bigr (fun=> 4 * d ^ 2)%N) => [|W _]; last by rewrite !square; ring.
  by rewrite big_const_seq count_predT iter_addn_0 mulnC mulnCA mulnA.
- rewrite big_map (eq_bigr (fun=> 2 * d ^ 2)%N) => [|W _]; last by rewrite !square mul2n addnn.
  by rewrite big_const_seq count_predT iter_addn_0 mulnC mulnCA mulnA.
have := @same_layers _ _ _ _ _ _ V sh M unit (fun _ => collapsed) [seq (tt, W) | W <- at_ M].
rewrite -map_comp /=; apply; first by rewrite /unzip2 -map_comp map_id.
move=> i [[] W] e X; have {e} /ok [plW bv] : List.nth_error (at_ M) i = Some W.
  by elim: (at_ M) i e {ok} => [|W' r IH] [|i] //= => [[->]|/IH].
by rewrite /model_block /=; have att Y := collapsed_attention Y pl plW bv; rewrite !att.
Qed.
End OneHead.

(* ---- without a hypothesis: models of one layer that is linear attention alone (witness_linear.v) ----------------- *)

Section Needed.
Notation collapsed_model M := (with_layers M (map (@collapsed _ _ _) (at_ M))).
Notation only := (attends false).
Notation logit M := (model_forward (straight 1 1 1) M (1%:M : 'M[rat]_(1 * 1)) 0 0).
Section Logits.
Variables (f g : rat -> rat) (q bq k bk v bv : rat).
Notation W := (numbers q bq k bk v bv f g).
Lemma logit_of : logit (only W) = f (q + bq) * g (k + bk) * (v + bv).
Proof. by rewrite (@of_numbers _ _ f g) // !mxE /= !mulr1n mulr1 addr0. Qed.
Lemma logit_collapsed : logit (collapsed_model (only W)) = f (q * k) * g 1 * (v * 1).
Proof.
rewrite -[collapsed_model _]/(only (collapsed W)) (@of_numbers _ _ f g) // [W_Q _]/= [W_K _]/= [W_V _]/= [W_O _]/=.
by rewrite tr_scalar_mx -!scalar_mxM !mxE /= !mulr1n mulr1 !addr0.
Qed.
End Logits.
Ltac number := apply/eqP; vm_compute; reflexivity.

(* A bias of 1 of the queries, the keys or the values: 1 in place of 2. *)
(* Needed: theorem=collapse hypothesis=no bias of queries and keys lemma=needs_no_bias *)
(* Needed: theorem=collapse hypothesis=no bias of the values lemma=needs_no_bias *)
Lemma needs_no_bias : let query := only (numbers 1 1 1 0 1 0 id id) in let key := only (numbers 1 0 1 1 1 0 id id) in
  let value := only (numbers 1 0 1 0 1 1 id id) in
  [/\ logit (collapsed_model query) = 1 /\ logit query = 2%:R, logit (collapsed_model key) = 1 /\ logit key = 2%:R &
      logit (collapsed_model value) = 1 /\ logit value = 2%:R].
Proof.
by split; split; [rewrite logit_collapsed|rewrite logit_of|rewrite logit_collapsed|rewrite logit_of|
  rewrite logit_collapsed|rewrite logit_of]; number.
Qed.
(* A norm x / (|x| + 1) of the queries, W_K = 2: 2/3 in place of 1; of the keys: 1 in place of 2/3. *)
(* Needed: theorem=collapse hypothesis=no norm of queries and keys lemma=needs_no_norm *)
Lemma needs_no_norm : let query := only (numbers 1 0 2%:R 0 1 0 shrunk id) in
  let key := only (numbers 1 0 2%:R 0 1 0 id shrunk) in
  (logit (collapsed_model query) = 2%:R / 3%:R /\ logit query = 1) /\
  (logit (collapsed_model key) = 1 /\ logit key = 2%:R / 3%:R).
Proof.
by split; split; [rewrite logit_collapsed|rewrite logit_of|rewrite logit_collapsed|rewrite logit_of]; number.
Qed.

(* RoPE, a quarter turn at the second of two tokens, W_K = diag(2, 1): -1 in place of -2. *)
(* Needed: theorem=collapse hypothesis=no rotations lemma=needs_no_rope *)
Lemma needs_no_rope : let M := only (two_tokens 1%:M (pair_of 2%:R 0 0 1) 1%:M 1%:M id id) in
  let at_second M := model_forward (@reading 2 1 2 id quarter) M (1%:M : 'M[rat]_(1 * 2)) 1 0 in
  at_second (collapsed_model M) = - 1 /\ at_second M = - 2%:R.
Proof.
move=> M at_second; rewrite /at_second -[collapsed_model _]/(only (two_tokens _ _ _ _ _ _)).
rewrite !of_pairs !map_mx_id // ?mulmx1 ?mul1mx !pair_dot !(mxE, big_ord_recl, big_ord0).
by split; apply/eqP; vm_compute.
Qed.
End Needed.
