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
(* no other D: u'A z = 0 on H if and only if u = c v *)
(* Provably: claim=K-C1 part=corrected-line theorem=line quantifiers=all fields, d, invertible A, u *)
Theorem line (u : 'cV[F]_d) : (forall z, in_H z -> u^T *m A *m z = 0) <-> exists c, u = c *: v.
Proof.
have inv' : A^T \in unitmx by rewrite unitmx_tr.
split=> [/kills_H [c e]|[c ->] z z0]; last first.
  have := invariant inv c; rewrite mulmxA row_diagonal => ->.
  by rewrite -scalemxAl z0 scaler0.
exists c; apply: (can_inj (mulKmx inv')); rewrite /gain -scalemxAr mulmxA mulmxV // mul1mx.
by rewrite -[LHS]trmxK trmx_mul trmxK e linearZ /= trmx_const.
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
 * zeros. *)
(* Provably: claim=K-C1 part=corrected theorem=conjugate quantifiers=all real closed fields, d, eps > 0, invertible A, lambda with D A a contraction of H *)
(* Provably: claim=K-C1 part=corrected-zero theorem=conjugate quantifiers=all real closed fields, d, eps > 0, invertible A, lambda with D A a contraction of H *)
Theorem conjugate lambda : let DA := diagonal (lambda *: gain A) *m A in
  (forall z, in_H z -> square (DA *m z) <= square z) -> exists f : 'cV_d -> 'cV_d, forall x, L (f x) = DA *m L x.
Proof.
move=> DA contracts; exists (fun x => back (DA *m L x)) => x; apply: L_back.
  by rewrite /in_H mulmxA (invariant inv) -scalemxAl L_in_H scaler0.
exact: le_lt_trans (contracts _ (L_in_H x)) (inside x).
Qed.

(* Longer than that no f can do: L stays inside the ball. *)
Lemma needs_contraction (M : 'M[F]_d) x : d%:R <= square (M *m L x) -> forall y, L y <> M *m L x.
Proof. by move=> long y e; have := inside y; rewrite e ltNge long. Qed.

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

(* every admissible D is a multiple of diag(1, 0, 0), and then D A = 0 on H: no lambda_0 exists *)
(* Provably: claim=K-C1 part=as-stated theorem=no_lambda quantifiers=this matrix over all fields, u, z in H *)
Theorem no_lambda (u : 'cV[F]_3) : (forall z, in_H z -> u^T *m degenerate *m z = 0) ->
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

(* Where A is not invertible there are more: for A = 0 every u. *)
Lemma needs_invertible (F : fieldType) d (u z : 'cV[F]_d) : u^T *m (0 : 'M_d) *m z = 0.
Proof. by rewrite mulmx0 mul0mx. Qed.
