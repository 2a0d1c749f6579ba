/* claim_text.h - how a program describes its claim: the output of `PROGRAM --describe`, read back. */
#ifndef CLAIM_TEXT_H
#define CLAIM_TEXT_H
#include <stdio.h>
#include "src/claim/papers.h"

typedef struct { char *name, *why; } control_text;
typedef struct {
    char *name, *kind, *statement, *about, *assumes, *basis, *by_proof, *without, *why_without;
    control_text *control;
    long controls;
} part_text;
typedef struct {
    char *id, *title, *where, *hypotheses, *construction, *why, *depends;     /* NULL: not given          */
    quotation *quote, *standing;         /* the sentences judged, and what their section assumes          */
    long quotes, standings;
    part_text *part;
    long parts;
} claim_text;
claim_text claim_text_read(const char *path);            /* dies with line and reason on a malformed one */
claim_text claim_text_from(FILE *f, const char *path);   /* likewise; path: what messages call it        */
void       claim_text_free(claim_text *t);
const part_text *claim_text_part(const claim_text *t, const char *name);                /* NULL: no such part */
const char *claim_text_control(const claim_text *t, const char *part, const char *name);   /* why it must fail, or "" */

/* The first quotation from k on whose text differs from all earlier ones: each is printed once; n: there is none. */
long  quotation_next(const quotation *q, long n, long k);
/* Every source of the k-th sentence, to be freed: "Karbevski & Mijoski, arXiv:2510.23912: first version, Theorem 4.1;
 * latest version, Theorem 4.2"; NULL: the next one to be printed has the same sources. */
char *quotation_sources(const quotation *q, long n, long k);
const char *quotations_note(const claim_text *t);        /* what our copies of the quoted texts lack, or "" */
#endif
