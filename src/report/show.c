/* SPDX-License-Identifier: GPL-3.0-or-later
 * show.c - see show.h. */
#include "src/report/show.h"
#include <stdlib.h>
#include "src/report/collect/claim_name.h"
#include "src/report/sections/shown_claim.h"

enum { LABEL = 14 };

static ink ink_of(verdict v)
{
    switch (v) {
    case V_PROVED: case V_SUPPORTED: case V_MEASURED: return INK_GOOD;
    case V_CAVEAT: case V_SLIP: return INK_DOUBT;
    case V_PENDING: case V_INFORMAL: case V_UNCHECKABLE: case V_NONE: return INK_SOFT;
    default: return INK_BAD;
    }
}

/* longer: the details, too. */
static void print(FILE *f, const shown_claim *s, const screen *on, bool longer)
{
    const verdict v = shown_verdict(s, false);
    char *head = must_format("%s%s%s  %s%s%s  ", screen_ink(on, INK_STRONG), s->c->id, screen_plain(on),
                             screen_ink(on, ink_of(v)), verdict_word(v), screen_plain(on));
    screen_wrapped(f, on->width, head, record_title(s->c), screen_length(head), "");
    free(head);
    for (long k = 0; k < (longer ? s->n : s->details); k++)
        for (long i = 0; i < s->item[k].n; i++) {
            char *first = must_format("%s%-*s%s", screen_ink(on, INK_STRONG), LABEL, i ? "" : s->item[k].label,
                                      screen_plain(on));
            screen_wrapped(f, on->width, first, s->item[k].text[i], LABEL, "");
            free(first);
        }
    if (longer || s->details == s->n) return;
    char *first = must_format("%s%-*s%s", screen_ink(on, INK_STRONG), LABEL, "More", screen_plain(on)),
         *more = must_format("%s show %s --long", s->all->program, s->c->id);
    screen_wrapped(f, on->width, first, more, LABEL, "");
    free(first);
    free(more);
}

int show_claim(const report_options *o, const char *name, show_form form)
{
    claim_index x = claims_index(o->index);
    const claim_entry *e = claim_called(&x, name);
    evidence_set all = evidence_set_read_one(o, e->program);
    shown_claim s = shown_claim_of(&all, evidence_set_find(&all, e->id), o->evidence);
    const screen on = screen_of(stdout, o->width, o->colour);
    if (form == SHOW_JSON) shown_claim_json(stdout, &s);
    else print(stdout, &s, &on, form == SHOW_LONG);
    shown_claim_free(&s);
    evidence_set_free(&all);
    index_free(&x);
    return 0;
}
