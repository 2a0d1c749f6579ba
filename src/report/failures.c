/* failures.c - for each verdict that fails its reason, and the command that shows it again. */
#include <stdlib.h>
#include <string.h>
#include "src/report/book.h"

void report_wrapped(FILE *f, const char *first, const char *text, const char *tail)
{
    int used = fprintf(f, "%s", first), words = 0;
    for (const char *p = text; *p; words++) {
        const int n = (int)strcspn(p, " ");
        if (words && used + 1 + n > REPORT_COLUMNS - (int)strlen(tail)) {
            fprintf(f, "%s\n", tail);
            used = fprintf(f, "      %.*s", n, p);
        } else {
            used += fprintf(f, "%s%.*s", words ? " " : "", n, p);
        }
        p += n;
        while (*p == ' ') p++;
    }
    fprintf(f, "\n");
}

static const row *culprit(const chapter *c, const part_verdict *p)
{
    const row *any = NULL;
    for (long k = 0; k < c->own.n; k++) {
        const row *r = &c->own.at[k];
        const bool is_claim = evidence_row_is_claim(r), hypothesis = p->kind == PART_HYPOTHESIS;
        if (strcmp(r->part, p->name) != 0) continue;
        if (p->is == V_UNCONTROLLED && strcmp(r->which, p->unrefuted) != 0) continue;
        if (p->is != V_UNCONTROLLED && !is_claim) continue;
        if (!any) any = r;
        if (r->verdict == (!is_claim || hypothesis ? HOLDS : REFUTED)) return r;
    }
    return any;
}

static void replay(FILE *f, const chapter *c, const row *r)
{
    char program[32];
    chapter_program(program, sizeof program, c);
    char *text = must_format("build/theorems/%s --part=%s --case=%s --arith=%s --shape=\"%s\" --seed=%llu "
                             "--trial=%ld", program, r->part, r->which, arith_names[r->over], r->shape,
                             (unsigned long long)r->seed, r->trial);
    report_wrapped(f, "    ", text, " \\");
    free(text);
}

static void failures(FILE *f, const chapter *c)
{
    for (long k = 0; k < c->v.parts; k++) {
        const part_verdict *p = &c->v.part[k];
        if (!verdict_fails(p->is)) continue;
        const char *why = p->why[0] ? p->why : "no reason was given";
        char *text = must_format("%s %s %s: %s", verdict_word(p->is), c->id, p->name, why);
        report_wrapped(f, "", text, "");
        free(text);
        const row *r = culprit(c, p);
        if (r) replay(f, c, r);
    }
}

void report_problems(FILE *f, const book *b)
{
    for (long k = 0; k < b->n && !b->partial; k++) failures(f, &b->at[k]);
    for (long k = 0; k < b->problems; k++) report_wrapped(f, "FAIL: ", b->problem[k], "");
}
