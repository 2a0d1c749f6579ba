(* b_5.v - B-5, the MLP of 002's Eq. 7, y = f(z W1 + b1) W2 + b2, and the number of its parameters. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* One MLP, no gate, no router. *)
(* Provably: claim=B-5 part=as-stated theorem=as_stated quantifiers=all sizes, functions f, weights, biases, z *)
Theorem as_stated (R : comUnitRingType) n d h h_kv dk (W : layer R n d h h_kv dk) (e0 : 'I_(experts W))
  (z : 'M[R]_(n, d)) : router W = None -> (forall e, e = e0) -> W_gate (expert W e0) = None ->
  let F := expert W e0 in
  model_mlp W z = affine (map_mx (phi F) (affine z (W_up F) (b_up F))) (W_down F) (b_down F).
Proof.
move=> no one plain; rewrite /model_mlp no (bigD1 e0) //= big1 => [|e]; last by rewrite (one e) eqxx.
by rewrite addr0 /expert_of plain.
Qed.

(* The entries of W1, b1, W2 and b2 *)
(* Provably: claim=B-5 part=as-stated-count theorem=count quantifiers=all N, m *)
Theorem count N m :
  (#|{: 'I_N * 'I_m}| + #|'I_m| + #|{: 'I_m * 'I_N}| + #|'I_N| = N * m + m + m * N + N)%N.
Proof. by rewrite !card_prod !card_ord. Qed.
(* 31,036 for N = 60, m = 256 *)
Corollary count_60_256 : (60 * 256 + 256 + 256 * 60 + 60 = 31 * 1000 + 36)%N.
Proof. by []. Qed.
