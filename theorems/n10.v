(* n10.v - N10: in models without skips W_Q and W_O go together in all layers (Graef).
 *
 * Without a skip around the attention nothing stands between W_O and what the MLP reads: W_O moves into W_up, the gates
 * and the router.  Nothing is asked of W_O.  Models without an output bias b_O, as in n10.c. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction witness witness_numbers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Skipless.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Notation layer := (layer R n d h h_kv dk).
Notation model := (model R n d h h_kv dk V).
Implicit Types (sh : shape R n d h h_kv dk) (M : model) (W : layer).

(* W_O becomes I, and W_up, the gates and the router become W_O W_up, .. *)
Definition output_into_mlp (A : 'M[R]_d) (F : mlp R d) : mlp R d :=
  @Mlp R d (m F) (A *m W_up F) (b_up F) (omap (fun g => (A *m g.1, g.2)) (W_gate F)) (W_down F) (b_down F) (phi F).
Definition merge W : layer :=
  @Layer R n d h h_kv dk (W_Q W) (b_Q W) (W_K W) (b_K W) (W_V W) (b_V W) 1%:M 0
         (gain1 W) (bias1 W) (gain2 W) (bias2 W) (norm_q W) (norm_k W) (rowmap W)
         (experts W) (omap (fun r => (W_O W *m r.1, r.2)) (router W)) (fun e => output_into_mlp (W_O W) (expert W e)).

Lemma affine0 n' p q (X : 'M[R]_(n', p)) (A : 'M_(p, q)) : affine X A 0 = X *m A.
Proof. by rewrite /affine (_ : \matrix_(i, j) _ = 0) ?addr0 //; apply/matrixP => i j; rewrite !mxE. Qed.

Lemma merge_block sh W X : norm sh = None -> no_skips sh -> b_O W = 0 ->
  model_block sh (merge W) X = model_block sh W X.
Proof.
rewrite /model_block /normalise /skip => -> /and3P [/negPf-> /negPf-> /negPf->] noB.
rewrite /model_attention noB !affine0 mulmx1 -[model_self_attention sh (merge W) X]/(model_self_attention sh W X).
move: (model_self_attention sh W X) => S; rewrite /model_mlp /=.
have same e : expert_of (output_into_mlp (W_O W) (expert W e)) S = expert_of (expert W e) (S *m W_O W).
  rewrite /expert_of /= /affine !mulmxA.
  by case: (W_gate (expert W e)) => [[G b]|] //=; rewrite mulmxA.
by case: (router W) => [[r f]|] /=; apply: eq_bigr => e _; rewrite same // mulmxA.
Qed.

Definition merge_all M : model := Model (E M) (P M) (head M) (gain_f M) (bias_f M) (map merge (at_ M)).

Lemma merge_all_same sh M : norm sh = None -> no_skips sh -> all (fun W => b_O W == 0) (at_ M) ->
  same_function sh (merge_all M) M.
Proof.
move=> noN none noB T; rewrite /model_forward; congr (normalise _ _ _ _ *m _).
rewrite /model_embed /=; move: (_ + _) noB => X; rewrite /model_stack.
elim: (at_ M) X => //= W r IH X /andP [/eqP noB ur]; rewrite merge_block //; exact: IH.
Qed.

Lemma no_output_bias sh (at_basis : nat -> 'M[R]_d) Ws : all (fun W => b_O W == 0) Ws ->
  all (fun W => b_O W == 0) (gauge_layers sh at_basis Ws).
Proof.
elim: Ws at_basis => //= W r IH at_basis /andP [/eqP noB ur]; rewrite IH // andbT.
by rewrite /gauge_layer; case: parallel; rewrite /= noB mul0mx.
Qed.

(* Theta_i = W_Q^i; a tied head stays tied.  W_O may have any rank. *)
(* Provably: claim=N10 part=as-stated theorem=queries_and_outputs quantifiers=all sizes, heads, depths, functions *)
(* Provably: claim=N10 part=as-stated-singular theorem=queries_and_outputs quantifiers=all sizes, heads, depths, any W_O *)
(* Provably: claim=N10 part=as-stated-tied theorem=queries_and_outputs quantifiers=all sizes, heads, depths *)
(* Provably: claim=N10 part=as-stated-experts theorem=queries_and_outputs quantifiers=all sizes, heads, L, experts, gates *)
Theorem queries_and_outputs sh M : norm sh = None -> no_skips sh ->
  all (fun W => b_O W == 0) (at_ M) -> all (fun W => W_Q W \in unitmx) (at_ M) ->
  let last := if head M is Some _ then 1%:M else invmx (query_bases 1%:M M 0)^T in
  let M' := merge_all (gauge_model sh (query_bases last M) M) in
  [/\ same_function sh M' M, all (fun W => (W_Q W == 1%:M) && (W_O W == 1%:M)) (at_ M') & head M' = head M].
Proof.
move=> noN none noB u last M'; have [same gone kept] := all_layers_hold noN (no_skips_crosses none) u; split.
- by move=> T; rewrite merge_all_same //; exact: no_output_bias.
- by rewrite /M' /= all_map; apply: sub_all gone => W /= ->; rewrite eqxx.
exact: kept.
Qed.

(* What the program prints: W~_up^i = W_O^i W_up^i in the basis of the block. *)
Lemma up_of_merged sh A D W (F : mlp R d) : A \in unitmx ->
  W_up (output_into_mlp (W_O W *m A) (rewrite_mlp A D F)) = W_O W *m W_up F.
Proof. by move=> u; rewrite /= read_back. Qed.
End Skipless.

(* ---- without a hypothesis: models of one number, one layer, W_V = 1, W_O = 2, the MLP hands on what it reads ----- *)

Section Needed.
Notation model_of q v bias := (small_model_of (Some (num 1)) [:: speaking q v 2%:R bias 1]).
Notation merged sh M := (merge_all (gauge_model sh (query_bases 1%:M M) M)).
Ltac numbers := by_numbers (@id rat) (@id rat) true.

(* A norm between W_O and the MLP, W_Q = 1: the logit is 2/5 in place of 1/3. *)
(* Needed: theorem=queries_and_outputs hypothesis=no normalization lemma=needs_no_norm *)
Lemma needs_no_norm : let sh := world false false false (Some shrunk) in let M := model_of 1 1 0 in
  logit sh (merged sh M) = 2%:R / 5%:R /\ logit sh M = 1 / 3%:R.
Proof. by split; numbers. Qed.
(* A skip around the attention, which W_up = W_O doubles as well: 4 in place of 3. *)
(* Needed: theorem=queries_and_outputs hypothesis=no skip around the attention lemma=needs_no_attention_skip *)
Lemma needs_no_attention_skip : let sh := world true false false None in let M := model_of 1 1 0 in
  logit sh (merged sh M) = 4%:R /\ logit sh M = 3%:R.
Proof. by split; numbers. Qed.
(* A skip around the MLP, past W_up: 3 in place of 4. *)
(* Needed: theorem=queries_and_outputs hypothesis=no skip around the MLP lemma=needs_no_MLP_skip *)
Lemma needs_no_MLP_skip : let sh := world false true false None in let M := model_of 1 1 0 in
  logit sh (merged sh M) = 3%:R /\ logit sh M = 4%:R.
Proof. by split; numbers. Qed.
(* Attention and MLP side by side, W_V = 2: 4 in place of 5. *)
(* Needed: theorem=queries_and_outputs hypothesis=the MLP behind the attention, not beside it lemma=needs_no_parallel *)
Lemma needs_no_parallel : let sh := world false false true None in let M := model_of 1 2%:R 0 in
  logit sh (merged sh M) = 4%:R /\ logit sh M = 5%:R.
Proof. by split; numbers. Qed.
(* An output bias 1, which is gone: 2 in place of 3. *)
(* Needed: theorem=queries_and_outputs hypothesis=no output bias lemma=needs_no_output_bias *)
Lemma needs_no_output_bias : let sh := world false false false None in let M := model_of 1 1 1 in
  logit sh (merged sh M) = 2%:R /\ logit sh M = 3%:R.
Proof. by split; numbers. Qed.
(* W_Q = 0 has no inverse (Coq writes 0 for it): 0 in place of 2. *)
(* Needed: theorem=queries_and_outputs hypothesis=every W_Q in GL(d) lemma=needs_invertible *)
Lemma needs_invertible : let sh := world false false false None in let M := model_of 0 1 0 in
  logit sh (merged sh M) = 0 /\ logit sh M = 2%:R.
Proof. by split; numbers. Qed.
End Needed.
