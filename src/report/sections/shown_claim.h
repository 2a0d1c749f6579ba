/* SPDX-License-Identifier: GPL-3.0-or-later
 * shown_claim.h - what is said of a claim: the same items on a screen, as JSON, and in the entry of the page. */
#ifndef SHOWN_CLAIM_H
#define SHOWN_CLAIM_H
#include "src/report/collect/evidence_set.h"
#include "src/report/document/document.h"

/* Texts of one subject: each as one reads it on a screen, and as a line for the page. */
typedef struct { const char *key, *label; char **text; doc_line *line; long n; } shown_item;
typedef struct {
    const evidence_set *all;
    const claim_record *c;
    const claim_entry *entry;            /* its row of the index; an empty one where it has none       */
    agreed agreed;                       /* where nothing was run                                       */
    bool run;                            /* there is evidence of this claim                             */
    char *certificates;                  /* the folder of its certificates, as one would type it        */
    const char *certificate;             /* the one to look at first; NULL: there is none               */
    char *proofcheck;                    /* how it is called                                            */
    shown_item *item;
    long n, details;                     /* items from `details` on are printed on request (--long)     */
} shown_claim;
shown_claim shown_claim_of(const evidence_set *all, const claim_record *c, const char *evidence);
void        shown_claim_free(shown_claim *s);
verdict     shown_verdict(const shown_claim *s, bool corrected);
/* Is the verdict that of the sentence as its authors mean it, which the parts called corrected say? */
bool    shown_as_meant(const shown_claim *s);
evidence_kind shown_evidence(const shown_claim *s, bool corrected);
void        shown_claim_json(FILE *f, const shown_claim *s);       /* shown_json.c */
#endif
