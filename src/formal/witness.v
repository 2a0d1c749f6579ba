(* witness.v - the smallest models: one token, one number wide, over the rationals.  The theorems' files show
 * with them what goes wrong without a hypothesis.
 *
 * Their attention writes nothing (W_O = 0), so a layer is its skips and an MLP, which is x -> x or nothing. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* the ring of rational numbers, found by its carrier: MathComp 1 and 2 write it in different ways *)
Definition ring_on (R : comUnitRingType) (_ : phant R) := R.
Local Set Warnings "-non-reversible-notation".
Notation rational := ltac:(let Q := eval unfold ring_on in (ring_on (Phant rat)) in exact Q) (only parsing).

Notation small_layer := (layer rational 1 (1 * 1) 1 1 1).
Notation small_model := (model rational 1 (1 * 1) 1 1 1 1).
Notation small_shape := (shape rational 1 (1 * 1) 1 1 1).

Definition identity_mlp : mlp rational (1 * 1) := @Mlp _ (1 * 1) (1 * 1) 1%:M 0 None 1%:M 0 id.
(* `experts` = 0: no MLP; 1: the identity *)
Definition silent (experts : nat) (q : rat) : small_layer :=
  @Layer _ 1 (1 * 1) 1 1 1 q%:M 0 0 0 0 0 0 0 1%:M 0 1%:M 0 (fun _ A => A) (fun _ A => A) (fun _ _ S => S)
         experts None (fun=> identity_mlp).
Definition small_shape_of (attn_skip mlp_skip : bool) norm : small_shape :=
  Shape attn_skip mlp_skip false norm (fun _ _ => true) 1 id (fun=> 1%:M).
(* E = 1, P = 0 *)
Definition small_model_of (head : option 'M[rat]_(1 * 1, 1)) Ws : small_model := Model 1%:M 0 head 1%:M 0 Ws.
(* X / (|X| + 1), the norm of one number with epsilon 1 *)
Definition small_norm (X : 'M[rat]_(1, 1 * 1)) : 'M[rat]_(1, 1 * 1) := map_mx (fun x => x / (`|x| + 1)) X.

Lemma affine_zero (X : 'M[rat]_(1, 1 * 1)) b : affine X (0 : 'M_(1 * 1, 1 * 1)) b = \matrix_(i, j) b 0 j.
Proof. by rewrite /affine mulmx0 add0r. Qed.
Lemma zero_scalar : (0 : rat)%:M = 0 :> 'M_(1 * 1).
Proof. by apply/matrixP => i j; rewrite !mxE mul0rn. Qed.
Lemma const0 n p : \matrix_(i < n, j < p) (0 : 'rV[rat]_p) 0 j = 0.
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma affine_scalar (X : 'M[rat]_(1, 1 * 1)) a : affine X (a%:M : 'M_(1 * 1)) 0 = a *: X.
Proof. by rewrite /affine const0 addr0 mul_mx_scalar. Qed.

Lemma quiet (sh : small_shape) (W : small_layer) X : W_O W = 0 -> b_O W = 0 -> model_attention sh W X = 0.
Proof. by move=> O0 b0; rewrite /model_attention /affine O0 b0 mulmx0 const0 addr0. Qed.

Lemma quiet_gauge (sh : small_shape) A D e q X : model_attention sh (gauge_layer sh A D (silent e q)) X = 0.
Proof. by apply: quiet; rewrite /gauge_layer; case: parallel; rewrite /= mul0mx. Qed.

(* With both skips and no MLP a layer does nothing, in any bases, behind any norm. *)
Lemma passes norm A D q X : let sh := small_shape_of true true norm in
  model_block sh (gauge_layer sh A D (silent 0 q)) X = X.
Proof.
move=> sh; rewrite /model_block quiet_gauge /= /skip /= /model_mlp /= big_ord0 !addr0 //.
Qed.

(* With a skip around attention only and the identity MLP it is the norm, read and written in two bases. *)
Lemma is_norm N A D q X : let sh := small_shape_of true false N in
  model_block sh (gauge_layer sh A D (silent 1 q)) X =
  (if N is Some f then f X else X) *m invmx A *m D.
Proof.
move=> sh; rewrite /model_block quiet_gauge /= /skip /= addr0 /model_mlp /= big_ord1 /expert_of /= !mul0mx /affine.
rewrite !const0 !addr0 mulmx1 mul1mx map_mx_id //; congr (_ *m _ *m _).
by rewrite /normalise /=; case: N sh => [f|] //= _; rewrite /affine const0 addr0 mulmx1.
Qed.

(* The same without change of basis. *)
Lemma passes0 norm q X : let sh := small_shape_of true true norm in model_block sh (silent 0 q) X = X.
Proof. by move=> sh; rewrite /model_block quiet //= /skip /= /model_mlp /= big_ord0 !addr0. Qed.
Lemma is_norm0 N q X : let sh := small_shape_of true false N in
  model_block sh (silent 1 q) X = if N is Some f then f X else X.
Proof.
move=> sh; rewrite /model_block quiet //= /skip /= addr0 /model_mlp /= big_ord1 /expert_of /= /affine.
rewrite !const0 !addr0 !mulmx1 map_mx_id //.
by rewrite /normalise /=; case: N sh => [f|] //= _; rewrite /affine const0 addr0 mulmx1.
Qed.
