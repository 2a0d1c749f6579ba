(* k_c1.v - K-C1, LayerNorm semi-conjugacy: which diagonal D are there.
 *
 * The paper (003, Lemma C.1): "Let eps > 0 and A in GL(d) be fixed. Then there exists a function f: R^d -> R^d and a
 * diagonal matrix D in R^{d x d} such that L_eps(f(x)) = (D A) L_eps(x) for all x."  Columns x; H = {z : 1'z = 0}. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Notation ones := (const_mx 1).
Definition diagonal (R : ringType) d (g : 'cV[R]_d) : 'M_d := diag_mx g^T.

Definition in_H (R : ringType) d (z : 'cV[R]_d) := (ones : 'rV_d) *m z = 0.

Section Plane.
Variables (R : comUnitRingType) (d : nat) (A : 'M[R]_d).
Hypothesis inv : A \in unitmx.
(* v = A^-T 1 *)
Definition gain : 'cV[R]_d := invmx A^T *m ones.

Lemma row_diagonal (v : 'cV[R]_d) : (ones : 'rV_d) *m diagonal v = v^T.
Proof. by apply/rowP => j; rewrite mul_mx_diag !mxE mul1r. Qed.

(* 1' lambda diag(v) A = lambda 1': D A maps H into H *)
(* Provably: claim=K-C1 part=corrected-invariant-H theorem=invariant quantifiers=all commutative rings, d, lambda, invertible A *)
Theorem invariant lambda : (ones : 'rV_d) *m (diagonal (lambda *: gain) *m A) = lambda *: ones.
Proof.
rewrite mulmxA row_diagonal linearZ /= -scalemxAl; congr (_ *: _).
have inv' : A^T \in unitmx by rewrite unitmx_tr.
by rewrite -[A in _ *m A]trmxK -trmx_mul /gain mulmxA mulmxV // mul1mx trmx_const.
Qed.
End Plane.

(* A row vector that kills H is a multiple of 1'. *)
Lemma kills_H (F : fieldType) d (w : 'rV[F]_d) : (forall z, in_H z -> w *m z = 0) -> exists c, w = c *: ones.
Proof.
case: d w => [|d'] w kill; first by exists 0; apply/rowP => -[].
exists (w 0 0); apply/rowP => j; rewrite !mxE mulr1.
have e i : w *m (delta_mx i 0 : 'cV_d'.+1) = (w 0 i)%:M by rewrite -colE [LHS]mx11_scalar !mxE.
have := kill (delta_mx j 0 - delta_mx 0 0); rewrite mulmxBr !e => /(_ _)/matrixP/(_ 0 0).
have o i : (ones : 'rV[F]_d'.+1) *m (delta_mx i 0 : 'cV_d'.+1) = 1%:M by rewrite -colE [LHS]mx11_scalar !mxE.
rewrite /in_H mulmxBr !o subrr => /(_ erefl); rewrite !mxE eqxx !mulr1n => /eqP.
by rewrite subr_eq0 => /eqP.
Qed.

Section Line.
Variables (F : fieldType) (d : nat) (A : 'M[F]_d).
Hypothesis inv : A \in unitmx.
Notation v := (gain A).
(* u'A z = 0 on H if and only if u = c v *)
Lemma line (u : 'cV[F]_d) : (forall z, in_H z -> u^T *m A *m z = 0) <-> exists c, u = c *: v.
Proof.
have inv' : A^T \in unitmx by rewrite unitmx_tr.
split=> [/kills_H [c e]|[c ->] z z0]; last first.
  have := invariant inv c; rewrite mulmxA row_diagonal => ->.
  by rewrite -scalemxAl z0 scaler0.
exists c; apply: (can_inj (mulKmx inv')); rewrite /gain -scalemxAr mulmxA mulmxV // mul1mx.
by rewrite -[LHS]trmxK trmx_mul trmxK e linearZ /= trmx_const.
Qed.

Lemma gain_neq0 : (0 < d)%N -> v != 0.
Proof.
have inv' : A^T \in unitmx by rewrite unitmx_tr.
move=> d0; apply/eqP => /(congr1 (mulmx A^T)); rewrite /gain mulmxA mulmxV // mul1mx mulmx0.
by move=> /colP /(_ (Ordinal d0)) /eqP; rewrite !mxE oner_eq0.
Qed.
(* .. so that the u with u'A B = 0 are a line, B a basis of H, or any matrix whose columns span H *)
Lemma one_dimensional p (B : 'M[F]_(d, p)) : (0 < d)%N -> (forall z, in_H z <-> exists c, z = B *m c) ->
  \rank (kermx (A *m B)) = 1%N.
Proof.
move=> d0 spans; transitivity (\rank v^T); last by rewrite rank_rV trmx_eq0 gain_neq0.
apply: eqmx_rank; apply/andP; split; apply/rV_subP => u.
  move=> /sub_kermxP k; have /line [c e] : forall z, in_H z -> (u^T)^T *m A *m z = 0.
    by move=> z /spans [c ->]; rewrite trmxK -mulmxA (mulmxA A) mulmxA k mul0mx.
  by rewrite -[u]trmxK e linearZ /= scalemx_sub.
move=> /sub_rVP [c e]; apply/sub_kermxP/matrixP => i j.
have bH : in_H (col j B) by apply/spans; exists (delta_mx j 0); rewrite colE.
have kills : u *m A *m col j B = 0.
  by rewrite -[u]trmxK; apply: (line u^T).2 bH; exists c; rewrite e linearZ /= trmxK.
have : u *m (A *m B) *m delta_mx j (0 : 'I_1) = 0 by rewrite -kills colE !mulmxA.
by rewrite -colE => /matrixP /(_ i 0); rewrite [LHS]mxE => ->; rewrite !mxE.
Qed.
End Line.

(* With LayerNorm itself: an f with L(f(x)) = D A L(x) for all x makes D a multiple of diag(v). *)
Section LayerNorm.
Variables (F : rcfType) (d : nat) (eps : F) (A : 'M[F]_d).
Hypotheses (inv : A \in unitmx) (eps0 : 0 < eps) (d0 : (0 < d)%N).
Definition centred (x : 'cV[F]_d) : 'cV_d := x - (d%:R^-1 * \sum_i x i 0) *: ones.
Definition L (x : 'cV[F]_d) : 'cV_d := (Num.sqrt (d%:R^-1 * (\sum_i centred x i 0 ^+ 2) + eps))^-1 *: centred x.

Lemma L_in_H x : in_H (L x).
Proof.
rewrite /in_H /L -scalemxAr [X in _ *: X]mx11_scalar (_ : _ 0 0 = 0); first by rewrite raddf0 scaler0.
rewrite mxE (eq_bigr (fun i => x i 0 - d%:R^-1 * \sum_i x i 0)) => [|i _]; last by rewrite !mxE mul1r mulr1.
rewrite sumrB sumr_const card_ord -[X in _ - X]mulr_natl mulrA divff ?mul1r ?subrr //.
by rewrite pnatr_eq0 -lt0n.
Qed.
Lemma L_spans z : in_H z -> exists c x, z = c *: L x.
Proof.
move=> z0; have c : centred z = z.
  rewrite /centred (_ : \sum_i z i 0 = 0) ?mulr0 ?scale0r ?subr0 //.
  transitivity (((ones : 'rV_d) *m z) 0 0); last by rewrite z0 mxE.
  by rewrite [RHS]mxE; apply: eq_bigr => i _; rewrite mxE mul1r.
have pos : 0 < d%:R^-1 * (\sum_i centred z i 0 ^+ 2) + eps.
  by apply: ltr_paddl => //; rewrite mulr_ge0 ?invr_ge0 ?ler0n ?sumr_ge0 // => i _; rewrite sqr_ge0.
exists (Num.sqrt (d%:R^-1 * (\sum_i centred z i 0 ^+ 2) + eps)), z.
rewrite /L scalerA divff; first by rewrite scale1r c.
by rewrite gt_eqF // sqrtr_gt0.
Qed.

(* ---- the inverse of LayerNorm ------------------------------------------------------------------------------------ *)

Definition square (z : 'cV[F]_d) : F := \sum_i z i 0 ^+ 2.
(* L^-1(l) = sqrt(d eps / (d - |l|^2)) l, on H inside the ball of radius sqrt d *)
Definition back (l : 'cV[F]_d) : 'cV_d := Num.sqrt (d%:R * eps / (d%:R - square l)) *: l.
Notation variance x := (d%:R^-1 * square (centred x) + eps).

Lemma dpos : 0 < d%:R :> F. Proof. by rewrite ltr0n. Qed.
Lemma square_ge0 z : 0 <= square z. Proof. by apply: sumr_ge0 => i _; rewrite sqr_ge0. Qed.
Lemma squareZ c z : square (c *: z) = c ^+ 2 * square z.
Proof. by rewrite /square mulr_sumr; apply: eq_bigr => i _; rewrite mxE exprMn. Qed.
Lemma variance_gt0 x : 0 < variance x.
Proof. by apply: ltr_paddl => //; rewrite mulr_ge0 ?invr_ge0 ?ler0n ?square_ge0. Qed.
Lemma centred_plus x c : centred (x + c *: ones) = centred x.
Proof.
apply/colP => i; rewrite !mxE (eq_bigr (fun i => x i 0 + c)) => [|j _]; last by rewrite !mxE mulr1.
rewrite big_split /= sumr_const card_ord !mulr1 -[c *+ d]mulr_natl mulrDr mulKf ?gt_eqF ?dpos //.
by rewrite opprD addrACA subrr addr0.
Qed.
Lemma centred_H z : in_H z -> centred z = z.
Proof.
move=> z0; rewrite /centred (_ : \sum_i z i 0 = 0) ?mulr0 ?scale0r ?subr0 //.
transitivity (((ones : 'rV_d) *m z) 0 0); last by rewrite z0 mxE.
by rewrite [RHS]mxE; apply: eq_bigr => i _; rewrite mxE mul1r.
Qed.
Lemma outside x : d%:R - square (L x) = d%:R * eps / variance x.
Proof.
have q0 : variance x != 0 by rewrite gt_eqF ?variance_gt0.
rewrite /L -/(square (centred x)) squareZ exprVn sqr_sqrtr ?ltW ?variance_gt0 //.
apply: (mulIf q0); rewrite [RHS]divfK // mulrBl [X in _ - X]mulrAC mulVf // mul1r mulrDr mulrA divff ?gt_eqF ?dpos //.
by rewrite mul1r addrAC subrr add0r.
Qed.
Lemma inside x : square (L x) < d%:R.
Proof. by rewrite -subr_gt0 outside divr_gt0 ?mulr_gt0 ?dpos ?variance_gt0. Qed.
Lemma back_L x : back (L x) = centred x.
Proof.
have e0 : d%:R * eps != 0 by rewrite gt_eqF ?mulr_gt0 ?dpos.
rewrite /back outside invf_div mulrA mulrAC divff // mul1r /L scalerA divff ?scale1r //.
by rewrite gt_eqF // sqrtr_gt0 variance_gt0.
Qed.
Lemma L_back l : in_H l -> square l < d%:R -> L (back l) = l.
Proof.
move=> lH small; have g0 : 0 < d%:R - square l by rewrite subr_gt0.
have bH : in_H (back l) by rewrite /in_H /back -scalemxAr lH scaler0.
have q0 : 0 < d%:R * eps / (d%:R - square l) by rewrite divr_gt0 ?mulr_gt0 ?dpos.
have q : variance (back l) = d%:R * eps / (d%:R - square l).
  rewrite (centred_H bH) squareZ sqr_sqrtr ?ltW //; apply: (mulIf (_ : d%:R - square l != 0)); first by rewrite gt_eqF.
  rewrite divfK ?gt_eqF // mulrDl -!mulrA mulKf ?gt_eqF ?dpos // (mulrC (square l)) mulKf ?gt_eqF //.
  by rewrite mulrBr addrCA subrr addr0 mulrC.
rewrite /L -/(square _) q (centred_H bH) /back scalerA mulVf ?scale1r // gt_eqF // sqrtr_gt0 //.
Qed.

(* "Then there exists a function f and a diagonal matrix D such that L(f(x)) = (DA) L(x) for all x": for every D =
 * lambda diag(v) that makes no vector of H longer, which is |lambda| <= lambda_0 where there is a lambda_0.  v may have
 * zeros, and then D is singular. *)
(* Provably: claim=K-C1 part=corrected theorem=conjugate quantifiers=all real closed fields, d, eps > 0, invertible A, lambda with D A a contraction of H *)
(* Provably: claim=K-C1 part=corrected-zero theorem=conjugate quantifiers=all real closed fields, d, eps > 0, invertible A, lambda with D A a contraction of H *)
Theorem conjugate lambda : let DA := diagonal (lambda *: gain A) *m A in
  (forall z, in_H z -> square (DA *m z) <= square z) ->
  (exists f : 'cV_d -> 'cV_d, forall x, L (f x) = DA *m L x) /\
  forall i, gain A i 0 = 0 -> diagonal (lambda *: gain A) \notin unitmx.
Proof.
move=> DA contracts; split=> [|i zero]; last first.
  by rewrite unitmxE det_diag (bigD1 i) //= mxE [X in X * _]mxE zero mulr0 mul0r unitr0.
exists (fun x => back (DA *m L x)) => x; apply: L_back.
  by rewrite /in_H mulmxA (invariant inv) -scalemxAl L_in_H scaler0.
exact: le_lt_trans (contracts _ (L_in_H x)) (inside x).
Qed.

(* Longer than that no f can do: L stays inside the ball, and comes as near to its rim as one likes. *)
Lemma too_long (M : 'M[F]_d) x : d%:R <= square (M *m L x) -> forall y, L y <> M *m L x.
Proof. by move=> long y e; have := inside y; rewrite e ltNge long. Qed.
(* Needed: theorem=conjugate hypothesis=D A a contraction of H lemma=needs_contraction *)
Lemma needs_contraction (M : 'M[F]_d) z : in_H z -> square z < square (M *m z) ->
  forall f : 'cV[F]_d -> 'cV[F]_d, ~ forall x, L (f x) = M *m L x.
Proof.
move=> zH longer f same; pose K := square (M *m z) - square z; have K0 : 0 < K by rewrite subr_gt0.
pose t := d%:R * eps / K + 1; have de : 0 < d%:R * eps by rewrite mulr_gt0 ?dpos.
have t1 : 1 <= t by rewrite ler_addr ltW // divr_gt0.
have tH : in_H (t *: z) by rewrite /in_H -scalemxAr zH scaler0.
apply: (@too_long M (t *: z)) (same (t *: z)).
rewrite /L -/(square (centred (t *: z))) -scalemxAr squareZ exprVn sqr_sqrtr; last by rewrite ltW ?variance_gt0.
rewrite [(variance _)^-1 * _]mulrC ler_pdivl_mulr ?variance_gt0 //.
rewrite (centred_H tH) -scalemxAr !squareZ mulrDr mulVKf ?gt_eqF ?dpos //.
rewrite addrC -ler_subr_addr -mulrBr -/K; apply: (@le_trans _ _ (t * K)).
  by rewrite /t mulrDl divfK ?gt_eqF // mul1r ler_addl ltW.
rewrite expr2 ler_wpmul2r ?(ltW K0) // -[X in X <= _]mul1r ler_wpmul2r // (le_trans ler01 t1) //.
Qed.

(* "Moreover, for any scalar field h, f + h 1 also satisfies this equation", *)
(* Provably: claim=K-C1 part=corrected-plus-multiple-of-ones theorem=plus_ones quantifiers=all real closed fields, d, eps > 0, A, D, f, h *)
Theorem plus_ones (D : 'M[F]_d) (f : 'cV_d -> 'cV_d) (h : 'cV[F]_d -> F) : (forall x, L (f x) = D *m A *m L x) ->
  forall x, L (f x + h x *: ones) = D *m A *m L x.
Proof. by move=> same x; rewrite /L centred_plus -/(L _) same. Qed.
(* and there are no others. *)
(* Provably: claim=K-C1 part=corrected-unique theorem=unique quantifiers=all real closed fields, d, eps > 0, f, g *)
Theorem unique (f g : 'cV[F]_d -> 'cV[F]_d) : (forall x, back (L x) = centred x) /\
  ((forall x, L (g x) = L (f x)) <-> exists h : 'cV[F]_d -> F, forall x, g x = f x + h x *: ones).
Proof.
split; first exact: back_L.
split=> [same|[h e] x]; last by rewrite e /L centred_plus.
exists (fun x => d%:R^-1 * (\sum_i g x i 0) - d%:R^-1 * (\sum_i f x i 0)) => x.
have := congr1 back (same x); rewrite !back_L /centred => e.
by rewrite /= scalerBl addrCA -e addrC subrK.
Qed.

Theorem only_multiples (u : 'cV[F]_d) (f : 'cV_d -> 'cV_d) : (forall x, L (f x) = diagonal u *m A *m L x) ->
  exists c, u = c *: gain A.
Proof.
move=> same; apply/(line inv) => z /L_spans [c [x ->]].
by rewrite -scalemxAr -row_diagonal -!mulmxA (mulmxA (diagonal u)) -same L_in_H scaler0.
Qed.

(* no other D: where there is an f, D A maps H into H, which is u'A B = 0 for a basis B of H, and its u are a line *)
(* Provably: claim=K-C1 part=corrected-line theorem=no_other quantifiers=all real closed fields, d > 0, eps > 0, invertible A, D, f, B whose columns span H *)
Theorem no_other :
  [/\ forall (u : 'cV[F]_d) (f : 'cV_d -> 'cV_d), (forall x, L (f x) = diagonal u *m A *m L x) ->
        exists c, u = c *: gain A,
      forall u : 'cV[F]_d, (forall z, in_H z -> u^T *m A *m z = 0) <-> exists c, u = c *: gain A &
      forall p (B : 'M[F]_(d, p)), (forall z, in_H z <-> exists c, z = B *m c) -> \rank (kermx (A *m B)) = 1%N].
Proof. by split=> [u f|u|p B]; [exact: only_multiples|exact: line|exact: one_dimensional]. Qed.
End LayerNorm.

(* d = 1: L = 0, and every f and D will do. *)
(* Provably: claim=K-C1 part=corrected-dimension-one theorem=dimension_one quantifiers=all real closed fields, eps, A, D, f *)
Theorem dimension_one (F : rcfType) (eps : F) (A D : 'M[F]_1) (f : 'cV[F]_1 -> 'cV[F]_1) x :
  L eps x = 0 /\ L eps (f x) = D *m A *m L eps x.
Proof.
have zero (y : 'cV[F]_1) : L eps y = 0.
  have c : centred y = 0 by apply/colP => i; rewrite !mxE big_ord1 invr1 mul1r mulr1 !ord1 subrr.
  by rewrite /L c scaler0.
by rewrite !zero mulmx0.
Qed.

(* ---- as stated: A with rows (1,1,1), (0,1,0), (0,0,1) ----------------------------------------------------------- *)

Section Degenerate.
Variable F : fieldType.
Definition degenerate : 'M[F]_3 := \matrix_(i, j) ((i == 0) || (i == j))%:R.
Definition undone : 'M[F]_3 := \matrix_(i, j) (if i == j then 1 else if i == 0 then - 1 else 0).
Notation e1 := (delta_mx 0 0 : 'cV[F]_3).

Lemma degenerate_unit : degenerate \in unitmx.
Proof.
suff e : degenerate *m undone = 1%:M by have [] := mulmx1_unit e.
apply/matrixP => i j; rewrite !mxE !big_ord_recl big_ord0 !mxE.
case: i => -[|[|[|//]]] ?; case: j => -[|[|[|//]]] ? /=;
  by rewrite !(mul1r, mul0r, mulr1, mulr0, add0r, addr0, addNr, subrr).
Qed.
Lemma degenerate_gain : gain degenerate = e1.
Proof.
have u : degenerate^T \in unitmx by rewrite unitmx_tr degenerate_unit.
apply: (can_inj (mulKmx u)); rewrite /gain mulmxA mulmxV // mul1mx -colE.
by apply/colP => i; rewrite !mxE.
Qed.

Lemma killed (u : 'cV[F]_3) : (forall z, in_H z -> u^T *m degenerate *m z = 0) ->
  (exists c, u = c *: e1) /\ forall z, in_H z -> diagonal u *m degenerate *m z = 0.
Proof.
move=> /(line degenerate_unit) [c]; rewrite degenerate_gain => ->; split; first by exists c.
move=> z z0; rewrite -mulmxA /diagonal mul_diag_mx; apply/colP => i; rewrite !mxE.
have [->|ne] := eqVneq i 0; last by rewrite mulr0 mul0r.
have sum : \sum_j degenerate 0 j * z j 0 = 0.
  transitivity (((ones : 'rV_3) *m z) 0 0); last by rewrite z0 mxE.
  by rewrite [RHS]mxE; apply: eq_bigr => j _; rewrite !mxE.
by rewrite sum mulr0.
Qed.
End Degenerate.

(* c is the norm of M on H: the least number with |M z| <= c |z| there. *)
Definition bounds (F : rcfType) d (M : 'M[F]_d) (c : F) :=
  0 <= c /\ forall z, in_H z -> square (M *m z) <= c ^+ 2 * square z.
Definition norm_on_H (F : rcfType) d (M : 'M[F]_d) (c : F) := bounds M c /\ forall b, bounds M b -> c <= b.
(* every admissible D is a multiple of diag(1, 0, 0), and then D A = 0 on H; so |D_lambda A| is 1 for no lambda, with
 * D_lambda = lambda diag(v): no lambda_0 exists *)
(* Provably: claim=K-C1 part=as-stated theorem=no_lambda quantifiers=this matrix over all real closed fields, eps > 0, D, f, z in H, lambda *)
Theorem no_lambda (F : rcfType) (eps : F) (u : 'cV[F]_3) (f : 'cV_3 -> 'cV_3) : 0 < eps ->
  (forall x, L eps (f x) = diagonal u *m degenerate F *m L eps x) ->
  [/\ exists c, u = c *: delta_mx 0 0, forall z, in_H z -> diagonal u *m degenerate F *m z = 0 &
      forall lambda, ~ norm_on_H (diagonal (lambda *: gain (degenerate F)) *m degenerate F) 1].
Proof.
move=> eps0 /(only_multiples (degenerate_unit F) eps0 isT) [c e].
have zero lambda z : in_H z -> diagonal (lambda *: gain (degenerate F)) *m degenerate F *m z = 0.
  have /killed [_] : forall y, in_H y -> (lambda *: gain (degenerate F))^T *m degenerate F *m y = 0.
    by apply/(line (degenerate_unit F)); exists lambda.
  exact.
split; first by exists c; rewrite e degenerate_gain.
  by move=> z zH; rewrite e zero.
move=> lambda [_ /(_ 0) least]; have := least; rewrite /bounds => {}least.
have : 1 <= 0 :> F.
  apply: least; split=> // z zH; rewrite zero // expr0n mul0r /square big1 // => i _.
  by rewrite mxE expr0n.
by rewrite ler10.
Qed.

(* ---- without a hypothesis ---------------------------------------------------------------------------------------- *)

(* Needed: theorem=no_other hypothesis=d > 0 argued=where d is 0 there is one vector u and one D, and the solutions have dimension 0 *)
(* Needed: theorem=no_other,no_lambda hypothesis=eps > 0 argued=nothing goes wrong without it: L_eps takes long vectors of H to multiples of them by a positive number, for any eps *)
(* Needed: theorem=conjugate,unique,plus_ones hypothesis=d > 0 argued=where d is 0 there is one vector and every equation of vectors holds *)
(* Needed: theorem=plus_ones hypothesis=f solves the equation argued=f + h 1 has the same L as f and solves it exactly where f does: centred_plus *)

(* A = 0: Coq writes 0 for its inverse, so v = 0 and 1' D A = 0, not 1'; and every u kills A H. *)
(* Needed: theorem=invariant,no_other hypothesis=A invertible lemma=needs_invertible *)
Lemma needs_invertible (F : fieldType) d : let u : 'cV[F]_d.+1 := ones in
  [/\ (ones : 'rV[F]_d.+1) *m (diagonal (1 *: gain 0) *m (0 : 'M_d.+1)) <> 1 *: ones,
      forall z : 'cV_d.+1, u^T *m (0 : 'M_d.+1) *m z = 0 & forall c, u <> c *: gain 0].
Proof.
move=> u; have v0 : gain (0 : 'M[F]_d.+1) = 0.
  have out : (0 : 'M[F]_d.+1) \notin unitmx by rewrite unitmxE det0 unitr0.
  by rewrite /gain trmx0 invmx_out ?mul0mx.
split=> [/rowP /(_ 0) /eqP|z|c /colP /(_ 0) /eqP]; last by rewrite v0 scaler0 !mxE oner_eq0.
  by rewrite !mulmx0 scale1r !mxE eq_sym oner_eq0.
by rewrite mulmx0 mul0mx.
Qed.

(* d = 2, z = (1, -1) in H, of length^2 2 *)
Section TwoNumbers.
Variable F : rcfType.
Definition apart : 'cV[F]_2 := \col_i (if i == 0 then 1 else - 1).
Lemma apart_in_H c : in_H (c *: apart).
Proof.
by rewrite /in_H -scalemxAr; apply/matrixP => i j; rewrite !mxE !big_ord_recl big_ord0 !mxE !mul1r addr0 subrr mulr0.
Qed.
Lemma apart_square c : square (c *: apart) = c ^+ 2 *+ 2.
Proof. by rewrite squareZ /square !big_ord_recl big_ord0 !mxE /= sqrrN !expr1n addr0 -mulr_natr. Qed.
Lemma L_apart eps c : L eps (c *: apart) = (Num.sqrt (c ^+ 2 + eps))^-1 *: (c *: apart).
Proof.
have z (f : 'cV[F]_2) : in_H f -> centred f = f by apply: centred_H.
rewrite /L (z _ (apart_in_H c)) -/(square (c *: apart)) apart_square -[c ^+ 2 *+ 2]mulr_natl mulKf // pnatr_eq0 //.
Qed.
Lemma gain_1 d : gain (1%:M : 'M[F]_d) = ones.
Proof. by rewrite /gain trmx1 invmx1 mul1mx. Qed.
Lemma scaled_identity c : diagonal (c *: gain (1%:M : 'M[F]_2)) *m 1%:M = c%:M.
Proof. by rewrite mulmx1 gain_1; apply/matrixP => i j; rewrite !mxE mulr1. Qed.

(* A = diag(1, 0), no matter which v: Coq writes A for its inverse, v = (1, 0), lambda = 1, and D A = A shortens the
 * vectors of H, but leads out of it, and L does not. *)
(* Needed: theorem=conjugate hypothesis=A invertible lemma=needs_invertible_conjugate *)
Lemma needs_invertible_conjugate : let A : 'M[F]_2 := delta_mx 0 0 in let DA := diagonal (1 *: gain A) *m A in
  (forall z, in_H z -> square (DA *m z) <= square z) /\
  forall f : 'cV_2 -> 'cV_2, ~ forall x, L 1 (f x) = DA *m L 1 x.
Proof.
move=> A DA; have AT : A^T = A by rewrite trmx_delta.
have out : A \notin unitmx.
  apply/negP => u; have := mulKmx u (delta_mx 1 0 : 'cV_2); rewrite mul_delta_mx_0 // mulmx0 => /colP /(_ 1) /eqP.
  by rewrite !mxE eq_sym oner_eq0.
have e : DA = A.
  rewrite /DA scale1r /gain AT invmx_out // /diagonal mul_diag_mx; apply/matrixP => i j; rewrite !mxE.
  rewrite (bigD1 0) //= big1 => [|k /negPf k0]; rewrite !mxE ?eqxx ?k0 ?andbF ?mul0r ?andbT ?mulr1 ?addr0 //.
  by case: (i == 0); rewrite ?mul1r ?mul0r.
have entry (z : 'cV[F]_2) : A *m z = z 0 0 *: delta_mx 0 0.
  apply/colP => i; rewrite !mxE (bigD1 0) //= big1 => [|k /negPf k0]; rewrite !mxE ?k0 ?andbF ?mul0r //.
  by rewrite eqxx andbT addr0 mulrC.
rewrite e; split=> [z _|f same].
  rewrite entry squareZ /square !big_ord_recl !big_ord0 !mxE /= expr1n expr0n /= !addr0 mulr1.
  by rewrite ler_addl sqr_ge0.
have := L_in_H 1 (isT : (0 < 2)%N) (f (1 *: apart)); rewrite same entry /in_H -scalemxAr -colE L_apart.
move=> /matrixP /(_ 0 0) /eqP; rewrite !mxE /= !mulr1 invr_eq0 gt_eqF // sqrtr_gt0 expr1n.
by rewrite addr_gt0 ?ltr01.
Qed.

(* eps = 0, A = I, lambda = 1/2: |L y|^2 is d or 0, and |D A L z|^2 = 1/2. *)
Lemma without_eps (y : 'cV[F]_2) : square (L 0 y) = 2%:R \/ square (L 0 y) = 0.
Proof.
rewrite /L -/(square (centred y)) addr0 squareZ exprVn; have s0 := square_ge0 (centred y).
have [->|ne] := eqVneq (square (centred y)) 0; first by right; rewrite mulr0.
left; rewrite sqr_sqrtr ?mulr_ge0 ?invr_ge0 ?ler0n // invfM invrK -mulrA mulVf ?mulr1 //.
Qed.
(* Needed: theorem=conjugate hypothesis=eps > 0 lemma=needs_eps *)
Lemma needs_eps : let DA := diagonal ((1 / 2%:R) *: gain (1%:M : 'M[F]_2)) *m 1%:M in
  (forall z, in_H z -> square (DA *m z) <= square z) /\
  forall f : 'cV_2 -> 'cV_2, ~ forall x, L 0 (f x) = DA *m L 0 x.
Proof.
move=> DA; rewrite /DA scaled_identity; have half1 : (1 / 2%:R) ^+ 2 <= 1 :> F.
  by rewrite exprMn expr1n mul1r exprVn -natrX invf_le1 ?ltr0n // ler1n.
split=> [z _|f same]; first by rewrite mul_scalar_mx squareZ ler_pimull ?square_ge0.
have := same (1 *: apart); rewrite L_apart expr1n addr0 sqrtr1 invr1 scale1r.
rewrite mul_scalar_mx scalerA mulr1 => /(congr1 (@square F 2)).
have n0 n : n.+1%:R != 0 :> F by rewrite pnatr_eq0.
rewrite apart_square exprMn expr1n mul1r exprVn -natrX -mulr_natr; case: (without_eps (f apart)) => -> e.
  have /eqP := congr1 (fun x => x * 4%:R) e; rewrite mulrAC mulVf ?n0 // mul1r -natrM eqr_nat //.
by have /eqP := congr1 (fun x => x * 4%:R) e; rewrite mulrAC mulVf ?n0 // mul1r mul0r eq_sym (negPf (n0 _)).
Qed.
(* eps = 0: the inverse takes L z to 0 in place of z, and L(2 z) = L(z) although 2 z - z is no multiple of 1. *)
(* Needed: theorem=unique hypothesis=eps > 0 lemma=needs_eps_unique *)
Lemma needs_eps_unique : [/\ back 0 (L 0 apart) = 0, centred apart = apart, apart <> 0,
  L 0 (2%:R *: apart) = L 0 apart & forall h, 2%:R *: apart <> apart + h *: ones].
Proof.
have n0 n : n.+1%:R != 0 :> F by rewrite pnatr_eq0.
have one : L 0 apart = apart by have := L_apart 0 1; rewrite !scale1r expr1n addr0 sqrtr1 invr1 scale1r.
split=> [|||| h].
- by rewrite /back mulr0 mul0r sqrtr0 scale0r.
- by apply: centred_H => //; have := apart_in_H 1; rewrite scale1r.
- by move=> /colP /(_ 0) /eqP; rewrite !mxE oner_eq0.
- by rewrite L_apart addr0 sqrtr_sqr ger0_norm ?ler0n // scalerA mulVf ?n0 // scale1r one.
rewrite scaler_nat mulr2n => /addrI e; move: (congr1 (fun z : 'cV_2 => z 0 0) e) (congr1 (fun z : 'cV_2 => z 1 0) e).
by rewrite !mxE !mulr1 => <- /eqP; rewrite eq_sym -addr_eq0 -mulr2n (negPf (n0 1%N)).
Qed.
End TwoNumbers.

(* u = (0, 1, 0), which is no multiple of (1, 0, 0) and does not kill A H: D A takes (0, 1, -1) to (0, 1, 0). *)
(* Needed: theorem=no_lambda hypothesis=L(f(x)) is D A L(x) lemma=needs_H_kept *)
Lemma needs_H_kept (F : fieldType) : let u : 'cV[F]_3 := delta_mx 1 0 in
  let z : 'cV[F]_3 := \col_i (if i == 0 then 0 else if i == 1 then 1 else - 1) in
  [/\ forall c, u <> c *: delta_mx 0 0, in_H z & diagonal u *m degenerate F *m z = delta_mx 1 0].
Proof.
move=> u z; split=> [c /colP /(_ 1) /eqP||].
- by rewrite !mxE mulr0 oner_eq0.
- by apply/matrixP => i j; rewrite !mxE !big_ord_recl big_ord0 !mxE /= !mul1r add0r addr0 subrr.
rewrite -mulmxA /diagonal mul_diag_mx; apply/colP => i; rewrite !mxE !big_ord_recl big_ord0 !mxE /=.
by case: i => -[|[|[|//]]] ? /=; rewrite ?(mul0r, mulr0, mul1r, add0r, addr0).
Qed.
