(* b_2.v - B-2, attention weights by softmax over the tokens that a row sees.
 *
 * The paper (002, Section 3): "every sum of a_sij is equal to unity (as a result of the softmax operation)".  Any mask
 * with a visible token in each row; any positive function in place of exp. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Theorems Require Import b_14.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* Provably: claim=B-2 part=corrected theorem=weights quantifiers=all ordered fields, n, masks, scores, positive functions in place of exp *)
Theorem weights (F : realFieldType) n (e : F -> F) (visible : 'I_n -> 'I_n -> bool) (scores : 'M[F]_n) :
  (forall y, 0 < e y) -> (forall i, exists j, visible i j) -> let A := softmax e visible scores in
  forall i, [/\ forall j, visible i j -> 0 < A i j, forall j, ~~ visible i j -> A i j = 0 & \sum_j A i j = 1].
Proof.
move=> e0 sees A i; have [_ /colP /(_ i)] := softmax_stochastic scores e0 sees.
rewrite !mxE => total; split=> [j see|j /negPf hidden|].
- exact: softmax_positive.
- by rewrite mxE hidden mul0r.
by rewrite -[RHS]total; apply: eq_bigr => j _; rewrite !mxE mulr1.
Qed.

(* A row that sees nothing: its weights sum to 0. *)
(* Needed: theorem=weights hypothesis=each row sees a token lemma=needs_a_visible_token *)
Lemma needs_a_visible_token : \sum_j softmax (fun=> 1) (fun _ _ => false) (0 : 'M[rat]_1) 0 j = 0.
Proof. by rewrite big_ord1 mxE mul0r. Qed.

(* e = 0 in place of exp: the weights sum to 0. *)
(* Needed: theorem=weights hypothesis=a positive function in place of exp lemma=needs_positive *)
Lemma needs_positive : \sum_j softmax (fun=> 0) (fun _ _ => true) (0 : 'M[rat]_1) 0 j = 0.
Proof. by rewrite big_ord1 mxE mul0r. Qed.
