/* SPDX-License-Identifier: GPL-3.0-or-later
 * proved_by.c - what proves the parts that are PROVED or SUPPORTED: theorems that Coq's kernel accepts, certificates,
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
    [BY_PROSE]       = { "prose", "SUPPORTED: one step has a proof that no program checks" },
    [BY_NOTHING]     = { "tests alone", "SUPPORTED: every exact test agrees, and there is no proof" } };

static way way_of(const part_verdict *p, verdict is, evidence_kind by)
{
    if (is == V_PROVED) return by == E_FORMAL ? BY_THEOREM : by == E_DERIVED ? BY_CERTIFICATE : BY_DECISION;
    return is != V_SUPPORTED ? WAYS : p->by_proof[0] ? BY_PROSE : BY_NOTHING;
}

/* verdicts: parts that changed theirs; theorems: different ones behind BY_THEOREM; statements: of these, without those
 * that say what another one says, or a case of it; unread: theorems of parts that are PROVED or SUPPORTED without them,
 * of which nobody is on record as having read that they say all of the sentence. */
typedef struct { long with[WAYS + 1], without[WAYS + 1], verdicts, theorems, statements, unread; } way_counts;

static bool is_unread(const part_verdict *p)
{
    return p->theorem && !p->theorem->whole && p->kind == PART_IDENTITY && (p->is == V_PROVED || p->is == V_SUPPORTED);
}

static bool is_same_theorem(const formal_theorem *a, const formal_theorem *b)
{
    return strcmp(a->theorem, b->theorem) == 0 && strcmp(a->file, b->file) == 0;
}
static bool is_same_statement(const formal_theorem *a, const formal_theorem *b)
{
    return strcmp(a->states, b->states) == 0;
}
/* Whether a part in front of that one has a theorem that is the same. */
static bool is_another_parts(const evidence_set *all, long claim, long part,
                             bool is_same(const formal_theorem *, const formal_theorem *))
{
    const formal_theorem *t = all->at[claim].v.part[part].theorem;
    for (long k = 0; k <= claim; k++)
        for (long i = 0; i < (k < claim ? all->at[k].v.parts : part); i++) {
            const part_verdict *p = &all->at[k].v.part[i];
            if (p->by == E_FORMAL && is_same(p->theorem, t)) return true;
        }
    return false;
}

static way_counts count_ways(const evidence_set *all)
{
    way_counts n = { .verdicts = 0 };
    for (long k = 0; k < all->n; k++)
        for (long i = 0; i < all->at[k].v.parts; i++) {
            const part_verdict *p = &all->at[k].v.part[i];
            n.with[way_of(p, p->is, p->by)]++;
            n.without[way_of(p, p->unformal, p->unformal_by)]++;
            n.verdicts += p->by == E_FORMAL && p->is != p->unformal;
            n.theorems += p->by == E_FORMAL && !is_another_parts(all, k, i, is_same_theorem);
            n.statements += p->by == E_FORMAL && !is_another_parts(all, k, i, is_same_statement);
            n.unread += is_unread(p);
        }
    return n;
}

char *proved_by_text(const evidence_set *all)
{
    const way_counts n = count_ways(all);
    text_buffer text = { 0 };
    text_add(&text, "parts PROVED by a theorem of Coq: %ld (%ld theorems, %ld statements), by a certificate: %ld, "
             "by exact decision: %ld (without the theorems: %ld, %ld); SUPPORTED with a step in prose: %ld, by tests "
             "alone: %ld",
             n.with[BY_THEOREM], n.theorems, n.statements, n.with[BY_CERTIFICATE], n.with[BY_DECISION],
             n.without[BY_CERTIFICATE], n.without[BY_DECISION], n.with[BY_PROSE], n.with[BY_NOTHING]);
    if (n.unread)
        text_add(&text, "; %ld theorems do not count: no reading records that they say all of the sentence "
                        "beside them", n.unread);
    if (all->formal.stale)
        text_add(&text, "; %ld of %ld theorems do not count, because a file has changed since Coq's kernel read it: "
                        "run `make formal`", all->formal.stale, all->formal.n);
    return text_take(&text);
}

static void list_unread(document *d, const evidence_set *all, long n)
{
    doc_block *b = doc_paragraph(d, TO_HTML, NULL);
    line_format(&b->text, SPAN_TEXT, "Proved, and not counted: %ld theorem%s of Coq of which no reading records that "
                "%s. What each leaves out: ", n, n == 1 ? "" : "s",
                n == 1 ? "it says all of the sentence beside it" : "they say all of the sentence beside them");
    const char *between = "";
    for (long k = 0; k < all->n; k++)
        for (long i = 0; i < all->at[k].v.parts; i++) {
            const part_verdict *p = &all->at[k].v.part[i];
            if (!is_unread(p)) continue;
            line_format(&b->text, SPAN_TEXT, "%s%s %s (%s of %s: %s)", between, all->at[k].id, p->name,
                        p->theorem->theorem, p->theorem->file, p->theorem->lacks ? p->theorem->lacks : "not read");
            between = "; ";
        }
    line_add(&b->text, SPAN_TEXT, ".");
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
    line_format(&p->text, SPAN_TEXT, "%ld different theorems stand behind the %ld parts. They are %ld statements: the "
                "others say what one of these says, or a case of it. ", n.theorems, n.with[BY_THEOREM], n.statements);
    line_link(&p->text, "How to read a formal statement", "formal");
    line_add(&p->text, SPAN_TEXT, ".");
    if (all->formal.stale)
        line_format(&p->text, SPAN_TEXT, " %ld of %ld theorems do not count: a file has changed since Coq's kernel "
                    "read it (make formal).", all->formal.stale, all->formal.n);
    if (n.unread) list_unread(d, all, n.unread);
}
