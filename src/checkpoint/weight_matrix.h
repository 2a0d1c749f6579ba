/* weight_matrix.h - a matrix of weights in doubles, in x out, of which all or some lines at a time are in memory.
 *
 * Lines are what lies together in the file: rows of the embeddings, columns of a head; these are read some at a time,
 * all other parts as a whole.  Who asks for the entries line by line reads each line once. */
#ifndef CHECKPOINT_WEIGHT_MATRIX_H
#define CHECKPOINT_WEIGHT_MATRIX_H
#include "src/checkpoint/transformer.h"

bool role_turns(tensor_role role);       /* W_Q, W_K, their biases and gains                            */
/* doubles_of_part with the coordinates of W_Q and W_K in the order in which rotary pairs are halves of a head. */
double *doubles_in_halves(const transformer *D, tensor_role role, long layer, long first, long count, long *rows,
                          long *cols);

typedef struct {
    long rows, cols;                     /* a vector is 1 x n                                           */
    double *x;                           /* `count` lines from line `first` on, one behind the other    */
    numbers_type type;
    const weight_tensor *tensor;         /* where the others are; NULL: there are none                  */
    bool turned;                         /* lines are columns; else rows                                */
    long first, count, most;             /* most: lines at a time                                       */
} weight_matrix;

/* How many lines of `wide` numbers are in memory at a time: those of `block` numbers; 0: of 2^18. */
long lines_at_a_time(long block, long wide);

/* The part, to be freed; halves: W_Q and W_K in the order of halves.  Contract: the model has it. */
weight_matrix weight_matrix_of(const transformer *D, tensor_role role, long layer, bool halves, long block);
void          weight_matrix_free(weight_matrix *m);
/* rows x cols doubles, row by row, which stay the caller's. */
weight_matrix weight_matrix_whole(long rows, long cols, double *x, numbers_type type);

void weight_matrix_read(weight_matrix *m, long line);    /* in the place of the lines that are there    */
static inline double weight_matrix_at(weight_matrix *m, long r, long c)
{
    const long line = m->turned ? c : r;
    if (line < m->first || line >= m->first + m->count) weight_matrix_read(m, line);
    return m->turned ? m->x[(c - m->first) * m->rows + r] : m->x[(r - m->first) * m->cols + c];
}
#endif
