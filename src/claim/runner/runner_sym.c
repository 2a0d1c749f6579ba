/* runner_sym.c - symbols: a derivation at every vector of sizes, and the hypotheses that it uses. */
#include <stdlib.h>
#include <string.h>
#include "numerics/symbolic/arith_sym.h"
#include "src/claim/runner/runner_trial.h"

/* Is `fact` (n characters) an item of the list "a; b; c"? */
static bool in_list(const char *list, const char *fact, size_t n)
{
    for (const char *at = list; *at; ) {
        const size_t length = strcspn(at, ";");
        if (length == n && strncmp(at, fact, n) == 0) return true;
        at += length;
        at += strspn(at, "; ");
    }
    return false;
}

char *runner_first_undeclared(const job *j, const char *used)
{
    size_t n;
    for (const char *at = used; *at; at += n, at += strspn(at, "; ")) {
        n = strcspn(at, ";");
        char *word = must_format("%.*s", (int)n, at);
        if (!claim_part_declares(j->claim, j->part, word)) return word;
        free(word);
    }
    return NULL;
}

/* The bases between fresh layers (src/claim/induction.c) stand for those of the whole model, which are counted too. */
static void copy_uses(row *r, const char *uses)
{
    size_t used = strlen(r->uses), n;
    for (const char *at = uses; *at; at += n, at += strspn(at, "; ")) {
        n = strcspn(at, ";");
        if (in_list("invertible " INTERFACE_NAME "; orthogonal " INTERFACE_NAME, at, n)) continue;
        const int wrote = snprintf(r->uses + used, sizeof r->uses - used, "%s%.*s", used ? "; " : "", (int)n, at);
        REQUIRE(wrote > 0 && (size_t)wrote < sizeof r->uses - used, "make row.uses longer for: %s", uses);
        used += (size_t)wrote;
    }
}

/* A number of heads that the part declares, "h = 1", is a hypothesis where the model has just as many. */
static void note_heads(const job *j, const shape *sh, row *r)
{
    char heads[sizeof HEADS_ASSUMED + 20];
    const int n = snprintf(heads, sizeof heads, HEADS_ASSUMED "%ld", sh->h);
    if (in_list(claim_part_assumes(j->claim, j->part), heads, (size_t)n)) cell_copy(r->uses, sizeof r->uses, heads);
}

void runner_add_uses(row *r, const char *words)
{
    const size_t used = strlen(r->uses);
    const int n = snprintf(r->uses + used, sizeof r->uses - used, "%s%s", used && *words ? "; " : "", words);
    REQUIRE(n >= 0 && (size_t)n < sizeof r->uses - used, "make row.uses longer for: %s; %s", r->uses, words);
}

/* Sizes that the list leaves out, "n >= 2", which runner_guards reads. */
static void note_sizes(const char *list, row *r)
{
    size_t n;
    for (const char *at = list; *at; at += n, at += strspn(at, "; ")) {
        n = strcspn(at, ";");
        char *one = must_format("%.*s", (int)n, at);
        if (strstr(one, SIZE_ASSUMED)) runner_add_uses(r, one);
        free(one);
    }
}

static void note_uses(const job *j, const arith *R, const shape *sh, const trial *t, row *r)
{
    note_heads(j, sh, r);
    copy_uses(r, arith_sym_uses(R));
    note_sizes(claim_part_assumes(j->claim, j->part), r);
    note_sizes(claim_part_models(j->claim, j->part), r);
    if (j->part->kind == PART_IDENTITY) runner_add_uses(r, t->record.constrained);
    char *missing = j->control ? NULL : runner_first_undeclared(j, r->uses);
    if (!missing) return;
    char *text = must_format("uses a hypothesis that is not declared: %s", missing);
    r->note = cell_keep(text);
    free(text);
    free(missing);
    r->undeclared = true;
    r->verdict = UNDECIDED;
}

/* At one vector of sizes; *r becomes what it says. */
static void run_sym_at(const job *j, const shape *sh, row *r)
{
    arith R = arith_sym();
    trial t = runner_body(j, &R, sh);
    runner_conclude(r, &t);
    if (r->verdict == REFUTED) r->verdict = UNDECIDED;      /* normal forms that differ prove nothing */
    if (r->verdict == HOLDS) note_uses(j, &R, sh, &t, r);
    runner_trial_free(&t);
    arith_close(&R);
}

/* The claim must be derived at every vector of sizes, with the same checks; elsewhere nothing is proved, and one
 * look is enough. */
void runner_sym(const job *j, const shape *sh, row *r)
{
    const row blank = *r;
    const int vectors = !j->control && !j->minimal ? SIZE_VECTORS : 1;
    run_sym_at(j, sh, r);
    for (int v = 1; v < vectors && r->verdict == HOLDS; v++) {
        shape other = *sh;
        row next = blank;
        runner_sym_sizes(&other, v);
        run_sym_at(j, &other, &next);
        if (next.verdict == HOLDS && next.checks != r->checks) {
            next.verdict = UNDECIDED;
            next.note = intern("not the same checks at every size");
        }
        if (next.verdict != HOLDS || next.depth < r->depth) *r = next;
    }
    const bool guards = vectors > 1 && !j->certifies && runner_decides_over_fp(j->part->kind);
    if (guards && r->verdict == HOLDS) runner_guards(j, sh, r);
    runner_param(r, "%d sizes", vectors);
    r->scope = vectors > 1 ? SCOPE_ALL_SIZES : SCOPE_SIZE;
}
