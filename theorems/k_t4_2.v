(* k_t4_2.v - K-T4.2, the single-layer free lunch: k_t4_2.c for every size, depth and number of heads.
 *
 * The paper (003, Theorem 4.2): one query matrix W_Q^j of a transformer without normalization becomes the identity, and
 * the function stays.  The construction: Theta = W_Q^j is the basis of the whole stream,
 *     E~ = E Theta   P~ = P Theta   W~_{Q,K,V,up}^i = Theta^-1 W_{Q,K,V,up}^i   W~_{O,down}^i = W_{O,down}^i Theta
 *     W~_LM = Theta^-1 W_LM   b~_{O,down}^i = b_{O,down}^i Theta, gates and routers as up; all others stay.
 * One basis asks nothing of the skips: the theorem below holds with all of them, and with any.  Biases, gated MLPs,
 * experts with a router, RoPE, QK-norm, grouped heads and parallel blocks are in the model, so that one theorem is all
 * parts. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction witness witness_idle.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Square.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V) (T : 'M[R]_(n, V)).

(* Layer j is the one behind `before`: the layers are before ++ W :: after. *)
(* Provably: claim=K-T4.2 part=as-stated theorem=one_layer quantifiers=all sizes, heads, depths, functions *)
(* Provably: claim=K-T4.2 part=as-stated-bias theorem=one_layer quantifiers=all sizes, heads, depths; any biases *)
(* Provably: claim=K-T4.2 part=as-stated-gated theorem=one_layer quantifiers=all sizes, heads, depths; any gates *)
(* Provably: claim=K-T4.2 part=as-stated-experts theorem=one_layer quantifiers=all sizes, heads, depths; any experts *)
(* Provably: claim=K-T4.2 part=as-stated-rope theorem=one_layer quantifiers=all sizes, heads, depths; any rotations *)
(* Provably: claim=K-T4.2 part=as-stated-with-qk-norm theorem=one_layer quantifiers=all sizes, heads, depths; any norms *)
(* Provably: claim=K-T4.2 part=as-stated-grouped-queries theorem=one_layer quantifiers=all sizes, heads, depths; any groups *)
(* Provably: claim=K-T4.2 part=as-stated-multi-query theorem=one_layer quantifiers=all sizes, heads, depths; any groups *)
(* Provably: claim=K-T4.2 part=as-stated-parallel theorem=one_layer quantifiers=all sizes, heads, depths; both kinds *)
Theorem one_layer sh M before W after :
  norm sh = None -> head M <> None -> at_ M = before ++ W :: after -> W_Q W \in unitmx ->
  let M' := gauge_model sh (fun=> W_Q W) M in
  (forall T, model_forward sh M' T = model_forward sh M T) /\
  (exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = 1%:M]).
Proof.
move=> noN untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
exists (gauge_layer sh (W_Q W) (W_Q W) W); set g := gauge_layer sh _ _.
exists (map g before), (map g after); rewrite size_map W_Q_gauge mulVmx //; split=> //.
by rewrite /M' /= gauge_layers_one layers map_cat.
Qed.
End Square.

Section Rectangular.
Variables (R : comUnitRingType) (n h h_kv dk r V : nat).
Notation d := (h * dk + r)%N.
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V) (T : 'M[R]_(n, V)).

(* h dk < d: Theta = (W_Q^j | C) makes W~_Q^j = (I above 0). *)
(* Provably: claim=K-T4.2 part=as-stated-rectangular theorem=rectangular quantifiers=all sizes, heads, depths; any C *)
Theorem rectangular sh M before W after (C : 'M[R]_(d, r)) :
  norm sh = None -> head M <> None -> at_ M = before ++ W :: after -> row_mx (W_Q W) C \in unitmx ->
  let M' := gauge_model sh (fun=> row_mx (W_Q W) C) M in
  (forall T, model_forward sh M' T = model_forward sh M T) /\
  (exists W' before' after',
    [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = col_mx 1%:M 0]).
Proof.
move=> noN untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
set Theta := row_mx _ _ in M' u *; exists (gauge_layer sh Theta Theta W); set g := gauge_layer sh _ _.
exists (map g before), (map g after); rewrite size_map W_Q_gauge; split=> //; last exact: read_first.
by rewrite /M' /= gauge_layers_one layers map_cat.
Qed.
End Rectangular.

(* ---- without a hypothesis: the construction on models of one number, all skips, W_Q = 2 -------------------------- *)

Section Needed.
Notation logits sh M := (model_forward sh M 1%:M 0 0).
Notation small head q := (small_model_of head [:: silent 0 q]).

(* A norm in front of the head: the logit is 1/3 in place of 1/2. *)
(* Needed: theorem=one_layer hypothesis=no normalization lemma=needs_no_norm *)
Lemma needs_no_norm : let sh := small_shape_of true true (Some small_norm) in
  logits sh (gauge_model sh (fun=> 2%:R%:M) (small (Some 1%:M) 2%:R)) = 1 / 3%:R /\
  logits sh (small (Some 1%:M) 2%:R) = 1 / 2%:R.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?passes ?passes0.
  rewrite !mul1mx mul0mx addr0 !mulmx1 /affine const0 addr0 mulmx1 invmx_scalar mul_mx_scalar.
  by rewrite /small_norm !(mxE, big_ord1, eqxx, mulr1n); apply/eqP; vm_compute.
rewrite !mulmx1 addr0 /affine const0 addr0 !mulmx1.
by rewrite /small_norm !(mxE, eqxx, mulr1n); apply/eqP; vm_compute.
Qed.

(* A tied head that stays tied: the logit is 4 in place of 1. *)
(* Needed: theorem=one_layer hypothesis=untied head lemma=needs_untied *)
Lemma needs_untied : let sh := small_shape_of true true None in
  logits sh (gauge_model sh (fun=> 2%:R%:M) (small None 2%:R)) = 4%:R /\ logits sh (small None 2%:R) = 1.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?passes ?passes0.
  rewrite !mul1mx mul0mx addr0 tr_scalar_mx mul_mx_scalar.
  by rewrite !(mxE, eqxx, mulr1n); apply/eqP; vm_compute.
by rewrite !mulmx1 addr0 trmx1 mulmx1 mxE.
Qed.

(* W_Q = 0 has no inverse (Coq writes 0 for it): the logit is 0 in place of 1. *)
(* Needed: theorem=one_layer hypothesis=W_Q in GL(d) lemma=needs_invertible *)
Lemma needs_invertible : let sh := small_shape_of true true None in
  logits sh (gauge_model sh (fun=> 0%:M) (small (Some 1%:M) 0)) = 0 /\ logits sh (small (Some 1%:M) 0) = 1.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?passes ?passes0.
  by rewrite !(zero_scalar, mulmx0, mul0mx, addr0) mxE.
by rewrite !mulmx1 addr0 mxE.
Qed.

(* Two layers at once: no Theta makes W_Q = 1 and W_Q = 2 the identity. *)
(* Needed: theorem=one_layer,rectangular hypothesis=one layer at a time lemma=needs_one_layer *)
Lemma needs_one_layer sh (Theta : 'M[rat]_(1 * 1)) : Theta \in unitmx ->
  let M := small_model_of (Some 1%:M) [:: silent 0 1; silent 0 2%:R] in
  ~~ all (fun W => W_Q W == 1%:M) (at_ (gauge_model sh (fun=> Theta) M)).
Proof.
move=> u; rewrite /= !W_Q_gauge andbT; apply/negP => /andP [/eqP one /eqP two].
have := mulKVmx u (W_Q (silent 0 1)); rewrite one -two mulKVmx //= => /matrixP /(_ 0 0).
by rewrite !mxE => /eqP.
Qed.
(* Theta of a layer that is not there, W_Q = 2: W_Q = 1 becomes 1/2. *)
(* Needed: theorem=one_layer hypothesis=W is a layer of the model lemma=needs_own_layer *)
Lemma needs_own_layer sh : let M := small_model_of (Some 1%:M) [:: silent 0 1] in
  ~~ has (fun W => W_Q W == 1%:M) (at_ (gauge_model sh (fun=> W_Q (silent 0 2%:R)) M)).
Proof. by rewrite /= W_Q_gauge /= orbF invmx_scalar mulmx1; apply/eqP => /matrixP /(_ 0 0) /eqP; rewrite !mxE. Qed.

(* -- rectangular: two numbers wide, W_Q = (2; 0), C = (0; 1) *)
Definition narrow q : layer rational 1 (1 * 1 + 1) 1 1 1 := idle_layer _ (first_column q) 0 0.
Notation basis q := (row_mx (W_Q (narrow q)) second_column).
(* A norm x / (|x| + 1) in front of the head: the logit is 1/3 in place of 1/2. *)
(* Needed: theorem=rectangular hypothesis=no normalization lemma=needs_no_norm_rectangular *)
Lemma needs_no_norm_rectangular : let sh := two_wide (Some shrunk) in let M := two_model false [:: narrow 2%:R] in
  logits sh (gauge_model sh (fun=> basis 2%:R) M) = 1 / 3%:R /\ logits sh M = 1 / 2%:R.
Proof. by move=> sh M; split; rewrite ?two_gauge ?two_logit //; apply/eqP; vm_compute. Qed.
(* A tied head that stays tied: the logit is 4 in place of 1. *)
(* Needed: theorem=rectangular hypothesis=untied head lemma=needs_untied_rectangular *)
Lemma needs_untied_rectangular : let sh := two_wide None in let M := two_model true [:: narrow 2%:R] in
  logits sh (gauge_model sh (fun=> basis 2%:R) M) = 4%:R /\ logits sh M = 1.
Proof. by move=> sh M; split; rewrite ?two_gauge ?two_logit //; apply/eqP; vm_compute. Qed.
(* W_Q = (0; 0): no inverse, and the logit is 0 in place of 1. *)
(* Needed: theorem=rectangular hypothesis=(W_Q | C) invertible lemma=needs_invertible_rectangular *)
Lemma needs_invertible_rectangular : let sh := two_wide None in let M := two_model false [:: narrow 0] in
  logits sh (gauge_model sh (fun=> basis 0) M) = 0 /\ logits sh M = 1.
Proof. by move=> sh M; split; rewrite ?two_singular ?two_logit. Qed.
(* Theta of a layer that is not there, W_Q = (2; 0): W_Q = (1; 0) becomes (1/2; 0). *)
(* Needed: theorem=rectangular hypothesis=W is a layer of the model lemma=needs_own_layer_rectangular *)
Lemma needs_own_layer_rectangular sh : let M := two_model false [:: narrow 1] in
  ~~ has (fun W => W_Q W == col_mx 1%:M 0) (at_ (gauge_model sh (fun=> basis 2%:R) M)).
Proof.
rewrite /= W_Q_gauge /= orbF two_inverse // mul_block_col !(mulmx1, mulmx0, mul0mx, addr0).
by apply/eqP => /eq_col_mx [/matrixP /(_ 0 0) /eqP + _]; rewrite !mxE.
Qed.
End Needed.
