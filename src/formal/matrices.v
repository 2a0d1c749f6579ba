(* matrices.v - what the theorems need to know of matrices: W W^-1 cancels, and columns come in blocks, one a head.
 *
 * Row convention, as in src/model/model.h: X is n x d and weights act on the right.  A matrix whose columns belong to h
 * heads of width dk has h * dk columns; `cols A a` are those of head a (mat_cols(A, a dk, dk) in C), `hcat` puts heads
 * side by side (mat_hcat), `rows` and `blockdiag` are mat_rows and mat_blockdiag. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Cancel.
Variables (R : comUnitRingType) (d : nat) (Theta : 'M[R]_d).
Hypothesis inv : Theta \in unitmx.

(* X Theta read through Theta^-1 W is X W. *)
Lemma read_back n q (X : 'M_(n, d)) (W : 'M_(d, q)) : X *m Theta *m (invmx Theta *m W) = X *m W.
Proof. by rewrite -mulmxA (mulmxA Theta) mulmxV // mul1mx. Qed.

(* X Theta^-1 read through Theta W is X W. *)
Lemma read_forth n q (X : 'M_(n, d)) (W : 'M_(d, q)) : X *m invmx Theta *m (Theta *m W) = X *m W.
Proof. by rewrite -mulmxA (mulmxA (invmx Theta)) mulVmx // mul1mx. Qed.
End Cancel.

Lemma invmx_mul (R : comUnitRingType) d (A B : 'M[R]_d) :
  A \in unitmx -> B \in unitmx -> invmx (A *m B) = invmx B *m invmx A.
Proof.
move=> uA uB; have uAB : A *m B \in unitmx by rewrite unitmx_mul uA.
apply: (can_inj (mulKmx uAB)); rewrite mulmxV // mulmxA -(mulmxA A) mulmxV // mulmx1 mulmxV //.
Qed.

(* A left inverse is the inverse. *)
Lemma invmx_eq (R : comUnitRingType) d (A B : 'M[R]_d) : A *m B = 1%:M -> invmx A = B /\ A \in unitmx.
Proof.
move=> AB; have [uA _] := mulmx1_unit AB.
by split=> //; apply: (can_inj (mulKmx uA)); rewrite mulmxV.
Qed.

(* In the basis Theta = (W | C) the matrix W is (I above 0). *)
Lemma read_first (R : comUnitRingType) p r (W : 'M[R]_(p + r, p)) (C : 'M_(p + r, r)) :
  row_mx W C \in unitmx -> invmx (row_mx W C) *m W = col_mx 1%:M 0.
Proof. by move/mulVmx; rewrite mul_mx_row [RHS]scalar_mx_block block_mxEh => /eq_row_mx []. Qed.

(* ---- heads ------------------------------------------------------------------------------------------------- *)

Section Heads.
Variables (h dk : nat).

Lemma in_head_proof (a : 'I_h) (j : 'I_dk) : (a * dk + j < h * dk)%N.
Proof.
case: a j => a ah [j jd] /=; apply: (@leq_trans (a.+1 * dk)%N); first by rewrite mulSn addnC ltn_add2r.
by rewrite leq_mul2r ah orbT.
Qed.
(* Column j of head a. *)
Definition in_head (a : 'I_h) (j : 'I_dk) : 'I_(h * dk) := Ordinal (in_head_proof a j).

Lemma dk_gt0 (k : 'I_(h * dk)) : (0 < dk)%N.
Proof. by case: dk k => // -[k]; rewrite muln0. Qed.
Lemma head_of_proof (k : 'I_(h * dk)) : (k %/ dk < h)%N.
Proof. by rewrite ltn_divLR ?(dk_gt0 k). Qed.
Lemma place_of_proof (k : 'I_(h * dk)) : (k %% dk < dk)%N.
Proof. by rewrite ltn_mod (dk_gt0 k). Qed.
(* The head that column k belongs to, and its place there. *)
Definition head_of (k : 'I_(h * dk)) : 'I_h := Ordinal (head_of_proof k).
Definition place_of (k : 'I_(h * dk)) : 'I_dk := Ordinal (place_of_proof k).

Lemma head_of_in a j : head_of (in_head a j) = a.
Proof.
by apply: val_inj; rewrite /= divnMDl ?(leq_trans _ (ltn_ord j)) // divn_small ?addn0.
Qed.
Lemma place_of_in a j : place_of (in_head a j) = j.
Proof. by apply: val_inj; rewrite /= modnMDl modn_small. Qed.
Lemma in_head_of k : in_head (head_of k) (place_of k) = k.
Proof. by apply: val_inj; rewrite /= -divn_eq. Qed.

Lemma eq_column k l : (k == l) = (head_of k == head_of l) && (place_of k == place_of l).
Proof.
apply/eqP/andP => [-> //|[/eqP ha /eqP pl]].
by rewrite -(in_head_of k) -(in_head_of l) ha pl.
Qed.

(* A sum over all columns is a sum over heads of sums over their columns. *)
Lemma sum_heads (R : ringType) (F : 'I_(h * dk) -> R) : \sum_k F k = \sum_(a < h) \sum_(j < dk) F (in_head a j).
Proof.
rewrite pair_bigA /= (reindex (fun p : 'I_h * 'I_dk => in_head p.1 p.2)) //=.
exists (fun k => (head_of k, place_of k)) => [[a j] _|k _] /=; last exact: in_head_of.
by rewrite head_of_in place_of_in.
Qed.

Variable R : comRingType.
Implicit Types n p : nat.

Definition cols n (A : 'M[R]_(n, h * dk)) (a : 'I_h) : 'M_(n, dk) := \matrix_(i, j) A i (in_head a j).
Definition rows n (A : 'M[R]_(h * dk, n)) (a : 'I_h) : 'M_(dk, n) := \matrix_(i, j) A (in_head a i) j.
Definition hcat n (part : 'I_h -> 'M[R]_(n, dk)) : 'M_(n, h * dk) := \matrix_(i, k) part (head_of k) i (place_of k).
Definition blockdiag (D : 'I_h -> 'M[R]_dk) : 'M_(h * dk) :=
  \matrix_(k, l) (D (head_of k) (place_of k) (place_of l) *+ (head_of k == head_of l)).

Lemma cols_hcat n (F : 'I_h -> 'M[R]_(n, dk)) a : cols (hcat F) a = F a.
Proof. by apply/matrixP => i j; rewrite !mxE head_of_in place_of_in. Qed.
Lemma hcat_cols n (A : 'M[R]_(n, h * dk)) : hcat (cols A) = A.
Proof. by apply/matrixP => i k; rewrite !mxE in_head_of. Qed.
Lemma eq_hcat n (F G : 'I_h -> 'M[R]_(n, dk)) : F =1 G -> hcat F = hcat G.
Proof. by move=> FG; apply/matrixP => i k; rewrite !mxE FG. Qed.
Lemma cols_inj n (A B : 'M[R]_(n, h * dk)) : (forall a, cols A a = cols B a) -> A = B.
Proof. by move=> AB; rewrite -(hcat_cols A) -(hcat_cols B); apply: eq_hcat. Qed.

(* (X W)^a = X W^a: Lemma A.1. *)
Lemma cols_mul n p (X : 'M[R]_(n, p)) (W : 'M_(p, h * dk)) a : cols (X *m W) a = X *m cols W a.
Proof. by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE. Qed.
Lemma cols_add n (A B : 'M[R]_(n, h * dk)) a : cols (A + B) a = cols A a + cols B a.
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.

Lemma cols_scale n c (A : 'M[R]_(n, h * dk)) a : cols (c *: A) a = c *: cols A a.
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.
Lemma tr_blockdiag D : (blockdiag D)^T = blockdiag (fun a => (D a)^T).
Proof. by apply/matrixP => k l; rewrite !mxE eq_sym; case: eqP => // ->. Qed.
Lemma eq_blockdiag C D : C =1 D -> blockdiag C = blockdiag D.
Proof. by move=> CD; apply/matrixP => k l; rewrite [LHS]mxE [RHS]mxE CD. Qed.
Lemma cols_blockdiag D a b : rows (cols (blockdiag D) b) a = D a *+ (a == b).
Proof. by apply/matrixP => i j; rewrite mulmxnE !mxE !head_of_in !place_of_in. Qed.

Lemma mul_cols_rows n p (A : 'M[R]_(n, h * dk)) (B : 'M_(h * dk, p)) :
  A *m B = \sum_(a < h) cols A a *m rows B a.
Proof.
apply/matrixP => i j; rewrite mxE sum_heads summxE; apply: eq_bigr => a _; rewrite !mxE.
by apply: eq_bigr => k _; rewrite !mxE.
Qed.
(* (F_1 | .. | F_h) W = sum_a F_a W_a *)
Lemma hcat_mul n p (F : 'I_h -> 'M[R]_(n, dk)) (B : 'M_(h * dk, p)) :
  hcat F *m B = \sum_(a < h) F a *m rows B a.
Proof. by rewrite mul_cols_rows; apply: eq_bigr => a _; rewrite cols_hcat. Qed.

(* Head a of A diag(D_1, .., D_h) is A^a D_a. *)
Lemma cols_mul_blockdiag n (A : 'M[R]_(n, h * dk)) D a : cols (A *m blockdiag D) a = cols A a *m D a.
Proof.
rewrite cols_mul mul_cols_rows (bigD1 a) //= big1 => [|b ba]; first by rewrite addr0 cols_blockdiag eqxx.
by rewrite cols_blockdiag (negPf ba) mulmx0.
Qed.

Lemma blockdiag1 : blockdiag (fun=> 1%:M) = 1%:M.
Proof. by apply/matrixP => k l; rewrite !mxE eq_column; case: (head_of k == head_of l) => //=; rewrite mulr1n. Qed.
Lemma mul_blockdiag C D : blockdiag C *m blockdiag D = blockdiag (fun a => C a *m D a).
Proof.
apply: cols_inj => a; rewrite cols_mul_blockdiag.
apply/matrixP => i j; rewrite !mxE head_of_in place_of_in.
have [e|ne] := eqVneq (head_of i) a; last first.
  by rewrite mulr0n big1 // => k _; rewrite !mxE head_of_in (negPf ne) mulr0n mul0r.
by rewrite mulr1n e; apply: eq_bigr => k _; rewrite !mxE head_of_in place_of_in e eqxx mulr1n.
Qed.
End Heads.

(* Block-diagonal matrices of invertible blocks are invertible. *)
Lemma blockdiag_unit (R : comUnitRingType) h dk (D : 'I_h -> 'M[R]_dk) :
  (forall a, D a \in unitmx) ->
  invmx (blockdiag D) = blockdiag (fun a => invmx (D a)) /\ blockdiag D \in unitmx.
Proof.
move=> uD; apply: invmx_eq; rewrite mul_blockdiag -(blockdiag1 h dk R).
by apply: eq_blockdiag => a; rewrite mulmxV.
Qed.
