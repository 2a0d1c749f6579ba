(* k_p3_2_dim.v - K-P3.2-dim: what the forms W_Q^a W_K^a' leave open is one invertible d_k x d_k matrix for each head.
 *
 * The paper (003, Section 1): "This redundancy is parametrized by a (h d_k^2)-dimensional manifold (one invertible
 * d_k x d_k matrix per head), present in the full model with no simplifying assumptions."
 *
 * Where each W_Q^a and W_K^a has full rank d_k: weights with the same forms are (W_Q D, W_K D^-T) for exactly one
 * D = diag(D_1, .., D_h), and the directions that do not move the forms are (W_Q A, -W_K A') for exactly one
 * A = diag(A_1, .., A_h), h d_k^2 numbers.
 *
 * Whole models of any depth, with skips, norms, MLPs and any other parameters: these directions do not move the
 * function to first order (null_tangent), so that the rank of its Jacobian in all parameters is at most their number
 * less h_kv d_k^2 for each layer (rank_plain), less h_kv d_k (d_k - 1) / 2 with norms of queries and keys
 * (rank_qk_norm), less h_kv d_k with rotary positions (rank_rope), less h_kv d_k^2 + (h + h_kv) d_k behind LayerNorm
 * (rank_layer_norm).  Missing for the parts of the claim: that there are no more in (W_Q, W_K) alone, as nothing here
 * says that the function determines the forms. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms order tangents.
From Theorems Require Import k_p3_2.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section OneHead.
Variables (F : fieldType) (d dk : nat).
Implicit Types (Q K : 'M[F]_(d, dk)) (A D : 'M[F]_dk).

Lemma left_inverse Q : \rank Q = dk -> pinvmx Q *m Q = 1%:M.
Proof.
move=> rQ; have : (1%:M <= Q)%MS by rewrite sub1mx /row_full rQ.
by move/mulmxKpV; rewrite mul1mx.
Qed.
Lemma cancel_left p Q (A B : 'M_(dk, p)) : \rank Q = dk -> Q *m A = Q *m B -> A = B.
Proof. by move=> rQ /(congr1 (mulmx (pinvmx Q))); rewrite !mulmxA left_inverse // !mul1mx. Qed.

(* a direction (Q', K') does not move Q K' : Q' K^T + Q K'^T = 0 *)
Theorem null_directions Q K dQ dK : \rank Q = dk -> \rank K = dk ->
  dQ *m K^T + Q *m dK^T = 0 <-> exists A, dQ = Q *m A /\ dK = - (K *m A^T).
Proof.
move=> rQ rK; split=> [e|[A [-> ->]]]; last by rewrite linearN /= trmx_mul trmxK mulmxN mulmxA subrr.
have KL : K^T *m (pinvmx K)^T = 1%:M by rewrite -trmx_mul left_inverse // trmx1.
pose A := - (dK^T *m (pinvmx K)^T); have eQ : dQ = Q *m A.
  have /(congr1 (mulmx^~ (pinvmx K)^T)) := e; rewrite mulmxDl mul0mx -[dQ *m _ *m _]mulmxA KL mulmx1 => /eqP.
  by rewrite addr_eq0 => /eqP ->; rewrite /A mulmxN mulmxA.
exists A; split=> //; apply: trmx_inj; rewrite linearN /= trmx_mul trmxK; apply: (cancel_left rQ).
by apply/eqP; rewrite mulmxN mulmxA -eQ -addr_eq0 addrC e.
Qed.

(* other factors of the same form *)
Theorem same_form Q K Q1 K1 : \rank Q = dk -> \rank K = dk -> Q1 *m K1^T = Q *m K^T <->
  exists D, [/\ D \in unitmx, Q1 = Q *m D & K1 = K *m (invmx D)^T].
Proof.
move=> rQ rK; split=> [e|[D [uD -> ->]]]; last by rewrite trmx_mul trmxK read_back.
have KL : K^T *m (pinvmx K)^T = 1%:M by rewrite -trmx_mul left_inverse // trmx1.
pose D := pinvmx Q *m Q1; pose E := K1^T *m (pinvmx K)^T.
have Q1E : Q1 *m E = Q by rewrite /E mulmxA e -mulmxA KL mulmx1.
have DE : D *m E = 1%:M by rewrite /D -mulmxA Q1E left_inverse.
have [invD uD] := invmx_eq DE; exists D; split=> //.
  by rewrite -[in RHS]Q1E -mulmxA (mulmx1C DE) mulmx1.
apply: trmx_inj; rewrite trmx_mul trmxK; apply: (can_inj (mulKmx uD)).
by rewrite mulKVmx // /D -mulmxA e mulmxA left_inverse // mul1mx.
Qed.
End OneHead.

Section Heads.
Variables (F : fieldType) (d h dk : nat) (W_Q W_K : 'M[F]_(d, h * dk)).
Hypotheses (full_Q : forall a, \rank (cols W_Q a) = dk) (full_K : forall a, \rank (cols W_K a) = dk).

(* one matrix for each head, and no two give the same weights *)
Theorem orbit Q K : (forall a, score_form Q K a = score_form W_Q W_K a) <->
  exists D, [/\ forall a, D a \in unitmx, Q = W_Q *m blockdiag D & K = W_K *m blockdiag (fun a => (invmx (D a))^T)].
Proof.
split=> [same|[D [uD -> ->]] a]; last first.
  by rewrite /score_form !cols_mul_blockdiag; apply/same_form => //; exists (D a).
have each a := proj1 (same_form (cols Q a) (cols K a) (full_Q a) (full_K a)) (same a).
have [D ok] := fin_all_exists each; exists D.
by split=> [a||]; first (by have [] := ok a); apply: cols_inj => a; rewrite cols_mul_blockdiag; have [] := ok a.
Qed.
Theorem directions dQ dK :
  (forall a, cols dQ a *m (cols W_K a)^T + cols W_Q a *m (cols dK a)^T = 0) <->
  exists A, dQ = W_Q *m blockdiag A /\ dK = - (W_K *m blockdiag (fun a => (A a)^T)).
Proof.
have colsN (B : 'M[F]_(d, h * dk)) a : cols (- B) a = - cols B a by apply/matrixP => i j; rewrite !mxE.
split=> [zero|[A [-> ->]] a]; last first.
  by rewrite colsN !cols_mul_blockdiag; apply/null_directions => //; exists (A a).
have each a := proj1 (null_directions (cols dQ a) (cols dK a) (full_Q a) (full_K a)) (zero a).
have [A ok] := fin_all_exists each; exists A.
by split; apply: cols_inj => a; rewrite ?colsN cols_mul_blockdiag; have [] := ok a.
Qed.
Theorem one_for_each D E : W_Q *m blockdiag D = W_Q *m blockdiag E -> D =1 E.
Proof. by move=> e a; apply: (cancel_left (full_Q a)); rewrite -!cols_mul_blockdiag e. Qed.
End Heads.

(* ---- whole models ------------------------------------------------------------------------------------------------ *)

Section Model.
Variables (F : realFieldType) (n d h h_kv dk V L : nat) (rest Y : finType).
Notation layer := (layer F n d h h_kv dk).
Notation model := (model F n d h h_kv dk V).
(* The parameters: all entries of W_Q and W_K of each layer, and any others, on which the rest of the model depends in
 * any way.  An output is the logit of one token at one position for one input. *)
Notation weight := (('I_L * (('I_d * 'I_(h * dk)) + ('I_d * 'I_(h_kv * dk))) + rest)%type).
Variables (sh : shape F n d h h_kv dk) (base : {ffun rest -> F} -> model) (others : {ffun rest -> F} -> 'I_L -> layer).
Variables (input : Y -> 'M[F]_(n, V)) (token : Y -> 'I_n) (word : Y -> 'I_V).
Implicit Types (w : weight -> F) (l : 'I_L) (g : 'I_h_kv) (A D : 'M[F]_dk).

Definition queries w l : 'M[F]_(d, h * dk) := \matrix_(i, j) w (inl (l, inl (i, j))).
Definition keys w l : 'M[F]_(d, h_kv * dk) := \matrix_(i, j) w (inl (l, inr (i, j))).
Definition rest_of w : {ffun rest -> F} := [ffun j => w (inr j)].
Definition with_queries_keys (W : layer) Q K : layer := with_attention W Q 0 K 0 (W_V W) (b_V W) (W_O W) (b_O W).
Definition assembled w : model := with_layers (base (rest_of w))
  [seq with_queries_keys (others (rest_of w) l) (queries w l) (keys w l) | l <- enum 'I_L].
Definition logits w y : F := model_forward sh (assembled w) (input y) (token y) (word y).

(* A at head g, B at all others *)
Definition at_head g A B : 'I_h_kv -> 'M[F]_dk := fun b => if b == g then A else B.
(* The direction (W_Q A, -W_K A') of one key-value head of one layer, and the query heads that read it *)
Definition put l (Q : 'M[F]_(d, h * dk)) (K : 'M[F]_(d, h_kv * dk)) (i : weight) : F :=
  match i with
  | inl (m, inl (a, b)) => if m == l then Q a b else 0
  | inl (m, inr (a, b)) => if m == l then K a b else 0
  | inr _ => 0
  end.
Definition tangent w l g A : weight -> F :=
  put l (queries w l *m blockdiag (fun a => at_head g A 0 (group sh a))) (- (keys w l *m blockdiag (at_head g A^T 0))).

Lemma norm1_put l Q K : norm1 (put l Q K) = total Q + total K.
Proof.
rewrite /norm1 big_sumType /= [X in _ + X]big1 ?addr0 => [|j _]; last by rewrite normr0.
rewrite sum_pairs (bigD1 l) //= [X in _ + X]big1 ?addr0 => [|m ml].
  by rewrite big_sumType /= !sum_pairs /=; congr (_ + _); apply: eq_bigr => a _; apply: eq_bigr => b _; rewrite eqxx.
by apply: big1 => -[[a b]|[a b]] _ /=; rewrite (negPf ml) normr0.
Qed.

(* what may stand between queries and keys at head g *)
Definition passes w l g D :=
  rotations_commute sh (at_head g D 1%:M) /\ norms_commute sh (others (rest_of w) l) (at_head g D 1%:M).

Theorem null_tangent w l g A J : curve (passes w l g) A -> jacobian logits w J ->
  forall y, along (tangent w l g A) J y = 0.
Proof.
move=> [s s0 [B steps]] dJ; apply: null_direction dJ _; exists s => //.
exists (total (queries w l) * (B *+ h) + total (keys w l) * (B *+ h_kv)) => t ts.
have [D [R [R' [uD [rot nrm] eD eI [bR bR']]]]] := steps t ts.
pose RQ a := at_head g R 0 (group sh a).
exists (put l (queries w l *m blockdiag RQ) (keys w l *m blockdiag (at_head g R'^T 0))).
  have B0 : 0 <= B by apply: le_trans (total_ge0 R) bR.
  have small m (X : 'I_m -> 'M[F]_dk) : (forall a, total (X a) <= B) -> total (blockdiag X) <= B *+ m.
    move=> le; rewrite total_blockdiag; apply: le_trans (_ : \sum_(a < m) B <= _); first exact: ler_sum.
    by rewrite sumr_const card_ord.
  have zero : total (0 : 'M[F]_dk) <= B by rewrite -(scale0r R) total_scale normr0 mul0r.
  rewrite norm1_put; apply: ler_add; apply: le_trans (total_mul _ _) _; apply: ler_wpmul2l (total_ge0 _) _ _ _.
    by apply: small => a; rewrite /RQ /at_head; case: ifP.
  by apply: small => a; rewrite /at_head; case: ifP => // _; rewrite total_tr.
move=> y; set w' := moved _ _; pose Dg := at_head g D 1%:M.
have rest' : rest_of w' = rest_of w by apply/ffunP => j; rewrite !ffunE /w' /moved /= !mulr0 !addr0.
have queries' m : queries w' m = if m == l then queries w l *m blockdiag (fun a => Dg (group sh a)) else queries w m.
  rewrite (eq_blockdiag (_ : _ =1 (fun a => 1%:M + t *: at_head g A 0 (group sh a) + t ^+ 2 *: RQ a))).
    rewrite blockdiag_expand !mulmxDr mulmx1 -!scalemxAr; case: eqP => [->|/eqP ml]; apply/matrixP => i j.
      by rewrite !mxE /w' /moved /= eqxx addrA mxE [X in _ + t ^+ 2 * X]mxE.
    by rewrite !mxE /w' /moved /= (negPf ml) !mulr0 !addr0.
  by move=> a; rewrite /Dg /RQ /at_head; case: ifP => // _; rewrite !scaler0 !addr0.
have keys' m : keys w' m = if m == l then keys w l *m blockdiag (fun b => (invmx (Dg b))^T) else keys w m.
  rewrite (eq_blockdiag (_ : _ =1 (fun b => 1%:M + t *: (- at_head g A^T 0 b) + t ^+ 2 *: at_head g R'^T 0 b))).
    rewrite blockdiag_expand !mulmxDr mulmx1 -!scalemxAr; case: eqP => [->|/eqP ml]; apply/matrixP => i j.
      rewrite [LHS]mxE /w' /moved /= eqxx [RHS]mxE [X in _ = X + _]mxE [keys w l i j]mxE addrA; congr (_ + _ + _).
        by rewrite [RHS]mxE blockdiag_opp mulmxN.
      by rewrite [RHS]mxE.
    by rewrite !mxE /w' /moved /= (negPf ml) !mulr0 !addr0.
  move=> b; rewrite /Dg /at_head; case: ifP => _; last by rewrite invmx1 trmx1 oppr0 !scaler0 !addr0.
  by rewrite eI linearD linearB /= trmx1 !linearZ /= scalerN.
have uDg b : Dg b \in unitmx by rewrite /Dg /at_head; case: ifP => // _; apply: unitmx1.
rewrite /logits -[assembled w']/(with_layers _ _) rest'; congr (fun_of_matrix _ _ _).
pose f m (W : layer) := if m == l then turn_query_key sh Dg W else W.
pose W m := with_queries_keys (others (rest_of w) m) (queries w m) (keys w m).
have -> : [seq with_queries_keys (others (rest_of w) m) (queries w' m) (keys w' m) | m <- enum 'I_L] =
    [seq f p.1 p.2 | p <- [seq (m, W m) | m <- enum 'I_L]].
  rewrite -[RHS]map_comp; apply: eq_map => m /=; rewrite queries' keys' /f /W; case: eqP => [->|//].
  by rewrite /turn_query_key /= !mul0mx.
have -> : with_layers (base (rest_of w)) [seq f p.1 p.2 | p <- [seq (m, W m) | m <- enum 'I_L]] =
    with_layers (assembled w) [seq f p.1 p.2 | p <- [seq (m, W m) | m <- enum 'I_L]] by [].
apply: same_layers => [|i p]; first by rewrite /unzip2 -[RHS]map_comp.
move=> at_i X; have [m ->] : exists m, p = (m, W m).
  elim: (enum 'I_L) i at_i => [|m ms IH] [|i] //=; last exact: IH.
  by case=> <-; exists m.
rewrite /f /=; case: eqP => [->|//]; apply: block_with_attention => Z.
by rewrite /model_attention -/(turn_query_key sh Dg (W l)) turn_query_key_attention.
Qed.

(* what combinations of these directions do to the keys of one layer *)
Section Combinations.
Variables (K : finType) (basis : K -> 'M[F]_dk).
Definition in_layer w (x : 'I_L * ('I_h_kv * K)) : weight -> F := tangent w x.1 x.2.1 (basis x.2.2).
Definition combined (c : 'I_L * ('I_h_kv * K) -> F) l b : 'M[F]_dk := \sum_k c (l, (b, k)) *: basis k.
Lemma keys_moved w c l i j : \sum_x c x * in_layer w x (inl (l, inr (i, j))) =
  - (keys w l *m blockdiag (fun b => (combined c l b)^T)) i j.
Proof.
rewrite sum_pairs (bigD1 l) //= [X in _ + X]big1 ?addr0 => [|m /negPf ml]; last first.
  by apply: big1 => -[b a] _; rewrite /in_layer /tangent /= eq_sym ml mulr0.
rewrite sum_pairs blockdiag_entry linear_sum mulmx_sumr summxE (bigD1 (head_of j)) //= [X in _ + X]big1 ?addr0.
  rewrite -sumrN; apply: eq_bigr => a _; rewrite /in_layer /tangent /= eqxx [X in _ * X]mxE.
  rewrite blockdiag_entry /at_head eqxx mulrN.
  by rewrite linearZ /= -scalemxAr [X in _ = - X]mxE.
move=> b bj; apply: big1 => a _; rewrite /in_layer /tangent /= eqxx [X in _ * X]mxE.
rewrite blockdiag_entry /at_head eq_sym (negPf bj).
by rewrite mulmx0 mxE oppr0 mulr0.
Qed.
End Combinations.

(* L h_kv |K| independent null directions: #|K| at each head, where no key head loses a dimension *)
Theorem rank_of_model (K : finType) (basis : K -> 'M[F]_dk) w J :
  free_family basis -> (forall l g, \rank (cols (keys w l) g) = dk) ->
  (forall l g k, curve (passes w l g) (basis k)) -> jacobian logits w J ->
  (\rank (jacobian_matrix J) + L * (h_kv * #|K|) <= #|{: weight}|)%N.
Proof.
move=> free full curves dJ; have := @rank_at_most F _ Y _ (in_layer basis w) J.
rewrite !card_prod !card_ord; apply=> [[l [g k]] y|c zero [l [g k]]]; first exact: null_tangent (curves l g k) dJ y.
apply: (free (fun k => c (l, (g, k)))); apply: trmx_inj; apply: (cancel_left (full l g)); rewrite trmx0 mulmx0.
rewrite -[LHS](cols_mul_blockdiag (keys w l) (fun b => (combined basis c l b)^T)); apply/matrixP => i j.
by apply/eqP; rewrite [X in X == _]mxE [X in _ == X]mxE -oppr_eq0 -keys_moved zero.
Qed.

(* Nothing between queries and keys: h_kv d_k^2 per layer, h d_k^2 where each head has its own keys. *)
Theorem any_direction w l g A : no_rope sh -> no_qk_norm (others (rest_of w) l) -> curve (passes w l g) A.
Proof. by move=> rope norms; apply: straight => t; split; [apply: no_rope_commutes | apply: no_qk_norm_commutes]. Qed.
Theorem rank_plain w J : no_rope sh -> (forall l, no_qk_norm (others (rest_of w) l)) ->
  (forall l g, \rank (cols (keys w l) g) = dk) -> jacobian logits w J ->
  (\rank (jacobian_matrix J) + L * (h_kv * (dk * dk)) <= #|{: weight}|)%N.
Proof.
move=> rope norms full dJ; have := rank_of_model (@units_free F dk) full _ dJ; rewrite card_prod card_ord.
apply=> l g k.
exact: any_direction.
Qed.

(* Norms of queries and keys that commute with orthogonal matrices: h_kv d_k (d_k - 1) / 2 per layer. *)
Definition norms_turn (W : layer) := forall D, D *m D^T = 1%:M ->
  (forall a B, norm_q W a (B *m D) = norm_q W a B *m D) /\ (forall g B, norm_k W g (B *m D) = norm_k W g B *m D).
Theorem rank_qk_norm w J : no_rope sh -> (forall l, norms_turn (others (rest_of w) l)) ->
  (forall l g, \rank (cols (keys w l) g) = dk) -> jacobian logits w J ->
  (\rank (jacobian_matrix J) + L * (h_kv * (dk * dk.-1)./2) <= #|{: weight}|)%N.
Proof.
move=> rope norms full dJ; have <- : #|{: ordered dk}| = (dk * dk.-1)./2 by rewrite -card_pairs mul2n doubleK.
apply: rank_of_model (@skews_free F dk) full _ dJ => l g p.
apply: turning (skew_tr F p) _ => D orth _; split; first exact: no_rope_commutes.
have turn b : at_head g D 1%:M b *m (at_head g D 1%:M b)^T = 1%:M.
  by rewrite /at_head; case: ifP; rewrite // trmx1 mulmx1.
split=> [a B|b B]; first by have [q _] := norms l _ (turn (group sh a)); apply: q.
have [_ k] := norms l _ (turn b); have [-> _] := invmx_eq (turn b); rewrite trmxK; exact: k.
Qed.

(* LayerNorm: the stream behind it is at right angles to u, u = 1 or Gamma^-1 1 behind gains; W_Q + u a is as good. *)
Definition unread w l (u : 'cV[F]_d) := let W := others (rest_of w) l in
  forall X : 'M[F]_(n, d), normalise sh X (gain1 W) (bias1 W) *m u = 0.
Theorem null_unread w l u (a : 'rV[F]_(h * dk)) (b : 'rV[F]_(h_kv * dk)) J : unread w l u -> jacobian logits w J ->
  forall y, along (put l (u *m a) (u *m b)) J y = 0.
Proof.
move=> no_u dJ; apply: null_direction dJ _; exists 1; rewrite ?ltr01 //; exists 0 => t _; exists (fun=> 0).
  by rewrite /norm1 big1 // => i _; rewrite normr0.
move=> y; set w' := moved _ _.
have rest' : rest_of w' = rest_of w by apply/ffunP => j; rewrite !ffunE /w' /moved /= !mulr0 !addr0.
have queries' m : queries w' m = queries w m + (if m == l then t *: (u *m a) else 0).
  by case: ifP => ml; apply/matrixP => i j; rewrite !mxE /w' /moved /= ml ?mulr0 ?addr0 // mxE.
have keys' m : keys w' m = keys w m + (if m == l then t *: (u *m b) else 0).
  by case: ifP => ml; apply/matrixP => i j; rewrite !mxE /w' /moved /= ml ?mulr0 ?addr0 // mxE.
rewrite /logits -[assembled w']/(with_layers _ _) rest'; congr (fun_of_matrix _ _ _).
pose W m := with_queries_keys (others (rest_of w) m) (queries w m) (keys w m).
pose f m (_ : layer) := with_queries_keys (others (rest_of w) m) (queries w' m) (keys w' m).
have -> : [seq with_queries_keys (others (rest_of w) m) (queries w' m) (keys w' m) | m <- enum 'I_L] =
    [seq f p.1 p.2 | p <- [seq (m, W m) | m <- enum 'I_L]] by rewrite -[RHS]map_comp.
rewrite -[with_layers _ _]/(with_layers (assembled w) _).
apply: same_layers => [|i p]; first by rewrite /unzip2 -[RHS]map_comp.
move=> at_i X; have [m ->] : exists m, p = (m, W m).
  elim: (enum 'I_L) i at_i => [|m ms IH] [|i] //=; last exact: IH.
  by case=> <-; exists m.
have att : let N := normalise sh X (gain1 (others (rest_of w) m)) (bias1 (others (rest_of w) m)) in
    model_attention sh (f m (W m)) N = model_attention sh (W m) N.
  move=> N; rewrite /model_attention /model_self_attention /affine /f /= queries' keys'; case: eqP => [ml|_].
    by rewrite !mulmxDr -!scalemxAr !mulmxA /N ml no_u !mul0mx !scaler0 !addr0.
  by rewrite !addr0.
by rewrite /model_block [model_attention _ (f _ _) _]att.
Qed.

Theorem rank_layer_norm w (u : 'I_L -> 'cV[F]_d) J : no_rope sh -> (forall l, no_qk_norm (others (rest_of w) l)) ->
  (forall l, u l != 0 /\ unread w l (u l)) -> (forall l g, \rank (row_mx (cols (keys w l) g) (u l)) = (dk + 1)%N) ->
  jacobian logits w J ->
  (\rank (jacobian_matrix J) + L * (h_kv * (dk * dk) + (h * dk + h_kv * dk)) <= #|{: weight}|)%N.
Proof.
move=> rope norms un full dJ.
pose G := (('I_L * ('I_h_kv * ('I_dk * 'I_dk))) + ('I_L * ('I_(h * dk) + 'I_(h_kv * dk))))%type.
have <- : (#|{: G}| = L * (h_kv * (dk * dk) + (h * dk + h_kv * dk)))%N.
  by rewrite card_sum !card_prod !card_sum !card_ord !mulnDr.
pose X (x : G) := match x with
  | inl x => in_layer (@unit_matrix F dk) w x
  | inr (l, inl j) => put l (u l *m delta_mx 0 j) (u l *m 0)
  | inr (l, inr j) => put l (u l *m 0) (u l *m delta_mx 0 j)
  end.
apply: (rank_at_most (X := X)) => [[[l [g k]]|[l [j|j]]] y|c zero].
- exact: null_tangent (any_direction _ _ rope (norms l)) dJ y.
- by apply: null_unread dJ y; have [] := un l.
- by apply: null_unread dJ y; have [] := un l.
pose inner x := c (inl x); pose ca l : 'rV_(h * dk) := \row_j c (inr (l, inl j)).
pose cb l : 'rV_(h_kv * dk) := \row_j c (inr (l, inr j)).
have row_by p (v : 'rV[F]_p) (z : 'cV[F]_d) i j : \sum_m v 0 m * (z *m (delta_mx 0 m : 'rV_p)) i j = (z *m v) i j.
  by rewrite [v in RHS]row_sum_delta mulmx_sumr summxE; apply: eq_bigr => m _; rewrite -scalemxAr [RHS]mxE.
have keys0 l : keys w l *m blockdiag (fun b => (combined (@unit_matrix F dk) inner l b)^T) = u l *m cb l.
  apply/matrixP => i j; apply/eqP; rewrite -subr_eq0 -oppr_eq0 opprB addrC -keys_moved -row_by.
  rewrite -[X in _ == X](zero (inl (l, inr (i, j)))) big_sumType /=; apply/eqP; congr (_ + _).
  rewrite [RHS]sum_pairs (bigD1 l) //= [X in _ = _ + X]big1 => [|m /negPf ml].
    rewrite addr0 big_sumType /= [X in _ = X + _]big1 ?add0r => [|m _]; last by rewrite eqxx mulmx0 mxE mulr0.
    by apply: eq_bigr => m _; rewrite eqxx mxE.
  by rewrite big_sumType /= !big1 ?addr0 // => x _; rewrite eq_sym ml mulr0.
have both l g : combined (@unit_matrix F dk) inner l g = 0 /\ cols (cb l) g = 0.
  pose A := - (combined (@unit_matrix F dk) inner l g)^T.
  have : row_mx (cols (keys w l) g) (u l) *m col_mx A (cols (cb l) g) = row_mx (cols (keys w l) g) (u l) *m 0.
    by rewrite mulmx0 mul_row_col mulmxN -cols_mul -keys0 cols_mul_blockdiag addNr.
  move/(cancel_left (full l g)); rewrite -[0 in X in _ = X]col_mx0 => /eq_col_mx [A0 ->]; split=> //.
  by apply: trmx_inj; rewrite trmx0 -[LHS]opprK -/A A0 oppr0.
have inner0 x : c (inl x) = 0.
  by case: x => l [g p]; have [e _] := both l g; apply: (units_free (c := fun p => inner (l, (g, p))) e p).
have cb0 l j : c (inr (l, inr j)) = 0.
  have e : cb l = 0 by apply: cols_inj => g; have [_ ->] := both l g; apply/matrixP => a b; rewrite !mxE.
  by have /rowP/(_ j) := e; rewrite !mxE.
have ca0 l j : c (inr (l, inl j)) = 0.
  have e : u l *m ca l = 0.
    apply/matrixP => i k; rewrite -row_by [RHS]mxE -[RHS](zero (inl (l, inl (i, k)))) big_sumType /=.
    rewrite [X in _ = X + _]big1 ?add0r => [|x _]; last by rewrite inner0 mul0r.
    rewrite [RHS]sum_pairs (bigD1 l) //= [X in _ = _ + X]big1 => [|m /negPf ml].
      rewrite addr0 big_sumType /= [X in _ = _ + X]big1 ?addr0 => [|m _]; last by rewrite cb0 mul0r.
      by apply: eq_bigr => m _; rewrite eqxx mxE.
    by rewrite big_sumType /= !big1 ?addr0 // => x _; rewrite eq_sym ml mulr0.
  have [/cV0Pn [i ui] _] := un l; have /matrixP/(_ i j) := e; rewrite !mxE big_ord1 mxE => /eqP.
  by rewrite mulf_eq0 (negPf ui) /= => /eqP.
by case=> [x|[l [j|j]]].
Qed.
End Model.

(* Rotary positions leave the matrices (a, b; -b, a) on each pair of coordinates: h_kv d_k per layer. *)
Section Rope.
Variables (F : realFieldType) (n d h h_kv p V L : nat) (rest Y : finType).
Notation dk := (p * 2)%N.
Notation weight := (('I_L * (('I_d * 'I_(h * dk)) + ('I_d * 'I_(h_kv * dk))) + rest)%type).
Variables (sh : shape F n d h h_kv dk) (base : {ffun rest -> F} -> model F n d h h_kv dk V).
Variables (others : {ffun rest -> F} -> 'I_L -> layer F n d h h_kv dk).
Variables (input : Y -> 'M[F]_(n, V)) (token : Y -> 'I_n) (word : Y -> 'I_V).

Definition complex_unit (q : 'I_p * bool) : 'M[F]_dk :=
  blockdiag (fun f => pair ((f == q.1) && ~~ q.2)%:R ((f == q.1) && q.2)%:R).
Lemma complex_free : free_family complex_unit.
Proof.
move=> c /matrixP zero [f b]; have := zero (in_head f 0) (in_head f (if b then 1 else 0)).
have entry q : (c q *: complex_unit q) (in_head f 0) (in_head f (if b then 1 else 0)) = c q * (q == (f, b))%:R.
  case: q => f1 b1; rewrite !mxE !head_of_in !place_of_in eqxx mulr1n xpair_eqE [f1 == f]eq_sym; congr (_ * _).
  by case: b b1 => [] [] //=; rewrite ?andbT ?andbF.
rewrite summxE (eq_bigr _ (fun q _ => entry q)) (bigD1 (f, b)) //= eqxx mulr1 big1 => [|q /negPf ->].
  by rewrite addr0 mxE.
by rewrite mulr0.
Qed.

Theorem rank_rope w J c s : rotates sh c s -> (forall l, no_qk_norm (others (rest_of w) l)) ->
  (forall l g, \rank (cols (keys w l) g) = dk) -> jacobian (logits sh base others input token word) w J ->
  (\rank (jacobian_matrix J) + L * (h_kv * dk) <= #|{: weight}|)%N.
Proof.
move=> rot norms full dJ; have := rank_of_model complex_free full _ dJ; rewrite card_prod card_ord card_bool.
apply=> l g q.
apply: straight => t; split; last exact: no_qk_norm_commutes.
case: rot => unit rot i b; rewrite rot; split.
  rewrite tr_blockdiag mul_blockdiag -(blockdiag1 p 2 F); apply: eq_blockdiag => f.
  by rewrite pair_tr pair_mul mulrN opprK unit mulrN [s i f * _]mulrC addNr pair1.
rewrite /at_head; case: ifP => _; last by rewrite mulmx1 mul1mx.
rewrite mulmxDr mulmxDl mulmx1 mul1mx -scalemxAr -scalemxAl; congr (_ + _ *: _).
rewrite !mul_blockdiag; apply: eq_blockdiag => f; rewrite !pair_mul; congr pair.
  by rewrite [c i f * _]mulrC [s i f * _]mulrC.
by rewrite addrC [c i f * _]mulrC [s i f * _]mulrC.
Qed.
End Rope.

(* ---- full rank is needed ----------------------------------------------------------------------------------------- *)

Section Needed.
Definition e1 : 'cV[rat]_2 := \col_i (i == 0)%:R.
Definition e2 : 'cV[rat]_2 := \col_i (i != 0)%:R.
Lemma full_e1 : \rank e1 = 1%N.
Proof. by apply/eqP; rewrite eqn_leq rank_leq_col lt0n mxrank_eq0; apply/cV0Pn; exists 0; rewrite mxE. Qed.
Lemma apart_columns (A : 'M[rat]_1) c : c != 0 -> e2 <> c *: (e1 *m A).
Proof. by move=> _ /matrixP /(_ 1 0) /eqP; rewrite !mxE big_ord1 !mxE /= mul0r mulr0 oner_eq0. Qed.

(* W_Q = 0, W_K = e_1: (0, e_2) does not move the form 0, and e_2 is no multiple of e_1. *)
(* Needed: theorem=null_directions,directions hypothesis=W_Q of full rank in each head lemma=needs_full_queries *)
Lemma needs_full_queries : [/\ \rank e1 = 1%N, (0 : 'cV_2) *m e1^T + (0 : 'cV_2) *m e2^T = 0 &
  forall A : 'M[rat]_1, e2 <> - (e1 *m A^T)].
Proof.
split=> [||A]; [exact: full_e1 | | by rewrite -scaleN1r; apply: apart_columns].
by rewrite !mul0mx addr0.
Qed.
(* W_Q = e_1, W_K = 0: (e_2, 0) does not move the form 0. *)
(* Needed: theorem=null_directions,directions hypothesis=W_K of full rank in each head lemma=needs_full_keys *)
Lemma needs_full_keys : [/\ \rank e1 = 1%N, e2 *m (0 : 'cV_2)^T + e1 *m (0 : 'cV_2)^T = 0 &
  forall A : 'M[rat]_1, e2 <> e1 *m A].
Proof.
split=> [||A]; [exact: full_e1 | | by rewrite -[e1 *m A]scale1r; apply: apart_columns].
by rewrite trmx0 !mulmx0 addr0.
Qed.

(* W_Q = 0, W_K = 1: (0, 0) has the same form 0, and 0 is not 1 D^-T. *)
(* Needed: theorem=same_form,orbit hypothesis=W_Q of full rank in each head lemma=needs_full_queries_orbit *)
Lemma needs_full_queries_orbit : [/\ \rank (1%:M : 'M[rat]_1) = 1%N,
  (0 : 'M_1) *m 0^T = (0 : 'M_1) *m (1%:M : 'M[rat]_1)^T &
  forall D : 'M[rat]_1, D \in unitmx -> 0 <> 1%:M *m (invmx D)^T].
Proof.
split=> [||D uD /(congr1 trmx)]; rewrite ?mxrank1 ?mul0mx // trmx0 mul1mx trmxK => /(congr1 (mulmx D)).
by rewrite mulmx0 mulmxV // => /matrixP /(_ 0 0) /eqP; rewrite !mxE.
Qed.
(* W_Q = 1, W_K = 0: (0, 0) has the same form 0, and 0 is not 1 D. *)
(* Needed: theorem=same_form,orbit hypothesis=W_K of full rank in each head lemma=needs_full_keys_orbit *)
Lemma needs_full_keys_orbit : [/\ \rank (1%:M : 'M[rat]_1) = 1%N,
  (0 : 'M_1) *m 0^T = (1%:M : 'M_1) *m (0 : 'M[rat]_1)^T &
  forall D : 'M[rat]_1, D \in unitmx -> 0 <> 1%:M *m D].
Proof.
split=> [||D uD /esym]; rewrite ?mxrank1 ?trmx0 ?mulmx0 // mul1mx => D0.
by move: uD; rewrite D0 unitmxE det0 unitr0.
Qed.

(* W_Q = 0: D = 0 and D = 1 give the same weights. *)
(* Needed: theorem=one_for_each hypothesis=W_Q of full rank in each head lemma=needs_full_one *)
Lemma needs_full_one : let W_Q := 0 : 'M[rat]_(1, 1 * 1) in
  W_Q *m blockdiag (fun=> 0) = W_Q *m blockdiag (fun=> 1%:M) /\ (0 : 'M[rat]_1) <> 1%:M.
Proof. by rewrite /= !mul0mx; split=> // /matrixP /(_ 0 0) /eqP; rewrite !mxE. Qed.
End Needed.
