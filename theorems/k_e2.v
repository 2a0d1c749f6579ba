(* k_e2.v - K-E2: which skips one ReLU network can trade for another.
 *
 * The corollary (003, E.2) says that no Z' with Z - Z' invertible is reached.  It is refuted: (-W1, W2, Z + W2 W1) is
 * the same function.  What is reached, by networks of the same width, are exactly the Z + W2[:,J] W1[J,:]. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu generic relu_generic.
From Theorems Require k_e_measure0.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Reached.
Variables (F : realFieldType) (h k m : nat).
Notation relu := (@relu F).
Implicit Types (Z : 'M[F]_(k, h)).

(* (W2, W1, Z) and (W2', W1', Z') are the same function *)
Definition same_network n m' (W2 : 'M[F]_(k, n)) (W1 : 'M_(n, h)) Z (W2' : 'M[F]_(k, m')) (W1' : 'M_(m', h)) Z' :=
  forall x, mlp_of relu W2 W1 x + Z *m x = mlp_of relu W2' W1' x + Z' *m x.

(* Turning J over reaches Z + W2[:,J] W1[J,:]: any weights. *)
(* Provably: claim=K-E2 part=corrected-reach theorem=reached quantifiers=all ordered fields, h, m, J, W1, W2, Z *)
Theorem reached (W2 : 'M[F]_(k, m)) (W1 : 'M_(m, h)) Z J :
  same_network W2 W1 Z W2 (turn J W1) (Z + part J W2 W1).
Proof.
move=> x; rewrite (turn_over W2 W1 J x (@relu_half_odd F)) mulmxDl -!addrA; congr (_ + _).
by rewrite addrC.
Qed.

(* W2 ReLU(W1 x) + Zx = W2 ReLU(-W1 x) + (Z + W2 W1) x: the equality of K-E2's counterexample. *)
Theorem all_turned (W2 : 'M[F]_(k, m)) (W1 : 'M_(m, h)) Z : same_network W2 W1 Z W2 (- W1) (Z + W2 *m W1).
Proof.
have := reached W2 W1 Z predT; rewrite (_ : turn predT W1 = - W1); last by apply/matrixP => i j; rewrite !mxE.
rewrite (_ : part predT W2 W1 = W2 *m W1) //; apply/matrixP => i j; rewrite summxE [RHS]mxE.
by apply: eq_bigr => l _; rewrite mxE big_ord1 !mxE.
Qed.

(* .. and under E.1's conditions nothing else is reached at equal width. *)
Theorem reached_set (W2 : 'M[F]_(k, m)) (W1 : 'M_(m, h)) Z Z' :
  nonzero_rows W1 -> noncollinear W1 -> nonzero_columns W2 ->
  (exists (W2' : 'M[F]_(k, m)) (W1' : 'M_(m, h)), same_network W2 W1 Z W2' W1' Z') <->
  exists J : pred 'I_m, Z' = Z + part J W2 W1.
Proof.
move=> rows apart columns; split=> [[W2' [W1' same]]|[J ->]]; last by exists W2, (turn J W1); apply: reached.
have [|J eJ] := @absorbed_only_by_turning _ _ _ _ W1 W2 (Z - Z') rows apart columns W2' W1'.
  by move=> x; rewrite mulmxBl addrA same addrK.
by exists J; rewrite eJ opprB addrC subrK.
Qed.
End Reached.

(* They are 2^m where all 2^m sets J give different skips, and that is so outside a null set (generic.v). *)
Section Generically.
Variables (F : realFieldType) (h k m : nat).
Notation weights := ('M[F]_(m, h) * 'M[F]_(k, m))%type.
Notation weights_and_skip := ('M[F]_(m, h) * 'M[F]_(k, m) * 'M[F]_(k, h))%type.
Notation reaches w Z Z' :=
  (exists (W2' : 'M[F]_(k, m)) (W1' : 'M_(m, h)), same_network w.2 w.1 Z W2' W1' Z').

Let lin1 a (x y : weights) : (a *: x + y).1 = a *: x.1 + y.1. Proof. by []. Qed.
Let lin2 a (x y : weights) : (a *: x + y).2 = a *: x.2 + y.2. Proof. by []. Qed.
Let all_of A B : exists w : weights, w.1 = A /\ w.2 = B. Proof. by exists (A, B). Qed.

(* The list has exactly the reachable skips, 2^m of them, for every Z. *)
Definition counted (w : weights) := forall Z, exists Zs : seq 'M[F]_(k, h),
  [/\ uniq Zs, size Zs = (2 ^ m)%N & forall Z', Z' \in Zs <-> reaches w Z Z'].

Lemma counted_of (w : weights) : nonzero_rows w.1 -> noncollinear w.1 -> nonzero_columns w.2 ->
  (forall J J' : {set 'I_m}, part (members J) w.2 w.1 = part (members J') w.2 w.1 -> J = J') -> counted w.
Proof.
move=> rows apart columns distinct Z; pose reach (J : {set 'I_m}) := Z + part (members J) w.2 w.1.
exists [seq reach J | J <- enum [set: {set 'I_m}]]; split=> [||Z'].
- by rewrite map_inj_uniq ?enum_uniq // => J J' /addrI /distinct.
- by rewrite size_map -cardE cardsT -cardsT -powersetT card_powerset cardsT card_ord.
split=> [/mapP [J _ ->]|/(reached_set Z Z' rows apart columns) [J ->]].
  by apply/(reached_set Z _ rows apart columns); exists (members J).
apply/mapP; exists [set i | J i]; first by rewrite mem_enum inE.
by congr (_ + _); rewrite /part; apply: eq_bigl => i; rewrite /members inE.
Qed.

(* Under E.1's conditions the reachable skips are Z + W2[:,J] W1[J,:]; for almost all weights they are 2^m; and 003's
 * corollary is true where Z' comes before the weights: almost no (W1, W2, Z) reaches it. *)
(* Provably: claim=K-E2 part=corrected theorem=corrected quantifiers=all ordered fields, h > 1 (or m < 2), m; generically: outside the zeros of a polynomial *)
(* Provably: claim=K-E2 part=corrected-width-4h theorem=corrected quantifiers=all ordered fields, h > 1 (or m < 2), m; generically: outside the zeros of a polynomial *)
Theorem corrected : (0 < h)%N -> (0 < k)%N -> (m <= 1)%N || (1 < h)%N ->
  [/\ forall (w : weights) Z Z', nonzero_rows w.1 -> noncollinear w.1 -> nonzero_columns w.2 ->
        (reaches w Z Z' <-> exists J : pred 'I_m, Z' = Z + part J w.2 w.1),
      null (fun w => ~ counted w) &
      forall Z', null (fun w : weights_and_skip => reaches w.1 w.2 Z')].
Proof.
move=> h0 k0 wide; split=> [w Z Z'||Z']; first exact: reached_set.
  have N := null_or (irregular_null lin1 lin2 all_of h0 k0 wide) (same_part_null lin1 lin2 all_of h0 k0).
  apply: sub_null N => w not_counted; case: (regularP w.1 w.2) => [[rows apart columns]|]; last by left.
  right; have [/existsP [[J J'] /andP [ne /eqP e]]|/existsPn distinct] :=
      boolP [exists p : {set 'I_m} * {set 'I_m}, (p.1 != p.2) &&
             (part (members p.1) w.2 w.1 == part (members p.2) w.2 w.1)]; first by exists J, J'.
  case: not_counted; apply: counted_of => // J J' e; apply/eqP; have := distinct (J, J').
  by rewrite /= e eqxx andbT negbK.
have l1 a (x y : weights_and_skip) : (a *: x + y).1.1 = a *: x.1.1 + y.1.1 by [].
have l2 a (x y : weights_and_skip) : (a *: x + y).1.2 = a *: x.1.2 + y.1.2 by [].
have l3 a (x y : weights_and_skip) : (a *: x + y).2 = a *: x.2 + y.2 by [].
have some A B : exists w : weights_and_skip, w.1.1 = A /\ w.1.2 = B by exists (A, B, 0).
have onJ : null (fun w : weights_and_skip => exists J : {set 'I_m}, Z' = w.2 + part (members J) w.1.2 w.1.1).
  apply: null_exists => J; pose a0 := Ordinal k0; pose b0 := Ordinal h0.
  exists (fun w : weights_and_skip => w.2 a0 b0 + part (members J) w.1.2 w.1.1 a0 b0 - Z' a0 b0); split=> [||w ->].
  - apply: polynomial_sub; last exact: Constant.
    by apply: Sum; [apply: (polynomials_linear l3) | apply: (polynomials_part l1 l2)].
  - exists (0, 0, Z' + const_mx 1); rewrite /part big1 => [|i _]; last by rewrite /= linear0 mul0mx.
    by rewrite /= !mxE addr0 addrC addKr oner_eq0.
  by rewrite mxE subrr.
apply: sub_null (null_or (irregular_null l1 l2 some h0 k0 wide) onJ) => w.
case: (regularP w.1.1 w.1.2) => [[rows apart columns]|]; last by left.
case/(reached_set w.2 Z' rows apart columns) => J ->; right; exists [set i | J i]; congr (_ + _).
by rewrite /part; apply: eq_bigl => i; rewrite /members inE.
Qed.
End Generically.

(* ---- without a hypothesis: all weights reach all skips ----------------------------------------------------------- *)

Section Needed.
Variable F : realFieldType.
Notation all_reach h k m Z' := (fun w : 'M[F]_(m, h) * 'M[F]_(k, m) * 'M[F]_(k, h) =>
  exists (W2' : 'M[F]_(k, m)) (W1' : 'M_(m, h)), same_network w.1.2 w.1.1 w.2 W2' W1' Z').

(* no input or no output: there is one skip *)
(* Needed: theorem=corrected hypothesis=h > 0 lemma=needs_sizes *)
(* Needed: theorem=corrected hypothesis=k > 0 lemma=needs_sizes *)
Lemma needs_sizes h k m (Z1 : 'M[F]_(k, 0)) (Z2 : 'M[F]_(0, h)) :
  ~ null (all_reach 0%N k m Z1) /\ ~ null (all_reach h 0%N m Z2).
Proof.
split; case/few_on_lines => w [_ [miss _]]; apply: miss; exists w.1.2, w.1.1 => x; last by apply/colP => -[].
by rewrite (thinmx0 w.2) (thinmx0 Z1).
Qed.
(* one input, two neurons or more: every skip is absorbed (k_e_measure0.v) *)
(* Needed: theorem=corrected hypothesis=h > 1 or m < 2 lemma=needs_columns *)
Lemma needs_columns k m (Z' : 'M[F]_(k, 1)) : ~ null (all_reach 1%N k m.+2 Z').
Proof.
case/few_on_lines => w [_ [miss _]]; apply: miss.
have [V2 [V1 same]] := k_e_measure0.needs_columns (w.2 - Z') w.1; exists V2, V1 => x.
by rewrite same mulmxBl addrA subrK.
Qed.
End Needed.
(* The conditions of E.1 in its first part; with Z = I and Z' = 0 it says what E.1 says. *)
(* Needed: theorem=corrected hypothesis=no row of W1 zero lemma=k_e1_nec.needs_nonzero_rows *)
(* Needed: theorem=corrected hypothesis=no two rows of W1 collinear lemma=k_e1_nec.needs_noncollinear *)
(* Needed: theorem=corrected hypothesis=no column of W2 zero lemma=k_e1_nec.needs_nonzero_columns *)
