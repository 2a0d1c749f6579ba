(* n7.v - N7 and N19: what RMSNorm leaves.  A norm that commutes with orthogonal matrices, N(X Omega) = N(X) Omega, as
 * RMSNorm without gain does: N(x) = rho(|x|^2) x, and |x Omega| = |x|.
 *
 * W_Q^i = Omega_i U_i: the stream in front of layer i is turned by Omega_i, and W~_Q^i = U_i, block upper triangular or
 * symmetric as U_i is.  One Omega everywhere where skips carry the stream across a layer (N7: one layer; N19: a shared
 * block), one for each layer where they do not (N19: skips around attention only).  Gains fold first (`fold`).  What
 * goes wrong without each hypothesis stands at the end. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms.
From Provably Require Import witness witness_numbers witness_quiet witness_pairs.
From Theorems Require Import k_p3_2.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Turned.
Variables (R : comUnitRingType) (n d h h_kv dk V : nat).
Notation shape := (shape R n d h h_kv dk).
Notation layer := (layer R n d h h_kv dk).
Notation model := (model R n d h h_kv dk V).
Implicit Types (sh : shape) (W : layer) (M : model) (Theta : nat -> 'M[R]_d).

Definition orthogonal (Omega : 'M[R]_d) := Omega *m Omega^T = 1%:M.
Definition commutes (N : 'M[R]_(n, d) -> 'M[R]_(n, d)) :=
  forall Omega X, orthogonal Omega -> N (X *m Omega) = N X *m Omega.
Definition commuting_norm sh := if norm sh is Some N then commutes N else True.
Definition folded W := [/\ gain1 W = 1%:M, bias1 W = 0, gain2 W = 1%:M & bias2 W = 0].

Lemma orthogonal_unit Omega : orthogonal Omega -> Omega \in unitmx /\ invmx Omega = Omega^T.
Proof. by move=> o; have [-> u] := invmx_eq o. Qed.

Lemma normalise_turned sh X Omega : commuting_norm sh -> orthogonal Omega ->
  normalise sh (X *m Omega) 1%:M 0 = normalise sh X 1%:M 0 *m Omega.
Proof.
rewrite /commuting_norm /normalise; case: (norm sh) => [N|] // c o.
have no_gain Y : affine Y (1%:M : 'M_d) 0 = Y.
  by rewrite /affine mulmx1 (_ : \matrix_(i, j) _ = 0) ?addr0 //; apply/matrixP => i j; rewrite !mxE.
by rewrite !no_gain c.
Qed.

Lemma block_turned sh W A D X : commuting_norm sh -> folded W -> orthogonal A -> orthogonal D ->
  (crosses sh -> A = D) -> model_block sh (gauge_layer sh A D W) (X *m A) = model_block sh W X *m D.
Proof.
move=> cN [g1 b1 g2 b2] oA oD AD; have [uA _] := orthogonal_unit oA; have [uD _] := orthogonal_unit oD.
rewrite /model_block /gauge_layer /skip; move: AD; rewrite /crosses.
case: (parallel sh) => [|].
  rewrite orbT andbT => AD; rewrite /= g1 b1 normalise_turned // attention_gauge // mlp_gauge // -mulmxDl.
  by case: (attn_skip sh) AD => [/(_ isT) <-|_]; rewrite ?mulmxDl.
rewrite orbF; case: (attn_skip sh); case: (mlp_skip sh) => /= AD;
  rewrite g1 b1 g2 b2 normalise_turned // attention_gauge //.
- by rewrite -mulmxDl normalise_turned // mlp_gauge // -(AD isT) -mulmxDl.
- by rewrite -mulmxDl normalise_turned // mlp_gauge.
- by rewrite normalise_turned // mlp_gauge // -mulmxDl.
by rewrite normalise_turned // mlp_gauge.
Qed.

Lemma stack_turned sh Theta (Ws : seq layer) X : commuting_norm sh -> (forall W, List.In W Ws -> folded W) ->
  (forall i, orthogonal (Theta i)) -> (crosses sh -> forall i, Theta i.+1 = Theta i) ->
  model_stack sh (gauge_layers sh Theta Ws) (X *m Theta 0%N) = model_stack sh Ws X *m Theta (size Ws).
Proof.
move=> cN; elim: Ws Theta X => //= W r IH Theta X ok o same.
rewrite block_turned //; [|by apply: ok; left|by move=> c; rewrite same].
exact: (IH (Theta \o succn) _ (fun W' in_ => ok W' (or_intror in_)) (fun i => o i.+1) (fun c i => same c i.+1)).
Qed.

(* Any model with such a norm, gains folded, is the same function in turned bases; a tied head stays tied where the last
 * basis is the first. *)
Theorem turned sh M Theta : commuting_norm sh -> (forall W, List.In W (at_ M) -> folded W) ->
  gain_f M = 1%:M -> bias_f M = 0 -> (forall i, orthogonal (Theta i)) ->
  (crosses sh -> forall i, Theta i.+1 = Theta i) -> (head M = None -> Theta (size (at_ M)) = Theta 0%N) ->
  same_function sh (gauge_model sh Theta M) M.
Proof.
move=> cN ok gf bf o same tied T; rewrite /model_forward embed_gauge /= stack_turned // /model_head /= gf bf.
rewrite normalise_turned //; have [u inv] := orthogonal_unit (o (size (at_ M))).
case: (head M) tied => [H|] tied /=; first by rewrite read_back.
by rewrite trmx_mul -(tied erefl) -inv mulmxA mulmxK.
Qed.
End Turned.

(* RMSNorm without gain, x -> rho(|x|^2) x in each row, is such a norm, for any rho. *)
Lemma radial_commutes (R : comUnitRingType) n d (rho : R -> R) :
  commutes (fun X : 'M[R]_(n, d) => \matrix_(i, j) (rho ((row i X *m (row i X)^T) 0 0) * X i j)).
Proof.
move=> Omega X o; apply/matrixP => i j; rewrite [LHS]mxE row_mul trmx_mul -mulmxA (mulmxA Omega) o mul1mx.
rewrite [X in _ * X]mxE [RHS]mxE mulr_sumr; apply: eq_bigr => k _; by rewrite [X in _ = X * _]mxE mulrA.
Qed.

(* ---- step (1): the gain G in front of a matrix folds into it, (N(X) G) W = N(X) (G W) --------------------------- *)
Section Fold.
Variables (R : comUnitRingType) (n d h h_kv dk V : nat).
Notation shape := (shape R n d h h_kv dk).
Notation layer := (layer R n d h h_kv dk).
Notation model := (model R n d h h_kv dk V).
Implicit Types (sh : shape) (W : layer) (M : model) (G : 'M[R]_d).

Definition fold_mlp G (F : mlp R d) : mlp R d :=
  @Mlp R d (m F) (G *m W_up F) (b_up F) (omap (fun g => (G *m g.1, g.2)) (W_gate F)) (W_down F) (b_down F) (phi F).
(* G1 in front of attention, G2 in front of the MLP: one and the same in parallel blocks *)
Definition fold_layer sh W : layer :=
  let G1 := gain1 W in let G2 := if parallel sh then G1 else gain2 W in
  @Layer R n d h h_kv dk (G1 *m W_Q W) (b_Q W) (G1 *m W_K W) (b_K W) (G1 *m W_V W) (b_V W) (W_O W) (b_O W)
    1%:M 0 1%:M 0 (norm_q W) (norm_k W) (rowmap W) (experts W) (omap (fun r => (G2 *m r.1, r.2)) (router W))
    (fun e => fold_mlp G2 (expert W e)).
Definition fold_model sh M : model :=
  Model (E M) (P M) (omap (mulmx (gain_f M)) (head M)) 1%:M 0 [seq fold_layer sh W | W <- at_ M].

Lemma affine_fold q (Y : 'M[R]_(n, d)) G (A : 'M_(d, q)) c : affine (Y *m G) A c = affine Y (G *m A) c.
Proof. by rewrite /affine mulmxA. Qed.
Lemma normalise_gain sh N X G : norm sh = Some N -> normalise sh X G 0 = N X *m G.
Proof.
move=> eN; rewrite /normalise eN /affine (_ : \matrix_(i, j) _ = 0) ?addr0 //.
by apply/matrixP => i j; rewrite !mxE.
Qed.
Lemma fold_attention sh W Y : model_attention sh (fold_layer sh W) Y = model_attention sh W (Y *m gain1 W).
Proof. by rewrite /model_attention /model_self_attention !affine_fold. Qed.
Lemma fold_model_mlp sh W Y : model_mlp (fold_layer sh W) Y =
  model_mlp W (Y *m (if parallel sh then gain1 W else gain2 W)).
Proof.
rewrite /model_mlp /=; set G := if _ then _ else _.
have each e : expert_of (fold_mlp G (expert W e)) Y = expert_of (expert W e) (Y *m G).
  by rewrite /expert_of /= affine_fold; case: (W_gate _) => [[A b]|] //=; rewrite affine_fold.
case: (router W) => [[r f]|] /=; apply: eq_bigr => e _; by rewrite each ?mulmxA.
Qed.
Lemma fold_block sh N W X : norm sh = Some N -> bias1 W = 0 -> bias2 W = 0 ->
  model_block sh (fold_layer sh W) X = model_block sh W X.
Proof.
move=> eN b1 b2; rewrite /model_block /= b1 b2 !(normalise_gain _ _ eN) !fold_attention !fold_model_mlp.
by case: (parallel sh); rewrite !mulmx1.
Qed.

(* "gains fold into the matrices behind them, in front of an untied head, too": any norm N, any skips, every layer; with
 * a tied head where no gain stands in front of it.  No gain is left. *)
(* Provably: claim=N7 part=as-stated-fold theorem=fold quantifiers=all sizes, heads, depths, skips, functions, norms, gains *)
Theorem fold sh N M : norm sh = Some N -> (forall W, List.In W (at_ M) -> bias1 W = 0 /\ bias2 W = 0) ->
  bias_f M = 0 -> (head M = None -> gain_f M = 1%:M) ->
  let M' := fold_model sh M in
  [/\ same_function sh M' M, forall W, List.In W (at_ M') -> folded W, gain_f M' = 1%:M & bias_f M' = 0].
Proof.
move=> eN no_bias bf tied M'; split=> // [T|W]; last by rewrite /M' /= => /List.in_map_iff [W0 [<- _]].
have stack X : model_stack sh (at_ M') X = model_stack sh (at_ M) X.
  rewrite /M' /=; elim: (at_ M) no_bias X => //= W r IH no_bias X.
  have [b1 b2] := no_bias W (or_introl erefl); rewrite (fold_block _ eN b1 b2); apply: IH => W0 in_.
  exact: no_bias _ (or_intror in_).
rewrite /model_forward stack /model_head bf !(normalise_gain _ _ eN) mulmx1.
rewrite -[model_embed M' T]/(model_embed M T) /=.
by case: (head M) tied => [H _|/(_ erefl) ->] /=; rewrite ?mulmx1 ?mulmxA.
Qed.
End Fold.

Section Queries.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Notation layer := (layer R n d h h_kv dk).
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V).

(* zeros below the diagonal *)
Definition upper (U : 'M[R]_d) := forall i j : 'I_d, (j < i)%N -> U i j = 0.
(* block upper triangular, blocks dk x dk with I on the diagonal *)
Definition unit_block_upper (U : 'M[R]_d) :=
  (forall a b : 'I_h, (b < a)%N -> rows (cols U b) a = 0) /\ (forall a, rows (cols U a) a = 1%:M).

Lemma query_turned sh A D W U : orthogonal A -> W_Q W = A *m U -> W_Q (gauge_layer sh A D W) = U.
Proof. by move=> o e; have [u _] := orthogonal_unit o; rewrite W_Q_gauge e mulKmx. Qed.

(* One Omega everywhere, any skips, untied or without a gain in front of a tied head: layer j has W~_Q = U. *)
(* Provably: claim=N7 part=as-stated-upper-triangular theorem=one_layer quantifiers=all sizes, heads, depths, skips, functions, norms that commute with Omega, upper triangular U *)
(* Provably: claim=N7 part=as-stated-symmetric theorem=one_layer quantifiers=all sizes, heads, depths, skips, functions, norms that commute with Omega, symmetric U *)
(* Provably: claim=N20 part=as-stated theorem=one_layer quantifiers=all sizes, heads, groups, rotations, depths, skips, functions, norms that commute with Omega, upper triangular U *)
Theorem one_layer sh M before W after Omega U : commuting_norm sh -> (forall W, List.In W (at_ M) -> folded W) ->
  gain_f M = 1%:M -> bias_f M = 0 -> at_ M = before ++ W :: after -> orthogonal Omega -> W_Q W = Omega *m U ->
  let M' := gauge_model sh (fun=> Omega) M in
  same_function sh M' M /\
  exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = U].
Proof.
move=> cN ok gf bf layers o e M'; split; first exact: turned.
exists (gauge_layer sh Omega Omega W); set g := gauge_layer sh _ _.
exists (map g before), (map g after); rewrite size_map (query_turned _ _ o e); split=> //.
by rewrite /M' /= gauge_layers_one layers map_cat.
Qed.
End Queries.

(* ---- identity blocks, by Proposition 3.2: no RoPE, no norm of queries and keys, a key for each head ------------ *)
Section Blocks.
Variables (R : comUnitRingType) (n h dk V : nat).
Notation d := (h * dk)%N.
Notation layer := (layer R n d h h dk).
Implicit Types (sh : shape R n d h h dk) (M : model R n d h h dk V) (W : layer) (U : 'M[R]_d).

Definition block U (a b : 'I_h) : 'M[R]_dk := rows (cols U b) a.
(* D_a = (U_aa)^-1 for U = W_Q *)
Definition normal sh W : layer := turn_query_key sh (fun a => invmx (block (W_Q W) a a)) W.
Definition own_keys sh := no_rope sh /\ forall a, group sh a = a.

Lemma normal_block sh W X : own_keys sh -> no_qk_norm W -> (forall a, block (W_Q W) a a \in unitmx) ->
  model_block sh (normal sh W) X = model_block sh W X.
Proof.
move=> [rope _] nn u; apply: block_with_attention => {}X; rewrite -/(normal sh W) /model_attention attention // => g.
by rewrite unitmx_inv.
Qed.

Lemma normal_form sh W : own_keys sh -> upper (W_Q W) -> (forall a, block (W_Q W) a a \in unitmx) ->
  unit_block_upper (W_Q (normal sh W)).
Proof.
move=> [_ own] low u; have at_ a b : block (W_Q (normal sh W)) a b = block (W_Q W) a b *m invmx (block (W_Q W) b b).
  rewrite /block /= cols_mul_blockdiag own; apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => l _.
  by rewrite [in RHS]mxE.
split=> [a b ba|a]; last by rewrite -/(block _ a a) at_ mulmxV.
rewrite -/(block _ a b) at_ (_ : block (W_Q W) a b = 0) ?mul0mx //; apply/matrixP => i j; rewrite !mxE low //=.
apply: (@leq_trans (b.+1 * dk)%N); first by rewrite mulSn addnC ltn_add2r.
by rewrite (leq_trans (leq_mul ba (leqnn dk))) // leq_addr.
Qed.

(* Layer j alone, any skips: every layer is turned by Omega (g), and layer j becomes W', whose heads are turned besides.
 * With a tied head it stays tied. *)
(* Provably: claim=N7 part=as-stated theorem=one_layer_blocks quantifiers=all sizes, heads, depths, skips, functions, norms that commute with Omega, upper triangular U, invertible U_aa *)
(* Provably: claim=N7 part=as-stated-tied theorem=one_layer_blocks quantifiers=all sizes, heads, depths, skips, functions, norms that commute with Omega, upper triangular U, invertible U_aa *)
Theorem one_layer_blocks sh M before W after Omega U : commuting_norm sh -> own_keys sh ->
  (forall W, List.In W (at_ M) -> folded W) -> gain_f M = 1%:M -> bias_f M = 0 -> no_qk_norm W ->
  at_ M = before ++ W :: after -> orthogonal Omega -> W_Q W = Omega *m U -> upper U ->
  (forall a, block U a a \in unitmx) ->
  let g := gauge_layer sh Omega Omega in let W' := normal sh (g W) in
  let M' := with_layers (gauge_model sh (fun=> Omega) M) (map g before ++ W' :: map g after) in
  [/\ same_function sh M' M, head M' = omap (mulmx (invmx Omega)) (head M), size (at_ M') = size (at_ M) &
      unit_block_upper (W_Q W')].
Proof.
move=> cN own ok gf bf nn layers o e low u g W' M'; have eU := query_turned sh Omega o e.
have [same _] := one_layer cN ok gf bf layers o e.
have at_G : at_ (gauge_model sh (fun=> Omega) M) = map g before ++ g W :: map g after.
  by rewrite /= gauge_layers_one layers map_cat.
have nn1 : no_qk_norm (g W) by case: nn => q k; rewrite /g /gauge_layer; case: parallel.
split=> [T|//||].
- rewrite -(same T); apply: (replace_layer at_G) => X; apply: normal_block own nn1 _ => a; rewrite eU; exact: u.
- by rewrite /= layers !size_cat /= !size_map.
by apply: (normal_form own); rewrite eU.
Qed.

(* All layers: one Omega_i in front of each where no skips carry the stream across a layer, one for all where they do.
 * A tied head stays tied where the last basis is the first. *)
Theorem all_layers sh M (Omega U : nat -> 'M[R]_d) : commuting_norm sh -> own_keys sh ->
  (forall W, List.In W (at_ M) -> folded W /\ no_qk_norm W) -> gain_f M = 1%:M -> bias_f M = 0 ->
  (forall i, orthogonal (Omega i)) -> (crosses sh -> forall i, Omega i.+1 = Omega i) ->
  (head M = None -> Omega (size (at_ M)) = Omega 0%N) ->
  (forall i W, List.nth_error (at_ M) i = Some W ->
    [/\ W_Q W = Omega i *m U i, upper (U i) & forall a, block (U i) a a \in unitmx]) ->
  let G := gauge_model sh Omega M in let M' := with_layers G (map (normal sh) (at_ G)) in
  same_function sh M' M /\ forall W, List.In W (at_ M') -> unit_block_upper (W_Q W).
Proof.
move=> cN own ok gf bf o same tied forms G M'.
have each W : List.In W (at_ G) -> [/\ no_qk_norm W, upper (W_Q W) & forall a, block (W_Q W) a a \in unitmx].
  rewrite /G /=; elim: (at_ M) (Omega) (U) o ok forms => //= W1 r IH Om U1 o' ok' forms' [<-|in_].
    have [e low u] := forms' 0%N W1 erefl; have eU := query_turned sh (Om 1%N) (o' 0%N) e; rewrite eU.
    by split=> //; have [_ [q k]] := ok' W1 (or_introl erefl); rewrite /gauge_layer; case: parallel.
  apply: (IH (Om \o succn) (U1 \o succn)) in_ => [i|W2 in2|i]; first exact: o'.
    exact: ok' _ (or_intror in2).
  exact: (forms' i.+1).
split=> [T|W]; last first.
  by rewrite /M' /= => /List.in_map_iff [W1 [<- /each [_ low u]]]; apply: normal_form.
have <- : model_forward sh G T = model_forward sh M T by apply: turned => // W /ok [].
have := @same_layers _ _ _ _ _ _ V sh G unit (fun _ => normal sh) [seq (tt, W) | W <- at_ G].
rewrite -map_comp; apply; first by rewrite /unzip2 -map_comp map_id.
move=> i [[] W] e X; have {e} /each [nn _ u] : List.In W (at_ G).
  by have /List.in_map_iff [W' [[<-] in_]] := List.nth_error_In _ _ e.
exact: normal_block.
Qed.
End Blocks.

(* ---- without a hypothesis: models of one number, E = 1 ----------------------------------------------------------- *)

Section Needed.
Notation row := 'M[rat]_(1, 1 * 1).
Notation num x := (x%:M : 'M[rat]_(1 * 1)).
Notation logits sh M := (model_forward sh M 1%:M 0 0).
Notation behind N := (small_shape_of false false N).
(* no layers: the gain g and the bias b of the last norm, and the head *)
Definition ends (H : option 'M[rat]_(1 * 1, 1)) (g b : rat) : small_model := Model 1%:M 0 H (num g) (const_mx b) [::].

Lemma logit_of N (e p : row) (H : 'M_(1 * 1, 1)) G b :
  logits (behind N) (Model e p (Some H) G b [::]) =
  (if N is Some f then f (e + p) 0 0 * G 0 0 + b 0 0 else e 0 0 + p 0 0) * H 0 0.
Proof.
rewrite /model_forward /model_head /normalise /model_embed /= mul1mx.
by case: N => [f|]; rewrite /affine !(mxE, big_ord1).
Qed.
Lemma logit_tied N (e p : row) G b :
  logits (behind N) (Model e p None G b [::]) = logits (behind N) (Model e p (Some e^T) G b [::]).
Proof. by []. Qed.

(* ---- of `fold` *)
(* No norm, where a gain does nothing, the gain 2: the logit is 2 in place of 1. *)
(* Needed: theorem=fold hypothesis=a norm lemma=fold_needs_a_norm *)
Lemma fold_needs_a_norm : let sh := behind None in let M := ends (Some 1%:M) 2%:R 0 in
  logits sh (fold_model sh M) = 2%:R /\ logits sh M = 1.
Proof. by split; rewrite logit_of !(mxE, big_ord1); apply/eqP; vm_compute. Qed.
(* A bias 1 of the last norm: 1 in place of 2. *)
(* Needed: theorem=fold hypothesis=no bias of the last norm lemma=fold_needs_no_last_bias *)
Lemma fold_needs_no_last_bias : let sh := behind (Some id) in let M := ends (Some 1%:M) 1 1 in
  logits sh (fold_model sh M) = 1 /\ logits sh M = 2%:R.
Proof. by split; rewrite logit_of !(mxE, big_ord1); apply/eqP; vm_compute. Qed.
(* A tied head behind a gain 2: 1 in place of 2. *)
(* Needed: theorem=fold hypothesis=no last gain where the head is tied lemma=fold_needs_untied *)
Lemma fold_needs_untied : let sh := behind (Some id) in let M := ends None 2%:R 0 in
  logits sh (fold_model sh M) = 1 /\ logits sh M = 2%:R.
Proof. by split; rewrite logit_tied logit_of !(mxE, big_ord1); apply/eqP; vm_compute. Qed.
End Needed.

(* Biases b1, b2 of a layer's norms, whose attention and MLP hand on what they read: 1 in place of 1 + b1 + b2. *)
Section Biases.
Variables (R : comUnitRingType) (b1 b2 : R).
Notation d := (1 * 1)%N.
Definition hands_on (b1 b2 : 'rV[R]_d) : layer R 1 d 1 1 1 :=
  @Layer R 1 d 1 1 1 0 0 0 0 1%:M 0 1%:M 0 1%:M b1 1%:M b2 (fun _ A => A) (fun _ A => A) (fun _ _ _ => 1%:M)
         1 None (fun=> @Mlp R d d 1%:M 0 None 1%:M 0 id).
Definition no_skips_of N : shape R 1 d 1 1 1 := Shape false false false N (fun _ _ => true) 1 id (fun=> 1%:M).
Definition model_of b1 b2 : model R 1 d 1 1 1 1 := Model 1%:M 0 (Some 1%:M) 1%:M 0 [:: hands_on b1 b2].

Lemma through (X : 'M[R]_(1, d)) : affine X 1%:M 0 = X.
Proof. by rewrite affine_no_bias mulmx1. Qed.
Lemma handed_on b c X : model_block (no_skips_of (Some id)) (hands_on b c) X = X + b + c.
Proof.
have att Y : model_attention (no_skips_of (Some id)) (hands_on b c) Y = Y.
  rewrite /model_attention through /model_self_attention through /model_attention_of.
  rewrite -[RHS]hcat_cols; apply: eq_hcat => a; exact: mul1mx.
have mlp Y : model_mlp (hands_on b c) Y = Y.
  by rewrite /model_mlp /= big_ord1 /expert_of /= !through map_mx_id.
have biased (e : 'rV[R]_d) Y : normalise (no_skips_of (Some id)) Y 1%:M e = Y + e.
  by rewrite /normalise /= /affine mulmx1; congr (_ + _); apply/matrixP => i j; rewrite mxE (ord1 i).
by rewrite /model_block /skip /= mlp att !biased.
Qed.
(* Needed: theorem=fold hypothesis=no biases of the layers' norms lemma=fold_needs_no_biases *)
Lemma fold_needs_no_biases : let sh := no_skips_of (Some id) in let M := model_of (const_mx b1) (const_mx b2) in
  model_forward sh (fold_model sh M) 1%:M = 1%:M /\ model_forward sh M 1%:M = const_mx (1 + b1 + b2).
Proof.
move=> sh M; have folded X : model_block sh (fold_layer sh (hands_on (const_mx b1) (const_mx b2))) X = X.
  rewrite -[LHS]/(model_block sh (fold_layer sh (hands_on 0 0)) X) (@fold_block _ _ _ _ _ _ sh id) //.
  by rewrite handed_on !addr0.
split; rewrite /model_forward /model_stack /= ?folded ?handed_on /model_head /normalise /= !through /model_embed /=
    mul1mx.
  by rewrite !mulmx1 addr0.
by rewrite mulmx1 addr0; apply/matrixP => i j; rewrite !ord1 !mxE.
Qed.
End Biases.

(* ---- of `one_layer` and `one_layer_blocks` ----------------------------------------------------------------------- *)

(* One layer that hands on its second norm, one token, width 2, E = (1, 0), W_Q = Omega; the head is E', or tied. *)
Section Turns.
Notation square := 'M[rat]_(1 * 2).
Notation line a b := (row_of a b : 'M[rat]_(1, 1 * 2)).
Definition hands_on_norm (g1 g2 : square) b1 b2 (Q : square) : layer rational 1 (1 * 2) 1 1 2 :=
  quiet_layer 1 1 Q 0 0 0 0 0 g1 b1 g2 b2.
Definition behind_norm N : shape rational 1 (1 * 2) 1 1 2 :=
  Shape true false false (Some N) (fun _ _ => true) 1 id (fun=> 1%:M).
Definition ending (tied : bool) e gf bf W : model rational 1 (1 * 2) 1 1 2 1 :=
  Model e 0 (if tied then None else Some e^T) gf bf [:: W].
Notation turned_by Omega sh M := (gauge_model sh (fun=> Omega) M).
Definition mirror : square := pair_of 1 0 0 (- 1).
Definition exchange : square := pair_of 0 1 1 0.
Lemma mirror_turns : orthogonal mirror.
Proof. by apply: pair_eq; rewrite pair_dot !mxE; apply/eqP; vm_compute. Qed.
Lemma exchange_turns : orthogonal exchange.
Proof. by apply: pair_eq; rewrite pair_dot !mxE; apply/eqP; vm_compute. Qed.
Lemma inverse_mirror : invmx mirror = mirror^T.
Proof. by have [] := orthogonal_unit mirror_turns. Qed.
Lemma inverse_exchange : invmx exchange = exchange^T.
Proof. by have [] := orthogonal_unit exchange_turns. Qed.
(* without the mean *)
Definition centred (X : 'M[rat]_(1, 1 * 2)) : 'M[rat]_(1, 1 * 2) := \matrix_(i, j) (X i j - (X i 0 + X i 1) / 2%:R).
Lemma mean_gone a b : centred (row_of a b) = row_of (a - (a + b) / 2%:R) (b - (a + b) / 2%:R).
Proof. by apply: row_eq; rewrite !mxE. Qed.
Ltac by_turn by_skips := rewrite ?unchanged by_skips //= /read_out /normalise /= ?mul1mx ?invmx1 ?mul1mx ?mulmx1;
  rewrite ?inverse_mirror ?inverse_exchange /mirror /exchange ?pair_of_tr ?affine_none;
  rewrite ?(row_pair, mean_gone, affine_none, mulmx1) /affine ?row_bias ?(row_pair, row_add, mulmx1);
  rewrite ?pair_row row_dot; apply/eqP; vm_compute.
Notation untouched := (1%:M : square).
Notation double_second := (pair_of 1 0 0 2%:R : square).

(* LayerNorm subtracts the mean, which Omega = diag(1, -1) moves, E = (1, 1): the logit is 2 in place of 0. *)
(* Needed: theorem=one_layer,one_layer_blocks hypothesis=a norm that commutes with orthogonal matrices lemma=turn_needs_commuting_norm *)
Lemma turn_needs_commuting_norm (tied : bool) : let sh := behind_norm centred in
  let M := ending tied (row_of 1 1) 1%:M 0 (hands_on_norm 1%:M 1%:M 0 0 mirror) in
  logit sh (turned_by mirror sh M) = 2%:R /\ logit sh M = 0.
Proof. by case: tied; split; by_turn (@logits_attention_skip). Qed.
(* A gain diag(1, 2) of the second norm, Omega exchanges the numbers, the norm does nothing: 2 in place of 1. *)
(* Needed: theorem=one_layer,one_layer_blocks hypothesis=the gain before the MLP folded lemma=turn_needs_no_gain2 *)
Lemma turn_needs_no_gain2 (tied : bool) : let sh := behind_norm id in
  let M := ending tied (row_of 1 0) 1%:M 0 (hands_on_norm 1%:M double_second 0 0 exchange) in
  logit sh (turned_by exchange sh M) = 2%:R /\ logit sh M = 1.
Proof. by case: tied; split; by_turn (@logits_attention_skip). Qed.
(* A bias (1, 0) of the second norm: 1 in place of 2. *)
(* Needed: theorem=one_layer,one_layer_blocks hypothesis=no bias before the MLP lemma=turn_needs_no_bias2 *)
Lemma turn_needs_no_bias2 (tied : bool) : let sh := behind_norm id in
  let M := ending tied (row_of 1 0) 1%:M 0 (hands_on_norm 1%:M 1%:M 0 (row_of 1 0) exchange) in
  logit sh (turned_by exchange sh M) = 1 /\ logit sh M = 2%:R.
Proof. by case: tied; split; by_turn (@logits_attention_skip). Qed.
(* A gain or a bias of the first norm, which attention hands on beside the skip: 3 in place of 2, 2 in place of 3. *)
Definition hands_on_first (g : square) b : layer rational 1 (1 * 2) 1 1 2 :=
  @Layer rational 1 (1 * 2) 1 1 2 exchange 0 0 0 1%:M 0 1%:M 0 g b 1%:M 0 (fun _ q => q) (fun _ k => k)
         (fun _ _ _ => 1%:M) 1 None (fun=> handing_on).
Lemma first_norm A g b X : A \in unitmx -> let sh := behind_norm id in
  model_block sh (gauge_layer sh A A (hands_on_first g b)) X = X + (X *m g + \matrix_(i, j) b 0 j).
Proof.
move=> u sh; rewrite gauge_layer_one /model_block /= /skip /= /normalise /= [affine X g b]/affine.
move: (_ + \matrix_(_, _) _) => N; rewrite affine_none mulmx1 /model_mlp /= big_ord1 witness_quiet.handed_on mulmxKV //.
congr (_ + _).
rewrite /model_attention /= mul0mx affine_none mul1mx /model_self_attention /= !affine_none mulmx1.
by rewrite /model_attention_of /head_attention /= hcat_mul_cols mul1mx mulmxKV.
Qed.
Lemma logit_first A tied g b : A \in unitmx -> let sh := behind_norm id in
  logit sh (turned_by A sh (ending tied (row_of 1 0) 1%:M 0 (hands_on_first g b))) =
  ((row_of 1 0 *m A + (row_of 1 0 *m A *m g + \matrix_(i, j) b 0 j)) *m
    (if tied then (row_of 1 0 *m A)^T else invmx A *m (row_of 1 0)^T)) 0 0.
Proof.
move=> u sh; rewrite /model_forward /= first_norm // /model_embed /model_head /= !mul1mx mul0mx addr0.
by rewrite /normalise /= affine_none mulmx1; case: tied.
Qed.
Lemma first_norm_plain g b X :
  model_block (behind_norm id) (hands_on_first g b) X = X + (X *m g + \matrix_(i, j) b 0 j).
Proof.
rewrite /model_block /= /skip /= /normalise /= [affine X g b]/affine; move: (_ + \matrix_(_, _) _) => N.
rewrite affine_none mulmx1 /model_mlp /= big_ord1 /expert_of /= !affine_none map_mx_id // !mulmx1; congr (_ + _).
rewrite /model_attention affine_none /= mulmx1 /model_self_attention /= !affine_none mulmx1.
by rewrite /model_attention_of /head_attention /= hcat_mul_cols mul1mx.
Qed.
Lemma logit_first_plain tied g b :
  logit (behind_norm id) (ending tied (row_of 1 0) 1%:M 0 (hands_on_first g b)) =
  ((row_of 1 0 + (row_of 1 0 *m g + \matrix_(i, j) b 0 j)) *m (row_of 1 0)^T) 0 0.
Proof.
rewrite /model_forward /= first_norm_plain /model_embed /model_head /= !mul1mx addr0.
by rewrite /normalise /= affine_none mulmx1; case: tied.
Qed.
Ltac by_first := rewrite ?inverse_exchange /exchange ?pair_of_tr ?row_bias ?const0;
  rewrite ?(row_pair, row_add, mulmx1, addr0) ?pair_row row_dot; apply/eqP; vm_compute.
Lemma exchange_unit : exchange \in unitmx.
Proof. by have [] := orthogonal_unit exchange_turns. Qed.
(* Needed: theorem=one_layer,one_layer_blocks hypothesis=the gain before attention folded lemma=turn_needs_no_gain1 *)
Lemma turn_needs_no_gain1 (tied : bool) : let sh := behind_norm id in
  let M := ending tied (row_of 1 0) 1%:M 0 (hands_on_first double_second 0) in
  logit sh (turned_by exchange sh M) = 3%:R /\ logit sh M = 2%:R.
Proof.
split; last by rewrite logit_first_plain; by_first.
by rewrite logit_first ?exchange_unit //; case: tied; by_first.
Qed.
(* Needed: theorem=one_layer,one_layer_blocks hypothesis=no bias before attention lemma=turn_needs_no_bias1 *)
Lemma turn_needs_no_bias1 (tied : bool) : let sh := behind_norm id in
  let M := ending tied (row_of 1 0) 1%:M 0 (hands_on_first 1%:M (row_of 1 0)) in
  logit sh (turned_by exchange sh M) = 2%:R /\ logit sh M = 3%:R.
Proof.
split; last by rewrite logit_first_plain; by_first.
by rewrite logit_first ?exchange_unit //; case: tied; by_first.
Qed.
(* A gain or a bias of the norm in front of the head: 2 in place of 1, and 1 in place of 2. *)
(* Needed: theorem=one_layer,one_layer_blocks hypothesis=the gain before the head folded lemma=turn_needs_no_last_gain *)
Lemma turn_needs_no_last_gain (tied : bool) : let sh := behind_norm id in
  let M := ending tied (row_of 1 0) double_second 0 (hands_on_norm 1%:M 1%:M 0 0 exchange) in
  logit sh (turned_by exchange sh M) = 2%:R /\ logit sh M = 1.
Proof. by case: tied; split; by_turn (@logits_attention_skip). Qed.
(* Needed: theorem=one_layer,one_layer_blocks hypothesis=no bias before the head lemma=turn_needs_no_last_bias *)
Lemma turn_needs_no_last_bias (tied : bool) : let sh := behind_norm id in
  let M := ending tied (row_of 1 0) 1%:M (row_of 1 0) (hands_on_norm 1%:M 1%:M 0 0 exchange) in
  logit sh (turned_by exchange sh M) = 1 /\ logit sh M = 2%:R.
Proof. by case: tied; split; by_turn (@logits_attention_skip). Qed.
End Turns.

(* The sign of a number commutes with orthogonal numbers, as RMSNorm does; Omega = W_Q = 2: 1/2 in place of 1, and 2
 * where the head is tied. *)
Lemma sign_commutes : commutes (map_mx Num.sg : 'M[rat]_(1, 1 * 1) -> 'M_(1, 1 * 1)).
Proof.
move=> Om Y /matrixP/(_ 0 0); rewrite !mxE big_ord1 mxE -expr2 eqxx => /eqP; rewrite sqrf_eq1 => /orP [] /eqP e;
  apply/matrixP => i j; rewrite !mxE !big_ord1 !ord1 !mxE e ?mulr1 // !mulrN1 sgrN //.
Qed.
(* Needed: theorem=one_layer,one_layer_blocks hypothesis=Omega orthogonal lemma=turn_needs_orthogonal *)
(* Needed: theorem=one_layer,one_layer_blocks hypothesis=W_Q is Omega U argued=names U, what the query matrix becomes *)
(* Needed: theorem=one_layer,one_layer_blocks hypothesis=the layers are before, W, after argued=names the layer *)
Lemma turn_needs_orthogonal (tied : bool) : let sh := world true false false (Some Num.sg) in
  let M := small_model_of (if tied then None else Some 1%:M) [:: silent 1 2%:R] in
  logit sh (gauge_model sh (fun=> 2%:R%:M) M) = (if tied then 2%:R else 1 / 2%:R) /\ logit sh M = 1.
Proof. by case: tied; split; by_numbers (@id rat) (@id rat) false. Qed.

(* ---- of the identity blocks, Omega = 1, U = W_Q ------------------------------------------------------------------ *)
Section NeededBlocks.
Notation model_of tied W := (small_model_of (if tied then None else Some 1%:M) [:: W]).
Notation sh := (world true false false None).
Notation normal_of sh M W := (with_layers M [:: normal sh W]).
(* A norm x / (|x| + 1) of the queries, W_Q = 2: the logit is 2 in place of 5/3; of the keys: 5/3 in place of 2. *)
(* Needed: theorem=one_layer_blocks hypothesis=no norm of queries lemma=blocks_need_no_query_norm *)
Lemma blocks_need_no_query_norm (tied : bool) : let W := scoring 2%:R 0 1 0 shrunk id 1 in
  logit sh (normal_of sh (model_of tied W) W) = 2%:R /\ logit sh (model_of tied W) = 5%:R / 3%:R.
Proof. by case: tied; split; by_numbers shrunk (@id rat) false. Qed.
(* Needed: theorem=one_layer_blocks hypothesis=no norm of keys lemma=blocks_need_no_key_norm *)
Lemma blocks_need_no_key_norm (tied : bool) : let W := scoring 2%:R 0 1 0 id shrunk 1 in
  logit sh (normal_of sh (model_of tied W) W) = 5%:R / 3%:R /\ logit sh (model_of tied W) = 2%:R.
Proof. by case: tied; split; by_numbers (@id rat) shrunk false. Qed.
(* RoPE, a quarter turn at the second token, W_Q = diag(1, 2), W_K = 1: -1 in place of -2. *)
(* Needed: theorem=one_layer_blocks hypothesis=no rotations lemma=blocks_need_no_rope *)
Lemma blocks_need_no_rope (tied : bool) : let W := two_tokens stretch one in
  let M := model_around one (if tied then None else Some one) W in
  model_forward turning (normal_of turning M W) one 1 0 = - 1 /\ model_forward turning M one 1 0 = - 2%:R.
Proof.
cbv zeta; split; last by by_turns tied.
have block_is (D : 'M[rat]_(1 * 2)) (a b : 'I_1) : block D a b = D.
  by apply/matrixP => i j; rewrite !mxE; congr (D _ _); apply: val_inj; rewrite /= ord1.
rewrite (turned_logit tied) //= ?one_block ?block_is ?mul1mx ?mulmxV ?stretch_unit ?invmxK //.
  by rewrite !mxE; apply/eqP; vm_compute.
by split; rewrite //= !mul0mx.
Qed.
(* Heads that read each other's keys and values, W_Q = diag(1, 2): the first block becomes 1/2 in place of 1. *)
(* Needed: theorem=one_layer_blocks hypothesis=a key head for each head lemma=blocks_need_own_keys *)
Lemma blocks_need_own_keys : let W := two_heads (pair_of 1 0 0 2%:R) 1%:M 1%:M 1%:M in
  block (W_Q (normal (unturned swap) W)) 0 0 0 0 = 1 / 2%:R.
Proof. by rewrite /block /= cols_mul_blockdiag !(mxE, big_ord1) inverse_of_one !mxE; apply/eqP; vm_compute. Qed.
(* U = (1, 0; 1, 1), not upper triangular: 1 stays below its diagonal. *)
(* Needed: theorem=one_layer_blocks hypothesis=U upper triangular lemma=blocks_need_upper *)
Lemma blocks_need_upper : let W := two_heads (pair_of 1 0 1 1) 1%:M 1%:M 1%:M in
  block (W_Q (normal (unturned id) W)) 1 0 0 0 = 1.
Proof. by rewrite /block /= cols_mul_blockdiag !(mxE, big_ord1) inverse_of_one !mxE; apply/eqP; vm_compute. Qed.
(* U = 0: the block is 0 in place of 1. *)
(* Needed: theorem=one_layer_blocks hypothesis=every U_aa in GL(d_k) lemma=blocks_need_invertible *)
Lemma blocks_need_invertible : W_Q (normal sh (silent 1 0)) = 0.
Proof. by rewrite /= zero_scalar mul0mx. Qed.
End NeededBlocks.
