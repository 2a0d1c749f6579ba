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

(* ReLU is half-odd over every ordered field. *)
Theorem relu_sufficient (F : realFieldType) h m (W2 : 'M[F]_(h, m)) (W1 : 'M_(m, h)) J x :
  part J W2 W1 = - 1%:M -> mlp_of (@relu F) W2 W1 x + x = mlp_of (@relu F) W2 (turn J W1) x.
Proof. exact: sufficient (@relu_half_odd F). Qed.
