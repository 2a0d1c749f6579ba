/* SPDX-License-Identifier: GPL-3.0-or-later
 * weight_matrix.h - a matrix of weights in doubles, in x out, of which all or some lines at a time are in memory.
 *
 * Lines are what lies together in the file: rows of the embeddings, columns of a head; these are read some at a time,
 * all other parts as a whole, or by lines, too.  Who asks for the entries line by line reads each line once. */
#ifndef CHECKPOINT_WEIGHT_MATRIX_H
#define CHECKPOINT_WEIGHT_MATRIX_H
#include "src/checkpoint/transformer.h"

bool role_turns(tensor_role role);       /* W_Q, W_K, their biases and gains                            */
/* doubles_of_part with the coordinates of W_Q and W_K in the order in which rotary pairs are halves of a head. */
double *doubles_in_halves(const transformer *D, tensor_role role, long layer, long first, long count, long *rows,
                          long *cols);

/* Lines of a part as they lie in the file: line k begins at number first + k / group * group_pitch + k % group * pitch
 * of the tensor.  turned: lines are columns of the part, in x out; else its rows.  dk: 0, or lines are coordinates of
 * heads of that many, asked for in the order of halves and stored as neighbouring pairs, of which `rotary` turn. */
typedef struct {
    const weight_tensor *t;
    long lines, wide;
    bool turned;
    size_t first;
    long pitch, group, group_pitch, dk, rotary;
} tensor_lines;
/* false: the part is not stored as such lines. */
bool   lines_of_part(const transformer *D, tensor_role role, long layer, bool halves, tensor_lines *to);
tensor_lines lines_of_tensor(const weight_tensor *t);    /* along its last side                         */
size_t tensor_line(const tensor_lines *l, long k);       /* where it begins                             */

typedef struct {
    long rows, cols;                     /* a vector is 1 x n                                           */
    double *x;                           /* `count` lines from line `first` on, one behind the other    */
    numbers_type type;
    tensor_lines from;                   /* where the others are; t NULL: there are none                */
    bool turned;                         /* lines are columns; else rows                                */
    long first, count, most;             /* most: lines at a time                                       */
} weight_matrix;

/* How many lines of `wide` numbers are in memory at a time: those of `block` numbers; 0: of 2^18. */
long lines_at_a_time(long block, long wide);

/* The part, to be freed; halves: W_Q and W_K in the order of halves.  Contract: the model has it. */
weight_matrix weight_matrix_of(const transformer *D, tensor_role role, long layer, bool halves, long block);
/* The same with some lines at a time of all parts that are stored as lines, for who asks for lines in turn. */
weight_matrix weight_matrix_by_lines(const transformer *D, tensor_role role, long layer, bool halves, long block);
void          weight_matrix_free(weight_matrix *m);
/* rows x cols doubles, row by row, which stay the caller's. */
weight_matrix weight_matrix_whole(long rows, long cols, double *x, numbers_type type);

/* An entry of a line that is not in memory, which that line and those behind it are then, where it is the next one. */
double weight_matrix_read(weight_matrix *m, long r, long c);
static inline double weight_matrix_at(weight_matrix *m, long r, long c)
{
    const long line = m->turned ? c : r;
    if (line < m->first || line >= m->first + m->count) return weight_matrix_read(m, r, c);
    return m->turned ? m->x[(c - m->first) * m->rows + r] : m->x[(r - m->first) * m->cols + c];
}
#endif
