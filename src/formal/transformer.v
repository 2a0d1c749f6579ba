(* transformer.v - the transformer of src/model/model.h, over any commutative ring with units.
 *
 * Read it beside model.h and model.c; names are theirs, with the papers' W_ before a weight.  Sizes: n tokens, width d,
 * h heads and h_kv key-value heads of width dk, vocabulary V; each MLP has a width of its own, each layer a number of
 * experts.
 *
 *   S   = concat over heads a of rowmap(scale (N X W_Q^a)(N X W_K^g)') (N X W_V^g)       g = group a
 *   Y   = [X +] S W_O          X' = [Y +] phi(N Y W_up) W_down            skips in brackets
 * parallel: X' = [X +] S W_O + MLP(N X), one skip (attn_skip).   logits = N_f(X_L) W_LM,  X_0 = T E + P.
 *
 * What is a switch or an opaque function in C is more general here, so that a theorem covers every case:
 *   rowmap     any function of mask and scaled scores, of its own in every head and layer: softmax, linear, ...
 *   group      any map of heads to key-value heads: all of them (MHA), blocks (GQA), one (MQA)
 *   rotation   any dk x dk matrix for each position, applied to queries and keys: RoPE; I where there is none
 *   norm_q, norm_k   any function: QK-norm with its gains; the identity function where there is none
 *   phi        any function of one number, of its own in each MLP (model.h: its `function`)
 *   biases     always there; a model without has zeros; `gate`, `router` and the norms are options
 *   T          any n x V matrix; one-hot rows are tokens.
 * Quantifiers above a theorem: all sizes are n, d, dk, V and the widths of the MLPs; heads are h and h_kv; depth is the
 * length of at_; functions are every phi, rowmap, mask, group, rotation, norm_q and norm_k. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* X W + 1 b *)
Definition affine (R : comRingType) n p q (X : 'M[R]_(n, p)) (W : 'M_(p, q)) (b : 'rV_q) : 'M_(n, q) :=
  X *m W + \matrix_(i, j) b 0 j.
(* diag(g) A *)
Definition scale_rows (R : comRingType) n p (g : 'cV[R]_n) (A : 'M_(n, p)) : 'M_(n, p) :=
  \matrix_(i, j) (g i 0 * A i j).
Definition hadamard (R : comRingType) n p (A B : 'M[R]_(n, p)) : 'M_(n, p) := \matrix_(i, j) (A i j * B i j).

Section Transformer.
Variables (R : comUnitRingType) (n d h h_kv dk : nat).

Record shape := Shape {
  attn_skip : bool; mlp_skip : bool; parallel : bool;
  norm      : option ('M[R]_(n, d) -> 'M[R]_(n, d)); (* before attention, before the MLP, before the head *)
  visible   : 'I_n -> 'I_n -> bool;                  (* the mask: may row i see row j? *)
  scale     : R;                                     (* scores times this *)
  group     : 'I_h -> 'I_h_kv;                       (* the key-value head that head a reads *)
  rotation  : 'I_n -> 'M[R]_dk }.                    (* RoPE: row t of queries and keys times this *)

Record mlp := Mlp {
  m      : nat;
  W_up   : 'M[R]_(d, m);  b_up   : 'rV[R]_m;
  W_gate : option ('M[R]_(d, m) * 'rV[R]_m);
  W_down : 'M[R]_(m, d);  b_down : 'rV[R]_d;
  phi    : R -> R }.

Record layer := Layer {
  W_Q : 'M[R]_(d, h * dk);     b_Q : 'rV[R]_(h * dk);
  W_K : 'M[R]_(d, h_kv * dk);  b_K : 'rV[R]_(h_kv * dk);
  W_V : 'M[R]_(d, h_kv * dk);  b_V : 'rV[R]_(h_kv * dk);
  W_O : 'M[R]_(h * dk, d);     b_O : 'rV[R]_d;
  gain1 : 'M[R]_d; bias1 : 'rV[R]_d; gain2 : 'M[R]_d; bias2 : 'rV[R]_d;   (* of the two norms, where there are norms *)
  norm_q : 'I_h -> 'M[R]_(n, dk) -> 'M[R]_(n, dk);
  norm_k : 'I_h_kv -> 'M[R]_(n, dk) -> 'M[R]_(n, dk);
  rowmap : 'I_h -> ('I_n -> 'I_n -> bool) -> 'M[R]_n -> 'M[R]_n;
  experts : nat;
  router : option ('M[R]_(d, experts) * ('M[R]_(n, experts) -> 'M[R]_(n, experts)));     (* and its row map *)
  expert : 'I_experts -> mlp }.
Arguments expert : clear implicits.

Section Layer.
Variables (sh : shape) (W : layer).

(* row t of A times the rotation of position t *)
Definition rotate (A : 'M[R]_(n, dk)) : 'M_(n, dk) := \matrix_(t, j) (row t A *m rotation sh t) 0 j.

(* g of Observation 3.1: the attention from Q (n x h dk), K, V (n x h_kv dk); n x h dk *)
Definition head_attention (Qa Kg Vg : 'M[R]_(n, dk)) (a : 'I_h) : 'M_(n, dk) :=
  let q := rotate (norm_q W a Qa) in
  let k := rotate (norm_k W (group sh a) Kg) in
  rowmap W a (visible sh) (scale sh *: (q *m k^T)) *m Vg.
Definition model_attention_of (Q : 'M[R]_(n, h * dk)) (K V : 'M[R]_(n, h_kv * dk)) : 'M_(n, h * dk) :=
  hcat (fun a => head_attention (cols Q a) (cols K (group sh a)) (cols V (group sh a)) a).

Definition model_self_attention (X : 'M[R]_(n, d)) : 'M_(n, h * dk) :=
  model_attention_of (affine X (W_Q W) (b_Q W)) (affine X (W_K W) (b_K W)) (affine X (W_V W) (b_V W)).
Definition model_attention (X : 'M[R]_(n, d)) : 'M_(n, d) := affine (model_self_attention X) (W_O W) (b_O W).

Definition expert_of (F : mlp) (Y : 'M[R]_(n, d)) : 'M_(n, d) :=
  let H := affine Y (W_up F) (b_up F) in
  let H := if W_gate F is Some (G, b) then hadamard (map_mx (phi F) (affine Y G b)) H else map_mx (phi F) H in
  affine H (W_down F) (b_down F).
(* a mixture of experts; without a router the parts of one MLP, whose outputs are added *)
Definition model_mlp (Y : 'M[R]_(n, d)) : 'M_(n, d) :=
  if router W is Some (r, f) then \sum_e scale_rows (col e (f (Y *m r))) (expert_of (expert W e) Y)
  else \sum_e expert_of (expert W e) Y.

Definition normalise (X : 'M[R]_(n, d)) (gain : 'M[R]_d) (bias : 'rV[R]_d) : 'M_(n, d) :=
  if norm sh is Some N then affine (N X) gain bias else X.
Definition skip (there : bool) (X F : 'M[R]_(n, d)) : 'M_(n, d) := if there then X + F else F.

Definition model_block (X : 'M[R]_(n, d)) : 'M_(n, d) :=
  let N := normalise X (gain1 W) (bias1 W) in
  if parallel sh then skip (attn_skip sh) X (model_attention N + model_mlp N)
  else let Y := skip (attn_skip sh) X (model_attention N) in
       skip (mlp_skip sh) Y (model_mlp (normalise Y (gain2 W) (bias2 W))).
End Layer.

Variable V : nat.
Record model := Model {
  E : 'M[R]_(V, d); P : 'M[R]_(n, d);          (* embedding, positions; P = 0: none *)
  head : option 'M[R]_(d, V);                  (* None when tied: then it is E' *)
  gain_f : 'M[R]_d; bias_f : 'rV[R]_d;         (* of the final norm *)
  at_ : seq layer }.                           (* the layers; their number is the depth L *)

Definition model_embed (M : model) (T : 'M[R]_(n, V)) : 'M_(n, d) := T *m E M + P M.
Definition model_stack (sh : shape) (Ws : seq layer) (X : 'M[R]_(n, d)) : 'M_(n, d) :=
  foldl (fun X W => model_block sh W X) X Ws.
Definition model_head (sh : shape) (M : model) (X : 'M[R]_(n, d)) : 'M_(n, V) :=
  normalise sh X (gain_f M) (bias_f M) *m (if head M is Some H then H else (E M)^T).
(* the logits of the tokens T, n x V *)
Definition model_forward (sh : shape) (M : model) (T : 'M[R]_(n, V)) : 'M_(n, V) :=
  model_head sh M (model_stack sh (at_ M) (model_embed M T)).

(* Equal logits for all tokens. *)
Definition same_function (sh : shape) (M' M : model) := forall T, model_forward sh M' T = model_forward sh M T.
End Transformer.

Arguments expert {R n d h h_kv dk} _ _.
Arguments Shape {R n d h h_kv dk}.
Arguments Model {R n d h h_kv dk V}.
