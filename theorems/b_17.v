(* b_17.v - B-17, one collapsed matrix for each head is no saving.
 *
 * The paper (002, Section 4): "W_sh^QK is of dimension (N, N) and has thus N^2 parameters while W_sh^Q and W_sh^K
 * together have 2N^2/H, which is a smaller or equal number for H > 1."  Heads have the width r = N/H. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import generic.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* 2 N r entries, that is 2 N^2 / H, against N^2 *)
(* Provably: claim=B-17 part=as-stated theorem=counts quantifiers=all H > 1, r > 0, N = H r *)
Theorem counts H r : (1 < H)%N -> (0 < r)%N -> let N := (H * r)%N in let factored := (N * r + N * r)%N in
  [/\ (factored * H = 2 * (N * N))%N, (factored <= N * N)%N & (factored == N * N)%N = (H == 2)%N].
Proof.
move=> H1 r0 N factored; have N0 : (0 < N)%N by rewrite muln_gt0 r0 andbT ltnW.
have e : factored = (N * (2 * r))%N by rewrite /factored addnn -mul2n mulnCA.
split; first by rewrite e -mulnA -[(2 * r * H)%N]mulnA (mulnC r) mulnCA.
  by rewrite e leq_mul2l /N leq_mul2r H1 !orbT.
by rewrite e eqn_mul2l eqn0Ngt N0 /= /N eqn_mul2r eqn0Ngt r0 eq_sym.
Qed.

(* the factored form is redundant, too *)
(* Provably: claim=B-17 part=as-stated-gauge theorem=same_product quantifiers=all commutative rings, sizes, W_Q, W_K, G in GL(r) *)
Theorem same_product (R : comUnitRingType) N r (Q K : 'M[R]_(N, r)) (G : 'M_r) : G \in unitmx ->
  (Q *m G) *m (K *m (invmx G)^T)^T = Q *m K^T.
Proof. by move=> u; rewrite trmx_mul trmxK mulmxA mulmxK. Qed.

(* the rank is at most r, and r for all W_Q and W_K of rank r *)
Lemma rank_of (F : fieldType) N r (Q K : 'M[F]_(N, r)) :
  (\rank (Q *m K^T) <= r)%N /\ (\rank Q = r -> \rank K = r -> \rank (Q *m K^T) = r).
Proof.
split=> [|rQ rK]; first by apply: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
by rewrite mxrankMfree // -row_leq_rank mxrank_tr rK.
Qed.

(* .. which are almost all: the others are zeros of a minor (generic.v) *)
(* Provably: claim=B-17 part=as-stated-rank theorem=rank quantifiers=all fields, H > 0, r, N = H r; almost all: outside the zeros of a polynomial *)
Theorem rank (F : fieldType) H r : (0 < H)%N -> let N := (H * r)%N in
  null (fun W : 'M[F]_(N, r) * 'M[F]_(N, r) => \rank (W.1 *m W.2^T) <> r).
Proof.
move=> H0 N; have rN : (r <= N)%N by rewrite leq_pmull.
pose A : 'M[F]_(r, N) := pid_mx r; have AA : A *m A^T = 1%:M.
  by rewrite tr_pid_mx mul_pid_mx !minnn (minn_idPr rN) pid_mx_1.
have full (W : 'M[F]_(N, r)) : \det (A *m W) != 0 -> \rank W = r.
  move=> d0; apply/eqP; rewrite eqn_leq rank_leq_col /= -{1}(mxrank_unit (_ : A *m W \in unitmx)) ?mxrankM_maxr //.
  by rewrite unitmxE unitfE.
have l1 a (x y : 'M[F]_(N, r) * 'M[F]_(N, r)) : (a *: x + y).1 = a *: x.1 + y.1 by [].
have l2 a (x y : 'M[F]_(N, r) * 'M[F]_(N, r)) : (a *: x + y).2 = a *: x.2 + y.2 by [].
exists (fun W => \det (A *m W.1) * \det (A *m W.2)); split=> [||W low].
- by apply: Product; apply: polynomial_det; apply: polynomials_mul;
    by [apply: polynomials_const|apply: polynomials_linear].
- by exists (A^T, A^T); rewrite /= AA det1 mul1r oner_eq0.
apply/eqP; apply: contraT; rewrite mulf_eq0 negb_or => /andP [d1 d2].
by case: low; have [_ ->] := rank_of W.1 W.2; rewrite // full.
Qed.

(* H = 1: 2 N^2 > N^2. *)
(* Needed: theorem=counts hypothesis=more than one head lemma=needs_heads *)
Lemma needs_heads : (1 * 1 < 1 * 1 + 1 * 1)%N. Proof. by []. Qed.

(* H = 3 heads of width 0: both counts are 0 and equal, and H is not 2. *)
(* Needed: theorem=counts hypothesis=heads of width r > 0 lemma=needs_a_width *)
Lemma needs_a_width : let N := (3 * 0)%N in (N * 0 + N * 0 == N * N)%N /\ (3 == 2)%N = false.
Proof. by []. Qed.
(* G = 0, which has no inverse (Coq writes 0 for it), W_Q = W_K = 1: 0 in place of 1. *)
(* Needed: theorem=same_product hypothesis=G in GL(r) lemma=needs_invertible *)
Lemma needs_invertible : let one := 1%:M : 'M[rat]_1 in
  (one *m 0) *m (one *m (invmx 0)^T)^T = 0 /\ one *m one^T = 1%:M.
Proof. by rewrite /= mulmx0 mul0mx trmx1 mulmx1. Qed.
(* No heads, N = 0: no matrix has rank 1, so those of another rank are all, not almost none. *)
(* Needed: theorem=rank hypothesis=a head lemma=needs_a_head *)
Lemma needs_a_head (F : fieldType) : let N := (0 * 1)%N in
  ~ null (fun W : 'M[F]_(N, 1) * 'M[F]_(N, 1) => \rank (W.1 *m W.2^T) <> 1%N).
Proof.
move=> N [f [_ [w nz] zero]]; case/eqP: nz; apply: zero => one.
by have := rank_leq_row (w.1 *m w.2^T); rewrite one.
Qed.
