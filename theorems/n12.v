(* n12.v - N12, which singular query matrices can become the identity.
 *
 * Let U_a be the image of the form A_a = W_Q^a W_K^a'.  If U_a lies in the span of Theta_a, d_k columns of an
 * invertible Theta = (Theta_1 | .. | Theta_h) for each layer, so A_a = Theta_a C_a, then W~_Q = I in every layer,
 * skips around attention only: Theorem 4.4 without W_Q in GL(d).  Conversely the forms of a layer with W~_Q = I, in
 * any basis, have independent images. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Singular.
Variables (R : comUnitRingType) (n h dk V : nat).
Notation d := (h * dk)%N.
Notation layer := (layer R n d h h dk).
Notation bases := ('M[R]_d * ('I_h -> 'M[R]_(dk, d)))%type.
Implicit Types (sh : shape R n d h h dk) (M : model R n d h h dk V) (W : layer) (Theta : 'M[R]_d).

(* p.1 is (Theta, C) of the layer p.2 *)
Definition keyed (b : bases) W : layer := with_queries W b.1 (keys_of b.2).
Definition fits (p : bases * layer) := [/\ plain_layer p.2, p.1.1 \in unitmx & images_within p.2 p.1.1 p.1.2].

(* Provably: claim=N12 part=as-stated-if theorem=every_layer quantifiers=all sizes, heads, depths, functions, invertible Theta *)
Theorem every_layer sh M (ps : seq (bases * layer)) :
  norm sh = None -> plain sh -> head M <> None -> skips_around_attention_only sh -> at_ M = unzip2 ps ->
  (forall i p, List.nth_error ps i = Some p -> fits p) ->
  let M' := gauge_model sh (nth 1%:M [seq p.1.1 | p <- ps]) (with_layers M [seq keyed p.1 p.2 | p <- ps]) in
  same_function sh M' M /\ all (fun W => W_Q W == 1%:M) (at_ M').
Proof.
move=> noN pl untied only layers ok M'; split=> [T|].
  rewrite forward_gauge //; last by rewrite attention_only_crosses.
  - apply: same_layers layers _ T => i p /ok [plW _ within] X; apply: block_with_attention => {}X.
    apply: query_key_forms => // a; have [e|de] := within a; [left|by right].
    by rewrite e /score_form cols_hcat trmxK.
  move=> i; elim: ps i ok {layers M'} => [|p ps IH] [|i] ok /=; rewrite ?unitmx1 //.
    by have [] := ok 0%N p erefl.
  by apply: IH => j q; apply: (ok j.+1).
rewrite /M' /=; elim: ps ok {layers M'} => //= p ps IH ok; apply/andP; split; last first.
  by apply: IH => j q; apply: (ok j.+1).
by have [_ u _] := ok 0%N p erefl; rewrite W_Q_gauge /= mulVmx.
Qed.

(* Pi_b = Theta_b (Theta^-1)_b, rows of the inverse, keeps A_b and kills the other forms *)
Definition projector Theta b : 'M[R]_d := cols Theta b *m rows (invmx Theta) b.

(* Provably: claim=N12 part=as-stated-only theorem=independent_images quantifiers=all sizes, heads, invertible Theta, W_K, Z *)
Theorem independent_images Theta (K : 'M[R]_d) p (Z : 'I_h -> 'M[R]_(d, p)) b : Theta \in unitmx ->
  let A := score_form Theta K in
  projector Theta b *m (\sum_a A a *m Z a) = A b *m Z b.
Proof.
move=> u /=; have one a : rows (invmx Theta) b *m cols Theta a = 1%:M *+ (b == a).
  have <- : rows (cols (invmx Theta *m Theta) a) b = rows (invmx Theta) b *m cols Theta a.
    by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
  by rewrite mulVmx // -(blockdiag1 h dk R) cols_blockdiag.
have kept a : projector Theta b *m (score_form Theta K a *m Z a) = (score_form Theta K a *m Z a) *+ (b == a).
  rewrite /projector /score_form -!mulmxA (mulmxA (rows _ _)) one.
  by have [->|_] := eqVneq b a; rewrite ?mulr1n ?mul1mx // mulr0n mul0mx mulmx0.
rewrite mulmx_sumr (bigD1 b) //= kept eqxx big1 ?addr0 // => a ab.
by rewrite kept eq_sym (negPf ab).
Qed.

(* .. so two heads that share a direction are no forms of such a layer *)
Corollary no_shared_direction Theta (K : 'M[R]_d) p (Z : 'I_h -> 'M[R]_(d, p)) : Theta \in unitmx ->
  \sum_a score_form Theta K a *m Z a = 0 -> forall b, score_form Theta K b *m Z b = 0.
Proof. by move=> u z b; rewrite -(independent_images K Z b u) z mulmx0. Qed.
End Singular.
