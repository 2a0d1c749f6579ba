(* k_e1_suff.v - K-E1-suff, Theorem E.1, sufficiency: V1 = (I - 2 Pi_J) W1, V2 = W2 absorb the skip. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* Provably: claim=K-E1-suff part=as-stated theorem=sufficient quantifiers=all h, m, J, W1, W2, x, half-odd phi *)
(* Provably: claim=N5b part=as-stated theorem=sufficient quantifiers=all h, m, J, W1, W2, x, half-odd phi *)
Theorem sufficient (R : comRingType) h m phi (W2 : 'M[R]_(h, m)) (W1 : 'M_(m, h)) J x :
  half_odd phi -> part J W2 W1 = - 1%:M -> mlp_of phi W2 W1 x + x = mlp_of phi W2 (turn J W1) x.
Proof. by move=> odd eJ; rewrite (turn_over W2 W1 J x odd) eJ mulNmx mul1mx subrK. Qed.

(* GELU(y) = y Phi(y) with Phi(y) + Phi(-y) = 1, as for the normal distribution function *)
(* Provably: claim=N5b part=as-stated-gelu theorem=gelu_sufficient quantifiers=all h, m, J, W1, W2, x, Phi with Phi(y) + Phi(-y) = 1 *)
Theorem gelu_sufficient (R : comRingType) h m Phi (W2 : 'M[R]_(h, m)) (W1 : 'M_(m, h)) J x :
  (forall y, Phi y + Phi (- y) = 1) -> part J W2 W1 = - 1%:M ->
  let gelu y := y * Phi y in mlp_of gelu W2 W1 x + x = mlp_of gelu W2 (turn J W1) x.
Proof. by move=> one eJ; apply: sufficient => // y; rewrite mulNr opprK -mulrDr one mulr1. Qed.

(* SiLU(y) = y / (1 + exp(-y)), with any positive e in place of exp that has e(y) e(-y) = 1 *)
(* Provably: claim=N5b part=as-stated-silu theorem=silu_sufficient quantifiers=all ordered fields, h, m, J, W1, W2, x, positive e with e(y) e(-y) = 1 *)
Theorem silu_sufficient (F : realFieldType) h m e (W2 : 'M[F]_(h, m)) (W1 : 'M_(m, h)) J x :
  (forall y, 0 < e y) -> (forall y, e y * e (- y) = 1) -> part J W2 W1 = - 1%:M ->
  let silu y := y / (1 + e (- y)) in mlp_of silu W2 W1 x + x = mlp_of silu W2 (turn J W1) x.
Proof.
move=> pos inv eJ silu; apply: (@gelu_sufficient F h m (fun y => (1 + e (- y))^-1)) => // y; rewrite opprK.
have n1 z : 1 + e z != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
have -> : (1 + e (- y))^-1 = e y / (1 + e y).
  by apply: (mulIf (n1 (- y))); rewrite mulVf // mulrAC mulrDr mulr1 inv addrC mulfV.
by rewrite -[X in _ + X]mul1r -mulrDl addrC mulfV.
Qed.

(* ReLU is half-odd over every ordered field. *)
Theorem relu_sufficient (F : realFieldType) h m (W2 : 'M[F]_(h, m)) (W1 : 'M_(m, h)) J x :
  part J W2 W1 = - 1%:M -> mlp_of (@relu F) W2 W1 x + x = mlp_of (@relu F) W2 (turn J W1) x.
Proof. exact: sufficient (@relu_half_odd F). Qed.

(* ---- without a hypothesis: one neuron of one number over the rationals, x = 1, J the neuron ---------------------- *)

Section Needed.
Notation num x := (x%:M : 'M[rat]_1).
Lemma of_one phi w2 w1 : mlp_of phi (num w2) (num w1) (num 1) 0 0 = w2 * phi w1.
Proof. by rewrite /mlp_of mulmx1 mxE big_ord1 !mxE !eqxx. Qed.
Lemma turn_one w1 : turn predT (num w1) = num (- w1).
Proof. by apply/matrixP => i j; rewrite !mxE !ord1 !eqxx. Qed.
Lemma part_one w2 w1 : part predT (num w2) (num w1) = num (w2 * w1).
Proof. by rewrite /part big_ord1; apply/matrixP => i j; rewrite !mxE big_ord1 !mxE !ord1 !eqxx. Qed.
(* W2 phi(W1 x) + x and W2 phi(V1 x), V1 with J turned over *)
Notation with_skip phi w2 w1 := ((mlp_of phi (num w2) (num w1) (num 1) + num 1) 0 0).
Notation without phi w2 w1 := (mlp_of phi (num w2) (turn predT (num w1)) (num 1) 0 0).
Lemma two_sides phi w2 w1 : with_skip phi w2 w1 = w2 * phi w1 + 1 /\ without phi w2 w1 = w2 * phi (- w1).
Proof. by rewrite mxE of_one turn_one of_one !mxE. Qed.
Lemma part_minus : part predT (num 1) (num (- 1)) = - 1%:M.
Proof. by rewrite part_one mul1r; apply/matrixP => i j; rewrite !mxE !ord1 eqxx. Qed.

(* phi = 0 is not half-odd, nor is y Phi(y) with Phi = 0: 0 in place of 1. *)
(* Needed: theorem=sufficient hypothesis=phi half-odd lemma=needs_half_odd *)
(* Needed: theorem=gelu_sufficient hypothesis=Phi(y) + Phi(-y) is 1 lemma=needs_half_odd *)
Lemma needs_half_odd : let gelu (y : rat) := y * 0 in
  [/\ part predT (num 1) (num (- 1)) = - 1%:M, with_skip (fun=> 0) 1 (- 1) = 1, without (fun=> 0) 1 (- 1) = 0,
      with_skip gelu 1 (- 1) = 1 & without gelu 1 (- 1) = 0].
Proof.
move=> gelu; have [a b] := two_sides (fun=> 0) 1 (- 1); have [c e] := two_sides gelu 1 (- 1).
by split; rewrite ?part_minus ?a ?b ?c ?e //; apply/eqP; vm_compute.
Qed.

(* e = 3 does not have e(y) e(-y) = 1: 1/4 in place of 3/4.  e = -1 has, but is not positive, and SiLU divides by 0,
 * which Coq writes 0: 0 in place of 1. *)
(* Needed: theorem=silu_sufficient hypothesis=e(y) e(-y) is 1 lemma=needs_exponential *)
(* Needed: theorem=silu_sufficient hypothesis=e positive lemma=needs_exponential *)
Lemma needs_exponential : let silu e (y : rat) := y / (1 + e (- y)) in let three := fun=> 3%:R in
  let minus := fun=> - 1 in
  [/\ forall y : rat, 0 < three y, with_skip (silu three) 1 (- 1) = 3%:R / 4%:R &
      without (silu three) 1 (- 1) = 1 / 4%:R] /\
  [/\ forall y : rat, minus y * minus (- y) = 1, with_skip (silu minus) 1 (- 1) = 1 &
      without (silu minus) 1 (- 1) = 0].
Proof.
move=> silu three minus; have [a b] := two_sides (silu three) 1 (- 1); have [c e] := two_sides (silu minus) 1 (- 1).
by split; split=> //; rewrite ?a ?b ?c ?e //; apply/eqP; vm_compute.
Qed.

(* W2 W1 = 1 in place of -1: -1/2 in place of 3/2 for Phi = 1/2, which is GELU's condition, and SiLU's for e = 1. *)
(* Needed: theorem=sufficient hypothesis=W2[:,J] W1[J,:] is -I lemma=needs_minus_identity *)
(* Needed: theorem=gelu_sufficient hypothesis=W2[:,J] W1[J,:] is -I lemma=needs_minus_identity *)
(* Needed: theorem=silu_sufficient hypothesis=W2[:,J] W1[J,:] is -I lemma=needs_minus_identity *)
Lemma needs_minus_identity : let half (y : rat) := y * (1 / 2%:R) in let silu (y : rat) := y / (1 + 1) in
  [/\ half_odd half, with_skip half 1 1 = 3%:R / 2%:R, without half 1 1 = - (1 / 2%:R),
      with_skip silu 1 1 = 3%:R / 2%:R & without silu 1 1 = - (1 / 2%:R)].
Proof.
move=> half silu; have [a b] := two_sides half 1 1; have [c e] := two_sides silu 1 1.
split; rewrite ?a ?b ?c ?e; try by apply/eqP; vm_compute.
by move=> y; rewrite /half mulNr opprK -mulrDr -mulrDl -[RHS]mulr1; congr (_ * _); apply/eqP; vm_compute.
Qed.
End Needed.
