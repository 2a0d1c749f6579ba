/* SPDX-License-Identifier: GPL-3.0-or-later
 * verdict_words.c - verdicts, evidence and scopes as words: see verdict.h. */
#include <math.h>
#include <string.h>
#include "src/base/text.h"
#include "src/claim/judge/verdict.h"

static const struct { const char *word, *means; } words[VERDICTS] = {
    [V_NONE]            = { "", "" },
    [V_PENDING]         = { "PENDING", "waits for training runs; the report names the command" },
    [V_UNCHECKABLE]     = { "UNCHECKABLE",
                            "the paper, or our copy of it, does not say enough; what is missing is shown" },
    [V_INFORMAL]        = { "INFORMAL", "nothing to decide; checked facts are shown beside the words" },
    [V_MEASURED]        = { "MEASURED", "a figure, with its interval" },
    [V_SUPPORTED]       = { "SUPPORTED", "every exact test agrees; no checked proof of the whole statement yet" },
    [V_PROVED]          = { "PROVED", "a checked proof of the whole statement, or finite and decided exactly" },
    [V_CAVEAT]          = { "CAVEAT", "true after a stated repair; a witness shows that it is needed" },
    [V_SLIP]            = { "SLIP", "a misprint, a miscount or a wrong reference that its context corrects" },
    [V_REFUTED]         = { "REFUTED", "false, by an exact witness" },
    [V_HYPOTHESIS_FAILED] = { "HYPOTHESIS-FAILED", "a theorem is applied without its hypotheses, and fails there" },
    [V_UNDECIDED]       = { "UNDECIDED", "no answer" },
    [V_UNCONTROLLED]    = { "UNCONTROLLED", "a negative control was not refuted" },
    [V_INCONSISTENT]    = { "INCONSISTENT", "two answers that cannot both be right" },
    [V_HYPOTHESIS_UNDECLARED] = { "HYPOTHESIS-UNDECLARED",
                                  "the derivation uses a hypothesis that the claim does not state" },
    [V_FAILED]          = { "FAILED", "the construction or the witness does not hold" },
};

const char *verdict_word (verdict v) { return words[v].word; }
const char *verdict_means(verdict v) { return words[v].means; }
bool        verdict_fails(verdict v) { return v >= V_UNDECIDED; }

verdict verdict_of_word(const char *word)
{
    for (int v = V_NONE + 1; v < VERDICTS; v++) if (strcmp(words[v].word, word) == 0) return (verdict)v;
    return V_NONE;
}

const char *evidence_word(evidence_kind e)
{
    static const char *const word[EVIDENCES] = {
        [E_NONE] = "", [E_MEASURED] = "measured", [E_CHECKED] = "checked", [E_ENCLOSED] = "enclosed",
        [E_EXACT] = "exact", [E_VERIFIED] = "verified", [E_DERIVED] = "derived",
        [E_FORMAL] = "formal" };
    return word[e];
}

void evidence_text(char *to, size_t size, const part_verdict *p)
{
    const char *word = evidence_word(p->by);
    if ((p->by == E_VERIFIED || p->by == E_ENCLOSED) && isfinite(p->log2))
        snprintf(to, size, "%s 2^%.0f", word, ceil(p->log2));
    else if (p->by == E_EXACT && p->scope.trials > 1) snprintf(to, size, "%s x%ld", word, p->scope.trials);
    else snprintf(to, size, "%s", word);
}

char *evidence_formal_text(const part_verdict *p)
{
    const formal_theorem *t = p->theorem;
    if (t) return must_format("formal: %s (%s)%s", t->theorem, t->quantifiers, p->by == E_FORMAL ? ""
                              : t->whole ? ", beside the evidence: it decides nothing here"
                              : t->lacks ? ", beside the evidence: it does not say all that the sentence says"
                              : ", which decides nothing: no reading beside the sentence is recorded");
    if (p->stale) return must_format("formal no longer: %s, or what it needs, has changed since Coq's kernel read "
                                     "it; run `make formal`", p->stale->file);
    return must_strdup("");
}

/* "h = 1-4 8", or "" where the row does not mention heads */
static void heads_text(char *to, size_t size, unsigned long heads)
{
    size_t used = 0;
    to[0] = '\0';
    for (int h = 1; h <= 64; h++) {
        if (!(heads >> (h - 1) & 1)) continue;
        int last = h;
        while (last < 64 && heads >> last & 1) last++;
        const char *before = used ? " " : "h = ";
        const int n = last > h ? snprintf(to + used, size - used, "%s%d-%d", before, h, last)
                               : snprintf(to + used, size - used, "%s%d", before, h);
        if (n < 0 || (size_t)n >= size - used) { to[used] = '\0'; return; }
        used += (size_t)n;
        h = last;
    }
}

void evidence_scope_text(char *to, size_t size, const part_verdict *p)
{
    char heads[64], depth[32];
    const evidence_scope *s = &p->scope;
    if (p->by == E_NONE)  { to[0] = '\0'; return; }
    if (p->by == E_FORMAL) { snprintf(to, size, "%s", p->theorem->quantifiers); return; }
    if (s->witness)       { snprintf(to, size, "a witness"); return; }
    if (p->finite)        { snprintf(to, size, "all cases"); return; }
    if (!s->sizes) {
        snprintf(to, size, p->by == E_VERIFIED ? "these sizes" : "these instances");
        return;
    }
    heads_text(heads, sizeof heads, s->heads);
    if (s->depth > 0) snprintf(depth, sizeof depth, ", L = %ld", s->depth);
    else snprintf(depth, sizeof depth, "%s", s->depth ? " and depth" : "");
    snprintf(to, size, "any size%s%s%s", depth, heads[0] ? ", " : "", heads);
}

int evidence_scope_compare(const evidence_scope *a, const evidence_scope *b)
{
    if (a->witness != b->witness) return a->witness ? -1 : 1;
    if (a->sizes != b->sizes) return a->sizes ? 1 : -1;
    if ((a->depth > 0) != (b->depth > 0)) return a->depth > 0 ? -1 : 1;
    const int heads = __builtin_popcountl(a->heads) - __builtin_popcountl(b->heads);
    if (heads) return heads;
    return (a->trials > b->trials) - (a->trials < b->trials);
}
