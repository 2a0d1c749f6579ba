(* k_x_needed.v - what K-X needs: the constructions of Theorems 4.2, 4.3 and 4.4 without one hypothesis, on models that
 * have all extensions at once.
 *
 * One token, heads of width 1 in any number and groups, any mask that shows the token to itself; the matrix of the
 * position is -1, queries and keys go through 2 x / |x|, RMSNorm with gain 2; all biases; two experts and a router
 * whose weights are its scores, ReLU.  The models are functions of one number (witness_attention.v). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction witness witness_attention.
From Theorems Require Import k_x_tied.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* the layer with W_Q = q I *)
Definition full (q : rat) : numbers :=
  let gained x := 2%:R * Num.sg x in
  Numbers (q, 1) (- 1, - 1) (- 1, - 2%:R) (- 1, 1) gained gained (fun x => Num.max x 0)
          true [:: (- 2%:R, - 2%:R, - 1); (2%:R, - 1, - 2%:R)] (- 1) 1.
(* skips around attention and MLP; in parallel; a norm x / (|x| + 1) *)
Definition with_skips skip1 skip2 beside (norm : bool) : switches :=
  Switches skip1 skip2 beside (if norm then Some (fun x => x / (`|x| + 1)) else None) (1 / 2%:R) (- 1).

Section Needed.
Variables (h h_kv : nat) (v : 'I_1 -> 'I_1 -> bool) (g : 'I_h.+1 -> 'I_h_kv).
Hypothesis sees : v 0 0.
Notation shape_with skip1 skip2 beside norm := (shape_of v g (with_skips skip1 skip2 beside norm)).
Notation logit sh M := (model_forward sh M (1%:M : 'M[rat]_1) 0 0).
Notation W_Q_of q := (W_Q (@layer_of h h_kv (full q))).
(* E = 2, P = -1; a head of its own reads the first entry *)
Definition own_head Ns : model rational 1 (h.+1 * 1) h.+1 h_kv 1 1 :=
  model_of h_kv 2%:R (- 1) (Some (first_row h (fun=> 1))) Ns.
Definition tied_head Ns : model rational 1 (h.+1 * 1) h.+1 h_kv 1 1 := model_of h_kv 2%:R (- 1) None Ns.
(* one basis W_Q = q I, W_Q^i in front of layer i, and the latter where the head stays tied *)
Notation one_basis sh q M := (gauge_model sh (fun=> W_Q_of q) M).
Notation own_bases sh M := (gauge_model sh (query_bases 1%:M M) M).
Notation tied_bases sh M := (gauge_model sh (query_bases (invmx (query_bases 1%:M M 0)^T) M) M).

Section Values.
Variables (s : switches) (Ns : seq numbers).
Notation sh := (shape_of v g s).
Notation value b head := (forward s true 1 b 2%:R (- 1) head Ns).
Notation queries last := (nth last [seq (query N).1 | N <- Ns]).
Lemma tied_value b : forward s true h.+1 b 2%:R (- 1) None Ns = value b None *+ h.+1.
Proof. by rewrite /forward mulr1n. Qed.
Lemma untied_total : omap (@total h) (head (untied (tied_head Ns))) = Some (2%:R *+ h.+1).
Proof. by rewrite /= trmx_const total_every. Qed.
Lemma untied_value b : forward s true h.+1 b 2%:R (- 1) (Some (2%:R *+ h.+1)) Ns = value b (Some 2%:R) *+ h.+1.
Proof. by rewrite /forward !mulrnAr. Qed.

Lemma own_as_is : logit sh (own_head Ns) = value (fun=> 1) (Some 1).
Proof. by rewrite as_is sees /= total_first. Qed.
Lemma own_one_basis q : logit sh (one_basis sh q (own_head Ns)) = value (fun=> q) (Some 1).
Proof. by rewrite (@in_bases h h_kv v g s _ (fun=> q)) // sees /= total_first. Qed.
Lemma own_own_bases : logit sh (own_bases sh (own_head Ns)) = value (queries 1) (Some 1).
Proof. by rewrite (in_bases _ _ _ _ _ _ _ (query_bases_of _ _ _ _ _ _)) sees /= total_first. Qed.
Lemma tied_as_is : logit sh (tied_head Ns) = value (fun=> 1) None *+ h.+1.
Proof. by rewrite as_is sees tied_value. Qed.
Lemma tied_one_basis q : logit sh (one_basis sh q (tied_head Ns)) = value (fun=> q) None *+ h.+1.
Proof. by rewrite (@in_bases h h_kv v g s _ (fun=> q)) // sees tied_value. Qed.
Lemma tied_own_bases : logit sh (tied_bases sh (tied_head Ns)) = value (queries (queries 1 0%N)^-1) None *+ h.+1.
Proof.
rewrite [query_bases 1%:M _ 0]query_bases_of tr_scalar_mx invmx_scalar.
by rewrite (in_bases _ _ _ _ _ _ _ (query_bases_of _ _ _ _ _ _)) sees tied_value.
Qed.
Lemma untied_one_basis q :
  logit sh (one_basis sh q (untied (tied_head Ns))) = value (fun=> q) (Some 2%:R) *+ h.+1.
Proof. by rewrite (@in_bases h h_kv v g s _ (fun=> q)) // sees untied_total untied_value. Qed.
End Values.
Ltac number := apply/eqP; vm_compute; reflexivity.
Lemma same (x y : rat) : x = y -> x *+ h.+1 = y *+ h.+1. Proof. by move->. Qed.
Ltac multiple := apply: same; number.

(* ---- attention alone --------------------------------------------------------------------------------------------- *)

(* Theta = 0, W_Q = 2, X = 1: each head gives 4 in place of 6. *)
Lemma needs_invertible_attention : let sh := shape_with false false false false in
  let W := @layer_of h h_kv (full 2%:R) in let X := const_mx 1 : 'M[rat]_(1, h.+1 * 1) in
  model_self_attention sh (rewrite_layer 0%:M 1%:M 1%:M 1%:M W) (X *m 0%:M) = const_mx 4%:R /\
  model_self_attention sh W X = const_mx 6%:R.
Proof.
split; first rewrite every_scalar self_attention_turned sees.
  by congr const_mx; number.
rewrite -(@self_attention_gauge _ _ _ _ _ _ _ 1%:M 1%:M 1%:M 1%:M) ?unitmx1 // every_scalar self_attention_turned sees.
by congr const_mx; number.
Qed.

(* ---- Theorem 4.2: W_Q = 2 ---------------------------------------------------------------------------------------- *)

(* A norm: -8/19 in place of -15/19. *)
Lemma needs_no_norm_4_2 : let sh := shape_with true true false true in
  logit sh (one_basis sh 2%:R (own_head [:: full 2%:R])) = - (8%:R / 19%:R) /\
  logit sh (own_head [:: full 2%:R]) = - (15%:R / 19%:R).
Proof. by split; [rewrite own_one_basis|rewrite own_as_is]; number. Qed.
(* A tied head that stays tied: -96 (h + 1) in place of -24 (h + 1). *)
Lemma needs_untied_4_2 : let sh := shape_with true true false false in
  logit sh (one_basis sh 2%:R (tied_head [:: full 2%:R])) = (- 96%:R) *+ h.+1 /\
  logit sh (tied_head [:: full 2%:R]) = (- 24%:R) *+ h.+1.
Proof. by split; [rewrite tied_one_basis|rewrite tied_as_is]; multiple. Qed.
(* W_Q = 0, which has no inverse (Coq writes 0 for it): 0 in place of -12. *)
Lemma needs_invertible_4_2 : let sh := shape_with true true false false in
  logit sh (one_basis sh 0 (own_head [:: full 0])) = 0 /\
  logit sh (own_head [:: full 0]) = - 12%:R.
Proof. by split; [rewrite own_one_basis|rewrite own_as_is]; number. Qed.

(* ---- Theorem 4.3: two layers with W_Q = 2 ------------------------------------------------------------------------ *)

(* A norm: -275/607 in place of -25/101. *)
Lemma needs_no_norm_4_3 : let sh := shape_with true true false true in
  logit sh (one_basis sh 2%:R (own_head [:: full 2%:R; full 2%:R])) = - (275%:R / 607%:R) /\
  logit sh (own_head [:: full 2%:R; full 2%:R]) = - (25%:R / 101%:R).
Proof. by split; [rewrite own_one_basis|rewrite own_as_is]; number. Qed.
(* A tied head that stays tied: 72 (h + 1) in place of 18 (h + 1). *)
Lemma needs_untied_4_3 : let sh := shape_with true true false false in
  logit sh (one_basis sh 2%:R (tied_head [:: full 2%:R; full 2%:R])) = 72%:R *+ h.+1 /\
  logit sh (tied_head [:: full 2%:R; full 2%:R]) = 18%:R *+ h.+1.
Proof. by split; [rewrite tied_one_basis|rewrite tied_as_is]; multiple. Qed.
(* W_Q = 0: 0 in place of -93. *)
Lemma needs_invertible_4_3 : let sh := shape_with true true false false in
  logit sh (one_basis sh 0 (own_head [:: full 0; full 0])) = 0 /\
  logit sh (own_head [:: full 0; full 0]) = - 93%:R.
Proof. by split; [rewrite own_one_basis|rewrite own_as_is]; number. Qed.

(* ---- Theorem 4.4: W_Q = 2 ---------------------------------------------------------------------------------------- *)

(* A norm: 0 in place of -3/7. *)
Lemma needs_no_norm_4_4 : let sh := shape_with true false false true in
  logit sh (own_bases sh (own_head [:: full 2%:R])) = 0 /\
  logit sh (own_head [:: full 2%:R]) = - (3%:R / 7%:R).
Proof. by split; [rewrite own_own_bases|rewrite own_as_is]; number. Qed.
(* W_Q = 0: 0 in place of -8. *)
Lemma needs_invertible_4_4 : let sh := shape_with true false false false in
  logit sh (own_bases sh (own_head [:: full 0])) = 0 /\
  logit sh (own_head [:: full 0]) = - 8%:R.
Proof. by split; [rewrite own_own_bases|rewrite own_as_is]; number. Qed.
(* A skip around the MLP as well: -16 in place of -12. *)
Lemma needs_no_MLP_skip_4_4 : let sh := shape_with true true false false in
  logit sh (own_bases sh (own_head [:: full 2%:R])) = - 16%:R /\
  logit sh (own_head [:: full 2%:R]) = - 12%:R.
Proof. by split; [rewrite own_own_bases|rewrite own_as_is]; number. Qed.

(* ---- parallel blocks, with their skip as Theorems 4.2 and 4.3, without it as Theorem 4.4 ------------------------- *)

(* A norm: -8/19 in place of -3/4. *)
Lemma parallel_needs_no_norm_4_2 : let sh := shape_with true true true true in
  logit sh (one_basis sh 2%:R (own_head [:: full 2%:R])) = - (8%:R / 19%:R) /\
  logit sh (own_head [:: full 2%:R]) = - (3%:R / 4%:R).
Proof. by split; [rewrite own_one_basis|rewrite own_as_is]; number. Qed.
(* A tied head that stays tied: -32 (h + 1) in place of -8 (h + 1). *)
Lemma parallel_needs_untied_4_2 : let sh := shape_with true true true false in
  logit sh (one_basis sh 2%:R (tied_head [:: full 2%:R])) = (- 32%:R) *+ h.+1 /\
  logit sh (tied_head [:: full 2%:R]) = (- 8%:R) *+ h.+1.
Proof. by split; [rewrite tied_one_basis|rewrite tied_as_is]; multiple. Qed.
(* W_Q = 0: 0 in place of -4. *)
Lemma parallel_needs_invertible_4_2 : let sh := shape_with true true true false in
  logit sh (one_basis sh 0 (own_head [:: full 0])) = 0 /\
  logit sh (own_head [:: full 0]) = - 4%:R.
Proof. by split; [rewrite own_one_basis|rewrite own_as_is]; number. Qed.
(* Two layers, a norm: -275/607 in place of -1/5. *)
Lemma parallel_needs_no_norm_4_3 : let sh := shape_with true true true true in
  logit sh (one_basis sh 2%:R (own_head [:: full 2%:R; full 2%:R])) = - (275%:R / 607%:R) /\
  logit sh (own_head [:: full 2%:R; full 2%:R]) = - (1 / 5%:R).
Proof. by split; [rewrite own_one_basis|rewrite own_as_is]; number. Qed.
(* Two layers, a tied head that stays tied: -56 (h + 1) in place of -14 (h + 1). *)
Lemma parallel_needs_untied_4_3 : let sh := shape_with true true true false in
  logit sh (one_basis sh 2%:R (tied_head [:: full 2%:R; full 2%:R])) = (- 56%:R) *+ h.+1 /\
  logit sh (tied_head [:: full 2%:R; full 2%:R]) = (- 14%:R) *+ h.+1.
Proof. by split; [rewrite tied_one_basis|rewrite tied_as_is]; multiple. Qed.
(* Two layers, W_Q = 0: 0 in place of -15. *)
Lemma parallel_needs_invertible_4_3 : let sh := shape_with true true true false in
  logit sh (one_basis sh 0 (own_head [:: full 0; full 0])) = 0 /\
  logit sh (own_head [:: full 0; full 0]) = - 15%:R.
Proof. by split; [rewrite own_one_basis|rewrite own_as_is]; number. Qed.
(* Without the skip, a norm: -11/14 in place of -4/5. *)
Lemma parallel_needs_no_norm_4_4 : let sh := shape_with false false true true in
  logit sh (own_bases sh (own_head [:: full 2%:R])) = - (11%:R / 14%:R) /\
  logit sh (own_head [:: full 2%:R]) = - (4%:R / 5%:R).
Proof. by split; [rewrite own_own_bases|rewrite own_as_is]; number. Qed.
(* Without the skip, W_Q = 0: -3 in place of -5. *)
Lemma parallel_needs_invertible_4_4 : let sh := shape_with false false true false in
  logit sh (own_bases sh (own_head [:: full 0])) = - 3%:R /\
  logit sh (own_head [:: full 0]) = - 5%:R.
Proof. by split; [rewrite own_own_bases|rewrite own_as_is]; number. Qed.
(* The skip, and all layers at once: -3 in place of -4. *)
Lemma parallel_needs_no_skip : let sh := shape_with true true true false in
  logit sh (own_bases sh (own_head [:: full 2%:R])) = - 3%:R /\
  logit sh (own_head [:: full 2%:R]) = - 4%:R.
Proof. by split; [rewrite own_own_bases|rewrite own_as_is]; number. Qed.

(* ---- tied heads -------------------------------------------------------------------------------------------------- *)

(* Theorem 4.4, a norm: 0 in place of -6/7 (h + 1). *)
Lemma tied_needs_no_norm_4_4 : let sh := shape_with true false false true in
  logit sh (tied_bases sh (tied_head [:: full 2%:R])) = 0 *+ h.+1 /\
  logit sh (tied_head [:: full 2%:R]) = (- (6%:R / 7%:R)) *+ h.+1.
Proof. by split; [rewrite tied_own_bases|rewrite tied_as_is]; multiple. Qed.
(* Theorem 4.4, W_Q = 0: 0 in place of -16 (h + 1). *)
Lemma tied_needs_invertible_4_4 : let sh := shape_with true false false false in
  logit sh (tied_bases sh (tied_head [:: full 0])) = 0 *+ h.+1 /\
  logit sh (tied_head [:: full 0]) = (- 16%:R) *+ h.+1.
Proof. by split; [rewrite tied_own_bases|rewrite tied_as_is]; multiple. Qed.
(* Theorem 4.4, a skip around the MLP as well: -48 (h + 1) in place of -24 (h + 1). *)
Lemma tied_needs_no_MLP_skip_4_4 : let sh := shape_with true true false false in
  logit sh (tied_bases sh (tied_head [:: full 2%:R])) = (- 48%:R) *+ h.+1 /\
  logit sh (tied_head [:: full 2%:R]) = (- 24%:R) *+ h.+1.
Proof. by split; [rewrite tied_own_bases|rewrite tied_as_is]; multiple. Qed.
(* Theorem 4.2 with a head of its own, a norm: -16/19 (h + 1) in place of -30/19 (h + 1). *)
Lemma tied_needs_no_norm_4_2 : let sh := shape_with true true false true in
  logit sh (one_basis sh 2%:R (untied (tied_head [:: full 2%:R]))) = (- (16%:R / 19%:R)) *+ h.+1 /\
  logit sh (tied_head [:: full 2%:R]) = (- (30%:R / 19%:R)) *+ h.+1.
Proof. by split; [rewrite untied_one_basis|rewrite tied_as_is]; multiple. Qed.
(* Theorem 4.2 with a head of its own, W_Q = 0: 0 in place of -24 (h + 1). *)
Lemma tied_needs_invertible_4_2 : let sh := shape_with true true false false in
  logit sh (one_basis sh 0 (untied (tied_head [:: full 0]))) = 0 *+ h.+1 /\
  logit sh (tied_head [:: full 0]) = (- 24%:R) *+ h.+1.
Proof. by split; [rewrite untied_one_basis|rewrite tied_as_is]; multiple. Qed.
(* Theorem 4.3, likewise, a norm: -550/607 (h + 1) in place of -50/101 (h + 1). *)
Lemma tied_needs_no_norm_4_3 : let sh := shape_with true true false true in
  logit sh (one_basis sh 2%:R (untied (tied_head [:: full 2%:R; full 2%:R]))) = (- (550%:R / 607%:R)) *+ h.+1 /\
  logit sh (tied_head [:: full 2%:R; full 2%:R]) = (- (50%:R / 101%:R)) *+ h.+1.
Proof. by split; [rewrite untied_one_basis|rewrite tied_as_is]; multiple. Qed.
(* Theorem 4.3, likewise, W_Q = 0: 0 in place of -186 (h + 1). *)
Lemma tied_needs_invertible_4_3 : let sh := shape_with true true false false in
  logit sh (one_basis sh 0 (untied (tied_head [:: full 0; full 0]))) = 0 *+ h.+1 /\
  logit sh (tied_head [:: full 0; full 0]) = (- 186%:R) *+ h.+1.
Proof. by split; [rewrite untied_one_basis|rewrite tied_as_is]; multiple. Qed.
(* Theorem 4.2 with a head that stays tied, W_Q = 2, which is not orthogonal: -96 (h + 1) in place of -24 (h + 1). *)
Lemma tied_needs_orthogonal : let sh := shape_with true true false false in
  logit sh (one_basis sh 2%:R (tied_head [:: full 2%:R])) = (- 96%:R) *+ h.+1 /\
  logit sh (tied_head [:: full 2%:R]) = (- 24%:R) *+ h.+1.
Proof. by split; [rewrite tied_one_basis|rewrite tied_as_is]; multiple. Qed.
(* Theorem 4.2 with a head that stays tied, W_Q = -1, a norm x / (|x| + 1) + 1, whose bias does not turn: -18/5 (h + 1)
 * in place of 19/5 (h + 1). *)
Lemma tied_needs_no_norm_orthogonal :
  let norm (x : rat) : rat := x / (`|x| + 1) + 1 in
  let sh := shape_of v g (Switches true true false (Some norm) (1 / 2%:R) (- 1)) in
  logit sh (one_basis sh (- 1) (tied_head [:: full (- 1)])) = (- (18%:R / 5%:R)) *+ h.+1 /\
  logit sh (tied_head [:: full (- 1)]) = (19%:R / 5%:R) *+ h.+1.
Proof. by split; [rewrite tied_one_basis|rewrite tied_as_is]; multiple. Qed.
End Needed.
