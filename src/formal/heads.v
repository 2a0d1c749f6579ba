(* heads.v - what happens inside attention: changes of basis of the heads (gauge_query_key and gauge_value_output of
 * src/model/gauge.c), and models whose layers are replaced by equal ones, whatever their norms and skips. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section More.
Variables (R : comRingType) (h dk : nat).
Lemma hcat_mul_blockdiag n (F : 'I_h -> 'M[R]_(n, dk)) D : hcat (fun a => F a *m D a) = hcat F *m blockdiag D.
Proof. by apply: cols_inj => a; rewrite cols_mul_blockdiag !cols_hcat. Qed.
Lemma hcat_mul_cols n p (A : 'M[R]_(n, p)) (B : 'M_(p, h * dk)) : hcat (fun a => A *m cols B a) = A *m B.
Proof. by apply: cols_inj => a; rewrite cols_hcat cols_mul. Qed.
Lemma rows_tr n (B : 'M[R]_(n, h * dk)) a : rows B^T a = (cols B a)^T.
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma rows_blockdiag_mul p D (B : 'M[R]_(h * dk, p)) a : rows (blockdiag D *m B) a = D a *m rows B a.
Proof.
apply/matrixP => i j; rewrite !mxE sum_heads (bigD1 a) //= [X in _ + X]big1 => [|b ba].
  by rewrite addr0; apply: eq_bigr => k _; rewrite !mxE !head_of_in !place_of_in eqxx mulr1n.
by apply: big1 => k _; rewrite !mxE !head_of_in !place_of_in eq_sym (negPf ba) mulr0n mul0r.
Qed.
End More.

Section Heads.
Variables (R : comUnitRingType) (n d h h_kv dk V : nat).
Notation shape := (shape R n d h h_kv dk).
Notation layer := (layer R n d h h_kv dk).
Notation model := (model R n d h h_kv dk V).
Implicit Types (sh : shape) (W : layer) (M : model) (X : 'M[R]_(n, d)).

(* W with other weights of its attention, all else as it is. *)
Definition with_attention W Q bQ K bK Vv bV O bO : layer :=
  @Layer R n d h h_kv dk Q bQ K bK Vv bV O bO (gain1 W) (bias1 W) (gain2 W) (bias2 W) (norm_q W) (norm_k W)
         (rowmap W) (experts W) (router W) (expert W).

Lemma block_with_attention sh W Q bQ K bK Vv bV O bO :
  (forall X, model_attention sh (with_attention W Q bQ K bK Vv bV O bO) X = model_attention sh W X) ->
  forall X, model_block sh (with_attention W Q bQ K bK Vv bV O bO) X = model_block sh W X.
Proof. by move=> same X; rewrite /model_block /= same. Qed.

(* The model with other layers. *)
Definition with_layers M Ws : model := Model (E M) (P M) (head M) (gain_f M) (bias_f M) Ws.

(* Each layer, with data p of its own, becomes f p W: equal blocks make equal models, with any norms, skips and head. *)
Lemma same_layers sh M (S : Type) (f : S -> layer -> layer) (ps : seq (S * layer)) :
  at_ M = unzip2 ps -> (forall i p, List.nth_error ps i = Some p ->
    forall X, model_block sh (f p.1 p.2) X = model_block sh p.2 X) ->
  same_function sh (with_layers M [seq f p.1 p.2 | p <- ps]) M.
Proof.
move=> layers same T; rewrite /model_forward; congr (normalise _ _ _ _ *m _); rewrite layers /=.
rewrite -[model_embed (with_layers _ _) T]/(model_embed M T); move: (model_embed M T) => X {layers}.
elim: ps X same => //= p r IH X same; rewrite (same 0%N p erefl); apply: IH => i q; exact: (same i.+1 q).
Qed.

(* ---- queries and keys ---------------------------------------------------------------------------------------- *)

(* W_Q D, W_K D^-T: query heads of one group share D_g. *)
Definition turn_query_key sh (D : 'I_h_kv -> 'M[R]_dk) W : layer :=
  let query := blockdiag (fun a => D (group sh a)) in
  let key := blockdiag (fun g => (invmx (D g))^T) in
  with_attention W (W_Q W *m query) (b_Q W *m query) (W_K W *m key) (b_K W *m key) (W_V W) (b_V W) (W_O W) (b_O W).

(* Rotations are orthogonal and commute with D; the norms of queries and keys commute with D and D^-T. *)
Definition rotations_commute sh (D : 'I_h_kv -> 'M[R]_dk) := forall t g,
  rotation sh t *m (rotation sh t)^T = 1%:M /\ rotation sh t *m D g = D g *m rotation sh t.
Definition norms_commute sh W (D : 'I_h_kv -> 'M[R]_dk) :=
  (forall a A, norm_q W a (A *m D (group sh a)) = norm_q W a A *m D (group sh a)) /\
  (forall g A, norm_k W g (A *m (invmx (D g))^T) = norm_k W g A *m (invmx (D g))^T).

Lemma row_rotate sh (A : 'M[R]_(n, dk)) t : row t (rotate sh A) = row t A *m rotation sh t.
Proof. by apply/rowP => j; rewrite [LHS]mxE [LHS]mxE. Qed.
Lemma rotate_mul sh (A : 'M[R]_(n, dk)) (D : 'M_dk) : (forall t, rotation sh t *m D = D *m rotation sh t) ->
  rotate sh (A *m D) = rotate sh A *m D.
Proof.
by move=> RD; apply/row_matrixP => t; rewrite row_mul !row_rotate row_mul -!mulmxA RD.
Qed.

Lemma commute_inverse_tr (Rt D : 'M[R]_dk) : D \in unitmx -> Rt *m Rt^T = 1%:M -> Rt *m D = D *m Rt ->
  Rt *m (invmx D)^T = (invmx D)^T *m Rt.
Proof.
move=> uD orth RD; have [inv u] := invmx_eq orth.
have uT : D^T \in unitmx by rewrite unitmx_tr.
have DT : Rt *m D^T = D^T *m Rt.
  have := congr1 trmx RD; rewrite !trmx_mul -inv => e.
  apply: (can_inj (mulKmx (_ : invmx Rt \in unitmx))); first by rewrite unitmx_inv.
  by rewrite mulKmx // mulmxA -e -mulmxA mulVmx // mulmx1.
rewrite trmx_inv; apply: (can_inj (mulKmx uT)).
by rewrite mulmxA -DT -mulmxA mulmxV // mulmx1 mulmxA mulmxV // mul1mx.
Qed.

Lemma affine_cols p (X : 'M[R]_(n, p)) k (A : 'M_(p, k * dk)) b D a :
  cols (affine X (A *m blockdiag D) (b *m blockdiag D)) a = cols (affine X A b) a *m D a.
Proof. by rewrite affine_write cols_mul_blockdiag. Qed.

Lemma turn_query_key_attention sh D W X : (forall g, D g \in unitmx) -> rotations_commute sh D ->
  norms_commute sh W D -> model_self_attention sh (turn_query_key sh D W) X = model_self_attention sh W X.
Proof.
move=> uD rot [nq nk]; rewrite /model_self_attention /model_attention_of /=; apply: eq_hcat => a.
rewrite !affine_cols /head_attention /=; congr (rowmap W a _ (_ *: _) *m _).
rewrite nq nk rotate_mul; last by move=> t; have [] := rot t (group sh a).
rewrite rotate_mul; last by move=> t; have [o c] := rot t (group sh a); apply: commute_inverse_tr.
by rewrite trmx_mul trmxK read_back.
Qed.

(* ---- values and outputs ---------------------------------------------------------------------------------------- *)

(* W_V D, D^-1 W_O *)
Definition turn_value_output sh (D : 'I_h_kv -> 'M[R]_dk) W : layer :=
  let back := blockdiag (fun a => invmx (D (group sh a))) in
  with_attention W (W_Q W) (b_Q W) (W_K W) (b_K W) (W_V W *m blockdiag D) (b_V W *m blockdiag D)
                 (back *m W_O W) (b_O W).

Lemma turn_value_output_attention sh D W X : (forall g, D g \in unitmx) ->
  model_attention sh (turn_value_output sh D W) X = model_attention sh W X.
Proof.
move=> uD; rewrite /model_attention /affine /=; congr (_ + _).
rewrite /model_self_attention /model_attention_of /= hcat_mul [RHS]hcat_mul; apply: eq_bigr => a _.
rewrite rows_blockdiag_mul /head_attention /= affine_cols.
by rewrite (mulmxA _ (cols _ _)) read_back.
Qed.
End Heads.
