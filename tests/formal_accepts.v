(* formal_accepts.v - the checkers of certificates that are proved right as an OCaml program, for formal_compare.sh:
   nothing that a theorem rests on.  Strings become lists of characters. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlString.
From Provably Require Import sym_text formulas networks_text.
Definition accepts (text : String.string) : bool :=
  if accepts_sym text then true else if accepts_formulas text then true else accepts_network text.
Extraction Language OCaml.
Extraction "accepts.ml" accepts.
