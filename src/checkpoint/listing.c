/* SPDX-License-Identifier: GPL-3.0-or-later
 * listing.c - see listing.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/fused_order.h"
#include "src/checkpoint/listing.h"
#include "src/checkpoint/settings_apart.h"

/* ---- transposed -------------------------------------------------------------------------------------------------- */

/* 0 and -0 are two numbers here, and a NaN is itself. */
static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Is b, number by number, a with its last two sides exchanged? */
static bool transposed(const weight_tensor *a, const weight_tensor *b)
{
    const int rank = b->rank;
    if (rank < 2 || a->rank != rank || a->n != b->n || !b->n) return false;
    const long rows = b->shape[rank - 2], cols = b->shape[rank - 1];
    bool same = a->shape[rank - 2] == cols && a->shape[rank - 1] == rows && rows > 1 && cols > 1;
    for (int k = 0; k < rank - 2; k++) same = same && a->shape[k] == b->shape[k];
    double *row = must_calloc((size_t)cols, sizeof *row);
    for (size_t line = 0; line < b->n / (size_t)cols && same; line++) {
        const size_t from = line / (size_t)rows * (size_t)(rows * cols), r = line % (size_t)rows;
        weight_numbers(b, line * (size_t)cols, (size_t)cols, row);
        for (size_t c = 0; c < (size_t)cols && same; c++) {
            double x;
            weight_numbers(a, from + c * (size_t)rows + r, 1, &x);
            same = bits_of(x) == bits_of(row[c]);
        }
    }
    free(row);
    return same;
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static void add(listing *l, const char *tensor, listed_kind kind, double gap, double units, char *text)
{
    l->at = must_realloc(l->at, (size_t)l->n + 1, sizeof *l->at);
    l->at[l->n++] = (listed){ tensor, kind, gap, units, text };
}

static char *shape_of(const weight_tensor *t)
{
    text_buffer to = { 0 };
    text_add(&to, "%s [", t->type);
    for (int k = 0; k < t->rank; k++) text_add(&to, "%s%ld", k ? ", " : "", t->shape[k]);
    text_add(&to, "]");
    return text_take(&to);
}

/* lines: of A, of B. */
static bool is_near(const numbers_apart *is, const tensor_lines lines[2])
{
    return is->equal
        || (is->units <= ROUNDING_UNITS && !(is->below && numbers_apart_lost(&lines[0], &lines[1], false)));
}

static void add_numbers(listing *l, const char *tensor, const numbers_apart *is, const tensor_lines lines[2],
                        char *otherwise)
{
    l->equal += is->equal;
    const bool rounded = !is->equal && is_near(is, lines);
    l->rounded += rounded;
    if (is->equal || rounded) free(otherwise);
    if (!is->equal)
        add(l, tensor, rounded ? LISTED_ROUNDED : LISTED_DIFFERENT, is->off > 0 ? is->off / is->most : 0, is->units,
            rounded ? must_strdup("equal to rounding") : otherwise);
}

/* B's numbers lie in blocks, and A's do not: false where they are not A's, rounded. */
static bool compare_blocks(listing *l, tensor_lines of[2])
{
    const weight_tensor *b = of[1].t;
    if (of[0].t->blocks || !b->blocks) return false;
    const quantised_gap g = quantised_apart_of(&of[1], quantised_line_of_file, &of[0], false);
    if (g.is == QUANTISED_OTHER) return false;
    const bool open = g.is == QUANTISED_OPEN;
    l->quantised += !open;
    l->open += open;
    l->open_parts += open;
    add(l, b->name, open ? LISTED_OPEN : LISTED_QUANTISED, NAN, NAN, quantised_words(&g, b));
    return true;
}

static void compare_tensors(listing *l, const weight_tensor *a, const weight_tensor *b)
{
    const bool numbers = a->numbers != NUMBERS_OTHER && b->numbers != NUMBERS_OTHER;
    const bool shaped = a->rank == b->rank && memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape) == 0;
    const bool typed = strcmp(a->type, b->type) == 0;
    l->compared++;
    l->renamed += strcmp(a->name, b->name) != 0;
    if (!shaped || (!numbers && !typed)) {
        char *was = shape_of(a), *is = shape_of(b);
        const bool turned = numbers && transposed(a, b);
        add(l, b->name, turned ? LISTED_TRANSPOSED : LISTED_SHAPE, NAN, NAN,
            must_format(turned ? "A's, transposed: %s, but %s in A" : "%s, but %s in A", is, was));
        free(was);
        free(is);
        return;
    }
    if (a->n && !(a->bytes && b->bytes)) {               /* quantised in a way whose size is not known */
        add(l, b->name, LISTED_DIFFERENT, NAN, NAN, must_format("not compared: where %s ends is not known here",
                                                                b->type));
        return;
    }
    if (!numbers) {
        if (a->bytes == b->bytes && memcmp(a->at, b->at, a->bytes) == 0) l->equal++;
        else
            add(l, b->name, LISTED_DIFFERENT, NAN, NAN,
                must_format("other bytes (%s, whose numbers are not read here)", b->type));
        return;
    }
    tensor_lines of[2] = { lines_of_tensor(a), lines_of_tensor(b) };
    if (compare_blocks(l, of)) return;
    const numbers_apart is = numbers_apart_of(&of[0], &of[1]);
    if (!is.equal && is.units > ROUNDING_UNITS && transposed(a, b))
        add(l, b->name, LISTED_TRANSPOSED, is.off / is.most, is.units, must_strdup("A's, transposed"));
    else add_numbers(l, b->name, &is, of, must_strdup("different numbers"));
}

/* ---- one tensor here, several there ------------------------------------------------------------------------------ */

/* Are all kinds of all experts, in that order, number by number in the whole? */
static bool lie_so(const fused_tensor *f, const int *order)
{
    for (long e = 0; e < f->experts; e++)
        for (int k = 0; k < f->kinds; k++) {
            const tensor_lines place = fused_place(f, e, order, k), part = fused_part(f, e, k);
            if (!numbers_apart_of(&place, &part).equal) return false;
        }
    return true;
}

/* In which other order they lie in the whole, to be freed; NULL: in none. */
static char *other_order(const fused_tensor *f)
{
    static const int orders[][3] = { { 1, 0, 2 }, { 0, 2, 1 }, { 2, 1, 0 }, { 1, 2, 0 }, { 2, 0, 1 } };
    for (size_t i = 0; i < COUNT(orders) && f->kinds > 1; i++) {
        if ((f->kinds == 2 && i > 0) || !lie_so(f, orders[i])) continue;
        text_buffer to = { 0 };
        for (int k = 0; k < f->kinds; k++) text_add(&to, "%s%s", k ? " | " : "", f->part[orders[i][k]]->name);
        return text_take(&to);
    }
    return NULL;
}

/* Where it is not known how the whole is read: certainly different only if it does not hold these numbers at all. */
static void compare_open(listing *l, const fused_tensor *f, const weights *of_whole, bool whole_in_b, bool found)
{
    const char *type = fused_type(of_whole);
    numbers_apart is = { .equal = true };
    if (!found) is = fused_in_any_order(f, whole_in_b);
    if (!is.equal && !(is.units <= ROUNDING_UNITS)) {
        add(l, f->whole->name, LISTED_DIFFERENT, is.off / is.most, is.units,
            must_format("other numbers than %s and what belongs with it, in whatever order", f->part[0]->name));
        return;
    }
    l->open++;
    l->open_parts += f->experts * f->kinds;
    add(l, f->whole->name, LISTED_OPEN, NAN, NAN,
        must_format("holds the numbers of %s and what belongs with it, but in which order %s%s reads them is not known "
                    "here", f->part[0]->name, type ? "the type " : "a file without a configuration", type ? type : ""));
}

static void compare_fused(listing *l, const fused_tensor *f, const weights *of_whole, bool whole_in_b)
{
    static const int order[] = { 0, 1, 2 };
    const bool so = lie_so(f, order);
    char *other = so ? NULL : other_order(f);
    l->compared += f->experts * f->kinds;
    l->fused++;
    if (!fused_order_known(f, of_whole)) {
        compare_open(l, f, of_whole, whole_in_b, so || other);
        free(other);
        return;
    }
    if (other) {
        add(l, f->whole->name, LISTED_DIFFERENT, NAN, NAN,
            must_format("holds parts of %s in another order than its name says: %s", whole_in_b ? "A" : "B", other));
        free(other);
        return;
    }
    for (long e = 0; e < f->experts; e++)
        for (int k = 0; k < f->kinds; k++) {
            const tensor_lines place = fused_place(f, e, order, k), part = fused_part(f, e, k);
            const tensor_lines of[2] = { whole_in_b ? part : place, whole_in_b ? place : part };
            const numbers_apart is = numbers_apart_of(&of[0], &of[1]);
            add_numbers(l, part.t->name, &is, of, must_format("different numbers than in %s", f->whole->name));
        }
}

/* Tensors that were found in another form than their name: each once. */
typedef struct { const weight_tensor **at; long n; } found_tensors;

static bool was_found(const found_tensors *f, const weight_tensor *t)
{
    for (long k = 0; k < f->n; k++) if (f->at[k] == t) return true;
    return false;
}

static void find_fused(listing *l, const weights *of_wholes, const named_tensors *wholes, const named_tensors *parts,
                       bool whole_in_b, found_tensors *found)
{
    for (long k = 0; k < wholes->n; k++) {
        fused_tensor f;
        if (names_find(parts, wholes->at[k].name) || !fused_of(&wholes->at[k], parts, &f)) continue;
        bool again = false;
        for (long i = 0; i < f.experts * f.kinds; i++) again = again || was_found(found, f.part[i]);
        if (!again) {
            compare_fused(l, &f, of_wholes, whole_in_b);
            found->at = must_realloc(found->at, (size_t)(found->n + f.experts * f.kinds + 1),
                                     sizeof(const weight_tensor *));
            for (long i = 0; i < f.experts * f.kinds; i++) found->at[found->n++] = f.part[i];
            found->at[found->n++] = f.whole;
        }
        fused_free(&f);
    }
}

/* ---- a head that repeats the embedding --------------------------------------------------------------------------- */

static bool is_tied(const weights *w)
{
    return json_is_true(json_object_get(w->config, "tie_word_embeddings"));
}

/* The only tensor whose name ends with that, behind a dot or at its beginning; NULL: none, or several. */
static const weight_tensor *only_of_name(const weights *w, const char *end)
{
    const weight_tensor *found = NULL;
    for (long k = 0; k < w->tensors; k++) {
        const char *name = w->tensor[k].name;
        const size_t n = strlen(name), m = strlen(end);
        if (n < m || strcmp(name + n - m, end) != 0 || (n > m && name[n - m - 1] != '.')) continue;
        if (found) return NULL;
        found = &w->tensor[k];
    }
    return found;
}

/* A head of w that the other file leaves out, since both say that it is the embedding, which it is, byte by byte. */
static const weight_tensor *tied_head(const weights *w, const weights *other)
{
    static const char *const embeddings[] = { "embed_tokens.weight", "wte.weight", "word_embeddings.weight" };
    const weight_tensor *head = only_of_name(w, "lm_head.weight"), *e = NULL;
    if (!is_tied(w) || !is_tied(other) || !head || only_of_name(other, "lm_head.weight")) return NULL;
    for (size_t k = 0; k < COUNT(embeddings) && !e; k++) e = only_of_name(w, embeddings[k]);
    const bool alike = e && strcmp(e->type, head->type) == 0 && e->rank == head->rank && e->bytes == head->bytes
                       && memcmp(e->shape, head->shape, (size_t)e->rank * sizeof *e->shape) == 0;
    return alike && e->bytes && memcmp(e->at, head->at, e->bytes) == 0 ? head : NULL;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

listing listing_of(const weights *A, const weights *B)
{
    listing l = { .n = 0 };
    const weight_tensor *in_a = tied_head(A, B), *in_b = tied_head(B, A);
    named_tensors of_a = names_left_over(A, B, in_a), of_b = names_left_over(B, A, in_b);
    found_tensors found = { .n = 0 };
    names_strip(&of_a, &of_b, A, B);
    find_fused(&l, B, &of_b, &of_a, true, &found);
    find_fused(&l, A, &of_a, &of_b, false, &found);
    for (long k = 0, left = 0; k < B->tensors; k++) {
        const weight_tensor *b = &B->tensor[k], *a = weights_find(A, b->name);
        if (left < of_b.n && of_b.at[left].tensor == b) a = names_find(&of_a, of_b.at[left++].name);
        if (a) compare_tensors(&l, a, b);
        else if (b != in_b && !was_found(&found, b))
            add(&l, b->name, LISTED_EXTRA, NAN, NAN, must_strdup("extra in B"));
    }
    for (long k = 0; k < of_a.n; k++) {
        const weight_tensor *a = of_a.at[k].tensor;
        if (!names_find(&of_b, of_a.at[k].name) && !was_found(&found, a))
            add(&l, a->name, LISTED_MISSING, NAN, NAN, must_strdup("missing in B"));
    }
    l.setting = settings_apart(A->config, B->config, &l.settings);
    if (in_a || in_b)
        l.tied = must_format("%s has an extra tensor %s that repeats the embedding, to which both say that it is tied",
                             in_a ? "A" : "B", (in_a ? in_a : in_b)->name);
    free(found.at);
    names_free(&of_a);
    names_free(&of_b);
    return l;
}

void listing_free(listing *l)
{
    for (long k = 0; k < l->n; k++) free(l->at[k].text);
    for (long k = 0; k < l->settings; k++) free(l->setting[k]);
    free(l->at);
    free(l->setting);
    free(l->tied);
    *l = (listing){ .n = 0 };
}

bool listing_same(const listing *l) { return l->n == 0 && l->settings == 0; }

bool listing_rounded(const listing *l) { return l->n == l->rounded && l->settings == 0; }

bool listing_quantised(const listing *l)
{
    return l->quantised && l->n == l->rounded + l->quantised && l->settings == 0;
}

bool listing_open(const listing *l)
{
    return l->open && l->n == l->rounded + l->quantised + l->open && l->settings == 0;
}

double listing_units(const listing *l)
{
    double most = 0;
    for (long k = 0; k < l->n; k++) if (l->at[k].kind == LISTED_ROUNDED) most = fmax(most, l->at[k].units);
    return most;
}

bool weights_identical(const weights *A, const weights *B)
{
    if (A->changed || B->changed) return false;
    if (A->files != B->files || strcmp(A->format, B->format) != 0 || strcmp(A->config_sha256, B->config_sha256) != 0
        || !A->config != !B->config) return false;
    for (long k = 0; k < A->files; k++) if (A->file[k].bytes != B->file[k].bytes) return false;
    for (long k = 0; k < A->files; k++)
        if (memcmp(A->file[k].at, B->file[k].at, A->file[k].bytes) != 0) return false;
    return true;
}
