/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_reduce.c - seconds and memory of inspect, reduce and verify on a model of GPT-2-small's shape that is written here.
 *
 *     b_reduce [L d h V T [FOLDER [MODEL]]]
 *
 * Without sizes a model that takes a second; with FOLDER the files stay there, and those that are there are not made
 * again; with MODEL that one alone.  Two models, their numbers drawn as GPT-2's are before training:
 *     ln-free      GPT-2's names, the head tied; LayerNorm with eps = 1e12 and gains around 1e6, which is how GPT-2
 *                  without LayerNorm is published: K-R2, K-R4
 *     no-norms     a run of `provably train` without norms, a head of its own: K-T4.2
 * Of each, W_Q of the layer that `reduce` chooses becomes the identity.  A line is one command: its seconds, those of
 * all its threads together, the most memory of its own and the most pages of mapped files that it had, in MB of 10^6
 * bytes and as looked at every 5 ms, the most of both together as the system counts it, its exit status.  Pages of a
 * mapped file are the system's to take back, and a process keeps as many as there is room for. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "numerics/random.h"
#include "src/base/text.h"
#include "src/data/safetensors.h"
#include "tests/support/cost.h"

typedef struct { long L, d, h, V, T; } sizes;

/* ---- models ------------------------------------------------------------------------------------------------------ */

/* Numbers of that deviation around `middle`, 24 bits each; the stream of draws is named after the tensor. */
static void drawn(safetensors *s, const char *name, int rank, long rows, long cols, double middle, double deviation)
{
    const uint64_t from[2] = { 17, 0 };
    uint64_t key[2];
    random_key_derive(key, from, name);
    const long n = rows * cols;
    int64_t *m = must_calloc((size_t)n, sizeof *m);
    float *x = must_calloc((size_t)n, sizeof *x);
    random_gauss24_run(m, key, 0, n);
    for (long k = 0; k < n; k++) x[k] = (float)(middle + deviation * 0x1p-35 * (double)m[k]);
    safetensors_tensor(s, name, rank, rank == 1 ? &cols : (long[]){ rows, cols }, x);
    free(m);
    free(x);
}

static void drawn_at(safetensors *s, const char *pattern, long layer, int rank, long rows, long cols, double middle,
                     double deviation)
{
    const char *at = strchr(pattern, '#');
    char *name = must_format("%.*s%ld%s", (int)(at - pattern), pattern, layer, at + 1);
    drawn(s, name, rank, rows, cols, middle, deviation);
    free(name);
}

static void write_text(const char *folder, const char *name, const char *text)
{
    char *path = must_format("%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f)) die("cannot write %s", path);
    free(path);
}

/* sqrt(eps): what gains are multiplied by; with gains around 1 the variance of the stream stays far below eps. */
enum { UNDER = 1000000 };

static void write_ln_free(const sizes *z, const char *folder)
{
    safetensors s = { .tensors = 0 };
    const long d = z->d;
    drawn(&s, "transformer.wte.weight", 2, z->V, d, 0, 0.02);
    drawn(&s, "transformer.wpe.weight", 2, z->T, d, 0, 0.02);
    for (long i = 0; i < z->L; i++) {
        static const char *const norm[] = { "transformer.h.#.ln_1.weight", "transformer.h.#.ln_1.bias",
                                            "transformer.h.#.ln_2.weight", "transformer.h.#.ln_2.bias" };
        static const struct { const char *weight, *bias; int in, out; } of[] = {
            { "transformer.h.#.attn.c_attn.weight", "transformer.h.#.attn.c_attn.bias", 1, 3 },
            { "transformer.h.#.attn.c_proj.weight", "transformer.h.#.attn.c_proj.bias", 1, 1 },
            { "transformer.h.#.mlp.c_fc.weight", "transformer.h.#.mlp.c_fc.bias", 1, 4 },
            { "transformer.h.#.mlp.c_proj.weight", "transformer.h.#.mlp.c_proj.bias", 4, 1 } };
        for (int k = 0; k < 4; k++)
            drawn_at(&s, norm[k], i, 1, 1, d, k % 2 ? 0 : UNDER, k % 2 ? 0.02 : 0.1 * UNDER);
        for (int k = 0; k < 4; k++) {
            drawn_at(&s, of[k].weight, i, 2, of[k].in * d, of[k].out * d, 0, 0.02);
            drawn_at(&s, of[k].bias, i, 1, 1, of[k].out * d, 0, 0.02);
        }
    }
    drawn(&s, "transformer.ln_f.weight", 1, 1, d, UNDER, 0.1 * UNDER);
    drawn(&s, "transformer.ln_f.bias", 1, 1, d, 0, 0.02);
    char *path = must_format("%s/model.safetensors", folder);
    char *config = must_format("{\"model_type\": \"gpt2\", \"n_embd\": %ld, \"n_layer\": %ld, \"n_head\": %ld, "
                               "\"n_positions\": %ld, \"vocab_size\": %ld, \"layer_norm_epsilon\": 1e12, "
                               "\"activation_function\": \"gelu_new\", "
                               "\"tie_word_embeddings\": true}\n", d, z->L, z->h, z->T, z->V);
    safetensors_write(&s, path);
    write_text(folder, "config.json", config);
    safetensors_free(&s);
    free(path);
    free(config);
}

static void write_no_norms(const sizes *z, const char *folder)
{
    safetensors s = { .tensors = 0 };
    const long d = z->d;
    char *model = must_format("L=%ld d=%ld h=%ld m=%ld T=%ld V=%ld query=1 factor=1 tied=0 norm=0 skips=11 std=0.02",
                              z->L, d, z->h, 4 * d, z->T, z->V);
    safetensors_text(&s, "model", model);
    drawn(&s, "wte", 2, z->V, d, 0, 0.02);
    drawn(&s, "wpe", 2, z->T, d, 0, 0.02);
    for (long i = 0; i < z->L; i++) {
        static const struct { const char *name; int in, out; } of[] = {
            { "h.#.attn.q", 1, 1 }, { "h.#.attn.k", 1, 1 }, { "h.#.attn.v", 1, 1 }, { "h.#.attn.o", 1, 1 },
            { "h.#.mlp.fc", 1, 4 }, { "h.#.mlp.proj", 4, 1 } };
        for (size_t k = 0; k < COUNT(of); k++)                          /* out x in */
            drawn_at(&s, of[k].name, i, 2, of[k].out * d, of[k].in * d, 0, 0.02);
    }
    drawn(&s, "head", 2, z->V, d, 0, 0.02);
    char *path = must_format("%s/model.safetensors", folder);
    safetensors_write(&s, path);
    safetensors_free(&s);
    free(path);
    free(model);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static void row(const char *model, const char *what, const char *out, char *const command[])
{
    const cost c = cost_of(out, command);
    printf("%-10s %-18s %8.1f %8.1f %8ld %9ld %8ld %6d\n", model, what, c.seconds, c.cpu, c.own, c.mapped, c.megabytes,
           c.status);
    fflush(stdout);
}

static void rows(const char *provably, const char *folder, const char *model, const char *apply)
{
    char *file = must_format("%s/%s/model.safetensors", folder, model);
    char *to = must_format("%s/%s-reduced", folder, model), *out = must_format("%s/printed", folder);
    char *program = must_strdup(provably), *one = must_format("--apply=%s", apply);
    char *into = must_format("--out=%s", to);
#define ROW(what, ...) row(model, what, out, (char *const[]){ program, __VA_ARGS__, NULL })
    ROW("inspect", "inspect", file);
    if (!cost_is_there(to)) ROW("reduce", "reduce", file, into, one, "--untie");
    ROW("verify", "verify", file, to);
    ROW("verify --certified", "verify", file, to, "--certified", "--bits=512");     /* 256: wide after 12 layers */
#undef ROW
    free(file), free(to), free(out), free(program), free(one), free(into);
}

static void written(const char *folder, const char *model, const sizes *z, void (*write)(const sizes *, const char *))
{
    char *to = must_format("%s/%s", folder, model);
    if (cost_is_there(to)) {
        free(to);
        return;
    }
    if (mkdir(to, 0777) != 0) die("cannot make %s; name a folder that is empty", to);
    write(z, to);
    free(to);
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    if (argc != 1 && (argc < 6 || argc > 8)) die("b_reduce takes L d h V T [FOLDER [MODEL]], or nothing");
    sizes z = { 2, 64, 4, 1000, 64 };
    if (argc > 5) z = (sizes){ atol(argv[1]), atol(argv[2]), atol(argv[3]), atol(argv[4]), atol(argv[5]) };
    cost_folder own = cost_folder_enter(argc > 6 ? argv[6] : NULL);
    const char *folder = own.path, *alone = argc > 7 ? argv[7] : NULL;
    char *provably = cost_provably(argv[0]);
    static const struct { const char *name, *apply; void (*write)(const sizes *, const char *); } models[] = {
        { "ln-free", "no-layernorm", write_ln_free }, { "no-norms", "one-query", write_no_norms } };
    printf("L = %ld, d = %ld, h = %ld, V = %ld, T = %ld\n", z.L, z.d, z.h, z.V, z.T);
    printf("%-10s %-18s %8s %8s %8s %9s %8s %6s\n", "model", "command", "s", "CPU s", "own MB", "mapped MB", "MB",
           "status");
    for (size_t k = 0; k < COUNT(models); k++) {
        if (alone && strcmp(alone, models[k].name) != 0) continue;
        written(folder, models[k].name, &z, models[k].write);
        rows(provably, folder, models[k].name, models[k].apply);
    }
    cost_folder_leave(&own);
    free(provably);
    return 0;
}
