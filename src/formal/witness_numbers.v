(* witness_numbers.v - models of one token and one number (witness.v) whose attention and MLPs may write: their logits
 * as formulas in the entries of the weights.
 *
 * The row map of one token is a function of one score: constantly 1, as softmax, or the score itself. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge heads witness.
From Provably Require Export small_matrices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Notation num x := (x%:M : 'M[rat]_(1 * 1)) (only parsing).
(* the logit of the one token *)
Notation logit sh M := (model_forward sh M 1%:M 0 0) (only parsing).

(* skips around attention and MLP, parallel, the norm as a function of one number *)
Definition world (attention_skip mlp_skip side : bool) (f : option (rat -> rat)) : small_shape :=
  Shape attention_skip mlp_skip side (omap (fun f => map_mx f) f) (fun _ _ => true) 1 id (fun=> 1%:M).
Definition softmax_of_one (v : 'I_1 -> 'I_1 -> bool) (S : 'M[rat]_1) : 'M[rat]_1 := 1%:M.
Definition score_itself (v : 'I_1 -> 'I_1 -> bool) (S : 'M[rat]_1) : 'M[rat]_1 := S.

(* query, value, output weight and bias of the output; no MLP, or `mlps` that hand on what they read *)
Definition speaking (q v o b : rat) (mlps : nat) : small_layer :=
  @Layer _ 1 (1 * 1) 1 1 1 (num q) 0 0 0 (num v) 0 (num o) (num b) 1%:M 0 1%:M 0 (fun _ A => A) (fun _ A => A)
         (fun=> softmax_of_one) mlps None (fun=> identity_mlp).
(* query, key and value 1 of a layer whose score is the weight, with biases and norms of queries and keys *)
Definition scoring (q bq k bk : rat) (f g : rat -> rat) (mlps : nat) : small_layer :=
  @Layer _ 1 (1 * 1) 1 1 1 (num q) (num bq) (num k) (num bk) 1%:M 0 1%:M 0 1%:M 0 1%:M 0
         (fun=> map_mx f) (fun=> map_mx g) (fun=> score_itself) mlps None (fun=> identity_mlp).

Lemma inverse_of_one (A : 'M[rat]_1) i j : invmx A i j = (A 0 0)^-1.
Proof. by rewrite [A in LHS]mx11_scalar invmx_scalar mxE !ord1 eqxx. Qed.

Section Formulas.
Variables (attention_skip mlp_skip side : bool) (N : option (rat -> rat)).
Notation sh := (world attention_skip mlp_skip side N).
(* norms of queries and keys, and which row map: softmax or the score itself *)
Variables (f g : rat -> rat) (softmax : bool).
Implicit Types (W : small_layer) (M : small_model) (x : rat).

Definition normed (gain bias x : rat) := if N is Some f then f x * gain + bias else x.
Definition attention_number W x :=
  (if softmax then 1 else f (x * W_Q W 0 0 + b_Q W 0 0) * g (x * W_K W 0 0 + b_K W 0 0)) *
  (x * W_V W 0 0 + b_V W 0 0) * W_O W 0 0 + b_O W 0 0.
Definition mlp_number (F : mlp rational (1 * 1)) x :=
  \sum_(k < m F) (let y := x * W_up F 0 k + b_up F 0 k in
                  if W_gate F is Some G then phi F (x * G.1 0 k + G.2 0 k) * y else phi F y) * W_down F k 0
  + b_down F 0 0.
Definition mlps_number W x :=
  \sum_e (if router W is Some r then r.2 (num x *m r.1) 0 e else 1) * mlp_number (expert W e) x.
Definition block_number x W :=
  let y := normed (gain1 W 0 0) (bias1 W 0 0) x in
  if side then (if attention_skip then x else 0) + (attention_number W y + mlps_number W y)
  else let z := (if attention_skip then x else 0) + attention_number W y in
       (if mlp_skip then z else 0) + mlps_number W (normed (gain2 W 0 0) (bias2 W 0 0) z).

Lemma entry_of_affine q (X : 'M[rat]_(1, 1 * 1)) (A : 'M_(1 * 1, q)) c k :
  affine X A c 0 k = X 0 0 * A 0 k + c 0 k.
Proof. by rewrite !mxE big_ord1. Qed.
Lemma entry_of_norm X gain bias : normalise sh X gain bias 0 0 = normed (gain 0 0) (bias 0 0) (X 0 0).
Proof. by rewrite /normalise /normed /=; case: N => //= n; rewrite entry_of_affine mxE. Qed.

Definition follows W :=
  [/\ forall A, norm_q W 0 A 0 0 = f (A 0 0), forall A, norm_k W 0 A 0 0 = g (A 0 0) &
      rowmap W 0 = if softmax then softmax_of_one else score_itself].
Lemma entry_of_attention W X : follows W -> model_attention sh W X 0 0 = attention_number W (X 0 0).
Proof.
case=> nq nk rm; rewrite /model_attention entry_of_affine /attention_number; congr (_ * _ + _).
have place0 : in_head (0 : 'I_1) (0 : 'I_1) = 0 by apply: val_inj.
have rotated A : rotate sh A 0 0 = A 0 0 by rewrite /rotate mxE mulmx1 mxE.
rewrite mxE /head_attention /= !ord1 rm mxE big_ord1 !mxE !big_ord1 ?ord1 ?place0; congr (_ * _).
case: softmax; rewrite !mxE ?eqxx // big_ord1 [_^T 0 0]mxE !rotated nq nk !mxE !big_ord1 mul1r !place0.
by [].
Qed.
Lemma entry_of_mlp F (X : 'M[rat]_(1, 1 * 1)) : expert_of F X 0 0 = mlp_number F (X 0 0).
Proof.
rewrite /expert_of /mlp_number mxE [X in _ + X]mxE mxE; congr (_ + _); apply: eq_bigr => k _; congr (_ * _).
by case: (W_gate F) => [[G c]|] /=; rewrite !mxE !big_ord1.
Qed.
Lemma entry_of_mlps W X : model_mlp W X 0 0 = mlps_number W (X 0 0).
Proof.
rewrite /model_mlp /mlps_number.
case: (router W) => [[r w]|]; rewrite summxE; apply: eq_bigr => e _; last by rewrite entry_of_mlp mul1r.
by rewrite mxE entry_of_mlp mxE /= -mx11_scalar.
Qed.
Lemma entry_of_block W X : follows W -> model_block sh W X 0 0 = block_number (X 0 0) W.
Proof.
move=> as_W; have att Y := entry_of_attention Y as_W.
have sk t (Y F : 'M[rat]_(1, 1 * 1)) : skip t Y F 0 0 = (if t then Y 0 0 else 0) + F 0 0.
  by case: t; rewrite /skip ?mxE ?add0r.
rewrite /model_block /block_number /=; case: side => /=.
  by rewrite sk mxE att entry_of_mlps entry_of_norm.
by rewrite sk sk entry_of_mlps entry_of_norm sk att entry_of_norm.
Qed.

Fixpoint all_follow (Ws : seq small_layer) := if Ws is W :: r then follows W /\ all_follow r else True.
Lemma logit_is M : all_follow (at_ M) -> logit sh M =
  normed (gain_f M 0 0) (bias_f M 0 0) (foldl block_number (E M 0 0 + P M 0 0) (at_ M)) *
  (if head M is Some H then H 0 0 else E M 0 0).
Proof.
move=> ok; have stack X : model_stack sh (at_ M) X 0 0 = foldl block_number (X 0 0) (at_ M).
  by elim: (at_ M) X ok => //= W r IH X [as_W ok]; rewrite IH // entry_of_block.
rewrite /model_forward /model_head mxE big_ord1 entry_of_norm stack /model_embed mul1mx mxE.
by case: (head M) => [H|] //; rewrite mxE.
Qed.
End Formulas.

(* Both sides of a logit by numbers: in the model, then in the entries of its weights. *)
Ltac by_numbers f g softmax :=
  rewrite (@logit_is _ _ _ _ f g softmax); [|by do ?[split] => *; rewrite ?mxE];
  rewrite /= /block_number /attention_number /mlps_number /mlp_number /normed /=;
  rewrite ?(big_ord0, big_ord1) !(mxE, big_ord1, inverse_of_one) /=; apply/eqP; vm_compute.
