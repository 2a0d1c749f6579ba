(* b_5.v - B-5, the MLP of 002's Eq. 7, y = f(z W1 + b1) W2 + b2, and the number of its parameters. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer witness.
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

(* The entries of W1, b1, W2 and b2; 31,036 for N = 60, m = 256 *)
Definition entries (R : comUnitRingType) p q (A : 'M[R]_(p, q)) : nat := #|{: 'I_p * 'I_q}|.
(* Provably: claim=B-5 part=as-stated-count theorem=count quantifiers=all N, m, MLPs *)
Theorem count (R : comUnitRingType) N (F : mlp R N) :
  let parameters := (entries (W_up F) + entries (b_up F) + entries (W_down F) + entries (b_down F))%N in
  parameters = (N * m F + m F + m F * N + N)%N /\
  ((N, m F) = (60, 256)%N -> parameters = (31 * 1000 + 36)%N).
Proof.
move=> parameters; have e : parameters = (N * m F + m F + m F * N + N)%N.
  by rewrite /parameters /entries !card_prod !card_ord !mul1n.
by split=> // -[N60 m256]; rewrite e m256 N60.
Qed.

(* ---- without a hypothesis of as_stated: one number, z = 1, the identity as MLP ----------------------------------- *)

Section Needed.
Notation num x := (x%:M : 'M[rat]_(1 * 1)).
Definition one gate := @Mlp _ (1 * 1) (1 * 1) (num 1) 0 gate (num 1) 0 id.
Definition with_experts e router gate : small_layer :=
  @Layer _ 1 (1 * 1) 1 1 1 0 0 0 0 0 0 0 0 1%:M 0 1%:M 0 (fun _ A => A) (fun _ A => A) (fun _ _ S => S)
         e router (fun=> one gate).
Definition formula (F : mlp rational (1 * 1)) :=
  affine (map_mx (phi F) (affine (num 1) (W_up F) (b_up F))) (W_down F) (b_down F).
Lemma of_formula gate : formula (one gate) = num 1.
Proof. by rewrite /formula /= !affine_scalar !scale1r map_mx_id. Qed.
Lemma of_expert : expert_of (one None) (num 1) = num 1.
Proof. by rewrite /expert_of /= !affine_scalar !scale1r map_mx_id. Qed.

(* A router that gives its only expert the weight 2: 2 in place of 1. *)
(* Needed: theorem=as_stated hypothesis=no router lemma=needs_no_router *)
Lemma needs_no_router : let W := @with_experts 1 (Some (0, fun=> const_mx 2%:R)) None in
  model_mlp W (num 1) 0 0 = 2%:R /\ formula (expert W 0) 0 0 = 1.
Proof.
move=> W; split; last by rewrite of_formula mxE.
by rewrite /model_mlp /= big_ord1 of_expert !mxE.
Qed.
(* Two experts, whose outputs are added: 2 in place of 1. *)
(* Needed: theorem=as_stated hypothesis=one expert lemma=needs_one_expert *)
Lemma needs_one_expert : let W := @with_experts 2 None None in
  model_mlp W (num 1) 0 0 = 2%:R /\ formula (expert W 0) 0 0 = 1.
Proof.
move=> W; split; last by rewrite of_formula mxE.
by rewrite /model_mlp /= !big_ord_recl big_ord0 !of_expert !mxE; apply/eqP; vm_compute.
Qed.
(* A gate that is 0: 0 in place of 1. *)
(* Needed: theorem=as_stated hypothesis=no gate lemma=needs_no_gate *)
Lemma needs_no_gate : let W := @with_experts 1 None (Some (0, 0)) in
  model_mlp W (num 1) 0 0 = 0 /\ formula (expert W 0) 0 0 = 1.
Proof.
move=> W; split; last by rewrite of_formula mxE.
rewrite /model_mlp /= big_ord1 /expert_of /= affine_scalar scale1r /hadamard.
by rewrite !(mxE, big_ord1); apply/eqP; vm_compute.
Qed.
End Needed.
