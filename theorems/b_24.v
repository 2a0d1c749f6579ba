(* b_24.v - B-24, Cholesky's form: which symmetric matrices are T T'.
 *
 * The paper (002, Eq. 11): "Another possibility is to parameterize a lower triangular matrix T_s^QK and to multiply it
 * by its transpose", "the well-known Cholesky decomposition of a symmetric matrix".  Corrected: of a positive
 * semidefinite one. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import semidefinite.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* Provably: claim=B-24 part=as-stated theorem=symmetric quantifiers=all commutative rings, sizes, T *)
Theorem symmetric (R : comRingType) N p (T : 'M[R]_(N, p)) : (T *m T^T)^T = T *m T^T.
Proof. by rewrite trmx_mul trmxK. Qed.

Section Cholesky.
Variables (F : rcfType) (N : nat).
Implicit Types M T : 'M[F]_N.
Definition definite M := M^T = M /\ forall v : 'rV_N, v != 0 -> 0 < (v *m M *m v^T) 0 0.

(* Provably: claim=B-24 part=corrected theorem=corrected quantifiers=all real closed fields, N, M *)
Theorem corrected M :
  (semidefinite M <-> exists T, lower T /\ M = T *m T^T) /\
  (definite M -> exists! T, [/\ lower T, forall i, 0 < T i i & M = T *m T^T]).
Proof.
split; first split=> [/cholesky [T [low _ ->]]|[T [_ ->]]]; [by exists T|exact: gram_semidefinite|].
move=> [sym pos]; have [|T [low ge0 eT]] := @cholesky _ _ M.
  split=> // v; have [->|v0] := eqVneq v 0; last by apply: ltW; apply: pos.
  by rewrite !mul0mx mxE.
have gt0 i : 0 < T i i.
  rewrite lt_neqAle ge0 andbT eq_sym; apply/eqP => z.
  have : \det T == 0 by rewrite det_trig ?(introT is_trig_mxP low) // (bigD1 i) //= z mul0r.
  case/det0P => v v0 vT; have := pos v v0.
  by rewrite eT !mulmxA vT !mul0mx mxE ltxx.
exists T; split=> // U [lU pU eU]; apply: cholesky_unique => //; by rewrite -eT.
Qed.
End Cholesky.

(* ---- as stated, and what is needed ------------------------------------------------------------------------------ *)

Definition mirror (F : rcfType) : 'M[F]_2 := \matrix_(i, j) (if i == j then if i == 0 then 1 else - 1 else 0).
Definition second (F : rcfType) : 'rV[F]_2 := \row_j (j != 0)%:R.
(* diag(1, -1) is symmetric, has x M x' = -1 for x = (0, 1), and is no T T'. *)
Lemma mirror_negative (F : rcfType) : (mirror F)^T = mirror F /\ (second F *m mirror F *m (second F)^T) 0 0 = - 1.
Proof.
split; first by apply/matrixP => i j; rewrite !mxE eq_sym; case: eqP => // ->.
rewrite mxE big_ord_recl big_ord1 !mxE !big_ord_recl !big_ord0 !mxE /=.
by rewrite !(mul0r, mulr0, mul1r, mulr1, add0r, addr0).
Qed.
(* Provably: claim=B-24 part=as-stated-sign theorem=no_form quantifiers=this matrix, all real closed fields *)
Theorem no_form (F : rcfType) :
  [/\ (mirror F)^T = mirror F, (second F *m mirror F *m (second F)^T) 0 0 = - 1 &
      forall N (T : 'M[F]_(2, N)), mirror F <> T *m T^T].
Proof.
have [sym neg] := mirror_negative F; split=> // N T eT; have [_ pos] := gram_semidefinite T.
by have := pos (second F); rewrite -eT neg ler0N1.
Qed.
(* Semidefinite is not enough for uniqueness where the diagonal may be 0: (0 0; 1 0) and (0 0; 0 1) give (0 0; 0 1). *)
(* Needed: theorem=corrected hypothesis=a positive diagonal lemma=needs_positive_diagonal *)
Lemma needs_positive_diagonal (F : rcfType) :
  let T : 'M[F]_2 := \matrix_(i, j) ((i != 0) && (j == 0))%:R in
  let U : 'M[F]_2 := \matrix_(i, j) ((i != 0) && (j != 0))%:R in
  [/\ lower T, lower U, T *m T^T = U *m U^T & T <> U].
Proof.
split.
- move=> i j ij; rewrite mxE (_ : j == 0 = false) ?andbF //; apply/negbTE.
  by rewrite -lt0n; apply: leq_ltn_trans ij.
- move=> i j ij; rewrite mxE (_ : i == 0) //; apply/eqP/val_inj/eqP; rewrite /= -leqn0 -ltnS.
  by apply: leq_trans ij _; rewrite -ltnS.
- apply/matrixP => i j; rewrite !mxE !big_ord_recl !big_ord0 !mxE /= !(andbT, andbF, mulr0, mul0r, addr0, add0r).
  by [].
by move=> /matrixP /(_ 1 0) /eqP; rewrite !mxE /= oner_eq0.
Qed.

(* 0 is semidefinite, and T T' = 0 leaves no positive diagonal. *)
(* Needed: theorem=corrected hypothesis=definite M lemma=needs_definite *)
Lemma needs_definite (F : rcfType) : semidefinite (0 : 'M[F]_1) /\
  ~ exists T : 'M[F]_1, [/\ lower T, forall i, 0 < T i i & 0 = T *m T^T].
Proof.
split=> [|[T [_ pos /matrixP /(_ 0 0)]]].
  by split=> [|v]; rewrite ?trmx0 // mulmx0 mul0mx mxE.
by rewrite !(mxE, big_ord1) => /esym/eqP; rewrite mulf_eq0 orbb gt_eqF.
Qed.
