(* kinks.v - sums of ReLU neurons with given kinks: what the neurons on one line determine, and what the others carry.
 *
 *     sum_i q_i ReLU(r_i x) = sum_j c_j |u_j x| + L x   for all x,    r_i and u_j rows, q_i and c_j columns.
 * On each line through 0 the kinks of both sides agree, and sum_i q_i r_i = 2 L.  Neurons whose kinks cancel carry a
 * linear map of at most half as many dimensions: on each of their lines are two or more, which add a map of rank 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order relu.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Kinks.
Variables (F : realFieldType) (h k : nat).
Notation relu := (@relu F).
Implicit Types (w v : 'rV[F]_h) (x : 'cV[F]_h) (L : 'M[F]_(k, h)).

Lemma relu_and_turned (y : F) : relu y + relu (- y) = `|y|.
Proof.
have [y0|/ltW y0] := leP 0 y; first by rewrite relu_pos // relu_neg ?oppr_le0 // addr0 ger0_norm.
by rewrite relu_neg // relu_pos ?oppr_ge0 // add0r ler0_norm.
Qed.
Lemma twice_relu (y : F) : relu y *+ 2 = `|y| + y.
Proof. by rewrite -relu_and_turned -addrA -[X in _ + X]addrC -[X in _ + (X + _)]relu_half_odd subrK mulr2n. Qed.
Lemma dotNl w x : dot (- w) x = - dot w x.
Proof. by rewrite /dot mulNmx mxE. Qed.
Lemma dot0l x : dot (0 : 'rV_h) x = 0.
Proof. by rewrite /dot mul0mx mxE. Qed.
Lemma mul_dot (q : 'cV[F]_k) w x : (q *m w) *m x = dot w x *: q.
Proof. by rewrite -mulmxA [w *m x]mx11_scalar mul_mx_scalar. Qed.
Lemma mul_sum m (A : 'M[F]_(k, m)) (B : 'M_(m, h)) x : A *m B *m x = \sum_i dot (row i B) x *: col i A.
Proof.
rewrite -mulmxA; apply/colP => a; rewrite mxE summxE; apply: eq_bigr => i _.
by rewrite dot_row !mxE mulrC.
Qed.
Lemma seen w : w != 0 -> exists x, dot w x != 0.
Proof. by case/rV0Pn => l wl; exists (delta_mx l 0); rewrite /dot -colE mxE. Qed.
Lemma same_matrix p q (A B : 'M[F]_(p, q)) : (forall x : 'cV_q, A *m x = B *m x) -> A = B.
Proof. by move=> e; apply/matrixP => i j; have /matrixP/(_ i 0) := e (delta_mx j 0); rewrite -!colE !mxE. Qed.

(* Where a sum of neurons is linear, its kinks on each line cancel. *)
Lemma line_cancels (I : finType) (r : I -> 'rV[F]_h) (q : I -> 'cV[F]_k) L :
  (forall x, \sum_i relu (dot (r i) x) *: q i = L *m x) ->
  forall w x, \sum_(i | (r i <= w)%MS) `|dot (r i) x| *: q i = 0.
Proof.
move=> linear w x; have [v|p [wp off]] := @generic_point _ _ w [seq r i | i <- enum I & ~~ (r i <= w)%MS].
  by case/mapP => i; rewrite mem_filter => /andP [apart _] -> c e; rewrite e scalemx_sub ?submx_refl in apart.
rewrite -[RHS](kinks_cancel linear p x); apply: eq_bigl => i; apply/idP/eqP => [/sub_rVP [c ->]|ip].
  by rewrite dotZl wp mulr0.
apply: contraT => apart; have /off : r i \in [seq r i | i <- enum I & ~~ (r i <= w)%MS].
  by apply/mapP; exists i; rewrite // mem_filter apart mem_enum.
by rewrite ip eqxx.
Qed.

Section Form.
Variables (I J : finType) (r : I -> 'rV[F]_h) (q : I -> 'cV[F]_k) (u : J -> 'rV[F]_h) (c : J -> 'cV[F]_k).
Variable L : 'M[F]_(k, h).
Hypothesis form : forall x, \sum_i relu (dot (r i) x) *: q i = \sum_j `|dot (u j) x| *: c j + L *m x.

(* the linear part *)
Lemma linear_part : \sum_i q i *m r i = L *+ 2.
Proof.
apply: same_matrix => x; rewrite mulmx_suml.
rewrite (eq_bigr (fun i => relu (dot (r i) x) *: q i - relu (dot (r i) (- x)) *: q i)).
  rewrite sumrB !form; have -> : \sum_j `|dot (u j) (- x)| *: c j = \sum_j `|dot (u j) x| *: c j.
    by apply: eq_bigr => j _; rewrite dotN normrN.
  by rewrite opprD addrACA subrr add0r mulmxN opprK mulr2n mulmxDl.
by move=> i _; rewrite mul_dot -scalerBl dotN relu_half_odd.
Qed.
(* the kinks on the line of w *)
Lemma line_kinks w x :
  \sum_(i | (r i <= w)%MS) `|dot (r i) x| *: q i = (\sum_(j | (u j <= w)%MS) `|dot (u j) x| *: c j) *+ 2.
Proof.
pose r' (s : I + (J + J)) := match s with inl i => r i | inr (inl j) => u j | inr (inr j) => - u j end.
pose q' (s : I + (J + J)) := match s with inl i => q i | inr (inl j) | inr (inr j) => - c j end.
have linear (y : 'cV_h) : \sum_s relu (dot (r' s) y) *: q' s = L *m y.
  rewrite !big_sumType /= form -[RHS]add0r addrAC; congr (_ + _); rewrite -!big_split big1 //= => j _.
  by rewrite dotNl -scalerDl relu_and_turned scalerN subrr.
have := line_cancels linear w x; rewrite !big_sumType /= => /eqP; rewrite addr_eq0 => /eqP ->.
rewrite opprD mulr2n -!sumrN; congr (_ + _).
  by apply: eq_bigr => j _; rewrite scalerN opprK.
apply: eq_big => [j|j _]; first by rewrite (eqmx_opp (u j)).
by rewrite dotNl normrN scalerN opprK.
Qed.
End Form.

(* ---- neurons whose kinks cancel ---------------------------------------------------------------------------------- *)

Lemma rank_of_sum p q (I : finType) (P : pred I) (A : I -> 'M[F]_(p, q)) :
  (\rank (\sum_(i | P i) A i)%R <= \sum_(i | P i) \rank (A i))%N.
Proof.
apply: (big_ind2 (fun B n => \rank B <= n)%N) => [|B n C l Bn Cl|//]; first by rewrite mxrank0.
by apply: leq_trans (mxrank_add _ _) (leq_add Bn Cl).
Qed.
Lemma parallel_sym w v : w != 0 -> (w <= v)%MS -> (v <= w)%MS.
Proof.
move=> w0 /sub_rVP [c e]; have c0 : c != 0 by apply: contraNneq w0 => c0; rewrite e c0 scale0r.
by apply/sub_rVP; exists c^-1; rewrite e scalerA mulVf // scale1r.
Qed.

(* one neuron for each line that those of P have *)
Section Lines.
Variables (I : finType) (P : pred I) (r : I -> 'rV[F]_h).
Hypothesis rows : forall i, P i -> r i != 0.

Definition first_of i := odflt i [pick j | P j && (r j == r i)%MS].
Lemma first_ofP i : P i -> P (first_of i) && (r (first_of i) == r i)%MS.
Proof. by move=> Pi; rewrite /first_of; case: pickP => [j //|/(_ i)]; rewrite Pi submx_refl. Qed.
Lemma same_line i j : P j -> P i && (first_of i == first_of j) = P i && (r i <= r (first_of j))%MS.
Proof.
move=> Pj; have [Pi|//] := boolP (P i); rewrite /=; have /andP [_ /eqmxP rj] := first_ofP Pj.
apply/eqP/idP => [<-|le]; first by have /andP [_ /andP []] := first_ofP Pi.
have /eqmxP e : (r i == r j)%MS by rewrite rj in le; rewrite le parallel_sym // rows.
rewrite /first_of (@eq_pick _ _ (fun l => P l && (r l == r j)%MS)) => [|l]; last by rewrite !e.
by case: pickP => [//|/(_ i)]; rewrite Pi /=; move/eqmxP: e => ->.
Qed.
Lemma first_idem i : P i -> first_of (first_of i) = first_of i.
Proof.
move=> Pi; have /andP [Pf _] := first_ofP Pi; have := same_line (first_of i) Pi.
by rewrite Pf submx_refl => /eqP.
Qed.
End Lines.

Lemma cancelling_rank (I : finType) (P : pred I) (r : I -> 'rV[F]_h) (q : I -> 'cV[F]_k) :
  (forall i, P i -> r i != 0) ->
  (forall j x, P j -> \sum_(i | P i && (r i <= r j)%MS) `|dot (r i) x| *: q i = 0) ->
  (2 * \rank (\sum_(i | P i) q i *m r i)%R <= #|P|)%N.
Proof.
move=> rows cancel; pose first := first_of P r.
have line i : P i -> P (first i) by move=> Pi; have /andP [] := first_ofP r Pi.
rewrite (partition_big first P) //=; pose part g := \sum_(i | P i && (first i == g)) q i *m r i.
have small g : P g -> (2 * \rank (part g) <= \sum_(i | P i && (first i == g)) 1)%N.
  move=> Pg; have [none|[i0]] := set_0Vmem [set i | P i && (first i == g)].
    by rewrite /part !big_pred0 ?mxrank0 // => i; have := in_set0 i; rewrite -none inE.
  rewrite inE => /andP [Pi0 /eqP gi0]; have class i : P i && (first i == g) = P i && (r i <= r g)%MS.
    by rewrite -gi0; apply: (same_line rows).
  have thin : (\rank (part g) <= 1)%N.
    apply: leq_trans (rank_leq_row (r g)); apply: mxrankS; apply: summx_sub => i; rewrite class => /andP [_ le].
    exact: submx_trans (submxMl _ _) le.
  have [alone|more] := leqP (\sum_(i | P i && (first i == g)) 1) 1; last exact: leq_trans (leq_mul (leqnn 2) thin) more.
  have only i : i != i0 -> P i && (first i == g) = false.
    move=> ne; apply/negP => in_; move: alone; rewrite (bigD1 i0) ?Pi0 ?gi0 ?eqxx //= (bigD1 i) /= ?in_ //.
  have q0 : q i0 = 0.
    have [x seen0] := seen (rows _ Pi0); have := cancel g x Pg; rewrite (bigD1 i0) /= -?class ?Pi0 ?gi0 ?eqxx //.
    rewrite big1 => [|i]; last by rewrite -class => /andP [in_ ne]; rewrite only in in_.
    by rewrite addr0 => /eqP; rewrite scaler_eq0 normr_eq0 (negPf seen0) => /eqP.
  rewrite /part (bigD1 i0) /= ?Pi0 ?gi0 ?eqxx // q0 mul0mx add0r big1 ?mxrank0 // => i /andP [in_ ne].
  by rewrite only in in_.
rewrite -sum1_card [X in (_ <= X)%N](partition_big first P) //=.
apply: leq_trans (leq_mul (leqnn 2) (rank_of_sum _ _)) _; rewrite big_distrr /=.
by apply: leq_sum => g Pg; apply: small.
Qed.

(* ---- the canonical form ------------------------------------------------------------------------------------------ *)

(* sum_k c_k |u_k x| + L x, with u_k not 0 and pairwise not collinear, c_k not 0 *)
Definition kinked p (u : 'M[F]_(p, h)) (c : 'M_(k, p)) L x : 'cV_k := \sum_i `|dot (row i u) x| *: col i c + L *m x.
Definition regular_kinks p (u : 'M[F]_(p, h)) (c : 'M[F]_(k, p)) :=
  [/\ nonzero_rows u, noncollinear u & nonzero_columns c].

Theorem canonical_form (I : finType) (r : I -> 'rV[F]_h) (q : I -> 'cV[F]_k) (Z : 'M[F]_(k, h)) :
  exists p (u : 'M[F]_(p, h)) (c : 'M_(k, p)) L,
    regular_kinks u c /\ forall x, \sum_i relu (dot (r i) x) *: q i + Z *m x = kinked u c L x.
Proof.
pose P i := r i != 0; have rows i : P i -> r i != 0 by [].
have points j : exists x, P j -> dot (r j) x != 0.
  by have [/seen [x jx]|_] := boolP (P j); [exists x | exists 0].
have [pt ptP] := fin_all_exists points.
pose c j := \sum_(i | P i && (r i <= r j)%MS) (`|dot (r i) (pt j)| / `|dot (r j) (pt j)|) *: (2%:R^-1 *: q i).
have lines j x : P j -> \sum_(i | P i && (r i <= r j)%MS) `|dot (r i) x| *: (2%:R^-1 *: q i) = `|dot (r j) x| *: c j.
  move=> Pj; rewrite scaler_sumr; apply: eq_bigr => i /andP [_ /sub_rVP [a ->]]; rewrite !dotZl !normrM scalerA.
  by rewrite mulfK ?normr_eq0 ?ptP // mulrC.
pose first := first_of P r; pose J := [set j | [&& P j, first j == j & c j != 0]].
have kinks x : \sum_i `|dot (r i) x| *: (2%:R^-1 *: q i) = \sum_(j in J) `|dot (r j) x| *: c j.
  rewrite (bigID P) /= [X in _ + X]big1 ?addr0 => [|i]; last first.
    by rewrite negbK => /eqP ->; rewrite dot0l normr0 scale0r.
  rewrite (partition_big first (fun j => P j && (first j == j))) /= => [|i Pi]; last first.
    by rewrite /first (first_idem rows) // eqxx andbT; have /andP [] := first_ofP r Pi.
  rewrite [RHS]big_mkcond [LHS]big_mkcond; apply: eq_bigr => j _; rewrite inE.
  have [/andP [Pj /eqP fj]|/negbTE no] := boolP (P j && (first j == j)); last by rewrite andbA no.
  rewrite Pj fj eqxx /= (eq_bigl (fun i => P i && (r i <= r j)%MS)) => [|i].
    by rewrite lines //; case: eqP => // ->; rewrite scaler0.
  by have := same_line rows i Pj; rewrite -/first fj.
exists #|J|, (\matrix_(a, b) r (enum_val a) 0 b), (\matrix_(b, a) c (enum_val a) b 0).
exists (Z + 2%:R^-1 *: \sum_i q i *m r i); set u := \matrix_(_, _) _; set d := \matrix_(_, _) _.
have row_u a : row a u = r (enum_val a) by apply/rowP => b; rewrite !mxE.
have col_d a : col a d = c (enum_val a) by apply/colP => b; rewrite !mxE.
split; first split=> [a|a b e ab|a].
- by rewrite row_u; have := enum_valP a; rewrite inE => /and3P [].
- rewrite !row_u => par; have := enum_valP a; have := enum_valP b.
  rewrite !inE => /and3P [Pb /eqP fb _] /and3P [Pa /eqP fa _].
  have := same_line rows (enum_val a) Pb; rewrite -/first fa fb Pa par scalemx_sub ?submx_refl //=.
  move=> /eqP /enum_val_inj.
  by apply/eqP.
- by rewrite col_d; have := enum_valP a; rewrite inE => /and3P [].
move=> x; rewrite /kinked; under [X in _ = X + _]eq_bigr do rewrite row_u col_d.
rewrite -(big_enum_val (fun j => `|dot (r j) x| *: c j)) /= -kinks mulmxDl addrCA addrC; congr (_ + _).
rewrite -scalemxAl mulmx_suml scaler_sumr -big_split; apply: eq_bigr => i _ /=.
rewrite mul_dot !scalerA [_ * 2%:R^-1]mulrC -scalerA -scalerA -scalerDr -scalerDl -twice_relu.
by rewrite -[relu _ *+ 2]mulr_natl scalerA mulKf ?pnatr_eq0.
Qed.
End Kinks.
