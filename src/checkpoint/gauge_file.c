/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_file.c - see gauge_file.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "src/base/file.h"
#include "src/checkpoint/gauge_file.h"
#include "src/data/safetensors.h"

/* ---- the tensors ------------------------------------------------------------------------------------------------- */

typedef struct { char name[48]; int rank; long shape[3], n, layer; double **at; bool basis, shift, queries; } slot;

static long slots_of(const gauge_file *g) { return 4 * g->L + 2; }

static slot slot_of(const gauge_file *g, long k)
{
    const bool stream = k < 2 * (g->L + 1), odd = k % 2 == 1;
    const long i = stream ? k / 2 : (k - 2 * (g->L + 1)) / 2;
    slot s = { .layer = i, .basis = stream && !odd, .shift = stream && odd, .queries = !stream && odd };
    if (stream) {
        s.rank = odd ? 1 : 2;
        s.shape[0] = s.shape[1] = g->d;
        s.at = &(odd ? g->shift : g->basis)[i];
    } else {
        s.rank = 3;
        s.shape[0] = g->h_kv;
        s.shape[1] = s.shape[2] = g->dk;
        s.at = &(odd ? g->queries : g->values)[i];
    }
    s.n = 1;
    for (int r = 0; r < s.rank; r++) s.n *= s.shape[r];
    snprintf(s.name, sizeof s.name, "%s.%ld.%s", stream ? "stream" : "layers", i,
             stream ? odd ? "shift" : "basis" : odd ? "queries" : "values");
    return s;
}

gauge_file gauge_file_none(const transformer *D)
{
    gauge_file g = { .L = D->L, .d = D->d, .h_kv = D->h_kv, .dk = D->dk };
    g.basis = must_calloc((size_t)D->L + 1, sizeof *g.basis);
    g.shift = must_calloc((size_t)D->L + 1, sizeof *g.shift);
    g.values = must_calloc((size_t)D->L + 1, sizeof *g.values);
    g.queries = must_calloc((size_t)D->L + 1, sizeof *g.queries);
    return g;
}

void gauge_file_free(gauge_file *g)
{
    for (long k = 0; g->basis && k < slots_of(g); k++) free(*slot_of(g, k).at);
    free(g->basis);
    free(g->shift);
    free(g->values);
    free(g->queries);
    free(g->path);
    *g = (gauge_file){ .path = NULL };
}

bool gauge_file_has_stream(const gauge_file *g)
{
    for (long i = 0; i <= g->L; i++) if (g->basis[i] || g->shift[i]) return true;
    return false;
}

static double *midpoints(const mat *A)
{
    double *x = must_calloc((size_t)(A->rows * A->cols), sizeof *x);
    for (long i = 0; i < A->rows; i++) for (long j = 0; j < A->cols; j++) x[i * A->cols + j] = mat_get_d(A, i, j);
    return x;
}

void gauge_file_take_basis(gauge_file *g, long layer, const mat *Theta, const mat *c)
{
    free(g->basis[layer]);
    free(g->shift[layer]);
    g->basis[layer] = Theta ? midpoints(Theta) : NULL;
    g->shift[layer] = c ? midpoints(c) : NULL;
}

/* The coordinate of a head of D that is number k in the order of halves. */
static long from_halves(const transformer *D, long k)
{
    const long half = D->rotary / 2;
    if (D->positions != POSITIONS_ROTARY || D->pairs == PAIRS_HALVES || k >= 2 * half) return k;
    return k < half ? 2 * k : 2 * (k - half) + 1;
}

void gauge_file_take_heads(const transformer *D, double **to, const mat *const G[], bool turns)
{
    const long dk = D->dk;
    if (!*to) *to = must_calloc((size_t)(D->h_kv * dk * dk), sizeof **to);
    for (long g = 0; g < D->h_kv; g++)
        for (long i = 0; i < dk; i++)
            for (long j = 0; j < dk; j++)
                (*to)[(g * dk + i) * dk + j] = mat_get_d(G[g], turns ? from_halves(D, i) : i,
                                                         turns ? from_halves(D, j) : j);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

char *gauge_file_sums(const weights *w)
{
    text_buffer t = { 0 };
    for (long k = 0; k < w->files; k++) {
        char hex[SHA256_HEX];
        weights_sha256(w, k, hex);
        text_add(&t, "%s%s", k ? " " : "", hex);
    }
    return text_take(&t);
}

outfile gauge_file_put(const gauge_file *g, const char *folder, const char *original, const char *image)
{
    text_buffer head = { 0 };
    size_t at = 0;
    text_add(&head, "{\"__metadata__\":{\"provably.gauges\":\"1\",\"original.sha256\":\"%s\",\"image.sha256\":\"%s\"}",
             original, image);
    for (long k = 0; k < slots_of(g); k++) {
        const slot s = slot_of(g, k);
        if (!*s.at) continue;
        const size_t end = at + (size_t)s.n * sizeof(double);
        text_add(&head, ",\"%s\":{\"dtype\":\"F64\",\"shape\":[%ld", s.name, s.shape[0]);
        for (int r = 1; r < s.rank; r++) text_add(&head, ",%ld", s.shape[r]);
        text_add(&head, "],\"data_offsets\":[%zu,%zu]}", at, end);
        at = end;
    }
    text_add(&head, "}");
    while (head.length % 8) text_add(&head, " ");
    const uint64_t length = head.length;
    char *path = must_format("%s/%s", folder, GAUGE_FILE);
    outfile o = outfile_open(path);
    fwrite(&length, sizeof length, 1, o.f);
    fwrite(head.at, 1, head.length, o.f);
    for (long k = 0; k < slots_of(g); k++) {
        const slot s = slot_of(g, k);
        if (*s.at) fwrite(*s.at, sizeof(double), (size_t)s.n, o.f);
    }
    if (ferror(o.f)) die("cannot write %s: %s; %s", path, strerror(errno), file_advice(errno));
    outfile_sync(&o);
    text_clear(&head);
    free(path);
    return o;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

char *gauge_file_beside(const weights *B)
{
    struct stat s;
    const char *path = B->file[0].path, *slash = strrchr(path, '/');
    char *beside = must_format("%.*s%s", slash ? (int)(slash - path + 1) : 0, path, GAUGE_FILE);
    if (stat(beside, &s) == 0) return beside;
    free(beside);
    return NULL;
}

static const char *note_of(const safetensors *s, const char *name, const char *path)
{
    const char *value = safetensors_value(s, name);
    if (!value) die("%s: __metadata__ has no %s: it is no file of gauges that `provably reduce` writes", path, name);
    return value;
}

/* r (cos, sin; -sin, cos) on each pair i, i + turning / 2, and nothing between pairs and what does not turn. */
static bool commutes(const double *G, long dk, long turning)
{
    const long half = turning / 2;
    for (long i = 0; i < 2 * half; i++) {
        const long pair = (i + half) % (2 * half);
        for (long j = 0; j < dk; j++)
            if (j != i && j != pair && (G[i * dk + j] != 0 || G[j * dk + i] != 0)) return false;
        if (G[i * dk + i] != G[pair * dk + pair] || G[i * dk + pair] != -G[pair * dk + i]) return false;
    }
    return true;
}

static bool is_identity(const double *G, long k)
{
    for (long i = 0; i < k; i++) for (long j = 0; j < k; j++) if (G[i * k + j] != (i == j)) return false;
    return true;
}

/* Why an image under this gauge would be another function; NULL: it is the same. */
static const char *changes_function(const transformer *A, const slot *s)
{
    const long dk = A->dk, turning = A->positions == POSITIONS_ROTARY ? A->rotary : 0;
    if (s->shift && A->norm != NORM_OF_NONE) return "behind a norm the stream cannot be shifted";
    for (long g = 0; s->queries && g < A->h_kv; g++) {
        const double *G = *s->at + g * dk * dk;
        if (A->qk_norm && !is_identity(G, dk)) return "queries and keys are normalised, and it is not the identity";
        if (!commutes(G, dk, turning)) return "it does not commute with the rotations of the positions";
    }
    return NULL;
}

static void read_slot(const slot *s, const safetensor *t, FILE *f, const char *path)
{
    *s->at = must_calloc((size_t)s->n, sizeof(double));
    if (fseek(f, (long)t->from, SEEK_SET) != 0 || fread(*s->at, sizeof(double), (size_t)s->n, f) != (size_t)s->n)
        die("%s changes while it is read; try again", path);
    for (long k = 0; k < s->n; k++)
        if (!isfinite((*s->at)[k])) die("%s: tensor %s holds %g, which is no gauge's", path, s->name, (*s->at)[k]);
}

static void read_tensor(gauge_file *g, const transformer *A, const safetensor *t, FILE *f, const char *path)
{
    for (long k = 0; k < slots_of(g); k++) {
        const slot s = slot_of(g, k);
        if (strcmp(s.name, t->name) != 0) continue;
        bool fits = t->rank == s.rank && strcmp(t->type, "F64") == 0;
        for (int r = 0; r < s.rank && fits; r++) fits = t->shape[r] == s.shape[r];
        if (!fits) {
            char shape[64];
            if (s.rank == 1) snprintf(shape, sizeof shape, "%ld", s.shape[0]);
            else if (s.rank == 2) snprintf(shape, sizeof shape, "%ld x %ld", s.shape[0], s.shape[1]);
            else snprintf(shape, sizeof shape, "%ld x %ld x %ld", s.shape[0], s.shape[1], s.shape[2]);
            die("%s: tensor %s does not fit A, which needs %s numbers of F64", path, s.name, shape);
        }
        if (s.layer > 0 && A->mlp_skip && (s.basis || s.shift))
            die("%s: tensor %s: A has skips around its MLPs, so that stream.0 is the basis of all layers", path,
                s.name);
        read_slot(&s, t, f, path);
        const char *why = changes_function(A, &s);
        if (why) die("%s: tensor %s: %s", path, s.name, why);
        return;
    }
    die("%s: tensor %s is none of a file of gauges for A", path, t->name);
}

gauge_file gauge_file_read(const char *path, const weights *wA, const transformer *A, const weights *wB,
                           const char **others)
{
    safetensors s = safetensors_index(path);
    gauge_file g = { .path = NULL };
    const char *version = note_of(&s, "provably.gauges", path);
    if (strcmp(version, "1") != 0) die("%s: its gauges are of version %.20s; version 1 is read here", path, version);
    const char *original = note_of(&s, "original.sha256", path), *image = note_of(&s, "image.sha256", path);
    char *a = gauge_file_sums(wA), *b = gauge_file_sums(wB);
    const bool of_a = strcmp(original, a) == 0, of_b = strcmp(image, b) == 0;
    *others = of_a && of_b ? NULL
            : strcmp(original, b) == 0 && strcmp(image, a) == 0 ? "it says how A was made of B: exchange the two"
            : of_a ? "its image.sha256 is not that of B" : of_b ? "its original.sha256 is not that of A"
            : "it is about two other files, by their SHA-256";
    free(a);
    free(b);
    if (!*others) {
        FILE *f = file_open(path);
        if (!f) die("cannot read %s: %s", path, strerror(errno));
        g = gauge_file_none(A);
        g.path = must_strdup(path);
        for (long k = 0; k < s.tensors; k++) read_tensor(&g, A, &s.tensor[k], f, path);
        fclose(f);
    }
    safetensors_free(&s);
    return g;
}
