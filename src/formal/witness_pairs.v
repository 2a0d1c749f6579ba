(* witness_pairs.v - models of width 2 whose scores are the weights: two tokens before one head of width 2, for rotary
 * positions, and one token before two heads of width 1.  A skip goes around the attention, and the MLP hands on what it
 * reads: the head sees E + attention(E). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge heads witness witness_quiet.
From Provably Require Export small_matrices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Around.
Variables (n d h dk : nat).
Definition linear_layer (Q : 'M[rat]_(d, h * dk)) bQ K bK Vv O nq nk : layer rational n d h h dk :=
  @Layer rational n d h h dk Q bQ K bK Vv 0 O 0 1%:M 0 1%:M 0 (fun=> nq) (fun=> nk) (fun _ _ S => S)
         1 None (fun=> handing_on).
Definition around_attention group rot : shape rational n d h h dk :=
  Shape true false false None (fun _ _ => true) 1 group rot.
Variables (e : 'M[rat]_(n, d)) (H : option 'M[rat]_(d, n)).
Definition model_around W : model rational n d h h dk n := Model e 0 H 1%:M 0 [:: W].
Definition hands_on (W : layer rational n d h h dk) := model_mlp W = model_mlp (linear_layer 0 0 0 0 0 0 id id).
Lemma logits_around group rot W : hands_on W -> let sh := around_attention group rot in
  model_forward sh (model_around W) 1%:M = (e + model_attention sh W e) *m (if H is Some A then A else e^T).
Proof.
move=> mlp sh; rewrite /model_forward /model_head /model_embed /normalise /= mul1mx addr0.
rewrite /model_block /skip /= /normalise /= mlp; congr (_ *m _).
by rewrite /model_mlp /= big_ord1 /expert_of /= !affine_none map_mx_id // !mulmx1.
Qed.

(* no biases, no norms of queries and keys, scores as weights *)
Definition linear (W : layer rational n d h h dk) :=
  [/\ b_Q W = 0 /\ b_K W = 0, b_V W = 0 /\ b_O W = 0, forall a A, norm_q W a A = A, forall a A, norm_k W a A = A &
      forall a v S, rowmap W a v S = S].
Lemma linear_attention group rot W X : linear W -> let sh := around_attention group rot in
  model_attention sh W X = hcat (fun a => rotate sh (cols (X *m W_Q W) a) *m
    (rotate sh (cols (X *m W_K W) (group a)))^T *m cols (X *m W_V W) (group a)) *m W_O W.
Proof.
move=> [[bQ bK] [bV bO] nq nk rm] sh; rewrite /model_attention /model_self_attention bQ bK bV bO !affine_none.
congr (_ *m _); apply: eq_hcat => a; by rewrite /head_attention nq nk rm /= scale1r.
Qed.
End Around.
Arguments around_attention {n d h dk} group rot.

(* ---- two tokens, one head of width 2: E = W_V = W_O = 1, head 1 or tied ------------------------------------------ *)

Definition two_tokens (Q K : 'M[rat]_(1 * 2)) : layer rational (1 * 2) (1 * 2) 1 1 2 :=
  linear_layer Q 0 K 0 1%:M 1%:M id id.
Definition turning : shape rational (1 * 2) (1 * 2) 1 1 2 := around_attention id quarter.
Notation one := (1%:M : 'M[rat]_(1 * 2)).
Lemma one_head_cols (A : 'M[rat]_(1 * 2)) (a : 'I_1) : cols A a = A.
Proof. by apply/matrixP => i j; rewrite mxE; congr (A _ _); apply: val_inj; rewrite /= ord1. Qed.

Lemma one_block (D : 'I_1 -> 'M[rat]_2) : blockdiag D = D 0.
Proof.
apply/matrixP => i j; rewrite !mxE !ord1 eqxx mulr1n; congr (D _ _ _); apply: val_inj; rewrite /= modn_small //.
Qed.
(* diag(1, 2) *)
Definition stretch : 'M[rat]_(1 * 2) := pair_of 1 0 0 2%:R.
Lemma stretch_unit : stretch \in unitmx.
Proof.
have [] // := @invmx_eq _ _ stretch (pair_of 1 0 0 (1 / 2%:R)).
by apply: pair_eq; rewrite pair_dot !mxE; apply/eqP; vm_compute.
Qed.
(* the second token's query (Q10, Q11), turned, times the first token's key (K00, K01) *)
Lemma turned_logit (tied : bool) W : linear W -> hands_on W -> W_V W = one -> W_O W = one ->
  model_forward turning (model_around one (if tied then None else Some one) W) one 1 0 =
  W_Q W 1 0 * W_K W 0 1 - W_Q W 1 1 * W_K W 0 0.
Proof.
move=> lin mlp V1 O1; rewrite /turning logits_around // (_ : (if _ is Some A then A else _) = one); last first.
  by case: tied; rewrite ?trmx1.
rewrite mulmx1 linear_attention // V1 O1 !mul1mx mulmx1 mxE [X in X + _]mxE add0r.
rewrite mxE !one_head_cols mulmx1 (_ : place_of (0 : 'I_(1 * 2)) = 0); last exact: val_inj.
have turned (A : 'M[rat]_(1 * 2)) i : rotate turning A i 0 = A i 0 * quarter i 0 0 + A i 1 * quarter i 1 0 /\
    rotate turning A i 1 = A i 0 * quarter i 0 1 + A i 1 * quarter i 1 1.
  by split; rewrite [LHS]mxE; apply: etrans (pair_dot _ _ _ _) _; rewrite !mxE.
apply: etrans (pair_dot _ _ _ _) _; rewrite ![_^T _ _]mxE; have [-> ->] := turned (W_Q W) 1.
have [-> ->] := turned (W_K W) 0; rewrite /quarter /= !mxE /= !(mulr1, mulr0, add0r, addr0).
by rewrite mulrN1 mulNr addrC.
Qed.

(* ---- one token, two heads of width 1 ----------------------------------------------------------------------------- *)

Definition two_heads (Q K Vv O : 'M[rat]_(2 * 1)) : layer rational 1 (2 * 1) 2 2 1 :=
  linear_layer Q 0 K 0 Vv O id id.
(* head a reads the key and the value of head g a *)
Definition unturned (g : 'I_2 -> 'I_2) : shape rational 1 (2 * 1) 2 2 1 := around_attention g (fun=> 1%:M).
Definition swap (a : 'I_2) : 'I_2 := if (a < 1)%N then 1 else 0.
Definition row_of (a b : rat) : 'M[rat]_(1, 2 * 1) := \matrix_(_, j) if (j < 1)%N then a else b.

Lemma row_eq (A B : 'M[rat]_(1, 2 * 1)) : A 0 0 = B 0 0 -> A 0 1 = B 0 1 -> A = B.
Proof. by move=> e0 e1; apply/matrixP => i j; rewrite (ord1 i); case: (two_heads_only j) => ->. Qed.
Lemma row_pair a b x y z t : row_of a b *m pair_of x y z t = row_of (a * x + b * z) (a * y + b * t).
Proof. by apply: row_eq; rewrite pair_dot !mxE. Qed.
Lemma row_dot a b x y : (row_of a b *m (row_of x y)^T) 0 0 = a * x + b * y.
Proof. by rewrite pair_dot !mxE. Qed.
Lemma row_add a b x y : row_of a b + row_of x y = row_of (a + x) (b + y).
Proof. by apply: row_eq; rewrite !mxE. Qed.
Lemma row_bias a b : \matrix_(i < 1, j < 2) row_of a b 0 j = row_of a b.
Proof. by apply: row_eq; rewrite !mxE. Qed.
Lemma pair_of_tr a b x y : (pair_of a b x y)^T = pair_of a x b y.
Proof. by apply: pair_eq; rewrite !mxE. Qed.
Lemma pair_row a b x y z t : pair_of a b x y *m (row_of z t)^T = (row_of (a * z + b * t) (x * z + y * t))^T.
Proof. by apply: (can_inj trmxK); rewrite trmx_mul !trmxK pair_of_tr row_pair ![_ * z]mulrC ![_ * t]mulrC. Qed.

Lemma one_wide (k : 'I_(2 * 1)) (a : 'I_2) : in_head a (0 : 'I_1) = a :> 'I_(2 * 1) /\ head_of k = k /\ place_of k = 0.
Proof. by split; [|split]; apply: val_inj; rewrite /= ?muln1 ?addn0 ?divn1 ?modn1. Qed.

(* what head k writes before W_O: its query times the key and the value that it reads *)
Definition head_writes g (W : layer rational 1 (2 * 1) 2 2 1) (e : 'M[rat]_(1, 2 * 1)) (k : 'I_2) : rat :=
  (e *m W_Q W) 0 k * (e *m W_K W) 0 (g k) * (e *m W_V W) 0 (g k).
Lemma heads_logit g e H W : linear W -> hands_on W ->
  model_forward (unturned g) (model_around e H W) 1%:M 0 0 =
  \sum_(j < 2) (e 0 j + \sum_(k < 2) head_writes g W e k * W_O W k j) * (if H is Some A then A j 0 else e 0 j).
Proof.
move=> lin mlp; rewrite /unturned logits_around // mxE; apply: eq_bigr => j _; congr (_ * _); last first.
  by case: H => [A|] //; rewrite mxE.
rewrite linear_attention // mxE; congr (_ + _); rewrite mxE; apply: eq_bigr => k _; congr (_ * _).
have [_ [hk pk]] := one_wide k 0; have at_ a : in_head a (0 : 'I_1) = a :> 'I_(2 * 1) by have [] := one_wide k a.
have still (A : 'M[rat]_1) : rotate (unturned g) A 0 0 = A 0 0 by rewrite mxE mulmx1 mxE.
rewrite [LHS]mxE hk pk [LHS]mxE big_ord1 [(_ *m _^T) 0 0]mxE big_ord1 [_^T 0 0]mxE -/(unturned g) !still.
by rewrite /head_writes ![cols _ _ _ _]mxE !at_.
Qed.

(* Both sides of a logit by numbers. *)
Ltac by_heads := rewrite heads_logit // /head_writes !two_terms /= !pair_dot !mxE; apply/eqP; vm_compute.
Ltac by_turns tied := rewrite (turned_logit tied) //= !mxE; apply/eqP; vm_compute.
