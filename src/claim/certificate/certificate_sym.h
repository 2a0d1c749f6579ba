/* SPDX-License-Identifier: GPL-3.0-or-later
 * certificate_sym.h - what the files of the symbolic certificate share: see certificate_sym.c.
 *
 *   certificate_sizes.c     sizes and their blocks           certificate_terms.c    products, sums, equations
 *   certificate_steps.c     recorded steps                   certificate_inverse.c  recorded inverses
 *   certificate_node.c      the numbered lines */
#ifndef CERTIFICATE_SYM_H
#define CERTIFICATE_SYM_H
#include "numerics/record/arith_term.h"
#include "src/claim/certificate/certificate.h"
#include "src/claim/certificate/certificate_node.h"
#include "src/claim/certificate/certificate_sizes.h"

typedef struct { long left, right; const char *what; } line_equal;

typedef struct {
    certifier *c;
    arith      R[EXPORT_RUNS];
    term_list  steps[EXPORT_RUNS];
    equation  *equations[EXPORT_RUNS];
    long       nequations[EXPORT_RUNS];
    size_table sizes;
    cert_nodes nodes;
    long      *node_of;                              /* of each step, or -1 */
    line_equal *lines;                               /* the equations of the certificate */
    long       nlines;
    long       decided;                              /* facts that the body decided besides */
    const char *failed;
} export_work;

/* rows, cols or from of step k in every run */
size_tuple export_tuple(const export_work *w, long k, size_t field);
#define ROWS(w, k) export_tuple(w, k, offsetof(term_step, rows))
#define COLS(w, k) export_tuple(w, k, offsetof(term_step, cols))
#define FROM(w, k) export_tuple(w, k, offsetof(term_step, from))
const char *export_size_name(export_work *w, size_tuple is);

/* ---- nodes; texts are taken over ---- */
long  export_node     (export_work *w, char *text);                                   /* without operands */
long  export_transpose(export_work *w, long a);
long  export_product  (export_work *w, long a, long b);
typedef struct { long operand[MOST_OPERANDS], n; } export_sum;                        /* with coefficients 1 */
void  export_sum_more (export_work *w, export_sum *s, long k);
long  export_sum_end  (export_work *w, const export_sum *s);
char *export_scalar   (int64_t c, int64_t below, long e) MUST_USE;                    /* (c / below) 2^e, below != 0 */
void  export_state    (export_work *w, long left, long right, const char *what);   /* an equation of the file */

/* ---- steps ---- */
long  export_step          (export_work *w, long k);                                  /* the node of step k */
long  export_inverse       (export_work *w, long k);                                  /* the node inverse to it */
long  export_inverse_stated(export_work *w, long k);    /* with an equation, unless it is an atom */
bool  export_is_orthogonal (const char *name);                                        /* of a matrix */
#endif
