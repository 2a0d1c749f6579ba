/* weight_matrix.c - see weight_matrix.h. */
#include <stdlib.h>
#include "src/checkpoint/forward.h"
#include "src/checkpoint/weight_matrix.h"

/* ---- the order of halves ----------------------------------------------------------------------------------------- */

/* Columns (or places of a vector) of neighbouring pairs in the order of halves, head by head. */
static void to_halves(double *x, long rows, long cols, long dk, long rotary)
{
    double *head = must_calloc((size_t)dk, sizeof *head);
    for (double *at = x; at < x + rows * cols; at += dk) {
        for (long i = 0; i < dk; i++) head[i] = at[i];
        for (long i = 0; i < rotary / 2; i++) {
            at[i] = head[2 * i];
            at[rotary / 2 + i] = head[2 * i + 1];
        }
    }
    free(head);
}

bool role_turns(tensor_role role)
{
    return role == ROLE_Q || role == ROLE_K || role == ROLE_Q_BIAS || role == ROLE_K_BIAS || role == ROLE_Q_GAIN
           || role == ROLE_K_GAIN;
}

double *doubles_in_halves(const transformer *D, tensor_role role, long layer, long first, long count, long *rows,
                          long *cols)
{
    double *x = doubles_of_part(D, role, layer, first, count, rows, cols);
    if (x && role_turns(role) && D->pairs == PAIRS_ADJACENT) to_halves(x, *rows, *cols, D->dk, D->rotary);
    return x;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

enum { BLOCK = 1 << 18 };

long lines_at_a_time(long block, long wide) { return (block ? block : BLOCK) / wide + 1; }

weight_matrix weight_matrix_whole(long rows, long cols, double *x, numbers_type type)
{
    return (weight_matrix){ .rows = rows, .cols = cols, .x = x, .type = type, .count = rows };
}

weight_matrix weight_matrix_of(const transformer *D, tensor_role role, long layer, bool halves, long block)
{
    const weight_tensor *t = tensor_of_part(D, role, layer);
    REQUIRE(t, "%s of layer %ld", role_name[role], layer);
    if (role != ROLE_EMBED && role != ROLE_POSITION && role != ROLE_HEAD) {
        long rows, cols, lines = role == ROLE_HEAD_BIAS ? D->V : 0;
        double *x = halves ? doubles_in_halves(D, role, layer, 0, lines, &rows, &cols)
                           : doubles_of_part(D, role, layer, 0, lines, &rows, &cols);
        return weight_matrix_whole(rows, cols, x, t->numbers);
    }
    const long lines = role == ROLE_POSITION ? D->T : D->V, most = lines_at_a_time(block, D->d);
    const bool turned = role == ROLE_HEAD;
    weight_matrix m = { .rows = turned ? D->d : lines, .cols = turned ? lines : D->d, .type = t->numbers, .tensor = t,
                        .turned = turned, .most = most < lines ? most : lines };
    m.x = must_calloc((size_t)(m.most * D->d), sizeof *m.x);
    return m;
}

void weight_matrix_free(weight_matrix *m)
{
    free(m->x);
    m->x = NULL;
}

/* That line, and those behind it where lines are asked for in turn. */
void weight_matrix_read(weight_matrix *m, long line)
{
    const long lines = m->turned ? m->cols : m->rows, wide = m->turned ? m->rows : m->cols;
    REQUIRE(m->tensor && line >= 0 && line < lines, "line %ld of %ld", line, lines);
    const bool next = line == 0 || line == m->first + m->count;
    m->count = !next ? 1 : lines - line < m->most ? lines - line : m->most;
    m->first = line;
    finite_numbers(m->tensor, (size_t)(line * wide), (size_t)(m->count * wide), m->x);
}
