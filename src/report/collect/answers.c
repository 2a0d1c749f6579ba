/* answers.c - see answers.h. */
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
    static const struct { const char *kinds; claim_group of; } families[] = {
        { " theorem lemma proposition corollary observation derivation ", { "theorem", "theorems and lemmas" } },
        { " remark definition equation ", { "remark", "remarks and definitions" } },
        { " claim text informal ", { "text", "sentences of the text" } },
        { " number ", { "number", "printed numbers" } },
        { " table experiment ", { "experiment", "tables and experiments" } },
        { " extension ", { "extension", "extensions" } },
        { " new ", { "new", "not in the papers" } } };
    char kind[32];
    snprintf(kind, sizeof kind, " %s ", c->entry ? c->entry->kind : "new");
    for (size_t k = 0; k < COUNT(families); k++) if (strstr(families[k].kinds, kind)) return families[k].of;
    return (claim_group){ "other", "others" };
}

claim_group record_source(const claim_record *c)
{
    const char *paper = c->entry ? c->entry->paper : "new";
    if (strcmp(paper, "K") == 0) return (claim_group){ "karbevski", "Karbevski & Mijoski" };
    if (strcmp(paper, "B") == 0) return (claim_group){ "bermeitinger", "Bermeitinger et al." };
    return (claim_group){ "new", "neither: ours, or a later text" };
}
