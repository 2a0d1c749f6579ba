(* k_r4.v - K-R4, must a tied head be untied when a query matrix becomes the identity?
 *
 * The paper (003, Remark 4): "With tied embedding/LM-head weights (W_LM = E'), the reduced model must untie these
 * weights to maintain equivalence, since W~_LM = W_Q^-1 E' != E~' unless W_Q is orthogonal."  For Theta = W_Q and
 * rank E = d that is exact.  But Theta need not be W_Q: if W_Q = Omega diag(D_1, .., D_h), Omega orthogonal, the
 * D_a move to the keys, Theta = Omega, and the head stays tied.  With one head every W_Q is so, Omega = I. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms spans.
From Provably Require Import witness witness_idle witness_linear.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section QueryBasis.
Variables (F : fieldType) (d V : nat) (Q : 'M[F]_d).
Hypothesis inv : Q \in unitmx.

(* d independent rows G of E tell W_Q^-1 - W_Q' from the head W_Q^-1 E' and the embedding E W_Q *)
Lemma gap (G : 'M[F]_d) : G \in unitmx -> (invmx Q *m G^T - (G *m Q)^T) *m invmx G^T = invmx Q - Q^T.
Proof.
move=> u; have u' : G^T \in unitmx by rewrite unitmx_tr.
by rewrite trmx_mul mulmxBl !mulmxK.
Qed.

(* .. so with rank E = d the head W_Q^-1 E' is (E W_Q)' only if W_Q is orthogonal; E has d independent rows *)
(* Provably: claim=K-R4 part=corrected-query-basis theorem=exact_for_query quantifiers=all fields, d, V, invertible W_Q, E of rank d, any d independent rows G of it *)
Theorem exact_for_query (E : 'M[F]_(V, d)) : \rank E = d ->
  let rows_of (f : 'I_d -> 'I_V) := \matrix_i row (f i) E in
  [/\ invmx Q *m E^T = (E *m Q)^T <-> Q *m Q^T = 1%:M, exists f, rows_of f \in unitmx &
      forall f, let G := rows_of f in G \in unitmx ->
        (invmx Q *m G^T - (G *m Q)^T) *m invmx G^T = invmx Q - Q^T].
Proof.
move=> full rows_of; split=> [||f G]; last exact: gap.
  split=> [|orth]; last first.
    have [-> _] := invmx_eq orth; by rewrite trmx_mul.
  have free : row_full E by rewrite /row_full full.
  have [B BE] := row_fullP free.
  rewrite trmx_mul => /(congr1 (fun A => A *m B^T)); rewrite -!mulmxA -trmx_mul BE trmx1 !mulmx1 => <-.
  exact: mulmxV.
have free : row_full E by rewrite /row_full full.
exists (fullrankfun free); rewrite (_ : rows_of _ = rowsub (fullrankfun free) E) ?fullrowsub_unit //.
by apply/matrixP => i j; rewrite !mxE.
Qed.
End QueryBasis.

Section Repaired.
Variables (R : comUnitRingType) (n h dk V : nat).
Notation d := (h * dk)%N.
Implicit Types (sh : shape R n d h h dk) (M : model R n d h h dk V) (W : layer R n d h h dk).

(* one layer of a tied model of any depth: W_Q^j = Omega diag(D_1, .., D_h), keys Omega' W_K D' *)
Theorem stays_tied sh M before W after Omega (D : 'I_h -> 'M[R]_dk) :
  norm sh = None -> plain sh -> plain_layer W -> head M = None -> at_ M = before ++ W :: after ->
  Omega *m Omega^T = 1%:M -> W_Q W = Omega *m blockdiag D ->
  let M' := in_basis sh M Omega before (with_queries W Omega (W_K W *m (blockdiag D)^T)) after in
  [/\ same_function sh M' M, head M' = None &
      exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = 1%:M]].
Proof.
move=> noN pl plW tied layers orth eQ M'; have [_ u] := invmx_eq orth.
have := @queries_into_keys _ _ _ _ _ sh M before W after Omega (fun a => D a *m (cols (W_K W) a)^T).
rewrite (_ : keys_of _ = W_K W *m (blockdiag D)^T) => [|]; last first.
  by apply: cols_inj => a; rewrite tr_blockdiag cols_mul_blockdiag cols_hcat trmx_mul trmxK.
rewrite tied; apply=> // a; left.
by rewrite /score_form eQ cols_mul_blockdiag mulmxA.
Qed.
End Repaired.

Section OrthogonalHeads.
Variables (F : rcfType) (n h dk V : nat).
Notation d := (h * dk)%N.
Implicit Types (sh : shape F n d h h dk) (M : model F n d h h dk V) (W : layer F n d h h dk).

(* Q = Omega diag(D_1, .., D_h) where the heads' column spaces are mutually orthogonal; no rank is asked for *)
Lemma orthogonal_heads (Q : 'M[F]_d) : (forall a b, a != b -> (cols Q a)^T *m cols Q b = 0) ->
  exists (Omega : 'M[F]_d) D, Omega *m Omega^T = 1%:M /\ Q = Omega *m blockdiag D.
Proof.
move=> ort; pose E a : 'M[F]_(dk, d) := rows 1%:M a.
have E1 a : E a *m (E a)^T = 1%:M.
  have -> : (E a)^T = cols 1%:M a by rewrite /E -trmx1 rows_tr trmxK trmx1.
  have <- : rows (cols (1%:M *m 1%:M) a) a = E a *m cols (1%:M : 'M[F]_d) a.
    by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
  by rewrite mulmx1 -[in LHS](blockdiag1 h dk F) cols_blockdiag eqxx.
have [a b ab|a|Omega [C [o e]]] := @orthogonal_basis F h dk (fun a => cols Q a *m E a).
- by rewrite trmx_mul mulmxA -(mulmxA (E a)^T) ort // mulmx0 mul0mx.
- exact: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
exists Omega, (fun a => C a *m (E a)^T); split=> //; apply: cols_inj => a.
by rewrite cols_mul_blockdiag mulmxA -e -mulmxA E1 mulmx1.
Qed.

(* Provably: claim=K-R4 part=corrected theorem=orthogonal_heads_stay_tied quantifiers=all real closed fields, sizes, heads, depths, skips, functions, D, orthogonal Omega *)
Theorem orthogonal_heads_stay_tied sh M before W after :
  norm sh = None -> plain sh -> plain_layer W -> head M = None -> at_ M = before ++ W :: after ->
  (forall (Omega : 'M[F]_d) D, Omega *m Omega^T = 1%:M -> W_Q W = Omega *m blockdiag D ->
    let M' := in_basis sh M Omega before (with_queries W Omega (W_K W *m (blockdiag D)^T)) after in
    [/\ same_function sh M' M, head M' = None &
        exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = 1%:M]]) /\
  ((forall a b, a != b -> (cols (W_Q W) a)^T *m cols (W_Q W) b = 0) ->
    exists (Omega : 'M[F]_d) D, Omega *m Omega^T = 1%:M /\ W_Q W = Omega *m blockdiag D).
Proof.
move=> noN pl plW tied layers; split; last exact: orthogonal_heads.
by move=> Omega D o e; apply: stays_tied.
Qed.
End OrthogonalHeads.

Section OneHead.
Variables (R : comUnitRingType) (n dk V : nat).
Notation d := (1 * dk)%N.
Notation layer := (layer R n d 1 1 dk).
Implicit Types (sh : shape R n d 1 1 dk) (M : model R n d 1 1 dk V) (W : layer).

(* W_Q = I and W_K W_Q' in every layer, no change of basis: any norms, skips and head *)
(* Provably: claim=K-R4 part=corrected-single-head theorem=single_head quantifiers=all sizes, depths, norms, skips, functions, any W_Q *)
Theorem single_head sh M : plain sh -> (forall i W, List.nth_error (at_ M) i = Some W -> plain_layer W) ->
  let M' := with_layers M [seq with_queries W 1%:M (W_K W *m (W_Q W)^T) | W <- at_ M] in
  same_function sh M' M /\ head M' = head M.
Proof.
move=> pl plain_at; split=> //; have := @same_layers _ _ _ _ _ _ V sh M unit
  (fun _ W => with_queries W 1%:M (W_K W *m (W_Q W)^T)) [seq (tt, W) | W <- at_ M].
rewrite -map_comp /=; apply; first by rewrite /unzip2 -map_comp map_id.
move=> i [[] W] e X; have {e} /plain_at plW : List.nth_error (at_ M) i = Some W.
  by elim: (at_ M) i e {plain_at} => [|W' r IH] [|i] //= => [[->]|/IH].
apply: block_with_attention => {}X; apply: query_key_forms => // a; left.
by rewrite !one_form trmx_mul trmxK mul1mx.
Qed.
End OneHead.

(* ---- without a hypothesis -------------------------------------------------------------------------------------- *)

Section Needed.
(* G = 0, W_Q = 2: 0 in place of -3/2. *)
(* Needed: theorem=exact_for_query hypothesis=G invertible lemma=needs_independent_rows *)
Lemma needs_independent_rows : let Q : 'M[rat]_1 := 2%:R%:M in let G : 'M[rat]_1 := 0 in
  (invmx Q *m G^T - (G *m Q)^T) *m invmx G^T = 0 /\ (invmx Q - Q^T) 0 0 = - (3%:R / 2%:R).
Proof.
split; first by rewrite mul0mx trmx0 mulmx0 subrr mul0mx.
by rewrite invmx_scalar !mxE; apply/eqP; vm_compute.
Qed.

(* rank E < d: with E = 0 the head and the embedding agree for W_Q = 2, which is not orthogonal. *)
(* Needed: theorem=exact_for_query hypothesis=rank E is d lemma=needs_full_rank *)
Lemma needs_full_rank : let Q : 'M[rat]_1 := 2%:R%:M in
  invmx Q *m (0 : 'M[rat]_1)^T = (0 *m Q)^T /\ Q *m Q^T <> 1%:M.
Proof.
split; first by rewrite mul0mx trmx0 mulmx0.
by rewrite tr_scalar_mx -scalar_mxM => /matrixP /(_ 0 0) /eqP; rewrite !mxE.
Qed.

(* W_Q = 0 has no inverse (Coq writes 0 for it): with E = 1 head and embedding agree. *)
(* Needed: theorem=exact_for_query hypothesis=W_Q in GL(d) lemma=needs_invertible_query *)
Lemma needs_invertible_query : let Q : 'M[rat]_1 := 0 in
  invmx Q *m (1%:M : 'M[rat]_1)^T = (1%:M *m Q)^T /\ Q *m Q^T <> 1%:M.
Proof.
have out : (0 : 'M[rat]_1) \notin unitmx by rewrite unitmxE det0 unitr0.
split; first by rewrite mul1mx trmx0 trmx1 mulmx1 invmx_out.
by rewrite mul0mx => /matrixP /(_ 0 0) /eqP; rewrite !mxE.
Qed.

(* Needed: theorem=stays_tied,orthogonal_heads_stay_tied hypothesis=tied head argued=it only selects the case; the untied one is K-T4.2's *)
(* Needed: theorem=stays_tied,orthogonal_heads_stay_tied hypothesis=W is a layer of the model argued=only says where it stands: the layers are before, W, after *)
(* -- one layer W of one number, Omega and D numbers, and the layer that takes its place *)
Notation in_place sh M W Omega D := (in_basis sh M Omega%:M [::]
  (with_queries W Omega%:M (W_K W *m (@blockdiag 1 1 _ (fun=> D%:M))^T)) [::]).
Notation logits sh M := (model_forward sh M (1%:M : 'M[rat]_(1 * 1)) 0 0).

(* A layer that does nothing, and in front of the head x / (|x| + 1) + 1, a norm with bias 1, Omega = -1: the logit is
 * -1/2 in place of 3/2. *)
Definition biased (Ws : seq small_layer) : small_model := Model 1%:M 0 None 1%:M 1%:M Ws.
(* Needed: theorem=stays_tied,orthogonal_heads_stay_tied hypothesis=no normalization lemma=needs_no_norm *)
Lemma needs_no_norm : let sh := one_wide (Some shrunk) in let M := biased [:: silent 0 (- 1)] in
  logits sh (in_place sh M (silent 0 (- 1)) (- 1) 1) = - (1 / 2%:R) /\ logits sh M = 3%:R / 2%:R.
Proof.
move=> sh M; rewrite /in_basis idle_forward_gauge // idle_forward //.
rewrite /model_head /normalise /model_embed /= /affine !mul1mx addr0 !mulmx1 trmx1 tr_scalar_mx mulmx1 mul_mx_scalar.
by rewrite mul1mx !mxE; split; apply/eqP; vm_compute.
Qed.

(* Omega = 2 is not orthogonal, W_Q = 2 and D = 1: the logit of the tied model is 4 in place of 1. *)
(* Needed: theorem=stays_tied,orthogonal_heads_stay_tied hypothesis=Omega orthogonal lemma=needs_orthogonal *)
Lemma needs_orthogonal : let sh := one_wide None in let M := one_model true [:: silent 0 2%:R] in
  logits sh (in_place sh M (silent 0 2%:R) 2%:R 1) = 4%:R /\ logits sh M = 1.
Proof.
move=> sh M; split; last by rewrite one_logit.
by rewrite -[in_place _ _ _ _ _]/(gauge_model sh (fun=> 2%:R%:M) (one_model true [:: with_queries _ _ _])) one_gauge.
Qed.

(* -- linear attention, W_V = W_O = 1, Omega = 1: W_Q becomes 1 and W_K becomes W_K D, D = W_Q = 2 *)
Notation heard sh M W D := (logits sh (in_place sh M W 1 D)).
Lemma basis_1 sh W W' : norm sh = None ->
  logits sh (in_basis sh (attends true W) 1%:M [::] W' [::]) = logits sh (attends true W').
Proof. by move=> none; rewrite /in_basis forward_gauge // ?unitmx1 // => _; rewrite trmx1 mulmx1. Qed.
Lemma moved q bq k bk f g D : let W := numbers q bq k bk 1 0 f g in
  heard (straight 1 1 1) (attends true W) W D = f 1 * g (k * D) /\
  logits (straight 1 1 1) (attends true W) = f (q + bq) * g (k + bk).
Proof.
move=> W; split; first rewrite basis_1 //; rewrite (@of_numbers _ _ f g) //= !(mxE, big_ord1) /=;
  by rewrite ?mxE ?eqxx !(mulr1n, mulr1, addr0).
Qed.
Lemma moved_all q bq k bk f g : let W := numbers q bq k bk 1 0 f g in
  logits (straight 1 1 1) (attends true (with_queries W 1%:M (W_K W *m (W_Q W)^T))) = f 1 * g (k * q).
Proof. by move=> W; rewrite (@of_numbers _ _ f g) //= !(mxE, big_ord1) /= ?mxE ?eqxx !(mulr1n, mulr1, addr0). Qed.

(* W_Q = 2 is not Omega D with D = 1: 1 in place of 2. *)
(* Needed: theorem=stays_tied,orthogonal_heads_stay_tied hypothesis=W_Q is Omega diag(D_1 .. D_h) lemma=needs_product *)
Lemma needs_product : let W := numbers 2%:R 0 1 0 1 0 id id in
  heard (straight 1 1 1) (attends true W) W 1 = 1 /\ logits (straight 1 1 1) (attends true W) = 2%:R.
Proof. by move=> W; have [a b] := moved 2%:R 0 1 0 id id 1; split; [rewrite a|rewrite b]; apply/eqP; vm_compute. Qed.
Notation turned W := (attends true (with_queries W 1%:M (W_K W *m (W_Q W)^T))).
(* A bias of 1 of the queries: 2 in place of 3; of the keys: 2 in place of 4. *)
(* Needed: theorem=stays_tied,orthogonal_heads_stay_tied,single_head hypothesis=no biases of queries lemma=needs_no_biases *)
(* Needed: theorem=stays_tied,orthogonal_heads_stay_tied,single_head hypothesis=no biases of keys lemma=needs_no_biases *)
Lemma needs_no_biases : let sh := straight 1 1 1 in let W := numbers 2%:R 1 1 0 1 0 id id in
  let W' := numbers 2%:R 0 1 1 1 0 id id in
  [/\ heard sh (attends true W) W 2%:R = 2%:R, logits sh (turned W) = 2%:R & logits sh (attends true W) = 3%:R] /\
  [/\ heard sh (attends true W') W' 2%:R = 2%:R, logits sh (turned W') = 2%:R & logits sh (attends true W') = 4%:R].
Proof.
have [a b] := moved 2%:R 1 1 0 id id 2%:R; have [c e] := moved 2%:R 0 1 1 id id 2%:R.
have i := moved_all 2%:R 1 1 0 id id; have j := moved_all 2%:R 0 1 1 id id.
by split; split; [rewrite a|rewrite i|rewrite b|rewrite c|rewrite j|rewrite e]; apply/eqP; vm_compute.
Qed.
(* A norm x / (|x| + 1) of the queries: 1 in place of 2/3; of the keys: 2/3 in place of 1. *)
(* Needed: theorem=stays_tied,orthogonal_heads_stay_tied,single_head hypothesis=no norms of queries lemma=needs_no_qk_norm *)
(* Needed: theorem=stays_tied,orthogonal_heads_stay_tied,single_head hypothesis=no norms of keys lemma=needs_no_qk_norm *)
Lemma needs_no_qk_norm : let sh := straight 1 1 1 in let W := numbers 2%:R 0 1 0 1 0 shrunk id in
  let W' := numbers 2%:R 0 1 0 1 0 id shrunk in
  [/\ heard sh (attends true W) W 2%:R = 1, logits sh (turned W) = 1 & logits sh (attends true W) = 2%:R / 3%:R] /\
  [/\ heard sh (attends true W') W' 2%:R = 2%:R / 3%:R, logits sh (turned W') = 2%:R / 3%:R &
      logits sh (attends true W') = 1].
Proof.
have [a b] := moved 2%:R 0 1 0 shrunk id 2%:R; have [c e] := moved 2%:R 0 1 0 id shrunk 2%:R.
have i := moved_all 2%:R 0 1 0 shrunk id; have j := moved_all 2%:R 0 1 0 id shrunk.
by split; split; [rewrite a|rewrite i|rewrite b|rewrite c|rewrite j|rewrite e]; apply/eqP; vm_compute.
Qed.
(* -- two tokens, a quarter turn at the second, W_Q = D = diag(1, 2), W_K = I: -1 in place of -2 *)
(* Needed: theorem=stays_tied,orthogonal_heads_stay_tied,single_head hypothesis=no RoPE lemma=needs_no_rope *)
Lemma needs_no_rope : let sh := @reading 2 1 2 id quarter in let D := pair_of 1 0 0 2%:R in
  let W := two_tokens D 1%:M 1%:M 1%:M id id in let at_ M := model_forward sh M (1%:M : 'M[rat]_(1 * 2)) 1 0 in
  let K := W_K W *m (@blockdiag 1 2 _ (fun=> D))^T in
  [/\ at_ (in_basis sh (attends true W) 1%:M [::] (with_queries W 1%:M K) [::]) = - 1,
      at_ (attends true (with_queries W 1%:M (W_K W *m (W_Q W)^T))) = - 1 & at_ (attends true W) = - 2%:R].
Proof.
move=> sh D W at_ K; have one_block : @blockdiag 1 2 _ (fun=> D) = D.
  apply/matrixP => k l; rewrite mxE !ord1 eqxx mulr1n.
  by congr (D _ _); apply: val_inj; rewrite /= modn_small // ltn_ord.
have DT : D^T = D by apply/matrixP => -[[|[|//]] ?] [[|[|//]] ?]; rewrite !mxE.
have turned : with_queries W 1%:M (W_K W *m D^T) = two_tokens 1%:M D 1%:M 1%:M id id.
  by rewrite DT /with_queries /with_attention /= mul1mx.
rewrite /K one_block turned; have e : at_ (attends true (two_tokens 1%:M D 1%:M 1%:M id id)) = - 1.
  rewrite /at_ of_pairs !map_mx_id // !mulmx1 pair_dot.
  by rewrite !(mxE, big_ord_recl, big_ord0); apply/eqP; vm_compute.
split=> //; first by rewrite /at_ /in_basis forward_gauge // ?unitmx1 // => _; rewrite trmx1 mulmx1.
rewrite /at_ of_pairs !map_mx_id // !mulmx1 pair_dot.
by rewrite !(mxE, big_ord_recl, big_ord0); apply/eqP; vm_compute.
Qed.
(* -- two heads, each with the other's keys and values, W_Q = diag(D_1, D_2) = diag(2, 1): 1 in place of 2 *)
(* Needed: theorem=stays_tied,orthogonal_heads_stay_tied hypothesis=a key and value head for each head lemma=needs_own_keys *)
Lemma needs_own_keys : let swap (a : 'I_2) : 'I_2 := if (a < 1)%N then 1 else 0 in
  let D (a : 'I_2) : 'M[rat]_1 := if (a < 1)%N then 2%:R%:M else 1%:M in
  let sh := @reading 1 2 1 swap (fun=> 1%:M) in let W := two_heads (blockdiag D) 1%:M 1%:M 1%:M in
  let at_ M := model_forward sh M (const_mx 1 : 'M[rat]_(1, 2 * 1)) 0 0 in
  at_ (in_basis sh (attends true W) 1%:M [::] (with_queries W 1%:M (W_K W *m (blockdiag D)^T)) [::]) = 1 /\
  at_ (attends true W) = 2%:R.
Proof.
move=> swap D sh W at_; split; last by rewrite /at_ of_heads !mxE; apply/eqP; vm_compute.
rewrite /at_ /in_basis forward_gauge // ?unitmx1 // => [|_]; last by rewrite trmx1 mulmx1.
have -> : with_queries W 1%:M (W_K W *m (blockdiag D)^T) = two_heads 1%:M (blockdiag D)^T 1%:M 1%:M.
  by rewrite /with_queries /with_attention /= mul1mx.
rewrite -[with_layers _ _]/(attends true (two_heads 1%:M (blockdiag D)^T 1%:M 1%:M)).
by rewrite of_heads !mxE; apply/eqP; vm_compute.
Qed.
End Needed.
