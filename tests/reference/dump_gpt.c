/* SPDX-License-Identifier: GPL-3.0-or-later
 * dump_gpt.c - the language model's variants for torch_gpt.py: initial weights, batches, gradients of the first step
 * and the losses of 100 steps with the whole optimizer.
 *
 *     dump_gpt VARIANT f32|f64 FILE            dump_gpt --list */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/base/outfile.h"
#include "src/train/gpt.h"
#include "tests/reference/tensors.h"

enum { STEPS = 100, B = 4 };

typedef struct { const char *name; gpt_config c; } variant;

/* Width 96 with the papers' sigma sqrt(d) = 0.554. */
static gpt_config baseline(void)
{
    return (gpt_config){ .L = 3, .d = 96, .h = 6, .m = 384, .T = 32, .V = 257, .factor = 1, .tied = true,
                         .norm = true, .attn_skip = true, .mlp_skip = true, .init_std = 0.554 / sqrt(96) };
}

enum { VARIANTS = 19 };
static variant variant_of(int k)
{
    gpt_config c = baseline();
    bool *I = c.identity;
    switch (k) {
    case 1:  c.factor = 0.5; return (variant){ "query-half", c };
    case 2:  I[GPT_QUERY] = true; c.factor = 0.5; return (variant){ "identity-half", c };
    case 3:  I[GPT_QUERY] = true; return (variant){ "identity", c };
    case 4:  c.tied = false; return (variant){ "untied", c };
    case 5:  I[GPT_QUERY] = true; c.tied = false; c.factor = 0.5; return (variant){ "identity-half-untied", c };
    case 6:  c.norm = false; return (variant){ "no-norm", c };
    case 7:  I[GPT_QUERY] = true; c.norm = false; return (variant){ "identity-no-norm", c };
    case 8:  c.attn_skip = false; return (variant){ "no-attention-skip", c };
    case 9:  c.mlp_skip = false; return (variant){ "no-mlp-skip", c };
    case 10: I[GPT_QUERY] = true; c.norm = c.mlp_skip = c.tied = false; return (variant){ "attention-skip-alone", c };
    case 11: I[GPT_QUERY] = true; c.factor = 0.5; c.m = 432; return (variant){ "identity-half-mlp-4.5", c };
    case 12: c.d = 93; c.h = 3; c.m = 372; return (variant){ "width-93", c };
    case 13: c.d = 93; c.h = 3; c.m = 372; c.pad = 8; return (variant){ "width-93-padded", c };
    case 14: I[GPT_KEY] = true; return (variant){ "identity-key", c };
    case 15: I[GPT_VALUE] = true; c.tied = false; return (variant){ "identity-value-untied", c };
    case 16: I[GPT_QUERY] = I[GPT_KEY] = true; return (variant){ "identity-query-key", c };
    case 17: I[GPT_QUERY] = I[GPT_VALUE] = true; c.norm = false; return (variant){ "identity-query-value-no-norm", c };
    case 18: I[GPT_QUERY] = I[GPT_KEY] = I[GPT_VALUE] = true; return (variant){ "identity-all", c };
    default: return (variant){ "query", c };
    }
}

/* An optimizer whose every part acts within 100 steps. */
static optim_config recipe(void)
{
    return (optim_config){ .peak = 2e-3, .least = 2e-4, .warmup = 10, .steps = 90, .beta1 = 0.9, .beta2 = 0.95,
                           .eps = 1e-8, .decay = 0.1, .clip = 0.5 };
}

static void describe(outfile *file, const gpt_config *c)
{
    fprintf(file->f, "text L %ld\ntext d %ld\ntext h %ld\ntext T %ld\n", c->L, c->d, c->h, c->T);
    fprintf(file->f, "text query %d\ntext key %d\ntext value %d\n", !c->identity[GPT_QUERY], !c->identity[GPT_KEY],
            !c->identity[GPT_VALUE]);
    fprintf(file->f, "text factor %.17g\ntext tied %d\ntext norm %d\ntext attn_skip %d\ntext mlp_skip %d\n",
            c->factor, c->tied, c->norm, c->attn_skip, c->mlp_skip);
}

/* Tokens with something to learn: each is the one before plus 0, 1 or 2, and sometimes any. */
static void draw(double *token, double *target, long n, long T, long V)
{
    const uint64_t key[2] = { 20261121, 5 };
    for (long r = 0; r < n; r++) {
        long now = (long)random_below(key, (uint64_t)(r * (T + 1)), (uint64_t)V);
        for (long t = 0; t < T; t++) {
            const uint64_t u = random_below(key, (uint64_t)(r * (T + 1) + t + 1), (uint64_t)(12 * V));
            const long next = u % 12 < 9 ? (now + (long)(u % 3)) % V : (long)(u / 12);
            token [r * T + t] = (double)now;
            target[r * T + t] = (double)next;
            now = next;
        }
    }
}

static void run(const variant *v, const ops *o, const char *path)
{
    const gpt_config *c = &v->c;
    const optim_config r = recipe();
    const long T = c->T, n = B * T;
    long clipped = 0;
    gpt *M = gpt_create(c, o, B, 20261121);
    const param_table *t = &gpt_net(M)->table;
    optim s = optim_create(t, o);
    tensors all = { NULL, 0 };
    double *tokens = tensors_add(&all, "", "token", STEPS, n), *targets = tensors_add(&all, "", "target", STEPS, n);
    double *losses = tensors_add(&all, "", "loss", 1, STEPS), each[B * 1024];
    int32_t token[B * 1024], target[B * 1024];
    REQUIRE(T <= 1024, "%ld positions", T);
    draw(tokens, targets, STEPS * B, T, c->V);
    tensors_add_flat(&all, "w:", t, o, gpt_net(M)->w);
    for (long step = 0; step < STEPS; step++) {
        for (long k = 0; k < n; k++) {
            token [k] = (int32_t)tokens [step * n + k];
            target[k] = (int32_t)targets[step * n + k];
        }
        o->zero(gpt_net(M)->g, t->size);
        losses[step] = gpt_loss(M, token, target, B, each, 1.0 / (double)n);
        if (step == 0) tensors_add_flat(&all, "g:", t, o, gpt_net(M)->g);
        clipped += optim_update(&s, &r, t, o, gpt_net(M)->w, gpt_net(M)->g) > r.clip;
        net_refresh(gpt_net(M));
    }
    outfile file = outfile_open(path);
    fprintf(file.f, "text variant %s\ntext clipped %ld\n", v->name, clipped);
    describe(&file, c);
    tensors_write(&file, &r, &all);
    outfile_close(&file);
    optim_free(&s, o);
    gpt_free(M);
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (int k = 0; k < VARIANTS; k++) printf("%s\n", variant_of(k).name);
        return 0;
    }
    if (argc != 4) die("give VARIANT, f32 or f64, and FILE; or --list");
    const ops *o = strcmp(argv[2], "f32") == 0 ? ops_cpu_f32() : strcmp(argv[2], "f64") == 0 ? ops_cpu_f64() : NULL;
    if (!o) die("the numbers are f32 or f64, not %s", argv[2]);
    for (int k = 0; k < VARIANTS; k++) {
        const variant v = variant_of(k);
        if (strcmp(v.name, argv[1]) == 0) {
            run(&v, o, argv[3]);
            return 0;
        }
    }
    die("no variant %s; --list shows them", argv[1]);
}
