(* n1b.v - N1b, identity blocks that any model has for free, in every layer at once.
 *
 * S_a selects d_k rows (any d_k x d matrix does) with S_a W_Q^a invertible: D_a = (S_a W_Q^a)^-1 in Proposition 3.2
 * makes S_a W_Q^a = I; likewise W_V in N1.  The stream keeps its basis: any norms, skips, head and biases. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
From Provably Require Import witness witness_numbers witness_quiet witness_pairs.
From Theorems Require Import k_p3_2.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Values.
Variables (R : comUnitRingType) (n d h h_kv dk V : nat).
Notation layer := (layer R n d h h_kv dk).
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V) (W : layer).
Variable S : layer -> 'I_h_kv -> 'M[R]_(dk, d).

Definition value_blocks sh W : layer := turn_value_output sh (fun g => invmx (S W g *m cols (W_V W) g)) W.

Lemma value_blocks_block sh W X : (forall g, S W g *m cols (W_V W) g \in unitmx) ->
  model_block sh (value_blocks sh W) X = model_block sh W X.
Proof.
move=> u; apply: block_with_attention => {}X; rewrite -/(turn_value_output sh _ W).
by apply: turn_value_output_attention => g; rewrite unitmx_inv.
Qed.
Lemma value_blocks_form sh W g : S W g *m cols (W_V W) g \in unitmx ->
  S W g *m cols (W_V (value_blocks sh W)) g = 1%:M.
Proof. by move=> u; rewrite /= cols_mul_blockdiag mulmxA mulmxV. Qed.

Lemma blocks_everywhere sh M (f : layer -> layer) :
  (forall W X, List.In W (at_ M) -> model_block sh (f W) X = model_block sh W X) ->
  same_function sh (with_layers M (map f (at_ M))) M.
Proof.
move=> same; have := @same_layers _ _ _ _ _ _ V sh M unit (fun _ => f) [seq (tt, W) | W <- at_ M].
rewrite -map_comp; apply; first by rewrite /unzip2 -map_comp map_id.
move=> i [[] W] e X; apply: same.
by have /List.in_map_iff [W' [[<-] in_]] := List.nth_error_In _ _ e.
Qed.

(* The blocks of W_V, with rotary positions, norms of queries and keys, grouped heads and gates, too. *)
(* Provably: claim=N1b part=as-stated-rope theorem=values quantifiers=all sizes, heads, groups, depths, rotations, norms, functions, rows S_a *)
Theorem values sh M : (forall W, List.In W (at_ M) -> forall g, S W g *m cols (W_V W) g \in unitmx) ->
  same_function sh (with_layers M (map (value_blocks sh) (at_ M))) M /\
  forall W, List.In W (at_ M) -> forall g, S W g *m cols (W_V (value_blocks sh W)) g = 1%:M.
Proof.
move=> ok; split=> [|W in_ g]; last by apply: value_blocks_form; apply: ok.
by apply: blocks_everywhere => W X in_; apply: value_blocks_block; apply: ok.
Qed.
End Values.

Section Both.
Variables (R : comUnitRingType) (n d h dk V : nat).
Notation layer := (layer R n d h h dk).
Implicit Types (sh : shape R n d h h dk) (M : model R n d h h dk V) (W : layer).
Variables S S' : layer -> 'I_h -> 'M[R]_(dk, d).

Definition query_blocks sh W : layer := turn_query_key sh (fun a => invmx (S W a *m cols (W_Q W) a)) W.
Definition both_blocks sh W : layer := value_blocks (fun=> S' W) sh (query_blocks sh W).

(* Provably: claim=N1b part=as-stated theorem=both quantifiers=all sizes, heads, depths, skips, functions, rows S_a *)
(* Provably: claim=N1b part=as-stated-gpt2 theorem=both quantifiers=all sizes, heads, depths, norms of the stream, biases, tied heads, rows S_a *)
Theorem both sh M : no_rope sh -> (forall a, group sh a = a) ->
  (forall W, List.In W (at_ M) -> no_qk_norm W /\
    forall a, S W a *m cols (W_Q W) a \in unitmx /\ S' W a *m cols (W_V W) a \in unitmx) ->
  same_function sh (with_layers M (map (both_blocks sh) (at_ M))) M /\
  forall W, List.In W (at_ M) -> forall a,
    S W a *m cols (W_Q (both_blocks sh W)) a = 1%:M /\ S' W a *m cols (W_V (both_blocks sh W)) a = 1%:M.
Proof.
move=> rope own ok; split=> [|W /ok [_ u] a].
  apply: blocks_everywhere => W X /ok [nn u]; rewrite value_blocks_block => [|g]; last by have [] := u g.
  apply: block_with_attention => {}X; rewrite -/(query_blocks sh W) /model_attention attention // => g.
  by rewrite unitmx_inv; have [] := u g.
have [uQ uV] := u a; split; last exact: (@value_blocks_form _ _ _ _ _ _ (fun=> S' W) sh (query_blocks sh W) a).
by rewrite /= cols_mul_blockdiag own mulmxA mulmxV.
Qed.
End Both.

(* ---- without a hypothesis: models of one layer ------------------------------------------------------------------- *)

Section Needed.
Notation model_of W := (small_model_of (Some (num 1)) [:: W]).
Notation row x := (fun _ _ => num x).
(* S = 0 selects nothing, W_V = 1 (Coq writes 0 for the inverse of 0): the logit is 0 in place of 1. *)
(* Needed: theorem=values hypothesis=every S_a W_V^a in GL(d_k) lemma=values_need_invertible *)
Lemma values_need_invertible : let sh := world false true false None in let W := speaking 1 1 1 0 0 in
  logit sh (with_layers (model_of W) [:: value_blocks (row 0) sh W]) = 0 /\ logit sh (model_of W) = 1.
Proof. by split; by_numbers (@id rat) (@id rat) true. Qed.

(* -- numbers, the score as the weight, S = S' = 1 *)
Notation sh := (world false true false None).
Notation both_of S S' W := (with_layers (model_of W) [:: both_blocks S S' sh W]).
(* S = 0: 0 in place of 1; S' = 0: 0 in place of 1. *)
(* Needed: theorem=both hypothesis=every S_a W_Q^a in GL(d_k) lemma=both_need_invertible *)
(* Needed: theorem=both hypothesis=every S'_a W_V^a in GL(d_k) lemma=both_need_invertible *)
Lemma both_need_invertible : let W := scoring 1 0 1 0 id id 0 in
  [/\ logit sh (both_of (row 0) (row 1) W) = 0, logit sh (both_of (row 1) (row 0) W) = 0 & logit sh (model_of W) = 1].
Proof. by split; by_numbers (@id rat) (@id rat) false. Qed.
(* A norm x / (|x| + 1) of the queries, W_Q = 2: 1 in place of 2/3; of the keys: 2/3 in place of 1. *)
(* Needed: theorem=both hypothesis=no norm of queries lemma=both_need_no_query_norm *)
Lemma both_need_no_query_norm : let W := scoring 2%:R 0 1 0 shrunk id 0 in
  logit sh (both_of (row 1) (row 1) W) = 1 /\ logit sh (model_of W) = 2%:R / 3%:R.
Proof. by split; by_numbers shrunk (@id rat) false. Qed.
(* Needed: theorem=both hypothesis=no norm of keys lemma=both_need_no_key_norm *)
Lemma both_need_no_key_norm : let W := scoring 2%:R 0 1 0 id shrunk 0 in
  logit sh (both_of (row 1) (row 1) W) = 2%:R / 3%:R /\ logit sh (model_of W) = 1.
Proof. by split; by_numbers (@id rat) shrunk false. Qed.

(* -- width 2 *)
(* RoPE, a quarter turn at the second token, W_Q = diag(1, 2), W_K = 1, S = S' = 1: -1 in place of -2. *)
(* Needed: theorem=both hypothesis=no rotations lemma=both_need_no_rope *)
Lemma both_need_no_rope : let W := two_tokens stretch one in let M := model_around one (Some one) W in
  let S := fun _ _ => one in
  model_forward turning (with_layers M [:: both_blocks S S turning W]) one 1 0 = - 1 /\
  model_forward turning M one 1 0 = - 2%:R.
Proof.
cbv zeta; split; last by by_turns false.
rewrite (turned_logit false) //= ?one_block ?one_head_cols ?mul1mx ?invmx1 ?mulmx1 ?mulmxV ?stretch_unit ?invmxK //.
  by rewrite !mxE; apply/eqP; vm_compute.
by split; rewrite //= !mul0mx.
Qed.
(* Heads that read each other's keys and values, W_Q = diag(1, 2), S_a = e_a: S_1 W~_Q^1 is 1/2 in place of 1. *)
(* Needed: theorem=both hypothesis=a key head for each head lemma=both_need_own_keys *)
Lemma both_need_own_keys : let W := two_heads (pair_of 1 0 0 2%:R) 1%:M 1%:M 1%:M in
  let S (_ : layer rational 1 (2 * 1) 2 2 1) (a : 'I_2) : 'M[rat]_(1, 2 * 1) := delta_mx 0 a in
  (S W 0 *m cols (W_Q (both_blocks S S (unturned swap) W)) 0) 0 0 = 1 / 2%:R.
Proof.
by rewrite /= cols_mul_blockdiag mulmxA mxE big_ord1 inverse_of_one !pair_dot !mxE; apply/eqP; vm_compute.
Qed.
End Needed.
