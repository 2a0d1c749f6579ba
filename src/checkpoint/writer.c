/* SPDX-License-Identifier: GPL-3.0-or-later
 * writer.c - see writer.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "src/checkpoint/experts.h"
#include "src/checkpoint/formats.h"
#include "src/checkpoint/python_json.h"
#include "src/checkpoint/sheet.h"
#include "src/checkpoint/weight_matrix.h"
#include "src/checkpoint/writer.h"
#include "src/data/checksum.h"

/* ---- tensors ---------------------------------------------------------------------------------------------------- */

typedef struct {
    rewrite *r;
    const file_layout *l;
    const writer_task *task;
    FILE *f;
    double done, all;                    /* numbers                                                       */
    json_t *value_rows;                  /* of layout's compact_values, by layer                          */
} writing;

static void written(writing *w, size_t n)
{
    w->done += (double)n;
    if (w->task->at) w->task->at(w->done / w->all);
}

static bool put_sheet(writing *w, sheet *of)
{
    written(w, (size_t)(of->rows * of->cols));
    return sheet_close(of, w->f);
}

static const mat *one_part(writing *w, scope *s, tensor_role role, long layer, long first, long count)
{
    const weight_source from = rewrite_source(w->r);
    const mat *A = from.part(from.of, s, role, layer, first, count);
    REQUIRE(A, "%s of layer %ld", role_name[role], layer);
    return rewrite_pairs(w->r, s, A, role, w->l->pairs);
}

/* W_Q, W_K, W_V, or their biases, as the file has them in one tensor. */
static void put_fused(writing *w, scope *s, sheet *to, tensor_role first, long layer, bool turned)
{
    const transformer *D = w->r->D;
    long at = 0;
    for (int p = 0; p < 3; p++) {
        const mat *before = s->first, *A = one_part(w, s, first + (tensor_role)p, layer, 0, 0);
        const bool blocks = w->l->fused == FUSED_BLOCKS;
        for (long a = 0; a < (blocks ? 1 : projection_heads(D, (projection)p)); a++) {
            const mat *whole = s->first, *piece = blocks ? A : mat_cols(s, A, a * D->dk, D->dk);
            const long from = blocks ? at : fused_head(D, (projection)p, a) * D->dk;
            sheet_put(to, piece, turned, turned ? from : 0, turned ? 0 : from);
            scope_sweep(s, whole, 0, NULL);
        }
        at += A->cols;
        scope_sweep(s, before, 0, NULL);
    }
}

static bool ranges(tensor_role role) { return role == ROLE_UP || role == ROLE_GATE || role == ROLE_DOWN; }

/* Neurons of the MLP at a time: columns of up and gate, rows of down.  A number takes 48 bytes, or more. */
static void put_neurons(writing *w, scope *s, sheet *to, const new_tensor *t, bool turned)
{
    const transformer *D = w->r->D;
    const long most = lines_at_a_time(w->task->block, D->d), m = place_width(D, t->layer);
    for (long i = 0; i < m; i += most) {
        const mat *before = s->first;
        const mat *A = one_part(w, s, t->role, t->layer, i, m - i < most ? m - i : most);
        const bool down = (t->role == ROLE_DOWN) != turned;              /* neurons are the sheet's rows */
        sheet_put(to, A, turned, down ? i : 0, down ? 0 : i);
        scope_sweep(s, before, 0, NULL);
    }
}

/* The embeddings, the head and its bias: rows of the tensor from `first` on. */
static bool put_block(writing *w, const new_tensor *t, long first, long count)
{
    scope s = scope_open(w->r->R, 0, 0);
    const mat *A = one_part(w, &s, t->role, t->layer, first, count);
    const bool turned = t->role == ROLE_HEAD;
    sheet to = sheet_of(t->name, t->type, turned ? A->cols : A->rows, turned ? A->rows : A->cols);
    sheet_put(&to, A, turned, 0, 0);
    const bool good = put_sheet(w, &to) && s.status == HOLDS;
    scope_close(&s);
    return good;
}

/* The row of W that is row i of the identity in the columns of head g. */
static long unit_row(const mat *W, long g, long dk, long i)
{
    for (long r = 0; r < W->rows; r++) {
        bool is = true;
        for (long j = 0; j < dk && is; j++) is = mat_get_d(W, r, g * dk + j) == (i == j);
        if (is) return r;
    }
    contract_broken(__FILE__, __LINE__, "unit_row", "head %ld of W_V has no row %ld of the identity", g, i);
}

/* W_V without the rows of each head that are those of the identity; which they are is noted for config.json. */
static const mat *without_identities(writing *w, scope *s, const mat *V, long layer)
{
    const transformer *D = w->r->D;
    const long dk = D->dk;
    bool *taken = scope_alloc(s, (size_t)D->d * sizeof *taken);
    mat *C = mat_blank(s, D->d - dk, V->cols);
    json_t *heads = json_array();
    for (long g = 0; g < D->h_kv; g++) {
        json_t *rows = json_array();
        memset(taken, 0, (size_t)D->d * sizeof *taken);
        for (long i = 0; i < dk; i++) {
            const long r = unit_row(V, g, dk, i);
            taken[r] = true;
            json_array_append_new(rows, json_integer(r));
        }
        json_array_append_new(heads, rows);
        for (long r = 0, to = 0; r < D->d; r++) if (!taken[r]) mat_put(C, to++, g * dk, V, r, g * dk, 1, dk);
    }
    json_array_set_new(w->value_rows, (size_t)layer, heads);
    return C;
}

static bool put_whole(writing *w, const new_tensor *t)
{
    scope s = scope_open(w->r->R, 0, 0);
    s.frugal = true;
    const bool may_turn = t->role == ROLE_QKV || t->role == ROLE_O || t->role == ROLE_UP || t->role == ROLE_DOWN;
    const bool turned = t->rank != 1 && !(w->l->in_out && may_turn);
    sheet to = sheet_of(t->name, t->type, t->rank == 1 ? 1 : t->shape[0], t->rank == 1 ? t->shape[0] : t->shape[1]);
    if (t->role == ROLE_QKV || t->role == ROLE_QKV_BIAS)
        put_fused(w, &s, &to, t->role == ROLE_QKV ? ROLE_Q : ROLE_Q_BIAS, t->layer, turned);
    else if (ranges(t->role)) put_neurons(w, &s, &to, t, turned);
    else {
        const mat *A = one_part(w, &s, t->role, t->layer, 0, 0);
        if (t->role == ROLE_V && w->l->compact_values) A = without_identities(w, &s, A, t->layer);
        sheet_put(&to, A, turned, 0, 0);
    }
    const bool good = put_sheet(w, &to) && s.status == HOLDS;
    scope_close(&s);
    return good;
}

static void put_angles(writing *w, const new_tensor *t)
{
    float *x = must_calloc((size_t)t->shape[1], sizeof *x);
    for (long k = 0; k < t->shape[0]; k++) {
        llama2c_angles(w->r->D, strcmp(t->name, "freqs_sin") == 0, k, x);
        fwrite(x, sizeof *x, (size_t)t->shape[1], w->f);
    }
    free(x);
    written(w, t->n);
}

static bool put_tensor(writing *w, const new_tensor *t)
{
    if (t->copy) {
        fwrite(t->copy->at, 1, t->copy->bytes, w->f);
        written(w, t->n);
        return true;
    }
    if (t->role == ROLE_BUFFER) {
        put_angles(w, t);
        return true;
    }
    const bool large = t->role == ROLE_EMBED || t->role == ROLE_POSITION || t->role == ROLE_HEAD
                       || t->role == ROLE_HEAD_BIAS;
    if (!large) return put_whole(w, t);
    const long rows = t->shape[0], most = lines_at_a_time(w->task->block, w->r->D->d);
    for (long i = 0; i < rows; i += most)
        if (!put_block(w, t, i, rows - i < most ? rows - i : most)) return false;
    return true;
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

size_t new_tensor_bytes(const new_tensor *t)
{
    return t->copy ? t->copy->bytes : t->n * (size_t)sheet_number_bytes(t->type);
}

static void put_header(const writing *w)
{
    json_t *root = json_object(), *notes = json_object();
    size_t at = 0;
    json_object_set_new(notes, "format", json_string("pt"));
    json_object_set_new(notes, "provably.reduced", json_string(w->task->reduced));
    json_object_set_new(notes, "provably.source", json_string(w->task->source));
    if (w->l->model) json_object_set_new(notes, "model", json_string(w->l->model));
    if (w->l->model && w->r->model.slim) json_object_set_new(notes, "provably.values", json_string("from keys"));
    json_object_set_new(root, "__metadata__", notes);
    for (long k = 0; k < w->l->tensors; k++) {
        const new_tensor *t = &w->l->tensor[k];
        json_t *shape = json_array();
        for (int i = 0; i < t->rank; i++) json_array_append_new(shape, json_integer(t->shape[i]));
        json_t *entry = json_pack("{s:s, s:o, s:[I, I]}", "dtype", t->type, "shape", shape, "data_offsets",
                                  (json_int_t)at, (json_int_t)at + (json_int_t)new_tensor_bytes(t));
        REQUIRE(entry, "the entry of %s", t->name);
        json_object_set_new(root, t->name, entry);
        at += new_tensor_bytes(t);
    }
    char *text = json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER);
    REQUIRE(text, "JSON");
    const uint64_t length = (strlen(text) + 7) / 8 * 8;
    fwrite(&length, 8, 1, w->f);
    fprintf(w->f, "%-*s", (int)length, text);
    free(text);
    json_decref(root);
}

static void put_json(const json_t *o, FILE *f)
{
    char *text = python_json_dumps(o, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    fprintf(f, "%s\n", text);
    free(text);
}

static void put_config(const writing *w, FILE *f)
{
    json_t *c = json_deep_copy(w->l->config);
    json_t *own = json_pack("{s:s, s:s}", "reduced", w->task->reduced, "source", w->task->source);
    if (w->r->model.norm == NORM_OF_NONE) json_object_set_new(own, "norm", json_string("none"));
    if (w->r->model.slim) json_object_set_new(own, "values", json_string("from keys"));
    if (w->l->compact_values) json_object_set(own, "value_rows", w->value_rows);
    json_object_set_new(c, "provably", own);
    put_json(c, f);
    json_decref(c);
}

/* llama2.c's format has no place for texts. */
static void put_note(const writing *w, const char *part, FILE *f)
{
    char hex[SHA256_HEX];
    if (!checksum_sha256(part, hex)) die("cannot read %s again: %s", part, strerror(errno));
    json_t *own = json_pack("{s:s, s:s, s:s}", "reduced", w->task->reduced, "source", w->task->source, "sha256", hex);
    put_json(own, f);
    json_decref(own);
}

static void put_any_header(const writing *w)
{
    if (w->l->format == FORMAT_GGUF) gguf_put_header(w->f, w->l, w->task->reduced, w->task->source);
    else if (w->l->format == FORMAT_LLAMA2C) llama2c_put_header(w->f, w->l, w->r->D, w->r->model.tied);
    else put_header(w);
}

static bool put_numbers(writing *w, const char *path)
{
    bool good = true;
    put_any_header(w);
    for (long k = 0; k < w->l->tensors && good && !rewrite_undecided(w->r); k++) {
        good = put_tensor(w, &w->l->tensor[k]);
        const size_t gap = w->l->format == FORMAT_GGUF ? gguf_gap(w->l, new_tensor_bytes(&w->l->tensor[k])) : 0;
        for (size_t i = 0; i < gap; i++) putc(0, w->f);
        if (ferror(w->f)) die("cannot write %s: %s; %s", path, strerror(errno), file_advice(errno));
    }
    return good && !rewrite_undecided(w->r);
}

static outfile put_gauges(const writing *w, const gauge_file *gauges, const char *part)
{
    char hex[SHA256_HEX];
    if (!checksum_sha256(part, hex)) die("cannot read %s again: %s", part, strerror(errno));
    return gauge_file_put(gauges, w->task->folder, w->task->original, hex);
}

/* A copy of the file, whole on the disk, not yet under its name. */
static outfile copied(const char *from, const char *folder)
{
    const char *slash = strrchr(from, '/');
    char *to = must_format("%s/%s", folder, slash ? slash + 1 : from), piece[1 << 14];
    FILE *f = file_open(from);
    if (!f) die("cannot read %s: %s", from, strerror(errno));
    outfile o = outfile_open(to);
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, f)) > 0) fwrite(piece, 1, n, o.f);
    if (ferror(f)) die("cannot read %s: %s", from, strerror(errno));
    fclose(f);
    outfile_sync(&o);
    free(to);
    return o;
}

/* All parts are on the disk before the first gets its name, and the numbers get theirs last. */
static void put_beside(writing *w, const outfile *numbers)
{
    const writer_task *task = w->task;
    const bool note = w->l->format == FORMAT_LLAMA2C;
    outfile *side = must_calloc((size_t)task->beside + 1, sizeof *side);
    long n = 0;
    for (; n < task->beside; n++) side[n] = copied(task->copy[n], task->folder);
    if (w->l->config || note) {
        char *path = must_format("%s/%s", task->folder, note ? WRITER_NOTE : "config.json");
        side[n] = outfile_open(path);
        if (note) put_note(w, numbers->part, side[n].f);
        else put_config(w, side[n].f);
        outfile_sync(&side[n++]);
        free(path);
    }
    for (long k = 0; k < n; k++) outfile_close(&side[k]);
    free(side);
}

bool writer_write(rewrite *r, const file_layout *l, const writer_task *task)
{
    outfile_folder(task->folder);
    char *path = must_format("%s/%s", task->folder, format_file[l->format]);
    outfile numbers = outfile_open(path);
    writing w = { .r = r, .l = l, .task = task, .f = numbers.f };
    const bool tell = task->original && !rewrite_no_gauges(r);
    gauge_file gauges = gauge_file_none(r->D);
    if (tell) rewrite_tell_gauges(r, &gauges);
    for (long k = 0; k < l->tensors; k++) w.all += (double)l->tensor[k].n;
    w.value_rows = json_array();
    for (long i = 0; i < r->D->L; i++) json_array_append_new(w.value_rows, json_null());
    const bool good = put_numbers(&w, path);
    if (!good) outfile_abandon(&numbers);
    else {
        outfile_sync(&numbers);
        outfile proof = { .f = NULL };
        if (tell) proof = put_gauges(&w, &gauges, numbers.part);
        put_beside(&w, &numbers);
        outfile_close(&numbers);
        if (tell) outfile_close(&proof);
    }
    gauge_file_free(&gauges);
    json_decref(w.value_rows);
    free(path);
    return good;
}
