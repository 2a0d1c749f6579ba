(* SPDX-License-Identifier: GPL-3.0-or-later *)
(* formal_accepts.ml - for each file its name and `accepted` or `rejected`; see formal_compare.sh. *)
let read f =
  let c = open_in_bin f in
  let s = really_input_string c (in_channel_length c) in
  close_in c; List.of_seq (String.to_seq s)
let () =
  for k = 1 to Array.length Sys.argv - 1 do
    Printf.printf "%s: %s\n%!" Sys.argv.(k) (if Accepts.accepts (read Sys.argv.(k)) then "accepted" else "rejected")
  done
