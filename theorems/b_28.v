(* b_28.v - B-28, symmetric scores and the collapse of a stack are compatible.
 *
 * M_s = B_s B_s' collapses (B-12) to P M_s P' = (P B_s)(P B_s)', P = O_1 .. O_(s-1): again symmetric and positive
 * semidefinite.
 *
 * Dimensions from above: B_s U_s with U_s orthogonal is the same stack, so the rank of any Jacobian is at most
 * S N (N + 1) / 2 + N^2 where each B_s is invertible (rank_mirrored); of a layer of H heads with W_K = W_Q at most
 * H (N r - r (r - 1) / 2) + 2 N^2 - N^2/H where W_Q and W_V are (rank_shared).  Missing for those parts of the claim:
 * weights where it is as much (b_28.c has them, minors modulo a prime). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import semidefinite matrices order tangents stacks.
From Theorems Require Import b_11.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(* Provably: claim=B-28 part=as-stated theorem=compatible quantifiers=all real closed fields, sizes, depths, row maps, B, O, X *)
Theorem compatible (F : rcfType) n N (f : nat -> 'M[F]_n -> 'M[F]_n) (B O : nat -> 'M[F]_N) (X : 'M[F]_(n, N)) S :
  let M s := B s *m (B s)^T in let M' s := (values O s *m B s) *m (values O s *m B s)^T in
  stacked (attends f M) O X S = stacked (attends f M') (fun=> 1%:M) X S *m values O S /\ forall s, semidefinite (M' s).
Proof.
move=> M M'; split=> [|s]; last exact: gram_semidefinite.
rewrite collapsed; congr (_ *m _); elim: S => //= S ->; congr (_ *m _ *m _).
by rewrite /attends /M /M' trmx_mul !mulmxA.
Qed.

(* ---- dimensions -------------------------------------------------------------------------------------------------- *)

(* S layers of scores M_s = B_s B_s' and values 1, and W after the last: B_s U_s, U_s orthogonal, is the same stack. *)
Section Mirrored.
Variables (F : realFieldType) (n N S : nat) (Y : finType) (f : nat -> 'M[F]_n -> 'M[F]_n).
Variables (input : Y -> 'M[F]_(n, N)) (token : Y -> 'I_n) (place : Y -> 'I_N).
Notation weight := ((option 'I_S * ('I_N * 'I_N))%type).
Implicit Types (w : weight -> F) (s : 'I_S).

Definition factor w (k : nat) : 'M[F]_N := if insub k is Some s then mat w (Some s) else 0.
Definition mirrored w y : F :=
  let M k := factor w k *m (factor w k)^T in
  (stacked (attends f M) (fun=> 1%:M) (input y) S *m mat w None) (token y) (place y).
Definition turned w s (A : 'M[F]_N) (e : option 'I_S) : 'M_N := if e == Some s then mat w e *m A else 0.

Theorem null_turned w s (A : 'M[F]_N) J : A^T = - A -> jacobian mirrored w J ->
  forall y, along (put (turned w s A)) J y = 0.
Proof.
move=> skew dJ; apply: null_direction dJ _; apply: constant_along_put.
have [s0 s00 [B near]] := turning (good := fun D => D *m D^T = 1%:M) skew (fun D orth _ => orth).
exists s0 => //; exists (norm1 w * B) => t ts; have [D [R [R' [uD orth eD eI [bR bR']]]]] := near t ts.
exists (fun e => if e == Some s then mat w e *m R else 0) => [e|w' moved_w].
  have B0 := le_trans (total_ge0 R) bR; have w0 := norm1_ge0 w; have we := total_mat w e.
  case: ifP => _; last by rewrite -(scale0r R) total_scale normr0 mul0r mulr_ge0.
  by apply: le_trans (total_mul _ _) _; apply: ler_pmul; rewrite ?total_ge0.
have now e : mat w' e = if e == Some s then mat w e *m D else mat w e.
  rewrite moved_w /turned; case: ifP => _; last by rewrite !scaler0 !addr0.
  by rewrite eD !mulmxDr mulmx1 -!scalemxAr.
move=> y; rewrite /mirrored now /=; congr ((_ *m _) _ _); elim: (S) => //= k ->; congr (_ *m _ *m _).
rewrite /attends /factor; case: insubP => [m _ _|_] //; rewrite now; case: ifP => // _.
by rewrite trmx_mul !mulmxA -(mulmxA _ D) orth mulmx1.
Qed.

(* S N (N + 1) / 2 + N^2 dimensions at most *)
Theorem rank_mirrored w J : (forall s, mat w (Some s) \in unitmx) -> jacobian mirrored w J ->
  (\rank (jacobian_matrix J) <= S * (N * N.+1)./2 + N * N)%N.
Proof.
move=> invertible dJ.
have : (\rank (jacobian_matrix J) + S * #|{: ordered N}| <= S * (N * N) + N * N)%N.
  have -> : (S * (N * N) + N * N = #|{: weight}|)%N by rewrite !card_prod card_option !card_ord mulSn addnC.
  have -> : (S * #|{: ordered N}| = #|{: 'I_S * ordered N}|)%N by rewrite card_prod card_ord.
  apply: (rank_at_most (X := fun x : 'I_S * ordered N => put (turned w x.1 (skew_matrix F x.2)))) => [[s p] y|].
    exact: null_turned (skew_tr F p) dJ y.
  apply: independent_put => c zero [s p]; apply: (skews_free (c := fun p => c (s, p))).
  apply: (cancels (invertible s)); rewrite mulmx_sumr -[RHS](zero (Some s)) sum_pairs (bigD1 s) //= [X in _ + X]big1.
    by rewrite addr0; apply: eq_bigr => q _; rewrite /turned eqxx -scalemxAr.
  move=> m /negPf ms; apply: big1 => q _; rewrite /turned (_ : (Some s == Some m) = false) ?scaler0 //.
  by rewrite eq_sym; apply: ms.
have square : (N * N = #|{: ordered N}| + (#|{: ordered N}| + N))%N.
  by rewrite addnA addnn -mul2n card_pairs; case: (N) => // l; rewrite [LHS]mulnS addnC.
have -> : ((N * N.+1)./2 = #|{: ordered N}| + N)%N.
  by rewrite mulnS square addnA (addnC N) addnn doubleK.
by rewrite {1}square (mulnDr S #|{: ordered N}|) -addnA addnC leq_add2l.
Qed.
End Mirrored.

(* One layer of H heads of width r, N = H r, with W_K = W_Q: Q_a U_a, U_a orthogonal, and V_a E_a, E_a^-1 O_a. *)
Section Shared.
Variables (F : realFieldType) (n H r : nat) (Y : finType) (f : 'I_H -> 'M[F]_n -> 'M[F]_n).
Notation N := (H * r)%N.
Variables (input : Y -> 'M[F]_(n, N)) (token : Y -> 'I_n) (place : Y -> 'I_N).
(* None: W_Q = W_K, Some false: W_V, Some true: W_O *)
Notation weight := ((option bool * ('I_N * 'I_N))%type).
Implicit Types (w : weight -> F).

Definition shared w y : F :=
  heads_of f (mat w None) (mat w None) (mat w (Some false)) (mat w (Some true)) (input y) (token y) (place y).
Definition of_queries w (A : 'M[F]_N) (e : option bool) : 'M_N := if e == None then mat w e *m A else 0.
Definition of_values w (A : 'M[F]_N) (e : option bool) : 'M_N :=
  match e with None => 0 | Some false => mat w e *m A | Some true => - (A *m mat w e) end.

Lemma keeps1 : keeps_heads (1%:M : 'M[F]_N).
Proof. by move=> a; rewrite mulmx1 mul1mx. Qed.
Lemma small w B e (R : 'M[F]_N) : total R <= B ->
  total (mat w e *m R) <= norm1 w * B /\ total (R *m mat w e) <= norm1 w * B.
Proof.
move=> bR; have B0 := le_trans (total_ge0 R) bR; have w0 := norm1_ge0 w; have we := total_mat w e.
split; apply: le_trans (total_mul _ _) _; first by apply: ler_pmul; rewrite ?total_ge0.
by rewrite mulrC; apply: ler_pmul; rewrite ?total_ge0.
Qed.
Lemma nothing w B (R : 'M[F]_N) : total R <= B -> total (0 : 'M[F]_N) <= norm1 w * B.
Proof.
by move=> bR; rewrite -(scale0r R) total_scale normr0 mul0r mulr_ge0 ?norm1_ge0 // (le_trans (total_ge0 R)).
Qed.

Theorem null_of_queries w (A : 'M[F]_N) J : A^T = - A -> (forall a, only F r a *m A = A *m only F r a) ->
  jacobian shared w J -> forall y, along (put (of_queries w A)) J y = 0.
Proof.
move=> skew keeps dJ; apply: null_direction dJ _; apply: constant_along_put.
have [|s0 s00 [B near]] := turning (good := fun D => D *m D^T = 1%:M /\ keeps_heads D) skew.
  by move=> D orth commutes; split=> // a; apply: commutes.
exists s0 => //; exists (norm1 w * B) => t ts; have [D [R [R' [uD [orth kD] eD eI [bR bR']]]]] := near t ts.
exists (of_queries w R) => [e|w' moved_w].
  by rewrite /of_queries; case: ifP => _; [have [] := small w e bR | apply: nothing bR].
have now e : mat w' e = if e == None then mat w e *m D else mat w e.
  rewrite moved_w /of_queries; case: ifP => _; last by rewrite !scaler0 !addr0.
  by rewrite eD !mulmxDr mulmx1 -!scalemxAr.
move=> y; rewrite /shared !now /= -[in RHS](turned_heads f _ _ _ _ _ uD (unitmx1 F N) kD keeps1).
by have [-> _] := invmx_eq orth; rewrite trmxK mulmx1 invmx1 mul1mx.
Qed.
Theorem null_of_values w (A : 'M[F]_N) J : (forall t, keeps_heads (1%:M + t *: A)) ->
  jacobian shared w J -> forall y, along (put (of_values w A)) J y = 0.
Proof.
move=> keeps dJ; apply: null_direction dJ _; apply: constant_along_put.
have [s0 s00 [B near]] := straight keeps; exists s0 => //; exists (norm1 w * B) => t ts.
have [D [R [R' [uD kD eD eI [bR bR']]]]] := near t ts.
pose rest (e : option bool) := match e with
  None => 0 | Some false => mat w e *m R | Some true => R' *m mat w e end.
exists rest => [[[]|]|w' moved_w]; [by have [] := small w (Some true) bR' | by have [] := small w (Some false) bR
  | exact: nothing bR |].
have e0 : mat w' None = mat w None by rewrite moved_w !scaler0 !addr0.
have eV : mat w' (Some false) = mat w (Some false) *m D by rewrite moved_w eD !mulmxDr mulmx1 -!scalemxAr.
have eO : mat w' (Some true) = invmx D *m mat w (Some true).
  by rewrite moved_w eI mulmxDl mulmxBl mul1mx -!scalemxAl /= scalerN.
move=> y; rewrite /shared e0 eV eO -[in RHS](turned_heads f _ _ _ _ _ (unitmx1 F N) uD keeps1 kD).
by rewrite mulmx1 invmx1 trmx1 mulmx1.
Qed.

(* H (N r - r (r - 1) / 2) + 2 N^2 - N^2/H dimensions at most, N r = N^2/H *)
Theorem rank_shared w J : mat w None \in unitmx -> mat w (Some false) \in unitmx -> jacobian shared w J ->
  (\rank (jacobian_matrix J) + (H * (r * r.-1)./2 + N * r) <= 3 * (N * N))%N.
Proof.
move=> uQ uV dJ; have -> : ((r * r.-1)./2 = #|{: ordered r}|)%N by rewrite -card_pairs mul2n doubleK.
pose G := ('I_H * ordered r + 'I_H * ('I_r * 'I_r))%type.
have <- : (#|{: G}| = H * #|{: ordered r}| + N * r)%N by rewrite card_sum !card_prod !card_ord mulnA.
have <- : (#|{: weight}| = 3 * (N * N))%N by rewrite card_prod card_option card_bool card_prod !card_ord.
pose X (g : G) := match g with inl x => of_queries w (in_one_head (@skew_matrix F r) x)
  | inr x => of_values w (in_one_head (@unit_matrix F r) x) end.
apply: (rank_at_most (X := fun g => put (X g))) => [[x|x] y|].
- apply: null_of_queries dJ y => [|a]; last exact: only_commutes.
  rewrite /in_one_head tr_blockdiag -blockdiag_opp; apply: eq_blockdiag => b.
  by case: ifP => _; rewrite ?trmx0 ?oppr0 ?skew_tr.
- by apply: null_of_values dJ y => t; apply: in_one_head_keeps.
apply: independent_put => c zero.
have queries x : c (inl x) = 0.
  apply: (in_one_head_free (@skews_free F r) (c := fun x => c (inl x))); apply: (cancels uQ).
  rewrite mulmx_sumr -[RHS](zero None) big_sumType /= [X in _ = _ + X]big1 ?addr0 => [|z _]; last by rewrite scaler0.
  by apply: eq_bigr => z _; rewrite -scalemxAr.
have values x : c (inr x) = 0.
  apply: (in_one_head_free (@units_free F r) (c := fun x => c (inr x))); apply: (cancels uV).
  rewrite mulmx_sumr -[RHS](zero (Some false)) big_sumType /= [X in _ = X + _]big1 ?add0r => [|z _].
    by apply: eq_bigr => z _; rewrite -scalemxAr.
  by rewrite scaler0.
by case.
Qed.
End Shared.
