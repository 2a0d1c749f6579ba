/* SPDX-License-Identifier: GPL-3.0-or-later
 * formal.h - what the kernel of a proof assistant has accepted: reports/formal.csv, which `make formal` writes.
 *
 * A theorem counts only while the files that the list names are those that were accepted: the file with the
 * statement and all of ours that it needs, by their hashes.  Of such a file the list says nothing else than the file
 * and the kernel do: the line `(* Provably: claim= part= theorem= quantifiers= *)` is one of the file's, word for word,
 * and formal_log.txt beside the list has what coqchk and coqc said of the theorem, with the hash that the row has.
 * Coq is not needed to read the list.  Its paths are those of the source tree.
 *
 * reports/formal_read.csv names the theorems that somebody has compared with the printed sentence of their part and
 * found to say all of it: `reading` is the SHA-256 of the theorem's file without its proofs, `sentence` that of the
 * sentence and its hypotheses, `again` that of the file once more, by a second reading without sight of the first, or
 * empty; `lacks`: what the theorem leaves out; "": nothing.  No other theorem counts: judge_formal.c.
 *
 * reports/formal_needed.csv says what goes wrong without each hypothesis; `make formal` writes it, too, and
 * formal_cases.csv beside the list: theorems that say what another one says, or a case of it. */
#ifndef FORMAL_H
#define FORMAL_H
#include "src/claim/words.h"

/* What goes wrong without one hypothesis of a theorem: a lemma that the kernel accepts, too, or why nothing can. */
typedef struct {
    char  hypothesis[160];               /* "no normalization"                                          */
    char  lemma[80], file[160];          /* of the lemma; "": it is argued                              */
    char *says;                          /* in words: the comment above the lemma, or the argument      */
} formal_need;
typedef struct {
    char  claim[NAME_SIZE], part[NAME_SIZE];
    char  theorem[80], file[160];
    char  quantifiers[160];              /* "all sizes, heads, depths, functions"                        */
    char  axioms[320];                   /* "none", or their names                                      */
    bool  current;                       /* its files are those that the kernel accepted                */
    bool  whole;                         /* read, and it says all that its part says                    */
    bool  twice;                         /* by two readings                                             */
    char *lacks;                         /* read, and what it leaves out of the sentence; NULL: not read, or nothing */
    char  states[256];                   /* "FILE THEOREM": itself, or that of which it is a case       */
    char  sentence[65];                  /* SHA-256, in hexadecimal digits, of the sentence that was read beside it */
    char *setting;                       /* what its section assumes, in lines; "": nothing; NULL unless current   */
    char *defined;                       /* definitions of our other files that these name, but those of the model */
    char *statement;                     /* the lines of the file from `Theorem` to before `Proof`; the same       */
    formal_need *need;                   /* none unless current                                         */
    long  needs;
} formal_theorem;
typedef struct {
    formal_theorem *at;
    long n;
    long stale;                          /* how many of them are not current                            */
    char **reread;                       /* lines of formal_read.csv that no longer fit, as sentences   */
    long rereads;
} formal_list;

/* An empty list where there is no such file.  Dies, with line and reason, on anything that is no such list, and on a
 * theorem that the file it names, unchanged, does not state, whose comment it does not have, or of which the log
 * beside the list does not say what the list says.  `root`: the folder of the list's paths; `read`,
 * `needed`: the paths of formal_read.csv and formal_needed.csv, which need not be there, nor be given. */
formal_list formal_list_read(const char *path, const char *read, const char *needed, const char *root);
void        formal_list_free(formal_list *l);
#endif
