/* SPDX-License-Identifier: GPL-3.0-or-later
 * certificate_sym.c - a symbolic certificate from a recorded body: see certificate.h, arith_term.c.
 *
 * The body is recorded several times, each time with one size changed.  The steps must stay the same; what a
 * step's sizes are is then known by how they change, and two sizes are one when they are equal every time.
 * A size gets the name of the parameter it is (n, d, d_k, m, V), its number where it never changes, or s1, s2 ...
 *
 * Columns o .. o+l-1 of the t x t identity become blocks: each size t is cut where some range begins or ends,
 * t = k_0 + k_1 + .., finely enough that a range of a range is made of whole blocks, too, and
 * E(t,o,l) = sum_j E(t,j) E(l,j-j0)' over the blocks j of t in the range; E(t,j) alone if it is one.
 * A recorded inverse becomes the inverse of a named matrix, or the term that is inverse by (AB)^-1 = B^-1 A^-1
 * or block by block, with an equation that says so.                                                       */
#include "src/claim/certificate/certificate_sym.h"
#include <stdlib.h>
#include <string.h>
#include "src/claim/check_record.h"
#include "src/claim/runner/runner.h"

static const char depends_on_sizes[] = "the number of steps depends on the sizes";

void certifier_equation(certifier *c, const char *what, const mat *A, const mat *B)
{
    c->equations = must_realloc(c->equations, (size_t)c->nequations + 1, sizeof *c->equations);
    c->equations[c->nequations++] = (equation){ what, term_of(A), term_of(B) };
}

/* Cuts sizes until every range of columns, and every range of a range, is made of whole blocks. */
static void cut_all(export_work *w)
{
    size_table *sizes = &w->sizes;
    for (long k = 0; k < w->steps[0].n; k++) {
        sizes_find(sizes, ROWS(w, k));
        sizes_find(sizes, COLS(w, k));
    }
    for (bool changed = true; changed && !sizes->failed; ) {
        changed = false;
        for (long k = 0; k < w->steps[0].n; k++)
            if (w->steps[0].at[k].op == TERM_COLUMNS)
                changed |= sizes_share_cuts(sizes, sizes_find(sizes, ROWS(w, k)), FROM(w, k),
                                            sizes_find(sizes, COLS(w, k)));
        changed |= sizes_close(sizes);
    }
    if (sizes->failed) w->failed = sizes->failed;
}

/* How many terms the checker must write out, about: it multiplies sums out, and knows no abbreviations. */
static double terms_of(const export_work *w, double *each)
{
    double all = 0;
    for (long k = 0; k < w->steps[0].n; k++) {
        const term_step *s = &w->steps[0].at[k];
        each[k] = s->op == TERM_PRODUCT ? each[s->a] * each[s->b]
                : s->op == TERM_SUM ? each[s->a] + (s->b < 0 ? 0 : each[s->b])
                : s->op == TERM_TRANSPOSE || s->op == TERM_INVERSE ? each[s->a] : 1;
        all += each[k];
    }
    return all;
}

static void record(export_work *w, int run, const part *P, const shape *sh)
{
    w->R[run] = arith_term();
    trial t = { .s = scope_open(&w->R[run], 1, 0), .sh = *sh, .id = w->c->id, .part = P->name, .seed = 1,
                .induction = P->induction,
                .record = { .mode = TRIAL_CERTIFIES, .certifier = w->c } };
    t.s.draws = DRAWN_BY_BODY;
    P->run(&t);
    w->equations[run] = w->c->equations;
    w->nequations[run] = w->c->nequations;
    w->c->equations = NULL;
    w->c->nequations = 0;
    if (!run) {
        w->decided = w->c->decided;
        w->c->heads = sh->h;
        const model_depth depth = check_depth(&t);
        w->c->depth = depth == DEPTH_EVERY ? -1 : depth == DEPTH_RUN ? check_layers(&t) : 0;
    }
    w->c->decided = 0;
    w->steps[run] = term_steps(&w->R[run]);
    if (t.s.status != HOLDS) w->failed = "a step that cannot be recorded";
    if (w->steps[run].failed) w->failed = w->steps[run].failed;
    scope_close(&t.s);
    free(t.record.checks);
}

static bool same_steps(const export_work *w)                /* the same steps and equations in every run */
{
    for (int r = 1; r < EXPORT_RUNS; r++) {
        if (w->steps[r].n != w->steps[0].n || w->nequations[r] != w->nequations[0]) return false;
        for (long k = 0; k < w->steps[0].n; k++) {
            const term_step *s = &w->steps[0].at[k], *t = &w->steps[r].at[k];
            if (s->op != t->op || s->a != t->a || s->b != t->b || s->name != t->name || s->ca != t->ca || s->cb != t->cb
                || s->e != t->e) return false;
        }
        for (long k = 0; k < w->nequations[0]; k++) {
            const equation *e = &w->equations[0][k], *f = &w->equations[r][k];
            if (e->left != f->left || e->right != f->right) return false;
        }
    }
    return true;
}

/* The sizes of each run: those of sym, with one of them larger by one (by two where d_k must be even). */
static void vary(shape sh[EXPORT_RUNS])
{
    const bool square = sh[0].d == sh[0].h * sh[0].dk;
    for (int r = 1; r < EXPORT_RUNS; r++) sh[r] = sh[0];
    sh[1].n += 1;
    sh[2].dk += sh[0].rope ? 2 : 1;
    if (sh[0].d >= sh[0].h * sh[0].dk) sh[2].d += sh[0].h * (sh[2].dk - sh[0].dk);       /* d - h d_k stays */
    if (sh[0].scale_den == sh[0].dk) sh[2].scale_den = sh[2].dk;
    sh[3].m += 1;
    sh[4].V += 1;
    if (!square) sh[5].d += 1;
}

static void write_all(export_work *w, draft *d)
{
    for (long k = 0; k < w->sizes.n; k++) {
        const cert_size *s = &w->sizes.at[k];
        if (!nodes_have_block(&w->nodes, s->name)) continue;
        fprintf(d->f, "size %s", s->name);
        for (long p = 0; p <= s->cuts; p++) {
            const size_tuple width = tuple_add(cert_size_end(s, p), cert_size_end(s, p - 1), -1);
            fprintf(d->f, " %s", export_size_name(w, width));
        }
        fputc('\n', d->f);
    }
    nodes_number(&w->nodes);
    nodes_print(&w->nodes, d->f);
    for (long k = 0; k < w->nlines; k++) {
        const line_equal *e = &w->lines[k];
        fprintf(d->f, "equal %ld %ld %s\n", w->nodes.at[e->left].number, w->nodes.at[e->right].number, e->what);
    }
}

const char certify_same_steps[] = "both sides of every equation are the same steps";

enum { MOST_TERMS = 1000000000 };

/* An equation of the body; a side that is the zero matrix is 0 times the other.  False: both are the same steps. */
static bool emit_equation(export_work *w, const equation *e)
{
    if (e->left < 0 && e->right < 0) return false;
    long left = e->left < 0 ? -1 : export_step(w, e->left), right = e->right < 0 ? -1 : export_step(w, e->right);
    if (left < 0)  left = node_add(&w->nodes, must_strdup("sum 0 #"), 1, &right);
    if (right < 0) right = node_add(&w->nodes, must_strdup("sum 0 #"), 1, &left);
    if (left == right) return false;
    export_state(w, left, right, e->what);
    return true;
}

/* Whether the checker can multiply everything out in its memory. */
static void limit_terms(export_work *w)
{
    double *each = must_calloc((size_t)w->steps[0].n + 1, sizeof *each);
    if (terms_of(w, each) > MOST_TERMS) w->failed = "too many terms when products are multiplied out";
    free(each);
}

static void export_all(export_work *w)
{
    limit_terms(w);
    w->node_of = must_calloc((size_t)w->steps[0].n + 1, sizeof *w->node_of);
    for (long k = 0; k < w->steps[0].n; k++) w->node_of[k] = -1;
    long stated = 0;
    for (long k = 0; k < w->nequations[0] && !w->failed; k++) stated += emit_equation(w, &w->equations[0][k]);
    if (!stated && !w->failed) w->failed = certify_same_steps;
    if (w->failed) return;
    draft d;
    w->c->decided = w->decided;
    draft_open(&d, w->c, "sym");
    write_all(w, &d);
    draft_close(&d, w->c, NULL);
}

static const char *certify_at(certifier *c, const part *P, shape sh)
{
    export_work w = { .c = c };
    shape all[EXPORT_RUNS] = { sh };
    vary(all);
    for (int r = 0; r < EXPORT_RUNS; r++) record(&w, r, P, &all[r]);
    if (!w.failed && !same_steps(&w)) w.failed = depends_on_sizes;
    if (!w.failed) cut_all(&w);
    if (!w.failed) {
        sizes_name(&w.sizes, all);
        export_all(&w);
    }
    for (int r = 0; r < EXPORT_RUNS; r++) {
        free(w.equations[r]);
        arith_close(&w.R[r]);
    }
    sizes_free(&w.sizes);
    nodes_free(&w.nodes);
    free(w.lines);
    free(w.node_of);
    return w.failed;
}

/* Half of a head may be one column, which is recorded differently from several, and narrow ranges may lie in another
 * order than wide ones: then heads wider by two. */
const char *certify_symbolic(certifier *c, const claim *C, const part *P, shape sh)
{
    (void)C;
    if (!runner_adapt_shape(P, A_SYM, &sh)) return "no such shape over sym";
    const char *failed = certify_at(c, P, sh);
    if (failed != depends_on_sizes && failed != sizes_disordered) return failed;
    if (sh.d >= sh.h * sh.dk) sh.d += 2 * sh.h;
    if (sh.scale_den == sh.dk) sh.scale_den += 2;
    sh.dk += 2;
    return certify_at(c, P, sh);
}
