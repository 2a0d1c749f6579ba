/* SPDX-License-Identifier: GPL-3.0-or-later
 * answers.c - see answers.h. */
#include <string.h>
#include "src/report/collect/answers.h"

/* Where several kinds of evidence give the same verdict, each has a line; by E_NONE: all others. */
static const struct { verdict is; evidence_kind by; const char *words; } answers[] = {
    { V_PROVED, E_FORMAL, "proved, by a theorem that Coq's kernel accepts" },
    { V_PROVED, E_DERIVED, "proved for all sizes" },
    { V_PROVED, E_EXACT, "finitely many cases, each decided exactly" },
    { V_PROVED, E_NONE, "proved" },
    { V_SUPPORTED, E_DERIVED, "derived for all sizes, but not the whole sentence" },
    { V_SUPPORTED, E_VERIFIED, "holds at the sizes tried" },
    { V_SUPPORTED, E_EXACT, "holds on exact instances" },
    { V_SUPPORTED, E_ENCLOSED, "holds on instances, in certified intervals" },
    { V_SUPPORTED, E_NONE, "holds wherever it was tried" },
    { V_CAVEAT, E_NONE, "true after a repair" },
    { V_SLIP, E_NONE, "a misprint, a miscount or a wrong reference" },
    { V_REFUTED, E_NONE, "false" },
    { V_HYPOTHESIS_FAILED, E_NONE, "a theorem is applied where its hypotheses fail" },
    { V_MEASURED, E_NONE, "a measured figure" },
    { V_INFORMAL, E_NONE, "nothing to decide; facts are shown beside it" },
    { V_UNCHECKABLE, E_NONE, "the paper, or our copy of it, does not say enough" },
    { V_PENDING, E_NONE, "waits for training runs" } };

const char *answer_words(verdict v, evidence_kind by)
{
    for (size_t k = 0; k < COUNT(answers); k++)
        if (answers[k].is == v && (answers[k].by == by || answers[k].by == E_NONE)) return answers[k].words;
    return verdict_means(v);
}

char *answer_classes(verdict v)
{
    text_buffer text = { 0 };
    for (size_t k = 0; k < COUNT(answers); k++)
        if (answers[k].is == v && answers[k].by != E_NONE)
            text_add(&text, "%s%s", text.length ? "; " : "", answers[k].words);
    return text_take(&text);
}

/* ---- what belongs together ---- */

claim_group record_family(const claim_record *c)
{
    switch (c->entry ? c->entry->kind_of : CLAIM_NEW) {
    case CLAIM_THEOREM: case CLAIM_LEMMA: case CLAIM_PROPOSITION: case CLAIM_COROLLARY: case CLAIM_OBSERVATION:
    case CLAIM_DERIVATION:
        return (claim_group){ "theorem", "theorems and lemmas" };
    case CLAIM_REMARK: case CLAIM_DEFINITION: case CLAIM_EQUATION:
        return (claim_group){ "remark", "remarks and definitions" };
    case CLAIM_CLAIM: case CLAIM_TEXT: case CLAIM_INFORMAL:
        return (claim_group){ "text", "sentences of the text" };
    case CLAIM_NUMBER:    return (claim_group){ "number", "printed numbers" };
    case CLAIM_TABLE: case CLAIM_EXPERIMENT:
        return (claim_group){ "experiment", "tables and experiments" };
    case CLAIM_EXTENSION: return (claim_group){ "extension", "extensions" };
    case CLAIM_NEW:       return (claim_group){ "new", "not in the papers" };
    default:              return (claim_group){ "other", "others" };
    }
}

claim_group record_source(const claim_record *c)
{
    const claim_source source = c->entry ? c->entry->source : SOURCE_OURS;
    if (source == SOURCE_KARBEVSKI) return (claim_group){ "karbevski", "Karbevski & Mijoski" };
    if (source == SOURCE_BERMEITINGER) return (claim_group){ "bermeitinger", "Bermeitinger et al." };
    return (claim_group){ "new", "neither: a claim of this suite, or a later text" };
}
