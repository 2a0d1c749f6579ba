(* n5.v - N5, how many more neurons replace a linear skip: 2h - rank W1, for any activation with
 *     phi(y) - phi(-y) = c y,  c not 0.
 *
 * K are rank W1 independent rows of W1, G complete them to a basis, Z = C K + E G, and then
 *     V1 = (W1; -K; G; -G),     V2 = (W2 + C/c at K | -C/c | E/c | -E/c). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import relu.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Wider.
Variables (F : fieldType) (h k m : nat) (phi : F -> F) (c : F).
Hypothesis odd_part : forall y, phi y - phi (- y) = c * y.

(* phi(y) - phi(-y) for a column y *)
Lemma both_signs p (y : 'cV[F]_p) : map_mx phi y - map_mx phi (- y) = c *: y.
Proof. by apply/colP => i; rewrite !mxE odd_part. Qed.

(* Width m + 2h - rank W1 absorbs every linear skip; that is m + h where W1 has rank h. *)
(* Provably: claim=N5 part=as-stated theorem=any_skip quantifiers=all fields, h, m, W1, W2, Z, phi, c not 0 *)
(* Provably: claim=N5 part=as-stated-rank theorem=any_skip quantifiers=all fields, h, m, W1, W2, Z, phi, c not 0 *)
Theorem any_skip (W1 : 'M[F]_(m, h)) (W2 : 'M[F]_(k, m)) (Z : 'M[F]_(k, h)) : c != 0 ->
  exists p (V1 : 'M[F]_(p, h)) (V2 : 'M[F]_(k, p)), (p + \rank W1 = m + 2 * h)%N /\
    forall x, mlp_of phi W2 W1 x + Z *m x = mlp_of phi V2 V1 x.
Proof.
move=> c0; pose K := rowsub (maxrankfun W1) W1; pose G := row_base W1^C%MS.
pose at_K : 'M[F]_(\rank W1, m) := rowsub (maxrankfun W1) 1%:M.
have [[C E] eZ] : exists CE : 'M_(k, \rank W1) * 'M_(k, \rank W1^C%MS), c *: (CE.1 *m K + CE.2 *m G) = Z.
  have /sub_addsmxP [[C E] /= e] : (c^-1 *: Z <= K + G)%MS.
    by rewrite (adds_eqmx (eq_maxrowsub W1) (eq_row_base _)) submx_full // addsmx_compl_full.
  by exists (C, E); rewrite /= -e scalerA mulfV // scale1r.
exists (m + (\rank W1 + (\rank W1^C%MS + \rank W1^C%MS)))%N, (col_mx W1 (col_mx (- K) (col_mx G (- G)))).
exists (row_mx (W2 + C *m at_K) (row_mx (- C) (row_mx E (- E)))); split=> [|x].
  have twice a b l q : (b + l = q)%N -> (a + (l + (b + b)) + l = a + 2 * q)%N.
    by move=> <-; rewrite mul2n -addnn -!addnA; congr (_ + _)%N; rewrite addnCA.
  by apply: twice; rewrite mxrank_compl subnK // rank_leq_col.
rewrite /mlp_of !mul_col_mx !map_col_mx !mul_row_col !mulNmx mulmxDl.
have -> : C *m at_K *m map_mx phi (W1 *m x) = C *m map_mx phi (K *m x).
  by rewrite -mulmxA mul_rowsub_mx mul1mx [K *m x]mul_rowsub_mx map_mxsub.
clearbody K G; rewrite -eZ /= -scalemxAl mulmxDl -!(mulmxA _ _ x); move: (K *m x) (G *m x) => y z.
by rewrite scalerDr !scalemxAr -!both_signs !mulmxBr -!addrA.
Qed.
End Wider.

(* phi = 0, for which c = 0 alone will do: every network is 0, of whatever width, and absorbs no skip but 0. *)
(* Needed: theorem=any_skip hypothesis=phi(y) - phi(-y) is c y lemma=needs_odd_part *)
(* Needed: theorem=any_skip hypothesis=c is not 0 lemma=needs_odd_part *)
Lemma needs_odd_part (F : fieldType) h k p q (W1 : 'M[F]_(p, h)) (W2 : 'M[F]_(k, p)) (V1 : 'M_(q, h))
    (V2 : 'M_(k, q)) Z :
  (forall x, mlp_of (fun=> 0) W2 W1 x + Z *m x = mlp_of (fun=> 0) V2 V1 x) -> Z = 0.
Proof.
have zero m (A : 'M[F]_(m, h)) (B : 'M_(k, m)) x : mlp_of (fun=> 0) B A x = 0.
  by rewrite /mlp_of (_ : map_mx _ _ = 0) ?mulmx0 //; apply/matrixP => i j; rewrite !mxE.
move=> absorbs; apply/matrixP => i j; have := absorbs (delta_mx j 0); rewrite !zero add0r -colE => /matrixP/(_ i 0).
by rewrite !mxE.
Qed.
