/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_adapter.c - `provably verify --adapter`: a base with a LoRA adapter against the merged model, in several types and as
 * merges go wrong; adapters that are refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/data/safetensors.h"
#include "tests/support/files.h"
#include "tests/support/json_form.h"
#include "tests/support/small_model.h"
#include "tests/support/suite.h"

static char said[1 << 16];
static int verify(const char *adapter, const char *options, const char *A, const char *B)
{
    const int status = run_command(said, sizeof said, "%s/provably verify --width=400 --adapter=%s %s %s %s", build_folder(), adapter, options, A, B);
    return status;
}
#define HAS(words) ck_assert_msg(strstr(said, words), "`%s` is not in: %s", words, said)

enum { R = 2, CHANGED = 3 };
static const struct { const char *name; tensor_role role; long layer; } changed[CHANGED] = {
    { "model.layers.0.self_attn.q_proj", ROLE_Q, 0 }, { "model.layers.1.self_attn.v_proj", ROLE_V, 1 },
    { "model.layers.2.mlp.down_proj", ROLE_DOWN, 2 } };

static const char usual[] = "\"peft_type\": \"LORA\", \"r\": 2, \"lora_alpha\": 3, \"bias\": \"none\", \"fan_in_fan_out\": false, \"use_rslora\": false, "
                            "\"use_dora\": false, \"lora_dropout\": 0.1, \"modules_to_save\": null, \"rank_pattern\": {}, \"target_modules\": [\"q_proj\"], "
                            "\"init_lora_weights\": true, \"task_type\": \"CAUSAL_LM\"";
static const double scale = 1.5;

static double drawn(uint64_t n)
{
    static const uint64_t key[2] = { 11, 12 };
    return (double)(float)((double)random_gauss24(key, n) * 0x1p-38);
}

/* A[k][i] of the adapter of matrix m, and B[o][k]. */
static double half_a(int m, long k, long i) { return drawn((uint64_t)(m * 100000 + k * 1000 + i)); }
static double half_b(int m, long o, long k) { return drawn((uint64_t)(m * 100000 + 50000 + o * 10 + k)); }

/* As PEFT saves it; without: a tensor that is left out, or NULL. */
static char *adapter(const small_model *m, const char *config, const char *without)
{
    char *folder = temp_folder();
    safetensors s = { .tensor = NULL };
    for (int c = 0; c < CHANGED; c++) {
        const small_matrix *W = &m->part[changed[c].layer + 1][changed[c].role];
        float *a = must_calloc((size_t)(R * W->rows), sizeof *a), *b = must_calloc((size_t)(R * W->cols), sizeof *b);
        for (long k = 0; k < R; k++) {
            for (long i = 0; i < W->rows; i++) a[k * W->rows + i] = (float)half_a(c, k, i);
            for (long o = 0; o < W->cols; o++) b[o * R + k] = (float)half_b(c, o, k);
        }
        const char *names[2] = { temp_format("base_model.model.%s.lora_A.weight", changed[c].name),
                                 temp_format("base_model.model.%s.lora_B.weight", changed[c].name) };
        if (!without || strcmp(without, names[0]) != 0) safetensors_tensor(&s, names[0], 2, (long[]){ R, W->rows }, a);
        if (!without || strcmp(without, names[1]) != 0) safetensors_tensor(&s, names[1], 2, (long[]){ W->cols, R }, b);
        free(a);
        free(b);
    }
    safetensors_write(&s, temp_path(folder, "adapter_model.safetensors"));
    safetensors_free(&s);
    temp_text(folder, "adapter_config.json", temp_format("{%s}", config));
    return folder;
}

/* W + by B A with each step rounded to the type, as programs merge. */
static small_model merged(const small_model *m, numbers_type type, double by)
{
    small_model to = small_model_copy(m);
    for (int c = 0; c < CHANGED; c++) {
        small_matrix *W = small_part(&to, changed[c].role, changed[c].layer);
        for (long i = 0; i < W->rows; i++)
            for (long o = 0; o < W->cols; o++) {
                double sum = 0;
                for (long k = 0; k < R; k++) sum = (double)(float)(sum + (double)(float)(half_a(c, k, i) * half_b(c, o, k)));
                double *w = &W->x[i * W->cols + o];
                *w = small_round(type, *w + small_round(type, by * small_round(type, sum)));
            }
    }
    return to;
}

static const numbers_type types[] = { NUMBERS_F32, NUMBERS_BF16, NUMBERS_F16 };

START_TEST(merged_models_are_the_same)
{
    small_model m = small_model_draw(SMALL_LLAMA, types[_i]), b = merged(&m, types[_i], scale);
    const char *A = small_model_save(&m, types[_i]), *B = small_model_save(&b, types[_i]), *lora = adapter(&m, usual, NULL);
    ck_assert_msg(verify(lora, "", A, B) == 0, "%s", said);
    HAS("3 matrices are W + s B A");
    HAS("the same up to rounding, for all inputs");
    HAS("3 are equal to rounding");
    ck_assert_msg(verify(lora, "--json", A, B) == 0, "%s", said);
    json_t *schema = json_form("src/cli/schema/verify.json"), *o = json_loads(said, 0, NULL);
    ck_assert_msg(!json_form_wrong(o, schema), "%s: %s", json_form_wrong(o, schema), said);
    ck_assert_str_eq(json_string_value(json_object_get(o, "adapter")), lora);
    json_decref(schema);
    json_decref(o);
    small_model_free(&b);
    b = merged(&m, types[_i], 3 / sqrt(2));                                      /* rslora                              */
    const char *C = small_model_save(&b, types[_i]);
    const char *root = adapter(&m, temp_format("%s, \"use_rslora\": true", strstr(usual, "\"r\"")), NULL);
    temp_text(root, "adapter_config.json", "{\"peft_type\": \"LORA\", \"r\": 2, \"lora_alpha\": 3, \"use_rslora\": true}");
    ck_assert_msg(verify(root, "", A, C) == 0, "%s", said);
    ck_assert_msg(verify(lora, "", A, C) == 1, "%s", said);
    ck_assert_msg(verify(root, "", A, B) == 1, "%s", said);
    small_model_free(&b);
    small_model_free(&m);
}
END_TEST

/* What is not the merged model; the base itself, byte by byte, above all. */
START_TEST(other_merges_are_not)
{
    small_model m = small_model_draw(SMALL_LLAMA, types[_i]);
    const char *A = small_model_save(&m, types[_i]), *lora = adapter(&m, usual, NULL);
    ck_assert_msg(verify(lora, "", A, A) == 1, "%s", said);
    HAS("B was saved without its changes");
    ck_assert_msg(verify(lora, "", A, small_model_save(&m, types[_i])) == 1, "%s", said);
    static const double by[] = { 3, -1.5, 1.35, 0.75 };
    for (size_t k = 0; k < COUNT(by); k++) {
        small_model b = merged(&m, types[_i], by[k]);
        ck_assert_msg(verify(lora, "", A, small_model_save(&b, types[_i])) == 1, "times %g: %s", by[k], said);
        small_model_free(&b);
    }
    small_model b = merged(&m, types[_i], scale);
    small_matrix *W = small_part(&m, ROLE_V, 1), *V = small_part(&b, ROLE_V, 1);
    memcpy(V->x, W->x, (size_t)(W->rows * W->cols) * sizeof *W->x);             /* one of three forgotten              */
    ck_assert_msg(verify(lora, "", A, small_model_save(&b, types[_i])) == 1, "%s", said);
    HAS("layer 1, W_V");
    HAS("those of the base, unchanged");
    small_model_free(&b);
    small_model_free(&m);
}
END_TEST

/* GPT-2's Conv1D stores in x out, and its names have no transformer. in front. */
START_TEST(turned_weights)
{
    small_model m = small_model_draw(SMALL_GPT2, NUMBERS_F32), b = small_model_copy(&m);
    small_matrix *W = small_part(&b, ROLE_UP, 1);
    safetensors s = { .tensor = NULL };
    float *x = must_calloc((size_t)(W->rows + W->cols), sizeof *x);
    for (long k = 0; k < W->rows + W->cols; k++) x[k] = (float)drawn((uint64_t)k);
    for (long i = 0; i < W->rows; i++)
        for (long o = 0; o < W->cols; o++)
            W->x[i * W->cols + o] = small_round(NUMBERS_F32, W->x[i * W->cols + o] + 16 * (double)x[i] * (double)x[W->rows + o]);
    char *folder = temp_folder();
    safetensors_tensor(&s, "base_model.model.transformer.h.1.mlp.c_fc.lora_A.weight", 2, (long[]){ 1, W->rows }, x);
    safetensors_tensor(&s, "base_model.model.transformer.h.1.mlp.c_fc.lora_B.weight", 2, (long[]){ W->cols, 1 }, x + W->rows);
    safetensors_write(&s, temp_path(folder, "adapter_model.safetensors"));
    safetensors_free(&s);
    free(x);
    temp_text(folder, "adapter_config.json", "{\"peft_type\": \"LORA\", \"r\": 1, \"lora_alpha\": 16, \"fan_in_fan_out\": true}");
    const char *A = small_model_save(&m, NUMBERS_F32), *B = small_model_save(&b, NUMBERS_F32);
    ck_assert_msg(verify(folder, "", A, B) == 0, "%s", said);
    HAS("the same up to rounding, for all inputs");
    temp_text(folder, "adapter_config.json", "{\"peft_type\": \"LORA\", \"r\": 1, \"lora_alpha\": 16, \"fan_in_fan_out\": false}");
    ck_assert_int_eq(verify(folder, "", A, B), 2);
    HAS("which is no change of");
    small_model_free(&b);
    small_model_free(&m);
}
END_TEST

static void refused(const char *lora, const char *A, const char *says)
{
    ck_assert_msg(verify(lora, "", A, A) == 2, "%s: %s", says, said);
    HAS(says);
    ck_assert_msg(strchr(said, '\n') == said + strlen(said) - 1, "more than one line: %s", said);
}

START_TEST(refused_adapters)
{
    static const struct { const char *key, *says; } of[] = {
        { "\"use_dora\": true", "it is DoRA" }, { "\"bias\": \"lora_only\"", "it changes biases" }, { "\"bias\": \"all\"", "it changes biases" },
        { "\"modules_to_save\": [\"lm_head\"]", "modules_to_save is set" }, { "\"rank_pattern\": {\"q\": 4}", "rank_pattern is set" },
        { "\"alpha_pattern\": {\"q\": 4}", "alpha_pattern is set" }, { "\"some_new_key\": 1", "some_new_key is set" },
        { "\"init_lora_weights\": \"pissa\"", "may have changed the base" }, { "\"lora_alpha\": \"x\"", "lora_alpha is no number" },
        { "\"use_rslora\": 1", "use_rslora is neither true nor false" }, { "\"peft_type\": \"IA3\"", "peft_type is not LORA" },
        { "\"lora_alpha\": 16, \"lora_alpha\": 3", "a key is there twice" }, { "\"x\": ", "does not hold a JSON object" } };
    small_model m = small_model_draw(SMALL_LLAMA, NUMBERS_F32);
    const char *A = small_model_save(&m, NUMBERS_F32);
    char *lora = adapter(&m, usual, NULL);
    for (size_t k = 0; k < COUNT(of); k++) {
        const bool whole = strstr(of[k].key, "peft_type") || strstr(of[k].key, "lora_alpha");
        const char *rest = whole ? strstr(of[k].key, "peft_type") ? "\"lora_alpha\": 3" : "\"peft_type\": \"LORA\""
                                 : "\"peft_type\": \"LORA\", \"lora_alpha\": 3";
        temp_text(lora, "adapter_config.json", temp_format("{%s, %s}", rest, of[k].key));
        refused(lora, A, of[k].says);
    }
    refused(temp_folder(), A, "adapter_config.json is not there; give the folder");
    refused(adapter(&m, usual, "base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight"), A, "has no other half");
    lora = adapter(&m, usual, NULL);
    safetensors s = { .tensor = NULL };
    safetensors_tensor(&s, "base_model.model.lm_head.weight", 1, (long[]){ 1 }, (float[]){ 1 });
    safetensors_write(&s, temp_path(lora, "adapter_model.safetensors"));
    safetensors_free(&s);
    refused(lora, A, "is neither lora_A nor lora_B of a weight");
    static const struct { const char *module, *says; long in; } other[] = {
        { "model.layers.7.self_attn.q_proj", "has no weight of model.layers.7.self_attn.q_proj", 32 },
        { "model.embed_tokens", "is no matrix of its own in this model", 32 }, { "model.layers.0.self_attn.q_proj", "which is no change of", 31 } };
    static const float zeros[64];
    for (size_t k = 0; k < COUNT(other); k++) {
        s = (safetensors){ .tensor = NULL };
        safetensors_tensor(&s, temp_format("base_model.model.%s.lora_A.weight", other[k].module), 2, (long[]){ 1, other[k].in }, zeros);
        safetensors_tensor(&s, temp_format("base_model.model.%s.lora_B.weight", other[k].module), 2, (long[]){ 32, 1 }, zeros);
        safetensors_write(&s, temp_path(lora, "adapter_model.safetensors"));
        safetensors_free(&s);
        refused(lora, A, other[k].says);
    }
    lora = adapter(&m, usual, NULL);
    ck_assert_int_eq(verify(lora, temp_format("-o %s", temp_path(lora, "c")), A, A), 2);
    HAS("leave the other option out");
    small_model_free(&m);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("adapter");
    TCase *all = tcase_create("adapter");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, merged_models_are_the_same, 0, COUNT(types));
    tcase_add_loop_test(all, other_merges_are_not, 0, COUNT(types));
    tcase_add_test(all, turned_weights);
    tcase_add_test(all, refused_adapters);
    return run_suite(suite, argc, argv);
}
