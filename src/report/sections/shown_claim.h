/* shown_claim.h - what `provably show` says of a claim: the same items for a screen and for JSON. */
#ifndef SHOWN_CLAIM_H
#define SHOWN_CLAIM_H
#include "src/report/collect/evidence_set.h"

typedef struct { const char *key, *label; char **text; long n; } shown_item;       /* texts of one subject */
typedef struct {
    const evidence_set *all;
    const claim_record *c;
    agreed agreed;                       /* where nothing was run                                       */
    bool run;                            /* there is evidence of this claim                             */
    char *certificates;                  /* the folder of its certificates, as one would type it        */
    const char *certificate;             /* the one to look at first; NULL: there is none               */
    char *proofcheck;                    /* how it is called                                            */
    shown_item *item;
    long n;
} shown_claim;
shown_claim shown_claim_of(const evidence_set *all, const claim_record *c, const char *evidence);
void        shown_claim_free(shown_claim *s);
verdict     shown_verdict(const shown_claim *s, bool corrected);
evidence_kind shown_evidence(const shown_claim *s, bool corrected);
void        shown_claim_json(FILE *f, const shown_claim *s);       /* shown_json.c */
#endif
