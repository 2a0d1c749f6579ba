/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_verify.c - what `verify` costs beside reading both files, on pairs of Llama's shape in bfloat16 that are made here.
 *
 *     b_verify [L d h kv m V ROUNDS [FOLDER]]
 *
 * Without sizes a model that takes a second; with FOLDER the files stay there, and those that are there are not made again.
 * Beside A, of drawn numbers:
 *     copy     the same bytes
 *     stored   the same tensors in a file whose header holds a text more
 *     perm     the neurons of each MLP in another order
 *     other    each number another, by a few units in its last place; `name` is A, and `named` is that, as an architecture
 *              that is not known
 * and beside `verify` of these, in each round and in turn: `cmp` of A and its copy; a loop in Python, where PYTHON names one
 * that has numpy (bench_verify.py: np.allclose of all tensors in float32); the table of tensors alone, `tensors`, which is
 * what of `verify` that loop computes.  `verify A other`, which looks for symmetries that are not there, is measured once.  A line is one of these: the fewest seconds of all rounds, the seconds that all its
 * threads took then, the most memory of its own and mapped, in MB, and its exit status (cost.h).  Behind them the ratios. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "numerics/random.h"
#include "src/base/text.h"
#include "src/checkpoint/structure.h"
#include "src/checkpoint/transformer.h"
#include "tests/support/cost.h"

typedef struct { long L, d, h, kv, m, V; } sizes;

/* ---- files ------------------------------------------------------------------------------------------------------- */

typedef enum { AS_DRAWN, PERM, OTHER, FORMS } form;
enum { STORED = FORMS, COPY, FILES };    /* of AS_DRAWN's numbers, too                                  */
static const char *const file_name[FILES] = { "A", "perm", "other", "stored", "copy" };

typedef struct { const char *name; long rows, cols; bool of_neurons; } part;
static const part within[] = { { "input_layernorm", 0, 0, false }, { "mlp.down_proj", 'd', 'm', true },
    { "mlp.gate_proj", 'm', 'd', true }, { "mlp.up_proj", 'm', 'd', true }, { "post_attention_layernorm", 0, 0, false },
    { "self_attn.k_proj", 'k', 'd', false }, { "self_attn.o_proj", 'd', 'd', false }, { "self_attn.q_proj", 'd', 'd', false },
    { "self_attn.v_proj", 'k', 'd', false } };

static long side(const sizes *z, long which)
{
    return which == 'd' ? z->d : which == 'm' ? z->m : which == 'k' ? z->kv * (z->d / z->h) : which;
}

/* Half a float, to nearest but for ties. */
static uint16_t brain_of(double x)
{
    const float single = (float)x;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return (uint16_t)((bits + 0x8000) >> 16);
}

/* Neuron j of `perm` is neuron (a j + b) mod m of A, a without a common factor. */
static long neuron(const sizes *z, long j)
{
    long a = 2 * (z->m / 3) + 1;
    for (long x = a, y = z->m; ; ) {
        while (y) { const long r = x % y; x = y; y = r; }
        if (x == 1) break;
        x = a += 2, y = z->m;
    }
    return (a * j + 1) % z->m;
}

static void form_of(const sizes *z, form as, const part *p, long rows, long cols, const uint16_t *x, uint16_t *to)
{
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < cols; c++) {
            const bool moved = as == PERM && p && p->of_neurons;
            const long i = moved && p->rows == 'm' ? neuron(z, r) : r, j = moved && p->cols == 'm' ? neuron(z, c) : c;
            const long k = i * cols + j;
            const uint64_t hash = (uint64_t)k * 0x9e3779b97f4a7c15;
            to[r * cols + c] = as == OTHER ? (uint16_t)(x[k] ^ (1 + (hash >> 40) % 15)) : x[k];
        }
}

typedef struct { FILE *f[FORMS + 1]; uint64_t tensor; } files;

static void put(const sizes *z, files *to, const part *p, long rows, long cols, double middle, double deviation)
{
    const uint64_t key[2] = { 17, to->tensor++ };
    const long n = rows * cols;
    int64_t *m = must_calloc((size_t)n, sizeof *m);
    uint16_t *x = must_calloc((size_t)n, sizeof *x), *y = must_calloc((size_t)n, sizeof *y);
    random_gauss24_run(m, key, 0, n);
    for (long k = 0; k < n; k++) x[k] = brain_of(middle + deviation * 0x1p-35 * (double)m[k]);
    for (int as = 0; as <= FORMS; as++) {
        if (as < FORMS) form_of(z, (form)as, p, rows, cols, x, y);
        if (fwrite(as < FORMS ? y : x, 2, (size_t)n, to->f[as]) != (size_t)n) die("cannot write %s", file_name[as]);
    }
    free(m);
    free(x);
    free(y);
}

static void entry(text_buffer *to, size_t *at, const char *name, long rows, long cols)
{
    const size_t end = *at + 2 * (size_t)(rows ? rows * cols : cols);
    text_add(to, "%s\"%s.weight\":{\"dtype\":\"BF16\",\"shape\":[", to->at && strlen(to->at) > 1 ? "," : "", name);
    if (rows) text_add(to, "%ld,", rows);
    text_add(to, "%ld],\"data_offsets\":[%zu,%zu]}", cols, *at, end);
    *at = end;
}

static void header(FILE *f, const sizes *z, bool text)
{
    text_buffer to = { 0 };
    size_t at = 0;
    text_add(&to, "{%s", text ? "\"__metadata__\":{\"format\":\"pt\"}" : "");
    entry(&to, &at, "lm_head", z->V, z->d);
    entry(&to, &at, "model.embed_tokens", z->V, z->d);
    for (long i = 0; i < z->L; i++)
        for (size_t k = 0; k < COUNT(within); k++) {
            char *name = must_format("model.layers.%ld.%s", i, within[k].name);
            entry(&to, &at, name, side(z, within[k].rows), within[k].cols ? side(z, within[k].cols) : z->d);
            free(name);
        }
    entry(&to, &at, "model.norm", 0, z->d);
    text_add(&to, "}");
    while (strlen(to.at) % 8) text_add(&to, " ");
    const uint64_t length = strlen(to.at);
    if (fwrite(&length, 8, 1, f) != 1 || fputs(to.at, f) < 0) die("cannot write a header");
    text_clear(&to);
}

static void write_config(const sizes *z, const char *path, const char *type)
{
    FILE *f = fopen(path, "w");
    if (!f || fprintf(f, "{\"model_type\":\"%s\",\"hidden_size\":%ld,\"num_hidden_layers\":%ld,\"num_attention_heads\":%ld,"
            "\"num_key_value_heads\":%ld,\"intermediate_size\":%ld,\"vocab_size\":%ld,\"max_position_embeddings\":2048,"
            "\"rms_norm_eps\":1e-05,\"rope_theta\":10000.0,\"hidden_act\":\"silu\",\"tie_word_embeddings\":false}\n", type,
            z->d, z->L, z->h, z->kv, z->m, z->V) < 0 || fclose(f)) die("cannot write %s", path);
}

static char *in(const char *folder, const char *name, const char *file)
{
    return must_format("%s/%s%s%s", folder, name, *file ? "/" : "", file);
}

static void shell(const char *fmt, const char *x, const char *y)
{
    char *command = must_format(fmt, x, y);
    if (system(command) != 0) die("this failed: %s", command);
    free(command);
}

/* A folder for each, and for those whose architecture is not known links to the same files. */
static void make(const sizes *z, const char *folder)
{
    files to = { .tensor = 0 };
    char *last = in(folder, "named", "");
    const bool made = cost_is_there(last);
    free(last);
    if (made) return;
    for (int k = 0; k < FILES; k++) {
        char *path = in(folder, file_name[k], ""), *config = in(folder, file_name[k], "config.json"),
             *file = in(folder, file_name[k], "model.safetensors");
        if (mkdir(path, 0777) != 0) die("cannot make %s; name a folder that is empty", path);
        write_config(z, config, "llama");
        if (k <= FORMS && !(to.f[k] = fopen(file, "wb"))) die("cannot write %s", file);
        if (k <= FORMS) header(to.f[k], z, k == STORED);
        free(path), free(config), free(file);
    }
    put(z, &to, NULL, z->V, z->d, 0, 0.02);
    put(z, &to, NULL, z->V, z->d, 0, 0.02);
    for (long i = 0; i < z->L; i++)
        for (size_t k = 0; k < COUNT(within); k++) {
            const bool gain = !within[k].rows;
            put(z, &to, &within[k], gain ? 1 : side(z, within[k].rows), gain ? z->d : side(z, within[k].cols), gain, gain ? 0.1 : 0.02);
        }
    put(z, &to, NULL, 1, z->d, 1, 0.1);
    for (int k = 0; k <= FORMS; k++) if (fclose(to.f[k])) die("cannot write %s", file_name[k]);
    shell("cp %s/A/model.safetensors %s/copy", folder, folder);
    static const char *const linked[] = { "name", "named" };
    for (int k = 0; k < 2; k++) {
        char *path = in(folder, linked[k], ""), *config = in(folder, linked[k], "config.json"),
             *file = in(folder, linked[k], "model.safetensors"), *target = must_format("../%s/model.safetensors", k ? "other" : "A");
        if (mkdir(path, 0777) != 0 || symlink(target, file) != 0) die("cannot make %s; name a folder that is empty", path);
        write_config(z, config, "not-known");
        free(path), free(config), free(file), free(target);
    }
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

typedef enum { CMP, LOOP, VERIFY_COPY, VERIFY_STORED, TENSORS_OTHER, VERIFY_NAMED, VERIFY_PERM, VERIFY_OTHER, COMMANDS } command;
static const struct { const char *name, *with; int status; } commands[COMMANDS] = {
    [CMP] = { "cmp A copy", "copy", 0 }, [LOOP] = { "allclose A other", "other", 1 },
    [VERIFY_COPY] = { "verify A copy", "copy", 0 }, [VERIFY_STORED] = { "verify A stored", "stored", 0 },
    [TENSORS_OTHER] = { "tensors A other", "other", 1 }, [VERIFY_NAMED] = { "verify name named", "named", 1 },
    [VERIFY_PERM] = { "verify A perm", "perm", 0 }, [VERIFY_OTHER] = { "verify A other", "other", 1 } };

/* This program, as `b_verify tensors A B`: the table of tensors. */
static int tensors(const char *a, const char *b)
{
    weights w[2] = { weights_open(a), weights_open(b) };
    transformer D[2] = { transformer_of(&w[0]), transformer_of(&w[1]) };
    structure s = structure_of(&D[0], &D[1], NULL);
    const bool same = structure_same(&s);
    printf("%ld of %ld hold the same numbers\n", s.equal, s.compared);
    structure_free(&s);
    for (int k = 0; k < 2; k++) transformer_free(&D[k]), weights_close(&w[k]);
    return same ? 0 : 1;
}

static cost measured(command c, const char *folder, const char *self, const char *provably, const char *script)
{
    const char *python = getenv("PYTHON");
    const bool raw = c == CMP || c == LOOP;
    char *a = in(folder, c == VERIFY_NAMED ? "name" : "A", raw ? "model.safetensors" : "");
    char *b = in(folder, commands[c].with, raw ? "model.safetensors" : ""), *out = in(folder, "printed", "");
    char *const with[COMMANDS][6] = { [CMP] = { "cmp", "-s", a, b, NULL },
        [LOOP] = { (char *)(uintptr_t)python, (char *)(uintptr_t)script, a, b, NULL },
        [TENSORS_OTHER] = { (char *)(uintptr_t)self, "tensors", a, b, NULL } };
    char *const verify[] = { (char *)(uintptr_t)provably, "verify", a, b, NULL };
    const cost is = cost_of(out, with[c][0] ? with[c] : verify);
    free(a), free(b), free(out);
    return is;
}

static void ratio(const char *what, double x, double of, const char *aim)
{
    if (x > 0 && of > 0) printf("ratio: %-42s %8.2f   (aim: %s)\n", what, x / of, aim);
}

static void measure(const char *folder, long rounds, const char *self, const char *provably, const char *script)
{
    cost best[COMMANDS] = { { .seconds = 0 } };
    for (long r = 0; r < rounds; r++)
        for (int c = 0; c < COMMANDS; c++) {
            if ((c == LOOP && !getenv("PYTHON")) || (c == VERIFY_OTHER && r > 0)) continue;
            const cost is = measured((command)c, folder, self, provably, script);
            if (r == 0 || is.seconds < best[c].seconds) best[c] = is;
        }
    printf("%-20s %8s %8s %8s %9s %6s\n", "command", "s", "CPU s", "own MB", "mapped MB", "status");
    for (int c = 0; c < COMMANDS; c++) {
        if (best[c].seconds == 0) continue;
        printf("%-20s %8.2f %8.2f %8ld %9ld %6d\n", commands[c].name, best[c].seconds, best[c].cpu, best[c].own, best[c].mapped,
               best[c].status);
        if (best[c].status != commands[c].status) die("%s: exit status %d, not %d", commands[c].name, best[c].status, commands[c].status);
    }
    ratio("verify A copy / cmp", best[VERIFY_COPY].seconds, best[CMP].seconds, "at most 2");
    ratio("allclose A other / tensors A other", best[LOOP].seconds, best[TENSORS_OTHER].seconds, "at least 4");
    ratio("allclose A other / verify name named", best[LOOP].seconds, best[VERIFY_NAMED].seconds, "at least 4");
    ratio("verify A perm / allclose A other", best[VERIFY_PERM].seconds, best[LOOP].seconds, "about 1");
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    if (argc == 4 && strcmp(argv[1], "tensors") == 0) return tensors(argv[2], argv[3]);
    if (argc != 1 && argc != 8 && argc != 9) die("b_verify takes L d h kv m V ROUNDS [FOLDER], or nothing");
    sizes z = { 2, 64, 4, 2, 96, 1000 };
    if (argc > 7) z = (sizes){ atol(argv[1]), atol(argv[2]), atol(argv[3]), atol(argv[4]), atol(argv[5]), atol(argv[6]) };
    cost_folder own = cost_folder_enter(argc > 8 ? argv[8] : NULL);
    const char *folder = own.path;
    char *provably = cost_provably(argv[0]);
    printf("L = %ld, d = %ld, h = %ld, kv = %ld, m = %ld, V = %ld\n", z.L, z.d, z.h, z.kv, z.m, z.V);
    make(&z, folder);
    measure(folder, argc > 7 ? atol(argv[7]) : 1, argv[0], provably, "tests/bench_verify.py");
    cost_folder_leave(&own);
    free(provably);
    return 0;
}
