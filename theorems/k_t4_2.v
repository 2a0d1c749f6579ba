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
From Provably Require Import matrices transformer gauge.
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
(* Provably: claim=K-T4.2 part=as-stated-moe theorem=one_layer quantifiers=all sizes, heads, depths; any experts *)
(* Provably: claim=K-T4.2 part=as-stated-rope theorem=one_layer quantifiers=all sizes, heads, depths; any rotations *)
(* Provably: claim=K-T4.2 part=as-stated-qkn theorem=one_layer quantifiers=all sizes, heads, depths; any norms *)
(* Provably: claim=K-T4.2 part=as-stated-gqa theorem=one_layer quantifiers=all sizes, heads, depths; any groups *)
(* Provably: claim=K-T4.2 part=as-stated-mqa theorem=one_layer quantifiers=all sizes, heads, depths; any groups *)
(* Provably: claim=K-T4.2 part=as-stated-par theorem=one_layer quantifiers=all sizes, heads, depths; both kinds *)
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
(* Provably: claim=K-T4.2 part=as-stated-rect theorem=rectangular quantifiers=all sizes, heads, depths; any C *)
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

Print Assumptions one_layer.
Print Assumptions rectangular.
