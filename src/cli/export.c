/* SPDX-License-Identifier: GPL-3.0-or-later
 * export.c - `provably export`: writes the weights of a trained model as a .safetensors file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "src/base/file.h"
#include "src/base/shown.h"
#include "src/cli/command.h"
#include "src/cli/cli.h"
#include "src/train/checkpoint.h"
#include "src/data/safetensors.h"

enum { OPT_FROM = 256, OPT_OUT };
static const struct argp_option flags[] = {
    { "from", OPT_FROM, "DIR", 0, "folder of a run, or a checkpoint file", 0 },
    { "out", OPT_OUT, "FILE", 0, "output file; one that is there is replaced only if it is a safetensors file", 0 },
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

/* Only a file of weights is replaced: eight bytes of the header's length, then its JSON. */
static void require_weights_or_new(const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0 || !S_ISREG(s.st_mode) || s.st_size == 0) return;
    unsigned char begin[9] = { 0 };
    FILE *f = file_open(path);
    if (!f) die("cannot read %s: %s; choose another name", path, strerror(errno));
    const bool weights = fread(begin, 1, sizeof begin, f) == sizeof begin && begin[8] == '{';
    fclose(f);
    if (!weights) die("%s is there already and no safetensors file; choose another name, or remove it", path);
}

/* Two names mean something else in the format; a run that was trained here has neither. */
static void require_names(const checkpoint *k, const char *path)
{
    for (long i = 0; i < k->texts; i++)
        if (strcmp(k->text[i].name, "format") == 0)
            die("%s has a text called `format`, which safetensors needs for itself: it is no run of `provably train`",
                path);
    for (long i = 0; i < k->tensors; i++)
        if (strcmp(k->tensor[i].name, "__metadata__") == 0)
            die("%s has a tensor called `__metadata__`, which is no tensor's name in safetensors: it is no run of "
                "`provably train`", path);
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
    char *from = checkpoint_path(o.from);
    require_weights_or_new(o.out);
    checkpoint k = checkpoint_read(from, CHECKPOINT_WEIGHTS);
    safetensors s = { .tensor = NULL };
    safetensors_text(&s, "format", "pt");
    require_names(&k, from);
    for (long i = 0; i < k.texts; i++) {
        char *value = shown_text(k.text[i].value);
        safetensors_text(&s, k.text[i].name, value);
        free(value);
    }
    size_t numbers = 0;
    for (long i = 0; i < k.tensors; i++) {
        const stored *t = &k.tensor[i];
        const bool vector = t->rows == 1;
        safetensors_tensor(&s, t->name, vector ? 1 : 2, vector ? &t->cols : (long[]){ t->rows, t->cols }, t->x);
        numbers += (size_t)(t->rows * t->cols);
    }
    safetensors_write(&s, o.out);
    shown_print(stdout, "%s: %ld tensors, %zu numbers, after step %s\n", o.out, s.tensors, numbers,
           safetensors_value(&s, "step") ? safetensors_value(&s, "step") : "?");
    safetensors_free(&s);
    checkpoint_free(&k);
    free(from);
    return 0;
}
