(* k_e_disjoint.v - K-E-disjoint: networks with a skip and without one share functions on a null set of weights alone.
 *
 * The paper (003, Appendix E): "ReLU MLPs and Skip-ReLU-MLPs of the same width represent generically disjoint function
 * classes."  Null as in generic.v: a polynomial that is not 0 everywhere is 0 on the set. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu generic.
From Theorems Require Import k_e_measure0.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Disjoint.
Variables (F : realFieldType) (h m : nat).
Notation weights := ('M[F]_(m, h) * 'M[F]_(h, m))%type.
Notation plain w := (mlp_of (@relu F) w.2 w.1).
Notation with_skip w x := (plain w x + x).

(* Almost no network with a skip is a network without, and almost none without is one with a skip. *)
(* Provably: claim=K-E-disjoint part=as-stated theorem=as_stated quantifiers=all ordered fields, h > 1, m; null: zeros of a polynomial *)
Theorem as_stated : (1 < h)%N ->
  null (fun w : weights => exists v : weights, forall x, plain v x = with_skip w x) /\
  null (fun v : weights => exists w : weights, forall x, plain v x = with_skip w x).
Proof.
move=> h1; have I0 : (1%:M : 'M[F]_h) != 0.
  by apply/matrix0Pn; exists (Ordinal (ltnW h1)), (Ordinal (ltnW h1)); rewrite mxE eqxx oner_eq0.
have NI0 : (- 1%:M : 'M[F]_h) != 0 by rewrite oppr_eq0.
have wide : (m <= 1)%N || (1 < h)%N by rewrite h1 orbT.
split; [have [N _ _] := fixed I0 wide | have [N _ _] := fixed NI0 wide]; apply: sub_null N => w [v same].
  by exists v.2, v.1 => x; rewrite same mul1mx.
by exists v.2, v.1 => x; rewrite same mulNmx mul1mx addrK.
Qed.
End Disjoint.

(* One column, two neurons: the two classes are the same, *)
Lemma same_classes (F : realFieldType) m (w : 'M[F]_(m.+2, 1) * 'M[F]_(1, m.+2)) :
  exists v : 'M[F]_(m.+2, 1) * 'M[F]_(1, m.+2),
    forall x, mlp_of (@relu F) v.2 v.1 x = mlp_of (@relu F) w.2 w.1 x + x.
Proof.
by have [V2 [V1 same]] := needs_columns (1%:M : 'M[F]_1) w; exists (V1, V2) => x; rewrite /= same mul1mx.
Qed.
(* One input, two neurons or more: each w has such a v, so neither set of weights is null. *)
(* Needed: theorem=as_stated hypothesis=h > 1 lemma=needs_columns *)
Lemma needs_columns (F : realFieldType) m : let weights := ('M[F]_(m.+2, 1) * 'M[F]_(1, m.+2))%type in
  let same (v w : weights) := forall x, mlp_of (@relu F) v.2 v.1 x = mlp_of (@relu F) w.2 w.1 x + x in
  ~ null (fun w : weights => exists v, same v w) /\ ~ null (fun v : weights => exists w, same v w).
Proof.
split; case/few_on_lines => w [_ [miss _]]; apply: miss; first exact: same_classes.
have [V2 [V1 same]] := k_e_measure0.needs_columns (- 1%:M : 'M[F]_1) w; exists (V1, V2) => x.
by rewrite /= same mulNmx mul1mx subrK.
Qed.
