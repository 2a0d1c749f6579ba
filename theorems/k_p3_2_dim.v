(* k_p3_2_dim.v - K-P3.2-dim: what the forms W_Q^a W_K^a' leave open is one invertible d_k x d_k matrix for each head.
 *
 * The paper (003, Section 1): "This redundancy is parametrized by a (h d_k^2)-dimensional manifold (one invertible
 * d_k x d_k matrix per head), present in the full model with no simplifying assumptions."
 *
 * Where each W_Q^a and W_K^a has full rank d_k: weights with the same forms are (W_Q D, W_K D^-T) for exactly one
 * D = diag(D_1, .., D_h), and the directions that do not move the forms are (W_Q A, -W_K A') for exactly one
 * A = diag(A_1, .., A_h), h d_k^2 numbers.  That the function of a model determines the forms is not here. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import matrices transformer gauge reduction heads forms.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section OneHead.
Variables (F : fieldType) (d dk : nat).
Implicit Types (Q K : 'M[F]_(d, dk)) (A D : 'M[F]_dk).

Lemma left_inverse Q : \rank Q = dk -> pinvmx Q *m Q = 1%:M.
Proof.
move=> rQ; have : (1%:M <= Q)%MS by rewrite sub1mx /row_full rQ.
by move/mulmxKpV; rewrite mul1mx.
Qed.
Lemma cancel_left p Q (A B : 'M_(dk, p)) : \rank Q = dk -> Q *m A = Q *m B -> A = B.
Proof. by move=> rQ /(congr1 (mulmx (pinvmx Q))); rewrite !mulmxA left_inverse // !mul1mx. Qed.

(* a direction (Q', K') does not move Q K' : Q' K^T + Q K'^T = 0 *)
Theorem null_directions Q K dQ dK : \rank Q = dk -> \rank K = dk ->
  dQ *m K^T + Q *m dK^T = 0 <-> exists A, dQ = Q *m A /\ dK = - (K *m A^T).
Proof.
move=> rQ rK; split=> [e|[A [-> ->]]]; last by rewrite linearN /= trmx_mul trmxK mulmxN mulmxA subrr.
have KL : K^T *m (pinvmx K)^T = 1%:M by rewrite -trmx_mul left_inverse // trmx1.
pose A := - (dK^T *m (pinvmx K)^T); have eQ : dQ = Q *m A.
  have /(congr1 (mulmx^~ (pinvmx K)^T)) := e; rewrite mulmxDl mul0mx -[dQ *m _ *m _]mulmxA KL mulmx1 => /eqP.
  by rewrite addr_eq0 => /eqP ->; rewrite /A mulmxN mulmxA.
exists A; split=> //; apply: trmx_inj; rewrite linearN /= trmx_mul trmxK; apply: (cancel_left rQ).
by apply/eqP; rewrite mulmxN mulmxA -eQ -addr_eq0 addrC e.
Qed.

(* other factors of the same form *)
Theorem same_form Q K Q1 K1 : \rank Q = dk -> \rank K = dk -> Q1 *m K1^T = Q *m K^T <->
  exists D, [/\ D \in unitmx, Q1 = Q *m D & K1 = K *m (invmx D)^T].
Proof.
move=> rQ rK; split=> [e|[D [uD -> ->]]]; last by rewrite trmx_mul trmxK read_back.
have KL : K^T *m (pinvmx K)^T = 1%:M by rewrite -trmx_mul left_inverse // trmx1.
pose D := pinvmx Q *m Q1; pose E := K1^T *m (pinvmx K)^T.
have Q1E : Q1 *m E = Q by rewrite /E mulmxA e -mulmxA KL mulmx1.
have DE : D *m E = 1%:M by rewrite /D -mulmxA Q1E left_inverse.
have [invD uD] := invmx_eq DE; exists D; split=> //.
  by rewrite -[in RHS]Q1E -mulmxA (mulmx1C DE) mulmx1.
apply: trmx_inj; rewrite trmx_mul trmxK; apply: (can_inj (mulKmx uD)).
by rewrite mulKVmx // /D -mulmxA e mulmxA left_inverse // mul1mx.
Qed.
End OneHead.

Section Heads.
Variables (F : fieldType) (d h dk : nat) (W_Q W_K : 'M[F]_(d, h * dk)).
Hypotheses (full_Q : forall a, \rank (cols W_Q a) = dk) (full_K : forall a, \rank (cols W_K a) = dk).

(* one matrix for each head, and no two give the same weights *)
Theorem orbit Q K : (forall a, score_form Q K a = score_form W_Q W_K a) <->
  exists D, [/\ forall a, D a \in unitmx, Q = W_Q *m blockdiag D & K = W_K *m blockdiag (fun a => (invmx (D a))^T)].
Proof.
split=> [same|[D [uD -> ->]] a]; last first.
  by rewrite /score_form !cols_mul_blockdiag; apply/same_form => //; exists (D a).
have each a := proj1 (same_form (cols Q a) (cols K a) (full_Q a) (full_K a)) (same a).
have [D ok] := fin_all_exists each; exists D.
by split=> [a||]; first (by have [] := ok a); apply: cols_inj => a; rewrite cols_mul_blockdiag; have [] := ok a.
Qed.
Theorem directions dQ dK :
  (forall a, cols dQ a *m (cols W_K a)^T + cols W_Q a *m (cols dK a)^T = 0) <->
  exists A, dQ = W_Q *m blockdiag A /\ dK = - (W_K *m blockdiag (fun a => (A a)^T)).
Proof.
have colsN (B : 'M[F]_(d, h * dk)) a : cols (- B) a = - cols B a by apply/matrixP => i j; rewrite !mxE.
split=> [zero|[A [-> ->]] a]; last first.
  by rewrite colsN !cols_mul_blockdiag; apply/null_directions => //; exists (A a).
have each a := proj1 (null_directions (cols dQ a) (cols dK a) (full_Q a) (full_K a)) (zero a).
have [A ok] := fin_all_exists each; exists A.
by split; apply: cols_inj => a; rewrite ?colsN cols_mul_blockdiag; have [] := ok a.
Qed.
Theorem one_for_each D E : W_Q *m blockdiag D = W_Q *m blockdiag E -> D =1 E.
Proof. by move=> e a; apply: (cancel_left (full_Q a)); rewrite -!cols_mul_blockdiag e. Qed.
End Heads.

(* Without full rank there are more: W_Q = 0, W_K = 1, where every (0, K) has the same form. *)
Lemma needs_full_rank (F : fieldType) (K : 'M[F]_1) : (0 : 'M_1) *m K^T = 0 *m 1%:M^T.
Proof. by rewrite !mul0mx. Qed.
