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
