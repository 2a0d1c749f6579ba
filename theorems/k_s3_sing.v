(* k_s3_sing.v - K-S3-sing: almost every square matrix is invertible.
 *
 * The paper (003, Section 3): W_Q in GL(d) "holds for almost every square matrix".  Null as in generic.v: a polynomial
 * that is not 0 everywhere, here det, is 0 on the set. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import generic.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Provably: claim=K-S3-sing part=as-stated-almost-everywhere theorem=almost_all quantifiers=all fields, d; almost all: outside the zeros of a polynomial *)
Theorem almost_all (F : fieldType) d : null (fun W_Q : 'M[F]_d => W_Q \notin unitmx).
Proof.
exists (fun W => \det W); split=> [|| W]; last by rewrite unitmxE unitfE negbK => /eqP.
  by apply: polynomial_det; apply: polynomials_linear.
by exists 1%:M; rewrite det1 oner_eq0.
Qed.
