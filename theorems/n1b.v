(* n1b.v - N1b, identity blocks that any model has for free, in every layer at once.
 *
 * S_a selects d_k rows (any d_k x d matrix does) with S_a W_Q^a invertible: D_a = (S_a W_Q^a)^-1 in Proposition 3.2
 * makes S_a W_Q^a = I; likewise W_V in N1.  The stream keeps its basis: any norms, skips, head and biases. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
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
