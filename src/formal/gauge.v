(* gauge.v - changes of basis of the stream: src/model/gauge.c, and why the function stays.
 *
 * `at_basis i` is the basis in front of layer i, at_basis L the one in front of the head: X_i becomes X_i at_basis i.
 * What reads the stream is multiplied by the inverse from the left, what writes to it by the basis from the right.  A
 * layer may end in another basis than it began unless skips carry the stream across it (`crosses`). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Affine.
Variable R : comUnitRingType.

Lemma affine_read n d q (X : 'M[R]_(n, d)) Theta (W : 'M_(d, q)) b : Theta \in unitmx ->
  affine (X *m Theta) (invmx Theta *m W) b = affine X W b.
Proof. by move=> u; rewrite /affine read_back. Qed.

Lemma affine_write n p d (S : 'M[R]_(n, p)) (W : 'M_(p, d)) b (Theta : 'M_d) :
  affine S (W *m Theta) (b *m Theta) = affine S W b *m Theta.
Proof.
rewrite /affine mulmxDl mulmxA; congr (_ + _).
by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
Qed.

Lemma scale_rows_mul n p q (g : 'cV[R]_n) (A : 'M_(n, p)) (B : 'M_(p, q)) :
  scale_rows g (A *m B) = scale_rows g A *m B.
Proof.
by apply/matrixP => i j; rewrite !mxE mulr_sumr; apply: eq_bigr => k _; rewrite !mxE mulrA.
Qed.
End Affine.

Section Gauge.
Variables (R : comUnitRingType) (n d h h_kv dk V : nat).
Notation shape := (shape R n d h h_kv dk).
Notation layer := (layer R n d h h_kv dk).
Notation model := (model R n d h h_kv dk V).
Implicit Types (sh : shape) (W : layer) (M : model) (A B C D : 'M[R]_d).

(* gauge.c: an MLP that reads in the basis A and writes in the basis B *)
Definition rewrite_mlp A B (F : mlp R d) : mlp R d :=
  @Mlp R d (m F) (invmx A *m W_up F) (b_up F) (omap (fun g => (invmx A *m g.1, g.2)) (W_gate F))
       (W_down F *m B) (b_down F *m B) (phi F).

(* attention reads in A and writes in B, the MLP reads in C and writes in D *)
Definition rewrite_layer A B C D W : layer :=
  @Layer R n d h h_kv dk
         (invmx A *m W_Q W) (b_Q W) (invmx A *m W_K W) (b_K W) (invmx A *m W_V W) (b_V W) (W_O W *m B) (b_O W *m B)
         (gain1 W) (bias1 W) (gain2 W) (bias2 W) (norm_q W) (norm_k W) (rowmap W)
         (experts W) (omap (fun r => (invmx C *m r.1, r.2)) (router W)) (fun e => rewrite_mlp C D (expert W e)).

Definition gauge_layer sh A D W : layer :=
  if parallel sh then rewrite_layer A D A D W
  else let mid := if mlp_skip sh && ~~ attn_skip sh then D else A in rewrite_layer A mid mid D W.

Fixpoint gauge_layers sh (at_basis : nat -> 'M[R]_d) (Ws : seq layer) : seq layer :=
  if Ws is W :: r then gauge_layer sh (at_basis 0%N) (at_basis 1%N) W :: gauge_layers sh (at_basis \o succn) r
  else [::].

Definition gauge_model sh (at_basis : nat -> 'M[R]_d) M : model :=
  Model (E M *m at_basis 0%N) (P M *m at_basis 0%N) (omap (mulmx (invmx (at_basis (size (at_ M))))) (head M))
        (gain_f M) (bias_f M) (gauge_layers sh at_basis (at_ M)).

(* The stream passes a layer by skips alone. *)
Definition crosses sh : bool := attn_skip sh && (mlp_skip sh || parallel sh).

(* ---- one layer ------------------------------------------------------------------------------------------------ *)

Lemma self_attention_gauge sh A B C D W X : A \in unitmx ->
  model_self_attention sh (rewrite_layer A B C D W) (X *m A) = model_self_attention sh W X.
Proof. by move=> u; rewrite /model_self_attention /= !affine_read. Qed.

Lemma attention_gauge sh A B C D W X : A \in unitmx ->
  model_attention sh (rewrite_layer A B C D W) (X *m A) = model_attention sh W X *m B.
Proof. by move=> u; rewrite /model_attention self_attention_gauge //= affine_write. Qed.

Lemma expert_gauge C D (F : mlp R d) (Y : 'M[R]_(n, d)) : C \in unitmx ->
  expert_of (rewrite_mlp C D F) (Y *m C) = expert_of F Y *m D.
Proof.
move=> u; rewrite /expert_of /= !affine_read //.
by case: (W_gate F) => [[G b]|] /=; rewrite ?affine_read // affine_write.
Qed.

Lemma mlp_gauge A B C D W Y : C \in unitmx ->
  model_mlp (rewrite_layer A B C D W) (Y *m C) = model_mlp W Y *m D.
Proof.
move=> u; rewrite /model_mlp /=; case: (router W) => [[r f]|] /=; rewrite mulmx_suml; apply: eq_bigr => e _.
  by rewrite read_back // expert_gauge // scale_rows_mul.
by rewrite expert_gauge.
Qed.

Theorem block_gauge sh W A D X : norm sh = None -> A \in unitmx -> D \in unitmx -> (crosses sh -> A = D) ->
  model_block sh (gauge_layer sh A D W) (X *m A) = model_block sh W X *m D.
Proof.
move=> noN uA uD AD; rewrite /model_block /gauge_layer /normalise noN /skip; move: AD; rewrite /crosses.
case: (parallel sh) => [|].
  rewrite orbT andbT => AD; rewrite attention_gauge // mlp_gauge // -mulmxDl.
  by case: (attn_skip sh) AD => [/(_ isT) <-|_]; rewrite ?mulmxDl.
rewrite orbF; case: (attn_skip sh); case: (mlp_skip sh) => /= AD; rewrite attention_gauge // -?mulmxDl mlp_gauge //.
  by rewrite -(AD isT) !mulmxDl.
by rewrite !mulmxDl.
Qed.

(* ---- stacks and models ------------------------------------------------------------------------------------------ *)

Theorem stack_gauge sh (at_basis : nat -> 'M[R]_d) (Ws : seq layer) X :
  norm sh = None -> (forall i, at_basis i \in unitmx) -> (crosses sh -> forall i, at_basis i.+1 = at_basis i) ->
  model_stack sh (gauge_layers sh at_basis Ws) (X *m at_basis 0%N) = model_stack sh Ws X *m at_basis (size Ws).
Proof.
move=> noN; elim: Ws at_basis X => //= W r IH at_basis X u same.
rewrite block_gauge //; last by move=> c; rewrite same.
exact: (IH (at_basis \o succn) _ (fun i => u i.+1) (fun c i => same c i.+1)).
Qed.

Lemma embed_gauge sh (at_basis : nat -> 'M[R]_d) M (T : 'M_(n, V)) :
  model_embed (gauge_model sh at_basis M) T = model_embed M T *m at_basis 0%N.
Proof. by rewrite /model_embed /= mulmxA mulmxDl. Qed.

(* A model without norms is the same function in other bases.  Its head stays tied if the last basis is the inverse of
 * the first, transposed. *)
Theorem forward_gauge sh (at_basis : nat -> 'M[R]_d) M (T : 'M_(n, V)) :
  norm sh = None -> (forall i, at_basis i \in unitmx) -> (crosses sh -> forall i, at_basis i.+1 = at_basis i) ->
  (head M = None -> at_basis (size (at_ M)) *m (at_basis 0%N)^T = 1%:M) ->
  model_forward sh (gauge_model sh at_basis M) T = model_forward sh M T.
Proof.
move=> noN u same tied; rewrite /model_forward embed_gauge /= stack_gauge // /model_head /normalise noN /=.
case: (head M) tied => [H|] tied /=; first by rewrite read_back.
by rewrite trmx_mul mulmxA -(mulmxA _ (at_basis _)) -mulmxA -(mulmxA _ _ (E M)^T) (mulmxA _ _ (E M)^T) tied // mul1mx.
Qed.

(* With one basis everywhere nothing is asked of the skips. *)
Corollary forward_gauge_one sh Theta M (T : 'M_(n, V)) : norm sh = None -> Theta \in unitmx -> head M <> None ->
  model_forward sh (gauge_model sh (fun=> Theta) M) T = model_forward sh M T.
Proof. by move=> noN u untied; apply: forward_gauge. Qed.

Lemma gauge_layer_one sh Theta W : gauge_layer sh Theta Theta W = rewrite_layer Theta Theta Theta Theta W.
Proof. by rewrite /gauge_layer; case: parallel => //; case: ifP. Qed.
(* Every layer of the rewritten model is a layer of the model, rewritten. *)
Lemma gauge_layers_one sh Theta Ws : gauge_layers sh (fun=> Theta) Ws = map (gauge_layer sh Theta Theta) Ws.
Proof. by elim: Ws => //= W r <-. Qed.
(* Layer i of the rewritten model is layer i of the model, rewritten. *)
Lemma size_gauge sh (at_basis : nat -> 'M[R]_d) Ws : size (gauge_layers sh at_basis Ws) = size Ws.
Proof. by elim: Ws at_basis => //= W r IH at_basis; rewrite IH. Qed.
Lemma nth_gauge sh (at_basis : nat -> 'M[R]_d) Ws W0 i : (i < size Ws)%N ->
  nth W0 (gauge_layers sh at_basis Ws) i = gauge_layer sh (at_basis i) (at_basis i.+1) (nth W0 Ws i).
Proof. by elim: Ws at_basis i => //= W r IH at_basis [|i] //= lt; rewrite IH. Qed.

Lemma W_Q_gauge sh A D W : W_Q (gauge_layer sh A D W) = invmx A *m W_Q W.
Proof. by rewrite /gauge_layer; case: parallel. Qed.
Lemma W_K_gauge sh A D W : W_K (gauge_layer sh A D W) = invmx A *m W_K W.
Proof. by rewrite /gauge_layer; case: parallel. Qed.
Lemma W_V_gauge sh A D W : W_V (gauge_layer sh A D W) = invmx A *m W_V W.
Proof. by rewrite /gauge_layer; case: parallel. Qed.
End Gauge.
