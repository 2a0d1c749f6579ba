(* k_trm.v - K-TRM, corrected: two layers used in turn, no normalization: one of the two W_Q becomes the identity. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction witness witness_idle.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section InTurn.
Variables (R : comUnitRingType) (n h h_kv dk V : nat).
Notation d := (h * dk)%N.
Implicit Types (sh : shape R n d h h_kv dk) (M : model R n d h h_kv dk V).

Definition in_turn k (W1 W2 : layer R n d h h_kv dk) := flatten (nseq k [:: W1; W2]).
Lemma map_in_turn (f : layer R n d h h_kv dk -> layer R n d h h_kv dk) k W1 W2 :
  map f (in_turn k W1 W2) = in_turn k (f W1) (f W2).
Proof. by elim: k => //= k IH; rewrite /in_turn /= -/(in_turn k W1 W2) IH. Qed.

(* Provably: claim=K-TRM part=corrected theorem=first_of_two quantifiers=all sizes, heads, depths, functions *)
Theorem first_of_two sh M k W1 W2 : norm sh = None -> head M <> None -> at_ M = in_turn k W1 W2 ->
  W_Q W1 \in unitmx ->
  let M' := gauge_model sh (fun=> W_Q W1) M in
  same_function sh M' M /\ exists W1' W2', at_ M' = in_turn k W1' W2' /\ W_Q W1' = 1%:M.
Proof.
move=> noN untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
exists (gauge_layer sh (W_Q W1) (W_Q W1) W1), (gauge_layer sh (W_Q W1) (W_Q W1) W2).
by rewrite W_Q_gauge mulVmx // /M' /= gauge_layers_one layers map_in_turn.
Qed.

(* Provably: claim=K-TRM part=corrected-second-layer theorem=second_of_two quantifiers=all sizes, heads, depths, functions *)
Theorem second_of_two sh M k W1 W2 : norm sh = None -> head M <> None -> at_ M = in_turn k W1 W2 ->
  W_Q W2 \in unitmx ->
  let M' := gauge_model sh (fun=> W_Q W2) M in
  same_function sh M' M /\ exists W1' W2', at_ M' = in_turn k W1' W2' /\ W_Q W2' = 1%:M.
Proof.
move=> noN untied layers u M'; split=> [T|]; first exact: forward_gauge_one.
exists (gauge_layer sh (W_Q W2) (W_Q W2) W1), (gauge_layer sh (W_Q W2) (W_Q W2) W2).
by rewrite W_Q_gauge mulVmx // /M' /= gauge_layers_one layers map_in_turn.
Qed.
End InTurn.

(* ---- without a hypothesis: two layers of one number that do nothing, W_Q = 2 in both ----------------------------- *)

Section Needed.
Notation logits sh M := (model_forward sh M 1%:M 0 0).
Notation turns tied q := (one_model tied (in_turn 1 (silent 0 q) (silent 0 q))).

(* A norm x / (|x| + 1) in front of the head: the logit is 1/3 in place of 1/2. *)
(* Needed: theorem=first_of_two,second_of_two hypothesis=no normalization lemma=needs_no_norm *)
Lemma needs_no_norm : let sh := one_wide (Some shrunk) in
  logits sh (gauge_model sh (fun=> 2%:R%:M) (turns false 2%:R)) = 1 / 3%:R /\ logits sh (turns false 2%:R) = 1 / 2%:R.
Proof. by move=> sh; rewrite one_gauge ?one_logit //; split; apply/eqP; vm_compute. Qed.
(* A tied head that stays tied: the logit is 4 in place of 1. *)
(* Needed: theorem=first_of_two,second_of_two hypothesis=untied head lemma=needs_untied *)
Lemma needs_untied : let sh := one_wide None in
  logits sh (gauge_model sh (fun=> 2%:R%:M) (turns true 2%:R)) = 4%:R /\ logits sh (turns true 2%:R) = 1.
Proof. by move=> sh; rewrite one_gauge ?one_logit //; split; apply/eqP; vm_compute. Qed.
(* W_Q = 0 has no inverse (Coq writes 0 for it): the logit is 0 in place of 1. *)
(* Needed: theorem=first_of_two,second_of_two hypothesis=W_Q in GL(d) lemma=needs_invertible *)
Lemma needs_invertible : let sh := one_wide None in
  logits sh (gauge_model sh (fun=> 0%:M) (turns false 0)) = 0 /\ logits sh (turns false 0) = 1.
Proof. by move=> sh; rewrite one_gauge ?one_logit //; split; apply/eqP; vm_compute. Qed.
(* Layers that are not used in turn, W_Q = 1, 1, 2, 1: in no basis are they two layers used in turn. *)
(* Needed: theorem=first_of_two,second_of_two hypothesis=two layers used in turn lemma=needs_in_turn *)
Lemma needs_in_turn sh (Theta : 'M[rat]_(1 * 1)) : Theta \in unitmx ->
  let M := one_model false [:: silent 0 1; silent 0 1; silent 0 2%:R; silent 0 1] in
  ~ exists k W1' W2', at_ (gauge_model sh (fun=> Theta) M) = in_turn k W1' W2'.
Proof.
move=> u M [[|[|k]] [W1 [W2 //=]]] [/(congr1 (@W_Q _ _ _ _ _ _)) + _ /(congr1 (@W_Q _ _ _ _ _ _))].
rewrite !W_Q_gauge => <- /(can_inj (mulKVmx u)) /= /matrixP /(_ 0 0).
by rewrite !mxE => /eqP.
Qed.
(* One basis for both: no Theta makes W_Q = 1 and W_Q = 2 the identity. *)
Lemma needs_one_of_two sh (Theta : 'M[rat]_(1 * 1)) : Theta \in unitmx ->
  let M := one_model false (in_turn 1 (silent 0 1) (silent 0 2%:R)) in
  ~~ all (fun W => W_Q W == 1%:M) (at_ (gauge_model sh (fun=> Theta) M)).
Proof.
move=> u; rewrite /= !W_Q_gauge andbT; apply/negP => /andP [/eqP one /eqP two].
have := mulKVmx u (W_Q (silent 0 1)); rewrite one -two mulKVmx //= => /matrixP /(_ 0 0).
by rewrite !mxE => /eqP.
Qed.
End Needed.
