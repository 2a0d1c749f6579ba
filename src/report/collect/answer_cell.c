/* SPDX-License-Identifier: GPL-3.0-or-later
 * answer_cell.c - see answer_cell.h. */
#include <math.h>
#include <string.h>
#include "src/report/collect/answer_cell.h"

/* Some checks want two sides to differ.  Where these hold, the worst gap is no error: it is above
 * its bound, or the balls do not meet. */
bool answer_shows_difference(const answer *a, int over)
{
    return (over == A_F64 && a->margin > 0) || (over == A_ARB && a->worst > -64);
}

answer_cell answer_cell_of(const answer *a, int over)
{
    const long seen = a->holds + a->refuted + a->undecided;
    if (!seen) return (answer_cell){ .kind = CELL_NONE };
    if (a->refuted) return (answer_cell){ .kind = CELL_DIFFERENT };
    if (over == A_Q || over == A_SYM) return (answer_cell){ CELL_COUNT, (double)a->holds, seen };
    if (!a->holds) return (answer_cell){ .kind = CELL_UNDECIDED };
    if (answer_shows_difference(a, over)) return (answer_cell){ CELL_COUNT, (double)a->holds, seen };
    if (!isfinite(a->worst)) return (answer_cell){ .kind = CELL_EQUAL };
    return (answer_cell){ over == A_MPFR ? CELL_SLOPE : over == A_F64 ? CELL_DECIMAL : CELL_POWER, a->worst, 0 };
}

/* The facts of a witness are counted: the distance between its two sides means nothing. */
answer_cell answer_cell_of_part(const part_verdict *p, int over)
{
    const answer *a = &p->by_arith[over];
    if (p->kind == PART_IDENTITY || a->refuted || !a->holds) return answer_cell_of(a, over);
    return (answer_cell){ CELL_COUNT, (double)a->holds, a->holds + a->undecided };
}

/* Where two parts differ in kind the weaker one is shown: a refutation, no answer, a number, a count. */
static answer_cell weaker(answer_cell a, answer_cell b)
{
    static const int order[] = {
        [CELL_NONE] = 0, [CELL_COUNT] = 1, [CELL_EQUAL] = 2, [CELL_DECIMAL] = 3, [CELL_POWER] = 3, [CELL_SLOPE] = 3,
        [CELL_UNDECIDED] = 4, [CELL_DIFFERENT] = 5 };
    if (order[a.kind] != order[b.kind]) return order[a.kind] > order[b.kind] ? a : b;
    if (a.kind == CELL_COUNT) return (answer_cell){ CELL_COUNT, a.x + b.x, a.of + b.of };
    if (a.kind == CELL_SLOPE) return fabs(a.x + 1) > fabs(b.x + 1) ? a : b;
    return a.x > b.x ? a : b;
}

answer_cell answer_cell_of_group(const claim_verdict *c, bool corrected, int over)
{
    answer_cell worst = { CELL_NONE, 0, 0 };
    for (long p = 0; p < c->parts; p++) {
        const part_verdict *v = &c->part[p];
        if (!judge_speaks_for(c, v, corrected) || v->kind != PART_IDENTITY) continue;
        worst = weaker(worst, answer_cell_of(&v->by_arith[over], over));
    }
    return worst;
}

void answer_cell_text(char *to, size_t size, answer_cell x)
{
    switch (x.kind) {
    case CELL_NONE:      snprintf(to, size, "-"); break;
    case CELL_UNDECIDED: snprintf(to, size, "?"); break;
    case CELL_DIFFERENT: snprintf(to, size, "!="); break;
    case CELL_EQUAL:     snprintf(to, size, "exact"); break;
    case CELL_DECIMAL:   snprintf(to, size, "%.0e", exp2(x.x)); break;
    case CELL_POWER:     snprintf(to, size, "2^%.0f", ceil(x.x)); break;
    case CELL_SLOPE:     snprintf(to, size, "%.2f", x.x); break;
    case CELL_COUNT:     snprintf(to, size, "%.0f/%ld", x.x, x.of); break;
    }
}
