(* b_20.v - B-20, the similarity of query and key is asymmetric in general.
 *
 * The paper (002, Section 5): the similarity x_i W_Q W_K' x_j' "is asymmetric.  This is because the matrices W_Q and
 * W_K are potentially different."  Null as in generic.v: a polynomial that is not 0 everywhere is 0 on the set. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import generic.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Scores.
Variables (F : fieldType) (n N dk : nat).
Notation weights := ('M[F]_(N, dk) * 'M[F]_(N, dk))%type.
Definition scores (X : 'M[F]_(n, N)) (W_Q W_K : 'M[F]_(N, dk)) : 'M_n := (X *m W_Q) *m (X *m W_K)^T.

(* Tokens X that are not all multiples of one: S = S' on a null set of (W_Q, W_K) alone, of any width dk. *)
(* Provably: claim=B-20 part=as-stated theorem=as_stated quantifiers=all fields, sizes, X of rank > 1; almost all: outside the zeros of a polynomial *)
Theorem as_stated (X : 'M[F]_(n, N)) : (0 < dk)%N -> (1 < \rank X)%N ->
  null (fun W : weights => scores X W.1 W.2 = (scores X W.1 W.2)^T).
Proof.
move=> dk0 rX; pose minor i j a b := X i a * X j b - X j a * X i b.
have [i [j [a [b nz]]]] : exists i j a b, minor i j a b != 0.
  have [/existsP [p nz]|/existsPn z] := boolP [exists p, minor p.1.1 p.1.2 p.2.1 p.2.2 != 0].
    by exists p.1.1, p.1.2, p.2.1, p.2.2.
  have /matrix0Pn [i [a Xia]] : X != 0 by apply: contraTneq rX => ->; rewrite mxrank0.
  suff e : X = (\col_j (X j a / X i a)) *m row i X.
    by move: rX; rewrite ltnNge e (leq_trans (mxrankM_maxr _ _)) // rank_leq_row.
  apply/matrixP => j b; rewrite !mxE big_ord1 !mxE; have := z ((i, j), (a, b)); rewrite negbK subr_eq0 /= => /eqP e.
  by rewrite mulrAC -e mulrAC mulfV // mul1r.
have l1 c (x y : weights) : (c *: x + y).1 = c *: x.1 + y.1 by [].
have l2 c (x y : weights) : (c *: x + y).2 = c *: x.2 + y.2 by [].
have S_poly : polynomials (fun W : weights => scores X W.1 W.2).
  apply: polynomials_mul; last apply: polynomials_tr.
    by apply: polynomials_mul; [apply: polynomials_const | apply: polynomials_linear].
  by apply: polynomials_mul; [apply: polynomials_const | apply: polynomials_linear].
exists (fun W => scores X W.1 W.2 i j - scores X W.1 W.2 j i); split=> [||W sym].
- by apply: polynomial_sub.
- pose first c : 'M[F]_(N, dk) := delta_mx c (Ordinal dk0).
  have at_ c d k l : scores X (first c) (first d) k l = X k c * X l d.
    rewrite mxE (bigD1 (Ordinal dk0)) //= big1 => [|e /negPf ne]; rewrite !mxE (bigD1 c) //= big1 => [|f /negPf nf].
    + by rewrite (bigD1 d) //= big1 => [|f /negPf nf]; rewrite !mxE ?eqxx ?nf ?mulr0 // !addr0 !mulr1.
    + by rewrite mxE nf mulr0.
    + by rewrite !mxE ne andbF mulr0 addr0 mul0r.
    by rewrite !mxE nf mulr0.
  by exists (first a, first b); rewrite !at_.
by rewrite [in X in X - _]sym mxE subrr.
Qed.

(* Different matrices are not enough: W_K = 2 W_Q is symmetric; nor is one token, or many multiples of one. *)
Lemma needs_more (X : 'M[F]_(n, N)) W_Q : scores X W_Q (2%:R *: W_Q) = (scores X W_Q (2%:R *: W_Q))^T.
Proof. by rewrite /scores -scalemxAr linearZ /= -scalemxAr [RHS]linearZ /= [in RHS]trmx_mul trmxK. Qed.
Lemma needs_rank (X : 'M[F]_(n, N)) W_Q W_K (u : 'cV_n) (v : 'rV_N) : X = u *m v ->
  scores X W_Q W_K = (scores X W_Q W_K)^T.
Proof.
move=> ->; have outer (a b : 'rV_dk) : (u *m a) *m (u *m b)^T = (a *m b^T) 0 0 *: (u *m u^T).
  by rewrite trmx_mul -mulmxA (mulmxA a); move: (a *m b^T) => c; rewrite {1}(mx11_scalar c) mul_scalar_mx -scalemxAr.
by rewrite /scores -(mulmxA u v W_Q) -(mulmxA u v W_K) outer; move: (_ *m _) => c;
  rewrite [RHS]linearZ /= trmx_mul trmxK.
Qed.
(* With tokens of rank 1, or with heads of width 0, all weights are among those of S = S', not almost none. *)
Lemma all_not_null (T : lmodType F) (A : T -> Prop) : (forall w, A w) -> ~ null A.
Proof. by move=> all_A [f [_ [w nz] zero]]; case/eqP: nz; apply: zero. Qed.
(* Needed: theorem=as_stated hypothesis=tokens of rank > 1 lemma=needs_rank_2 *)
Lemma needs_rank_2 (X : 'M[F]_(n, N)) (u : 'cV_n) (v : 'rV_N) : X = u *m v ->
  ~ null (fun W : weights => scores X W.1 W.2 = (scores X W.1 W.2)^T).
Proof. by move=> eX; apply: all_not_null => W; apply: needs_rank eX. Qed.
End Scores.
(* Needed: theorem=as_stated hypothesis=heads of width dk > 0 lemma=needs_a_width *)
Lemma needs_a_width (F : fieldType) n N (X : 'M[F]_(n, N)) :
  ~ null (fun W : 'M[F]_(N, 0) * 'M[F]_(N, 0) => scores X W.1 W.2 = (scores X W.1 W.2)^T).
Proof.
apply: all_not_null => W; have none (A B : 'M[F]_(n, 0)) : A *m B^T = 0.
  by apply/matrixP => i j; rewrite !mxE big_ord0.
by rewrite /scores none trmx0.
Qed.
