/* certificate.c - certificates over q, and how any certificate becomes a file: see certificate.h. */
#include <stdio.h>                                              /* before gmp.h, which has mpq_out_str then */
#include "src/claim/certificate.h"
#include <stdlib.h>
#include <string.h>
#include "src/methods/relu/relu.h"

/* ---- files ---- */

typedef struct { char *path, *text; } written_file;
static written_file *files;                                     /* of this program */
static size_t nfiles;

static void print_line(FILE *f, const char *text)               /* words separated by one space, ASCII */
{
    bool space = true;
    for (; *text; text++) {
        const bool blank = *text == ' ' || *text == '\n';
        if (blank && space) continue;
        fputc(blank ? ' ' : *text > 32 && *text < 127 ? *text : '?', f);
        space = blank;
    }
    fputc('\n', f);
}

void draft_open(draft *d, const certifier *c, const char *kind)
{
    *d = (draft){ 0 };
    d->f = open_memstream(&d->text, &d->n);
    if (!d->f) die("no memory for a certificate");
    fprintf(d->f, "provably-certificate 2\nclaim %s\npart %s\nkind %s\n", c->id, c->part->name, kind);
    if (strcmp(kind, "sym") == 0) {
        fprintf(d->f, "heads %ld\n", c->heads);
        if (c->depth > 0) fprintf(d->f, "depth %ld\n", c->depth);
        else              fprintf(d->f, "depth %s\n", c->depth ? "every" : "none");
    }
    fputs("says ", d->f);
    char *besides = c->decided && strcmp(kind, "sym") == 0
                  ? must_format(" (%ld facts that the program decides are not part of this)", c->decided) : NULL;
    char *text = must_format("%s%s", c->part->statement ? c->part->statement : "-", besides ? besides : "");
    print_line(d->f, text);
    free(besides);
    free(text);
}

/* Where this text goes; NULL where it is there already. */
static char *path_for(const char *stem, const char *text)
{
    for (long number = 1; ; number++) {
        char *path = number == 1 ? must_format("%s.cert", stem) : must_format("%s-%ld.cert", stem, number);
        const written_file *same = NULL;
        for (size_t k = 0; k < nfiles && !same; k++) if (strcmp(files[k].path, path) == 0) same = &files[k];
        if (!same) return path;
        free(path);
        if (strcmp(same->text, text) == 0) return NULL;
    }
}

void draft_close(draft *d, certifier *c, const char *name)
{
    fputs("end\n", d->f);
    if (fclose(d->f) != 0) die("no memory for a certificate");
    char *stem = must_format("%s/%s-%s%s%s", c->folder, c->id, c->part->name, name ? "-" : "", name ? name : "");
    for (char *p = stem + strlen(c->folder); *p; p++) if (strchr("<>*?|", *p)) *p = '_';
    char *path = path_for(stem, d->text);
    free(stem);
    c->written++;
    if (!path) { free(d->text); return; }
    outfile o = outfile_open(path);
    fputs(d->text, o.f);
    outfile_close(&o);
    files = must_realloc(files, nfiles + 1, sizeof *files);
    files[nfiles++] = (written_file){ path, d->text };
}

void certificates_forget(void)
{
    for (size_t k = 0; k < nfiles; k++) {
        free(files[k].path);
        free(files[k].text);
    }
    free(files);
    files = NULL;
    nfiles = 0;
}

void certifier_clear(certifier *c)
{
    free(c->equations);
    c->equations = NULL;
    c->nequations = c->decided = 0;
}

/* ---- matrices ---- */

static bool wanted(const trial *t)
{
    return t->certifier && t->s.R->kind == A_Q;
}

static void print_matrix(FILE *f, const char *name, const mat *A)
{
    mpq_t x;
    mpq_init(x);
    fprintf(f, "matrix %s %ld %ld\n", name, A->rows, A->cols);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) {
            const bool known = A->R->ring.get_exact(x, A, i, j);
            REQUIRE(known, "entry (%ld, %ld) of %s has no exact value", i, j, name);
            if (j) fputc(' ', f);
            mpq_out_str(f, 10, x);
            if (j == A->cols - 1) fputc('\n', f);
        }
    mpq_clear(x);
}

static const mat *or_zero(trial *t, const mat *Z, const mat *W1, const mat *W2)
{
    return Z ? Z : mat_zero(&t->s, W2->rows, W1->cols);
}

static void print_net(FILE *f, const char *const names[3], const mat *W1, const mat *W2, const mat *Z)
{
    print_matrix(f, names[0], W1);
    print_matrix(f, names[1], W2);
    print_matrix(f, names[2], Z);
}

static const char *const first_net[] = { "W1", "W2", "Z" }, *const second_net[] = { "V1", "V2", "Y" };

void certify_relu_equal(trial *t, const char *name, const mat *W1, const mat *W2, const mat *Z,
                        const mat *V1, const mat *V2, const mat *Y)
{
    if (!wanted(t)) return;
    draft d;
    draft_open(&d, t->certifier, "relu-eq");
    print_net(d.f, first_net, W1, W2, or_zero(t, Z, W1, W2));
    print_net(d.f, second_net, V1, V2, or_zero(t, Y, V1, V2));
    draft_close(&d, t->certifier, name);
}

/* W2 ReLU(W1 x) + Z x */
static const mat *value_at(scope *s, const mat *W1, const mat *W2, const mat *Z, const mat *x)
{
    const mat *hidden = mat_phi(s, mat_mul(s, W1, x), ACT_RELU, (place){ 0 });
    return mat_add(s, mat_mul(s, W2, hidden), mat_mul(s, Z, x));
}

/* Networks of few neurons that differ do so on an open cone, so a few dozen points are enough in practice. */
void certify_relu_differ(trial *t, const char *name, const mat *W1, const mat *W2, const mat *Z,
                         const mat *V1, const mat *V2, const mat *Y)
{
    if (!wanted(t)) return;
    scope *s = &t->s;
    const mat *skip = or_zero(t, Z, W1, W2), *other = or_zero(t, Y, V1, V2);
    for (int attempt = 0; attempt < 64; attempt++) {
        char label[32];
        snprintf(label, sizeof label, "point %d", attempt);
        const mat *x = relu_draw(s, label, W1->cols, 1, 2 + attempt);
        if (mat_compare(value_at(s, W1, W2, skip, x), value_at(s, V1, V2, other, x), -1).is != REFUTED) continue;
        draft d;
        draft_open(&d, t->certifier, "relu-neq");
        print_net(d.f, first_net, W1, W2, skip);
        print_net(d.f, second_net, V1, V2, other);
        print_matrix(d.f, "x", x);
        draft_close(&d, t->certifier, name);
        return;
    }
}

/* y with y A = 0 and y b != 0, if linear algebra refutes; Z serves for b as well as -Z */
static bool find_y(fmpq_mat_t y, const mat *W1, const mat *W2, const mat *Z)
{
    const long m = W1->rows, in = W1->cols, outputs = W2->rows;
    fmpq_mat_t A, b, w1, w2, z;
    fmpq_mat_init(A, outputs * in, m);
    fmpq_mat_init(b, outputs * in, 1);
    fmpq_mat_init(w1, m, in);
    fmpq_mat_init(w2, outputs, m);
    fmpq_mat_init(z, outputs, in);
    relu_from_mat(w1, W1);
    relu_from_mat(w2, W2);
    relu_from_mat(z, Z);
    for (long i = 0; i < outputs; i++)
        for (long l = 0; l < in; l++) {
            fmpq_set(fmpq_mat_entry(b, i * in + l, 0), fmpq_mat_entry(z, i, l));
            for (long j = 0; j < m; j++)
                fmpq_mul(fmpq_mat_entry(A, i * in + l, j), fmpq_mat_entry(w2, i, j), fmpq_mat_entry(w1, j, l));
        }
    int64_t work = RELU_WORK;
    subset S = subset_sum(A, b, &work);
    const bool found = S.is == REFUTED && S.has_y;
    for (long k = 0; found && k < outputs * in; k++)
        fmpq_set(fmpq_mat_entry(y, k / in, k % in), fmpq_mat_entry(S.y, 0, k));
    subset_clear(&S);
    fmpq_mat_clear(A);
    fmpq_mat_clear(b);
    fmpq_mat_clear(w1);
    fmpq_mat_clear(w2);
    fmpq_mat_clear(z);
    return found;
}

static void print_y(FILE *f, const fmpq_mat_t y)
{
    fprintf(f, "matrix y %ld %ld\n", (long)fmpq_mat_nrows(y), (long)fmpq_mat_ncols(y));
    for (long i = 0; i < fmpq_mat_nrows(y); i++)
        for (long l = 0; l < fmpq_mat_ncols(y); l++) {
            char *text = fmpq_get_str(NULL, 10, fmpq_mat_entry(y, i, l));
            fprintf(f, "%s%c", text, l + 1 < fmpq_mat_ncols(y) ? ' ' : '\n');
            flint_free(text);
        }
}

enum { MOST_ENUMERATED = 16 };                                  /* of proofcheck */

void certify_no_j(trial *t, const char *name, const mat *W1, const mat *W2, const mat *Z)
{
    if (!wanted(t)) return;
    fmpq_mat_t y;
    fmpq_mat_init(y, W2->rows, W1->cols);
    const bool by_y = find_y(y, W1, W2, Z);
    if (by_y || W1->rows <= MOST_ENUMERATED) {
        draft d;
        draft_open(&d, t->certifier, "no-j");
        print_net(d.f, first_net, W1, W2, Z);
        if (by_y) print_y(d.f, y);
        else fputs("enumerate\n", d.f);
        draft_close(&d, t->certifier, name);
    }
    fmpq_mat_clear(y);
}

/* ---- formulas ---- */

static void print_formulas(draft *d, long nf, const char *const formulas[])
{
    for (long k = 0; k < nf; k++) fprintf(d->f, "formula %s\n", formulas[k]);
}

void certify_matrix(trial *t, const char *name, long n, const given matrices[], long nf, const char *const formulas[])
{
    if (!wanted(t)) return;
    draft d;
    draft_open(&d, t->certifier, "matrix");
    for (long k = 0; k < n; k++) print_matrix(d.f, matrices[k].name, matrices[k].A);
    print_formulas(&d, nf, formulas);
    draft_close(&d, t->certifier, name);
}

void certify_recount(trial *t, const char *name, long n, const count_of values[], long nf, const char *const formulas[])
{
    if (!wanted(t)) return;
    draft d;
    draft_open(&d, t->certifier, "recount");
    for (long k = 0; k < n; k++) fprintf(d.f, "value %s %s\n", values[k].name, values[k].number);
    print_formulas(&d, nf, formulas);
    draft_close(&d, t->certifier, name);
}

void certify_exact(certifier *c, const part *P, shape sh, uint64_t seed)
{
    uint64_t key[2] = { seed, 0 };
    arith R = arith_q(key);
    trial t = { .s = scope_open(&R, seed, 0), .sh = sh, .id = c->id, .part = P->name, .seed = seed,
                .certifier = c, .induction = P->induction };
    P->run(&t);
    scope_close(&t.s);
    free(t.checks);
}
