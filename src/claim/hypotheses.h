/* SPDX-License-Identifier: GPL-3.0-or-later
 * hypotheses.h - the hypotheses of a derivation as a set: "h = 1; invertible W_Q; constrained W_V = 0; norm = none". */
#ifndef HYPOTHESES_H
#define HYPOTHESES_H
#include <stdbool.h>

typedef enum {
    HYPOTHESIS_OF_NAME,                  /* "invertible W_Q", "half-odd phi": proofcheck finds it in a certificate   */
    HYPOTHESIS_CONSTRAINED,              /* "constrained W_V = 0": a weight is set, not drawn (model/constrained.h)  */
    HYPOTHESIS_HEADS,                    /* "h = 1": models with this number of heads alone                          */
    HYPOTHESIS_SIZE,                     /* "n >= 2": smaller sizes are left out                                     */
    HYPOTHESIS_SWITCH,                   /* "norm = none", "h_kv < h": models with this switch alone; "another d_k",
                                            "given attention": what a body evaluates is no model of the plan's        */
} hypothesis_kind;
typedef struct {
    const char *text;                    /* all texts are interned                                                   */
    hypothesis_kind kind;
    const char *size;                    /* of HYPOTHESIS_SIZE: "n", and the least; else NULL and 0                  */
    long        least;
} hypothesis;
typedef struct {
    const char *text;                    /* the list, each hypothesis once, in their order; "": none                 */
    long        n;
    const hypothesis *at;
} hypotheses;

/* Sets never change and live as long as the program; that of one text is made once.  `list`: as in list.h. */
const hypotheses *hypotheses_of  (const char *list);
/* Those of a, then those of b that a lacks. */
const hypotheses *hypotheses_join(const hypotheses *a, const hypotheses *b);
bool              hypotheses_have(const hypotheses *set, const char *one);
#endif
