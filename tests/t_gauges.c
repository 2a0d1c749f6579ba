/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_gauges.c - gauges.safetensors: written by reduce, checked by verify, and no proof of its own. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/base.h"
#include "src/checkpoint/gauge_found.h"
#include "src/checkpoint/layout.h"
#include "src/checkpoint/plan.h"
#include "src/checkpoint/writer.h"
#include "numerics/arith_arb.h"
#include "src/data/safetensors.h"
#include "tests/support/files.h"
#include "tests/support/small_model.h"
#include "tests/support/suite.h"

#define GAUGES "gauges.safetensors"
#define USED "checked, not searched for"
enum { ROOM = 1 << 16 };
static char output[ROOM];

static int reduce(const char *path, const char *out, const char *options)
{
    return run_command(output, ROOM, "%s/provably reduce '%s' -o '%s' %s 2>&1", build_folder(), path, out, options);
}

static int verify(const char *a, const char *b, const char *options)
{
    return run_command(output, ROOM, "%s/provably verify --width=400 '%s' '%s' %s 2>&1", build_folder(), a, b, options);
}

static char *drawn(small_architecture of, numbers_type type)
{
    small_model m = small_model_draw(of, type);
    char *folder = small_model_save(&m, type);
    small_model_free(&m);
    return folder;
}

static char *reduced(const char *path, const char *options)
{
    char *out = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(path, out, options) == 0, "%s: %s", options, output);
    return out;
}

static json_t *said(const char *a, const char *b, const char *options)
{
    verify(a, b, temp_format("--json %s", options));
    json_t *o = json_loads(output, 0, NULL);
    ck_assert_msg(o, "%s", output);
    return o;
}

static bool is_used(const char *a, const char *b, const char *options)
{
    json_t *o = said(a, b, options);
    const bool used = json_is_true(json_object_get(json_object_get(o, "gauges"), "used"));
    json_decref(o);
    return used;
}

/* ---- here, without the program ----------------------------------------------------------------------------------- */

static void write_it(void *with)                         /* { FILE, DIR, LIST } */
{
    char *const *of = with;
    weights w = weights_open(of[0]);
    transformer D = transformer_of(&w);
    layer_condition *c = must_calloc((size_t)D.L, sizeof *c);
    for (long i = 0; i < D.L; i++) c[i] = layer_conditions(&D, i);
    reduction_plan p = plan_of(&w, &D, c, &(plan_request){ of[2], true, false });
    if (p.refused) die("%s", p.refused);
    arith R = arith_arb(256);
    rewrite *r = rewrite_open(&D, p.plan, &R);
    const layout_choice choice = { FORMAT_SAFETENSORS, NULL, false };
    file_layout l = layout_of(&w, r, &choice);
    const writer_task task = { .folder = of[1], .reduced = of[2], .source = "here", .original = gauge_file_sums(&w) };
    if (!writer_write(r, &l, &task)) die("too few bits");
}

static char *written(char *path, char *apply)
{
    char *out = temp_path(temp_folder(), "x"), *of[] = { path, out, apply };
    ck_assert_msg(run_child(write_it, of, output, ROOM) == 0, "%s: %s", apply, output);
    return out;
}

static void check_it(void *with)                         /* { A, B, GAUGES } */
{
    char *const *of = with;
    weights a = weights_open(of[0]), b = weights_open(of[1]);
    transformer A = transformer_of(&a), B = transformer_of(&b);
    const char *others;
    gauge_file g = gauge_file_read(of[2], &a, &A, &b, &others);
    if (others) die("%s", others);
    structure s = structure_of(&A, &B, NULL);
    const gauge_found f = gauge_check(&A, &B, &s, 256, &g);
    if (f.singular) die("%s: tensor %s, so that it is no change of basis", of[2], f.why);
    printf("%s\n", f.found ? "found" : f.why);
    fflush(NULL);
    _exit(f.found ? 0 : 1);
}

static int check(char *A, char *B, char *gauges)
{
    return run_child(check_it, (char *[]){ A, B, gauges }, output, ROOM);
}

/* ---- what is right ----------------------------------------------------------------------------------------------- */

START_TEST(each_model)
{
    static const struct { small_architecture of; const char *options; bool written; } of[] = {
        { SMALL_LLAMA, "", true }, { SMALL_LLAMA, "--apply=values", true }, { SMALL_LLAMA, "--apply=pairs", true },
        { SMALL_LLAMA, "--apply=triangle --untie", true }, { SMALL_LLAMA, "--format=gguf", true },
        { SMALL_QWEN2, "", true }, { SMALL_QWEN3, "--apply=values", true }, { SMALL_GPT2, "--apply=values,queries", true },
        { SMALL_GPT2, "--apply=zero-row", false }, { SMALL_NEOX, "--apply=values", true } };
    static const numbers_type types[] = { NUMBERS_F64, NUMBERS_F32, NUMBERS_BF16, NUMBERS_F16 };
    for (size_t k = 0; k < COUNT(of); k++)
        for (size_t t = 0; t < COUNT(types); t++) {
            if (types[t] == NUMBERS_F64 && strstr(of[k].options, "gguf")) continue;
            char *A = drawn(of[k].of, types[t]), *B = reduced(A, of[k].options), *apply = strstr(of[k].options, "--apply=");
            if (apply) {
                apply = temp_format("%s", apply + strlen("--apply="));
                apply[strcspn(apply, " ")] = '\0';
                char *C = written(A, apply);
                ck_assert(temp_exists(C, GAUGES) == of[k].written);
                if (of[k].written) ck_assert_msg(check(A, C, temp_path(C, GAUGES)) == 0, "%s: %s", apply, output);
                ck_assert(reduce(A, temp_path(temp_folder(), "x"), of[k].options) == 0);
            }
            const char *name = temp_format("%s %s, type %d", small_architecture_name[of[k].of], of[k].options, types[t]);
            ck_assert_msg(temp_exists(B, GAUGES) == of[k].written, "%s", name);
            ck_assert_msg(strstr(output, of[k].written ? GAUGES ": the changes of basis" : "There is no " GAUGES ": a row of"), "%s", output);
            ck_assert_msg(verify(A, B, "") == 0 && (strstr(output, USED) != NULL) == of[k].written, "%s: %s", name, output);
            ck_assert_msg(is_used(A, B, "") == of[k].written, "%s", name);
        }
}
END_TEST

/* No search finds the triangle of layer 1, exact zeros: without the file the note in B is what helps. */
START_TEST(what_no_search_finds)
{
    char *A = drawn(SMALL_LLAMA, NUMBERS_F32), *B = reduced(A, "--apply=triangle --untie"), *away = temp_folder();
    ck_assert_msg(verify(A, B, "") == 0 && strstr(output, USED) && strstr(output, "in another basis of the residual stream"), "%s", output);
    ck_assert_int_eq(rename(temp_path(B, GAUGES), temp_path(away, "moved")), 0);
    ck_assert_msg(verify(A, B, "") == 0 && !strstr(output, USED) && !strstr(output, "that came with B"), "%s", output);
    ck_assert(strstr(output, "B was not found to be an image of A"));
    json_t *o = said(A, B, "");
    ck_assert(json_is_null(json_object_get(o, "gauges")));
    json_decref(o);
    const char *given = temp_format("--gauges='%s/moved'", away);
    ck_assert_msg(verify(A, B, given) == 0 && strstr(output, USED), "%s", output);
    ck_assert_msg(verify(A, temp_path(B, "model.safetensors"), given) == 0 && strstr(output, USED), "%s", output);
    ck_assert(is_used(A, B, given));
    ck_assert_msg(verify(A, B, temp_format("%s --gradients --length=4", given)) == 0 && strstr(output, "they correspond"), "%s", output);
    ck_assert(!strstr(output, "do not correspond"));
}
END_TEST

START_TEST(certificates)
{
    char *A = drawn(SMALL_LLAMA, NUMBERS_F32), *B = reduced(A, "--apply=triangle,values --untie"), *folder = temp_folder();
    char *given = temp_format("--gauges='%s/" GAUGES "'", B), *file = temp_path(folder, "c.json");
    ck_assert_msg(verify(A, B, temp_format("%s --output='%s'", given, file)) == 0 && strstr(output, USED), "%s", output);
    ck_assert_msg(verify(A, B, temp_format("%s --certificate='%s'", given, file)) == 0 && strstr(output, "holds"), "%s", output);
    ck_assert_int_eq(verify(A, B, temp_format("--certificate='%s'", file)), 1);          /* the search finds less */
    char *C = reduced(A, "--apply=values"), *other = temp_path(folder, "d.json");
    ck_assert_msg(verify(A, C, temp_format("--output='%s'", other)) == 0 && strstr(output, "is not used: a certificate"), "%s", output);
    ck_assert_msg(verify(A, C, temp_format("--certificate='%s'", other)) == 0, "%s", output);
    char *same = temp_path(folder, "e.json");
    ck_assert_int_eq(verify(A, A, temp_format("--output='%s'", same)), 0);
    ck_assert_msg(verify(A, A, temp_format("--certificate='%s' %s", same, given)) == 2 && strstr(output, "has no use"), "%s", output);
}
END_TEST

/* ---- what is wrong ----------------------------------------------------------------------------------------------- */

typedef struct { char *bytes; size_t n; } file_bytes;

static file_bytes bytes_of(const char *folder, const char *name)
{
    file_bytes f;
    f.bytes = temp_read(folder, name, &f.n);
    return f;
}

/* Texts of the same length in the header. */
static void exchange(file_bytes *f, const char *from, const char *to)
{
    char *at = memmem(f->bytes, f->n, from, strlen(from));
    ck_assert_msg(at && strlen(from) == strlen(to), "%s", from);
    memcpy(at, to, strlen(to));
}

typedef double __attribute__((aligned(1))) loose_double;        /* headers of files have any length          */
static loose_double *numbers_of(file_bytes *f, const char *path, const char *name)
{
    safetensors s = safetensors_index(path);
    const safetensor *t = safetensors_find(&s, name);
    ck_assert_msg(t, "%s has no %s", path, name);
    loose_double *at = (loose_double *)(void *)(f->bytes + t->from);
    safetensors_free(&s);
    return at;
}

static char *sum_of(const char *folder)
{
    weights w = weights_open(folder);
    char hex[SHA256_HEX];
    weights_sha256(&w, 0, hex);
    weights_close(&w);
    return temp_format("%s", hex);
}

/* Of one tensor of n numbers, all of them 2. */
static file_bytes made(const char *A, const char *B, const char *name, const char *shape, long n)
{
    text_buffer t = { 0 }, file = { 0 };
    text_add(&t, "{\"__metadata__\":{\"provably.gauges\":\"1\",\"original.sha256\":\"%s\",\"image.sha256\":\"%s\"},\"%s\":"
                 "{\"dtype\":\"F64\",\"shape\":[%s],\"data_offsets\":[0,%ld]}}", sum_of(A), sum_of(B), name, shape, 8 * n);
    const uint64_t length = t.length;
    text_bytes(&file, (const char *)&length, 8);
    text_bytes(&file, t.at, t.length);
    const double two = 2;
    for (long k = 0; k < n; k++) text_bytes(&file, (const char *)&two, 8);
    const char *folder = temp_folder();
    temp_write(folder, GAUGES, file.at, file.length);
    text_clear(&t);
    text_clear(&file);
    return bytes_of(folder, GAUGES);
}

/* That file is refused with those words by --gauges, and beside B as well. */
static void is_refused(char *A, char *B, const file_bytes *f, const char *says)
{
    char *folder = temp_folder(), *file = temp_write(folder, "g", f->bytes, f->n);
    ck_assert_msg(check(A, B, file) == 2 && strstr(output, says), "%s\n%s", says, output);
    ck_assert_msg(verify(A, B, temp_format("--gauges='%s'", file)) == 2 && strstr(output, says), "%s\n%s", says, output);
    ck_assert_msg(strstr(output, file) && (strstr(output, "singular") || strchr(output, '\n') == strrchr(output, '\n')), "%s", output);
    file_bytes own = bytes_of(B, GAUGES);
    temp_write(B, GAUGES, f->bytes, f->n);
    ck_assert_msg(verify(A, B, "") == 2 && strstr(output, says), "%s\n%s", says, output);
    temp_write(B, GAUGES, own.bytes, own.n);
}

START_TEST(malformed)
{
    static const struct { const char *from, *to, *says; } of[] = {
        { "provably.gauges\":\"1", "provably.gauges\":\"2", "its gauges are of version 2; version 1 is read here" },
        { "provably.gauges", "provably.gaugez", "__metadata__ has no provably.gauges" },
        { "image.sha256", "image.sha257", "__metadata__ has no image.sha256" },
        { "original.sha256", "original.sha257", "__metadata__ has no original.sha256" },
        { "[2,8,8]", "[8,2,8]", "tensor layers.0.values does not fit A, which needs 2 x 8 x 8 numbers of F64" },
        { "\"F64\"", "\"I64\"", "does not fit A, which needs 32 x 32 numbers of F64" },
        { "layers.2.values", "layers.3.values", "tensor layers.3.values is none of a file of gauges for A" },
        { "layers.0.values", "layers.0.valuez", "tensor layers.0.valuez is none" },
        { "stream.0.basis", "stream.1.basis", "A has skips around its MLPs" } };
    char *A = drawn(SMALL_LLAMA, NUMBERS_F32), *B = reduced(A, "--apply=triangle,values --untie");
    char *path = temp_path(B, GAUGES);
    for (size_t k = 0; k < COUNT(of); k++) {
        file_bytes f = bytes_of(B, GAUGES);
        exchange(&f, of[k].from, of[k].to);
        is_refused(A, B, &f, of[k].says);
    }
    file_bytes f = bytes_of(B, GAUGES);
    numbers_of(&f, path, "layers.1.values")[5] = NAN;
    is_refused(A, B, &f, "tensor layers.1.values holds nan");
    f = bytes_of(B, GAUGES);
    numbers_of(&f, path, "stream.0.basis")[7] = INFINITY;
    is_refused(A, B, &f, "tensor stream.0.basis holds inf");
    f = bytes_of(B, GAUGES);
    memset(numbers_of(&f, path, "layers.1.values") + 64, 0, 64 * sizeof(double));
    is_refused(A, B, &f, "layers.1.values is singular, so that it is no change of basis");
    f = bytes_of(B, GAUGES);
    memset(numbers_of(&f, path, "stream.0.basis"), 0, 32 * sizeof(double));
    is_refused(A, B, &f, "stream.0.basis is singular");
    f = bytes_of(B, GAUGES);
    f.n -= 8;
    is_refused(A, B, &f, "its offsets lead out of the file");
    f.n = 40;
    is_refused(A, B, &f, "cut off");
}
END_TEST

/* What would make the image another function. */
START_TEST(gauges_that_are_none)
{
    char *A = drawn(SMALL_LLAMA, NUMBERS_F32), *B = reduced(A, "--apply=pairs"), *path = temp_path(B, GAUGES);
    for (int k = 0; k < 4; k++) {                        /* (0, 1), (0, 0) alone, the pair's sign, what is between pairs */
        file_bytes f = bytes_of(B, GAUGES);
        loose_double *G = numbers_of(&f, path, "layers.2.queries") + 64;
        if (k == 0) G[1] = 1e-9;
        else if (k == 1) G[0] *= 1.001;
        else if (k == 2) G[4] = -G[4];
        else G[8 * 5 + 2] = 1e-9;
        is_refused(A, B, &f, "tensor layers.2.queries: it does not commute with the rotations of the positions");
    }
    file_bytes shift = made(A, B, "stream.0.shift", "32", 32);
    is_refused(A, B, &shift, "tensor stream.0.shift: behind a norm the stream cannot be shifted");
    char *C = drawn(SMALL_QWEN3, NUMBERS_F32), *D = reduced(C, "--apply=values");
    file_bytes twice = made(C, D, "layers.0.queries", "2,8,8", 128);
    is_refused(C, D, &twice, "tensor layers.0.queries: queries and keys are normalised, and it is not the identity");
}
END_TEST

START_TEST(of_other_models)
{
    char *A = drawn(SMALL_LLAMA, NUMBERS_F32), *B = reduced(A, "--apply=values"), *C = reduced(A, "--apply=pairs");
    ck_assert(check(A, B, temp_path(C, GAUGES)) == 2 && strstr(output, "its image.sha256 is not that of B"));
    ck_assert(check(C, B, temp_path(B, GAUGES)) == 2 && strstr(output, "its original.sha256 is not that of A"));
    ck_assert(check(C, A, temp_path(B, GAUGES)) == 2 && strstr(output, "it is about two other files"));
    ck_assert(check(B, A, temp_path(B, GAUGES)) == 2 && strstr(output, "exchange the two"));
    const char *of_c = temp_format("--gauges='%s/" GAUGES "'", C), *of_b = temp_format("--gauges='%s/" GAUGES "'", B);
    ck_assert_msg(verify(A, B, of_c) == 2 && strstr(output, "does not fit: its image.sha256 is not that of B"), "%s", output);
    ck_assert_msg(verify(C, B, of_b) == 2 && strstr(output, "does not fit: its original.sha256 is not that of A"), "%s", output);
    ck_assert_msg(verify(C, A, of_b) == 2 && strstr(output, "does not fit: it is about two other files"), "%s", output);
    ck_assert_msg(verify(B, A, of_b) == 2 && strstr(output, "it says how A was made of B: exchange the two"), "%s", output);
    ck_assert_msg(verify(C, B, "") == 0 && strstr(output, GAUGES " is not used: its original.sha256") && !strstr(output, USED), "%s", output);
    json_t *o = said(C, B, ""), *gauges = json_object_get(o, "gauges");
    ck_assert(json_is_null(json_object_get(gauges, "file")) && json_is_false(json_object_get(gauges, "used")));
    ck_assert(strstr(json_string_value(json_object_get(gauges, "why_not")), "original.sha256"));
    json_decref(o);
    ck_assert_msg(verify(A, B, temp_format("--gauges='%s/none'", A)) == 2 && strstr(output, "cannot read"), "%s", output);
    ck_assert_msg(verify(A, B, temp_format("%s --base='%s'", of_b, A)) == 0 && strstr(output, USED), "%s", output);
}
END_TEST

/* One number of a gauge is 1e-3 off, in each kind: an image, but not B's; the search has to go on. */
START_TEST(gauges_that_are_off)
{
    static const numbers_type types[] = { NUMBERS_F64, NUMBERS_F32 };
    for (size_t t = 0; t < COUNT(types); t++) {
        static const char *const name[] = { "stream.0.basis", "layers.0.values", "layers.2.values", "layers.1.queries" };
        for (size_t k = 0; k < COUNT(name); k++) {
            const bool queries = strstr(name[k], "queries");
            char *A = drawn(queries ? SMALL_GPT2 : SMALL_LLAMA, types[t]);
            char *B = reduced(A, queries ? "--apply=values,queries" : "--untie"), *path = temp_path(B, GAUGES);
            ck_assert(is_used(A, B, ""));
            file_bytes own = bytes_of(B, GAUGES), f = bytes_of(B, GAUGES);
            numbers_of(&f, path, name[k])[9] += 1e-3;
            temp_write(B, GAUGES, f.bytes, f.n);
            ck_assert_msg(check(A, B, path) == 1 && strstr(output, " are allowed"), "%s: %s", name[k], output);
            verify(A, B, "");
            ck_assert_msg(strstr(output, "do not make B of A: ") && strstr(output, " units of its type away, and ") && !strstr(output, USED), "%s: %s", name[k], output);
            ck_assert(!is_used(A, B, ""));
            json_t *o = said(A, B, temp_format("--gauges='%s'", path)), *gauges = json_object_get(o, "gauges");
            ck_assert_str_eq(json_string_value(json_object_get(gauges, "file")), path);
            ck_assert(strstr(json_string_value(json_object_get(gauges, "why_not")), " are allowed"));
            json_decref(o);
            temp_write(B, GAUGES, own.bytes, own.n);
        }
    }
}
END_TEST

/* B is changed after it was written, and its gauges made to say that they are about that B. */
START_TEST(numbers_that_are_off)
{
    static const struct { const char *name; double units; } part[] = {
        { "model.layers.1.mlp.down_proj.weight", 4 }, { "model.layers.0.input_layernorm.weight", 4 }, { "model.embed_tokens.weight", 4 },
        { "model.layers.0.self_attn.k_proj.weight", 4 }, { "model.layers.2.self_attn.v_proj.weight", 64 },
        { "model.layers.2.self_attn.o_proj.weight", 64 } };
    for (size_t k = 0; k < COUNT(part); k++) {
        char *A = drawn(SMALL_LLAMA, NUMBERS_F32), *B = reduced(A, "--apply=values"), *path = temp_path(B, "model.safetensors");
        file_bytes own = bytes_of(B, "model.safetensors"), gauges = bytes_of(B, GAUGES);
        char *before = sum_of(B);
        safetensors s = safetensors_index(path);
        const safetensor *t = safetensors_find(&s, part[k].name);
        ck_assert_msg(t, "%s", part[k].name);
        float x, most = 0;
        size_t at = 0;
        for (size_t i = 0; i < t->n; i++) {
            memcpy(&x, own.bytes + t->from + 4 * i, 4);
            if (fabsf(x) > most) most = fabsf(x), at = i;
        }
        memcpy(&x, own.bytes + t->from + 4 * at, 4);
        x += (float)(part[k].units * small_ulp(NUMBERS_F32, fabs((double)x)));
        memcpy(own.bytes + t->from + 4 * at, &x, 4);
        safetensors_free(&s);
        temp_write(B, "model.safetensors", own.bytes, own.n);
        const int without = verify(A, B, "");
        ck_assert_msg((without == 1 || without == 3) && strstr(output, "is not used: its image.sha256"), "%s: %s", part[k].name, output);
        exchange(&gauges, before, sum_of(B));
        temp_write(B, GAUGES, gauges.bytes, gauges.n);
        ck_assert_msg(check(A, B, temp_path(B, GAUGES)) == 1 && strstr(output, part[k].name), "%s: %s", part[k].name, output);
        const int status = verify(A, B, "");
        ck_assert_msg((status == 1 || status == 3) && strstr(output, temp_format("do not make B of A: %s is ", part[k].name)) && !strstr(output, USED), "%s: %d %s", part[k].name, status,
                      output);
    }
}
END_TEST

/* Columns v_0 and v_1 = v_0 + n / c of W_V, c = 2^14, and a gauge that makes n of v_1: roundings of its terms would hide
 * 2^-6 n; what is off by 2^-18 is no image all the same.  Of c = 2^20 nothing follows. */
START_TEST(a_gauge_of_large_numbers)
{
    for (int k = 0; k < 3; k++) {
        const int off = k == 1;
        const double c = k == 2 ? 0x1p20 : 0x1p14;
        small_model a = small_model_draw(SMALL_LLAMA, NUMBERS_F32);
        double *v = small_part(&a, ROLE_V, 1)->x;
        const long cols = small_part(&a, ROLE_V, 1)->cols, dk = a.dk, d = a.d;
        for (long r = 0; r < d; r++) {
            v[r * cols] = (double)(2 * (r % 7) - 7) / 8;
            v[r * cols + 1] = v[r * cols] + (double)(r % 5 + 1) / 8 / c;
        }
        small_model b = small_model_copy(&a);
        double *w = small_part(&b, ROLE_V, 1)->x, *o = small_part(&b, ROLE_O, 1)->x;
        for (long r = 0; r < d; r++) w[r * cols + 1] = (double)(r % 5 + 1) / 8 + (off ? r % 3 ? 0x1p-18 : -0x1p-18 : 0);
        for (long q = 0; q < a.h / a.kv; q++)            /* H = (1, -c; 0, c), H^-1 = (1, 1; 0, 1/c) */
            for (long j = 0; j < d; j++) {
                double *row = o + q * dk * d + j;
                row[0] = small_round(NUMBERS_F32, row[0] + row[d]);
                row[d] /= c;
            }
        char *A = small_model_save(&a, NUMBERS_F32), *B = small_model_save(&b, NUMBERS_F32);
        file_bytes f = made(A, B, "layers.1.values", temp_format("%ld,%ld,%ld", a.kv, dk, dk), a.kv * dk * dk);
        loose_double *H = numbers_of(&f, temp_write(B, GAUGES, f.bytes, f.n), "layers.1.values");
        for (long i = 0; i < a.kv * dk * dk; i++) H[i] = i % (dk * dk) / dk == i % dk;
        H[1] = -c;
        H[dk + 1] = c;
        ck_assert_msg(check(A, B, temp_write(B, GAUGES, f.bytes, f.n)) == (k > 0), "%d: %s", k, output);
        verify(A, B, "");
        ck_assert_msg(strstr(output, k == 2 ? "has the condition number" : off ? "do not make B of A: model.layers.1.self_attn.v_proj.weight is " : USED), "%d: %s", k, output);
        small_model_free(&a);
        small_model_free(&b);
    }
}
END_TEST

/* A coordinate of each head that W_O does not read: that its rows are dependent decides nothing about noise in the others,
 * neither for gauges of a file nor for fitted ones. */
START_TEST(noise_beside_a_dead_coordinate)
{
    for (int noise = 0; noise < 2; noise++) {
        small_model a = small_model_draw(SMALL_LLAMA, NUMBERS_BF16);
        const long cols = small_part(&a, ROLE_V, 1)->cols, dk = a.dk, d = a.d;
        double *o = small_part(&a, ROLE_O, 1)->x;
        for (long q = 0; q < a.h; q++) for (long j = 0; j < d; j++) o[q * dk * d + j] = 0;
        small_model b = small_model_copy(&a);
        double *w = small_part(&b, ROLE_V, 1)->x;
        o = small_part(&b, ROLE_O, 1)->x;
        for (long r = 0; r < d; r++) for (long g = 0; g < a.kv; g++) w[r * cols + g * dk + 2] += 8 * w[r * cols + g * dk + 1];
        for (long q = 0; q < a.h; q++)                   /* H = I + 8 e_1 e_2', H^-1 = I - 8 e_1 e_2' */
            for (long j = 0; j < d; j++) o[(q * dk + 1) * d + j] -= 8 * o[(q * dk + 2) * d + j];
        for (long k = 0; noise && k < a.h * dk * d; k++)                     /* 2 % of what was added to */
            if (k / d % dk == 1) o[k] *= 1 + 0.006 * (double)(k * 37 % 11 - 5);
        char *A = small_model_save(&a, NUMBERS_BF16), *B = small_model_save(&b, NUMBERS_BF16);
        file_bytes f = made(A, B, "layers.1.values", temp_format("%ld,%ld,%ld", a.kv, dk, dk), a.kv * dk * dk);
        loose_double *H = numbers_of(&f, temp_write(B, GAUGES, f.bytes, f.n), "layers.1.values");
        for (long i = 0; i < a.kv * dk * dk; i++) H[i] = i % (dk * dk) / dk == i % dk ? 1 : i % (dk * dk) == dk + 2 ? 8 : 0;
        ck_assert_msg(check(A, B, temp_write(B, GAUGES, f.bytes, f.n)) == noise, "%d: %s", noise, output);
        const int with = verify(A, B, ""), kept = unlink(temp_path(B, GAUGES)), without = verify(A, B, "");
        ck_assert_msg(kept == 0 && (noise ? with != 0 && without != 0 : with == 0 && without == 0), "%d: %d %d: %s", noise, with, without, output);
        small_model_free(&a);
        small_model_free(&b);
    }
}
END_TEST

/* ---- folders ----------------------------------------------------------------------------------------------------- */

START_TEST(folders)
{
    char *A = drawn(SMALL_LLAMA, NUMBERS_F32), *B = reduced(A, "--apply=values"), *out = temp_folder();
    temp_only(B, "@(model.safetensors|config.json|" GAUGES ")");
    ck_assert_msg(run_command(output, ROOM, "%s/provably inspect '%s' 2>&1", build_folder(), B) == 0, "%s", output);
    temp_text(out, GAUGES, "mine");
    ck_assert_msg(reduce(A, out, "") == 2 && strstr(output, GAUGES " is there already"), "%s", output);
    ck_assert_str_eq(temp_read(out, GAUGES, NULL), "mine");
    char *forced = temp_path(temp_folder(), "x"), *G = drawn(SMALL_GPT2, NUMBERS_F32);
    ck_assert_msg(reduce(G, forced, "--untie --force --apply=no-layernorm") == 0 && strstr(output, "There is no " GAUGES ": it is another function"), "%s", output);
    ck_assert(!temp_exists(forced, GAUGES));
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("gauges");
    const struct { const char *name; const TTest *test; } of[] = {
#define CASE(test) { #test, test }
        CASE(each_model), CASE(what_no_search_finds), CASE(certificates), CASE(malformed), CASE(gauges_that_are_none), CASE(of_other_models),
        CASE(gauges_that_are_off), CASE(numbers_that_are_off), CASE(a_gauge_of_large_numbers), CASE(noise_beside_a_dead_coordinate), CASE(folders) };
    for (size_t k = 0; k < COUNT(of); k++) {                           /* CK_RUN_CASE=NAME: that one alone */
        TCase *one = tcase_create(of[k].name);
        tcase_set_timeout(one, 120);
        tcase_add_test(one, of[k].test);
        suite_add_tcase(suite, one);
    }
    return run_suite(suite, argc, argv);
}
