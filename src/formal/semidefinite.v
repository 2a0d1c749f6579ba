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
rewrite mul_row_block tr_row_mx mul_row_col !mulmxDl !mxE !big_ord1 !mxE.
have -> : (w *m r^T *m t^T) 0 0 = t 0 0 * (r *m w^T) 0 0.
  by rewrite [LHS]mxE big_ord1 mxE mulrC -[w *m r^T]trmxK trmx_mul trmxK [in LHS]mxE.
have -> : (t *m r *m w^T) 0 0 = t 0 0 * (r *m w^T) 0 0.
  by rewrite -mulmxA mxE big_ord1.
by rewrite mulrDl mul1r addrACA !addrA -mulrA (mulrC (t 0 0)) mulrA -expr2 mulrA.
Qed.
End Cholesky.
