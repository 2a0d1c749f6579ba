(* semidefinite.v - squares of rows, positive semidefinite matrices, and Cholesky's form T T' of each.
 *
 * Rows v as in the papers: |v|^2 = v v', and M is positive semidefinite when v M v' >= 0 for all v. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* |v|^2 *)
Notation square v := ((v *m v^T) 0 0).

Section Squares.
Variable F : realFieldType.
Lemma square_ge0 p (v : 'rV[F]_p) : 0 <= square v.
Proof. by rewrite mxE; apply: sumr_ge0 => k _; rewrite mxE sqr_ge0. Qed.
Lemma square_eq0 p (v : 'rV[F]_p) : (square v == 0) = (v == 0).
Proof.
apply/eqP/eqP => [|->]; last by rewrite mul0mx mxE.
rewrite mxE => /eqP; rewrite psumr_eq0 => [/allP z|k _]; last by rewrite mxE sqr_ge0.
by apply/rowP => k; have := z k (mem_index_enum k); rewrite /= !mxE mulf_eq0 orbb => /eqP.
Qed.
End Squares.

(* ---- Cholesky -------------------------------------------------------------------------------------------------- *)

Section Cholesky.
Variable F : rcfType.
Definition semidefinite N (M : 'M[F]_N) := M^T = M /\ forall v : 'rV_N, 0 <= (v *m M *m v^T) 0 0.
Definition lower N (T : 'M[F]_N) := forall i j : 'I_N, (i < j)%N -> T i j = 0.

Lemma gram_semidefinite N p (W : 'M[F]_(N, p)) : semidefinite (W *m W^T).
Proof.
split=> [|v]; first by rewrite trmx_mul trmxK.
by rewrite mulmxA -mulmxA -trmx_mul square_ge0.
Qed.

(* A number is >= 0 for all t only if .. *)
Lemma linear_bound (a b : F) : (forall t, 0 <= a + t * b) -> b = 0.
Proof.
move=> pos; apply/eqP; apply: contraT => b0; have := pos (- (a + 1) / b).
by rewrite mulfVK // addrC opprD addrAC addNr add0r ler0N1.
Qed.

(* M = (a r; r' D) is semidefinite: a >= 0, r = 0 where a = 0, and D - r' r / a is semidefinite. *)
Lemma block_form N (a : 'M[F]_1) (r : 'rV[F]_N) D (t : 'M[F]_1) (w : 'rV_N) :
  (row_mx t w *m block_mx a r r^T D *m (row_mx t w)^T) 0 0 =
  a 0 0 * t 0 0 ^+ 2 + 2%:R * t 0 0 * (r *m w^T) 0 0 + (w *m D *m w^T) 0 0.
Proof.
have E (A B : 'M[F]_1) : (A + B) 0 0 = A 0 0 + B 0 0 by rewrite mxE.
have T (A B : 'M[F]_1) : (A *m B) 0 0 = A 0 0 * B 0 0 by rewrite mxE big_ord1.
rewrite mul_row_block tr_row_mx mul_row_col !mulmxDl !E -[t *m r *m _]mulmxA !T [t^T 0 0]mxE.
have -> : (w *m r^T) 0 0 = (r *m w^T) 0 0 by rewrite -[in LHS](trmxK w) -trmx_mul mxE.
rewrite expr2 mulr_natl mulr2n mulrDl !addrA mulrA (mulrC (t 0 0) (a 0 0)).
by rewrite [(r *m w^T) 0 0 * _]mulrC.
Qed.

Lemma square_zero (x : 'rV[F]_0) : square x = 0. Proof. by rewrite mxE big_ord0. Qed.

(* every positive semidefinite M is T T', T lower triangular with a diagonal >= 0 *)
Theorem cholesky N (M : 'M[F]_N) : semidefinite M ->
  exists T : 'M[F]_N, [/\ lower T, forall i, 0 <= T i i & M = T *m T^T].
Proof.
elim: N M => [|N IH] M.
  by move=> _; exists 0; split=> [[]|[]|] //; apply/matrixP => -[].
rewrite -[N.+1]/(1 + N)%N in M *; move=> [sym pos].
pose a := ulsubmx M; pose r := ursubmx M; pose D := drsubmx M.
have eM : M = block_mx a r r^T D.
  by rewrite -[LHS]submxK; congr (block_mx _ _ _ _); rewrite /r trmx_ursub sym.
have symD : D^T = D by rewrite /D trmx_drsub sym.
clearbody a r D.
have form t (w : 'rV_N) : 0 <= a 0 0 * t ^+ 2 + 2%:R * t * (r *m w^T) 0 0 + (w *m D *m w^T) 0 0.
  have tt : (t%:M : 'M[F]_1) 0 0 = t by rewrite mxE eqxx mulr1n.
  by have := pos (row_mx t%:M w); rewrite [in X in X -> _]eM block_form tt.
have a0 : 0 <= a 0 0.
  by have := form 1 0; rewrite expr1n mulr1 trmx0 !mulmx0 mxE mulr0 !addr0.
pose s := Num.sqrt (a 0 0); pose c := s^-1 *: r.
have sr : s *: c = r.
  rewrite /c scalerA; have [s0|s0] := eqVneq s 0; last by rewrite divff ?scale1r.
  rewrite s0 mul0r scale0r; apply/esym/eqP; rewrite -square_eq0.
  have az : a 0 0 = 0 by apply/eqP; rewrite eq_le a0 -sqrtr_eq0 -/s s0 eqxx.
  have /eqP : 2%:R * square r = 0.
    apply: (@linear_bound ((r *m D *m r^T) 0 0)) => t; have := form t r.
    by rewrite az mul0r add0r addrC (mulrC 2%:R t) -mulrA.
  by rewrite mulf_eq0 pnatr_eq0.
have c0 : s = 0 -> c = 0 by rewrite /c => ->; rewrite invr0 scale0r.
have ss : s * s = a 0 0 by rewrite -expr2 sqr_sqrtr.
have s0 : 0 <= s by apply: sqrtr_ge0.
clearbody c s.
have [|T [lT dT eT]] := IH (D - c^T *m c).
  split=> [|w]; first by rewrite linearB /= trmx_mul trmxK symD.
  rewrite mulmxBr mulmxBl mulmxA -(mulmxA (w *m c^T)).
  have -> : (w *m D *m w^T - w *m c^T *m (c *m w^T)) 0 0 = (w *m D *m w^T) 0 0 - (c *m w^T) 0 0 ^+ 2.
    rewrite mxE [X in _ + X]mxE; congr (_ - _).
    by rewrite mxE big_ord1 expr2; congr (_ * _); rewrite -[in LHS](trmxK w) -trmx_mul mxE.
  have [z|nz] := eqVneq s 0.
    rewrite (c0 z) mul0mx (_ : (0 : 'M[F]_1) 0 0 = 0); last by rewrite mxE.
    by rewrite expr0n subr0; have := form 0 w; rewrite expr0n !(mulr0, mul0r, add0r).
  have Z (A : 'M[F]_1) : (s *: A) 0 0 = s * A 0 0 by rewrite mxE.
  have := form (- s^-1 * (c *m w^T) 0 0) w; rewrite -sr -scalemxAl Z -ss.
  set y := (c *m w^T) 0 0; set q := (w *m D *m w^T) 0 0.
  have -> : s * s * (- s^-1 * y) ^+ 2 = y ^+ 2.
    by rewrite exprMn sqrrN mulrA -expr2 -exprMn divff // expr1n mul1r.
  have -> : 2%:R * (- s^-1 * y) * (s * y) = - (y ^+ 2 *+ 2).
    by rewrite mulNr mulrN mulNr -!mulrA (mulrCA y) mulKf // -expr2 mulr_natl.
  by rewrite mulr2n opprD addrA subrr sub0r addrC.
exists (block_mx s%:M 0 c^T T); split.
- move=> i j; rewrite -(splitK i) -(splitK j); case: (split i) => i'; case: (split j) => j' /=.
  + by rewrite (ord1 i') (ord1 j').
  + by rewrite block_mxEur mxE.
  + by rewrite (ord1 j').
  + by rewrite block_mxEdr !add1n ltnS => /lT.
- move=> i; rewrite -(splitK i); case: (split i) => i' /=; last by rewrite block_mxEdr dT.
  by rewrite block_mxEul (ord1 i') mxE eqxx.
rewrite tr_block_mx mulmx_block !trmx0 !(mulmx0, mul0mx, addr0) trmxK tr_scalar_mx -eT addrC subrK.
rewrite -scalar_mxM ss mul_scalar_mx mul_mx_scalar -linearZ sr eM; congr (block_mx _ _ _ _).
exact: mx11_scalar.
Qed.

(* .. and T is the only one with a positive diagonal. *)
Theorem cholesky_unique N (T U : 'M[F]_N) : lower T -> lower U -> (forall i, 0 < T i i) -> (forall i, 0 < U i i) ->
  T *m T^T = U *m U^T -> T = U.
Proof.
elim: N T U => [|N IH] T U; first by move=> *; apply/matrixP => -[].
rewrite -[N.+1]/(1 + N)%N in T U *.
have form (A : 'M[F]_(1 + N)) : lower A -> (forall i, 0 < A i i) -> exists a (c : 'cV_N) (D : 'M_N),
    [/\ A = block_mx a%:M 0 c D, 0 < a, lower D & forall i, 0 < D i i].
  move=> low pos; exists (A 0 0), (dlsubmx A), (drsubmx A); split=> //.
  - rewrite -[LHS]submxK; congr (block_mx _ _ _ _); last first.
      by apply/matrixP => i j; rewrite !mxE low // (ord1 i).
    by rewrite [LHS]mx11_scalar !mxE; congr (A _ _)%:M; apply: val_inj.
  - by move=> i j ij; rewrite !mxE low //= ltn_add2l.
  by move=> i; rewrite !mxE.
move=> lT lU pT pU; have [a [c [D [-> a0 lD pD]]]] := form T lT pT; have [b [e [G [-> b0 lG pG]]]] := form U lU pU.
rewrite !tr_block_mx !mulmx_block !trmx0 !(mulmx0, mul0mx, addr0) !tr_scalar_mx -!scalar_mxM.
case/eq_block_mx => /matrixP /(_ 0 0); rewrite !mxE !mulr1n => aa _ ca.
have ab : a = b by apply: (@pexpIrn _ 2); rewrite ?nnegrE ?ltW // !expr2.
have ce : c = e.
  move: ca; rewrite ab !mul_mx_scalar => /(congr1 ( *:%R b^-1)); rewrite !scalerA mulVf ?gt_eqF // !scale1r; exact.
by rewrite ab ce => /addrI /IH -> .
Qed.
End Cholesky.
