(* k_c2.v - K-C2, basis transformation through LayerNorm: which D' there are.
 *
 * The paper (003, Theorem C.2): "If there exist MLP' and D' such that D' L_eps(x + MLP'(x)) = Theta D L_eps(x + MLP(x))
 * for all x, then by Lemma C.1, MLP' must satisfy: ..".  Corrected: D' is the inverse of a multiple of diag(v),
 * v = A^-T 1, A = Theta D, if no entry of v is 0 and the x + MLP(x) span H modulo 1. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import order.
From Theorems Require Import k_c1.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Notation ones := (const_mx 1).

Lemma another d (i : 'I_d) : (1 < d)%N -> exists j : 'I_d, j != i.
Proof. by case: d i => [|[|d']] i // _; exists (lift i ord0); rewrite eq_sym neq_lift. Qed.

Section Only.
Variables (F : fieldType) (d : nat) (I : Type) (A : 'M[F]_d) (g : 'cV[F]_d) (u w : I -> 'cV[F]_d).
(* u x = L(x + MLP'(x)), w x = L(x + MLP(x)): in H, and the w x span it; D' = diag(g) *)
Hypotheses (inv : A \in unitmx) (uH : forall x, in_H (u x)).
Hypothesis same : forall x, diagonal g *m u x = A *m w x.
Definition spans := forall b : 'rV[F]_d, (forall x, b *m w x = 0) -> forall z, in_H z -> b *m z = 0.
Hypothesis span : spans.

(* an entry 0 of D' makes a row of A a multiple of 1' *)
Lemma row_of_zero i : g i 0 = 0 -> exists c, row i A = c *: ones.
Proof.
move=> gi; apply: kills_H => z; apply: span => x.
by rewrite -row_mul -same /diagonal mul_diag_mx; apply/matrixP => a b; rewrite !mxE gi mul0r.
Qed.

Lemma only : (1 < d)%N -> (forall i, gain A i 0 != 0) ->
  exists lambda, lambda != 0 /\ forall i, lambda * gain A i 0 * g i 0 = 1.
Proof.
move=> d1 v0; have inv' : A^T \in unitmx by rewrite unitmx_tr.
have Av : A^T *m gain A = ones by rewrite /gain mulmxA mulmxV // mul1mx.
have g0 i : g i 0 != 0.
  apply/eqP => /row_of_zero [c e].
  have c0 : c != 0.
    apply/eqP => c0; have : row i A *m invmx A = 0 by rewrite e c0 scale0r mul0mx.
    by rewrite -row_mul mulmxV // => /rowP /(_ i) /eqP; rewrite !mxE eqxx oner_eq0.
  have gi : gain A = c^-1 *: delta_mx i 0.
    apply: (can_inj (mulKmx inv')); rewrite Av -scalemxAr -colE -tr_row e linearZ /= scalerA mulVf // scale1r.
    by rewrite trmx_const.
  have [j ji] := another i d1.
  by have := v0 j; rewrite gi !mxE (negPf ji) mulr0 eqxx.
pose k : 'cV[F]_d := \col_i (g i 0)^-1.
have kills z : in_H z -> k^T *m A *m z = 0.
  rewrite -mulmxA => zH; rewrite mulmxA; apply: (span _ zH) => x; rewrite -mulmxA -same mulmxA.
  rewrite (_ : k^T *m diagonal g = ones) ?uH //; apply/rowP => i.
  by rewrite mul_mx_diag !mxE mulVf.
have [lambda e] := (line inv k).1 kills; exists lambda; split=> [|i].
  apply: contra_neq (g0 (Ordinal (ltnW d1))) => l0; have /colP /(_ (Ordinal (ltnW d1))) := e.
  by rewrite l0 scale0r !mxE => /eqP; rewrite invr_eq0 => /eqP.
by have /colP /(_ i) := e; rewrite !mxE => <-; rewrite mulVf.
Qed.
End Only.

Section LayerNorm.
Variables (F : rcfType) (d : nat) (eps : F) (A : 'M[F]_d) (g : 'cV[F]_d) (mlp mlp' : 'cV[F]_d -> 'cV[F]_d).
Hypotheses (inv : A \in unitmx) (eps0 : 0 < eps) (d1 : (1 < d)%N).
Notation L := (L eps).

(* the P (x + MLP(x)) span H *)
Definition reaches_H := spans (fun x => centred (x + mlp x)).

(* Provably: claim=K-C2 part=corrected-only theorem=no_other quantifiers=all real closed fields, d > 1, eps > 0, MLP, MLP', invertible A *)
Theorem no_other : (forall i, gain A i 0 != 0) -> reaches_H ->
  (forall x, diagonal g *m L (x + mlp' x) = A *m L (x + mlp x)) ->
  exists lambda, lambda != 0 /\ forall i, lambda * gain A i 0 * g i 0 = 1.
Proof.
move=> v0 reach same; apply: (only inv _ same) => //; first by move=> x; apply: L_in_H; apply: ltnW.
move=> b bL z zH; apply: reach zH => x; have := bL x; rewrite /k_c1.L -scalemxAr => /eqP.
rewrite scaler_eq0 invr_eq0 sqrtr_eq0 leNgt => /orP [/negP []|/eqP //].
by apply: ltr_paddl eps0; rewrite mulr_ge0 ?invr_ge0 ?ler0n ?sumr_ge0 // => i _; rewrite sqr_ge0.
Qed.

(* (S A)^-T 1 = S^-T A^-T 1 *)
(* Provably: claim=K-C2 part=corrected-flip theorem=flip quantifiers=all real closed fields, d, invertible A and S *)
Theorem flip (S : 'M[F]_d) : S \in unitmx -> gain (S *m A) = invmx S^T *m gain A.
Proof.
move=> u; have u' : S^T \in unitmx by rewrite unitmx_tr.
have inv' : A^T \in unitmx by rewrite unitmx_tr.
rewrite /gain trmx_mul; have ui : A^T *m S^T \in unitmx by rewrite unitmx_mul inv'.
by apply: (can_inj (mulKmx ui)); rewrite mulKVmx // -mulmxA mulKVmx // mulKVmx.
Qed.
End LayerNorm.

(* Where x + MLP(x) is a multiple of 1, L is 0 there and D' may be anything. *)
Lemma needs_span (F : fieldType) d (g : 'cV[F]_d) (w : unit -> 'cV[F]_d) : (forall x, w x = 0) ->
  forall x, diagonal g *m w x = 1%:M *m w x.
Proof. by move=> w0 x; rewrite w0 !mulmx0. Qed.
