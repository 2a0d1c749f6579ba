(* f4.v - F4, when a ReLU MLP with biases absorbs its skip: the direction that needs no hypothesis.
 *
 * f(x) = W2 phi(W1 x + b1) + b2 + Z x with Z = -W2[:,J] W1[J,:] is V2 phi(V1 x + c1) + c2 at the same width, where
 * V1 = D W1, c1 = D b1, D = I - 2 Pi_J, V2 = W2 and c2 = b2 + W2[:,J] b1[J].  phi(y) - phi(-y) = y, as ReLU. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Biases.
Variables (R : comRingType) (h k m : nat) (phi : R -> R).
Implicit Types (x : 'cV[R]_h) (J : pred 'I_m).

Definition affine_mlp (W2 : 'M[R]_(k, m)) (W1 : 'M[R]_(m, h)) (b1 : 'cV[R]_m) (b2 : 'cV[R]_k) x : 'cV_k :=
  W2 *m map_mx phi (W1 *m x + b1) + b2.

(* A bias multiplies a coordinate more, which is 1. *)
Lemma lifted W2 (W1 : 'M[R]_(m, h)) b1 b2 x :
  affine_mlp W2 W1 b1 b2 x = mlp_of phi W2 (row_mx W1 b1) (col_mx x 1%:M) + b2.
Proof. by rewrite /mlp_of mul_row_col mulmx1. Qed.

(* Provably: claim=F4 part=as-stated-turn theorem=turning_absorbs quantifiers=all commutative rings, h, m, J, weights, biases, x, half-odd phi *)
Theorem turning_absorbs (W2 : 'M[R]_(k, m)) (W1 : 'M[R]_(m, h)) b1 b2 (Z : 'M[R]_(k, h)) J x :
  half_odd phi -> Z = - part J W2 W1 ->
  affine_mlp W2 W1 b1 b2 x + Z *m x = affine_mlp W2 (turn J W1) (turn J b1) (b2 + part J W2 b1) x.
Proof.
move=> odd ->; rewrite !lifted (turn_over W2 (row_mx W1 b1) J _ odd).
have -> : turn J (row_mx W1 b1) = row_mx (turn J W1) (turn J b1).
  apply/matrixP => i j; rewrite mxE !mxE; case: split_ordP => l _; rewrite !mxE; by case: (J i).
have -> : part J W2 (row_mx W1 b1) = row_mx (part J W2 W1) (part J W2 b1).
  apply/matrixP => i j; rewrite summxE [RHS]mxE; case: split_ordP => l ->; rewrite summxE; apply: eq_bigr => a _.
    by rewrite !mxE !big_ord1 [row a (row_mx _ _) _ _]mxE row_mxEl !mxE.
  by rewrite !mxE !big_ord1 [row a (row_mx _ _) _ _]mxE row_mxEr !mxE.
rewrite mul_row_col mulmx1 mulNmx -!addrA; congr (_ + _).
by rewrite addrCA [X in _ + X]addrC subrK addrC.
Qed.
End Biases.

(* ReLU is half-odd over every ordered field. *)
Corollary relu_absorbs (F : realFieldType) h k m (W2 : 'M[F]_(k, m)) (W1 : 'M[F]_(m, h)) b1 b2 J x :
  affine_mlp (@relu F) W2 W1 b1 b2 x - part J W2 W1 *m x =
  affine_mlp (@relu F) W2 (turn J W1) (turn J b1) (b2 + part J W2 b1) x.
Proof. by rewrite -mulNmx; apply: turning_absorbs; first exact: relu_half_odd. Qed.

(* phi = 0 is not half-odd: one neuron, all weights 1, no biases, J = {1}: 0 in place of -1. *)
Lemma needs_half_odd : let one := 1%:M : 'M[rat]_1 in
  affine_mlp (fun=> 0) one (turn predT one) (turn predT 0) (0 + part predT one 0) one = 0 /\
  affine_mlp (fun=> 0) one one 0 0 one - part predT one one *m one = - 1%:M.
Proof.
have zero (A B : 'M[rat]_1) : B *m map_mx (fun=> 0) A = 0.
  by apply/matrixP => i j; rewrite !mxE big1 // => l _; rewrite !mxE mulr0.
rewrite /affine_mlp !zero !add0r; split.
  by rewrite /part big1 // => i _; rewrite row0 mulmx0.
by rewrite mulmx1 /part big_ord1 row1 col1; apply/matrixP => i j; rewrite !mxE big_ord1 !mxE !ord1 !eqxx mulr1.
Qed.
