/* SPDX-License-Identifier: GPL-3.0-or-later
 * formula.c - kinds `matrix` and `recount`: sums and products of given matrices and numbers, evaluated over Q.
 *
 * A formula is two expressions in reverse Polish notation with a relation between them: A B * ' = C says (AB)' = C.
 * Each matrix and value that is declared must stand in some formula. */
#include "src/proofcheck/proofcheck.h"
#include <string.h>

typedef struct {
    matrix is;
    bool   used;
} given;

typedef struct {
    given *at;
    long   n;
} givens;

static matrix operand(checker *c, const givens *g, const char *word)
{
    for (long k = 0; k < g->n; k++) {
        if (!text_equal(g->at[k].is.name, word)) continue;
        g->at[k].used = true;
        return g->at[k].is;
    }
    matrix A = matrix_zero(c, 1, 1);
    text_read_rational(c, A.at[0], word);
    return A;
}

static char operation(const char *word)
{
    return word[0] && !word[1] && strchr("'*+-", word[0]) ? word[0] : '\0';
}

/* The words from .. to-1 */
static matrix expression(checker *c, const givens *g, int from, int to)
{
    matrix *stack = check_alloc(c, (size_t)(to - from + 1) * sizeof *stack);
    int top = 0;
    for (int k = from; k < to; k++) {
        const char op = operation(c->word[k]);
        check_that(c, top >= (op == '\'' ? 1 : op ? 2 : 0), "an operation without operands");
        if (!op) {
            stack[top++] = operand(c, g, c->word[k]);
        } else if (op == '\'') {
            stack[top - 1] = matrix_transposed(c, stack[top - 1]);
        } else {
            const matrix A = stack[top - 2], B = stack[top - 1];
            top--;
            stack[top - 1] = op == '*' ? matrix_product(c, A, B) : matrix_plus(c, A, B, op == '+' ? 1 : -1);
        }
    }
    check_that(c, top == 1, "a formula that does not leave one matrix");
    return stack[0];
}

static bool holds(const char *relation, matrix difference)
{
    if (text_equal(relation, "=")) return matrix_is_zero(difference);
    if (text_equal(relation, "!=")) return !matrix_is_zero(difference);
    if (difference.r * difference.c != 1) return false;
    const int sign = mpq_sgn(difference.at[0]);
    return (text_equal(relation, "<") && sign < 0) || (text_equal(relation, "<=") && sign <= 0);
}

static void read_formula(checker *c, const givens *g)
{
    int k = 1;
    while (k < c->words && !strchr("=!<", c->word[k][0])) k++;
    check_that(c, k < c->words, "expected a relation: = != < <=");
    const matrix left = expression(c, g, 1, k), right = expression(c, g, k + 1, c->words);
    check_that(c, holds(c->word[k], matrix_plus(c, left, right, -1)), "the formula does not hold");
}

static void read_given(checker *c, givens *g)
{
    check_that(c, g->n < NAMES, "too many names");
    matrix A = { 0 };
    if (text_line_is(c, "value", 3)) {
        A = matrix_zero(c, 1, 1);
        A.name = text_line_name(c, 1);
        text_read_rational(c, A.at[0], c->word[2]);
    } else {
        A = matrix_read(c, "", 0, 0);
    }
    for (long k = 0; k < g->n; k++) check_that(c, !text_equal(g->at[k].is.name, A.name), "two of the same name");
    g->at[g->n++] = (given){ A, false };
}

void check_formulas(checker *c)
{
    givens g = { check_alloc(c, NAMES * sizeof *g.at), 0 };
    long formulas = 0;
    for (text_next_line(c); text_equal(c->word[0], "matrix") || text_line_is(c, "value", 3); text_next_line(c))
        read_given(c, &g);
    for (; text_equal(c->word[0], "formula"); text_next_line(c)) {
        read_formula(c, &g);
        formulas++;
    }
    check_that(c, text_line_is(c, "end", 1) && formulas, "expected a line `formula` or `end`");
    for (long k = 0; k < g.n; k++)
        if (!g.at[k].used) check_reject(c, "declared, but used in no formula", g.at[k].is.name);
    snprintf(c->proved, sizeof c->proved, "%ld formula%s over %ld given matrices and numbers", formulas,
             formulas == 1 ? "" : "s", g.n);
}
