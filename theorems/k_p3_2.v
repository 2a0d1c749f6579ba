(* k_p3_2.v - K-P3.2, the block-diagonal invariance of queries and keys.
 *
 * The paper (003, Proposition 3.2): for D = diag(D_1, .., D_h), D_a in GL(d_k),
 *     S(X, W_Q D, W_K D^-T, W_V) = S(X, W_Q, W_K, W_V).
 * D stands inside the scores only: (q D)(k D^-T)' = q k'.  What must not stand between: rotations that do not commute
 * with D_a, norms of queries and keys.  Query heads of one group share D_g; h_kv = h with group = id is the paper's. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads witness_idle witness_linear.
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
(* Provably: claim=K-X-gqa part=as-stated-proposition-3.2 theorem=attention quantifiers=all sizes, heads, groups, row maps, masks, X, D *)
Theorem attention sh W D X : no_rope sh -> no_qk_norm W -> (forall g, D g \in unitmx) ->
  model_self_attention sh (turn_query_key sh D W) X = model_self_attention sh W X.
Proof.
move=> rope norms uD; apply: turn_query_key_attention => //; first exact: no_rope_commutes.
exact: no_qk_norm_commutes.
Qed.

(* Whole models, with any norms of the stream, skips and head: ps are the layers, each with its D. *)
(* Provably: claim=K-P3.2 part=as-stated-all theorem=models quantifiers=all sizes, heads, depths, functions, norms, D *)
(* Provably: claim=K-P3.2 part=as-stated-grouped-queries theorem=models quantifiers=all sizes, heads, groups, depths, D *)
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

(* ---- without a hypothesis: logits of linear attention, where the scores themselves are the weights -------------- *)

Section Needed.
(* Needed: theorem=models hypothesis=ps are the layers and each one's D argued=only names the layers of the model and the D of each *)

(* -- one token, one number wide, W_Q = W_K = 1, turned by the number D *)
Notation one := (straight 1 1 1).
Notation Attn W := (model_forward one (attends false W) (1%:M : 'M[rat]_(1 * 1)) 0 0).
Notation turned D W := (turn_query_key one (fun=> D%:M) W).
Notation units := (numbers 1 0 1 0 1 0).

Lemma turned_numbers D q k f g : let W := numbers q 0 k 0 1 0 f g in
  Attn (turned D W) = f (q * D) * g (k * D^-1) /\ Attn W = f q * g k.
Proof.
move=> W; split; rewrite (@of_numbers _ _ f g) //= !(mxE, big_ord1, invmx_scalar) /=;
  by rewrite ?mxE ?eqxx !(mulr1n, mul0r, mulr1, addr0).
Qed.

(* D = 0 has no inverse (Coq writes 0 for it): 0 in place of 1. *)
(* Needed: theorem=attention,models hypothesis=each D invertible lemma=needs_invertible *)
Lemma needs_invertible : Attn (turned 0 (units id id)) = 0 /\ Attn (units id id) = 1.
Proof.
have [a b] := turned_numbers 0 1 1 id id.
by split; [rewrite a|rewrite b]; apply/eqP; vm_compute.
Qed.
(* A norm x / (|x| + 1) of queries or of keys, D = 2: 1/3 or 2/3 in place of 1/2. *)
(* Needed: theorem=attention,models hypothesis=no norms of queries lemma=needs_no_qk_norm *)
(* Needed: theorem=attention,models hypothesis=no norms of keys lemma=needs_no_qk_norm *)
Lemma needs_no_qk_norm :
  [/\ Attn (turned 2%:R (units shrunk id)) = 1 / 3%:R, Attn (units shrunk id) = 1 / 2%:R,
      Attn (turned 2%:R (units id shrunk)) = 2%:R / 3%:R & Attn (units id shrunk) = 1 / 2%:R].
Proof.
have [a b] := turned_numbers 2%:R 1 1 shrunk id; have [c e] := turned_numbers 2%:R 1 1 id shrunk.
by split; [rewrite a|rewrite b|rewrite c|rewrite e]; apply/eqP; vm_compute.
Qed.

(* -- two tokens X = I, one head of width 2 = one pair; W_V = W_O = I *)
Notation two rot := (@reading 2 1 2 id rot).
Notation Attn2 rot W := (model_forward (two rot) (attends false W) (1%:M : 'M[rat]_(1 * 2))).
Notation tokens Wq Wk f g := (two_tokens Wq Wk 1%:M 1%:M f g).

Lemma one_block (A : 'I_1 -> 'M[rat]_2) : @blockdiag 1 2 _ A = A ord0.
Proof.
apply/matrixP => k l; rewrite mxE !ord1 eqxx mulr1n.
by congr (A _ _ _); apply: val_inj; rewrite /= modn_small // ltn_ord.
Qed.
Lemma turned_tokens rot (D : 'I_1 -> 'M[rat]_2) (Wq Wk : 'M[rat]_2) f g :
  turn_query_key (two rot) D (tokens Wq Wk f g) = tokens (Wq *m D ord0) (Wk *m (invmx (D ord0))^T) f g.
Proof. by rewrite /turn_query_key /with_attention /= !one_block !mul0mx. Qed.
Lemma inverse_of_pairs (A B : 'M[rat]_2) : (forall i j, A i 0 * B 0 j + A i 1 * B 1 j = (i == j)%:R) ->
  A \in unitmx /\ invmx A = B.
Proof.
by move=> e; have [] : invmx A = B /\ A \in unitmx by apply: invmx_eq; apply/matrixP => i j; rewrite pair_dot e mxE.
Qed.
Ltac by_entries := by case=> -[|[|//]] ?; case=> -[|[|//]] ?; rewrite !mxE; apply/eqP; vm_compute.

(* RoPE, a quarter turn at the second token, D = diag(1, 2), W_Q = W_K = I: -2 in place of -1. *)
(* Needed: theorem=attention,models hypothesis=no RoPE lemma=needs_commuting_rotations *)
Lemma needs_commuting_rotations : let D := pair_of 1 0 0 2%:R in let W := tokens 1%:M 1%:M id id in
  [/\ D \in unitmx, Attn2 quarter (turn_query_key (two quarter) (fun=> D) W) 1 0 = - 2%:R & Attn2 quarter W 1 0 = - 1].
Proof.
move=> D W; have [|u inv] := @inverse_of_pairs D (pair_of 1 0 0 2%:R^-1); first by_entries.
split=> //; rewrite /W ?turned_tokens ?inv of_pairs !map_mx_id // !mulmx1 ?mul1mx pair_dot;
  by rewrite !(mxE, big_ord_recl, big_ord0); apply/eqP; vm_compute.
Qed.

(* -- D = (a, b; -b, a), one pair *)
Notation pairwise a b := (@pairs _ 1 1 (fun _ _ => a : rat) (fun _ _ => b : rat)).
Lemma pairwise_of (a b : rat) : pairwise a b ord0 = pair_of a b (- b) a.
Proof.
rewrite /pairs one_block; apply/matrixP => i j; rewrite !mxE.
by case: i => -[|[|//]] ?; case: j => -[|[|//]] ?.
Qed.
(* A mirror diag(1, -1) at the second token, no rotation, D a quarter turn, W_K = (0, 1; 1, 0): 1 in place of -1. *)
(* Needed: theorem=attention_rope hypothesis=rotations by pairs of columns lemma=needs_rotations *)
Lemma needs_rotations : let mirror (t : 'I_2) := if (t < 1)%N then 1%:M else pair_of 1 0 0 (- 1) in
  let W := tokens 1%:M (pair_of 0 1 1 0) id id in
  [/\ forall t, mirror t *m (mirror t)^T = 1%:M, pairwise 0 1 ord0 \in unitmx,
      Attn2 mirror (turn_query_key (two mirror) (pairwise 0 1) W) 1 0 = 1 & Attn2 mirror W 1 0 = - 1].
Proof.
move=> mirror W; have [|u inv] := @inverse_of_pairs (pair_of 0 1 (- 1) 0) (pair_of 0 (- 1) 1 0); first by_entries.
split; rewrite ?pairwise_of //.
- move=> t; rewrite /mirror; case: ifP => _; first by rewrite trmx1 mulmx1.
  apply/matrixP => i j; rewrite pair_dot; move: i j; by_entries.
- rewrite /W turned_tokens !pairwise_of inv of_pairs !map_mx_id // !mulmx1 !mul1mx pair_dot.
  by rewrite !(mxE, big_ord_recl, big_ord0); apply/eqP; vm_compute.
rewrite /W of_pairs !map_mx_id // !mulmx1 pair_dot.
by rewrite !(mxE, big_ord_recl, big_ord0); apply/eqP; vm_compute.
Qed.
(* A norm x / (|x| + 1) of queries or of keys, angles 0, D = 2: 1/3 or 2/3 in place of 1/2. *)
(* Needed: theorem=attention_rope hypothesis=no norms of queries lemma=needs_no_qk_norm_rope *)
(* Needed: theorem=attention_rope hypothesis=no norms of keys lemma=needs_no_qk_norm_rope *)
Lemma needs_no_qk_norm_rope :
  let at_ W := Attn2 (fun=> 1%:M) W 0 0 in let two_of := turn_query_key (two (fun=> 1%:M)) in
  let W f g := tokens 1%:M 1%:M f g in
  [/\ at_ (two_of (pairwise 2%:R 0) (W shrunk id)) = 1 / 3%:R, at_ (W shrunk id) = 1 / 2%:R,
      at_ (two_of (pairwise 2%:R 0) (W id shrunk)) = 2%:R / 3%:R & at_ (W id shrunk) = 1 / 2%:R].
Proof.
have [|u inv] := @inverse_of_pairs (pair_of 2%:R 0 0 2%:R) (pair_of 2%:R^-1 0 0 2%:R^-1); first by_entries.
by split; rewrite ?turned_tokens ?pairwise_of ?oppr0 ?inv of_pairs !unturned !mulmx1 ?mul1mx pair_dot !mxE;
  apply/eqP; vm_compute.
Qed.
(* D = 0 has no inverse: 0 in place of 1. *)
(* Needed: theorem=attention_rope hypothesis=each D invertible lemma=needs_invertible_rope *)
Lemma needs_invertible_rope : let at_ W := Attn2 (fun=> 1%:M) W 0 0 in let W := tokens 1%:M 1%:M id id in
  at_ (turn_query_key (two (fun=> 1%:M)) (pairwise 0 0) W) = 0 /\ at_ W = 1.
Proof.
split; last by rewrite of_pairs !unturned !mulmx1 pair_dot !mxE; apply/eqP; vm_compute.
rewrite turned_tokens pairwise_of oppr0 (_ : pair_of 0 0 0 0 = 0); last by apply/matrixP; by_entries.
by rewrite of_pairs !unturned !mulmx1 mulmx0 map_mx_id // mul0mx mxE.
Qed.
End Needed.
