(* witness_idle.v - models of any size whose layers do nothing: their logits are embedding and head alone.
 *
 * Attention writes nothing (W_O = 0), there is no MLP, and skips carry the stream: X' = X, in any basis.  What a change
 * of basis does wrong between the embedding and the head is then seen in the logits. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction witness.
From Provably Require Export small_matrices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Idle.
Variables (R : comUnitRingType) (n d h h_kv dk V : nat).
Notation shape := (shape R n d h h_kv dk).
Notation layer := (layer R n d h h_kv dk).
Implicit Types (sh : shape) (W : layer) (M : model R n d h h_kv dk V) (X : 'M[R]_(n, d)).

Definition idle W := [/\ W_O W = 0, b_O W = 0, experts W = 0%N & router W = None].
Fixpoint all_idle (Ws : seq layer) : Prop := if Ws is W :: r then idle W /\ all_idle r else True.
Definition idle_layer Q K Vv : layer :=
  @Layer R n d h h_kv dk Q 0 K 0 Vv 0 0 0 1%:M 0 1%:M 0 (fun _ A => A) (fun _ A => A) (fun _ _ S => S)
         0 None (fun=> @Mlp R d 0 0 0 None 0 0 id).

Lemma idle_gauge sh A D W : idle W -> idle (gauge_layer sh A D W).
Proof.
case=> O0 b0 none norouter; rewrite /gauge_layer; case: parallel;
  by split; rewrite /= ?O0 ?b0 ?mul0mx ?none ?norouter.
Qed.
Lemma idle_block sh W X : all_skips sh -> idle W -> model_block sh W X = X.
Proof.
move=> /and3P [sa sm /negPf par] [O0 b0 none norouter]; rewrite /model_block par /skip sa sm.
have -> Y : model_mlp W Y = 0.
  by rewrite /model_mlp norouter big1 // => -[e lt]; exfalso; move: lt; rewrite none.
have -> Y : model_attention sh W Y = 0; last by rewrite !addr0.
by rewrite /model_attention /affine O0 b0 mulmx0 add0r; apply/matrixP => i j; rewrite !mxE.
Qed.

Lemma idle_forward sh M T : all_skips sh -> all_idle (at_ M) ->
  model_forward sh M T = model_head sh M (model_embed M T).
Proof.
move=> skips rest; rewrite /model_forward; congr (model_head _ _ _).
by elim: (at_ M) (model_embed M T) rest => //= W r IH X [idle_W /IH]; rewrite idle_block.
Qed.
(* The same in one basis Theta. *)
Lemma idle_forward_gauge sh Theta M T : all_skips sh -> all_idle (at_ M) ->
  let M' := gauge_model sh (fun=> Theta) M in
  model_forward sh M' T = model_head sh M' (model_embed M T *m Theta).
Proof.
move=> skips rest M'; rewrite idle_forward //; first by rewrite /M' embed_gauge.
rewrite /M' /= gauge_layers_one; elim: (at_ M) rest => //= W r IH [idle_W /IH].
by split=> //; apply: idle_gauge.
Qed.
End Idle.

(* ---- over the rationals: one token T = 1, embedding and head 1; f is the norm, in front of the head ------------- *)

(* one number wide: in the basis a the logit is f(a) / a, or f(a) a where the head is tied and stays so *)
Section OneWide.
Notation logits sh M := (model_forward sh M 1%:M 0 0).
Definition one_wide (f : option (rat -> rat)) : small_shape := small_shape_of true true (omap (fun f => map_mx f) f).
Definition one_model (tied : bool) Ws : small_model := small_model_of (if tied then None else Some 1%:M) Ws.
Definition normed (f : option (rat -> rat)) (x : rat) := if f is Some g then g x else x.

Lemma one_gauge f tied a Ws : all_idle Ws ->
  logits (one_wide f) (gauge_model (one_wide f) (fun=> a%:M) (one_model tied Ws)) =
    normed f a * (if tied then a else a^-1).
Proof.
move=> rest; rewrite idle_forward_gauge // /model_head /normalise /model_embed /= mul1mx addr0 !mul1mx.
have -> : (if omap (fun g => map_mx g) f is Some N then affine (N a%:M) 1%:M 0 else a%:M) =
    (normed f a)%:M :> 'M_(1 * 1).
  case: f => [g|] //=; rewrite /affine const0 addr0 mulmx1; apply/matrixP => i j.
  by rewrite !mxE !ord1 eqxx.
by case: tied => /=; rewrite ?mulmx1 ?mul1mx ?tr_scalar_mx ?invmx_scalar -scalar_mxM mxE eqxx.
Qed.
Lemma one_logit f tied Ws : all_idle Ws ->
  logits (one_wide f) (one_model tied Ws) = normed f 1.
Proof.
move=> rest; rewrite idle_forward // /model_head /normalise /model_embed /= addr0 mulmx1.
have -> : (if omap (fun g => map_mx g) f is Some N then affine (N 1%:M) 1%:M 0 else 1%:M) =
    (normed f 1)%:M :> 'M_(1 * 1).
  case: f => [g|] //=; rewrite /affine const0 addr0 mulmx1; apply/matrixP => i j.
  by rewrite !mxE !ord1 eqxx.
by case: tied => /=; rewrite ?trmx1 mulmx1 mxE eqxx.
Qed.
End OneWide.

(* two numbers wide, one head of one number: E = (1, 0), W_LM = (1, 0)', and Theta = (W | C) = diag(a, 1) *)
Section TwoWide.
Notation logits sh M := (model_forward sh M 1%:M 0 0).
Definition two_wide (f : option (rat -> rat)) : shape rational 1 (1 * 1 + 1) 1 1 1 :=
  Shape true true false (omap (fun f => map_mx f) f) (fun _ _ => true) 1 id (fun=> 1%:M).
Definition first_column (a : rat) : 'M[rat]_(1 * 1 + 1, 1 * 1) := col_mx a%:M 0.
Definition second_column : 'M[rat]_(1 * 1 + 1, 1) := col_mx 0 1%:M.
Definition two_model (tied : bool) Ws : model rational 1 (1 * 1 + 1) 1 1 1 1 :=
  Model (row_mx 1%:M 0) 0 (if tied then None else Some (col_mx 1%:M 0)) 1%:M 0 Ws.

Lemma two_inverse a : a != 0 -> invmx (row_mx (first_column a) second_column) = block_mx a^-1%:M 0 0 1%:M.
Proof.
move=> a0; suff /invmx_eq [-> _] : row_mx (first_column a) second_column *m block_mx a^-1%:M 0 0 1%:M = 1%:M by [].
rewrite -[row_mx (first_column _) _]block_mxEh mulmx_block !(mulmx0, mul0mx, mulmx1, addr0, add0r).
by rewrite -scalar_mxM divff // -scalar_mx_block.
Qed.
Lemma two_gauge f tied a Ws : a != 0 -> all_idle Ws ->
  logits (two_wide f) (gauge_model (two_wide f) (fun=> row_mx (first_column a) second_column) (two_model tied Ws)) =
    normed f a * (if tied then a else a^-1).
Proof.
move=> a0 rest; rewrite idle_forward_gauge // /model_head /normalise /model_embed /= mul1mx addr0.
have -> : row_mx 1%:M 0 *m row_mx (first_column a) second_column = row_mx a%:M 0 :> 'M_(1, 1 * 1 + 1).
  by rewrite -[row_mx (first_column _) _]block_mxEh mul_row_block !(mulmx0, mul0mx, mul1mx, addr0).
have [b ->] : exists b, (if omap (fun g => map_mx g) f is Some N then affine (N (row_mx a%:M 0)) 1%:M 0
    else row_mx a%:M 0) = row_mx (normed f a)%:M b :> 'M_(1, 1 * 1 + 1).
  case: f => [g|] /=; last by exists 0.
  exists (map_mx g 0); rewrite /affine const0 addr0 mulmx1 map_row_mx; congr row_mx.
  by apply/matrixP => i j; rewrite !mxE !ord1 eqxx.
case: tied => /=; last first.
  by rewrite two_inverse // mul_block_col mul_row_col !(mulmx0, mul0mx, mulmx1, addr0) -scalar_mxM mxE eqxx.
by rewrite tr_row_mx trmx0 tr_scalar_mx mul_row_col mulmx0 addr0 -scalar_mxM mxE eqxx.
Qed.
Lemma two_logit f tied Ws : all_idle Ws ->
  logits (two_wide f) (two_model tied Ws) = normed f 1.
Proof.
move=> rest; rewrite idle_forward // /model_head /normalise /model_embed /= addr0 mul1mx.
have [b ->] : exists b, (if omap (fun g => map_mx g) f is Some N then affine (N (row_mx 1%:M 0)) 1%:M 0
    else row_mx 1%:M 0) = row_mx (normed f 1)%:M b :> 'M_(1, 1 * 1 + 1).
  case: f => [g|] /=; last by exists 0.
  exists (map_mx g 0); rewrite /affine const0 addr0 mulmx1 map_row_mx; congr row_mx.
  by apply/matrixP => i j; rewrite !mxE !ord1 eqxx.
by case: tied => /=; rewrite ?tr_row_mx ?trmx0 ?trmx1 mul_row_col mulmx0 addr0 mulmx1 mxE eqxx.
Qed.
(* a = 0: Theta has no inverse and the embedding becomes 0 *)
Lemma two_singular Ws : all_idle Ws ->
  logits (two_wide None) (gauge_model (two_wide None) (fun=> row_mx (first_column 0) second_column)
    (two_model false Ws)) = 0.
Proof.
move=> rest; rewrite idle_forward_gauge // /model_head /normalise /model_embed /= mul1mx addr0.
rewrite -[row_mx (first_column _) _ in X in X *m _]block_mxEh mul_row_block !(mulmx0, mul0mx, mul1mx, addr0).
by rewrite zero_scalar row_mx0 mul0mx mxE.
Qed.
End TwoWide.
