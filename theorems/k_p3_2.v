(* k_p3_2.v - K-P3.2, the block-diagonal invariance of queries and keys.
 *
 * The paper (003, Proposition 3.2): for D = diag(D_1, .., D_h), D_a in GL(d_k),
 *     S(X, W_Q D, W_K D^-T, W_V) = S(X, W_Q, W_K, W_V).
 * D stands inside the scores only: (q D)(k D^-T)' = q k'.  What must not stand between: rotations that do not commute
 * with D_a, norms of queries and keys.  Query heads of one group share D_g; h_kv = h with group = id is the paper's. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Proposition32.
Variables (R : comUnitRingType) (n d h h_kv dk V : nat).
Notation layer := (layer R n d h h_kv dk).
Implicit Types (sh : shape R n d h h_kv dk) (W : layer) (M : model R n d h h_kv dk V) (D : 'I_h_kv -> 'M[R]_dk).

Definition no_rope sh := forall t, rotation sh t = 1%:M.
Definition no_qk_norm W := (forall a A, norm_q W a A = A) /\ (forall g A, norm_k W g A = A).

Lemma no_rope_commutes sh D : no_rope sh -> rotations_commute sh D.
Proof. by move=> none t g; rewrite none trmx1 !(mulmx1, mul1mx). Qed.
Lemma no_qk_norm_commutes sh W D : no_qk_norm W -> norms_commute sh W D.
Proof. by case=> q k; split=> [a A|g A]; rewrite ?q ?k. Qed.

(* Provably: claim=K-P3.2 part=as-stated theorem=attention quantifiers=all sizes, heads, row maps, masks, X, D *)
Theorem attention sh W D X : no_rope sh -> no_qk_norm W -> (forall g, D g \in unitmx) ->
  model_self_attention sh (turn_query_key sh D W) X = model_self_attention sh W X.
Proof.
move=> rope norms uD; apply: turn_query_key_attention => //; first exact: no_rope_commutes.
exact: no_qk_norm_commutes.
Qed.

(* Whole models, with any norms of the stream, skips and head: ps are the layers, each with its D. *)
(* Provably: claim=K-P3.2 part=as-stated-all theorem=models quantifiers=all sizes, heads, depths, functions, norms, D *)
(* Provably: claim=K-P3.2 part=as-stated-grouped-queries theorem=models quantifiers=all sizes, heads, groups, depths, D *)
(* Provably: claim=K-X-gqa part=as-stated-proposition-3.2 theorem=models quantifiers=all sizes, heads, groups, depths, D *)
Theorem models sh M (ps : seq (('I_h_kv -> 'M[R]_dk) * layer)) : no_rope sh -> at_ M = unzip2 ps ->
  (forall i D W, List.nth_error ps i = Some (D, W) -> no_qk_norm W /\ forall g, D g \in unitmx) ->
  same_function sh (with_layers M [seq turn_query_key sh p.1 p.2 | p <- ps]) M.
Proof.
move=> rope layers ok; apply: same_layers layers _ => i [D W] /ok [norms uD] X; apply: block_with_attention => {}X.
by rewrite /model_attention -/(turn_query_key sh D W) attention.
Qed.
End Proposition32.

(* With rotary positions: one block (a, b; -b, a) for each frequency.  d_k = p * 2, frequency f owns columns 2f and
   2f + 1, as in mat_rotate. *)
Section Rope.
Variables (R : comUnitRingType) (n d h h_kv p : nat).
Notation dk := (p * 2)%N.
Definition pair (a b : R) : 'M[R]_2 :=
  \matrix_(i, j) (if i == j then a else if (i < j)%N then b else - b).

Lemma pair_mul a b c s : pair a b *m pair c s = pair (a * c - b * s) (a * s + b * c).
Proof.
apply/matrixP => i j; rewrite !mxE !big_ord_recl big_ord0 addr0 !mxE.
case: i j => [[|[|//]] ?] [[|[|//]] ?]; rewrite /= ?mulrN ?mulNr ?opprD //.
  by rewrite -mulrN mulrN addrC.
by rewrite addrC.
Qed.
Lemma pair_tr a b : (pair a b)^T = pair a (- b).
Proof. by apply/matrixP => i j; rewrite !mxE; case: i j => [[|[|//]] ?] [[|[|//]] ?]; rewrite /= ?opprK. Qed.
Lemma pair1 : pair 1 0 = 1%:M.
Proof. by apply/matrixP => i j; rewrite !mxE; case: i j => [[|[|//]] ?] [[|[|//]] ?]; rewrite /= ?oppr0. Qed.

(* The rotation of position t turns pair f by the angle of cosine c t f and sine s t f. *)
Definition rotates (sh : shape R n d h h_kv dk) (c s : 'I_n -> 'I_p -> R) :=
  (forall t f, c t f * c t f + s t f * s t f = 1) /\
  (forall t, rotation sh t = blockdiag (fun f => pair (c t f) (s t f))).
Definition pairs (a b : 'I_h_kv -> 'I_p -> R) (g : 'I_h_kv) : 'M[R]_dk := blockdiag (fun f => pair (a g f) (b g f)).

(* Provably: claim=K-P3.2 part=corrected-rope theorem=attention_rope quantifiers=all sizes, heads, angles, X, D *)
Theorem attention_rope sh (c s : 'I_n -> 'I_p -> R) (a b : 'I_h_kv -> 'I_p -> R) (W : layer R n d h h_kv dk) X :
  rotates sh c s -> no_qk_norm W -> (forall g, pairs a b g \in unitmx) ->
  model_self_attention sh (turn_query_key sh (pairs a b) W) X = model_self_attention sh W X.
Proof.
case=> [unit rot] norms uD; apply: turn_query_key_attention => //; last exact: no_qk_norm_commutes.
move=> t g; rewrite rot /pairs tr_blockdiag !mul_blockdiag -(blockdiag1 p 2 R); split; apply: eq_blockdiag => f.
  by rewrite pair_tr pair_mul mulrN opprK unit mulrN [s t f * _]mulrC addNr pair1.
rewrite !pair_mul; congr pair; first by rewrite (mulrC (c t f)) (mulrC (s t f)).
by rewrite addrC (mulrC (c t f)) (mulrC (s t f)).
Qed.
End Rope.

(* ---- each hypothesis is needed ---------------------------------------------------------------------------------- *)

Section Needed.
(* D = 0 has no inverse: the score 1 becomes 0. *)
Lemma needs_invertible : let one : 'M[rat]_1 := 1%:M in one *m 0 *m (one *m (invmx 0)^T)^T <> one *m one^T.
Proof. by rewrite /= mulmx0 mul0mx trmx1 mulmx1 => /matrixP /(_ 0 0) /eqP; rewrite !mxE. Qed.

(* Between W_Q D and W_K D^-T a quarter turn J of RoPE, D = diag(1, 2): D J is not J D. *)
Lemma needs_commuting_rotations :
  let J : 'M[rat]_2 := \matrix_(i, j) (if i == j then 0 else if i == 0 then 1 else - 1) in
  let D : 'M[rat]_2 := diag_mx (\row_j (if j == 0 then 1 else 2%:R)) in
  [/\ J *m J^T = 1%:M, D \in unitmx & D *m J *m invmx D <> J].
Proof.
move=> J D; have uD : D \in unitmx by rewrite unitmxE det_diag !big_ord_recl big_ord0 !mxE.
split=> //.
  apply/matrixP => i j; rewrite !mxE !big_ord_recl big_ord0 !mxE.
  by case: i => -[|[|//]] ?; case: j => -[|[|//]] ?; apply/eqP; vm_compute.
move=> /(congr1 (fun A => A *m D)); rewrite mulmxKV // => /matrixP /(_ 0 1) /eqP.
by rewrite mul_diag_mx mul_mx_diag !mxE.
Qed.
End Needed.
