/* SPDX-License-Identifier: GPL-3.0-or-later
 * weights.c - see weights.h: which format it is, safetensors and PyTorch's in one or several files, and the checkpoints
 * of runs. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "src/checkpoint/gauge_file.h"
#include "src/checkpoint/python_json.h"
#include "src/checkpoint/weights.h"
#include "src/data/safetensors.h"
#include "src/data/torch_pickle.h"
#include "src/train/checkpoint.h"
#include "src/train/gpt.h"

enum { MOST_JSON = 100000000 };          /* bytes of config.json or of an index                         */

static void *json_memory(size_t n) { return must_calloc(n, 1); }

/* ---- Git LFS -------------------------------------------------------------------------------------------------- */

/* What Git checks out in place of a large file that it has not fetched. */
static bool is_lfs_pointer(const void *bytes, size_t n)
{
    static const char begin[] = "version https://git-lfs.github.com/spec/";
    return n >= strlen(begin) && memcmp(bytes, begin, strlen(begin)) == 0;
}

_Noreturn static void die_of_lfs_pointer(const char *path)
{
    die("%s: this is a Git LFS pointer, not the file itself: run `git lfs pull` in its folder, or download the file",
        path);
}

/* ---- JSON beside the weights -------------------------------------------------------------------------------- */

/* An object.  hex: NULL, or where the SHA-256 of its bytes goes; twice: as in python_json_loads. */
static json_t *read_json(const char *path, char *hex, json_t **twice)
{
    size_t n;
    outfile_input(path);
    char *text = file_read(path, MOST_JSON, &n);
    if (hex) checksum_sha256_bytes(text, n, hex);
    json_error_t wrong;
    if (is_lfs_pointer(text, n)) die_of_lfs_pointer(path);
    json_t *root = python_json_loads(text, n, twice, &wrong);
    if (!root) die("%s:%d: %s; it should be JSON: correct it, or fetch it again", path, wrong.line, wrong.text);
    if (!json_is_object(root)) die("%s does not hold a JSON object; fetch it again", path);
    free(text);
    return root;
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? must_format("%.*s", (int)(slash - path), path) : must_strdup(".");
}

static void read_config_in(weights *w, const char *folder)
{
    char *path = must_format("%s/config.json", folder);
    if (file_is_regular(path)) {
        w->config = read_json(path, w->config_sha256, &w->twice);
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
    json_t *twice, *root = read_json(path, NULL, &twice), *map = json_object_get(root, "weight_map"), *file;
    const char *name;
    json_object_foreach(twice, name, file)
        if (json_object_get(map, name))
            die("%s: tensor %.200s is there twice, in different files; fetch the index again", path, name);
    json_decref(twice);
    if (!json_is_object(map)) die("%s has no weight_map; it is no index of files of weights", path);
    char *folder = folder_of(path);
    json_t *number = json_object();
    json_object_foreach(map, name, file) {
        const char *part = json_string_value(file);
        if (!part || !*part || strchr(part, '/') || part[0] == '.')
            die("%s: the file of tensor %.200s is not a plain name; fetch the index again", path, name);
        if (json_object_get(number, part)) continue;
        char *full = must_format("%s/%s", folder, part);
        if (!file_is_regular(full)) die("%s names %s, which is not there; fetch the missing file", path, full);
        const long k = weights_map(w, full);
        if (is_lfs_pointer(w->file[k].at, w->file[k].bytes)) die_of_lfs_pointer(full);
        json_object_set_new(number, part, json_integer(k));
        const long before = w->tensors;
        const char *format = weights_is_torch(&w->file[k]) ? "PyTorch" : "safetensors";
        if (w->format && strcmp(w->format, format) != 0)
            die("%s names files of safetensors and of PyTorch; fetch the index again", path);
        w->format = format;
        if (weights_is_torch(&w->file[k])) weights_read_torch(w, k);
        else add_safetensors(w, k);
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

/* The length of a header, which is less than 2^32, and the header: its first byte may be any, '{' as well. */
static bool is_safetensors(const mapped_file *f)
{
    static const unsigned char zeros[4] = { 0 };
    return f->bytes > 8 && memcmp(f->at + 4, zeros, 4) == 0 && f->at[8] == '{';
}

/* A text, which has no zeros, that begins with '{' behind what JSON allows in front of it. */
static bool is_json(const mapped_file *f)
{
    static const char blank[] = { ' ', '\t', '\r', '\n' };
    size_t k = 0;
    while (k < f->bytes && memchr(blank, f->at[k], sizeof blank)) k++;
    return k < f->bytes && f->at[k] == '{' && !memchr(f->at, 0, f->bytes < 8 ? f->bytes : 8);
}

static const weight_tensor *any_called(const weights *w, const char *name)     /* before they are sorted          */
{
    for (long k = 0; k < w->tensors; k++) if (strcmp(w->tensor[k].name, name) == 0) return &w->tensor[k];
    return NULL;
}

/* Meta's params.json, where the tensors have Meta's names, with the sizes that it leaves to the tensors. */
static bool read_params_in(weights *w, const char *folder)
{
    const weight_tensor *up = any_called(w, "layers.0.feed_forward.w1.weight");
    const weight_tensor *E = any_called(w, "tok_embeddings.weight");
    char *path = must_format("%s/params.json", folder);
    const bool there = up && E && up->rank == 2 && E->rank == 2 && file_is_regular(path);
    if (!there) {
        free(path);
        return false;
    }
    w->config = read_json(path, w->config_sha256, &w->twice);
    w->config_path = path;
    if (!json_object_get(w->config, "hidden_dim"))
        json_object_set_new(w->config, "hidden_dim", json_integer(up->shape[0]));
    if (json_integer_value(json_object_get(w->config, "vocab_size")) <= 0)               /* -1: Llama 1 and 2   */
        json_object_set_new(w->config, "vocab_size", json_integer(E->shape[0]));
    return true;
}

/* A configuration beside the file; one that says its own model is not another's. */
static void read_beside(weights *w, const char *path)
{
    char *folder = folder_of(path);
    if (!w->config && !read_params_in(w, folder)) read_config_in(w, folder);
    free(folder);
}

static void open_safetensors(weights *w, const char *path)
{
    w->format = "safetensors";
    add_safetensors(w, 0);
    read_beside(w, path);
}

/* Meta splits the matrices of its larger models into consolidated.00.pth, .01.pth, ... */
static void require_whole(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *end;
    if (strncmp(name, "consolidated.", 13) != 0 || !(end = strrchr(name, '.')) || strcmp(end, ".pth") != 0) return;
    char *folder = folder_of(path);
    for (int k = 0; k < 2; k++) {
        char *other = must_format("%s/consolidated.%02d.pth", folder, k);
        if (strcmp(strrchr(other, '/') + 1, name) != 0 && file_is_regular(other))
            die("%s is one of several files into which the matrices of a model are split, which are not put together "
                "here: convert them to Hugging Face's layout (convert_llama_weights_to_hf.py of transformers)", path);
        free(other);
    }
    free(folder);
}

static void open_torch(weights *w, const char *path)
{
    require_whole(path);
    w->format = "PyTorch";
    weights_read_torch(w, 0);
    read_beside(w, path);
}

static void open_index(weights *w, const char *path)
{
    char *folder = folder_of(path);
    weights_unmap(w);
    read_config_in(w, folder);
    add_sharded(w, path);
    free(folder);
}

/* Each of the first five excludes those below it: no header is as long as their letters say, no text has zeros. */
static void open_file(weights *w, const char *path)
{
    weights_map(w, path);
    const mapped_file *f = &w->file[0];
    if (is_lfs_pointer(f->at, f->bytes)) die_of_lfs_pointer(path);
    if (memcmp(f->at, "GGUF", 4) == 0) {
        w->format = "GGUF";
        weights_read_gguf(w);
    } else if (memcmp(f->at, "PROVABLY", 8) == 0) add_run(w, path);
    else if (weights_is_torch(f)) open_torch(w, path);
    else if (is_safetensors(f)) open_safetensors(w, path);
    else if (is_json(f)) open_index(w, path);
    else if (weights_is_llmc(f)) {
        w->format = "llm.c";
        weights_read_llmc(w);
    } else if (weights_is_llama2c(f)) {
        w->format = "llama2.c";
        weights_read_llama2c(w);
    } else if (f->bytes > 8 && f->at[8] == '{') open_safetensors(w, path);   /* which says what is damaged         */
    else {
        const char *pickle = torch_not_read(f->at, f->bytes);
        die("%s: %s", path, pickle ? pickle :
            "none of the formats that are read: safetensors, PyTorch's, GGUF, llama2.c, llm.c, a checkpoint of "
            "provably train");
    }
}

/* What a model of its own is called, in the formats that are read here and in those of other programs; optimizer.pt,
 * training_args.bin and their like are none. */
static bool is_model_name(const char *name)
{
    static const char *const begin[] = { "pytorch_model", "consolidated.", "tf_model.", "flax_model." };
    static const char *const end[] = { ".safetensors", ".gguf", ".npz" };
    const size_t n = strlen(name);
    if (strcmp(name, GAUGE_FILE) == 0 || (n > 5 && strcmp(name + n - 5, ".json") == 0)) return false;
    for (size_t k = 0; k < COUNT(begin); k++) if (strncmp(name, begin[k], strlen(begin[k])) == 0) return true;
    for (size_t k = 0; k < COUNT(end); k++)
        if (n > strlen(end[k]) && strcmp(name + n - strlen(end[k]), end[k]) == 0) return *name != '.';
    return false;
}

static bool is_open(const weights *w, const char *name)
{
    for (long k = 0; k < w->files; k++) {
        const char *path = w->file[k].path, *slash = strrchr(path, '/');
        if (strcmp(slash ? slash + 1 : path, name) == 0) return true;
    }
    return false;
}

/* The first file of the folder that is called as a model is and was not opened, to be freed; NULL: there is none. */
static char *other_model(const weights *w, const char *folder)
{
    struct dirent **entry;
    const int n = scandir(folder, &entry, NULL, alphasort);
    char *found = NULL;
    for (int k = 0; k < n; k++) {
        const char *name = entry[k]->d_name;
        char *path = must_format("%s/%s", folder, name);
        if (!found && is_model_name(name) && file_is_regular(path) && !is_open(w, name)) found = must_strdup(name);
        free(path);
        free(entry[k]);
    }
    if (n >= 0) free(entry);
    return found;
}

_Noreturn static void die_of_two_models(const char *folder, const char *one, const char *other)
{
    die("%s holds %s and %s, which may be two models; name the file itself, or remove one of them", folder, one, other);
}

/* Two files of a folder that are two models, or two copies of one of which a user changes one: which is meant is not
 * guessed. */
static void open_folder(weights *w, const char *path)
{
    static const char *const name[] = { "model.safetensors.index.json", "model.safetensors",
                                        "pytorch_model.bin.index.json", "pytorch_model.bin", "consolidated.safetensors",
                                        "consolidated.00.pth", "ckpt.pt", "last.ckpt", "model.gguf", "model.bin" };
    const char *found = NULL;
    for (size_t k = 0; k < COUNT(name); k++) {
        char *file = must_format("%s/%s", path, name[k]);
        if (file_is_regular(file) && found) die_of_two_models(path, found, name[k]);
        if (file_is_regular(file)) found = name[k];
        free(file);
    }
    if (!found)
        die("%s holds none of model.safetensors, pytorch_model.bin, their .index.json, consolidated.safetensors, "
            "consolidated.00.pth, ckpt.pt, last.ckpt, model.gguf and model.bin; name the file itself", path);
    char *file = must_format("%s/%s", path, found);
    open_file(w, file);
    char *other = other_model(w, path);
    if (other) die_of_two_models(path, found, other);
    free(file);
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
    for (long k = 0; k < w->notes; k++) free(w->note[k]);
    for (long k = 0; k < w->owns; k++) free(w->own[k]);
    free(w->note);
    free(w->own);
    json_decref(w->config);
    json_decref(w->twice);
    free(w->tensor);
    free(w->file);
    free(w->path);
    free(w->config_path);
    *w = (weights){ .format = NULL };
}
