(* n13.v - N13, a sufficient condition for a tied head although a query matrix becomes the identity.
 *
 * Let U_a be the image of the form A_a = W_Q^a W_K^a'.  If U_a lies in the span of Omega_a, Omega orthogonal (A_a =
 * Omega_a C_a), for each head a that has values, then Theta = Omega and W~_K^a = Omega^-1 C_a' make W~_Q = I, and the
 * head stays tied.  W_Q need not be invertible, nor W_K. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Tied.
Variables (R : comUnitRingType) (n h dk V : nat).
Notation d := (h * dk)%N.
Implicit Types (sh : shape R n d h h dk) (M : model R n d h h dk V) (W : layer R n d h h dk) (Omega : 'M[R]_d).

(* heads without values (W_V^a = 0, b_V^a = 0) are free *)
(* Provably: claim=N13 part=as-stated-if theorem=stays_tied quantifiers=all sizes, heads, depths, skips, functions, orthogonal Omega *)
(* Provably: claim=N13 part=as-stated-deficient-rank theorem=stays_tied quantifiers=all sizes, heads, depths, skips, functions, any ranks *)
(* Provably: claim=N13 part=as-stated-zero-value-head theorem=stays_tied quantifiers=all sizes, heads, depths, skips, functions *)
Theorem stays_tied sh M before W after Omega C :
  norm sh = None -> plain sh -> plain_layer W -> head M = None -> at_ M = before ++ W :: after ->
  Omega *m Omega^T = 1%:M -> images_within W Omega C ->
  let M' := in_basis sh M Omega before (with_queries W Omega (keys_of C)) after in
  [/\ same_function sh M' M, head M' = None &
      exists W' before' after', [/\ at_ M' = before' ++ W' :: after', size before' = size before & W_Q W' = 1%:M]].
Proof.
move=> noN pl plW tied layers orth within; have [_ u] := invmx_eq orth.
by have := queries_into_keys noN pl plW layers u within (fun=> orth); rewrite tied.
Qed.

(* What an orthogonal basis makes of a tied model with W_Q = I: the same function, tied, A_a' A_b = 0 for a != b. *)
(* Provably: claim=N13 part=as-stated-only theorem=orthogonal_forms quantifiers=all sizes, heads, depths, skips, functions, orthogonal Omega *)
Theorem orthogonal_forms sh M Omega : norm sh = None -> head M = None -> Omega *m Omega^T = 1%:M ->
  let M' := gauge_model sh (fun=> Omega) M in
  [/\ same_function sh M' M, head M' = None &
      forall W a b, W_Q W = 1%:M -> a != b ->
      let W' := gauge_layer sh Omega Omega W in
      (score_form (W_Q W') (W_K W') a)^T *m score_form (W_Q W') (W_K W') b = 0].
Proof.
move=> noN tied orth; have [inv u] := invmx_eq orth; split=> [T||W a b Q1 ab /=].
- exact: forward_gauge.
- by rewrite /= tied.
rewrite W_Q_gauge Q1 mulmx1 inv /score_form trmx_mul trmxK mulmxA -(mulmxA (cols (W_K _) a)).
rewrite (_ : (cols Omega^T a)^T *m cols Omega^T b = 0) ?mulmx0 ?mul0mx //.
rewrite -rows_tr trmxK; have <- : rows (cols (Omega *m Omega^T) b) a = rows Omega a *m cols Omega^T b.
  by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
by rewrite orth -(blockdiag1 h dk R) cols_blockdiag (negPf ab).
Qed.
End Tied.
