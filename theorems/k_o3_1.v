(* k_o3_1.v - K-O3.1: attention depends on X only through X W_Q, X W_K and X W_V.
 *
 * The paper (003, Observation 3.1): S(X, W_Q, W_K, W_V) = g(X W_Q, X W_K, X W_V).  In transformer.v g is
 * model_attention_of, and model_self_attention is g of the three products by definition, with biases added; what the
 * theorem says is what follows: equal products, equal attention, whatever the inputs and the weights. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Factorization.
Variables (R : comUnitRingType) (n d d' h h_kv dk : nat).

(* W with other projections: everything else of the attention is W's. *)
Definition with_projections d1 d2 (W : layer R n d1 h h_kv dk) (Q : 'M[R]_(d2, h * dk)) (K V : 'M[R]_(d2, h_kv * dk)) :
  layer R n d2 h h_kv dk :=
  @Layer R n d2 h h_kv dk Q (b_Q W) K (b_K W) V (b_V W) 0 0 0 0 0 0 (norm_q W) (norm_k W) (rowmap W) 0 None
         (fun e => @Mlp R d2 0 0 0 None 0 0 (fun x => x)).
Definition same_attention (sh : shape R n d h h_kv dk) (sh' : shape R n d' h h_kv dk) :=
  [/\ visible sh' = visible sh, scale sh' = scale sh, group sh' = group sh & rotation sh' = rotation sh].

(* Inputs X and X' may have different widths d and d'. *)
(* Provably: claim=K-O3.1 part=as-stated theorem=products_decide quantifiers=all sizes, heads, X, X', weights *)
(* Provably: claim=K-O3.1 part=as-stated-grouped-queries theorem=products_decide quantifiers=all sizes, heads, groups, functions *)
(* Provably: claim=K-O3.1 part=as-stated-bias theorem=products_decide quantifiers=all sizes, heads, biases, scales *)
(* Provably: claim=K-O3.1 part=as-stated-rope theorem=products_decide quantifiers=all sizes, heads, rotations *)
(* Provably: claim=K-O3.1 part=as-stated-with-qk-norm theorem=products_decide quantifiers=all sizes, heads, norms *)
Theorem products_decide sh sh' (W : layer R n d h h_kv dk) Q' K' V' (X : 'M[R]_(n, d)) (X' : 'M[R]_(n, d')) :
  same_attention sh sh' -> X' *m Q' = X *m W_Q W -> X' *m K' = X *m W_K W -> X' *m V' = X *m W_V W ->
  model_self_attention sh' (with_projections W Q' K' V') X' = model_self_attention sh W X.
Proof.
case=> v s g r q k vv; rewrite /model_self_attention /affine /= q k vv /model_attention_of.
by apply: eq_hcat => a; rewrite /head_attention /rotate v s g r.
Qed.
End Factorization.

(* ---- without a hypothesis: one token, one head of width 1, linear attention: the score itself is the weight ------ *)

Section Needed.
(* Query, key and value q, k, v; the second key-value head has twice the value. *)
Definition numbers (q k v : rat) : layer rational 1 1 1 2 1 :=
  @Layer rational 1 1 1 2 1 q%:M 0 (const_mx k) 0 (\row_j (if (j < 1)%N then v else 2%:R * v)) 0 0 0 0 0 0 0
         (fun=> id) (fun=> id) (fun _ sees S => if sees 0 0 then S else 0) 0 None
         (fun e => @Mlp rational 1 0 0 0 None 0 0 id).
Definition reading (sees : bool) (c : rat) (g : 'I_2) (r : rat) : shape rational 1 1 1 2 1 :=
  Shape false false false None (fun _ _ => sees) c (fun=> g) (fun=> r%:M).
Notation S sees c g r q k v x := (model_self_attention (reading sees c g r) (numbers q k v) (x%:M : 'M[rat]_1) 0 0).

Lemma weighed sees c g r q k v x : S sees c g r q k v x =
  (if sees then c * (x * q * r) * (x * k * r) else 0) * (x * (if (g < 1)%N then v else 2%:R * v)).
Proof.
rewrite /model_self_attention /model_attention_of /head_attention /rotate /affine /= !(mxE, big_ord1) /=.
case: sees; rewrite !(mxE, big_ord1) /=; last by rewrite !mul0r.
rewrite !(mxE, big_ord1, ord1, eqxx, mulr1n, addr0, mul0n, add0n) /=.
case: g => [[|[|//]] ?]; by rewrite /= !mulrA.
Qed.

(* Without equal queries 2, without equal keys 2, without equal values 2 in place of 1. *)
(* Needed: theorem=products_decide hypothesis=X' W_Q' is X W_Q lemma=needs_queries *)
Lemma needs_queries : S true 1 0 1 2%:R 1 1 1 = 2%:R /\ S true 1 0 1 1 1 1 1 = 1.
Proof. by rewrite !weighed; split; apply/eqP; vm_compute. Qed.
(* Needed: theorem=products_decide hypothesis=X' W_K' is X W_K lemma=needs_keys *)
Lemma needs_keys : S true 1 0 1 1 2%:R 1 1 = 2%:R /\ S true 1 0 1 1 1 1 1 = 1.
Proof. by rewrite !weighed; split; apply/eqP; vm_compute. Qed.
(* Needed: theorem=products_decide hypothesis=X' W_V' is X W_V lemma=needs_values *)
Lemma needs_values : S true 1 0 1 1 1 2%:R 1 = 2%:R /\ S true 1 0 1 1 1 1 1 = 1.
Proof. by rewrite !weighed; split; apply/eqP; vm_compute. Qed.
(* Another mask, another scale, another group, another matrix of the position: not same_attention. *)
(* Needed: theorem=products_decide hypothesis=the same mask lemma=needs_mask *)
Lemma needs_mask : S false 1 0 1 1 1 1 1 = 0 /\ S true 1 0 1 1 1 1 1 = 1.
Proof. by rewrite !weighed; split; apply/eqP; vm_compute. Qed.
(* Needed: theorem=products_decide hypothesis=the same scale lemma=needs_scale *)
Lemma needs_scale : S true 2%:R 0 1 1 1 1 1 = 2%:R /\ S true 1 0 1 1 1 1 1 = 1.
Proof. by rewrite !weighed; split; apply/eqP; vm_compute. Qed.
(* Needed: theorem=products_decide hypothesis=the same groups lemma=needs_group *)
Lemma needs_group : S true 1 1 1 1 1 1 1 = 2%:R /\ S true 1 0 1 1 1 1 1 = 1.
Proof. by rewrite !weighed; split; apply/eqP; vm_compute. Qed.
(* Needed: theorem=products_decide hypothesis=the same rotations lemma=needs_rotation *)
Lemma needs_rotation : S true 1 0 2%:R 1 1 1 1 = 4%:R /\ S true 1 0 1 1 1 1 1 = 1.
Proof. by rewrite !weighed; split; apply/eqP; vm_compute. Qed.

(* X = 2 and weights 1/2 have the products of X = 1 and weights 1.  What reads X beside them is no function of them: a
 * gate X S gives 2, a term X + S gives 3, in place of 1 and 2. *)
(* Needed: theorem=products_decide hypothesis=attention reads X through the products alone lemma=needs_products_alone *)
Lemma needs_products_alone : let S x w := S true 1 0 1 w w w x in
  [/\ 2%:R * (1 / 2%:R) = 1 * 1 :> rat, S 2%:R (1 / 2%:R) = S 1 1,
      2%:R * S 2%:R (1 / 2%:R) <> 1 * S 1 1 & 2%:R + S 2%:R (1 / 2%:R) <> 1 + S 1 1].
Proof. by rewrite /= !weighed; split; apply/eqP; vm_compute. Qed.
End Needed.
