(* k_r1.v - K-R1: the key or the value matrix in place of the query matrix.
 *
 * The paper (003, Remark 1): by symmetry any one of W_Q, W_K, W_V can be made the identity.  Square W_K and W_V:
 * d = h_kv d_k.  Grouped heads, beyond the remark: Theta = (W_K | C) makes W~_K = (I above 0). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction witness witness_idle.
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

(* ---- without a hypothesis: the construction on layers that do nothing, W_K = W_V = 2 ----------------------------- *)

Section Needed.
Notation logits sh M := (model_forward sh M 1%:M 0 0).
(* one number wide; grouped: two numbers wide, W_K = W_V = (2; 0), C = (0; 1) *)
Definition keyed q : small_layer := idle_layer _ 1%:M q%:M q%:M.
Definition grouped q : layer rational 1 (1 * 1 + 1) 1 1 1 :=
  idle_layer _ (first_column 1) (first_column q) (first_column q).

(* A norm x / (|x| + 1) in front of the head: the logit is 1/3 in place of 1/2. *)
(* Needed: theorem=one_key,one_value hypothesis=no normalization lemma=needs_no_norm *)
Lemma needs_no_norm : let sh := one_wide (Some shrunk) in let M := one_model false [:: keyed 2%:R] in
  [/\ logits sh (gauge_model sh (fun=> W_K (keyed 2%:R)) M) = 1 / 3%:R,
      logits sh (gauge_model sh (fun=> W_V (keyed 2%:R)) M) = 1 / 3%:R & logits sh M = 1 / 2%:R].
Proof. by move=> sh M; split; rewrite ?one_gauge ?one_logit //; apply/eqP; vm_compute. Qed.
(* Needed: theorem=grouped_key,grouped_value hypothesis=no normalization lemma=needs_no_norm_grouped *)
Lemma needs_no_norm_grouped : let sh := two_wide (Some shrunk) in let M := two_model false [:: grouped 2%:R] in
  [/\ logits sh (gauge_model sh (fun=> row_mx (W_K (grouped 2%:R)) second_column) M) = 1 / 3%:R,
      logits sh (gauge_model sh (fun=> row_mx (W_V (grouped 2%:R)) second_column) M) = 1 / 3%:R &
      logits sh M = 1 / 2%:R].
Proof. by move=> sh M; split; rewrite ?two_gauge ?two_logit //; apply/eqP; vm_compute. Qed.

(* A tied head that stays tied: the logit is 4 in place of 1. *)
(* Needed: theorem=one_key,one_value hypothesis=untied head lemma=needs_untied *)
Lemma needs_untied : let sh := one_wide None in let M := one_model true [:: keyed 2%:R] in
  [/\ logits sh (gauge_model sh (fun=> W_K (keyed 2%:R)) M) = 4%:R,
      logits sh (gauge_model sh (fun=> W_V (keyed 2%:R)) M) = 4%:R & logits sh M = 1].
Proof. by move=> sh M; split; rewrite ?one_gauge ?one_logit //; apply/eqP; vm_compute. Qed.
(* Needed: theorem=grouped_key,grouped_value hypothesis=untied head lemma=needs_untied_grouped *)
Lemma needs_untied_grouped : let sh := two_wide None in let M := two_model true [:: grouped 2%:R] in
  [/\ logits sh (gauge_model sh (fun=> row_mx (W_K (grouped 2%:R)) second_column) M) = 4%:R,
      logits sh (gauge_model sh (fun=> row_mx (W_V (grouped 2%:R)) second_column) M) = 4%:R & logits sh M = 1].
Proof. by move=> sh M; split; rewrite ?two_gauge ?two_logit //; apply/eqP; vm_compute. Qed.

(* W_K = W_V = 0, without inverse (Coq writes 0 for it), or (0; 0) beside C: the logit is 0 in place of 1. *)
(* Needed: theorem=one_key,one_value hypothesis=W_K or W_V in GL(d) lemma=needs_invertible *)
Lemma needs_invertible : let sh := one_wide None in let M := one_model false [:: keyed 0] in
  [/\ logits sh (gauge_model sh (fun=> W_K (keyed 0)) M) = 0, logits sh (gauge_model sh (fun=> W_V (keyed 0)) M) = 0 &
      logits sh M = 1].
Proof. by move=> sh M; split; rewrite ?one_gauge ?one_logit //; apply/eqP; vm_compute. Qed.
(* Needed: theorem=grouped_key,grouped_value hypothesis=(W_K | C) or (W_V | C) invertible lemma=needs_invertible_grouped *)
Lemma needs_invertible_grouped : let sh := two_wide None in let M := two_model false [:: grouped 0] in
  [/\ logits sh (gauge_model sh (fun=> row_mx (W_K (grouped 0)) second_column) M) = 0,
      logits sh (gauge_model sh (fun=> row_mx (W_V (grouped 0)) second_column) M) = 0 & logits sh M = 1].
Proof. by move=> sh M; split; rewrite ?two_singular ?two_logit. Qed.

(* One W of the model: Theta of a layer that is not there, W_K = W_V = 2, leaves W_K = W_V = 1/2 where they were 1. *)
(* Needed: theorem=one_key,one_value hypothesis=W is a layer of the model lemma=needs_own_layer *)
Lemma needs_own_layer sh : let M := one_model false [:: keyed 1] in
  let Ws := at_ (gauge_model sh (fun=> W_K (keyed 2%:R)) M) in
  ~~ has (fun W => W_K W == 1%:M) Ws /\ ~~ has (fun W => W_V W == 1%:M) Ws.
Proof.
rewrite /= W_K_gauge W_V_gauge /= !orbF invmx_scalar mulmx1.
by split; apply/eqP => /matrixP /(_ 0 0) /eqP; rewrite !mxE.
Qed.
(* Needed: theorem=grouped_key,grouped_value hypothesis=W is a layer of the model lemma=needs_own_layer_grouped *)
Lemma needs_own_layer_grouped sh : let M := two_model false [:: grouped 1] in
  let Ws := at_ (gauge_model sh (fun=> row_mx (W_K (grouped 2%:R)) second_column) M) in
  ~~ has (fun W => W_K W == col_mx 1%:M 0) Ws /\ ~~ has (fun W => W_V W == col_mx 1%:M 0) Ws.
Proof.
rewrite /= W_K_gauge W_V_gauge /= !orbF two_inverse // mul_block_col !(mulmx1, mulmx0, mul0mx, addr0).
by split; apply/eqP => /eq_col_mx [/matrixP /(_ 0 0) /eqP + _]; rewrite !mxE.
Qed.
End Needed.
