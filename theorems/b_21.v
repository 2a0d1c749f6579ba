(* b_21.v - B-21, a token need not be the most similar to itself: b_21.c for every width, W_Q and token.
 *
 * The paper (002, Section 5): "The vector x_si is also not the most similar to itself.  The matrix product
 * W_sh^Q W_sh^KT is generally not positive definite, so it is not even guaranteed that the similarity of x_si to itself
 * is positive."  s_ij = x_i W_Q (x_j W_K)'. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import semidefinite.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Itself.
Variables (F : realFieldType) (N : nat).
Implicit Types (x : 'rV[F]_N) (M : 'M[F]_N).
Definition similarity (W_Q W_K : 'M[F]_N) (x y : 'rV_N) : F := ((x *m W_Q) *m (y *m W_K)^T) 0 0.

(* W_K = -W_Q, both in GL(N), and x_2 = -x_1: s_11 < 0 < s_12, so x_1 is less similar to itself than to x_2 *)
(* Provably: claim=B-21 part=as-stated theorem=dissimilar quantifiers=all ordered fields, N, W_Q in GL(N), x_1 that is not 0 *)
Theorem dissimilar W_Q x : W_Q \in unitmx -> x != 0 -> let s := similarity W_Q (- W_Q) in
  - W_Q \in unitmx /\ s x x < 0 < s x (- x).
Proof.
move=> u x0 s; split; first by rewrite -scaleN1r unitmxZ // unitrN1.
have pos : 0 < square (x *m W_Q).
  by rewrite lt_neqAle square_ge0 andbT eq_sym square_eq0; apply: contraNneq x0 => /(congr1 (mulmx^~ (invmx W_Q)));
    rewrite mulmxK // mul0mx => ->.
by rewrite /s /similarity mulNmx mulmxN opprK linearN /= mulmxN [X in X < _]mxE oppr_lt0 pos.
Qed.

(* x M x' = x (M + M') x' / 2, so M matters by its symmetric part alone: for the value, hence for the sign *)
(* Provably: claim=B-21 part=as-stated-symmetric-part theorem=symmetric_part quantifiers=all ordered fields, N, M, x *)
Theorem symmetric_part M x : (x *m M *m x^T) 0 0 = 2%:R^-1 * (x *m (M + M^T) *m x^T) 0 0 /\
  forall M', M + M^T = M' + M'^T -> (x *m M *m x^T) 0 0 = (x *m M' *m x^T) 0 0.
Proof.
have half M0 : (x *m M0 *m x^T) 0 0 = 2%:R^-1 * (x *m (M0 + M0^T) *m x^T) 0 0.
  have tr : (x *m M0^T *m x^T) 0 0 = (x *m M0 *m x^T) 0 0.
    by rewrite -[in LHS](trmxK x) -trmx_mul -trmx_mul mulmxA trmxK mxE.
  by rewrite mulmxDr mulmxDl [X in _ * X]mxE tr -mulr2n -[X in _ * X]mulr_natl mulKf ?pnatr_eq0.
by split=> [|M' e]; rewrite [LHS]half // [RHS]half e.
Qed.

(* ---- without a hypothesis ---------------------------------------------------------------------------------------- *)

(* x_1 = 0 is as similar to itself as to -x_1: 0. *)
(* Needed: theorem=dissimilar hypothesis=x_1 not 0 lemma=needs_token *)
Lemma needs_token (W_Q : 'M[F]_N) : similarity W_Q (- W_Q) 0 0 = 0.
Proof. by rewrite /similarity !mul0mx mxE. Qed.
(* A token that W_Q takes to 0, which each singular W_Q has: similar to nothing. *)
(* Needed: theorem=dissimilar hypothesis=W_Q in GL(N) lemma=needs_invertible *)
Lemma needs_invertible (W_Q : 'M[F]_N) : W_Q \notin unitmx ->
  exists2 x : 'rV_N, x != 0 & similarity W_Q (- W_Q) x x = 0.
Proof.
rewrite unitmxE unitfE negbK => /det0P [x x0 z]; exists x => //.
by rewrite /similarity z mul0mx mxE.
Qed.
(* W_K = W_Q in place of -W_Q: no token is dissimilar to itself. *)
Lemma equal_matrices (W_Q : 'M[F]_N) x : 0 <= similarity W_Q W_Q x x.
Proof. exact: square_ge0. Qed.
End Itself.
