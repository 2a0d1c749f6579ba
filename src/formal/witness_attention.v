(* witness_attention.v - models that have everything and yet are functions of one number, over the rationals: one token
 * of equal entries, any heads of width 1, groups and mask.
 *
 * W_Q and W_O are multiples of I; W_K, W_V and routers read the first entry alone.  So all entries stay equal, with
 * attention that acts, a number for the matrix of the position, norms of queries and keys, biases and experts, in any
 * basis that is a multiple of I.  `forward` is that function; vm_compute knows its values. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.
Local Set Warnings "-non-reversible-notation".

(* of W_Q, W_K, W_V, W_O the number and the bias; of each expert those of router, up and down *)
Record numbers := Numbers {
  query : rat * rat; key : rat * rat; value : rat * rat; output : rat * rat;
  query_norm : rat -> rat; key_norm : rat -> rat; activation : rat -> rat;
  routed : bool; mlps : seq (rat * rat * rat); up_bias : rat; down_bias : rat }.
(* skips around attention and MLP, blocks in parallel, norm, factor of the scores, matrix of the position *)
Record switches := Switches {
  skip1 : bool; skip2 : bool; beside : bool; norm_of : option (rat -> rat); factor : rat; place : rat }.

Definition line (w : rat * rat) (x : rat) : rat := x * w.1 + w.2.
(* attention reads in a and writes in b, MLPs read in c and write in e *)
Definition turned (a b c e : rat) (N : numbers) : numbers :=
  Numbers (a^-1 * (query N).1, (query N).2) (a^-1 * (key N).1, (key N).2) (a^-1 * (value N).1, (value N).2)
          ((output N).1 * b, (output N).2 * b) (query_norm N) (key_norm N) (activation N)
          (routed N) [seq (c^-1 * F.1.1, c^-1 * F.1.2, F.2 * e) | F <- mlps N] (up_bias N) (down_bias N * e).

Section Forward.
Variables (s : switches) (sees : bool).
Definition self_attend (N : numbers) (x : rat) : rat :=
  let score := query_norm N (line (query N) x) * place s * (key_norm N (line (key N) x) * place s) in
  (if sees then factor s * score else 0) * line (value N) x.
Definition attend (N : numbers) (x : rat) : rat := line (output N) (self_attend N x).
Definition mlp_out (N : numbers) (y : rat) : rat :=
  foldr (fun F sum => (if routed N then y * F.1.1 else 1) *
                      line (F.2, down_bias N) (activation N (line (F.1.2, up_bias N) y)) + sum) 0 (mlps N).
Definition normed (x : rat) : rat := if norm_of s is Some f then f x else x.
Definition block (N : numbers) (x : rat) : rat :=
  if beside s then (if skip1 s then x else 0) + (attend N (normed x) + mlp_out N (normed x))
  else let y := (if skip1 s then x else 0) + attend N (normed x) in
       (if skip2 s then y else 0) + mlp_out N (normed y).
Definition turned_layer (a e : rat) (N : numbers) : numbers :=
  if beside s then turned a e a e N
  else let mid := if skip2 s && ~~ skip1 s then e else a in turned a mid mid e N.
Fixpoint stack (b : nat -> rat) (Ns : seq numbers) (x : rat) : rat :=
  if Ns is N :: r then stack (b \o succn) r (block (turned_layer (b 0%N) (b 1%N) N) x) else x.
(* the logit: the stream begins with emb + pos; a head of its own has the column sum w, a tied one is emb in m rows *)
Definition forward (m : nat) (b : nat -> rat) (emb pos : rat) (head : option rat) (Ns : seq numbers) : rat :=
  let y := normed (stack b Ns (emb * b 0%N + pos * b 0%N)) in
  if head is Some w then y * ((b (size Ns))^-1 * w) else (y * (emb * b 0%N)) *+ m.
End Forward.

Section Everything.
Variables (h h_kv : nat) (v : 'I_1 -> 'I_1 -> bool) (g : 'I_h.+1 -> 'I_h_kv).
Notation d := (h.+1 * 1)%N.
Notation every x := (const_mx x).
Notation layer := (layer rational 1 d h.+1 h_kv 1).

Definition shape_of (s : switches) : shape rational 1 d h.+1 h_kv 1 :=
  Shape (skip1 s) (skip2 s) (beside s) (omap (fun f => map_mx f) (norm_of s)) v (factor s) g (fun=> (place s)%:M).
Definition first : 'I_d := in_head ord0 ord0.
Definition first_row p (f : 'I_p -> rat) : 'M[rat]_(d, p) := \matrix_(i, j) (if i == first then f j else 0).
Definition mlp_of N (F : rat * rat * rat) : mlp rational d :=
  @Mlp _ d d F.1.2%:M (every (up_bias N)) None F.2%:M (every (down_bias N)) (activation N).
Definition layer_of (N : numbers) : layer :=
  @Layer _ 1 d h.+1 h_kv 1
    (query N).1%:M (every (query N).2) (first_row (fun=> (key N).1)) (every (key N).2)
    (first_row (fun=> (value N).1)) (every (value N).2) (output N).1%:M (every (output N).2)
    1%:M (every 0) 1%:M (every 0) (fun=> map_mx (query_norm N)) (fun=> map_mx (key_norm N))
    (fun _ sees S => if sees 0 0 then S else 0)
    (size (mlps N)) (if routed N then Some (first_row (fun e => (nth (0, 0, 0) (mlps N) e).1.1), id) else None)
    (fun e => mlp_of N (nth (0, 0, 0) (mlps N) e)).
Definition model_of emb pos (head : option 'cV[rat]_d) Ns : model rational 1 d h.+1 h_kv 1 1 :=
  Model (every emb) (every pos) head 1%:M (every 0) (map layer_of Ns).
Definition total (H : 'cV[rat]_d) : rat := \sum_k H k 0.

(* ---- matrices of equal entries ---------------------------------------------------------------------------------- *)

Lemma every_scalar n p (x w : rat) : (every x : 'M_(n, p)) *m w%:M = every (x * w).
Proof. by rewrite mul_mx_scalar; apply/matrixP => i j; rewrite !mxE mulrC. Qed.
Lemma everyD n p (x y : rat) : (every x : 'M_(n, p)) + every y = every (x + y).
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma every_first n p x (f : 'I_p -> rat) : (every x : 'M_(n, d)) *m first_row f = \matrix_(i, j) (x * f j).
Proof.
apply/matrixP => i j; rewrite !mxE (bigD1 first) //= big1 ?addr0 => [|k /negPf ne]; rewrite !mxE ?eqxx //.
by rewrite ne mulr0.
Qed.
Lemma first_scalar p c (f : 'I_p -> rat) : invmx c%:M *m first_row f = first_row (fun j => c^-1 * f j).
Proof. by rewrite invmx_scalar mul_scalar_mx; apply/matrixP => i j; rewrite !mxE; case: ifP => // _; rewrite mulr0. Qed.
Lemma affine_every n x (w : rat) b : affine (every x : 'M_(n, d)) w%:M (every b : 'rV_d) = every (line (w, b) x).
Proof. by rewrite /affine every_scalar; apply/matrixP => i j; rewrite !mxE. Qed.
Lemma affine_first n p x w b :
  affine (every x : 'M_(n, d)) (first_row (fun=> w)) (every b : 'rV_p) = every (line (w, b) x).
Proof. by rewrite /affine every_first; apply/matrixP => i j; rewrite !mxE. Qed.
Lemma cols_every k x a : cols (every x : 'M[rat]_(1, k * 1)) a = every x.
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma every_1 (A : 'M[rat]_1) : A = every (A 0 0).
Proof. by apply/matrixP => i j; rewrite !ord1 mxE. Qed.
Lemma rotate_every s x : rotate (shape_of s) (every x) = every (x * place s).
Proof. by rewrite [LHS]every_1 !(mxE, big_ord1) /= ?eqxx ?mulr1n. Qed.

(* ---- a layer in other bases ------------------------------------------------------------------------------------- *)

Section Layer.
Variables (s : switches) (a b c e : rat) (N : numbers).
Notation W := (rewrite_layer a%:M b%:M c%:M e%:M (layer_of N)).

Lemma self_attention_turned x :
  model_self_attention (shape_of s) W (every x) = every (self_attend s (v 0 0) (turned a b c e N) x).
Proof.
rewrite /model_self_attention /model_attention_of [W_Q _]/= [W_K _]/= [W_V _]/= [b_Q _]/= [b_K _]/= [b_V _]/=.
rewrite !first_scalar !affine_first invmx_scalar -!scalar_mxM affine_every.
apply: cols_inj => k; rewrite cols_hcat cols_every /head_attention !cols_every /= !map_const_mx !rotate_every.
by rewrite [LHS]every_1 /self_attend !(mxE, big_ord1); case: (v 0 0); rewrite !(mxE, big_ord1).
Qed.
Lemma attention_turned x :
  model_attention (shape_of s) W (every x) = every (attend s (v 0 0) (turned a b c e N) x).
Proof.
by rewrite /model_attention self_attention_turned [W_O _]/= [b_O _]/= -scalar_mxM every_scalar affine_every.
Qed.

Lemma expert_turned F y : expert_of (rewrite_mlp c%:M e%:M (mlp_of N F)) (every y : 'M_(1, d)) =
  every (line (F.2 * e, down_bias N * e) (activation N (line (c^-1 * F.1.2, up_bias N) y))).
Proof.
by rewrite /expert_of /= invmx_scalar -!scalar_mxM every_scalar affine_every map_const_mx affine_every.
Qed.

Lemma mlp_turned y : model_mlp W (every y) = every (mlp_out (turned a b c e N) y).
Proof.
pose part (F : rat * rat * rat) := (if routed N then y * (c^-1 * F.1.1) else 1) *
  line (F.2 * e, down_bias N * e) (activation N (line (c^-1 * F.1.2, up_bias N) y)).
have total : \sum_(i < size (mlps N)) (every (part (nth (0, 0, 0) (mlps N) i)) : 'M_(1, d)) =
    every (mlp_out (turned a b c e N) y).
  rewrite -(big_mkord xpredT (fun i => every (part (nth (0, 0, 0) (mlps N) i)) : 'M_(1, d))).
  rewrite -(big_nth (0, 0, 0) xpredT (fun F => every (part F) : 'M_(1, d))) /mlp_out /=.
  elim: (mlps N) => [|F r IH]; first by rewrite big_nil; apply/matrixP => i j; rewrite !mxE.
  by rewrite big_cons IH everyD.
rewrite -total /model_mlp /=; rewrite /part; case: (routed N) => /=; apply: eq_bigr => i _; rewrite expert_turned.
  by rewrite first_scalar every_first; apply/matrixP => k j; rewrite !mxE.
by rewrite mul1r.
Qed.
End Layer.

Lemma normalise_every s x : normalise (shape_of s) (every x) 1%:M (every 0) = every (normed s x).
Proof.
rewrite /normalise /normed /=; case: (norm_of s) => [f|] //=.
by rewrite map_const_mx affine_every /line mulr1 addr0.
Qed.

Lemma skip_every there x y : skip there (every x : 'M[rat]_(1, d)) (every y) = every ((if there then x else 0) + y).
Proof. by case: there => /=; apply/matrixP => i j; rewrite !mxE ?add0r. Qed.

Lemma block_turned s a e N x : model_block (shape_of s) (gauge_layer (shape_of s) a%:M e%:M (layer_of N)) (every x) =
  every (block s (v 0 0) (turned_layer s a e N) x).
Proof.
have mid : (if skip2 s && ~~ skip1 s then e%:M else a%:M) = (if skip2 s && ~~ skip1 s then e else a)%:M :> 'M[rat]_d.
  by case: ifP.
rewrite /model_block /gauge_layer /block /turned_layer [parallel _]/= [mlp_skip _]/= [attn_skip _]/= mid.
case: (beside s); rewrite [gain1 _]/= [bias1 _]/= normalise_every attention_turned ?mlp_turned.
  by rewrite everyD skip_every.
by rewrite [gain2 _]/= [bias2 _]/= !skip_every normalise_every mlp_turned skip_every.
Qed.

Lemma stack_turned s (B : nat -> 'M[rat]_d) b Ns x : (forall i, B i = (b i)%:M) ->
  model_stack (shape_of s) (gauge_layers (shape_of s) B (map layer_of Ns)) (every x) =
  every (stack s (v 0 0) b Ns x).
Proof.
elim: Ns B b x => //= N r IH B b x Bb.
by rewrite -(IH (B \o succn)) => [|i]; rewrite ?Bb ?block_turned //=.
Qed.

(* ---- models ----------------------------------------------------------------------------------------------------- *)

Notation logit s M := (model_forward (shape_of s) M (1%:M : 'M[rat]_1) 0 0).

(* in the bases b i of the stream *)
Theorem in_bases s (B : nat -> 'M[rat]_d) b emb pos head Ns : (forall i, B i = (b i)%:M) ->
  logit s (gauge_model (shape_of s) B (model_of emb pos head Ns)) =
  forward s (v 0 0) h.+1 b emb pos (omap total head) Ns.
Proof.
move=> Bb; rewrite /model_forward embed_gauge /model_embed /= !Bb mul1mx mulmxDl !every_scalar everyD.
rewrite (stack_turned s Ns _ Bb) /model_head /= normalise_every /forward size_map Bb.
case: head => [H|] /=.
  rewrite invmx_scalar mul_scalar_mx -scalemxAr mxE mulrCA; congr (_ * _).
  by rewrite mxE mulr_sumr; apply: eq_bigr => k _; rewrite mxE.
rewrite Bb every_scalar mxE (eq_bigr (fun=> normed s (stack s (v 0 0) b Ns (emb * b 0%N + pos * b 0%N)) *
  (emb * b 0%N))) => [|k _]; last by rewrite !mxE.
by rewrite sumr_const card_ord muln1.
Qed.

(* .. in the basis I *)
Lemma block_plain (sh : transformer.shape rational 1 d h.+1 h_kv 1) (W : layer) X :
  model_block sh (gauge_layer sh 1%:M 1%:M W) X = model_block sh W X.
Proof.
have att Y : model_attention sh (rewrite_layer 1%:M 1%:M 1%:M 1%:M W) Y = model_attention sh W Y.
  by rewrite -[Y in LHS]mulmx1 attention_gauge ?unitmx1 ?mulmx1.
have out Y : model_mlp (rewrite_layer 1%:M 1%:M 1%:M 1%:M W) Y = model_mlp W Y.
  by rewrite -[Y in LHS]mulmx1 mlp_gauge ?unitmx1 ?mulmx1.
by rewrite gauge_layer_one /model_block !att !out.
Qed.
Theorem as_is s emb pos head Ns :
  logit s (model_of emb pos head Ns) = forward s (v 0 0) h.+1 (fun=> 1) emb pos (omap total head) Ns.
Proof.
rewrite -(@in_bases s (fun=> 1%:M)) // /model_forward embed_gauge mulmx1.
have -> X : model_stack (shape_of s) (at_ (gauge_model (shape_of s) (fun=> 1%:M) (model_of emb pos head Ns))) X =
    model_stack (shape_of s) (at_ (model_of emb pos head Ns)) X.
  by rewrite /= gauge_layers_one; elim: (map layer_of Ns) X => //= W r IH X; rewrite block_plain IH.
by rewrite /model_head /=; case: head => [H|] /=; rewrite ?invmx1 ?mul1mx ?mulmx1.
Qed.

Lemma total_first w : total (first_row (fun=> w)) = w.
Proof. by rewrite /total (bigD1 first) //= big1 ?addr0 => [|k /negPf ne]; rewrite !mxE ?eqxx // ne. Qed.
Lemma total_every w : total (every w) = w *+ h.+1.
Proof.
by rewrite /total (eq_bigr (fun=> w)) => [|k _]; [rewrite sumr_const card_ord muln1|rewrite mxE].
Qed.

(* Theta_i = W_Q^i *)
Lemma query_bases_of (last : rat) emb pos head Ns i :
  query_bases last%:M (model_of emb pos head Ns) i = (nth last [seq (query N).1 | N <- Ns] i)%:M.
Proof. by rewrite /query_bases /=; elim: Ns i => [|N r IH] [|i] //=. Qed.
End Everything.
