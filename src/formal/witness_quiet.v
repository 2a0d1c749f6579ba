(* witness_quiet.v - models of any size whose attention writes nothing (W_O = 0), so that a layer is its skips and an
 * MLP that hands on what it reads, or is not there.  What a change of basis leaves of them: norms and the head. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge heads.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Quiet.
Variables (R : comUnitRingType) (n d h h_kv dk : nat).
Notation shape := (shape R n d h h_kv dk).
Notation layer := (layer R n d h h_kv dk).
Implicit Types (sh : shape) (W : layer) (A D : 'M[R]_d) (X : 'M[R]_(n, d)).

Definition handing_on : mlp R d := @Mlp R d d 1%:M 0 None 1%:M 0 id.
(* no MLP, or one; the gains and biases of the two norms *)
Definition quiet_layer (mlps : nat) Q bQ K bK Vv bV g1 b1 g2 b2 : layer :=
  @Layer R n d h h_kv dk Q bQ K bK Vv bV 0 0 g1 b1 g2 b2 (fun _ q => q) (fun _ k => k) (fun _ _ S => S)
         mlps None (fun=> handing_on).
(* without gains and biases *)
Definition still mlps Q K Vv : layer := quiet_layer mlps Q 0 K 0 Vv 0 1%:M 0 1%:M 0.

Lemma affine_none p q (X : 'M[R]_(n, p)) (A : 'M_(p, q)) : affine X A 0 = X *m A.
Proof. by rewrite /affine (_ : \matrix_(i, j) _ = 0) ?addr0 //; apply/matrixP => i j; rewrite !mxE. Qed.
Lemma quiet_attention sh W X : W_O W = 0 -> b_O W = 0 -> model_attention sh W X = 0.
Proof. by move=> O0 b0; rewrite /model_attention O0 b0 affine_none mulmx0. Qed.

Variables (Q : 'M[R]_(d, h * dk)) (bQ : 'rV[R]_(h * dk)) (K Vv : 'M[R]_(d, h_kv * dk)) (bK bV : 'rV[R]_(h_kv * dk)).
Variables (g1 g2 : 'M[R]_d) (b1 b2 : 'rV[R]_d).
Notation quiet mlps := (quiet_layer mlps Q bQ K bK Vv bV g1 b1 g2 b2).

Lemma written_nothing sh A D mlps X : model_attention sh (gauge_layer sh A D (quiet mlps)) X = 0.
Proof. by apply: quiet_attention; rewrite /gauge_layer; case: parallel; rewrite /= mul0mx. Qed.
Lemma handed_on C D (Y : 'M[R]_(n, d)) : expert_of (rewrite_mlp C D handing_on) Y = Y *m invmx C *m D.
Proof. by rewrite /expert_of /= mul0mx !affine_none map_mx_id // mulmx1 mul1mx. Qed.

(* Both skips and no MLP: the stream stays, in any bases. *)
Lemma both_skips sh A D X : attn_skip sh -> mlp_skip sh -> parallel sh = false ->
  model_block sh (gauge_layer sh A D (quiet 0)) X = X.
Proof.
move=> sa sm np; rewrite /model_block written_nothing np sa sm /skip /= addr0 /gauge_layer np /model_mlp /=.
by rewrite big_ord0 addr0.
Qed.
(* A skip around the attention only: the second norm, read in the basis A and written in the basis D. *)
Lemma attention_skip_alone sh A D X : attn_skip sh -> mlp_skip sh = false -> parallel sh = false ->
  model_block sh (gauge_layer sh A D (quiet 1)) X = normalise sh X g2 b2 *m invmx A *m D.
Proof.
move=> sa sm np; rewrite /model_block written_nothing np sa sm /skip /= addr0 /gauge_layer np sm /model_mlp /=.
by rewrite big_ord1 handed_on.
Qed.
(* ---- one layer between the embedding e and the head, gain and bias of the last norm ------------------------------ *)

Variables (V : nat) (e : 'M[R]_(V, d)) (out : option 'M[R]_(d, V)) (gf : 'M[R]_d) (bf : 'rV[R]_d) (T : 'M[R]_(n, V)).
Notation around mlps := (Model e 0 out gf bf [:: quiet mlps]).
(* what the head reads from the stream X, in the bases A in front of the layer and D behind it *)
Definition read_out sh A D X : 'M[R]_(n, V) :=
  normalise sh X gf bf *m (if out is Some H then invmx D *m H else (e *m A)^T).

Lemma logits_both_skips sh (Theta : nat -> 'M[R]_d) : attn_skip sh -> mlp_skip sh -> parallel sh = false ->
  model_forward sh (gauge_model sh Theta (around 0)) T = read_out sh (Theta 0%N) (Theta 1%N) (T *m (e *m Theta 0%N)).
Proof.
move=> sa sm np; rewrite /model_forward /= both_skips // /model_embed /= mul0mx addr0 /model_head /read_out /=.
by case: out.
Qed.
Lemma logits_attention_skip sh (Theta : nat -> 'M[R]_d) : attn_skip sh -> mlp_skip sh = false ->
  parallel sh = false -> model_forward sh (gauge_model sh Theta (around 1)) T =
  read_out sh (Theta 0%N) (Theta 1%N)
    (normalise sh (T *m (e *m Theta 0%N)) g2 b2 *m invmx (Theta 0%N) *m Theta 1%N).
Proof.
move=> sa sm np; rewrite /model_forward /= attention_skip_alone // /model_embed /= mul0mx addr0 /model_head /read_out.
by case: out.
Qed.
(* The model itself is the one in the basis 1. *)
Lemma unchanged sh mlps :
  model_forward sh (around mlps) T = model_forward sh (gauge_model sh (fun=> 1%:M) (around mlps)) T.
Proof.
have same_layer X : model_block sh (quiet mlps) X = model_block sh (gauge_layer sh 1%:M 1%:M (quiet mlps)) X.
  have rewritten B : expert_of (rewrite_mlp 1%:M 1%:M handing_on) B = expert_of handing_on (B : 'M[R]_(n, d)).
    by rewrite handed_on /expert_of /= !affine_none map_mx_id // invmx1 !mulmx1.
  have same Y : model_mlp (gauge_layer sh 1%:M 1%:M (quiet mlps)) Y = model_mlp (quiet mlps) Y.
    by rewrite gauge_layer_one /model_mlp /=; apply: eq_bigr => i _; apply: rewritten.
  have att Y : model_attention sh (quiet mlps) Y = 0 by apply: quiet_attention.
  by rewrite /model_block !same !att !written_nothing gauge_layer_one.
rewrite /model_forward /model_embed /= mul0mx mulmx1 -same_layer /model_head /=.
by case: out => [H|] //=; rewrite ?invmx1 ?mul1mx ?mulmx1.
Qed.
End Quiet.
Arguments handing_on {R d}.
