(* reduction.v - Theorems 4.2, 4.3 and 4.4 as statements about a shape (src/claim/reduce.h), and their proofs.
 *
 * The theorems' own files (theorems/k_t4_2.v, ..) say the same in full.  Extensions - rotary positions, grouped heads,
 * experts, .. - are these statements about shapes and models that have them. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Shapes.
Variables (R : comUnitRingType) (n d h h_kv dk : nat) (sh : shape R n d h h_kv dk).
Definition all_skips := [&& attn_skip sh, mlp_skip sh & ~~ parallel sh].
Definition skips_around_attention_only := [&& attn_skip sh, ~~ mlp_skip sh & ~~ parallel sh].
Definition skips_around_MLPs_only := [&& ~~ attn_skip sh, mlp_skip sh & ~~ parallel sh].
Definition no_skips := [&& ~~ attn_skip sh, ~~ mlp_skip sh & ~~ parallel sh].
Lemma attention_only_crosses : skips_around_attention_only -> crosses sh = false.
Proof. by rewrite /crosses => /and3P [-> /negPf-> /negPf->]. Qed.
Lemma MLPs_only_crosses : skips_around_MLPs_only -> crosses sh = false.
Proof. by rewrite /crosses => /and3P [/negPf->]. Qed.
Lemma no_skips_crosses : no_skips -> crosses sh = false.
Proof. by rewrite /crosses => /and3P [/negPf->]. Qed.

(* The same shape with other rotations, masks or groups. *)
Definition with_rotation rho : shape R n d h h_kv dk :=
  Shape (attn_skip sh) (mlp_skip sh) (parallel sh) (norm sh) (visible sh) (scale sh) (group sh) rho.
Definition with_mask v : shape R n d h h_kv dk :=
  Shape (attn_skip sh) (mlp_skip sh) (parallel sh) (norm sh) v (scale sh) (group sh) (rotation sh).
End Shapes.
Definition causal n (i j : 'I_n) : bool := (j <= i)%N.
Definition full n (i j : 'I_n) : bool := true.

Section Reduction.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Notation shape := (shape R n d h h_kv dk).
Notation model := (model R n d h h_kv dk V).
Implicit Types (sh : shape) (M : model) (T : 'M[R]_(n, V)).

(* Theorem 4.2: layer W, between `before` and `after`, gives the basis; M' has W_Q = I there. *)
Definition one_layer_eliminated sh := forall M before W after,
  head M <> None -> at_ M = before ++ W :: after -> W_Q W \in unitmx ->
  let M' := gauge_model sh (fun=> W_Q W) M in
  same_function sh M' M /\
  (exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = 1%:M]).

(* Theorem 4.3: all layers are W; those of M' are one block, too, with W_Q = I. *)
Definition shared_block_eliminated sh := forall M L W,
  head M <> None -> at_ M = nseq L W -> W_Q W \in unitmx ->
  let M' := gauge_model sh (fun=> W_Q W) M in
  same_function sh M' M /\ (exists W', at_ M' = nseq L W' /\ W_Q W' = 1%:M).

(* Theta_i = W_Q^i, and `last` behind the last layer *)
Definition query_bases (last : 'M[R]_d) M (i : nat) : 'M[R]_d := nth last [seq W_Q W | W <- at_ M] i.

(* Theorem 4.4's conclusion: all layers at once.  A tied head stays tied. *)
Definition all_layers_eliminated sh := forall M, all (fun W => W_Q W \in unitmx) (at_ M) ->
  let last := if head M is Some _ then 1%:M else invmx (query_bases 1%:M M 0)^T in
  let M' := gauge_model sh (query_bases last M) M in
  [/\ same_function sh M' M, all (fun W => W_Q W == 1%:M) (at_ M') & head M' = head M].

Lemma one_layer_holds sh : norm sh = None -> one_layer_eliminated sh.
Proof.
move=> noN M before W after untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
exists (gauge_layer sh (W_Q W) (W_Q W) W); set g := gauge_layer sh _ _.
exists (map g before), (map g after); rewrite size_map W_Q_gauge mulVmx //; split=> //.
by rewrite /M' /= gauge_layers_one layers map_cat.
Qed.

Lemma shared_block_holds sh : norm sh = None -> shared_block_eliminated sh.
Proof.
move=> noN M L W untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
exists (gauge_layer sh (W_Q W) (W_Q W) W); rewrite W_Q_gauge mulVmx //; split=> //.
by rewrite /M' /= gauge_layers_one layers map_nseq.
Qed.

Lemma query_bases_unit last M i :
  all (fun W => W_Q W \in unitmx) (at_ M) -> last \in unitmx -> query_bases last M i \in unitmx.
Proof.
move=> u ul; rewrite /query_bases; elim: (at_ M) i u => [|W r IH] [|i] //= /andP [uW ur] //; exact: IH.
Qed.

Lemma queries_gone sh last M : all (fun W => W_Q W \in unitmx) (at_ M) ->
  all (fun W => W_Q W == 1%:M) (at_ (gauge_model sh (query_bases last M) M)).
Proof.
rewrite /gauge_model /= /query_bases; elim: (at_ M) => //= W r IH /andP [uW ur].
by rewrite W_Q_gauge mulVmx // eqxx; apply: IH.
Qed.

(* All layers at once wherever no stream crosses a layer by skips alone: Theorem 4.4, N2, models without skips. *)
Lemma all_layers_hold sh : norm sh = None -> crosses sh = false -> all_layers_eliminated sh.
Proof.
move=> noN nocross M u last M'.
have u0 : query_bases 1%:M M 0 \in unitmx by apply: query_bases_unit (unitmx1 _ _).
have ul : last \in unitmx by rewrite /last; case: (head M) => [_|]; rewrite ?unitmx1 // unitmx_inv unitmx_tr.
have end_ : query_bases last M (size (at_ M)) = last by rewrite /query_bases nth_default ?size_map.
split; [|exact: queries_gone|]; last first.
  by rewrite /M' /= end_ /last; case: (head M) => //= H; rewrite invmx1 mul1mx.
move=> T; apply: forward_gauge => //; first by move=> i; apply: query_bases_unit.
  by rewrite nocross.
move=> tied; rewrite end_ /last tied; move: u0; rewrite /query_bases; case: (at_ M) => [|W r] /= u0.
  by rewrite !(trmx1, invmx1) mulmx1.
by rewrite mulVmx // unitmx_tr.
Qed.
End Reduction.
