/* figure.c - one cell of evidence: what an arithmetic says, in text, LaTeX and HTML. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/book.h"

/* Some checks want two sides to differ.  Where these hold, the worst gap is no error: it lies above
 * its bound, or the balls do not meet. */
bool answer_shows_difference(const answer *a, int over)
{
    return (over == A_F64 && a->margin > 0) || (over == A_ARB && a->worst > -64);
}

figure figure_of(const answer *a, int over)
{
    const long seen = a->holds + a->refuted + a->undecided;
    if (!seen) return (figure){ .kind = FIG_NONE };
    if (a->refuted) return (figure){ .kind = FIG_DIFFERENT };
    if (over == A_Q || over == A_SYM) return (figure){ FIG_COUNT, (double)a->holds, seen };
    if (!a->holds) return (figure){ .kind = FIG_UNDECIDED };
    if (answer_shows_difference(a, over)) return (figure){ FIG_COUNT, (double)a->holds, seen };
    if (!isfinite(a->worst)) return (figure){ .kind = FIG_EQUAL };
    return (figure){ over == A_MPFR ? FIG_SLOPE : over == A_F64 ? FIG_DECIMAL : FIG_POWER, a->worst, 0 };
}

/* The facts of a witness are counted: how far its two sides are apart says nothing. */
figure figure_of_part(const part_verdict *p, int over)
{
    const answer *a = &p->by_arith[over];
    if (p->kind == PART_IDENTITY || a->refuted || !a->holds) return figure_of(a, over);
    return (figure){ FIG_COUNT, (double)a->holds, a->holds + a->undecided };
}

/* Where two parts differ in kind the weaker one is shown: a refutation, no answer, a number, a count. */
static figure weaker(figure a, figure b)
{
    static const int order[] = {
        [FIG_NONE] = 0, [FIG_COUNT] = 1, [FIG_EQUAL] = 2, [FIG_DECIMAL] = 3, [FIG_POWER] = 3, [FIG_SLOPE] = 3,
        [FIG_UNDECIDED] = 4, [FIG_DIFFERENT] = 5 };
    if (order[a.kind] != order[b.kind]) return order[a.kind] > order[b.kind] ? a : b;
    if (a.kind == FIG_COUNT) return (figure){ FIG_COUNT, a.x + b.x, a.of + b.of };
    if (a.kind == FIG_SLOPE) return fabs(a.x + 1) > fabs(b.x + 1) ? a : b;
    return a.x > b.x ? a : b;
}

figure figure_of_group(const claim_verdict *c, bool corrected, int over)
{
    figure worst = { FIG_NONE, 0, 0 };
    for (long p = 0; p < c->parts; p++) {
        const part_verdict *v = &c->part[p];
        if (part_is_corrected(v->name) != corrected || v->kind != PART_IDENTITY) continue;
        worst = weaker(worst, figure_of(&v->by_arith[over], over));
    }
    return worst;
}

void figure_text(char *to, size_t size, figure x)
{
    switch (x.kind) {
    case FIG_NONE:      snprintf(to, size, "-"); break;
    case FIG_UNDECIDED: snprintf(to, size, "?"); break;
    case FIG_DIFFERENT: snprintf(to, size, "!="); break;
    case FIG_EQUAL:     snprintf(to, size, "exact"); break;
    case FIG_DECIMAL:   snprintf(to, size, "%.0e", exp2(x.x)); break;
    case FIG_POWER:     snprintf(to, size, "2^%.0f", ceil(x.x)); break;
    case FIG_SLOPE:     snprintf(to, size, "%.2f", x.x); break;
    case FIG_COUNT:     snprintf(to, size, "%.0f/%ld", x.x, x.of); break;
    }
}

void figure_latex(FILE *f, figure x)
{
    char text[32];
    figure_text(text, sizeof text, x);
    switch (x.kind) {
    case FIG_NONE:      fprintf(f, "--"); break;
    case FIG_DIFFERENT: fprintf(f, "$\\ne$"); break;
    case FIG_DECIMAL:
    case FIG_SLOPE:     fprintf(f, "\\num{%s}", text); break;
    case FIG_POWER:     fprintf(f, "$2^{%s}$", text + 2); break;
    default:            fprintf(f, "%s", text);
    }
}

/* A number in text, with a real minus sign. */
static void html_number(FILE *f, const char *text)
{
    fprintf(f, "%s%s", *text == '-' ? "&minus;" : "", text + (*text == '-'));
}

void figure_html(FILE *f, figure x)
{
    char text[32], *e;
    figure_text(text, sizeof text, x);
    switch (x.kind) {
    case FIG_NONE:      fprintf(f, "&ndash;"); break;
    case FIG_DIFFERENT: fprintf(f, "&ne;"); break;
    case FIG_SLOPE:     html_number(f, text); break;
    case FIG_POWER:
        fprintf(f, "2<sup>");
        html_number(f, text + 2);
        fprintf(f, "</sup>");
        break;
    case FIG_DECIMAL:
        e = strchr(text, 'e');
        fprintf(f, "%.*s", (int)strcspn(text, "e"), text);
        if (e) fprintf(f, "&middot;10<sup>%s%ld</sup>", e[1] == '-' ? "&minus;" : "", strtol(e + 2, NULL, 10));
        break;
    default:            fprintf(f, "%s", text);
    }
}
