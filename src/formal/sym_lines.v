(* sym_lines.v - sym_sound.v is not empty talk: the lines of an accepted certificate mean something in every world. *)
From Coq Require Import String NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import sym sym_sound.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Exists.
Variables (R : comUnitRingType) (szs : seq (name * seq name)) (dims : seq name) (funs : seq (name * properties)).
Variable w : world R.
Local Notation cval := (cval R).
Local Notation d0 := (idM R 0).
Local Notation o0 := (Identity EmptyString).

(* the lines a line refers to, and its value *)
Definition refs (o : op) : seq N :=
  match o with
  | Value _ _ _ ks => ks | Sum ks => [seq k.2 | k <- ks] | Product a b => [:: a; b] | Transpose a => [:: a] | _ => [::]
  end.
Definition value (env : nat -> mat R) (o : op) : mat R :=
  match o with
  | Matrix x r c _ => Mat (V w x (sz w r) (sz w c))
  | Value f r c ks => Mat (Phi w f (sz w r) (sz w c) [seq env (nat_of_bin k) | k <- ks])
  | Block d i => Mat (block szs w (size_index szs d) (nat_of_bin i))
  | Identity d => idM R (sz w d)
  | Ones d => Mat (const_mx 1 : 'M_(sz w d, sz w unit_size))
  | Sum ks => if ks is k0 :: _
      then Mat (\sum_(k <- ks) cval k.1 *: view (rows (env k0.2)) (cols (env k0.2)) (env k.2)) else d0
  | Product a b => mulM (env a) (env b)
  | Transpose a => trM (env a)
  end.
Lemma means_ext (env env' : nat -> mat R) o A :
  (forall k : N, k \in refs o -> env k = env' k) -> means szs w env o A -> means szs w env' o A.
Proof.
move=> e m; case: m e => [x r c h|f r c ks|d i|d|d|ks m n F eF|a b m n p A' B ea eb|a m n A' ea] /= e;
  try by constructor.
- have -> : [seq env (nat_of_bin k) | k <- ks] = [seq env' (nat_of_bin k) | k <- ks] by apply/eq_in_map.
  exact: MValue.
- by apply: MSum => k ik; rewrite -e ?eF //; apply: map_f.
- by apply: MProduct; rewrite -e ?inE ?eqxx ?orbT.
- by apply: MTranspose; rewrite -e ?inE ?eqxx.
Qed.

(* the shape of each line is the shape that the checker has computed *)
Definition shape_ok (A : mat R) (n : node) := rows A = sz w n.1.1 /\ cols A = sz w n.1.2.
Definition sound (st : state) (env : seq (mat R)) :=
  [/\ size env = size (nodes st), size env = size (past st),
      forall k, (k < size env)%N -> (forall r : N, r \in refs (nth o0 (past st) k) -> (r < k)%N) /\
                                    means szs w (nth d0 env) (nth o0 (past st) k) (nth d0 env k) &
      forall k d, (k < size env)%N -> shape_ok (nth d0 env k) (nth d (nodes st) k)].

Lemma at_shape st env k n : sound st env -> at_line st k = Some n -> (k < size env)%N /\ shape_ok (nth d0 env k) n.
Proof.
move=> [es _ _ sh]; rewrite /at_line; case: (ltnP k (size (nodes st))) => [lt|ge].
  by rewrite (nth_map n) // => [[<-]]; rewrite es; split=> //; apply: sh; rewrite es.
by rewrite nth_default // size_map.
Qed.
Lemma at_all_shape st env ks l : sound st env -> at_all st ks = Some l ->
  size l = size ks /\ forall d d' k, (k < size ks)%N ->
    (nat_of_bin (nth d ks k) < size env)%N /\ shape_ok (nth d0 env (nth d ks k)) (nth d' l k).
Proof.
move=> ok; elim: ks l => [|k ks IH] l /=; first by case=> <-.
case ek: at_line => [x|] //; case el: at_all => [y|] // [<-]; have [es en] := IH _ el; have := at_shape ok ek.
by split=> [|d d' [|i] /= li] //=; [rewrite es | apply: en].
Qed.

Lemma value_ok st env o n v : sound st env -> result szs dims funs st o = Some (n, v) ->
  [/\ forall r : N, r \in refs o -> (r < size env)%N, means szs w (nth d0 env) o (value (nth d0 env) o) &
      shape_ok (value (nth d0 env) o) n].
Proof.
move=> ok; have [es ep _ sh] := ok.
case: o => [x r s h|f r s ks|d i|d|d|ks|a b|a] /=.
- have E : shape_ok (Mat (V w x (sz w r) (sz w s))) (r, s, itself st) by [].
  have M : means szs w (nth d0 env) (Matrix x r s h) (Mat (V w x (sz w r) (sz w s))) by exact: MMatrix.
  case: h M => [|| y] M; first by case=> <- _.
    by case: ifP => // _ [<- _].
  by case: ifP => // _ [<- _].
- case ea: at_all => [l|] //; case ev: value_node => [[q new]|] // [<- _].
  have [sl nl] := at_all_shape ok ea; split; [|exact: MValue|].
    by move=> k /(nthP 0%num) [i li <-]; case: (nl 0%num (r, s, [::]) i li).
  move: ev; rewrite /value_node; case: ifP => // _; case: ifP => // _; case: ifP => [lj|_].
    case=> <- _; move: lj; set j := find _ _ => lj.
    have [_ _ old sh'] := ok; rewrite -ep in lj; have := sh' j (r, s, [::]) lj; have [_ m] := old j lj.
    have := meansE m; rewrite ep in lj.
    have := nth_find o0 (_ : has (same_value st (same_args (properties_of funs f)) f r s l) (past st)).
    rewrite has_find -/j => /(_ lj).
    case: nth => // f' r' s' ks' /=; case: eqP => // <-; case: andP => // [[/eqP <- /eqP <-]] _ ->.
    by case=> /= er es'; rewrite /shape_ok /= er es'.
  by case: half_odd => [|[<- _] //]; case: ifP => [_|_ [<- _] //]; case: ifP => // _ [<- _].
- case: andP => // [[ls li]] [<- _]; split=> //; first exact: MBlock.
  rewrite /shape_ok /=; split=> //.
  have := nth_find (EmptyString, [::]) (_ : has (fun x => x.1 == d) szs); rewrite has_find => /(_ ls) /eqP e.
  by rewrite -[in RHS]e.
- by case=> <- _; split=> //; exact: MIdentity.
- case: eqP => [e [<- _]|_]; first by split=> //; [exact: MOnes | rewrite /shape_ok /= e].
  by case: ifP => // _ [<- _]; split=> //; exact: MOnes.
- case ea: at_all => [[|x l]|] //; case: ifP => // same [<- _].
  have [sl nl] := at_all_shape ok ea; case: ks sl nl ea => [|k ks] // sl nl ea; rewrite size_map in nl sl.
  have [lk [ek ek']] := nl 0%num x 0%N (ltn0Sn _); rewrite /= in lk ek ek'.
  have each (y : coef * N) : y \in k :: ks -> (nat_of_bin y.2 < size env)%N /\
      rows (nth d0 env (nat_of_bin y.2)) = rows (nth d0 env (nat_of_bin k.2)) /\
      cols (nth d0 env (nat_of_bin y.2)) = cols (nth d0 env (nat_of_bin k.2)).
    case/(nthP k) => i li <-; have [] := nl 0%num x i li; rewrite (nth_map k) // => li' [].
    have ex : (nth x (x :: l) i).1 = x.1.
      case: i li {li'} => //= i li; have /(all_nthP x) /(_ i) := same.
      by move=> h; apply/eqP/h; case: sl => ->.
    by rewrite ex -ek -ek'.
  split=> [r /mapP [y iy ->]||] //; first by case: (each y iy).
  apply: (@MSum _ _ _ _ (k :: ks) _ _ (fun j => view (rows (nth d0 env k.2)) (cols (nth d0 env k.2)) (nth d0 env j))).
  by move=> y /each [_ [er es']]; rewrite MatK.
- case ea: at_line => [x|] //; case eb: at_line => [y|] //; case: eqP => // e [<- _].
  have [la [ra ca]] := at_shape ok ea; have [lb [rb cb]] := at_shape ok eb; split=> //.
    by move=> r; rewrite !inE => /orP [/eqP ->|/eqP ->].
  apply: (@MProduct _ _ _ _ a b _ _ _ (body (nth d0 env a)) (view _ _ (nth d0 env b))); first by case: nth.
  by rewrite MatK // ca e rb.
case ea: at_line => [x|] // [<- _]; have [la [ra ca]] := at_shape ok ea; split=> //.
  by move=> r; rewrite !inE => /eqP ->.
by apply: (@MTranspose _ _ _ _ a _ _ (body (nth d0 env a))); case: nth.
Qed.

Lemma sound_step st env o n v : sound st env -> result szs dims funs st o = Some (n, v) ->
  sound (State (rcons (nodes st) n) (rcons (past st) o) v (cores st)) (rcons env (value (nth d0 env) o)).
Proof.
move=> ok er; have [r m s] := value_ok ok er; have [es ep old sh] := ok.
have same (k : nat) : (k < size env)%N -> nth d0 env k = nth d0 (rcons env (value (nth d0 env) o)) k.
  by rewrite nth_rcons => ->.
split=> [||k|k d]; rewrite /= ?size_rcons ?es -?es ?ep //.
  rewrite -ep ltnS leq_eqVlt => /predU1P [->|lt].
    rewrite nth_rcons -ep ltnn eqxx; split; first exact: r.
    rewrite nth_rcons ltnn eqxx; apply: means_ext m => k' /r; exact: same.
  have [ro mo] := old k lt; rewrite nth_rcons -ep lt; split=> //.
  by rewrite -same //; apply: means_ext mo => k' /ro lk; apply: same; apply: ltn_trans lk lt.
rewrite -ep ltnS leq_eqVlt => /predU1P [->|lt].
  by rewrite !nth_rcons -es ltnn eqxx.
by rewrite !nth_rcons -es lt; apply: sh.
Qed.
Lemma sound_prepared st o env : sound st env -> sound (prepared szs dims st o) env.
Proof. by rewrite /sound; have [-> ->] := prepared_same szs dims st o. Qed.
Lemma sound_steps st env os st' : sound st env -> foldl (step szs dims funs) (Some st) os = Some st' ->
  exists env', sound st' env' /\ past st' = past st ++ os.
Proof.
elim: os st env => [|o os IH] st env ok; first by case=> <-; exists env; rewrite cats0.
rewrite -[foldl _ _ _]/(foldl (step szs dims funs) (step szs dims funs (Some st) o) os) /=.
have [_ epast] := prepared_same szs dims st o; have {}ok := sound_prepared o ok.
case e: result => [[n v]|]; last by have -> : foldl (step szs dims funs) None os = None by elim: (os).
by case/(IH _ _ (sound_step ok e)) => env' [ok' ep]; exists env'; rewrite ep /= cat_rcons epast.
Qed.
End Exists.

(* In every world - whether or not the hypotheses hold there - the lines of an accepted certificate have values. *)
Theorem model_exists c : check c -> forall (R : comUnitRingType) (w : world R), exists env, model c w env.
Proof.
rewrite /check /run => ch R w; case e: foldl ch => [st|] // _.
have ok0 : sound (sizes c) w start [::] by split.
have [env [[es ep old _] epast]] := sound_steps ok0 e; rewrite /= in epast.
exists (nth (idM R 0) env); rewrite /model /line -epast -ep => k lk.
by case: (old k lk).
Qed.
Corollary golden_value c : check c ->
  forall R : comUnitRingType, (forall q, q \in denominators c -> (q%:R : R) \is a GRing.unit) ->
  forall w : world R, hypotheses c w -> exists2 env, model c w env & claims c env.
Proof.
move=> ch R den w h; have [env m] := model_exists ch w.
by exists env; last exact: golden ch R den w h env m.
Qed.
