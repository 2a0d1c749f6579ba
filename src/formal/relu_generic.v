(* relu_generic.v - weights of ReLU networks that fail the conditions of Theorem E.1, or have a set J, are null sets.
 *
 * The weights are a vector space T of which W1 and W2 are linear, independent parts: all of it, or beside a skip Z. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu generic.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* a set as a predicate *)
Definition members m (J : {set 'I_m}) : pred 'I_m := fun i => i \in J.

(* The conditions of Theorem E.1, decided *)
Definition regular (F : realFieldType) h k m (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(k, m)) : bool :=
  [&& [forall i, row i W1 != 0], [forall p : 'I_m * 'I_m, (p.1 != p.2) ==> ~~ (row p.1 W1 <= row p.2 W1)%MS]
    & [forall i, col i W2 != 0]].
Lemma regularP (F : realFieldType) h k m (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(k, m)) :
  reflect [/\ nonzero_rows W1, noncollinear W1 & nonzero_columns W2] (regular W1 W2).
Proof.
apply: (iffP and3P) => -[rows apart columns]; split.
- by move=> i; have /forallP := rows; apply.
- move=> i j c ij e; have /forallP/(_ (i, j)) := apart; rewrite ij /= => /negP []; apply/sub_rVP; by exists c.
- by move=> i; have /forallP := columns; apply.
- by apply/forallP.
- by apply/forallP => -[i j] /=; apply/implyP => ij; apply/negP => /sub_rVP [c]; apply: apart.
- by apply/forallP.
Qed.

Section Generic.
Variables (F : realFieldType) (h k m : nat) (T : lmodType F) (W1 : T -> 'M[F]_(m, h)) (W2 : T -> 'M[F]_(k, m)).
Hypothesis linear1 : forall a x y, W1 (a *: x + y) = a *: W1 x + W1 y.
Hypothesis linear2 : forall a x y, W2 (a *: x + y) = a *: W2 x + W2 y.
Hypothesis independent : forall A B, exists w, W1 w = A /\ W2 w = B.

Lemma polynomials_part J : polynomials (fun w => part J (W2 w) (W1 w)).
Proof.
move=> a b; apply: Same (_ : polynomial (fun w => \sum_(i | J i) W2 w a i * W1 w i b)) _ => [|w].
  by apply: polynomial_sum => i; apply: Product; apply: polynomials_linear.
by rewrite summxE; apply: eq_bigr => i _; rewrite !mxE big_ord1 !mxE.
Qed.

(* W1[i,a] W1[j,b] - W1[i,b] W1[j,a] *)
Lemma minor_null (i j : 'I_m) (a b : 'I_h) : i != j -> a != b ->
  null (fun w => W1 w i a * W1 w j b - W1 w i b * W1 w j a = 0).
Proof.
move=> ij ab; have p l c : polynomial (fun w => W1 w l c) by apply: polynomials_linear.
exists (fun w => W1 w i a * W1 w j b - W1 w i b * W1 w j a); split=> //.
  by apply: polynomial_sub; apply: Product.
have [w [e _]] := independent (\matrix_(l, c) ((l == i) && (c == a) || (l == j) && (c == b))%:R) 0.
exists w; rewrite e !mxE !eqxx (negPf ij) (eq_sym j) (negPf ij) (eq_sym b) (negPf ab) /=.
by rewrite mulr1 mul0r subr0 oner_eq0.
Qed.

(* With one column all rows are collinear, so two or more are needed, or no pair of rows. *)
Theorem irregular_null : (0 < h)%N -> (0 < k)%N -> (m <= 1)%N || (1 < h)%N -> null (fun w => ~~ regular (W1 w) (W2 w)).
Proof.
move=> h0 k0 wide; pose a0 := Ordinal h0; pose b0 := Ordinal k0.
have row0 : null (fun w => exists i, row i (W1 w) = 0).
  apply: null_exists => i; exists (fun w => W1 w i a0); split=> [||w /rowP /(_ a0)]; first exact: polynomials_linear.
    by have [w [e _]] := independent (const_mx 1) 0; exists w; rewrite e mxE oner_eq0.
  by rewrite !mxE.
have col0 : null (fun w => exists i, col i (W2 w) = 0).
  apply: null_exists => i; exists (fun w => W2 w b0 i); split=> [||w /colP /(_ b0)]; first exact: polynomials_linear.
    by have [w [_ e]] := independent 0 (const_mx 1); exists w; rewrite e mxE oner_eq0.
  by rewrite !mxE.
have pairs : null (fun w => exists p : 'I_m * 'I_m, p.1 != p.2 /\ exists c, row p.1 (W1 w) = c *: row p.2 (W1 w)).
  apply: null_exists => -[i j] /=; have [->|ij] := eqVneq i j; first by apply: sub_null (null_none T) => w [].
  have h1 : (1 < h)%N.
    case/orP: wide => // m1; case: i j ij => i ilt [j jlt] /eqP []; apply: val_inj => /=.
    by move: (leq_trans ilt m1) (leq_trans jlt m1); rewrite !ltnS !leqn0 => /eqP -> /eqP ->.
  apply: sub_null (minor_null ij (_ : a0 != Ordinal h1)) => [w [_ [c e]]|]; last by rewrite -val_eqE.
  by have E l : W1 w i l = c * W1 w j l by [have /rowP/(_ l) := e; rewrite !mxE]; rewrite !E mulrAC subrr.
apply: sub_null (null_or row0 (null_or pairs col0)) => w; rewrite /regular !negb_and !negb_forall.
case/or3P => /existsP [x]; rewrite ?negb_imply ?negbK ?andbT => /= irregular; [left|right; left|right; right]; exists x.
- exact/eqP.
- by case/andP: irregular => ne /sub_rVP.
- exact/eqP.
Qed.

(* Some set J has W2[:,J] W1[J,:] = -Z: null for Z fixed beforehand, not 0. *)
Theorem some_J_null (Z : 'M[F]_(k, h)) : Z != 0 -> null (fun w => exists J : pred 'I_m, part J (W2 w) (W1 w) = - Z).
Proof.
case/matrix0Pn => a [b Zab].
apply: sub_null (_ : null (fun w => exists J : {set 'I_m}, part (members J) (W2 w) (W1 w) = - Z)) => [w [J e]|].
  by exists [set i | J i]; rewrite -e /part; apply: eq_bigl => i; rewrite /members inE.
apply: null_exists => J; exists (fun w => part (members J) (W2 w) (W1 w) a b + Z a b); split=> [||w ->].
- by apply: Sum; [apply: polynomials_part | apply: Constant].
- have [w [e1 e2]] := independent 0 0; exists w; rewrite e1 e2 /part big1 ?mxE ?add0r // => i _.
  by rewrite linear0 mul0mx.
by rewrite mxE addNr.
Qed.

(* Two sets with the same product: null. *)
Theorem same_part_null : (0 < h)%N -> (0 < k)%N ->
  null (fun w => exists J J' : {set 'I_m}, J != J' /\ part (members J) (W2 w) (W1 w) = part (members J') (W2 w) (W1 w)).
Proof.
move=> h0 k0; pose a0 := Ordinal h0; pose b0 := Ordinal k0.
apply: sub_null (_ : null (fun w => exists p : {set 'I_m} * {set 'I_m},
    p.1 != p.2 /\ part (members p.1) (W2 w) (W1 w) = part (members p.2) (W2 w) (W1 w))) => [w [J [J' ok]]|].
  by exists (J, J').
apply: null_exists => -[J J'] /=; have [->|differ] := eqVneq J J'.
  by apply: sub_null (null_none T) => w [].
exists (fun w => part (members J) (W2 w) (W1 w) b0 a0 - part (members J') (W2 w) (W1 w) b0 a0); split=> [||w [_ ->]].
- by apply: polynomial_sub; apply: polynomials_part.
- have [i Ji] : exists i, (i \in J) != (i \in J').
    apply/existsP; apply: contraNT differ => /existsPn same; apply/eqP/setP => i; apply/eqP.
    by have := same i; rewrite negbK.
  have [w [e1 e2]] := independent (\matrix_(l, c) (l == i)%:R) (const_mx 1); exists w; rewrite e1 e2.
  have only (K : {set 'I_m}) :
      part (members K) (const_mx 1) (\matrix_(l < m, c < h) (l == i)%:R) b0 a0 = (i \in K)%:R :> F.
    rewrite summxE big_mkcond (bigD1 i) //= big1 => [|l li]; first rewrite addr0 !mxE big_ord1 !mxE eqxx mul1r.
      by rewrite /members; case: (i \in K).
    by rewrite !mxE big_ord1 !mxE (negPf li) mulr0 if_same.
  rewrite !only; case: (i \in J) (i \in J') Ji => [] [] // _;
    by rewrite /= ?mulr1n ?mulr0n ?subr0 ?sub0r ?oppr_eq0 oner_eq0.
by rewrite subrr.
Qed.
End Generic.
