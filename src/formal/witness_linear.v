(* witness_linear.v - models of linear attention alone: the scores themselves are the weights, and the logits are what
 * attention gives.
 *
 * No skip around attention and no MLP, E = 1, and a head 1 or tied, which is the same: `logits_are_attention`. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms witness.
From Provably Require Export small_matrices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Definition linear_layer n h dk (Wq Wk Wv Wo : 'M[rat]_(h * dk)) bq bk bv nq nk : layer rational n (h * dk) h h dk :=
  @Layer rational n (h * dk) h h dk Wq bq Wk bk Wv bv Wo 0 0 0 0 0 (fun=> nq) (fun=> nk) (fun _ _ S => S)
         0 None (fun e => @Mlp rational (h * dk) 0 0 0 None 0 0 id).
(* grp: the key-value head of each head *)
Definition reading n h dk grp rot : shape rational n (h * dk) h h dk :=
  Shape false true false None (fun _ _ => true) 1 grp rot.
Notation straight n h dk := (@reading n h dk id (fun=> 1%:M)).
Definition attends n h dk (tied : bool) W : model rational n (h * dk) h h dk (h * dk) :=
  Model 1%:M 0 (if tied then None else Some 1%:M) 1%:M 0 [:: W].

Lemma logits_are_attention n h dk grp rot tied (W : layer rational n (h * dk) h h dk) X :
  experts W = 0%N -> router W = None ->
  model_forward (reading grp rot) (attends tied W) X = model_attention (reading grp rot) W X.
Proof.
move=> none norouter; rewrite /model_forward /model_head /normalise /model_embed /= addr0 mulmx1.
have -> : (if (if tied then None else Some 1%:M) is Some H then H else 1%:M^T) = 1%:M :> 'M[rat]_(h * dk).
  by case: tied; rewrite ?trmx1.
rewrite mulmx1 /model_block /skip /=.
have -> Y : model_mlp W Y = 0; last by rewrite addr0.
by rewrite /model_mlp norouter big1 // => -[e lt]; exfalso; move: lt; rewrite none.
Qed.

Lemma unturned n h dk grp A : rotate (@reading n h dk grp (fun=> 1%:M)) A = A.
Proof. by apply/row_matrixP => t; rewrite row_rotate mulmx1. Qed.

(* -- one token, one number wide: weights, biases, norms f and g of queries and keys *)
Section OneNumber.
Notation logit tied W := (model_forward (straight 1 1 1) (attends tied W) (1%:M : 'M[rat]_(1 * 1)) 0 0).
Definition numbers (q bq k bk v bv : rat) (f g : rat -> rat) : layer rational 1 (1 * 1) 1 1 1 :=
  @linear_layer 1 1 1 q%:M k%:M v%:M 1%:M bq%:M bk%:M bv%:M (map_mx f) (map_mx g).

Lemma attention_of_numbers (W : layer rational 1 (1 * 1) 1 1 1) f g : norm_q W 0 = map_mx f -> norm_k W 0 = map_mx g ->
  rowmap W 0 = (fun _ S => S) -> model_attention (straight 1 1 1) W (1%:M : 'M[rat]_(1 * 1)) 0 0 =
  f (W_Q W 0 0 + b_Q W 0 0) * g (W_K W 0 0 + b_K W 0 0) * (W_V W 0 0 + b_V W 0 0) * W_O W 0 0 + b_O W 0 0.
Proof.
move=> nq nk rm; rewrite /model_attention /affine !(mxE, big_ord1) /head_attention /=.
have place0 : in_head (0 : 'I_1) (0 : 'I_1) = 0 by apply: val_inj.
by rewrite !ord1 rm nq nk !unturned !(mxE, big_ord1) /= place0 !mul1r.
Qed.
Lemma of_numbers tied (W : layer rational 1 (1 * 1) 1 1 1) f g : norm_q W 0 = map_mx f -> norm_k W 0 = map_mx g ->
  rowmap W 0 = (fun _ S => S) -> experts W = 0%N -> router W = None -> logit tied W =
  f (W_Q W 0 0 + b_Q W 0 0) * g (W_K W 0 0 + b_K W 0 0) * (W_V W 0 0 + b_V W 0 0) * W_O W 0 0 + b_O W 0 0.
Proof. by move=> nq nk rm none norouter; rewrite logits_are_attention // (attention_of_numbers nq nk rm). Qed.
End OneNumber.

(* -- two tokens, one head of width 2, X = I: attention is (rotated W_Q) (rotated W_K)' W_V W_O *)
Section TwoTokens.
Notation turning rot := (@reading 2 1 2 id rot).
Notation logits rot tied W := (model_forward (turning rot) (attends tied W) (1%:M : 'M[rat]_(1 * 2))).
Definition two_tokens (Wq Wk Wv Wo : 'M[rat]_2) f g := @linear_layer 2 1 2 Wq Wk Wv Wo 0 0 0 (map_mx f) (map_mx g).

Lemma attention_of_pairs rot (Wq Wk Wv Wo : 'M[rat]_2) f g :
  model_attention (turning rot) (two_tokens Wq Wk Wv Wo f g) (1%:M : 'M[rat]_(1 * 2)) =
  rotate (turning rot) (map_mx f (Wq : 'M_(2, 2))) *m (rotate (turning rot) (map_mx g (Wk : 'M_(2, 2))))^T
    *m Wv *m Wo.
Proof.
have c0 (A : 'M[rat]_2) : cols (A : 'M_(2, 1 * 2)) (0 : 'I_1) = A.
  by apply/matrixP => i j; rewrite mxE; congr (A _ _); apply: val_inj.
rewrite /model_attention affine_no_bias [model_self_attention _ _ _](_ : _ =
  rotate (turning rot) (map_mx f Wq) *m (rotate (turning rot) (map_mx g Wk))^T *m Wv) //.
apply: (@cols_inj 1 2) => a; rewrite [LHS]cols_hcat /head_attention /= !ord1 scale1r !affine_no_bias !mul1mx.
by rewrite !c0.
Qed.
Lemma of_pairs rot tied (Wq Wk Wv Wo : 'M[rat]_2) f g : logits rot tied (two_tokens Wq Wk Wv Wo f g) =
  rotate (turning rot) (map_mx f (Wq : 'M_(2, 2))) *m (rotate (turning rot) (map_mx g (Wk : 'M_(2, 2))))^T
    *m Wv *m Wo.
Proof. by rewrite logits_are_attention // attention_of_pairs. Qed.
End TwoTokens.

(* -- one token X = (1, 1), two heads of width 1: head a is its query times its group's key and value *)
Section TwoHeads.
Definition two_heads (Wq Wk Wv Wo : 'M[rat]_2) := @linear_layer 1 2 1 Wq Wk Wv Wo 0 0 0 id id.
Notation heads grp := (@reading 1 2 1 grp (fun=> 1%:M)).
Notation logit grp tied W := (model_forward (heads grp) (attends tied W) (const_mx 1 : 'M[rat]_(1, 2 * 1)) 0 0).
Lemma of_heads (grp : 'I_2 -> 'I_2) tied (Wq Wk Wv Wo : 'M[rat]_2) :
  let head k := (Wq 0 k + Wq 1 k) * (Wk 0 (grp k) + Wk 1 (grp k)) * (Wv 0 (grp k) + Wv 1 (grp k)) in
  logit grp tied (two_heads Wq Wk Wv Wo) = head 0 * Wo 0 0 + head 1 * Wo 1 0.
Proof.
have row (A : 'M[rat]_2) k : \sum_(j < 2) (const_mx 1 : 'M[rat]_(1, 2)) 0 j * A j k = A 0 k + A 1 k.
  by rewrite two_terms !mxE !mul1r.
move=> head; rewrite logits_are_attention // /model_attention affine_no_bias mxE.
rewrite -(two_terms (fun k => head k * Wo k 0)); apply: eq_bigr => k _; congr (_ * _).
rewrite /model_self_attention /model_attention_of !affine_no_bias mxE /head_attention /= !unturned.
have at_k b : in_head b (0 : 'I_1) = b :> 'I_(2 * 1) by apply: val_inj; rewrite /= muln1 addn0.
have head_k : head_of (k : 'I_(2 * 1)) = k :> 'I_2 by apply: val_inj; rewrite /= divn1.
by rewrite !(mxE, big_ord1) /= !ord1 head_k !at_k mul1r !row.
Qed.
End TwoHeads.
