/* in_words.c - see in_words.h. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/text.h"
#include "src/report/collect/in_words.h"

/* Where several kinds of evidence give the same verdict, each has a line; by E_NONE: all others. */
static const struct { verdict is; evidence_kind by; const char *words; } answers[] = {
    { V_PROVED, E_DERIVED, "proved for all sizes" },
    { V_PROVED, E_EXACT, "finitely many cases, each decided exactly" },
    { V_PROVED, E_NONE, "proved" },
    { V_SUPPORTED, E_DERIVED, "derived for all sizes, but not the whole sentence" },
    { V_SUPPORTED, E_VERIFIED, "holds at the sizes tried" },
    { V_SUPPORTED, E_EXACT, "holds on exact instances" },
    { V_SUPPORTED, E_ENCLOSED, "holds on instances, in certified intervals" },
    { V_SUPPORTED, E_NONE, "holds wherever it was tried" },
    { V_CAVEAT, E_NONE, "true after a repair" },
    { V_SLIP, E_NONE, "a misprint" },
    { V_REFUTED, E_NONE, "false" },
    { V_HYPOTHESIS_FAILED, E_NONE, "a theorem is applied where its hypotheses fail" },
    { V_MEASURED, E_NONE, "a measured figure" },
    { V_INFORMAL, E_NONE, "nothing to decide; facts are shown beside it" },
    { V_UNCHECKABLE, E_NONE, "the paper does not say enough" },
    { V_PENDING, E_NONE, "waits for training runs" } };

const char *words_answer(verdict v, evidence_kind by)
{
    for (size_t k = 0; k < COUNT(answers); k++)
        if (answers[k].is == v && (answers[k].by == by || answers[k].by == E_NONE)) return answers[k].words;
    return verdict_means(v);
}

/* ---- how we know ---- */

static void add_witness(text_buffer *t, const part_verdict *p)
{
    static const char *const how[EVIDENCES] = {
        [E_DERIVED] = "derived symbolically and accepted by proofcheck", [E_EXACT] = "computed exactly",
        [E_VERIFIED] = "computed modulo primes", [E_ENCLOSED] = "computed in intervals that surely hold the value",
        [E_CHECKED] = "computed at rising precision", [E_MEASURED] = "computed in doubles" };
    text_add(t, "By an example, %s.", how[p->by] ? how[p->by] : "");
}

static void add_universal(text_buffer *t, const part_verdict *p)
{
    switch (p->by) {
    case E_DERIVED:
        text_add(t, "By a derivation with symbols in place of weights and sizes. It is written down as a certificate, "
                 "which an independent checker, proofcheck, has accepted.");
        break;
    case E_VERIFIED:
        text_add(t, "Checked at random weights modulo random primes of 61 bits: a false statement would pass with "
                 "probability $2^{%.0f}$ at most, at the sizes tried.", ceil(p->log2));
        break;
    case E_EXACT:
        if (p->finite) text_add(t, "It speaks of finitely many cases, and each was decided in exact arithmetic.");
        else text_add(t, "Computed exactly, without rounding, on %ld instance%s.", p->scope.trials,
                      p->scope.trials == 1 ? "" : "s");
        break;
    case E_ENCLOSED:
        text_add(t, "Computed on %ld instance%s in intervals that surely hold the value%s", p->scope.trials,
                 p->scope.trials == 1 ? "" : "s", isfinite(p->log2) ? "" : ".");
        if (isfinite(p->log2)) text_add(t, ": they meet, and are at most $2^{%.0f}$ wide.", ceil(p->log2));
        break;
    case E_CHECKED:
        text_add(t, "The difference shrinks with the precision, as rounding does, over five precisions.");
        break;
    case E_MEASURED: text_add(t, "Measured on random draws, with a 95 %% interval."); break;
    default: break;
    }
}

char *words_known(const evidence_set *all, const claim_record *c, bool corrected)
{
    text_buffer t = { 0 };
    const part_verdict *p = all->partial ? NULL : judge_speaker(&c->v, corrected);
    char scope[128];
    if (!p || p->by == E_NONE) return text_take(&t);
    if (p->scope.witness) add_witness(&t, p);
    else add_universal(&t, p);
    evidence_scope_text(scope, sizeof scope, p);
    if (p->scope.sizes && !p->scope.witness) text_add(&t, " It covers %s.", scope);
    if (p->basis[0]) text_add(&t, " Decided by: %s.", p->basis);
    if (!corrected && c->v.controls)
        text_add(&t, " Of its variants that were broken on purpose %ld of %ld were noticed.", c->v.refuted,
                 c->v.controls);
    return text_take(&t);
}

/* ---- where it stands ---- */

static const struct { const char *shown, *whole; } shortened[] = {
    { "Thm", "Theorem" }, { "Lem", "Lemma" }, { "Prop", "Proposition" }, { "Cor", "Corollary" }, { "Rem", "Remark" },
    { "Obs", "Observation" }, { "App", "Appendix" }, { "Eq", "Equation" }, { "Eqs", "Equations" } };

/* "Thm 4.4" -> "Theorem 4.4", "5.1" -> "Section 5.1" */
static char *whole_place(const char *at)
{
    const size_t n = strcspn(at, " ");
    for (size_t k = 0; k < COUNT(shortened); k++)
        if (strlen(shortened[k].shown) == n && strncmp(at, shortened[k].shown, n) == 0)
            return must_format("%s%s", shortened[k].whole, at + n);
    const bool number = isdigit((unsigned char)at[0]), preprint = strlen(at) == 10 && at[4] == '.';
    return must_format("%s%s", number ? preprint ? "arXiv:" : "Section " : "", at);
}

char *words_place(const claim_record *c)
{
    const claim_entry *e = c->entry;
    if (!e) return must_strdup("");
    const char *at = e->n003[0] ? e->n003 : e->n000[0] ? e->n000 : e->n001;
    return *at ? whole_place(at) : must_strdup("");
}

/* ---- what belongs together ---- */

claim_family record_family(const claim_record *c)
{
    static const struct { const char *kinds; claim_family of; } families[] = {
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
    return (claim_family){ "other", "others" };
}

claim_family record_source(const claim_record *c)
{
    const char *paper = c->entry ? c->entry->paper : "new";
    if (strcmp(paper, "K") == 0) return (claim_family){ "karbevski", "Karbevski & Mijoski" };
    if (strcmp(paper, "B") == 0) return (claim_family){ "bermeitinger", "Bermeitinger et al." };
    return (claim_family){ "new", "neither: ours, or a later text" };
}
