(* k_o3_1.v - K-O3.1: attention depends on X only through X W_Q, X W_K and X W_V.
 *
 * The paper (003, Observation 3.1): S(X, W_Q, W_K, W_V) = g(X W_Q, X W_K, X W_V).  In transformer.v g is
 * model_attention_of, and model_self_attention is g of the three products by definition, with biases added; what the
 * theorem says is what follows: equal products, equal attention, whatever the inputs and the weights. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction.
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
