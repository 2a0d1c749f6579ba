/* SPDX-License-Identifier: GPL-3.0-or-later
 * dump_vit.c - the vision transformer's variants for torch_vit.py: initial weights, batches, gradients of the first
 * step and the losses of 100 steps of Keras' Adam.
 *
 *     dump_vit VARIANT f32|f64 FILE            dump_vit --list */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/base/outfile.h"
#include "src/train/vit.h"
#include "tests/reference/tensors.h"

enum { STEPS = 100, B = 6, SIDE = 12, CHANNELS = 3, PATCH = 4, PIXELS = SIDE * SIDE * CHANNELS, CLASSES = 10 };

typedef struct { const char *name; vit_config c; } variant;

static vit_config base(const char *attention)
{
    vit_config c = { .S = 3, .d = 24, .h = 1, .m = 40, .side = SIDE, .channels = CHANNELS, .patch = PATCH, .classes = CLASSES,
                     .positions = true, .skip = true, .norm = VIT_PRE };
    REQUIRE(vit_variant(&c, attention), "%s", attention);
    return c;
}

/* Without skips there is one encoder: after two of them all positions are alike, and the gradients of W_q and W_k are
 * a difference of equal numbers, in any program. */
enum { KINDS = 8, VARIANTS = KINDS + 9 };
static variant variant_of(int k)
{
    if (k < KINDS) return (variant){ vit_variants[k], base(vit_variants[k]) };
    vit_config c = base("unchanged");
    switch (k - KINDS) {
    case 0:  c.h = 4; c.token = true; return (variant){ "heads-4-token", c };
    case 1:  c = base("symmetric"); c.h = 4; c.token = true; return (variant){ "symmetric-heads-4-token", c };
    case 2:  c.m = 0; return (variant){ "no-mlp", c };
    case 3:  c = base("minimum"); c.m = 0; c.token = true; return (variant){ "minimum-no-mlp-token", c };
    case 4:  c.norm = VIT_POST; return (variant){ "post-norm", c };
    case 5:  c.norm = VIT_POST; c.m = 0; return (variant){ "post-norm-no-mlp", c };
    case 6:  c.norm = VIT_BARE; return (variant){ "no-norm", c };
    case 7:  c.skip = false; c.S = 1; return (variant){ "no-skip", c };
    default: c.positions = false; return (variant){ "no-positions", c };
    }
}

static optim_config keras(void)
{
    return (optim_config){ .peak = 1e-3, .least = 1e-3, .steps = STEPS, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-7, .keras = true };
}

/* Biases and gains do not stay at 0 and 1, where half of the errors would hide. */
static void shake(const param_table *t, const ops *o, void *w)
{
    const uint64_t key[2] = { 20261121, 6 };
    for (long k = 0; k < t->n; k++) {
        const param *p = &t->list[k];
        if (p->rows > 1) continue;
        const size_t n = (size_t)(p->rows * p->cols);
        double *x = must_calloc(n, sizeof *x);
        params_get(p, o, w, x);
        for (size_t i = 0; i < n; i++) x[i] += (double)random_gauss8(key, p->at + i) / 320;
        params_put(p, o, w, x);
        free(x);
    }
}

/* An image is noise and a bright row, the label's. */
static void draw(double *image, double *label)
{
    const uint64_t key[2] = { 20261121, 7 };
    for (long b = 0; b < STEPS * B; b++) {
        const long what = (long)random_below(key, (uint64_t)(b * (PIXELS + 1)), CLASSES);
        label[b] = (double)what;
        for (long i = 0; i < PIXELS; i++) {
            const uint64_t noise = random_below(key, (uint64_t)(b * (PIXELS + 1) + i + 1), 256);
            image[b * PIXELS + i] = (double)(i / (SIDE * CHANNELS) == what ? 128 + noise / 2 : noise / 2);
        }
    }
}

static void run(const variant *v, const ops *o, const char *path)
{
    const vit_config *c = &v->c;
    const optim_config r = keras();
    vit *M = vit_create(c, o, B, 20261121);
    const param_table *t = &vit_net(M)->table;
    optim s = optim_create(t, o);
    tensors all = { NULL, 0 };
    double *images = tensors_add(&all, "", "image", STEPS, B * PIXELS), *labels = tensors_add(&all, "", "label", STEPS, B);
    double *losses = tensors_add(&all, "", "loss", 1, STEPS), each[B], right[B];
    unsigned char image[B * PIXELS];
    int32_t label[B];
    draw(images, labels);
    shake(t, o, vit_net(M)->w);
    net_refresh(vit_net(M));
    tensors_add_flat(&all, "w:", t, o, vit_net(M)->w);
    for (long step = 0; step < STEPS; step++) {
        for (long k = 0; k < B * PIXELS; k++) image[k] = (unsigned char)images[step * B * PIXELS + k];
        for (long k = 0; k < B; k++) label[k] = (int32_t)labels[step * B + k];
        o->zero(vit_net(M)->g, t->size);
        losses[step] = vit_loss(M, image, label, B, each, right, 1.0 / B);
        if (step == 0) tensors_add_flat(&all, "g:", t, o, vit_net(M)->g);
        optim_update(&s, &r, t, o, vit_net(M)->w, vit_net(M)->g);
        net_refresh(vit_net(M));
    }
    outfile file = outfile_open(path);
    static const char *const source[] = { "own", "input", "query" }, *const norm[] = { "pre", "post", "bare" };
    fprintf(file.f, "text variant %s\ntext S %ld\ntext d %ld\ntext h %ld\ntext m %ld\ntext side %ld\ntext channels %ld\n"
            "text patch %ld\n", v->name, c->S, c->d, c->h, c->m, c->side, c->channels, c->patch);
    fprintf(file.f, "text key %s\ntext value %s\ntext output %d\ntext token %d\ntext positions %d\ntext skip %d\ntext norm %s\n",
            source[c->key], source[c->value], c->output, c->token, c->positions, c->skip, norm[c->norm]);
    tensors_write(&file, &r, &all);
    outfile_close(&file);
    optim_free(&s, o);
    vit_free(M);
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
