(* k_r1.v - K-R1: the key or the value matrix in place of the query matrix.
 *
 * The paper (003, Remark 1): by symmetry any one of W_Q, W_K, W_V can be made the identity.  Square W_K and W_V:
 * d = h_kv d_k.  Grouped heads, beyond the remark: Theta = (W_K | C) makes W~_K = (I above 0). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Square.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h_kv * dk)%N.
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V).

(* Provably: claim=K-R1 part=as-stated theorem=one_key quantifiers=all sizes, heads, depths, functions *)
Theorem one_key sh M before W after :
  norm sh = None -> head M <> None -> at_ M = before ++ W :: after -> W_K W \in unitmx ->
  let M' := gauge_model sh (fun=> W_K W) M in
  same_function sh M' M /\
  (exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_K W' = 1%:M]).
Proof.
move=> noN untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
exists (gauge_layer sh (W_K W) (W_K W) W); set g := gauge_layer sh _ _.
exists (map g before), (map g after); rewrite size_map W_K_gauge mulVmx //; split=> //.
by rewrite /M' /= gauge_layers_one layers map_cat.
Qed.

(* Provably: claim=K-R1 part=as-stated-value-basis theorem=one_value quantifiers=all sizes, heads, depths, functions *)
Theorem one_value sh M before W after :
  norm sh = None -> head M <> None -> at_ M = before ++ W :: after -> W_V W \in unitmx ->
  let M' := gauge_model sh (fun=> W_V W) M in
  same_function sh M' M /\
  (exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_V W' = 1%:M]).
Proof.
move=> noN untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
exists (gauge_layer sh (W_V W) (W_V W) W); set g := gauge_layer sh _ _.
exists (map g before), (map g after); rewrite size_map W_V_gauge mulVmx //; split=> //.
by rewrite /M' /= gauge_layers_one layers map_cat.
Qed.
End Square.

Section Grouped.
Variables (R : comUnitRingType) (n h h_kv dk r V : nat).
Notation d := (h_kv * dk + r)%N.
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V).

(* Provably: claim=K-R1 part=corrected theorem=grouped_key quantifiers=all sizes, heads, depths, functions *)
Theorem grouped_key sh M before W after (C : 'M[R]_(d, r)) :
  norm sh = None -> head M <> None -> at_ M = before ++ W :: after -> row_mx (W_K W) C \in unitmx ->
  let M' := gauge_model sh (fun=> row_mx (W_K W) C) M in
  same_function sh M' M /\
  (exists W' before' after',
    [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_K W' = col_mx 1%:M 0]).
Proof.
move=> noN untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
set Theta := row_mx _ _ in M' u *; exists (gauge_layer sh Theta Theta W); set g := gauge_layer sh _ _.
exists (map g before), (map g after); rewrite size_map W_K_gauge; split=> //; last exact: read_first.
by rewrite /M' /= gauge_layers_one layers map_cat.
Qed.

(* Provably: claim=K-R1 part=corrected-value-basis theorem=grouped_value quantifiers=all sizes, heads, depths, functions *)
Theorem grouped_value sh M before W after (C : 'M[R]_(d, r)) :
  norm sh = None -> head M <> None -> at_ M = before ++ W :: after -> row_mx (W_V W) C \in unitmx ->
  let M' := gauge_model sh (fun=> row_mx (W_V W) C) M in
  same_function sh M' M /\
  (exists W' before' after',
    [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_V W' = col_mx 1%:M 0]).
Proof.
move=> noN untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
set Theta := row_mx _ _ in M' u *; exists (gauge_layer sh Theta Theta W); set g := gauge_layer sh _ _.
exists (map g before), (map g after); rewrite size_map W_V_gauge; split=> //; last exact: read_first.
by rewrite /M' /= gauge_layers_one layers map_cat.
Qed.
End Grouped.
