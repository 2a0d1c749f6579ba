/* SPDX-License-Identifier: GPL-3.0-or-later
 * index.c - reports/claims.csv, the list of all claims: see verdict.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/admitted.h"
#include "src/base/csv.h"
#include "src/claim/judge/verdict.h"

static const char header[] = "id,alias,paper,n001,n003,n000,kind,title,expected,program,certificate,controls";

static const char *const sources[] = { [SOURCE_KARBEVSKI] = "K", [SOURCE_BERMEITINGER] = "B", [SOURCE_OURS] = "new" };
static const char *const kinds[] = {
    [CLAIM_THEOREM] = "theorem", [CLAIM_LEMMA] = "lemma", [CLAIM_PROPOSITION] = "proposition",
    [CLAIM_COROLLARY] = "corollary", [CLAIM_OBSERVATION] = "observation", [CLAIM_DERIVATION] = "derivation",
    [CLAIM_REMARK] = "remark", [CLAIM_DEFINITION] = "definition", [CLAIM_EQUATION] = "equation",
    [CLAIM_CLAIM] = "claim", [CLAIM_TEXT] = "text", [CLAIM_INFORMAL] = "informal", [CLAIM_NUMBER] = "number",
    [CLAIM_TABLE] = "table", [CLAIM_EXPERIMENT] = "experiment", [CLAIM_EXTENSION] = "extension", [CLAIM_NEW] = "new" };

/* n where it is none of the n words. */
static size_t word_at(const char *const *words, size_t n, const char *word)
{
    size_t k = 0;
    while (k < n && strcmp(words[k], word) != 0) k++;
    return k;
}

claim_index index_read(const char *path)
{
    claim_index x = { 0 };
    csv_file c = csv_open(path, header, "name the list of claims with --index");
    while (csv_next(&c)) {
        claim_entry e = { .id = "" };
        const struct { char *to; size_t size; } cell[] = {
            { e.id, sizeof e.id }, { e.alias, sizeof e.alias }, { e.paper, sizeof e.paper }, { e.n001, sizeof e.n001 },
            { e.n003, sizeof e.n003 }, { e.n000, sizeof e.n000 }, { e.kind, sizeof e.kind },
            { e.title, sizeof e.title }, { e.expected, sizeof e.expected }, { e.program, sizeof e.program },
            { e.certificate, sizeof e.certificate }, { e.controls, sizeof e.controls },
        };
        csv_name(&c, 0, e.id, sizeof e.id);
        for (size_t k = 1; k < COUNT(cell); k++) csv_text(&c, (long)k, cell[k].to, cell[k].size);
        e.source = (claim_source)word_at(sources, COUNT(sources), e.paper);
        e.kind_of = (claim_kind)word_at(kinds, COUNT(kinds), e.kind);
        if (*e.program && !admitted_program(e.program))
            csv_wrong(&c, "column program, `%s`, is not the name of a program: a-z, 0-9 and _ only", e.program);
        if (index_find(&x, e.id)) csv_wrong(&c, "duplicate claim id %s", e.id);
        x.at = must_realloc(x.at, (size_t)x.n + 1, sizeof *x.at);
        x.at[x.n++] = e;
    }
    csv_close(&c);
    return x;
}

void index_free(claim_index *x)
{
    free(x->at);
    *x = (claim_index){ 0 };
}

const claim_entry *index_find(const claim_index *x, const char *id)
{
    for (long k = 0; k < x->n; k++) if (strcmp(x->at[k].id, id) == 0) return &x->at[k];
    return NULL;
}
