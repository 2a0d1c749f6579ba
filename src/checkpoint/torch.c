/* SPDX-License-Identifier: GPL-3.0-or-later
 * torch.c - what torch.save wrote (src/data/torch_pickle.h): which of its dictionaries is the model, and its tensors.
 *
 *   {NAME: tensor, ...}                  a state dict: pytorch_model.bin, consolidated.00.pth
 *   {"model": {NAME: tensor, ...}, "model_args": {...}, ...}     a checkpoint: of nanoGPT with its configuration, else
 *                                        under "state_dict" or "model_state_dict"
 *
 * Names lose what DistributedDataParallel (module.) and torch.compile (_orig_mod.) put in front of all of them, as the
 * programs that load them do.  Tensors are views of the mapped file; those whose numbers do not lie one behind the
 * other are copied, no more of them than the file has bytes. */
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/checkpoint/weights.h"
#include "src/data/torch_pickle.h"

enum { MOST_SHARED = 64, MOST_NOTES = 8 };       /* bytes of all tensors, in bytes of the file; notes             */

bool weights_is_torch(const mapped_file *f) { return torch_is_archive(f->at, f->bytes); }

/* ---- which dictionary -------------------------------------------------------------------------------------------- */

static bool has_tensors(const torch_value *v)
{
    for (size_t k = 0; v && v->kind == TORCH_DICT && k < v->n; k += 2)
        if (v->at[k + 1]->kind == TORCH_TENSOR) return true;
    return false;
}

static const char arguments[] = "model_args";    /* nanoGPT's configuration                                    */

/* Keys of a dictionary, to be freed; of those beside the tensors under one of them, what is not read. */
static char *keys_of(const torch_value *dict, const char *under)
{
    text_buffer to = { 0 };
    for (size_t k = 0; k < dict->n; k += 2) {
        const torch_value *key = dict->at[k];
        if (key->kind == TORCH_TEXT && under
            && (text_is(key->text, key->n, under) || text_is(key->text, key->n, arguments))) continue;
        char *whole = key->kind == TORCH_TEXT ? shown_bytes(key->text, key->n < 60 ? key->n : 60)
                    : must_strdup("a key that is no text");
        if (k / 2 < 12) text_add(&to, "%s%s", to.length ? ", " : "", whole);
        free(whole);
    }
    if (dict->n / 2 > 12) text_add(&to, ", ...");
    return text_take(&to);
}

/* *under: its key, or NULL where it is the whole file. */
static const torch_value *state_dict_of(const torch_value *root, const char *path, const char **under)
{
    static const char *const keys[] = { "model", "state_dict", "model_state_dict" };
    *under = NULL;
    if (root->kind != TORCH_DICT) die("%s holds no dictionary of tensors: save model.state_dict()", path);
    const torch_value *found = NULL;
    for (size_t k = 0; k < COUNT(keys); k++) {
        const torch_value *v = torch_find(root, keys[k]);
        if (!has_tensors(v)) continue;
        if (found)
            die("%s holds tensors under %s and under %s, which may be two models: save one of them alone", path, *under,
                keys[k]);
        found = v;
        *under = keys[k];
    }
    if (found || has_tensors(root)) return found ? found : root;
    die("%s holds no tensors by name, nor under model, state_dict or model_state_dict; it has: %s.  Save "
        "model.state_dict() alone", path, keys_of(root, NULL));
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* To be freed. */
static char *name_of(const torch_value *key, const char *path)
{
    json_t *utf8 = key->kind == TORCH_TEXT && key->n && key->n < 256 && !memchr(key->text, 0, key->n)
                 ? json_stringn(key->text, key->n) : NULL;
    if (!utf8 || !shown_as_is(json_string_value(utf8)))
        die("%s: a tensor's name is no text, empty, too long, not UTF-8, or has control characters", path);
    char *name = must_strdup(json_string_value(utf8));
    json_decref(utf8);
    return name;
}

static bool all_begin_with(char *const *name, size_t n, size_t from, const char *begin)
{
    for (size_t k = 0; k < n; k++)
        if (strncmp(name[k] + from, begin, strlen(begin)) != 0 || !name[k][from + strlen(begin)]) return false;
    return n > 0;
}

/* How much of all names the programs that load them take off. */
static size_t wrapped(char *const *name, size_t n)
{
    static const char *const before[] = { "module.", "_orig_mod." };
    size_t length = 0, was;
    do {
        was = length;
        for (size_t k = 0; k < COUNT(before); k++)
            if (all_begin_with(name, n, length, before[k])) length += strlen(before[k]);
    } while (length > was);
    return length;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Row-major, one number behind the other; of the tensor's bytes. */
static void copy_numbers(const torch_tensor *t, unsigned char *to)
{
    const size_t size = t->storage.size;
    long at[TORCH_RANK] = { 0 };
    for (size_t k = 0; k < t->n; k++, to += size) {
        size_t from = t->first;
        for (int i = 0; i < t->rank; i++) from += (size_t)(at[i] * t->stride[i]);
        memcpy(to, t->storage.at + from * size, size);
        for (int i = t->rank; i-- > 0 && ++at[i] == t->shape[i];) at[i] = 0;
    }
}

typedef struct { size_t copied, all; } budget;         /* bytes so far                                        */

static void add_tensor(weights *w, long file, const char *name, const torch_tensor *t, budget *b)
{
    const mapped_file *f = &w->file[file];
    const size_t bytes = t->n * t->storage.size, from = (size_t)(t->storage.at - f->at);
    const size_t begin = t->contiguous ? from + t->first * t->storage.size : from;
    if (t->n > t->storage.n || (!t->contiguous && (b->copied += bytes) > f->bytes))
        die("%s: tensor %s repeats the numbers of its storage, or is one of too many that are copied: save "
            "tensor.contiguous()", f->path, name);
    if ((b->all += bytes) / MOST_SHARED > f->bytes)
        die("%s: its tensors share their storages more than %d times over: save them as tensors of their own", f->path,
            MOST_SHARED);
    weight_tensor *to = weights_add(w, name, t->storage.type, t->rank, t->shape, file, begin, bytes);
    if (t->contiguous) return;
    unsigned char *copy = weights_own(w, bytes);
    copy_numbers(t, copy);
    to->at = copy;
    to->made = true;
}

/* ---- what is told ------------------------------------------------------------------------------------------------ */

typedef struct { const unsigned char *from, *to; const char *name; } span;

static int by_span(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Tensors whose numbers are, in part or all, those of others. */
static void tell_shared(weights *w, const torch_value *dict, char *const *name, size_t cut)
{
    const size_t n = dict->n / 2;
    span *s = must_calloc(n, sizeof *s);
    size_t used = 0, shared = 0;
    for (size_t k = 0; k < n; k++) {
        const torch_tensor *t = dict->at[2 * k + 1]->tensor;
        const unsigned char *from = t->storage.at + t->first * t->storage.size;
        size_t last = t->first;
        for (int i = 0; i < t->rank && t->n; i++) last += (size_t)((t->shape[i] - 1) * t->stride[i]);
        if (t->n) s[used++] = (span){ from, t->storage.at + (last + 1) * t->storage.size, name[k] + cut };
    }
    qsort(s, used, sizeof *s, by_span);
    for (size_t k = 1, far = 0; k < used; k++) {
        if (s[k].from < s[far].to && ++shared <= MOST_NOTES)
            weights_note(w, s[k].from == s[far].from && s[k].to == s[far].to
                         ? "%s and %s share their numbers" : "%s and %s share some of their numbers",
                         s[far].name, s[k].name);
        if (s[k].to > s[far].to) far = k;
    }
    if (shared > MOST_NOTES) weights_note(w, "%zu more tensors share their numbers with others", shared - MOST_NOTES);
    free(s);
}

static void tell_others(weights *w, const torch_value *root, const char *under)
{
    char *others = under ? keys_of(root, under) : NULL;
    if (others && *others) weights_note(w, "the tensors are those of %s; not read: %s", under, others);
    free(others);
}

/* ---- its configuration ------------------------------------------------------------------------------------------- */

static json_t *json_of(const torch_value *v)
{
    switch (v->kind) {
    case TORCH_NONE:  return json_null();
    case TORCH_TRUTH: return json_boolean(v->whole != 0);
    case TORCH_WHOLE: return json_integer(v->whole);
    case TORCH_REAL:  return json_real(v->real);         /* NULL: it is not finite                              */
    case TORCH_TEXT:  return json_stringn(v->text, v->n);
    default:          return NULL;
    }
}

/* {"n_layer": 12, ...} */
static void take_arguments(weights *w, const torch_value *root, const char *path)
{
    const torch_value *args = torch_find(root, arguments);
    if (!args || args->kind != TORCH_DICT || w->config) return;
    w->config = json_object();
    w->config_path = must_strdup(path);
    for (size_t k = 0; k < args->n; k += 2) {
        char *key = name_of(args->at[k], path);
        json_t *value = json_of(args->at[k + 1]);
        if (value && json_is_null(value)) {              /* as if it were not there                             */
            free(key);
            continue;
        }
        if (!value || json_object_set_new(w->config, key, value))
            die("%s: %s of its model_args is no number, truth or text", path, key);
        free(key);
    }
}

void weights_read_torch(weights *w, long file)
{
    const mapped_file *f = &w->file[file];
    char *path = must_strdup(f->path);                   /* of the messages                                     */
    torch_object o = torch_read(f->at, f->bytes, path);
    const char *under;
    const torch_value *dict = state_dict_of(o.root, path, &under);
    const size_t n = dict->n / 2;
    char **name = must_calloc(n, sizeof *name);
    for (size_t k = 0; k < n; k++) {
        name[k] = name_of(dict->at[2 * k], path);
        if (dict->at[2 * k + 1]->kind != TORCH_TENSOR)
            die("%s: %s is beside its tensors, and none itself: save a state dict of tensors alone", path, name[k]);
    }
    const size_t cut = wrapped(name, n);
    budget b = { .copied = 0 };
    for (size_t k = 0; k < n; k++) add_tensor(w, file, name[k] + cut, dict->at[2 * k + 1]->tensor, &b);
    tell_shared(w, dict, name, cut);
    tell_others(w, o.root, under);
    if (under) take_arguments(w, o.root, path);
    for (size_t k = 0; k < n; k++) free(name[k]);
    free(name);
    free(path);
    torch_free(&o);
}
