(* k_e_measure0.v - K-E-measure0: on each line (c W1, W2) at most 2^m values of c absorb the skip T, T fixed beforehand.
 *
 * That a set which meets each line in finitely many points is a null set is Fubini's theorem, not formal here. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu.
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

(* What is formal of K-E-measure0: no more than 2^m absorbable points on a line. *)
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
