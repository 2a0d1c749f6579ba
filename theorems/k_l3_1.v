(* k_l3_1.v - K-L3.1, the Reparametrization Lemma.
 *
 * The paper (003, Lemma 3.1): a function f that depends on X W_Q, X W_K and X W_V alone is the same at
 * (X Theta, Theta^-1 W_Q, Theta^-1 W_K, Theta^-1 W_V) for every Theta in GL(d); with Theta = W_Q the query matrix
 * is I. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Lemma31.
Variables (R : comUnitRingType) (n d p q : nat) (S : Type).

Definition depends_on_products (f : 'M[R]_(n, d) -> 'M[R]_(d, p) -> 'M[R]_(d, q) -> 'M[R]_(d, q) -> S) :=
  forall X W_Q W_K W_V X' W_Q' W_K' W_V',
    X *m W_Q = X' *m W_Q' -> X *m W_K = X' *m W_K' -> X *m W_V = X' *m W_V' -> f X W_Q W_K W_V = f X' W_Q' W_K' W_V'.

(* p = q = d is the lemma of the paper; q < p are grouped heads. *)
(* Provably: claim=K-L3.1 part=as-stated theorem=reparametrization quantifiers=all sizes, f, X, weights, Theta *)
(* Provably: claim=K-L3.1 part=as-stated-grouped-queries theorem=reparametrization quantifiers=all sizes, f, X, weights, Theta *)
Theorem reparametrization f X W_Q W_K W_V Theta : depends_on_products f -> Theta \in unitmx ->
  f (X *m Theta) (invmx Theta *m W_Q) (invmx Theta *m W_K) (invmx Theta *m W_V) = f X W_Q W_K W_V.
Proof. by move=> dep u; apply: dep; rewrite read_back. Qed.
End Lemma31.

(* f(X, W_Q, W_K, W_V) = f(X W_Q, I, W_Q^-1 W_K, W_Q^-1 W_V) *)
(* Provably: claim=K-L3.1 part=as-stated-query-basis theorem=query_to_identity quantifiers=all sizes, f, X, weights *)
(* Provably: claim=K-L3.1 part=as-stated-grouped-queries-query-basis theorem=query_to_identity quantifiers=all sizes, f, X, weights *)
Theorem query_to_identity (R : comUnitRingType) n d q S f (X : 'M[R]_(n, d)) (W_Q : 'M_d) (W_K W_V : 'M_(d, q)) :
  @depends_on_products R n d d q S f -> W_Q \in unitmx ->
  f X W_Q W_K W_V = f (X *m W_Q) 1%:M (invmx W_Q *m W_K) (invmx W_Q *m W_V).
Proof. by move=> dep u; rewrite -(reparametrization X W_Q W_K W_V dep u) mulVmx. Qed.

(* Attention of transformer.v is such a function. *)
Lemma attention_depends_on_products (R : comUnitRingType) n d h h_kv dk (sh : shape R n d h h_kv dk) W :
  depends_on_products (fun (X : 'M_(n, d)) Q K V =>
    model_attention_of sh W (affine X Q (b_Q W)) (affine X K (b_K W)) (affine X V (b_V W))).
Proof. by move=> X Q K V X' Q' K' V' q k v; rewrite /affine q k v. Qed.

(* ---- each hypothesis is needed: numbers ------------------------------------------------------------------------- *)

Section Needed.
Notation num x := (x%:M : 'M[rat]_1).
(* Theta = 0 has no inverse: X W_Q = 1 becomes 0. *)
(* Needed: theorem=reparametrization hypothesis=Theta in GL(d) lemma=needs_invertible *)
Lemma needs_invertible : let f (X Q K V : 'M[rat]_1) := X *m Q in
  depends_on_products f /\ f (num 1 *m 0) (invmx 0 *m num 1) (num 1) (num 1) <> f (num 1) (num 1) (num 1) (num 1).
Proof.
by split=> [X Q K V X' Q' K' V' //|]; rewrite mulmx0 mul0mx mulmx1 => /matrixP /(_ 0 0) /eqP; rewrite !mxE.
Qed.
(* A function of X itself, Theta = 2: 2 in place of 1. *)
(* Needed: theorem=reparametrization hypothesis=f depends on the three products alone lemma=needs_products *)
Lemma needs_products : let f (X Q K V : 'M[rat]_1) := X in
  num 2%:R \in unitmx /\
  f (num 1 *m num 2%:R) (invmx (num 2%:R) *m num 1) (num 1) (num 1) <> f (num 1) (num 1) (num 1) (num 1).
Proof.
split; first by rewrite unitmxE det_scalar.
by rewrite mul1mx => /matrixP /(_ 0 0) /eqP; rewrite !mxE.
Qed.
(* W_Q = 0 has no inverse: X W_K = 1 becomes 0. *)
(* Needed: theorem=query_to_identity hypothesis=W_Q in GL(d) lemma=queries_need_invertible *)
Lemma queries_need_invertible : let f (X Q K V : 'M[rat]_1) := X *m K in
  depends_on_products f /\ f (num 1) 0 (num 1) (num 1) <> f (num 1 *m 0) (num 1) (invmx 0 *m num 1) (invmx 0 *m num 1).
Proof.
by split=> [X Q K V X' Q' K' V' //|]; rewrite /= mulmx0 mul0mx mulmx1 => /matrixP /(_ 0 0) /eqP; rewrite !mxE.
Qed.
(* A function of X itself, W_Q = 2: 2 in place of 1. *)
(* Needed: theorem=query_to_identity hypothesis=f depends on the three products alone lemma=queries_need_products *)
Lemma queries_need_products : let f (X Q K V : 'M[rat]_1) := X in let half := invmx (num 2%:R) *m num 1 in
  num 2%:R \in unitmx /\ f (num 1) (num 2%:R) (num 1) (num 1) <> f (num 1 *m num 2%:R) (num 1) half half.
Proof.
split; first by rewrite unitmxE det_scalar.
by rewrite mul1mx => /matrixP /(_ 0 0) /eqP; rewrite !mxE.
Qed.
End Needed.
