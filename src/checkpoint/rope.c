/* SPDX-License-Identifier: GPL-3.0-or-later
 * rope.c - see rope.h. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/beyond.h"
#include "src/checkpoint/rope.h"

static const char *const kind_name[] = { [ROPE_PLAIN] = "plain", [ROPE_LINEAR] = "linear", [ROPE_DYNAMIC] = "dynamic",
    [ROPE_LLAMA3] = "llama3", [ROPE_YARN] = "yarn", [ROPE_LONGROPE] = "longrope" };

/* ---- config.json ------------------------------------------------------------------------------------------------- */

/* Keys inside of rope_scaling that some kind reads; another one may be a rule that is not known here. */
static const char *const inner_keys[] = { "rope_type", "type", "rope_theta", "partial_rotary_factor", "factor",
    "original_max_position_embeddings", "low_freq_factor", "high_freq_factor", "attention_factor", "beta_fast",
    "beta_slow", "mscale", "mscale_all_dim", "truncate", "short_factor", "long_factor" };

typedef struct { transformer *D; const settings *s; const json_t *rope; char *why; } reader;

static void not_computed(reader *r, const char *what)
{
    if (!r->why) r->why = must_format("its rotary angles are scaled, and %s (rope_scaling)", what);
}

/* 0: absent or null. */
static double number(reader *r, const char *key, bool needed)
{
    const json_t *x = json_object_get(r->rope, key);
    const double v = json_number_value(x);
    char *what = NULL;
    if (!x || json_is_null(x)) {
        if (needed) what = must_format("%s is not said", key);
    } else if (!json_is_number(x) || !isfinite(v) || v <= 0) what = must_format("%s is no positive number", key);
    if (what) not_computed(r, what);
    free(what);
    return json_is_number(x) && isfinite(v) && v > 0 ? v : 0;
}

/* transformers 5 takes the value beside rope_scaling first, which some classes have where it is not said, too; other
 * programs, and that one where angles go by kinds of layers, take the value inside. */
static void original_positions(reader *r)
{
    static const char key[] = "original_max_position_embeddings";
    const long said = key_whole(r->s, key, 1 << 28), T = r->D->T;
    const long beside = said ? said : (long)setting_usual(r->s, SETTING_ORIGINAL_POSITIONS);
    const double inside = number(r, key, false);
    if (inside > 0 && (inside != rint(inside) || inside > 1 << 28)) not_computed(r, "its positions are not whole");
    if (beside && inside > 0 && inside != (double)beside)
        not_computed(r, said ? "original_max_position_embeddings is said twice with different values"
                             : "programs differ on whether its original_max_position_embeddings counts");
    const bool nested = setting_is_known(r->s, SETTING_LOCAL_THETA) && r->rope != key_value(r->s, "rope_scaling");
    if ((nested || !r->s->of->original_beside) && !(inside > 0) && said && said != T)
        not_computed(r, "programs differ on whether original_max_position_embeddings beside it counts");
    r->D->rope.original = beside ? beside : inside > 0 && inside <= 1 << 28 ? (long)inside : T;
    if (r->D->rope.original < 2) not_computed(r, "original_max_position_embeddings is not said");
}

enum { YARN_FAST = 32, YARN_SLOW = 1 };   /* turns, where nothing is said                                */

/* 1 + m/10 log(factor) where the factor is above 1. */
static double yarn_size(double factor, double m) { return factor <= 1 ? 1 : 0.1 * m * log(factor) + 1; }

static void read_yarn(reader *r)
{
    rope_scaling *to = &r->D->rope;
    const double m = number(r, "mscale", false), all = number(r, "mscale_all_dim", false);
    const double said = number(r, "attention_factor", false);
    const json_t *truncate = json_object_get(r->rope, "truncate");
    original_positions(r);
    to->factor = number(r, "factor", true);
    to->fast = number(r, "beta_fast", false);
    to->slow = number(r, "beta_slow", false);
    if (to->fast == 0) to->fast = YARN_FAST;
    if (to->slow == 0) to->slow = YARN_SLOW;
    if (to->slow > to->fast) not_computed(r, "beta_slow is above beta_fast");
    to->attention = said > 0 ? said : m > 0 && all > 0 ? yarn_size(to->factor, m) / yarn_size(to->factor, all)
                  : yarn_size(to->factor, 1);
    to->unrounded = json_is_false(truncate);
    if (truncate && !json_is_boolean(truncate)) not_computed(r, "truncate is not true or false");
}

static void read_llama3(reader *r)
{
    rope_scaling *to = &r->D->rope;
    original_positions(r);
    to->factor = number(r, "factor", true);
    to->slow = number(r, "low_freq_factor", true);
    to->fast = number(r, "high_freq_factor", true);
    if (!r->why && to->fast <= to->slow) not_computed(r, "high_freq_factor is not above low_freq_factor");
}

/* One number for each frequency, as float32. */
static double *list(reader *r, const char *key)
{
    const json_t *all = json_object_get(r->rope, key);
    const long n = r->D->rotary / 2;
    double *x = must_calloc((size_t)n, sizeof *x);
    bool good = json_is_array(all) && json_array_size(all) == (size_t)n;
    for (long i = 0; i < n && good; i++) {
        const json_t *entry = json_array_get(all, (size_t)i);
        x[i] = (double)(float)json_number_value(entry);
        good = json_is_number(entry) && isfinite(x[i]) && x[i] > 0;
    }
    char *what = good ? NULL : must_format("%s does not hold %ld positive numbers", key, n);
    if (what) not_computed(r, what);
    free(what);
    return x;
}

/* transformers 4 takes positions / original positions for the factor even where another is said. */
static void read_longrope(reader *r)
{
    rope_scaling *to = &r->D->rope;
    original_positions(r);
    const double said = number(r, "factor", false), size = number(r, "attention_factor", false);
    const double ratio = to->original > 0 ? (double)r->D->T / (double)to->original : 0;
    to->factor = said > 0 ? said : ratio;
    if (size == 0 && said > 0 && said != ratio) not_computed(r, "programs differ on whether factor counts");
    to->attention = size > 0 ? size : to->factor <= 1 ? 1
                  : sqrt(1 + log(to->factor) / log((double)to->original));
    to->table = list(r, "short_factor");
    to->far_table = list(r, "long_factor");
}

static void read_dynamic(reader *r)
{
    r->D->rope.factor = number(r, "factor", true);
    if (!r->D->T) not_computed(r, "max_position_embeddings is not said");
    if (r->D->rotary < 4) not_computed(r, "a head has one rotary pair alone");
    if (r->D->rope.factor > 0 && r->D->rope.factor < 1) not_computed(r, "factor is below 1");
}

static bool has_objects(const json_t *rope)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)rope, key, value) if (json_is_object(value)) return true;
    return false;
}

/* ROPE_KINDS: none that is known here. */
static rope_kind kind_of(const reader *r)
{
    const json_t *type = json_object_get(r->rope, "rope_type"), *older = json_object_get(r->rope, "type");
    if (type && older && !json_equal(type, older)) return ROPE_KINDS;          /* programs read the one or the other */
    const char *name = json_string_value(type ? type : older);
    const json_t *own = r->s ? r->s->of->rope_kinds : NULL;            /* the class knows these alone */
    if (own && name && strcmp(name, "default") != 0 && !(name = json_string_value(json_object_get(own, name))))
        return ROPE_KINDS;
    if (!type && !older) return json_object_get(r->rope, "factor") ? ROPE_KINDS : ROPE_PLAIN;
    if (name && strcmp(name, "default") == 0) return ROPE_PLAIN;
    for (int k = ROPE_PLAIN + 1; k < ROPE_KINDS && name; k++) if (strcmp(kind_name[k], name) == 0) return (rope_kind)k;
    return ROPE_KINDS;
}

static void check_keys(reader *r)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)r->rope, key, value) {
        bool known = json_is_null(value);
        for (size_t k = 0; k < COUNT(inner_keys); k++) known = known || strcmp(inner_keys[k], key) == 0;
        char *what = known ? NULL : must_format("%.60s is a key of it that is not known here", key);
        if (what) not_computed(r, what);
        free(what);
    }
}

/* Of that object, which is rope_scaling or rope_parameters. */
static char *read_object(transformer *D, const settings *s, const json_t *rope)
{
    reader r = { D, s, rope, NULL };
    const rope_kind kind = kind_of(&r);
    if (rope && !json_is_object(rope)) not_computed(&r, "it is no object");
    if (has_objects(rope)) not_computed(&r, "layers have angles of their own");
    if (kind == ROPE_KINDS) not_computed(&r, "its type is none that is known here");
    D->rope = (rope_scaling){ .kind = kind, .factor = 1, .attention = 1 };
    if (kind == ROPE_PLAIN || r.why) return r.why;
    check_keys(&r);
    switch (kind) {
    case ROPE_LINEAR:   D->rope.factor = number(&r, "factor", true); break;
    case ROPE_DYNAMIC:  read_dynamic(&r); break;
    case ROPE_LLAMA3:   read_llama3(&r); break;
    case ROPE_YARN:     read_yarn(&r); break;
    default:            read_longrope(&r); break;
    }
    return r.why;
}

static bool is_plain(const json_t *rope)
{
    const reader r = { NULL, NULL, rope, NULL };
    return json_is_object(rope) && !has_objects(rope) && kind_of(&r) == ROPE_PLAIN;
}

static bool is_empty(const json_t *rope)
{
    return !rope || (json_is_object(rope) && json_object_size(rope) == 0);
}

/* rope_parameters by kind of layer, of which those within a window are plain; rope_scaling is of the others. */
static char *read_by_layer(transformer *D, const settings *s, const json_t *scaling, const json_t *parameters)
{
    const json_t *full = json_object_get(parameters, "full_attention");
    const json_t *local = json_object_get(parameters, "sliding_attention");
    if (!is_empty(parameters) && (!json_is_object(full) || (local && !is_plain(local)) || !is_empty(scaling)))
        return must_strdup("its rotary angles are scaled, by no rule that is known here for its kinds of layers "
                           "(rope_parameters)");
    if (json_object_get(scaling, "type") && !json_object_get(scaling, "rope_type") && !is_plain(scaling))
        return must_strdup("programs differ on whether its rotary angles are scaled: type says how, and rope_type is "
                           "not there (rope_scaling)");      /* transformers 5 lays it over a rope_type of default */
    const json_t *rope = is_empty(scaling) ? full : scaling;
    return is_empty(rope) ? NULL : read_object(D, s, rope);
}

static char *read_config(transformer *D, const settings *s)
{
    const json_t *scaling = key_value(s, "rope_scaling"), *parameters = key_value(s, "rope_parameters");
    if (setting_is_known(s, SETTING_LOCAL_THETA)) return read_by_layer(D, s, scaling, parameters);
    const json_t *rope = is_empty(scaling) ? parameters : scaling;
    if (!is_empty(scaling) && !is_empty(parameters) && !json_equal(scaling, parameters)
        && !(is_plain(scaling) && is_plain(parameters)))
        return must_strdup("its rotary angles are scaled, and programs differ on by which of rope_scaling and "
                           "rope_parameters");
    return is_empty(rope) ? NULL : read_object(D, s, rope);
}

/* ---- GGUF -------------------------------------------------------------------------------------------------------- */

/* llama.cpp: linear where no type is said; a factor of 0 counts as none. */
static double factor_in_gguf(const settings *s)
{
    static const char *const name[] = { "rope.scaling.factor", "rope.scale_linear" };
    for (size_t k = 0; k < COUNT(name); k++) {
        const json_t *x = key_value(s, name[k]);
        if (x) return json_is_number(x) && json_number_value(x) == 0 ? 1 : key_number(s, name[k]);
    }
    return 1;
}

/* Keys that change yarn's rule beyond what is computed here, or in some programs and not in others. */
static char *other_yarn(const settings *s)
{
    static const struct { const char *key; double usual; bool unread; } of[] = {
        { "rope.scaling.yarn_ext_factor", 1, false }, { "rope.scaling.yarn_attn_factor", 1, false },
        { "rope.scaling.yarn_log_multiplier", 0, false }, { "rope.scaling.yarn_beta_fast", YARN_FAST, true },
        { "rope.scaling.yarn_beta_slow", YARN_SLOW, true } };              /* unread: by some programs  */
    for (size_t k = 0; k < COUNT(of); k++) {
        const json_t *x = key_value(s, of[k].key);
        if (x && !(json_is_number(x) && json_number_value(x) == of[k].usual))
            return must_format("its rotary angles are scaled by another form of yarn%s (%s%s)", of[k].unread
                               ? ", and programs differ on whether that key counts" : "", s->before, of[k].key);
    }
    return NULL;
}

static char *read_gguf(transformer *D, const settings *s)
{
    const char *type = key_text(s, "rope.scaling.type");
    rope_scaling *to = &D->rope;
    const double factor = factor_in_gguf(s);
    if (type && strcmp(type, "none") == 0) return NULL;
    if (!type || strcmp(type, "linear") == 0) {
        if (factor != 1) *to = (rope_scaling){ .kind = ROPE_LINEAR, .factor = factor, .attention = 1 };
        return NULL;
    }
    if (strcmp(type, "yarn") != 0)
        return must_format("its rotary angles are scaled by no rule that is known here (%srope.scaling.type)",
                           s->before);
    char *other = other_yarn(s);
    if (other) return other;
    const long original = key_whole(s, "rope.scaling.original_context_length", 1 << 28);
    *to = (rope_scaling){ .kind = ROPE_YARN, .factor = factor, .attention = yarn_size(factor, 1), .fast = YARN_FAST,
                          .slow = YARN_SLOW, .original = original ? original : D->T };
    if (factor < 1 || to->original < 2)
        return must_format("its rotary angles are scaled by yarn with a factor below 1, or without its positions "
                           "(%srope.scaling.factor)", s->before);
    return NULL;
}

char *rope_read(transformer *D, const settings *s)
{
    D->rope = (rope_scaling){ .kind = ROPE_PLAIN, .factor = 1, .attention = 1 };
    if (D->positions != POSITIONS_ROTARY) return NULL;
    return s->of->gguf ? read_gguf(D, s) : read_config(D, s);
}

char *rope_read_table(transformer *D, const weight_tensor *t)
{
    const long n = D->rotary / 2;
    if (D->positions != POSITIONS_ROTARY || t->numbers == NUMBERS_OTHER || t->n != (size_t)n || D->rope.table)
        return must_format("its rotary angles are scaled by a table that does not fit (%s)", t->name);
    double *x = must_calloc((size_t)n, sizeof *x);
    weight_numbers(t, 0, (size_t)n, x);
    for (long i = 0; i < n; i++)
        if (!(isfinite(x[i]) && x[i] > 0))
            die("%s: tensor %s holds %g, which divides a frequency; the model is damaged: fetch it again", t->path,
                t->name, x[i]);
    D->rope.table = x;
    return NULL;
}

/* ---- divisors ---------------------------------------------------------------------------------------------------- */

static long double frequency(const transformer *D, long i)
{
    return powl((long double)D->theta, -2.0L * (long double)i / (long double)D->rotary);
}

/* Weight e of the frequency itself and 1 - e of the one divided by the factor; exact at both ends. */
static long double mixed(const rope_scaling *r, long double e)
{
    return e <= 0 ? (long double)r->factor : e >= 1 ? 1 : 1 / ((1 - e) / (long double)r->factor + e);
}

/* Wavelengths above original / slow are divided, those below original / fast are not, between them linearly. */
static long double of_llama3(const transformer *D, long i)
{
    const rope_scaling *r = &D->rope;
    const long double turns = (long double)r->original * frequency(D, i) / (2 * acosl(-1.0L));
    return mixed(r, (turns - (long double)r->slow) / ((long double)r->fast - (long double)r->slow));
}

/* The pair that turns that often within the original positions; in doubles, in the order of transformers: it is rounded
 * to a whole number. */
static double yarn_pair(const transformer *D, double turns)
{
    return ((double)D->rotary * log((double)D->rope.original / (turns * 2 * acos(-1.0)))) / (2 * log(D->theta));
}

static long double of_yarn(const transformer *D, long i)
{
    const rope_scaling *r = &D->rope;
    double low = yarn_pair(D, r->fast), high = yarn_pair(D, r->slow);
    if (!r->unrounded) low = floor(low), high = ceil(high);
    low = fmax(low, 0);
    high = fmin(high, (double)D->rotary - 1);
    if (low == high) high += 0.001;                                    /* as transformers does */
    const long double ramp = ((long double)i - (long double)low) / ((long double)high - (long double)low);
    return mixed(r, 1 - fminl(1, fmaxl(0, ramp)));
}

/* theta becomes theta (factor length / T - (factor - 1))^(rotary / (rotary - 2)) where a sequence is longer than T. */
static long double of_dynamic(const transformer *D, long length, long i)
{
    const long double factor = (long double)D->rope.factor, r = (long double)D->rotary;
    if (length <= D->T) return 1;
    const long double grown = factor * (long double)length / (long double)D->T - (factor - 1);
    return powl(grown, 2 * (long double)i / (r - 2));
}

bool rope_scales(const transformer *D)
{
    return D->positions == POSITIONS_ROTARY && (D->rope.kind != ROPE_PLAIN || D->rope.table);
}

void rope_divisors(const transformer *D, long length, double *divide)
{
    const rope_scaling *r = &D->rope;
    const double *table = r->far_table && length > r->original ? r->far_table : r->table;
    for (long i = 0; i < D->rotary / 2; i++) {
        long double by = 1;
        switch (r->kind) {
        case ROPE_LINEAR:  by = (long double)r->factor; break;
        case ROPE_DYNAMIC: by = of_dynamic(D, length, i); break;
        case ROPE_LLAMA3:  by = of_llama3(D, i); break;
        case ROPE_YARN:    by = of_yarn(D, i); break;
        default: break;
        }
        divide[i] = (double)(table ? by * (long double)table[i] : by);
    }
}

/* ---- words and comparison ---------------------------------------------------------------------------------------- */

char *rope_words(const transformer *D)
{
    const rope_scaling *r = &D->rope;
    text_buffer t = { 0 };
    if (!rope_scales(D)) return must_strdup("plain");
    if (r->kind == ROPE_PLAIN) text_add(&t, "divided by a table of the file");
    else text_add(&t, "scaled by %s: factor %.9g", kind_name[r->kind], r->factor);
    if (r->kind == ROPE_LLAMA3) text_add(&t, ", fully below %.9g and not above %.9g turns", r->slow, r->fast);
    if (r->kind == ROPE_YARN) text_add(&t, ", fully below %.9g and not above %.9g turns%s", r->slow, r->fast,
                                       r->unrounded ? ", bounds not rounded" : "");
    if (r->kind == ROPE_DYNAMIC) text_add(&t, " beyond %ld positions, by the length of the sequence", D->T);
    else if (r->kind == ROPE_LONGROPE) text_add(&t, ", one table up to %ld positions and another beyond", r->original);
    else if (r->original) text_add(&t, " in %ld positions", r->original);
    if (r->attention != 1) text_add(&t, "; cosines and sines times %.9g", r->attention);
    if (r->table && r->kind != ROPE_PLAIN && r->kind != ROPE_LONGROPE) text_add(&t, "; and by a table of the file");
    return text_take(&t);
}

/* The lengths at which two rules may differ: those of short sequences, and beyond where a rule changes. */
static double apart_at(const transformer *A, const transformer *B, long length)
{
    const long n = A->rotary / 2;
    double *a = must_calloc((size_t)(2 * n), sizeof *a), *b = a + n, gap = 0;
    rope_divisors(A, length, a);
    rope_divisors(B, length, b);
    for (long i = 0; i < n; i++) gap = fmax(gap, fabs(a[i] - b[i]) / fmin(a[i], b[i]));
    free(a);
    return gap;
}

/* Tables of float32 come from frequencies in float32 by a few operations, each of which rounds; between two bands the
 * rule of llama3 makes of one such rounding up to a third of the factor. */
#define TABLE_UNITS 32

rope_relation rope_compare(const transformer *A, const transformer *B, double *units)
{
    const rope_scaling *a = &A->rope, *b = &B->rope;
    const bool by_length = a->kind == ROPE_DYNAMIC || b->kind == ROPE_DYNAMIC || a->far_table || b->far_table;
    *units = 0;
    if (a->attention != b->attention) return ROPE_DIFFERENT;
    if (by_length && (a->kind != b->kind || a->original != b->original || a->factor != b->factor
                      || (a->kind == ROPE_DYNAMIC && A->T != B->T))) return ROPE_DIFFERENT;
    const long most = A->T > a->original ? A->T : a->original;
    double gap = apart_at(A, B, 1);
    if (by_length) gap = fmax(gap, apart_at(A, B, most < LONG_MAX / 2 ? 2 * most + 1 : most));
    *units = gap / 0x1p-24;
    if (gap == 0) return ROPE_EQUAL;
    const bool table = (a->table || b->table) && !by_length;
    return table && *units <= TABLE_UNITS ? ROPE_ROUNDED : ROPE_DIFFERENT;
}
