(* b_14.v - B-14, outputs of attention without values and projections are averages of its inputs.
 *
 * The paper (002, Eq. 10): "The output embedding z_Si is a convex combination of input embeddings x_1i. In other words,
 * it is a member of the convex set spanned by x_1i."
 *
 * A s Z are the weights of layer s, which may depend on its input Z; Z_S = A_S .. A_1 X. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Notation ones := (const_mx 1).

Section Products.
Variables (R : comRingType) (n d : nat) (A : nat -> 'M[R]_(n, d) -> 'M[R]_n) (X : 'M[R]_(n, d)).
Fixpoint outputs S : 'M_(n, d) := if S is s.+1 then A s (outputs s) *m outputs s else X.
Fixpoint product S : 'M_n := if S is s.+1 then A s (outputs s) *m product s else 1%:M.

Lemma outputs_product S : outputs S = product S *m X.
Proof. by elim: S => [|S IH] /=; rewrite ?mul1mx // -mulmxA -IH. Qed.
Lemma product_sums c S : (forall s Z, A s Z *m (ones : 'cV_n) = c *: ones) ->
  product S *m (ones : 'cV_n) = c ^+ S *: ones.
Proof.
move=> sums; elim: S => [|S IH] /=; first by rewrite mul1mx scale1r.
by rewrite -mulmxA IH -scalemxAr sums scalerA exprSr.
Qed.

(* Z_S = B X with B = A_S .. A_1 and B 1 = 1 *)
(* Provably: claim=B-14 part=as-stated theorem=as_stated quantifiers=all commutative rings, sizes, depths, A whose rows sum to 1, X *)
Theorem as_stated S : (forall s Z, A s Z *m (ones : 'cV_n) = ones) ->
  outputs S = product S *m X /\ product S *m (ones : 'cV_n) = ones.
Proof.
move=> sums; split; first exact: outputs_product.
by rewrite (@product_sums 1) ?expr1n ?scale1r // => s Z; rewrite scale1r.
Qed.
End Products.

Section Hull.
Variables (F : realFieldType) (n d : nat).
Implicit Types (X Z : 'M[F]_(n, d)) (A : nat -> 'M[F]_(n, d) -> 'M[F]_n).

Definition nonnegative (P : 'M[F]_n) := forall i j, 0 <= P i j.
Definition stochastic (P : 'M[F]_n) := nonnegative P /\ P *m (ones : 'cV_n) = ones.
(* z is sum_j b_j x_j with b_j >= 0 and sum_j b_j = 1 *)
Definition in_hull X (z : 'rV[F]_d) := exists b : 'rV[F]_n,
  [/\ forall j, 0 <= b 0 j, \sum_j b 0 j = 1 & z = b *m X].

Lemma product_nonnegative A X S : (forall s Z, nonnegative (A s Z)) -> nonnegative (product A X S).
Proof.
move=> pos; elim: S => [|S IH] i j /=; first by rewrite mxE ler0n.
by rewrite mxE sumr_ge0 // => k _; rewrite mulr_ge0 // ?pos ?IH.
Qed.

Lemma hull_of (P : 'M[F]_n) X c i : nonnegative P -> P *m (ones : 'cV_n) = c *: ones -> 0 < c ->
  in_hull X (row i (c^-1 *: (P *m X))).
Proof.
move=> pos sums c0; exists (c^-1 *: row i P); split=> [j||].
- by rewrite !mxE; apply: mulr_ge0 (pos _ _); rewrite invr_ge0 ltW.
- transitivity (c^-1 * (P *m (ones : 'cV_n)) i 0); last by rewrite sums !mxE mulr1 mulVf ?gt_eqF.
  by rewrite mxE mulr_sumr; apply: eq_bigr => j _; rewrite !mxE mulr1.
by rewrite -scalemxAl -row_mul; apply/rowP => j; rewrite !mxE.
Qed.

(* any weights A_s >= 0 with A_s 1 = 1 *)
(* Provably: claim=B-14 part=as-stated-hull theorem=hull quantifiers=all ordered fields, sizes, depths, stochastic weights that may depend on the input, X *)
Theorem hull A X S i : (forall s Z, stochastic (A s Z)) -> in_hull X (row i (outputs A X S)).
Proof.
move=> st; rewrite outputs_product -[product _ _ _ *m X]scale1r -[1]invr1; apply: hull_of; last exact: ltr01.
  by apply: product_nonnegative => s Z; have [] := st s Z.
by rewrite (@product_sums _ _ _ _ _ 1) ?expr1n // => s Z; rewrite scale1r; have [] := st s Z.
Qed.

(* softmax of scores, with any positive function e in place of exp, over the tokens that row i sees *)
Definition softmax (e : F -> F) (visible : 'I_n -> 'I_n -> bool) (scores : 'M[F]_n) : 'M[F]_n :=
  \matrix_(i, j) ((if visible i j then e (scores i j) else 0) / \sum_(k | visible i k) e (scores i k)).

Lemma softmax_stochastic e (visible : 'I_n -> 'I_n -> bool) scores :
  (forall y, 0 < e y) -> (forall i, exists j, visible i j) ->
  stochastic (softmax e visible scores).
Proof.
move=> e0 sees; have total i : 0 < \sum_(k | visible i k) e (scores i k).
  have [j ij] := sees i; rewrite (bigD1 j) //=; apply: ltr_paddr (e0 _).
  by apply: sumr_ge0 => k _; apply: ltW.
split=> [i j|]; rewrite ?mxE; first by apply: divr_ge0 (ltW (total i)); case: ifP => _; rewrite ?lexx ?ltW.
apply/colP => i; rewrite !mxE (eq_bigr (fun j => (if visible i j then e (scores i j) else 0) /
  \sum_(k | visible i k) e (scores i k))) => [|j _]; last by rewrite !mxE mulr1.
by rewrite -mulr_suml -big_mkcond divff ?gt_eqF.
Qed.

Lemma softmax_positive e (visible : 'I_n -> 'I_n -> bool) scores i j :
  (forall y, 0 < e y) -> visible i j -> 0 < softmax e visible scores i j.
Proof.
move=> e0 ij; rewrite mxE ij divr_gt0 // (bigD1 j) //=; apply: ltr_paddr (e0 _).
by apply: sumr_ge0 => k _; apply: ltW.
Qed.

(* the same for the softmax of each layer's scores, any function of its input *)
(* Provably: claim=B-14 part=corrected theorem=hull_softmax quantifiers=all ordered fields, sizes, depths, masks, scores, positive functions in place of exp, X *)
Theorem hull_softmax e (visible : 'I_n -> 'I_n -> bool) (scores : nat -> 'M[F]_(n, d) -> 'M[F]_n) X S i :
  (forall y, 0 < e y) -> (forall k, exists j, visible k j) ->
  in_hull X (row i (outputs (fun s Z => softmax e visible (scores s Z)) X S)).
Proof. by move=> e0 sees; apply: hull => s Z; apply: softmax_stochastic. Qed.

(* with skips, no norm: Z + A Z, and Z_S / 2^S lies in the hull *)
Definition with_skips A s Z : 'M[F]_n := 1%:M + A s Z.
Lemma skip_is_added A X S : outputs (with_skips A) X S.+1 =
  outputs (with_skips A) X S + A S (outputs (with_skips A) X S) *m outputs (with_skips A) X S.
Proof. by rewrite /= mulmxDl mul1mx. Qed.

(* Provably: claim=B-14 part=corrected-skip theorem=hull_skips quantifiers=all ordered fields, sizes, depths, stochastic weights that may depend on the input, X *)
Theorem hull_skips A X S i : (forall s Z, stochastic (A s Z)) ->
  in_hull X (row i (2%:R ^- S *: outputs (with_skips A) X S)).
Proof.
move=> st; rewrite outputs_product; apply: hull_of; last by rewrite exprn_gt0 // ltr0n.
  apply: product_nonnegative => s Z j k; have [pos _] := st s Z.
  by rewrite !mxE addr_ge0 ?pos ?ler0n.
apply: product_sums => s Z; have [_ sums] := st s Z.
by rewrite mulmxDl mul1mx sums -[in LHS](scale1r ones) -scalerDl.
Qed.
End Hull.

(* ---- tokens come closer ------------------------------------------------------------------------------------------ *)

Section Closer.
Variables (F : realFieldType) (n : nat).
Implicit Types (A : 'M[F]_n) (z : 'cV[F]_n).
Notation pairs f := (\big[Num.max/0]_(p : 'I_n * 'I_n) f p).

(* max_i,k (z_i - z_k), and delta(A) = max_i,k 1/2 sum_j |a_ij - a_kj| *)
Definition spread z : F := pairs (fun p => z p.1 0 - z p.2 0).
Definition delta A : F := pairs (fun p => 2%:R^-1 * \sum_j `|A p.1 j - A p.2 j|).

Lemma max_ge (f : 'I_n * 'I_n -> F) p : f p <= pairs f.
Proof.
rewrite unlock /=; elim: (index_enum _) (mem_index_enum p) => //= q r IH.
by rewrite in_cons => /orP [/eqP <-|/IH le]; rewrite le_maxr ?lexx ?le ?orbT.
Qed.
Lemma max_le (f : 'I_n * 'I_n -> F) b : 0 <= b -> (forall p, f p <= b) -> pairs f <= b.
Proof. by move=> b0 fb; elim/big_ind: _ => // x y xb yb; rewrite le_maxl xb. Qed.
Lemma max_lt (f : 'I_n * 'I_n -> F) b : 0 < b -> (forall p, f p < b) -> pairs f < b.
Proof. by move=> b0 fb; elim/big_ind: _ => // x y xb yb; rewrite lt_maxl xb. Qed.
Lemma max_ge0 (f : 'I_n * 'I_n -> F) : 0 <= pairs f.
Proof. by elim/big_rec: _ => // p x _ x0; rewrite le_maxr x0 orbT. Qed.

(* sum_j p_j z_j with sum_j p_j = 0 *)
Lemma balanced (p : 'I_n -> F) z : \sum_j p j = 0 -> \sum_j p j * z j 0 <= 2%:R^-1 * (\sum_j `|p j|) * spread z.
Proof.
move=> p0; have [i0 _|none] := pickP (@predT 'I_n); last first.
  by rewrite big1 => [|j _]; [rewrite mulr_ge0 ?max_ge0 ?mulr_ge0 ?invr_ge0 ?ler0n ?sumr_ge0|have := none j].
have [j0 _ top] := @arg_maxP _ _ _ i0 predT (fun j => z j 0) isT.
set t := 2%:R^-1 * spread z; have tt : t + t = spread z.
  by rewrite -mulr2n -mulrnAl -(mulr_natr 2%:R^-1) mulVf ?mul1r ?pnatr_eq0.
have near j : `|z j 0 - (z j0 0 - t)| <= t.
  rewrite ler_norml ler_subr_addr addrCA -opprD tt ler_subl_addr -ler_subl_addl (max_ge _ (j0, j)) /=.
  by rewrite ler_subl_addr addrCA subrr addr0; apply: top.
have -> : \sum_j p j * z j 0 = \sum_j p j * (z j 0 - (z j0 0 - t)).
  under [RHS]eq_bigr do rewrite mulrBr.
  by rewrite sumrB -mulr_suml p0 mul0r subr0.
apply: le_trans (ler_norm _) _; apply: le_trans (ler_norm_sum _ _ _) _.
rewrite mulrAC mulrC mulr_suml; apply: ler_sum => j _.
by rewrite normrM; apply: ler_wpmul2l.
Qed.

(* the spread of A z is at most delta(A) times that of z, and delta(A) < 1 where all weights are positive *)
Theorem closer A z : stochastic A ->
  spread (A *m z) <= delta A * spread z /\ ((forall i j, 0 < A i j) -> delta A < 1).
Proof.
move=> [pos /colP sums]; have total i : \sum_j A i j = 1.
  by have := sums i; rewrite !mxE => <-; apply: eq_bigr => j _; rewrite mxE mulr1.
split=> [|pos1].
  apply: max_le => [|[i k] /=]; first by rewrite mulr_ge0 ?max_ge0.
  rewrite !mxE -sumrB; under eq_bigr do rewrite -mulrBl.
  apply: le_trans (@balanced (fun j => A i j - A k j) z _) _; first by rewrite sumrB !total subrr.
  by apply: ler_wpmul2r; [exact: max_ge0|exact: (max_ge _ (i, k))].
apply: max_lt => [|[i k] /=]; first exact: ltr01.
rewrite mulrC ltr_pdivr_mulr ?ltr0n // mul1r; have -> : 2%:R = \sum_j (A i j + A k j) by rewrite big_split /= !total.
have lt j : `|A i j - A k j| < A i j + A k j.
  by rewrite ltr_norml opprD ltr_add2r ltr_add2l !gtr_opp ?pos1.
rewrite -subr_gt0 -sumrB (bigD1 i) //=; apply: ltr_paddr; last by rewrite subr_gt0.
by apply: sumr_ge0 => j _; rewrite subr_ge0 ltW.
Qed.

(* all tokens visible: in each coordinate j the spread of Z_(s+1) is at most delta(A) < 1 times that of Z_s *)
(* Provably: claim=B-14 part=corrected-near theorem=closer_softmax quantifiers=all ordered fields, sizes, depths, scores, positive functions in place of exp, X, coordinates *)
Theorem closer_softmax d e (scores : nat -> 'M[F]_(n, d) -> 'M[F]_n) X s j : (forall y, 0 < e y) ->
  let A s Z := softmax e (fun _ _ => true) (scores s Z) in let Z := outputs A X in
  spread (col j (Z s.+1)) <= delta (A s (Z s)) * spread (col j (Z s)) /\ delta (A s (Z s)) < 1.
Proof.
move=> e0 A Z; have st : stochastic (A s (Z s)) by apply: softmax_stochastic => // i; exists i.
have [near lt] := closer (col j (Z s)) st; split; last by apply: lt => i k; apply: softmax_positive.
by rewrite /= colE -mulmxA -colE.
Qed.
End Closer.

(* ---- each hypothesis is needed: one token, x = 1 ---------------------------------------------------------------- *)

Section Needed.
Definition always (s : nat) (Z : 'M[rat]_1) : 'M[rat]_1 := 1%:M.
Lemma only_itself (x z : 'M[rat]_1) : in_hull x z -> z = x.
Proof. by case=> b [_]; rewrite big_ord1 => b1 ->; rewrite [b]mx11_scalar b1 mul1mx. Qed.

(* The token x = 1, with a skip z = 2; with an output bias b = 1, too: neither is in the hull of x. *)
(* Needed: theorem=hull,hull_softmax hypothesis=no skip lemma=needs_no_skip *)
Lemma needs_no_skip : ~ in_hull (1%:M : 'M[rat]_1) (row 0 (outputs (with_skips always) 1%:M 1)).
Proof. by move=> /only_itself /matrixP /(_ 0 0); rewrite !(mxE, big_ord1) /= => /eqP. Qed.
(* Needed: theorem=hull,hull_softmax hypothesis=no output bias lemma=needs_no_bias *)
Lemma needs_no_bias : ~ in_hull (1%:M : 'M[rat]_1) (row 0 (outputs always 1%:M 1 + ones)).
Proof. by move=> /only_itself /matrixP /(_ 0 0); rewrite !(mxE, big_ord1) /= => /eqP. Qed.
(* One layer with its skip, x = 1: z / 2^0 = 2 is outside the hull of x. *)
(* Needed: theorem=hull_skips hypothesis=the output divided by 2^S lemma=needs_all_of_2S *)
Lemma needs_all_of_2S : ~ in_hull (1%:M : 'M[rat]_1) (row 0 (2%:R ^- 0 *: outputs (with_skips always) 1%:M 1)).
Proof. by move=> /only_itself /matrixP /(_ 0 0); rewrite !(mxE, big_ord1) /= => /eqP. Qed.

(* Weights of sum 2, x = 1: z = 2, and 3/2 with a skip and half of it. *)
Definition twice (s : nat) (Z : 'M[rat]_1) : 'M[rat]_1 := 2%:R%:M.
(* Needed: theorem=as_stated hypothesis=weights that sum to 1 lemma=needs_sums *)
Lemma needs_sums : product twice 1%:M 1 *m ones = 2%:R%:M /\ (ones : 'M[rat]_1) = 1%:M.
Proof.
have one : (ones : 'M[rat]_1) = 1%:M by apply/matrixP => i j; rewrite !ord1 !mxE.
by rewrite /= one !mulmx1.
Qed.
(* Needed: theorem=hull,hull_skips hypothesis=stochastic weights, which sum to 1 lemma=needs_stochastic *)
Lemma needs_stochastic : [/\ nonnegative (twice 0 1%:M),
  ~ in_hull (1%:M : 'M[rat]_1) (row 0 (outputs twice 1%:M 1)) &
  ~ in_hull (1%:M : 'M[rat]_1) (row 0 (2%:R ^- 1 *: outputs (with_skips twice) 1%:M 1))].
Proof.
split=> [i j|/only_itself /matrixP /(_ 0 0)|/only_itself /matrixP /(_ 0 0)]; first by rewrite mxE !ord1 ler0n.
all: by rewrite !(mxE, big_ord1) /= => /eqP; vm_compute.
Qed.

(* Weights 2 and -1, tokens 1 and 0: z = 2, and 3/2 with a skip and half of it. *)
Definition beyond (s : nat) (Z : 'M[rat]_(2, 1)) : 'M[rat]_2 := \matrix_(i, j) (if i == j then 2%:R else - 1).
Definition one_zero : 'M[rat]_(2, 1) := \col_i (i == 0)%:R.
Lemma at_most_one (z : 'rV[rat]_1) : in_hull one_zero z -> z 0 0 <= 1.
Proof.
case=> b [b0 b1 ->]; rewrite -b1 !mxE; apply: ler_sum => j _.
by rewrite mxE; case: (j == 0); rewrite ?mulr1 ?mulr0.
Qed.
(* Needed: theorem=hull,hull_skips hypothesis=stochastic weights, which are not negative lemma=needs_nonnegative *)
Lemma needs_nonnegative : [/\ forall s Z, beyond s Z *m (ones : 'cV_2) = ones,
  ~ in_hull one_zero (row 0 (outputs beyond one_zero 1)) &
  ~ in_hull one_zero (row 0 (2%:R ^- 1 *: outputs (with_skips beyond) one_zero 1))].
Proof.
split=> [s Z|/at_most_one|/at_most_one].
  by apply/matrixP => -[[|[|//]] ?] j; rewrite !mxE !big_ord_recl big_ord0 !mxE; apply/eqP; vm_compute.
all: by rewrite !mxE !big_ord_recl big_ord0 !mxE /=; vm_compute.
Qed.

(* e = 0 in place of exp, or no token to see: 0 *)
(* Needed: theorem=hull_softmax hypothesis=a positive function in place of exp lemma=needs_positive *)
(* Needed: theorem=hull_softmax hypothesis=each row sees a token lemma=needs_positive *)
Lemma needs_positive :
  let averaged e sees := outputs (fun _ _ => softmax e sees (0 : 'M[rat]_1)) (1%:M : 'M[rat]_1) 1 in
  ~ in_hull (1%:M : 'M[rat]_1) (row 0 (averaged (fun=> 0) (fun _ _ => true))) /\
  ~ in_hull (1%:M : 'M[rat]_1) (row 0 (averaged (fun=> 1) (fun _ _ => false))).
Proof. by split=> /only_itself /matrixP /(_ 0 0); rewrite !(mxE, big_ord1) /= !mul0r. Qed.

(* e(y) = max(y, 0), which is 0 at 0, and scores I: the tokens stay as they are, delta = 1 *)
(* Needed: theorem=closer_softmax hypothesis=a positive function in place of exp lemma=needs_positive_weights *)
Lemma needs_positive_weights : let A := softmax (fun y => Num.max y 0) (fun _ _ => true) (1%:M : 'M[rat]_2) in
  A = 1%:M /\ ~ delta A < 1.
Proof.
move=> A; have one : A = 1%:M.
  by apply/matrixP => -[[|[|//]] ?] [[|[|//]] ?]; rewrite !mxE !big_ord_recl big_ord0 !mxE; apply/eqP; vm_compute.
split=> //; rewrite one => lt; have := le_lt_trans (max_ge (fun p : 'I_2 * 'I_2 => _) (0, 1)) lt.
by rewrite !big_ord_recl big_ord0 !mxE /=; vm_compute.
Qed.
End Needed.
