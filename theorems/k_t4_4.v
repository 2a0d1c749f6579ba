(* k_t4_4.v - K-T4.4, attention-skip-only query weight elimination: k_t4_4.c for every size, depth and number of heads.
 *
 * The paper (003, Theorem 4.4): "Consider an L-layer encoder-only or decoder-only transformer without normalization and
 * with skip connections only around attention. Then there exist modified weights ... such that the transformer with
 * weights (..., Id, ...) produces identical outputs to the original."  Section 3: "Our results rely on W_Q in GL(d)."
 *
 * The modified weights are named, not only there: Theta_i = W_Q^i is the basis in front of layer i (gauge.v), so
 *     E~ = E Theta_1   P~ = P Theta_1   W~_{Q,K,V,up}^i = Theta_i^-1 W_{Q,K,V,up}^i   W~_O^i = W_O^i Theta_i
 *     W~_down^i = W_down^i Theta_{i+1}   W~_LM = Theta_{L+1}^-1 W_LM. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Which matrix of a layer becomes the identity. *)
Inductive choice := Query | Key | Value.

Section Queries.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Notation model := (model R n d h h_kv dk V).
Implicit Types (sh : shape R n d h h_kv dk) (M : model) (T : 'M[R]_(n, V)) (last : 'M[R]_d).

(* Theta_i = W_Q^i = query_bases i (reduction.v), and `last` behind the last layer *)
Definition reduced sh last M : model := gauge_model sh (query_bases last M) M.

(* "... Then there exist modified weights ... identical outputs to the original.", in any last basis. *)
(* Provably: claim=K-T4.4 part=as-stated-any theorem=any_end quantifiers=all sizes, heads, depths, functions *)
Theorem any_end sh M last :
  norm sh = None -> skips_around_attention_only sh -> head M <> None ->
  all (fun W => W_Q W \in unitmx) (at_ M) -> last \in unitmx ->
  (forall T, model_forward sh (reduced sh last M) T = model_forward sh M T) /\
  all (fun W => W_Q W == 1%:M) (at_ (reduced sh last M)).
Proof.
move=> noN skips untied u ul; split; last exact: queries_gone.
move=> T; apply: forward_gauge => //; first by move=> i; apply: query_bases_unit.
by rewrite attention_only_crosses.
Qed.

(* The same with Theta_{L+1} = I: the head stays as it is. *)
(* Provably: claim=K-T4.4 part=as-stated theorem=as_stated quantifiers=all sizes, heads, depths, functions *)
Theorem as_stated sh M :
  norm sh = None -> skips_around_attention_only sh -> head M <> None ->
  all (fun W => W_Q W \in unitmx) (at_ M) ->
  let M' := reduced sh 1%:M M in
  [/\ forall T, model_forward sh M' T = model_forward sh M T,
      all (fun W => W_Q W == 1%:M) (at_ M') & head M' = head M].
Proof.
move=> noN skips untied u M'; have [same gone] := any_end noN skips untied u (unitmx1 R d).
split=> //.
rewrite /M' /= /query_bases nth_default ?size_map //; case: (head M) => //= H; by rewrite invmx1 mul1mx.
Qed.

(* A tied head stays tied with Theta_{L+1} = (Theta_1')^-1. *)
(* Provably: claim=K-T4.4 part=as-stated-tied theorem=tied_head quantifiers=all sizes, heads, depths, functions *)
Theorem tied_head sh M W0 Ws :
  norm sh = None -> skips_around_attention_only sh -> head M = None -> at_ M = W0 :: Ws ->
  all (fun W => W_Q W \in unitmx) (at_ M) ->
  let M' := reduced sh (invmx (W_Q W0)^T) M in
  [/\ forall T, model_forward sh M' T = model_forward sh M T,
      all (fun W => W_Q W == 1%:M) (at_ M') & head M' = None].
Proof.
move=> noN skips tied layers u M'; have u0 : W_Q W0 \in unitmx by move: u; rewrite layers => /andP[].
have ul : invmx (W_Q W0)^T \in unitmx by rewrite unitmx_inv unitmx_tr.
split; [|exact: queries_gone|by rewrite /M' /= tied].
move=> T; apply: forward_gauge => //; first by move=> i; apply: query_bases_unit.
  by rewrite attention_only_crosses.
move=> _; rewrite /query_bases nth_default ?size_map // layers /=.
by rewrite mulVmx // unitmx_tr.
Qed.
End Queries.

Section Mixed.
Variables (R : comUnitRingType) (n h dk V : nat).
Notation d := (h * dk)%N.
Notation layer := (layer R n d h h dk).
Notation model := (model R n d h h dk V).
Implicit Types (sh : shape R n d h h dk) (M : model) (T : 'M[R]_(n, V)).

Definition chosen (p : choice * layer) : 'M[R]_d :=
  match p.1 with Query => W_Q p.2 | Key => W_K p.2 | Value => W_V p.2 end.
(* Theta_i is the matrix that layer i chooses, and I comes behind the last. *)
Definition chosen_bases (cs : seq choice) M (i : nat) : 'M[R]_d := nth 1%:M [seq chosen p | p <- zip cs (at_ M)] i.

Lemma chosen_gauge sh A D c (W : layer) : chosen (c, gauge_layer sh A D W) = invmx A *m chosen (c, W).
Proof. by case: c; rewrite /chosen /= ?W_Q_gauge ?W_K_gauge ?W_V_gauge. Qed.

(* "W_Q^i, W_K^i or W_V^i may be chosen layer by layer, if the chosen one is in GL(d)": one choice c_i a layer. *)
(* Provably: claim=K-T4.4 part=as-stated-mixed theorem=mixed quantifiers=all sizes, heads, depths, functions *)
Theorem mixed sh M (cs : seq choice) :
  norm sh = None -> skips_around_attention_only sh -> head M <> None -> size cs = size (at_ M) ->
  all (fun p => chosen p \in unitmx) (zip cs (at_ M)) ->
  let M' := gauge_model sh (chosen_bases cs M) M in
  [/\ forall T, model_forward sh M' T = model_forward sh M T,
      all (fun p => chosen p == 1%:M) (zip cs (at_ M')) & head M' = head M].
Proof.
move=> noN skips untied same u M'; split.
- move=> T; apply: forward_gauge => //; last by rewrite attention_only_crosses.
  rewrite /chosen_bases => i; elim: (zip _ _) i u => [|p r IH] [|i] //= => [_|_|/andP[]|/andP[_ ur]] //.
  + exact: unitmx1.
  + exact: unitmx1.
  + exact: IH.
- rewrite /M' /= /chosen_bases {M'}; elim: (at_ M) cs same u => [|W r IH] [|c cs] //= [same] /andP [uW ur].
  by rewrite chosen_gauge mulVmx // eqxx; apply: IH.
rewrite /M' /= /chosen_bases nth_default ?size_map ?size_zip ?same ?minnn //.
by case: (head M) => //= H; rewrite invmx1 mul1mx.
Qed.
End Mixed.

(* ---- without a hypothesis: the construction on models of one number -------------------------------------------- *)

Section Needed.
Notation logits sh M := (model_forward sh M 1%:M 0 0).
Notation small e q := (small_model_of (Some 1%:M) [:: silent e q]).
Notation tied e q := (small_model_of None [:: silent e q]).

(* With the one choice Query the models of `mixed` are the same. *)
Lemma one_query sh e q : gauge_model sh (chosen_bases [:: Query] (small e q)) (small e q) = reduced sh 1%:M (small e q).
Proof. by []. Qed.

(* A skip around the MLP as well, W_Q = 2: the logit is 2 in place of 1. *)
(* Needed: theorem=any_end,as_stated,mixed hypothesis=skips around attention only lemma=needs_no_MLP_skip *)
Lemma needs_no_MLP_skip : let sh := small_shape_of true true None in
  logits sh (reduced sh 1%:M (small 0%N 2%:R)) = 2%:R /\ logits sh (small 0%N 2%:R) = 1.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?passes ?passes0.
  by rewrite /query_bases /= invmx1 !mul1mx mul0mx addr0 mulmx1 mxE.
by rewrite !mulmx1 addr0 mxE.
Qed.

(* A norm: the logit is 1/4 in place of 1/3. *)
(* Needed: theorem=any_end,as_stated,mixed hypothesis=no normalization lemma=needs_no_norm *)
Lemma needs_no_norm : let sh := small_shape_of true false (Some small_norm) in
  logits sh (reduced sh 1%:M (small 1%N 2%:R)) = 1 / 4%:R /\ logits sh (small 1%N 2%:R) = 1 / 3%:R.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?is_norm ?is_norm0.
  rewrite /query_bases /= invmx1 !mul1mx mul0mx addr0 !mulmx1 /affine const0 addr0 invmx_scalar mul_mx_scalar.
  by rewrite /small_norm !(mxE, big_ord1, eqxx, mulr1n); apply/eqP; vm_compute.
rewrite !mulmx1 addr0 /affine const0 addr0 !mulmx1.
by rewrite /small_norm !(mxE, eqxx, mulr1n); apply/eqP; vm_compute.
Qed.

(* W_Q = 0 has no inverse (Coq writes 0 for it): the logit is 0 in place of 1. *)
(* Needed: theorem=any_end,as_stated,mixed hypothesis=W_Q or the chosen matrix in GL(d) lemma=needs_invertible *)
Lemma needs_invertible : let sh := small_shape_of true false None in
  logits sh (reduced sh 1%:M (small 1%N 0)) = 0 /\ logits sh (small 1%N 0) = 1.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?is_norm ?is_norm0.
  by rewrite /query_bases /= !(zero_scalar, mulmx0, mul0mx, addr0) mxE.
by rewrite !mulmx1 addr0 mxE.
Qed.
(* A tied head that stays tied, Theta behind the last layer 1, W_Q = 2: the logit is 2 in place of 1. *)
(* Needed: theorem=any_end,as_stated,mixed hypothesis=untied head lemma=needs_untied *)
Lemma needs_untied : let sh := small_shape_of true false None in
  logits sh (reduced sh 1%:M (tied 1%N 2%:R)) = 2%:R /\ logits sh (tied 1%N 2%:R) = 1.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?is_norm ?is_norm0.
  rewrite /query_bases /= !mul1mx mul0mx addr0 mulmx1 invmx_scalar mul_mx_scalar tr_scalar_mx mul_mx_scalar.
  by rewrite !(mxE, eqxx, mulr1n); apply/eqP; vm_compute.
by rewrite !mulmx1 addr0 trmx1 mulmx1 mxE.
Qed.
(* The basis 0 behind the last layer: the logit is 0 in place of 1. *)
(* Needed: theorem=any_end hypothesis=the last basis invertible lemma=needs_last_basis *)
Lemma needs_last_basis : let sh := small_shape_of true false None in
  logits sh (reduced sh 0 (small 1%N 1)) = 0 /\ logits sh (small 1%N 1) = 1.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?is_norm ?is_norm0.
  by rewrite /query_bases /= mulmx0 mul0mx mxE.
by rewrite !mulmx1 addr0 mxE.
Qed.
(* Needed: theorem=mixed hypothesis=one choice a layer argued=zip drops what has no partner: choices too many do nothing, layers without a choice stay *)

(* -- the head tied, Theta behind the last layer W_Q^-T, W_Q = 2 *)
(* Needed: theorem=tied_head hypothesis=tied head argued=it only selects the case; as_stated is the untied one *)
(* Needed: theorem=tied_head hypothesis=W0 is the first layer argued=names the matrix that the last basis undoes; a model without layers has no W_Q *)
Notation undone sh e q := (reduced sh (invmx (W_Q (silent e q))^T) (tied e q)).
(* A norm: the logit is 2/7 in place of 1/3. *)
(* Needed: theorem=tied_head hypothesis=no normalization lemma=needs_no_norm_tied *)
Lemma needs_no_norm_tied : let sh := small_shape_of true false (Some small_norm) in
  logits sh (undone sh 1%N 2%:R) = 2%:R / 7%:R /\ logits sh (tied 1%N 2%:R) = 1 / 3%:R.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?is_norm ?is_norm0.
  rewrite /query_bases /= !mul1mx mul0mx addr0 !tr_scalar_mx !invmx_scalar /affine const0 addr0 mulmx1 !mul_mx_scalar.
  by rewrite /small_norm !(mxE, big_ord1, eqxx, mulr1n); apply/eqP; vm_compute.
rewrite !mulmx1 addr0 trmx1 /affine const0 addr0 !mulmx1.
by rewrite /small_norm !(mxE, eqxx, mulr1n); apply/eqP; vm_compute.
Qed.
(* A skip around the MLP as well: the logit is 4 in place of 1. *)
(* Needed: theorem=tied_head hypothesis=skips around attention only lemma=needs_no_MLP_skip_tied *)
Lemma needs_no_MLP_skip_tied : let sh := small_shape_of true true None in
  logits sh (undone sh 0%N 2%:R) = 4%:R /\ logits sh (tied 0%N 2%:R) = 1.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?passes ?passes0.
  rewrite /query_bases /= !mul1mx mul0mx addr0 tr_scalar_mx mul_mx_scalar.
  by rewrite !(mxE, eqxx, mulr1n); apply/eqP; vm_compute.
by rewrite !mulmx1 addr0 trmx1 mulmx1 mxE.
Qed.
(* W_Q = 0: the logit is 0 in place of 1. *)
(* Needed: theorem=tied_head hypothesis=W_Q in GL(d) lemma=needs_invertible_tied *)
Lemma needs_invertible_tied : let sh := small_shape_of true false None in
  logits sh (undone sh 1%N 0) = 0 /\ logits sh (tied 1%N 0) = 1.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?is_norm ?is_norm0.
  by rewrite /query_bases /= !(zero_scalar, trmx0, mulmx0, mul0mx, addr0) mxE.
by rewrite !mulmx1 addr0 trmx1 mulmx1 mxE.
Qed.
End Needed.
