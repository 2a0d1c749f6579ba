(* f3.v - F3: linear skips reduce to identity skips, and the skips that a ReLU network absorbs are those of its J. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* y = Zx: W2 phi(W1 x) + Zx = W2 phi(W1 Z^-1 y) + y *)
(* Provably: claim=F3 part=as-stated theorem=to_identity quantifiers=all h, m, phi, W1, W2, x, Z in GL(h) *)
Theorem to_identity (R : comUnitRingType) h m (phi : R -> R) (W2 : 'M[R]_(h, m)) (W1 : 'M_(m, h)) (Z : 'M_h) x :
  Z \in unitmx -> mlp_of phi W2 W1 x + Z *m x = mlp_of phi W2 (W1 *m invmx Z) (Z *m x) + Z *m x.
Proof. by move=> u; rewrite /mlp_of -[W1 *m _ *m _]mulmxA mulKmx. Qed.

(* any Z, singular or not *)
(* Provably: claim=F3 part=as-stated-turned-subset theorem=turning_absorbs quantifiers=all h, m, J, W1, W2, Z, x, half-odd phi *)
(* Provably: claim=F3 part=as-stated-singular theorem=turning_absorbs quantifiers=all h, m, J, W1, W2, Z, x, half-odd phi *)
Theorem turning_absorbs (R : comRingType) h k m phi (W2 : 'M[R]_(k, m)) (W1 : 'M_(m, h)) Z J x :
  half_odd phi -> part J W2 W1 = - Z -> mlp_of phi W2 W1 x + Z *m x = mlp_of phi W2 (turn J W1) x.
Proof. by move=> odd eJ; rewrite (turn_over W2 W1 J x odd) eJ mulNmx subrK. Qed.

(* Provably: claim=F3 part=as-stated-only theorem=only_by_turning quantifiers=all ordered fields, h, m, W1, W2, Z *)
Theorem only_by_turning (F : realFieldType) h k m (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(k, m)) (Z : 'M[F]_(k, h)) :
  nonzero_rows W1 -> noncollinear W1 -> nonzero_columns W2 ->
  (exists (V2 : 'M[F]_(k, m)) (V1 : 'M_(m, h)), absorbs V2 V1 W2 W1 Z) <-> exists J : pred 'I_m, part J W2 W1 = - Z.
Proof. exact: absorbable_iff. Qed.
