(* k_e1_nec.v - K-E1-nec, Theorem E.1, both directions, at every width m.
 *
 * The paper (003, Theorem E.1): rows of W1 not zero and pairwise not collinear, columns of W2 not zero: there are V1,
 * V2 of the same shapes with W2 ReLU(W1 x) + x = V2 ReLU(V1 x) for all x iff some J has W2[:,J] W1[J,:] = -I.
 * Over every ordered field; |J| >= h and m >= h follow. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu generic relu_generic.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section TheoremE1.
Variables (F : realFieldType) (h m : nat) (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(h, m)).

(* Provably: claim=K-E1-nec part=as-stated theorem=theorem_E1 quantifiers=all ordered fields, h, m, W1, W2, V1, V2 *)
Theorem theorem_E1 : nonzero_rows W1 -> noncollinear W1 -> nonzero_columns W2 ->
  (exists (V2 : 'M[F]_(h, m)) (V1 : 'M[F]_(m, h)),
    forall x, mlp_of (@relu F) V2 V1 x = mlp_of (@relu F) W2 W1 x + x) <->
  exists J : pred 'I_m, part J W2 W1 = - 1%:M.
Proof.
move=> rows apart columns; rewrite -(absorbable_iff 1%:M rows apart columns).
by split=> -[V2 [V1 same]]; exists V2, V1 => x; rewrite same mul1mx.
Qed.
End TheoremE1.

(* Generic weights, that is all but zeros of a polynomial which is not 0: there is no J. *)
(* Provably: claim=K-E1-nec part=as-stated-no-J theorem=generic_no_J quantifiers=all ordered fields, h > 0, m; generic: outside the zeros of a polynomial *)
Theorem generic_no_J (F : realFieldType) h m : (0 < h)%N ->
  null (fun w : 'M[F]_(m, h) * 'M[F]_(h, m) => exists J : pred 'I_m, part J w.2 w.1 = - 1%:M).
Proof.
move=> h0; apply: (@some_J_null F h h m _ fst snd) => [//|//|A B|]; first by exists (A, B).
by apply/matrix0Pn; exists (Ordinal h0), (Ordinal h0); rewrite mxE eqxx oner_eq0.
Qed.

(* ---- each hypothesis is needed: exact examples over the rationals -------- *)

Section Needed.
Notation relu := (@relu _ : rat -> rat).

(* One collinear pair: W = x |-> ReLU(x) + 3 ReLU(-x) absorbs the skip, and no J has the sum -1. *)
Definition opposite : 'M[rat]_(2, 1) := \matrix_(i, j) (if i == 0 then 1 else -1).
Definition one_three : 'M[rat]_(1, 2) := \matrix_(i, j) (if j == 0 then 1 else 3%:R).
Definition two_two : 'M[rat]_(1, 2) := \matrix_(i, j) 2%:R.
(* Needed: theorem=theorem_E1 hypothesis=no two rows of W1 collinear lemma=needs_noncollinear *)
Lemma needs_noncollinear :
  [/\ nonzero_rows opposite, nonzero_columns one_three,
      (forall x, mlp_of relu two_two opposite x = mlp_of relu one_three opposite x + x) &
      forall J : pred 'I_2, part J one_three opposite <> - 1%:M].
Proof.
split=> [i|i|x|J].
- by apply/rV0Pn; exists 0; rewrite !mxE; case: ifP.
- by apply/cV0Pn; exists 0; rewrite !mxE; case: ifP.
- have dots i : dot (row i opposite) x = (if i == 0 then x 0 0 else - x 0 0).
    by rewrite /dot !mxE big_ord1 !mxE; case: ifP => _; rewrite ?mul1r ?mulN1r.
  rewrite !mlp_sum !big_ord_recl !big_ord0 !addr0 !dots /=.
  apply/colP => j; rewrite (ord1 j) !mxE /=; move: (x 0 0) => y.
  have sums (a b : rat) : a * 2%:R + b * 2%:R = a * 1 + b * 3%:R + (a - b).
    by rewrite mulr1 !mulr_natr [RHS]addrACA (mulrSr b 2) -(addrA (b *+ 2)) subrr addr0 mulr2n.
  by rewrite sums relu_half_odd.
move=> /matrixP /(_ 0 0); rewrite /part summxE big_mkcond !big_ord_recl big_ord0 !mxE !big_ord1 !mxE /=.
by case: (J _); case: (J _) => /eqP; vm_compute.
Qed.

(* A row 0 is 0 times any other: where there are two rows, noncollinear forbids it as well. *)
Lemma noncollinear_rows (F : realFieldType) h m (W1 : 'M[F]_(m.+2, h)) : noncollinear W1 -> nonzero_rows W1.
Proof.
move=> apart i; apply/eqP => zero; have [j ij] : exists j, i != j.
  by exists (if i == 0 then 1 else 0); case: ifP => [/eqP -> //|->].
by apply: (apart i j 0 ij); rewrite zero scale0r.
Qed.
(* If it may be there - the two rows are not collinear by c != 0 - W = x |-> ReLU(x) absorbs the skip with the neuron
 * that it does not use, and no J has the sum -1. *)
Definition one_zero : 'M[rat]_(2, 1) := \matrix_(i, j) (if i == 0 then 1 else 0).
Definition one_one : 'M[rat]_(1, 2) := const_mx 1.
Definition two_minus : 'M[rat]_(1, 2) := \matrix_(i, j) (if j == 0 then 2%:R else -1).
(* Needed: theorem=theorem_E1 hypothesis=no row of W1 zero lemma=needs_nonzero_rows *)
Lemma needs_nonzero_rows :
  [/\ forall i j c, i != j -> c != 0 -> row i one_zero <> c *: row j one_zero, nonzero_columns one_one,
      (forall x, mlp_of relu two_minus opposite x = mlp_of relu one_one one_zero x + x) &
      forall J : pred 'I_2, part J one_one one_zero <> - 1%:M].
Proof.
split=> [i j c ij c0 /rowP /(_ 0)|i|x|J].
- rewrite !mxE; move: ij; case: i => -[|[|//]] ?; case: j => -[|[|//]] ? //= _ /eqP.
    by rewrite mulr0 oner_eq0.
  by rewrite mulr1 eq_sym (negPf c0).
- by apply/cV0Pn; exists 0; rewrite !mxE.
- have dots i : dot (row i opposite) x = (if i == 0 then x 0 0 else - x 0 0).
    by rewrite /dot !mxE big_ord1 !mxE; case: ifP => _; rewrite ?mul1r ?mulN1r.
  have dots' i : dot (row i one_zero) x = (if i == 0 then x 0 0 else 0).
    by rewrite /dot !mxE big_ord1 !mxE; case: ifP => _; rewrite ?mul1r ?mul0r.
  rewrite !mlp_sum !big_ord_recl !big_ord0 !addr0 !dots !dots' /=.
  apply/colP => j; rewrite (ord1 j) !mxE /=; move: (x 0 0) => y.
  by rewrite [relu 0]relu_pos // mul0r addr0 mulr1 mulrN1 mulr_natr mulr2n -addrA relu_half_odd.
move=> /matrixP /(_ 0 0); rewrite /part summxE big_mkcond !big_ord_recl big_ord0 !mxE !big_ord1 !mxE /=.
by case: (J _); case: (J _) => /eqP; vm_compute.
Qed.

(* A column 0: W = x |-> (-ReLU(x_1), ReLU(x_2)) has a neuron to spare and absorbs the skip with it, and no J has the
 * sum -I. *)
Definition three_rows : 'M[rat]_(3, 2) := \matrix_(i, j) (if (i < 2)%N then (i == j :> nat)%:R else 1).
Definition spare : 'M[rat]_(2, 3) := \matrix_(i, j) (if i == j :> nat then if i == 0 then -1 else 1 else 0).
Definition turned_rows : 'M[rat]_(3, 2) :=
  \matrix_(i, j) (if i == 0 then (- (j == 0)%:R) else if i == 1 then (j == 1)%:R else - (j == 1)%:R).
Definition used : 'M[rat]_(2, 3) :=
  \matrix_(i, j) (if i == 0 then - (j == 0)%:R else if j == 0 then 0 else if j == 1 then 2%:R else -1).
(* Needed: theorem=theorem_E1 hypothesis=no column of W2 zero lemma=needs_nonzero_columns *)
Lemma needs_nonzero_columns :
  [/\ nonzero_rows three_rows, noncollinear three_rows,
      (forall x, mlp_of relu used turned_rows x = mlp_of relu spare three_rows x + x) &
      forall J : pred 'I_3, part J spare three_rows <> - 1%:M].
Proof.
split=> [i|i j c ij /rowP e|x|J].
- apply/rV0Pn; case: i => -[|[|[|//]]] lt; [exists 0|exists 1|exists 0]; by rewrite !mxE.
- move: (e 0) (e 1); rewrite !mxE; move: ij {e}; case: i => -[|[|[|//]]] ?; case: j => -[|[|[|//]]] ? //= _;
    by move=> /eqP; rewrite ?mulr0 ?mulr1 ?oner_eq0 // => /eqP <- /eqP; rewrite ?mulr1 ?mulr0 // ?oner_eq0.
- rewrite !mlp_sum !big_ord_recl !big_ord0 !addr0.
  have dots (W : 'M[rat]_(3, 2)) i : dot (row i W) x = W i 0 * x 0 0 + W i 1 * x 1 0.
    rewrite /dot !mxE !big_ord_recl big_ord0 addr0 !mxE; congr (_ + W _ _ * x _ _); exact: val_inj.
  rewrite !dots; have odd y : relu y = y + relu (- y).
    by apply/eqP; rewrite -subr_eq relu_half_odd.
  apply/colP => j; case: j => -[|[|//]] lt; rewrite !mxE /= ?(mul0r, mulr0, mul1r, mulr1, add0r, addr0, mulN1r, mulrN1).
    have -> : Ordinal lt = 0 by apply: val_inj.
    by move: (x 0 0) => y; rewrite [in RHS](odd y) opprD addrAC addNr add0r.
  have -> : Ordinal lt = 1 by apply: val_inj.
  by move: (x 1 0) => y; rewrite mulr_natr mulr2n -addrA relu_half_odd.
move=> /matrixP /(_ 1 1); rewrite /part summxE big_mkcond !big_ord_recl big_ord0 !mxE !big_ord1 !mxE /=.
by case: (J _); case: (J _); case: (J _) => /eqP; vm_compute.
Qed.

(* h = 0: there is one matrix, every J has the sum -I, and all weights are no null set. *)
(* Needed: theorem=generic_no_J hypothesis=h > 0 lemma=needs_a_column *)
Lemma needs_a_column (F : realFieldType) m :
  ~ null (fun w : 'M[F]_(m, 0) * 'M[F]_(0, m) => exists J : pred 'I_m, part J w.2 w.1 = - 1%:M).
Proof. by case/few_on_lines => w [_ [miss _]]; apply: miss; exists predT; apply/matrixP => -[]. Qed.

End Needed.
