(* forms.v - attention sees W_Q and W_K only in the forms W_Q^a W_K^a', W_V and W_O only in the products W_V^a W_O^a.
 *
 * For models as in Section 4 of 003: no positions inside attention, no QK-norm, no biases of queries and keys, a key
 * and value head for each head. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Forms.
Variables (R : comUnitRingType) (n d h dk V : nat).
Notation shape := (shape R n d h h dk).
Notation layer := (layer R n d h h dk).
Notation model := (model R n d h h dk V).
Implicit Types (sh : shape) (M : model) (W : layer) (X : 'M[R]_(n, d)).

Definition plain sh := (forall t, rotation sh t = 1%:M) /\ (forall a, group sh a = a).
Definition plain_layer W := [/\ forall a A, norm_q W a A = A, forall a A, norm_k W a A = A, b_Q W = 0 & b_K W = 0].

(* W_Q^a W_K^a' and W_V^a W_O^a, both d x d *)
Definition score_form (Q K : 'M[R]_(d, h * dk)) (a : 'I_h) : 'M_d := cols Q a *m (cols K a)^T.
Definition value_form (Vv : 'M[R]_(d, h * dk)) (O : 'M[R]_(h * dk, d)) (a : 'I_h) : 'M_d := cols Vv a *m rows O a.

Lemma affine_no_bias p q (X : 'M[R]_(n, p)) (A : 'M_(p, q)) : affine X A 0 = X *m A.
Proof. by rewrite /affine (_ : \matrix_(i, j) _ = 0) ?addr0 //; apply/matrixP => i j; rewrite !mxE. Qed.

Lemma head_attention_plain sh W X a : plain sh -> plain_layer W ->
  head_attention sh W (cols (affine X (W_Q W) (b_Q W)) a) (cols (affine X (W_K W) (b_K W)) (group sh a))
    (cols (affine X (W_V W) (b_V W)) (group sh a)) a =
  rowmap W a (visible sh) (scale sh *: (X *m score_form (W_Q W) (W_K W) a *m X^T)) *m cols (affine X (W_V W) (b_V W)) a.
Proof.
move=> [rot grp] [nq nk bq bk]; rewrite /head_attention nq nk grp bq bk !affine_no_bias.
have no A : rotate sh A = A by apply/row_matrixP => t; rewrite row_rotate rot mulmx1.
by rewrite !no !cols_mul trmx_mul /score_form !mulmxA.
Qed.

Definition with_queries W Q K : layer := with_attention W Q 0 K 0 (W_V W) (b_V W) (W_O W) (b_O W).
Definition with_values W Vv O : layer := with_attention W (W_Q W) (b_Q W) (W_K W) (b_K W) Vv 0 O (b_O W).

(* The same forms, or a head without values: the same attention. *)
Definition dead W a := cols (W_V W) a = 0 /\ cols (b_V W) a = 0.
Lemma query_key_forms sh W Q K X : plain sh -> plain_layer W ->
  (forall a, score_form Q K a = score_form (W_Q W) (W_K W) a \/ dead W a) ->
  model_attention sh (with_queries W Q K) X = model_attention sh W X.
Proof.
move=> pl plW same; have plQ : plain_layer (with_queries W Q K) by case: plW => nq nk _ _.
suff e : model_self_attention sh (with_queries W Q K) X = model_self_attention sh W X by rewrite /model_attention e.
rewrite /model_self_attention /model_attention_of; apply: eq_hcat => a.
rewrite (head_attention_plain X a pl plW) (head_attention_plain X a pl plQ) [W_Q (with_queries _ _ _)]/=.
rewrite [W_K (with_queries _ _ _)]/= [W_V (with_queries _ _ _)]/= [b_V (with_queries _ _ _)]/=.
have [->//|[V0 b0]] := same a.
rewrite (_ : cols (affine X (W_V W) (b_V W)) a = 0) ?mulmx0 //.
rewrite /affine cols_add cols_mul V0 mulmx0 add0r; apply/matrixP => i j; rewrite !mxE.
by have /matrixP/(_ 0 j) := b0; rewrite !mxE.
Qed.

Lemma value_output_forms sh W Vv O X : plain sh -> plain_layer W -> b_V W = 0 ->
  (forall a, value_form Vv O a = value_form (W_V W) (W_O W) a) ->
  model_attention sh (with_values W Vv O) X = model_attention sh W X.
Proof.
move=> pl plW b0 same; rewrite /model_attention /affine /=; congr (_ + _).
rewrite /model_self_attention /model_attention_of !hcat_mul; apply: eq_bigr => a _.
rewrite (head_attention_plain X a pl plW).
rewrite (@head_attention_plain sh (with_values W Vv O) X a pl plW) /= b0 !affine_no_bias !cols_mul.
by rewrite -!mulmxA -/(value_form Vv O a) same.
Qed.

(* ---- one layer among others ------------------------------------------------------------------------------------- *)

Lemma replace_layer sh M before W W' after : at_ M = before ++ W :: after ->
  (forall X, model_block sh W' X = model_block sh W X) -> same_function sh (with_layers M (before ++ W' :: after)) M.
Proof.
move=> layers same T; rewrite /model_forward; congr (normalise _ _ _ _ *m _); rewrite layers /=.
rewrite -[model_embed (with_layers _ _) T]/(model_embed M T) /model_stack !foldl_cat /=.
by rewrite same.
Qed.

(* M with W_Q = Theta and keys K in the layer W, in the basis Theta: there W_Q = I. *)
Definition in_basis sh M Theta before W after : model :=
  gauge_model sh (fun=> Theta) (with_layers M (before ++ W :: after)).
End Forms.

(* One head: the forms are W_Q W_K' and W_V W_O themselves. *)
Section OneHead.
Variables (R : comUnitRingType) (n dk : nat).
Notation d := (1 * dk)%N.
Lemma one_head (A B : 'M[R]_d) a : cols A a *m rows B a = A *m B.
Proof. by rewrite mul_cols_rows big_ord1 (ord1 a). Qed.
Lemma one_form (Q K : 'M[R]_d) a : score_form Q K a = Q *m K^T.
Proof. by rewrite /score_form -rows_tr one_head. Qed.
End OneHead.

Section Square.
Variables (R : comUnitRingType) (n h dk V : nat).
Notation d := (h * dk)%N.
Implicit Types (sh : shape R n d h h dk) (M : model R n d h h dk V) (W : layer R n d h h dk) (Theta : 'M[R]_d).

(* Keys (C_a)' with W_Q^a W_K^a' = Theta_a C_a: the image of each form lies in the span of Theta_a. *)
Definition keys_of (C : 'I_h -> 'M[R]_(dk, d)) : 'M[R]_d := hcat (fun a => (C a)^T).
Definition images_within W Theta C := forall a,
  score_form (W_Q W) (W_K W) a = cols Theta a *m C a \/ dead W a.

(* Where they do, W_Q^j becomes I; a tied head stays tied if Theta is orthogonal. *)
Theorem queries_into_keys sh M before W after Theta C :
  norm sh = None -> plain sh -> plain_layer W -> at_ M = before ++ W :: after -> Theta \in unitmx ->
  images_within W Theta C -> (head M = None -> Theta *m Theta^T = 1%:M) ->
  let M' := in_basis sh M Theta before (with_queries W Theta (keys_of C)) after in
  [/\ same_function sh M' M, head M' = omap (mulmx (invmx Theta)) (head M) &
      exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = 1%:M]].
Proof.
move=> noN pl plW layers u within tied M'; set W1 := with_queries _ _ _ in M' *; split=> [T|//|].
  rewrite /M' /in_basis forward_gauge //; apply: replace_layer layers _ _ => X.
  rewrite /model_block /=; have att Y : model_attention sh W1 Y = model_attention sh W Y.
    apply: query_key_forms => // a; have [e|de] := within a; [left|by right].
    by rewrite e /score_form cols_hcat trmxK.
  by rewrite !att.
exists (gauge_layer sh Theta Theta W1); set g := gauge_layer sh _ _.
exists (map g before), (map g after); rewrite size_map W_Q_gauge mulVmx //; split=> //.
by rewrite /M' /= gauge_layers_one map_cat.
Qed.
End Square.
