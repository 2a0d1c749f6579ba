(* k_s5_inverse.v - K-S5-inverse, inverses can have substantially larger entries.
 *
 * The paper (001, 5.2.2): "the basis transformation involves matrix inverses, which can have substantially larger
 * entries than the original weights".  W_Q = (1, 1; 1, 1 + 2^-k) and W_K = I have entries of at most 2, and
 * W_Q^-1 W_K = (2^k + 1, -2^k; -2^k, 2^k), for every k.
 *
 * That it is the rule: `distance`.  What that means for Gaussian weights, their mean, is not formal. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Definition two_by_two (R : ringType) (a b c e : R) : 'M[R]_2 :=
  \matrix_(i, j) if (i < 1)%N then if (j < 1)%N then a else b else if (j < 1)%N then c else e.

Section Entries.
Variables (F : numFieldType) (k : nat).
Definition nearly_singular : 'M[F]_2 := two_by_two 1 1 1 (1 + (2%:R ^+ k)^-1).

(* Provably: claim=K-S5-inverse part=as-stated theorem=large_entries quantifiers=this family of matrices, every k, every field of numbers *)
Theorem large_entries : let W_Q := nearly_singular in let W_K := 1%:M : 'M[F]_2 in
  [/\ W_Q \in unitmx, forall i j, `|W_Q i j| <= 2%:R, forall i j, `|W_K i j| <= 2%:R &
      invmx W_Q *m W_K = two_by_two (2%:R ^+ k + 1) (- 2%:R ^+ k) (- 2%:R ^+ k) (2%:R ^+ k)].
Proof.
move=> W_Q W_K; pose p : F := 2%:R ^+ k; have p0 : p != 0 by rewrite expf_neq0 // pnatr_eq0.
have one2 : 1 <= 2%:R :> F by rewrite ler1n.
have product : W_Q *m two_by_two (p + 1) (- p) (- p) p = 1%:M.
  apply/matrixP => i j; rewrite /W_Q /nearly_singular mxE !big_ord_recl big_ord0 !mxE addr0 /=.
  case: i => -[|[|//]] ?; case: j => -[|[|//]] ? /=; rewrite !mul1r ?addrN ?addNr //.
  - by rewrite (addrC p) addrK.
  - by rewrite mulrN mulrDl mul1r mulVf // subrr.
  - by rewrite mulrDl mul1r mulVf // addKr.
have [u _] := mulmx1_unit product; split=> // [i j|i j|].
- rewrite /W_Q mxE; case: (i < 1)%N; case: (j < 1)%N; rewrite ?normr1 //.
  rewrite ger0_norm ?addr_ge0 ?invr_ge0 ?exprn_ge0 ?ler0n ?ler01 // [X in _ <= X](natrD _ 1 1) ler_add2l.
  by rewrite invf_le1 ?exprn_gt0 ?ltr0n // exprn_ege1.
- by rewrite /W_K mxE; case: (i == j); rewrite ?normr1 ?normr0 ?ler0n.
by rewrite mulmx1; apply: (can_inj (mulKmx u)); rewrite mulmxV // product.
Qed.
End Entries.

(* Row i of W^-1 is as long as 1 over the distance of column i of W from the span of the others: r is what is left of
 * column i, orthogonal to all others, and |z_i|^2 |r|^2 = 1. *)
Theorem distance (F : realFieldType) d (W : 'M[F]_d) (i : 'I_d) (c r : 'cV[F]_d) : W \in unitmx ->
  r = col i W - \sum_(j | j != i) c j 0 *: col j W -> (forall j, j != i -> r^T *m col j W = 0) ->
  let z := row i (invmx W) in (z *m z^T) 0 0 * (r^T *m r) 0 0 = 1.
Proof.
move=> u er orth z; pose s := (r^T *m r) 0 0.
have rW : r^T *m W = s *: delta_mx 0 i.
  apply/rowP => j; have -> : (r^T *m W) 0 j = (r^T *m col j W) 0 0.
    by rewrite !mxE; apply: eq_bigr => l _; rewrite !mxE.
  rewrite [RHS]mxE [X in _ * X]mxE eqxx /=; have [->|ne] := eqVneq j i; last by rewrite orth // mxE mulr0.
  rewrite mulr1 /s [X in _ = (_ *m X) 0 0]er mulmxBr mulmx_sumr big1 ?subr0 // => l ne.
  by rewrite -scalemxAr orth ?scaler0.
have rz : r^T = s *: z.
  apply: (can_inj (mulmxK u)); rewrite rW /z rowE -scalemxAl -mulmxA mulVmx // mulmx1 //.
have one : (z *m r) 0 0 = 1.
  rewrite er mulmxBr mulmx_sumr; have zW j : z *m col j W = (i == j)%:R%:M.
    rewrite /z colE mulmxA -row_mul mulVmx // -colE; apply/matrixP => a b; rewrite !mxE !ord1 //.
  rewrite zW eqxx big1 ?subr0 ?mxE ?eqxx // => j ne; by rewrite -scalemxAr zW eq_sym (negPf ne) raddf0 scaler0.
have : (z *m r) 0 0 = s * (z *m z^T) 0 0.
  have -> : r = s *: z^T by rewrite -[r]trmxK rz linearZ.
  by rewrite -scalemxAr mxE.
by rewrite one mulrC => ->.
Qed.

(* Two equal columns: W has no inverse, nothing is left of the first, r = 0, and the product is 0. *)
Lemma needs_invertible (F : fieldType) (z : 'rV[F]_2) : let W := const_mx 1 : 'M[F]_2 in let r := 0 : 'cV[F]_2 in
  [/\ r = col 0 W - \sum_(j | j != 0) (const_mx 1 : 'cV_2) j 0 *: col j W, forall j, j != 0 -> r^T *m col j W = 0 &
      (z *m z^T) 0 0 * (r^T *m r) 0 0 = 0].
Proof.
split=> [|j _|]; rewrite ?trmx0 ?mul0mx ?[X in _ * X]mxE ?mulr0 //.
by apply/colP => a; rewrite big_mkcond !big_ord_recl big_ord0 /= add0r addr0 !mxE mulr1 subrr.
Qed.
