/* export.c - `provably export`: writes the weights of a trained model as a .safetensors file. */
#include <stdlib.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/cli/command.h"
#include "src/cli/cli.h"
#include "src/train/checkpoint.h"
#include "src/data/safetensors.h"

enum { OPT_FROM = 256, OPT_OUT };
static const struct argp_option flags[] = {
    { "from", OPT_FROM, "DIR", 0, "folder of a run, or a checkpoint file", 0 },
    { "out", OPT_OUT, "FILE", 0, "output file", 0 },
    { 0 } };

typedef struct { const char *from, *out; } export_options;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    export_options *o = state->input;
    switch (key) {
    case OPT_FROM:     o->from = arg; return 0;
    case OPT_OUT:      o->out = arg; return 0;
    case ARGP_KEY_ARG: die("export takes options only, not `%s`; see `provably export --help`", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

int export_main(int argc, char **argv)
{
    static const struct argp parser = { flags, parse, NULL,
        "Writes the weights of a trained model as float32, under the names they have in the run: a matrix is "
        "(out x in) as in PyTorch's Linear, a vector has one dimension.  __metadata__ has the configuration of the "
        "model, the recipe and the seeds.\n"
        EXIT_USUAL,
        NULL, NULL, NULL };
    export_options o = { NULL, NULL };
    command_parse(&parser, argc, argv, 0, &o, NULL);
    if (!o.from || !o.out) die("export needs --from=DIR, the folder of a run, and --out=FILE");
    char *weights = must_format("%s/last.ckpt", o.from);
    outfile_input(o.from);
    outfile_input(weights);
    free(weights);
    checkpoint k = checkpoint_of(o.from, CHECKPOINT_WEIGHTS);
    safetensors s = { .tensor = NULL };
    safetensors_text(&s, "format", "pt");
    for (long i = 0; i < k.texts; i++) {
        for (char *c = k.text[i].value; *c; c++) if (*c < 32 || *c > 126) *c = '?';
        safetensors_text(&s, k.text[i].name, k.text[i].value);
    }
    size_t numbers = 0;
    for (long i = 0; i < k.tensors; i++) {
        const stored *t = &k.tensor[i];
        const bool vector = t->rows == 1;
        safetensors_tensor(&s, t->name, vector ? 1 : 2, vector ? &t->cols : (long[]){ t->rows, t->cols }, t->x);
        numbers += (size_t)(t->rows * t->cols);
    }
    safetensors_write(&s, o.out);
    printf("%s: %ld tensors, %zu numbers, after step %s\n", o.out, s.tensors, numbers,
           safetensors_value(&s, "step") ? safetensors_value(&s, "step") : "?");
    safetensors_free(&s);
    checkpoint_free(&k);
    return 0;
}
