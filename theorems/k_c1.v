(* k_c1.v - K-C1, LayerNorm semi-conjugacy: which diagonal D are there.
 *
 * The paper (003, Lemma C.1): "Let eps > 0 and A in GL(d) be fixed. Then there exists a function f: R^d -> R^d and a
 * diagonal matrix D in R^{d x d} such that L_eps(f(x)) = (D A) L_eps(x) for all x."  Columns x; H = {z : 1'z = 0}. *)
From mathcomp Require Import all_ssreflect all_algebra.
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

Theorem only_multiples (u : 'cV[F]_d) (f : 'cV_d -> 'cV_d) : (forall x, L (f x) = diagonal u *m A *m L x) ->
  exists c, u = c *: gain A.
Proof.
move=> same; apply/(line inv) => z /L_spans [c [x ->]].
by rewrite -scalemxAr -row_diagonal -!mulmxA (mulmxA (diagonal u)) -same L_in_H scaler0.
Qed.
End LayerNorm.

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
