/* weights.c - see weights.h: which format it is, safetensors in one or several files, and the checkpoints of runs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "src/checkpoint/weights.h"
#include "src/data/safetensors.h"
#include "src/train/checkpoint.h"
#include "src/train/gpt.h"

enum { MOST_JSON = 100000000 };          /* bytes of config.json or of an index                         */

static void *json_memory(size_t n) { return must_calloc(n, 1); }

/* ---- JSON beside the weights -------------------------------------------------------------------------------- */

/* hex: NULL, or where the SHA-256 of its bytes goes. */
static json_t *read_json(const char *path, char *hex)
{
    size_t n;
    outfile_input(path);
    char *text = file_read(path, MOST_JSON, &n);
    if (hex) checksum_sha256_bytes(text, n, hex);
    json_error_t wrong;
    json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &wrong);
    for (char *c = wrong.text; !root && *c; c++) if ((unsigned char)*c < 32 || *c == 127) *c = '?';
    if (!root) die("%s:%d: %s; it should be JSON: fetch it again", path, wrong.line, wrong.text);
    if (!json_is_object(root)) die("%s does not hold a JSON object; fetch it again", path);
    free(text);
    return root;
}

static bool is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? must_format("%.*s", (int)(slash - path), path) : must_strdup(".");
}

static void read_config_in(weights *w, const char *folder)
{
    char *path = must_format("%s/config.json", folder);
    if (is_file(path)) {
        w->config = read_json(path, w->config_sha256);
        w->config_path = path;
    } else free(path);
}

/* ---- safetensors --------------------------------------------------------------------------------------------- */

static void add_safetensors(weights *w, long file)
{
    const char *path = w->file[file].path;
    safetensors s = safetensors_index(path);
    for (long k = 0; k < s.tensors; k++) {
        const safetensor *t = &s.tensor[k];
        if (t->from + t->bytes > w->file[file].bytes) die("%s changes while it is read; try again", path);
        weights_add(w, t->name, t->type, t->rank, t->shape, file, t->from, t->bytes);
    }
    const char *model = safetensors_value(&s, "model");
    gpt_config c;
    char *wrong = model ? gpt_config_parse(&c, model) : NULL;
    if (model && !wrong && !w->config) {                               /* `provably export` wrote it */
        w->config = json_pack("{s:s, s:s}", "model_type", "provably", "model", model);
        const char *values = safetensors_value(&s, "provably.values");               /* compact.h */
        if (values && strcmp(values, "from keys") == 0)
            json_object_set_new(w->config, "provably", json_pack("{s:s}", "values", values));
        w->config_path = must_strdup(path);
    }
    free(wrong);
    safetensors_free(&s);
}

/* {"weight_map": {TENSOR: FILE, ...}}: each tensor in the file that the index names, and no others. */
static void add_sharded(weights *w, const char *path)
{
    json_t *root = read_json(path, NULL), *map = json_object_get(root, "weight_map"), *file;
    const char *name;
    if (!json_is_object(map)) die("%s has no weight_map; it is not an index of safetensors files", path);
    char *folder = folder_of(path);
    json_t *number = json_object();
    json_object_foreach(map, name, file) {
        const char *part = json_string_value(file);
        if (!part || !*part || strchr(part, '/') || part[0] == '.')
            die("%s: the file of tensor %.200s is not a plain name; fetch the index again", path, name);
        if (json_object_get(number, part)) continue;
        char *full = must_format("%s/%s", folder, part);
        if (!is_file(full)) die("%s names %s, which is not there; fetch the missing file", path, full);
        const long k = weights_map(w, full);
        json_object_set_new(number, part, json_integer(k));
        const long before = w->tensors;
        add_safetensors(w, k);
        for (long i = before; i < w->tensors; i++) {
            const char *says = json_string_value(json_object_get(map, w->tensor[i].name));
            if (!says || strcmp(says, part) != 0)
                die("%s: tensor %s lies in %s, the index %s%s; fetch both again", path, w->tensor[i].name, part,
                    says ? "says " : "does not name it", says ? says : "");
        }
        free(full);
    }
    if ((size_t)w->tensors != json_object_size(map))
        json_object_foreach(map, name, file) {
            bool found = false;
            for (long i = 0; i < w->tensors && !found; i++) found = strcmp(w->tensor[i].name, name) == 0;
            if (!found) die("%s: tensor %s is not in %s; fetch both again", path, name, json_string_value(file));
        }
    w->format = "safetensors";
    json_decref(number);
    json_decref(root);
    free(folder);
}

/* ---- checkpoints of runs --------------------------------------------------------------------------------------- */

static void add_run(weights *w, const char *path)
{
    checkpoint_file f = checkpoint_open(path);
    size_t at = (size_t)ftell(f.f);
    for (long k = 0; k < f.head.tensors; k++) {
        const stored *t = &f.head.tensor[k];
        const size_t bytes = (size_t)(t->rows * t->cols) * sizeof(float);
        const bool vector = t->rows == 1;
        if (at + bytes > w->file[0].bytes) die("%s changes while it is read; try again", path);
        if (!strchr(t->name, ':'))                                     /* else the optimizer's */
            weights_add(w, t->name, "F32", vector ? 1 : 2, vector ? &t->cols : (long[]){ t->rows, t->cols }, 0, at,
                        bytes);
        at += bytes;
    }
    checkpoint_take(&f, CHECKPOINT_WEIGHTS, NULL, NULL);                /* dies where their sum is wrong */
    const char *model = checkpoint_value(&f.head, "model");
    w->format = "provably train";
    w->config = json_pack("{s:s, s:s}", "model_type", "provably", "model", model ? model : "");
    w->config_path = must_strdup(path);
    checkpoint_close(&f);
}

/* ---- which it is ------------------------------------------------------------------------------------------------ */

static void open_file(weights *w, const char *path)
{
    weights_map(w, path);
    const mapped_file *f = &w->file[0];
    if (memcmp(f->at, "GGUF", 4) == 0) {
        w->format = "GGUF";
        weights_read_gguf(w);
    } else if (memcmp(f->at, "PROVABLY", 8) == 0) {
        add_run(w, path);
    } else if (f->at[0] == '{') {
        char *folder = folder_of(path);
        weights_unmap(w);
        read_config_in(w, folder);
        add_sharded(w, path);
        free(folder);
    } else if (f->bytes > 8 && f->at[8] == '{') {
        char *folder = folder_of(path);
        w->format = "safetensors";
        add_safetensors(w, 0);
        if (!w->config) read_config_in(w, folder);       /* a file that says its own model is not another's */
        free(folder);
    } else if (weights_is_llmc(f)) {
        w->format = "llm.c";
        weights_read_llmc(w);
    } else if (weights_is_llama2c(f)) {
        w->format = "llama2.c";
        weights_read_llama2c(w);
    } else {
        const bool zip = memcmp(f->at, "PK\3\4", 4) == 0 || f->at[0] == 0x80;
        die("%s: %s", path, zip ? "this looks like PyTorch's pickle, which can run code and is not read; convert it to "
                                  "safetensors" :
            "none of the formats that are read: safetensors, GGUF, llama2.c, llm.c, a checkpoint of provably train");
    }
}

static void open_folder(weights *w, const char *path)
{
    enum { RUN = 2 };
    static const char *const name[] = { "model.safetensors.index.json", "model.safetensors", [RUN] = "last.ckpt",
                                        "model.gguf", "model.bin" };
    char *run = must_format("%s/%s", path, name[RUN]);
    for (size_t k = 0; k < COUNT(name); k++) {
        char *file = must_format("%s/%s", path, name[k]);
        const bool there = is_file(file);
        if (there && k < RUN && is_file(run))
            die("%s holds %s and last.ckpt of a training run; name the file itself", path, name[k]);
        if (there) open_file(w, file);
        free(file);
        if (there) return free(run);
    }
    die("%s holds none of model.safetensors.index.json, model.safetensors, last.ckpt, model.gguf and model.bin; "
        "name the file itself", path);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const weight_tensor *)a)->name, ((const weight_tensor *)b)->name);
}

weights weights_open(const char *path)
{
    json_set_alloc_funcs(json_memory, free);
    weights w = { .path = must_strdup(path) };
    struct stat s;
    if (stat(path, &s) != 0) die("cannot read %s: %s", path, strerror(errno));
    if (S_ISDIR(s.st_mode)) open_folder(&w, path);
    else open_file(&w, path);
    if (w.tensors) qsort(w.tensor, (size_t)w.tensors, sizeof *w.tensor, by_name);
    for (long k = 1; k < w.tensors; k++)
        if (strcmp(w.tensor[k].name, w.tensor[k - 1].name) == 0)
            die("%s: tensor %s is there twice; the file is damaged or of another kind", path, w.tensor[k].name);
    return w;
}

void weights_close(weights *w)
{
    for (long k = 0; k < w->tensors; k++) free(w->tensor[k].name);
    weights_unmap(w);
    json_decref(w->config);
    free(w->tensor);
    free(w->file);
    free(w->path);
    free(w->config_path);
    *w = (weights){ .format = NULL };
}
