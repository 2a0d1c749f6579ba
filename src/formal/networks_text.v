(* networks_text.v - from the text of a certificate of kind `relu-eq`, `relu-neq` or `no-j` to what it claims, with the
   rules of src/proofcheck/relu.c; and the golden theorem about the text.                                            *)
From Coq Require Import String NArith ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Provably Require Import text sym sym_sound numbers relu formulas networks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope string_scope.

(* the matrix of this name and shape *)
Definition read_one (x : name) (m n : nat) (ls : seq row) : option (table * seq row) :=
  if read_matrix ls is Some (g, r) then
    if [&& called g == x, height g == m & width g == n] then Some (shown g, r) else None
  else None.
(* a network of any numbers of inputs and outputs, and one of given numbers *)
Definition read_net (a b z : name) (h k : nat) (ls : seq row) : option (net * seq row) :=
  if read_matrix ls is Some (A, r1) then
    if (called A == a) && (width A == h) then
      if read_one b k (height A) r1 is Some (B, r2) then
        if read_one z k h r2 is Some (C, r3) then Some (Net (height A) (shown A) B C, r3) else None
      else None
    else None
  else None.
Definition read_first (ls : seq row) : option (nat * nat * net * seq row) :=
  if read_matrix ls is Some (A, r1) then
    if read_matrix r1 is Some (B, _) then
      omap (fun x => (width A, height B, x.1, x.2)) (read_net "W1" "W2" "Z" (width A) (height B) ls)
    else None
  else None.
Definition parse_network (text : string) : option (nat * nat * network_claim) :=
  if read_rows text is Some rows then
    if body_of rows is Some (kind, r) then
      if read_first r is Some (h, k, f, r1) then
        match kind with
        | "relu-eq" =>
          if read_net "V1" "V2" "Y" h k r1 is Some (g, [:: [:: "end"]]) then Some (h, k, Same f g) else None
        | "relu-neq" =>
          if read_net "V1" "V2" "Y" h k r1 is Some (g, r2) then
            if read_one "x" h 1 r2 is Some (x, [:: [:: "end"]]) then Some (h, k, DifferAt f g x) else None
          else None
        | "no-j" =>
          match r1 with
          | [:: [:: "enumerate"]; [:: "end"]] => Some (h, k, NoJ f None)
          | _ => if read_one "y" k h r1 is Some (y, [:: [:: "end"]]) then Some (h, k, NoJ f (Some y)) else None
          end
        | _ => None
        end
      else None
    else None
  else None.
Definition network_ok h k (c : network_claim) : bool :=
  match c with
  | Same f g => same_ok h k f g
  | DifferAt f g x => differ_ok h k f g x
  | NoJ f (Some y) =>                                    (* no_j_ok, with weights that are all 0 *)
    let ps := weights h k f y in
    if all (fun p => czero p) ps then ~~ some_sum (trace_of h k f y) ps else false
  | NoJ f None => if (neurons f <= 16)%N then all_j_ok h k f else false
  end.
Definition accepts_network (text : string) : bool :=
  if parse_network text is Some (h, k, c) then network_ok h k c else false.

Theorem golden_network text : accepts_network text ->
  exists h k c, parse_network text = Some (h, k, c) /\ network_holds h k c.
Proof.
rewrite /accepts_network; case: parse_network => [[[h k] c]|] // ok; exists h, k, c; split=> //.
case: c ok => [f g|f g x|f [y|]] /=.
- by move=> ok F x; apply: same_right.
- by move=> ok F; apply: differ_right.
- by case: ifP => // _ ok F J; apply: (@no_j_right F _ _ f y).
by case: ifP => // _ ok F J; apply: all_j_right.
Qed.
