(* k_r4.v - K-R4, must a tied head be untied when a query matrix becomes the identity?
 *
 * The paper (003, Remark 4): "With tied embedding/LM-head weights (W_LM = E'), the reduced model must untie these
 * weights to maintain equivalence, since W~_LM = W_Q^-1 E' != E~' unless W_Q is orthogonal."  For Theta = W_Q and
 * rank E = d that is exact.  But Theta need not be W_Q: if W_Q = Omega diag(D_1, .., D_h), Omega orthogonal, the
 * D_a move to the keys, Theta = Omega, and the head stays tied.  With one head every W_Q is so, Omega = I. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms witness.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section QueryBasis.
Variables (F : fieldType) (d V : nat) (Q : 'M[F]_d).
Hypothesis inv : Q \in unitmx.

(* d independent rows G of E tell W_Q^-1 - W_Q' from the head W_Q^-1 E' and the embedding E W_Q *)
(* Provably: claim=K-R4 part=corrected-query-basis theorem=gap quantifiers=all fields, d, invertible W_Q, invertible G *)
Theorem gap (G : 'M[F]_d) : G \in unitmx -> (invmx Q *m G^T - (G *m Q)^T) *m invmx G^T = invmx Q - Q^T.
Proof.
move=> u; have u' : G^T \in unitmx by rewrite unitmx_tr.
by rewrite trmx_mul mulmxBl !mulmxK.
Qed.

(* .. so with rank E = d the head W_Q^-1 E' is (E W_Q)' only if W_Q is orthogonal *)
Theorem exact_for_query (E : 'M[F]_(V, d)) : \rank E = d ->
  invmx Q *m E^T = (E *m Q)^T <-> Q *m Q^T = 1%:M.
Proof.
move=> full; split=> [|orth]; last first.
  have [-> _] := invmx_eq orth; by rewrite trmx_mul.
have free : row_full E by rewrite /row_full full.
have [B BE] := row_fullP free.
rewrite trmx_mul => /(congr1 (fun A => A *m B^T)); rewrite -!mulmxA -trmx_mul BE trmx1 !mulmx1 => <-.
exact: mulmxV.
Qed.
End QueryBasis.

Section Repaired.
Variables (R : comUnitRingType) (n h dk V : nat).
Notation d := (h * dk)%N.
Implicit Types (sh : shape R n d h h dk) (M : model R n d h h dk V) (W : layer R n d h h dk).

(* one layer of a tied model of any depth: W_Q^j = Omega diag(D_1, .., D_h), keys Omega' W_K D' *)
(* Provably: claim=K-R4 part=corrected theorem=stays_tied quantifiers=all sizes, heads, depths, skips, functions, D, orthogonal Omega *)
Theorem stays_tied sh M before W after Omega (D : 'I_h -> 'M[R]_dk) :
  norm sh = None -> plain sh -> plain_layer W -> head M = None -> at_ M = before ++ W :: after ->
  Omega *m Omega^T = 1%:M -> W_Q W = Omega *m blockdiag D ->
  let M' := in_basis sh M Omega before (with_queries W Omega (W_K W *m (blockdiag D)^T)) after in
  [/\ same_function sh M' M, head M' = None &
      exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = 1%:M]].
Proof.
move=> noN pl plW tied layers orth eQ M'; have [_ u] := invmx_eq orth.
have := @queries_into_keys _ _ _ _ _ sh M before W after Omega (fun a => D a *m (cols (W_K W) a)^T).
rewrite (_ : keys_of _ = W_K W *m (blockdiag D)^T) => [|]; last first.
  by apply: cols_inj => a; rewrite tr_blockdiag cols_mul_blockdiag cols_hcat trmx_mul trmxK.
rewrite tied; apply=> // a; left.
by rewrite /score_form eQ cols_mul_blockdiag mulmxA.
Qed.
End Repaired.

Section OneHead.
Variables (R : comUnitRingType) (n dk V : nat).
Notation d := (1 * dk)%N.
Notation layer := (layer R n d 1 1 dk).
Implicit Types (sh : shape R n d 1 1 dk) (M : model R n d 1 1 dk V) (W : layer).

(* W_Q = I and W_K W_Q' in every layer, no change of basis: any norms, skips and head *)
(* Provably: claim=K-R4 part=corrected-single-head theorem=single_head quantifiers=all sizes, depths, norms, skips, functions, any W_Q *)
Theorem single_head sh M : plain sh -> (forall i W, List.nth_error (at_ M) i = Some W -> plain_layer W) ->
  let M' := with_layers M [seq with_queries W 1%:M (W_K W *m (W_Q W)^T) | W <- at_ M] in
  same_function sh M' M /\ head M' = head M.
Proof.
move=> pl plain_at; split=> //; have := @same_layers _ _ _ _ _ _ V sh M unit
  (fun _ W => with_queries W 1%:M (W_K W *m (W_Q W)^T)) [seq (tt, W) | W <- at_ M].
rewrite -map_comp /=; apply; first by rewrite /unzip2 -map_comp map_id.
move=> i [[] W] e X; have {e} /plain_at plW : List.nth_error (at_ M) i = Some W.
  by elim: (at_ M) i e {plain_at} => [|W' r IH] [|i] //= => [[->]|/IH].
apply: block_with_attention => {}X; apply: query_key_forms => // a; left.
by rewrite !one_form trmx_mul trmxK mul1mx.
Qed.
End OneHead.

(* ---- each hypothesis is needed: one number, E = 1 --------------------------------------------------------------- *)

Section Needed.
Notation logits sh M := (model_forward sh M 1%:M 0 0).
(* Theta = 2 is not orthogonal: the logit of the tied model is 4 in place of 1. *)
Lemma needs_orthogonal : let sh := small_shape_of true true None in
  logits sh (gauge_model sh (fun=> 2%:R%:M) (small_model_of None [:: silent 0 2%:R])) = 4%:R /\
  logits sh (small_model_of None [:: silent 0 2%:R]) = 1.
Proof.
split; rewrite /model_forward /model_head /normalise /model_embed /= ?passes ?passes0.
  rewrite !mul1mx mul0mx addr0 tr_scalar_mx mul_mx_scalar.
  by rewrite !(mxE, eqxx, mulr1n); apply/eqP; vm_compute.
by rewrite !mulmx1 addr0 trmx1 mulmx1 mxE.
Qed.
(* rank E < d: with E = 0 the head and the embedding agree for W_Q = 2, which is not orthogonal. *)
Lemma needs_full_rank : let Q : 'M[rat]_1 := 2%:R%:M in
  invmx Q *m (0 : 'M[rat]_1)^T = (0 *m Q)^T /\ Q *m Q^T <> 1%:M.
Proof.
split; first by rewrite mul0mx trmx0 mulmx0.
by rewrite tr_scalar_mx -scalar_mxM => /matrixP /(_ 0 0) /eqP; rewrite !mxE.
Qed.
End Needed.
