/* proved_by.c - what proves the parts that are PROVED or SUPPORTED: theorems that Coq's kernel accepts, certificates,
 * exact decisions; and the same without the theorems, so that their share is seen. */
#include <stdlib.h>
#include <string.h>
#include "src/base/text.h"
#include "src/report/sections/sections.h"

typedef enum { BY_THEOREM, BY_CERTIFICATE, BY_DECISION, BY_PROSE, BY_NOTHING, WAYS } way;
static const struct { const char *name, *means; } words[WAYS] = {
    [BY_THEOREM]     = { "formal", "PROVED: Coq's kernel accepts a theorem" },
    [BY_CERTIFICATE] = { "certificate", "PROVED: proofcheck accepts a derivation" },
    [BY_DECISION]    = { "decision", "PROVED: finitely many cases, each decided exactly" },
    [BY_PROSE]       = { "prose", "SUPPORTED: a step rests on a proof that no program checks" },
    [BY_NOTHING]     = { "tests alone", "SUPPORTED: every exact test agrees, and there is no proof" } };

static way way_of(const part_verdict *p, verdict is, evidence_kind by)
{
    if (is == V_PROVED) return by == E_FORMAL ? BY_THEOREM : by == E_DERIVED ? BY_CERTIFICATE : BY_DECISION;
    return is != V_SUPPORTED ? WAYS : p->by_proof[0] ? BY_PROSE : BY_NOTHING;
}

typedef struct { long with[WAYS + 1], without[WAYS + 1], verdicts; } way_counts;  /* verdicts: parts that
          changed theirs */

static way_counts count_ways(const evidence_set *all)
{
    way_counts n = { .verdicts = 0 };
    for (long k = 0; k < all->n; k++)
        for (long i = 0; i < all->at[k].v.parts; i++) {
            const part_verdict *p = &all->at[k].v.part[i];
            n.with[way_of(p, p->is, p->by)]++;
            n.without[way_of(p, p->unformal, p->unformal_by)]++;
            n.verdicts += p->by == E_FORMAL && p->is != p->unformal;
        }
    return n;
}

char *proved_by_text(const evidence_set *all)
{
    const way_counts n = count_ways(all);
    text_buffer text = { 0 };
    text_add(&text, "parts PROVED by a theorem of Coq: %ld, by a certificate: %ld, by exact decision: %ld (without the "
             "theorems: %ld, %ld); SUPPORTED with a step in prose: %ld, by tests alone: %ld",
             n.with[BY_THEOREM], n.with[BY_CERTIFICATE], n.with[BY_DECISION], n.without[BY_CERTIFICATE],
             n.without[BY_DECISION], n.with[BY_PROSE], n.with[BY_NOTHING]);
    if (all->formal.stale)
        text_add(&text, "; %ld of %ld theorems do not count, because a file has changed since Coq's kernel read it: "
                        "run `make formal`", all->formal.stale, all->formal.n);
    return text_take(&text);
}

void section_proved_by(document *d, const evidence_set *all)
{
    static const doc_column columns[] = {
        { .title = "proof" }, { .title = "parts", .kind = COLUMN_NUMBER },
        { .title = "without Coq", .kind = COLUMN_NUMBER }, { .title = "what that is", .mm = 75 } };
    if (all->partial) return;
    const way_counts n = count_ways(all);
    doc_section(d, TO_HTML, "proofs", "What the proofs are", "Proofs");
    doc_table *t = doc_add_table(d, TO_PAGES, TABLE_SMALL, columns, COUNT(columns));
    for (int k = 0; k < WAYS; k++) {
        table_row(t);
        table_text(t, words[k].name);
        table_whole(t, n.with[k]);
        table_whole(t, n.without[k]);
        table_text(t, words[k].means);
    }
    doc_block *p = doc_paragraph(d, TO_HTML, NULL);
    line_format(&p->text, SPAN_TEXT, "Counted are parts of claims, as printed and repaired. `Without Coq` is what "
                                     "the same evidence comes to when no theorem counts; %ld part%s another verdict "
                                     "by a theorem. ", n.verdicts,
                n.verdicts == 1 ? " has" : "s have");
    line_link(&p->text, "How to read a formal statement", "formal");
    line_add(&p->text, SPAN_TEXT, ".");
    if (all->formal.stale)
        line_format(&p->text, SPAN_TEXT, " %ld of %ld theorems do not count: a file has changed since Coq's kernel "
                    "read it (make formal).", all->formal.stale, all->formal.n);
}
