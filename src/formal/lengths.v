(* lengths.v - one model that reads any number of tokens up to T, and its changes of basis.
 *
 * transformer.v has a model for each number n of tokens.  A model of the papers has one set of weights for all n <= T:
 * the same embedding, head, layers and norms, and the first n of its T positions; masks, rotations, row maps and norms
 * of queries and keys are functions of n tokens, for each n. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Lemma cons_eq (X : Type) (x y : X) s t : x :: s = y :: t -> x = y /\ s = t.
Proof. by case=> -> ->. Qed.

Section Lengths.
Variables (R : comUnitRingType) (d h h_kv dk V : nat).
Notation shape n := (shape R n d h h_kv dk).
Notation layer n := (layer R n d h h_kv dk).
Notation model n := (model R n d h h_kv dk V).
Implicit Types A B C D Theta : 'M[R]_d.

(* A layer without its functions of n tokens: as one that reads none. *)
Definition weights n (W : layer n) : layer 0 :=
  @Layer R 0 d h h_kv dk (W_Q W) (b_Q W) (W_K W) (b_K W) (W_V W) (b_V W) (W_O W) (b_O W)
         (gain1 W) (bias1 W) (gain2 W) (bias2 W) (fun _ Q => Q) (fun _ K => K) (fun _ _ S => S)
         (experts W) (omap (fun r => (r.1, id)) (router W)) (expert W).

(* M n is the model at n tokens: one set of weights for all n <= T *)
Definition one_set_of_weights T (M : forall n, model n) := forall n (le : (n <= T)%N),
  [/\ E (M n) = E (M T), P (M n) = \matrix_(t, j) P (M T) (widen_ord le t) j, head (M n) = head (M T),
      gain_f (M n) = gain_f (M T) /\ bias_f (M n) = bias_f (M T) &
      [seq weights W | W <- at_ (M n)] = [seq weights W | W <- at_ (M T)]].

(* ---- changes of basis -------------------------------------------------------------------------------------------- *)

Lemma weights_rewrite n A B C D (W : layer n) : weights (rewrite_layer A B C D W) = rewrite_layer A B C D (weights W).
Proof. by rewrite /weights /rewrite_layer /=; case: (router W). Qed.

Definition same_switches n n' (sh : shape n) (sh' : shape n') :=
  [/\ attn_skip sh = attn_skip sh', mlp_skip sh = mlp_skip sh' & parallel sh = parallel sh'].
Lemma weights_gauge n n' (sh : shape n) (sh' : shape n') A D W W' : same_switches sh sh' \/ A = D ->
  weights W = weights W' -> weights (gauge_layer sh A D W) = weights (gauge_layer sh' A D W').
Proof.
move=> same e; case: same => [[a m p]|->]; last by rewrite !gauge_layer_one !weights_rewrite e.
by rewrite /gauge_layer a m p; case: (parallel sh'); rewrite !weights_rewrite e.
Qed.
Lemma weights_gauges n n' (sh : shape n) (sh' : shape n') (B B' : nat -> 'M[R]_d) Ws Ws' :
  same_switches sh sh' \/ (forall i, B i.+1 = B i) -> B =1 B' ->
  [seq weights W | W <- Ws] = [seq weights W | W <- Ws'] ->
  [seq weights W | W <- gauge_layers sh B Ws] = [seq weights W | W <- gauge_layers sh' B' Ws'].
Proof.
elim: Ws Ws' B B' => [|W r IH] [|W' r'] B B' //= same BB ee; have [e er] := cons_eq ee.
rewrite -!BB; congr cons; first by apply: weights_gauge e; case: same => [|s]; [left|right; rewrite s].
apply: (IH r' (B \o succn) (B' \o succn) _ _ er) => [|i] /=; last exact: BB.
by case: same => [|s]; [left|right => i; apply: s].
Qed.

(* A change of basis that is the same at all lengths leaves one set of weights. *)
Lemma gauge_one_set T (sh : forall n, shape n) (M : forall n, model n) (B : nat -> nat -> 'M[R]_d) :
  (forall n, (n <= T)%N -> same_switches (sh n) (sh T) \/ (forall i, B n i.+1 = B n i)) ->
  (forall n, (n <= T)%N -> B n =1 B T) -> one_set_of_weights T M ->
  one_set_of_weights T (fun n => gauge_model (sh n) (B n) (M n)).
Proof.
move=> same BB one n le; have [eE eP eH [eg eb] eW] := one n le.
have size_ : size (at_ (M n)) = size (at_ (M T)) by have := congr1 size eW; rewrite !size_map.
split=> /=; last by apply: weights_gauges => //; [exact: same|exact: BB].
- by rewrite eE BB.
- apply/matrixP => t j; rewrite eP BB // !mxE; apply: eq_bigr => k _; by rewrite !mxE.
- by rewrite eH size_ BB.
by rewrite eg eb.
Qed.

Lemma same_layers_at (X : Type) (f : forall n, layer n -> X) (g : layer 0 -> X) n n' (Ws : seq (layer n)) Ws' :
  (forall n W, f n W = g (weights W)) -> [seq weights W | W <- Ws] = [seq weights W | W <- Ws'] ->
  [seq f n W | W <- Ws] = [seq f n' W | W <- Ws'].
Proof.
move=> fg e; have := congr1 (map g) e; rewrite -!map_comp.
by rewrite (eq_map (fg n : f n =1 g \o @weights n)) (eq_map (fg n' : f n' =1 g \o @weights n')).
Qed.
(* The layer behind `before` has the same weights at every length. *)
Lemma layer_at n n' (Ws : seq (layer n)) before (W : layer n') after :
  [seq weights W | W <- Ws] = [seq weights W | W <- before ++ W :: after] ->
  exists before' W' after', [/\ Ws = before' ++ W' :: after', size before' = size before & weights W' = weights W].
Proof.
elim: before Ws => [|W0 r IH] [|W' Ws] //= ee; have [e er] := cons_eq ee; first by exists [::], W', Ws.
have [before' [W1 [after' [-> <- e1]]]] := IH Ws er.
by exists (W' :: before'), W1, after'.
Qed.
End Lengths.
