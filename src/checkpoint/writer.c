/* writer.c - see writer.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "src/checkpoint/writer.h"

/* ---- types ------------------------------------------------------------------------------------------------------ */

typedef struct { const char *name; int bytes, bits, least, most; } type_row;     /* exponents of normal numbers */
static const type_row types[] = { { "F64", 8, 53, -1022, 1023 }, { "F32", 4, 24, -126, 127 },
                                  { "BF16", 2, 8, -126, 127 }, { "F16", 2, 11, -14, 15 } };

static const type_row *type_of(const char *name)
{
    for (size_t k = 0; k < COUNT(types); k++) if (strcmp(types[k].name, name) == 0) return &types[k];
    return NULL;
}

static const type_row *known_type(const char *name)
{
    const type_row *t = type_of(name);
    REQUIRE(t, "type %s", name);
    return t;
}

/* A multiple of the unit of x's binade: of 2^(least - bits + 1) for subnormal numbers. */
static double nearest(double x, const type_row *t, bool *fits)
{
    if (t->bits == 53 || x == 0) return x;
    int e;
    frexp(x, &e);
    const int unit = (e - 1 < t->least ? t->least : e - 1) - t->bits + 1;
    const double y = ldexp(nearbyint(ldexp(x, -unit)), unit);
    *fits = *fits && fabs(y) < ldexp(1, t->most + 1);
    return y;
}

double writer_nearest(double x, const char *type, bool *fits)
{
    const type_row *t = type_of(type);
    REQUIRE(t, "type %s", type);
    *fits = isfinite(x);
    return nearest(x, t, fits);
}

/* y is a number of the type. */
static void encode(double y, const type_row *t, unsigned char *to)
{
    const float single = (float)y;
    uint32_t bits;
    memcpy(&bits, &single, 4);
    uint16_t half = (uint16_t)(bits >> 16);                            /* BF16 */
    if (t->bits == 11) {
        const uint16_t sign = signbit(y) ? 0x8000 : 0;
        int e;
        const double m = frexp(fabs(y), &e);                           /* [1/2, 1) */
        if (y == 0) half = sign;
        else if (e - 1 < -14) half = (uint16_t)(sign | (int)ldexp(fabs(y), 24));
        else half = (uint16_t)(sign | (e + 14) << 10 | ((int)ldexp(m, 11) - 1024));
    }
    if (t->bytes == 8) memcpy(to, &y, 8);
    else if (t->bytes == 4) memcpy(to, &single, 4);
    else memcpy(to, &half, 2);
}

/* ---- tensors ---------------------------------------------------------------------------------------------------- */

typedef struct {
    rewrite *r;
    const file_layout *l;
    const writer_task *task;
    FILE *f;
    double done, all;                    /* numbers                                                       */
} writing;

static void written(writing *w, size_t n)
{
    w->done += (double)n;
    if (w->task->at) w->task->at(w->done / w->all);
}

/* The rows of A, each number rounded; false: a ball is too wide. */
static bool put_rows(writing *w, const new_tensor *t, const mat *A)
{
    const type_row *type = known_type(t->type);
    double *x = must_calloc((size_t)A->cols, sizeof *x), largest = ldexp(1, type->least), widest = 0;
    unsigned char *bytes = must_calloc((size_t)(A->cols * type->bytes), 1);
    for (long i = 0; i < A->rows; i++) {
        widest = fmax(widest, arith_arb_row(A, i, type->bits == 53, x));
        bool fits = true;
        for (long j = 0; j < A->cols; j++) {
            largest = fmax(largest, fabs(x[j]));
            encode(nearest(x[j], type, &fits), type, bytes + j * type->bytes);
        }
        if (!fits)
            die("tensor %s: a number is beyond the range of %s; choose a wider one with --type", t->name, t->type);
        fwrite(bytes, (size_t)type->bytes, (size_t)A->cols, w->f);
    }
    free(x);
    free(bytes);
    written(w, (size_t)(A->rows * A->cols));
    return widest <= ldexp(largest, -type->bits - 8);
}

/* Pairs (2i, 2i + 1) of each head to (i, i + rotary/2); W of any number of rows. */
static const mat *in_halves(const transformer *D, scope *s, const mat *W)
{
    mat *C = mat_blank(s, W->rows, W->cols);
    const long half = D->rotary / 2;
    for (long j = 0; j < W->cols; j++) {
        const long i = j % D->dk, to = i >= D->rotary ? i : i % 2 ? i / 2 + half : i / 2;
        mat_put(C, 0, j - i + to, W, 0, j, W->rows, 1);
    }
    return C;
}

static bool has_pairs(tensor_role role)
{
    return role == ROLE_Q || role == ROLE_K || role == ROLE_Q_BIAS || role == ROLE_K_BIAS || role == ROLE_Q_GAIN
           || role == ROLE_K_GAIN;
}

static const mat *one_part(writing *w, scope *s, tensor_role role, long layer, long first, long count)
{
    const weight_source from = rewrite_source(w->r);
    const mat *A = from.part(from.of, s, role, layer, first, count);
    REQUIRE(A, "%s of layer %ld", role_name[role], layer);
    return w->l->to_halves && has_pairs(role) ? in_halves(w->r->D, s, A) : A;
}

/* W_Q, W_K, W_V, or their biases, as the file has them in one tensor. */
static const mat *fused(writing *w, scope *s, tensor_role first, long layer)
{
    const transformer *D = w->r->D;
    const mat *of[3];
    for (int p = 0; p < 3; p++) of[p] = one_part(w, s, first + (tensor_role)p, layer, 0, 0);
    if (w->l->fused == FUSED_BLOCKS) return mat_hcat(s, 3, of);
    const mat **piece = scope_alloc(s, 3 * (size_t)D->h * sizeof(const mat *));
    for (long a = 0; a < D->h; a++) for (int p = 0; p < 3; p++) piece[3 * a + p] = mat_cols(s, of[p], a * D->dk, D->dk);
    return mat_hcat(s, 3 * D->h, piece);
}

/* The embeddings, the head and its bias: rows of the tensor from `first` on. */
static bool put_block(writing *w, const new_tensor *t, long first, long count)
{
    scope s = scope_open(w->r->R, 0, 0);
    const mat *A = one_part(w, &s, t->role, t->layer, first, count);
    const bool good = put_rows(w, t, t->role == ROLE_HEAD ? mat_t(&s, A) : A) && s.status == HOLDS;
    scope_close(&s);
    return good;
}

static bool put_whole(writing *w, const new_tensor *t)
{
    scope s = scope_open(w->r->R, 0, 0);
    const mat *A = t->role == ROLE_QKV ? fused(w, &s, ROLE_Q, t->layer)
                 : t->role == ROLE_QKV_BIAS ? fused(w, &s, ROLE_Q_BIAS, t->layer)
                 : one_part(w, &s, t->role, t->layer, 0, 0);
    const bool turns = t->role == ROLE_QKV || t->role == ROLE_O || t->role == ROLE_UP || t->role == ROLE_DOWN;
    const bool as_it_is = t->rank == 1 || (w->l->in_out && turns);
    const bool good = put_rows(w, t, as_it_is ? A : mat_t(&s, A)) && s.status == HOLDS;
    scope_close(&s);
    return good;
}

enum { BLOCK = 1 << 20 };                /* numbers of an embedding or a head at a time                    */

static bool put_tensor(writing *w, const new_tensor *t)
{
    if (t->copy) {
        fwrite(t->copy->at, 1, t->copy->bytes, w->f);
        written(w, t->n);
        return true;
    }
    const bool large = t->role == ROLE_EMBED || t->role == ROLE_POSITION || t->role == ROLE_HEAD
                       || t->role == ROLE_HEAD_BIAS;
    if (!large) return put_whole(w, t);
    const long rows = t->shape[0], most = BLOCK / w->r->D->d + 1;
    for (long i = 0; i < rows; i += most)
        if (!put_block(w, t, i, rows - i < most ? rows - i : most)) return false;
    return true;
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static size_t bytes_of(const new_tensor *t)
{
    return t->copy ? t->copy->bytes : t->n * (size_t)known_type(t->type)->bytes;
}

static void put_header(const writing *w)
{
    json_t *root = json_object(), *notes = json_object();
    size_t at = 0;
    json_object_set_new(notes, "format", json_string("pt"));
    json_object_set_new(notes, "provably.reduced", json_string(w->task->reduced));
    json_object_set_new(notes, "provably.source", json_string(w->task->source));
    if (w->l->model) json_object_set_new(notes, "model", json_string(w->l->model));
    json_object_set_new(root, "__metadata__", notes);
    for (long k = 0; k < w->l->tensors; k++) {
        const new_tensor *t = &w->l->tensor[k];
        json_t *shape = json_array();
        for (int i = 0; i < t->rank; i++) json_array_append_new(shape, json_integer(t->shape[i]));
        json_t *entry = json_pack("{s:s, s:o, s:[I, I]}", "dtype", t->type, "shape", shape, "data_offsets",
                                  (json_int_t)at, (json_int_t)at + (json_int_t)bytes_of(t));
        REQUIRE(entry, "the entry of %s", t->name);
        json_object_set_new(root, t->name, entry);
        at += bytes_of(t);
    }
    char *text = json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER);
    REQUIRE(text, "JSON");
    const uint64_t length = (strlen(text) + 7) / 8 * 8;
    fwrite(&length, 8, 1, w->f);
    fprintf(w->f, "%-*s", (int)length, text);
    free(text);
    json_decref(root);
}

static void put_config(const writing *w, FILE *f)
{
    json_t *c = json_deep_copy(w->l->config);
    json_t *own = json_pack("{s:s, s:s}", "reduced", w->task->reduced, "source", w->task->source);
    if (w->r->model.norm == NORM_OF_NONE && w->r->D->norm != NORM_OF_NONE)
        json_object_set_new(own, "norm", json_string("none"));
    json_object_set_new(c, "provably", own);
    char *text = json_dumps(c, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    REQUIRE(text, "JSON");
    fprintf(f, "%s\n", text);
    free(text);
    json_decref(c);
}

bool writer_write(rewrite *r, const file_layout *l, const writer_task *task)
{
    make_parents(task->folder);
    make_folder(task->folder);
    char *path = must_format("%s/model.safetensors", task->folder);
    char *beside = must_format("%s/config.json", task->folder);
    outfile numbers = outfile_open(path), config = { 0 };
    writing w = { .r = r, .l = l, .task = task, .f = numbers.f };
    for (long k = 0; k < l->tensors; k++) w.all += (double)l->tensor[k].n;
    put_header(&w);
    bool good = true;
    for (long k = 0; k < l->tensors && good; k++) {
        good = put_tensor(&w, &l->tensor[k]);
        if (ferror(w.f)) die("cannot write %s: %s; free some space or choose another folder", path, strerror(errno));
    }
    good = good && !rewrite_undecided(r);
    if (!good) outfile_abandon(&numbers);
    else {
        outfile_sync(&numbers);
        if (l->config) {
            config = outfile_open(beside);
            put_config(&w, config.f);
            outfile_close(&config);
        }
        outfile_close(&numbers);
    }
    free(path);
    free(beside);
    return good;
}
