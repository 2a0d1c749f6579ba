/* formal.h - what the kernel of a proof assistant has accepted: reports/formal.csv, which `make formal` writes.
 *
 * FORMAL is shown of a part only while the files that the list names are those that were accepted: the file with the
 * statement and all of ours that it needs, by their hashes.  The list's paths are those of the source tree; where there
 * is none, nothing is shown. */
#ifndef FORMAL_H
#define FORMAL_H
#include "src/claim/words.h"

typedef struct {
    char  claim[NAME_SIZE], part[NAME_SIZE];
    char  theorem[80], file[160];
    char  quantifiers[320];              /* "every n, d, V; every depth"                                */
    char  axioms[320];                   /* "none", or their names                                      */
    char *statement;                     /* the lines of the file from `Theorem` to before `Proof`       */
} formal_theorem;
typedef struct {
    formal_theorem *at;
    long n;
    long stale;                          /* theorems of the list whose files have changed since          */
} formal_list;

/* An empty list where there is no such file.  Dies, with line and reason, on anything that is no such list, and on a
 * theorem that the file it names, unchanged, does not state.  `root`: the folder of the list's paths. */
formal_list formal_read(const char *path, const char *root);
void        formal_free(formal_list *l);
#endif
