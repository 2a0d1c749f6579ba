(* k_e_measure0.v - K-E-measure0: the weights whose skip is absorbed at the same width are a null set.
 *
 * The paper (003, Section 1): "the set of weights for which the skip connection W2 ReLU(W1 x) + x can be exactly
 * represented as V2 ReLU(V1 x) has Lebesgue measure zero."  Null as in generic.v: a polynomial that is not 0 everywhere
 * is 0 on the set.  Moreover, on each line (c W1, W2) at most 2^m values of c absorb the skip T, T fixed beforehand. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu generic relu_generic.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Lines.
Variables (F : realFieldType) (h k m : nat) (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(k, m)) (T : 'M[F]_(k, h)).

Lemma part_scale J c : part J W2 (c *: W1) = c *: part J W2 W1.
Proof.
rewrite /part scaler_sumr; apply: eq_bigr => i _; rewrite scalemxAr; congr (_ *m _).
by apply/rowP => j; rewrite !mxE.
Qed.

(* F_J(c W1, W2) - c F_J(W1, W2) = (1 - c) T for F_J = W2[:,J] W1[J,:] + T *)
Lemma on_a_line J c : (part J W2 (c *: W1) + T) - c *: (part J W2 W1 + T) = (1 - c) *: T.
Proof. by rewrite part_scale scalerDr opprD addrACA subrr add0r scalerBl scale1r. Qed.

Definition absorbable_at c := [/\ nonzero_rows (c *: W1), noncollinear (c *: W1), nonzero_columns W2 &
  exists (V2 : 'M[F]_(k, m)) (V1 : 'M_(m, h)), absorbs V2 V1 W2 (c *: W1) T].

(* No more than 2^m absorbable points on a line. *)
Theorem few_on_each_line (cs : seq F) : T != 0 -> uniq cs -> (forall c, c \in cs -> absorbable_at c) ->
  (size cs <= 2 ^ m)%N.
Proof.
move=> T0 distinct ok.
pose J c := odflt set0 [pick A : {set 'I_m} | part (fun i => i \in A) W2 (c *: W1) == - T].
have J_ok c : c \in cs -> part (fun i => i \in J c) W2 (c *: W1) = - T.
  move=> /ok [rows apart columns /(absorbable_iff T rows apart columns) [P eP]].
  rewrite /J; case: pickP => [A /eqP //|/(_ [set i | P i]) /negP []]; apply/eqP; rewrite -eP.
  by apply: eq_bigl => i; rewrite inE.
have J_inj : {in cs &, injective J}.
  move=> c c' /J_ok e /J_ok e' JJ; move: e' e; rewrite !part_scale -JJ; set A := part _ _ _ => e' e.
  have : (c - c') *: A = 0 by rewrite scalerBl e e' subrr.
  move=> /eqP; rewrite scaler_eq0 => /orP [|/eqP A0]; first by rewrite subr_eq0 => /eqP.
  by move: T0; rewrite -oppr_eq0 -e A0 scaler0 eqxx.
rewrite -(size_map J) -(card_uniqP _) ?map_inj_in_uniq // -[X in (2 ^ X)%N]card_ord -cardsT -card_powerset.
by apply: subset_leq_card; apply/subsetP => A _; rewrite powersetE subsetT.
Qed.
End Lines.

Section Null.
Variables (F : realFieldType) (h k m : nat).
Notation weights := ('M[F]_(m, h) * 'M[F]_(k, m))%type.

(* (W1, W2) with the skip Z is some (V1, V2) of the same width without. *)
Definition absorbable (Z : 'M[F]_(k, h)) (w : weights) :=
  exists (V2 : 'M[F]_(k, m)) (V1 : 'M_(m, h)), absorbs V2 V1 w.2 w.1 Z.

(* Each Z that is fixed before the weights, not 0.  One column is too few: see needs_columns. *)
(* Provably: claim=K-E-measure0 part=as-stated-fixed theorem=fixed quantifiers=all ordered fields, h > 1 (or m < 2), m, Z not 0; null: zeros of a polynomial *)
Theorem fixed (Z : 'M[F]_(k, h)) : Z != 0 -> (m <= 1)%N || (1 < h)%N ->
  [/\ null (absorbable Z),
      forall (W1 : 'M[F]_(m, h)) W2 J c, (part J W2 (c *: W1) + Z) - c *: (part J W2 W1 + Z) = (1 - c) *: Z &
      forall (W1 : 'M[F]_(m, h)) W2 (cs : seq F),
        uniq cs -> (forall c, c \in cs -> absorbable_at W1 W2 Z c) -> (size cs <= 2 ^ m)%N].
Proof.
move=> Z0 wide; split=> [||W1 W2 cs]; [|by move=> *; apply: on_a_line|exact: few_on_each_line].
have [k0 h0] : (0 < k)%N /\ (0 < h)%N.
  by case/matrix0Pn: Z0 => i [j _]; rewrite (leq_trans _ (ltn_ord i)) // (leq_trans _ (ltn_ord j)).
have all_of A B : exists w : weights, w.1 = A /\ w.2 = B by exists (A, B).
have lin1 a (x y : weights) : (a *: x + y).1 = a *: x.1 + y.1 by [].
have lin2 a (x y : weights) : (a *: x + y).2 = a *: x.2 + y.2 by [].
apply: sub_null (null_or (irregular_null lin1 lin2 all_of h0 k0 wide) (some_J_null lin1 lin2 all_of Z0)) => w.
case: (regularP w.1 w.2) => [[rows apart columns]|]; last by left.
by move=> absorbed; right; apply/(absorbable_iff Z rows apart columns).
Qed.
End Null.

(* .. in particular the skip x. *)
(* Provably: claim=K-E-measure0 part=as-stated theorem=measure_zero quantifiers=all ordered fields, h > 1 (or h = 1, m < 2), m; null: zeros of a polynomial *)
Theorem measure_zero (F : realFieldType) h m : (0 < h)%N -> (m <= 1)%N || (1 < h)%N ->
  [/\ null (fun w : 'M[F]_(m, h) * 'M[F]_(h, m) => absorbable 1%:M w),
      forall (W1 : 'M[F]_(m, h)) (W2 : 'M_(h, m)) J c,
        (part J W2 (c *: W1) + 1%:M) - c *: (part J W2 W1 + 1%:M) = (1 - c) *: 1%:M &
      forall (W1 : 'M[F]_(m, h)) (W2 : 'M_(h, m)) (cs : seq F),
        uniq cs -> (forall c, c \in cs -> absorbable_at W1 W2 1%:M c) -> (size cs <= 2 ^ m)%N].
Proof.
move=> h0 wide; apply: fixed => //.
by apply/matrix0Pn; exists (Ordinal h0), (Ordinal h0); rewrite mxE eqxx oner_eq0.
Qed.

(* One column, two neurons or more: all weights absorb every skip, for f(x) = f(1) ReLU(x) + f(-1) ReLU(-x). *)
Lemma needs_columns (F : realFieldType) k m (Z : 'M[F]_(k, 1)) w : @absorbable F 1 k m.+2 Z w.
Proof.
pose f x := mlp_of (@relu F) w.2 w.1 x + Z *m x; pose one := 1%:M : 'cV[F]_1.
have scaled c (x : 'cV_1) : 0 <= c -> f (c *: x) = c *: f x.
  move=> c0; rewrite /f scalerDr -scalemxAr; congr (_ + _); rewrite !mlp_sum scaler_sumr; apply: eq_bigr => i _.
  rewrite dotZ scalerA; congr (_ *: _); have [->|cn] := eqVneq c 0; first by rewrite !mul0r relu_pos.
  by rewrite relu_scale // ger0_norm // ltNge c0 subr0.
pose V2 : 'M[F]_(k, m.+2) := \matrix_(a, i) if i == 0 then f one a 0 else if i == 1 then f (- one) a 0 else 0.
pose V1 : 'M[F]_(m.+2, 1) := \matrix_(i, j) if i == 0 then 1 else -1.
exists V2, V1 => x; rewrite -/(f x) mlp_sum big_ord_recl big_ord_recl big1 => [|i _]; last first.
  by rewrite (_ : col _ V2 = 0) ?scaler0 //; apply/colP => a; rewrite !mxE.
have -> : col ord0 V2 = f one by apply/colP => a; rewrite !mxE.
have -> : col (lift ord0 ord0) V2 = f (- one) by apply/colP => a; rewrite !mxE.
have d i : dot (row i V1) x = (if i == 0 then 1 else -1) * x 0 0 by rewrite /dot mxE big_ord1 !mxE.
rewrite !d /= mul1r mulN1r addr0; have [x0|/ltW x0] := leP 0 (x 0 0).
  by rewrite relu_pos // (@relu_neg _ (- _)) ?oppr_le0 // scale0r addr0 -scaled // [in RHS](mx11_scalar x) scalemx1.
rewrite relu_neg // relu_pos ?oppr_ge0 // scale0r add0r -scaled ?oppr_ge0 //.
by rewrite scalerN scaleNr opprK [in RHS](mx11_scalar x) scalemx1.
Qed.
(* One input, two neurons or more: every w absorbs Z, so these are no null set, whatever Z. *)
(* Needed: theorem=fixed,measure_zero hypothesis=h > 1 or m < 2 lemma=needs_two_columns *)
Lemma needs_two_columns (F : realFieldType) k m (Z : 'M[F]_(k, 1)) : ~ null (@absorbable F 1 k m.+2 Z).
Proof. by case/few_on_lines => w [_ [miss _]]; apply: miss; apply: needs_columns. Qed.
(* The skip 0 is absorbed by all weights, and so is every skip where h = 0: there is one. *)
(* Needed: theorem=fixed hypothesis=Z not 0 lemma=needs_a_skip *)
(* Needed: theorem=measure_zero hypothesis=h > 0 lemma=needs_a_skip *)
Lemma needs_a_skip (F : realFieldType) h k m :
  ~ null (@absorbable F h k m 0) /\ ~ null (@absorbable F 0 0 m 1%:M).
Proof.
split; case/few_on_lines => w [_ [miss _]]; apply: miss; exists w.2, w.1 => x; last by apply/colP => -[].
by rewrite mul0mx addr0.
Qed.
