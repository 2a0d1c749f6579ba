(* k_x_qknorm.v - K-X-qknorm: normed queries and keys.  Any function of the queries of a head and of its keys, gains
 * included, stands between the weights and the scores (norm_q, norm_k). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Normed.
Variables (R : comUnitRingType) (n h h_kv dk V : nat) (sh : shape R n (h * dk) h h_kv dk).
Hypothesis no_norm : norm sh = None.
(* Provably: claim=K-X-qknorm part=as-stated theorem=qk_norm_4_2 quantifiers=all sizes, heads, depths, functions *)
Theorem qk_norm_4_2 : one_layer_eliminated V sh.
Proof. exact: one_layer_holds. Qed.
(* Provably: claim=K-X-qknorm part=as-stated-theorem-4.3 theorem=qk_norm_4_3 quantifiers=all sizes, heads, depths, functions *)
Theorem qk_norm_4_3 : shared_block_eliminated V sh.
Proof. exact: shared_block_holds. Qed.
(* Provably: claim=K-X-qknorm part=as-stated-theorem-4.4 theorem=qk_norm_4_4 quantifiers=all sizes, heads, depths, functions *)
Theorem qk_norm_4_4 : skips_around_attention_only sh -> all_layers_eliminated V sh.
Proof. by move=> only; apply: all_layers_hold => //; apply: attention_only_crosses. Qed.
End Normed.

Section Orthogonal.
Variables (R : comUnitRingType) (n d h h_kv dk : nat).
(* A norm rho(|v|^2) v of each row, then gains. *)
Definition radial (rho : R -> R) (gain : 'M[R]_dk) (A : 'M[R]_(n, dk)) : 'M_(n, dk) :=
  scale_rows (\col_t rho ((row t A *m (row t A)^T) 0 0)) A *m gain.

Lemma radial_turn rho gain A (D : 'M_dk) : D *m D^T = 1%:M -> gain *m D = D *m gain ->
  radial rho gain (A *m D) = radial rho gain A *m D.
Proof.
move=> orth comm; rewrite /radial -[RHS]mulmxA comm mulmxA; congr (_ *m gain).
rewrite -scale_rows_mul; congr scale_rows.
apply/colP => t; rewrite [LHS]mxE [RHS]mxE; congr (rho (fun_of_matrix _ 0 0)).
by rewrite row_mul trmx_mul mulmxA -(mulmxA (row t A)) orth mulmx1.
Qed.

(* Proposition 3.2 for orthogonal D_g that commute with the gains of queries and keys. *)
(* Provably: claim=K-X-qknorm part=as-stated-proposition-3.2 theorem=orthogonal_turn quantifiers=all sizes, heads, norms, X, D *)
(* Provably: claim=K-X-qknorm part=as-stated-gain theorem=orthogonal_turn quantifiers=all sizes, heads, norms, D *)
Theorem orthogonal_turn (sh : shape R n d h h_kv dk) (D : 'I_h_kv -> 'M[R]_dk) W rho_q rho_k gain_q gain_k X :
  (forall t, rotation sh t = 1%:M) -> (forall g, D g *m (D g)^T = 1%:M) ->
  (forall a A, norm_q W a A = radial rho_q gain_q A) -> (forall g A, norm_k W g A = radial rho_k gain_k A) ->
  (forall g, gain_q *m D g = D g *m gain_q) -> (forall g, gain_k *m D g = D g *m gain_k) ->
  model_self_attention sh (turn_query_key sh D W) X = model_self_attention sh W X.
Proof.
move=> rope orth nq nk cq ck; have inv g : (invmx (D g))^T = D g by have [-> _] := invmx_eq (orth g); rewrite trmxK.
apply: turn_query_key_attention => [g|t g|]; first by have [] := invmx_eq (orth g).
  by rewrite rope trmx1 !(mulmx1, mul1mx).
by split=> [a A|g A]; rewrite ?nq ?nk ?inv radial_turn.
Qed.
End Orthogonal.
