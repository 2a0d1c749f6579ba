/* SPDX-License-Identifier: GPL-3.0-or-later
 * adapter.c - see adapter.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/base/shown.h"
#include "src/checkpoint/adapter.h"
#include "src/checkpoint/python_json.h"
#include "src/checkpoint/relation.h"

enum { MOST_CONFIG = 1 << 24 };

typedef struct { const char *path; double alpha; bool root, turned; const json_t *keys; } adapter;

/* ---- adapter_config.json ----------------------------------------------------------------------------------------- */

/* Keys that say nothing about what is added, whatever their value. */
static const char *const harmless[] = {
    "base_model_name_or_path", "task_type", "target_modules", "exclude_modules", "inference_mode", "lora_dropout",
    "layers_to_transform", "layers_pattern", "auto_mapping", "revision", "peft_type", "lora_alpha", "r", "use_rslora",
    "fan_in_fan_out", "init_lora_weights", "bias", "peft_version", "megatron_core", "qalora_group_size",
    "ensure_weight_tying" };

static bool is_harmless(const char *key)
{
    for (size_t k = 0; k < COUNT(harmless); k++) if (strcmp(harmless[k], key) == 0) return true;
    return false;
}

/* Nothing, in the words of JSON. */
static bool is_nothing(const json_t *x)
{
    return !x || json_is_null(x) || json_is_false(x) || (json_is_array(x) && json_array_size(x) == 0)
           || (json_is_object(x) && json_object_size(x) == 0 && !json_unreadable_text(x));
}

static bool says(const adapter *a, const char *key, const char *word)
{
    const char *text = json_string_value(json_object_get(a->keys, key));
    return text && strcmp(text, word) == 0;
}

/* Initial weights of other kinds change the base as well, which is then not the file that they were taken from. */
static void require_plain_start(const adapter *a)
{
    const json_t *x = json_object_get(a->keys, "init_lora_weights");
    const bool plain = is_nothing(x) || json_is_true(x) || says(a, "init_lora_weights", "gaussian")
                       || says(a, "init_lora_weights", "orthogonal");
    if (!plain)
        die("%s: init_lora_weights may have changed the base, too (PiSSA, OLoRA, LoftQ, ...): such adapters are not "
            "read", a->path);
}

static bool truth(const adapter *a, const char *key)
{
    const json_t *x = json_object_get(a->keys, key);
    if (x && !json_is_boolean(x) && !json_is_null(x)) die("%s: %s is neither true nor false; correct it", a->path, key);
    return json_is_true(x);
}

static adapter config_of(const char *path, const json_t *keys)
{
    adapter a = { .path = path, .keys = keys };
    const char *key;
    json_t *x;
    if (!says(&a, "peft_type", "LORA")) die("%s: peft_type is not LORA: other adapters are not read", path);
    if (truth(&a, "use_dora"))
        die("%s: it is DoRA, which scales the columns of the sum: such adapters are not read", path);
    if (!is_nothing(json_object_get(keys, "bias")) && !says(&a, "bias", "none"))
        die("%s: it changes biases, too, of which the base knows nothing: such adapters are not read", path);
    json_object_foreach((json_t *)(uintptr_t)keys, key, x)
        if (!is_harmless(key) && !is_nothing(x))
            die("%s: %.100s is set, whose effect on the sum is not computed here", path, key);
    require_plain_start(&a);
    const json_t *alpha = json_object_get(keys, "lora_alpha");
    a.alpha = json_number_value(alpha);
    if (!json_is_number(alpha) || !isfinite(a.alpha)) die("%s: lora_alpha is no number; fetch it again", path);
    a.root = truth(&a, "use_rslora");
    a.turned = truth(&a, "fan_in_fan_out");
    return a;
}

/* ---- its tensors ------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

/* The module that a tensor NAME.lora_A.weight belongs to, without what PEFT puts in front; NULL: it is none.  To be
 * freed. */
static char *module_of(const char *name, const char *half)
{
    static const char front[] = "base_model.model.";
    const char *const end[] = { ".weight", ".default.weight" };
    for (size_t k = 0; k < COUNT(end); k++) {
        char *tail = must_format(".%s%s", half, end[k]);
        const bool is = ends_with(name, tail);
        const size_t n = strlen(name) - (is ? strlen(tail) : 0);
        free(tail);
        if (!is) continue;
        const size_t from = strncmp(name, front, strlen(front)) == 0 ? strlen(front) : 0;
        return from < n ? must_format("%.*s", (int)(n - from), name + from) : NULL;
    }
    return NULL;
}

/* Of two names one may leave out what classes put in front of all ("transformer.", "model."). */
static bool same_module(const char *tensor, const char *module)
{
    char *whole = must_format("%s.weight", module), *in_tensor = must_format(".%s", whole);
    char *in_module = must_format(".%s", tensor);
    const bool same = strcmp(tensor, whole) == 0 || ends_with(tensor, in_tensor) || ends_with(whole, in_module);
    free(whole);
    free(in_tensor);
    free(in_module);
    return same;
}

static weight_tensor *base_of(weights *w, const char *module, const adapter *a)
{
    weight_tensor *found = NULL;
    for (long k = 0; k < w->tensors; k++) {
        if (!same_module(w->tensor[k].name, module)) continue;
        if (found) die("%s: %s may be %s or %s of the base", a->path, module, found->name, w->tensor[k].name);
        found = &w->tensor[k];
    }
    if (!found)
        die("%s: the base %s has no weight of %s: give the model that the adapter was trained on", a->path, w->path,
            module);
    return found;
}

/* A matrix that stands for itself, so that its entries are those of a part. */
static void require_part(const transformer *D, const weight_tensor *t, const adapter *a)
{
    static const int roles[] = { ROLE_Q, ROLE_K, ROLE_V, ROLE_O, ROLE_UP, ROLE_GATE, ROLE_DOWN, ROLE_HEAD };
    bool is = false;
    for (size_t k = 0; k < COUNT(roles); k++)
        is = is || (t->role == roles[k] && tensor_of(D, (tensor_role)roles[k], t->layer) == t);
    if (!is || D->value_rows)
        die("%s: it changes %s, which is no matrix of its own in this model (a table, or several matrices in one): "
            "that is not computed here", a->path, t->name);
    if (t->numbers == NUMBERS_OTHER || t->numbers == NUMBERS_QUANTISED || t->rank != 2)
        die("%s: %s of the base is %s: give the base in plain numbers", a->path, t->name, t->type);
}

static double *numbers_of(const weight_tensor *t, const adapter *a)
{
    double *x = must_calloc(t->n, sizeof *x);
    if (t->numbers == NUMBERS_OTHER || t->numbers == NUMBERS_QUANTISED)
        die("%s: tensor %s is %s, whose numbers are not read", a->path, t->name, t->type);
    weight_numbers(t, 0, t->n, x);
    for (size_t k = 0; k < t->n; k++)
        if (!isfinite(x[k])) die("%s: tensor %s has a number that is not finite", a->path, t->name);
    return x;
}

/* ---- the sum ----------------------------------------------------------------------------------------------------- */

/* See adapter.h: what sum_k |b_k a_k| |s| counts in sizes. */
static double weight_of_product(numbers_type base, numbers_type of, long r)
{
    const double u = unit_roundoff(base), v = fmax(u, unit_roundoff(of));
    const double f = unit_roundoff(base == NUMBERS_F64 && of == NUMBERS_F64 ? NUMBERS_F64 : NUMBERS_F32);
    return 1 + (2 * v + (double)r * f) / u;
}

/* t, out x in as it is stored (turned: in x out), becomes the sum; sizes are in x out. */
static void add_product(weights *w, weight_tensor *t, const weight_tensor *of_a, const weight_tensor *of_b, double s,
                        const adapter *a)
{
    const long r = of_a->shape[0], in = of_a->shape[1], out = of_b->shape[0];
    const long cols = t->shape[a->turned ? 0 : 1], rows = t->shape[a->turned ? 1 : 0];
    if (of_b->rank != 2 || of_b->shape[1] != r || cols != in || rows != out)
        die("%s: lora_A and lora_B of %s are %ld x %ld and %ld x %ld, which is no change of %ld x %ld; it is another "
            "model's", a->path, t->name, r, in, out, of_b->rank == 2 ? of_b->shape[1] : 1, t->shape[0], t->shape[1]);
    double *A = numbers_of(of_a, a), *B = numbers_of(of_b, a), *row = must_calloc(2 * (size_t)in, sizeof *row);
    double *W = (double *)(void *)weights_own(w, t->n * sizeof *W);
    double *sizes = (double *)(void *)weights_own(w, t->n * sizeof *sizes);
    weight_numbers(t, 0, t->n, W);
    const double more = weight_of_product(t->numbers, of_a->numbers == of_b->numbers ? of_a->numbers : NUMBERS_BF16, r);
    for (long i = 0; i < out; i++) {
        memset(row, 0, 2 * (size_t)in * sizeof *row);
        for (long k = 0; k < r; k++)
            for (long j = 0; j < in; j++) {
                const double product = B[i * r + k] * A[k * in + j];
                row[j] += product;
                row[in + j] += fabs(product);
            }
        for (long j = 0; j < in; j++) {
            double *at = &W[a->turned ? j * out + i : i * in + j];
            sizes[j * out + i] = fabs(*at) + more * fabs(s) * row[in + j];
            *at += s * row[j];
        }
    }
    free(A);
    free(B);
    free(row);
    t->parts = t->numbers;
    t->added = r + 1;
    t->sizes = sizes;
    t->at = (const unsigned char *)W;
    t->made = true;
    t->numbers = NUMBERS_F64;
    t->bytes = t->n * sizeof *W;
    snprintf(t->type, sizeof t->type, "F64");
}

static char *file_in(const char *folder, const char *name)
{
    char *path = must_format("%s/%s", folder, name);
    if (!file_is_regular(path))
        die("--adapter: %s is not there; give the folder with adapter_config.json and adapter_model.safetensors", path);
    return path;
}

void adapter_add(weights *w, const transformer *D, const char *folder)
{
    char *path = file_in(folder, "adapter_config.json"), *numbers = file_in(folder, "adapter_model.safetensors");
    size_t n;
    char *text = file_read(path, MOST_CONFIG, &n);
    json_error_t wrong;
    json_t *twice = NULL, *keys = python_json_loads(text, n, &twice, &wrong);
    if (!json_is_object(keys)) die("%s does not hold a JSON object; fetch it again", path);
    if (json_object_size(twice)) die("%s: a key is there twice, with different values; remove one of them", path);
    const adapter a = config_of(path, keys);
    weights of = weights_open(numbers);
    long changed = 0, rank = 0;
    for (long k = 0; k < of.tensors; k++) {
        const weight_tensor *t = &of.tensor[k], *other = NULL;
        char *module = module_of(t->name, "lora_A"), *back = module ? NULL : module_of(t->name, "lora_B");
        if (!module && !back)
            die("%s: tensor %s is neither lora_A nor lora_B of a weight; what else adapters hold is not computed here",
                numbers, t->name);
        for (long i = 0; i < of.tensors && !other; i++) {
            char *is = module_of(of.tensor[i].name, module ? "lora_B" : "lora_A");
            if (is && strcmp(is, module ? module : back) == 0) other = &of.tensor[i];
            free(is);
        }
        if (!other) die("%s: tensor %s has no other half; fetch the file again", numbers, t->name);
        if (module) {
            weight_tensor *to = base_of(w, module, &a);
            require_part(D, to, &a);
            if (t->rank != 2 || !t->n) die("%s: tensor %s is no matrix; fetch the file again", numbers, t->name);
            if (to->added) die("%s: %s is changed twice", numbers, to->name);
            rank = t->shape[0];
            add_product(w, to, t, other, a.alpha / (a.root ? sqrt((double)rank) : (double)rank), &a);
            changed++;
        }
        free(module);
        free(back);
    }
    if (!changed) die("%s changes nothing; fetch it again", numbers);
    weights_note(w, "with the adapter %s: %ld matrices are W + s B A", folder, changed);
    w->changed = true;
    weights_close(&of);
    json_decref(twice);
    json_decref(keys);
    free(text);
    free(path);
    free(numbers);
}
