/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_odd_settings.c - config.json and architectures' files with one thing changed: each key set to each kind of value, and
 * each field of an architecture to what it may not be.
 *
 * A value of another type is refused with one line that names the key, or the model is said to be beyond what is known, or to
 * have a setting that is not known; it is never taken for what it usually is.  What is beside the model it was made from is
 * compared with that: no two descriptions differ in silence. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/rope.h"
#include "src/checkpoint/settings_apart.h"
#include "src/checkpoint/structure.h"
#include "tests/support/files.h"
#include "tests/support/small_model.h"
#include "tests/support/suite.h"

static char output[1 << 14];
static char *plain[SMALL_ARCHITECTURES];             /* folders of models */

static json_t *config_of(const char *folder)
{
    json_error_t e;
    json_t *c = json_load_file(temp_path(folder, "config.json"), 0, &e);
    ck_assert_msg(c, "%s: %s", folder, e.text);
    return c;
}

/* What is known of the second, on standard error, and how it differs from the first. */
typedef struct { const char *first, *second; } pair;
static void open_both(void *with)
{
    const pair *p = with;
    weights a = weights_open(p->first), b = weights_open(p->second);
    transformer A = transformer_of(&a), B = transformer_of(&b);
    if (B.unknown) fprintf(stderr, "unknown: %s\n", B.unknown);
    if (B.beyond) fprintf(stderr, "beyond: %s\n", B.beyond);
    for (long k = 0; k < B.unknown_keys; k++) fprintf(stderr, "key: %s\n", B.unknown_key[k]);
    if (!A.unknown && !B.unknown && A.L == B.L && A.d == B.d) {
        structure s = structure_of(&A, &B, NULL);
        if (!structure_settings_agree(&A, &B) || !structure_same(&s)) fprintf(stderr, "apart\n");
        structure_free(&s);
        double units;
        if (A.positions == POSITIONS_ROTARY && B.positions == POSITIONS_ROTARY && rope_compare(&A, &B, &units) == ROPE_DIFFERENT)
            fprintf(stderr, "apart in positions\n");
    }
    long n;
    char **list = settings_apart(a.config, b.config, &n);
    for (long k = 0; k < n; k++) fprintf(stderr, "setting: %s\n", list[k]);
    transformer_free(&A);
    transformer_free(&B);
    weights_close(&a);
    weights_close(&b);
}

/* The model with another config.json beside it as it is: its exit status. */
static int with_config(small_architecture of, const json_t *config)
{
    char *folder = temp_folder(), *text = json_dumps(config, JSON_ENCODE_ANY);
    ck_assert_int_eq(run_command(output, sizeof output, "ln '%s'/*.safetensors '%s'", plain[of], folder), 0);
    temp_text(folder, "config.json", text);
    free(text);
    pair p = { plain[of], folder };
    return run_child(open_both, &p, output, sizeof output);
}

static bool is_one_line(void) { return *output && strchr(output, '\n') == output + strlen(output) - 1; }

/* ---- every key, every kind of value --------------------------------------------------------------------------------------- */

static const char *const kinds_of_value[] = { "true", "0", "-1", "0.5", "1e300", "\"x\"", "[]", "[0]", "{\"a\":1}", "3" };

static void try_value(small_architecture of, const char *key, const char *json)
{
    json_t *config = config_of(plain[of]), *value = json_loads(json, JSON_DECODE_ANY, NULL);
    const json_t *is = json_object_get(config, key);
    const bool same = is && json_equal(is, value), other_type = is && json_typeof(is) != json_typeof(value);
    json_object_set_new(config, key, value);
    const int status = with_config(of, config);
    ck_assert_msg(status == 0 || (status == 2 && is_one_line()), "%s of %s: %s: status %d: %s", key, json, small_architecture_name[of], status, output);
    if (other_type && !same && status == 0)
        ck_assert_msg(strstr(output, "unknown: ") || strstr(output, "beyond: ") || strstr(output, "key: ") || strstr(output, key), "%s = %s: %s", key, json, output);
    json_decref(config);
}

START_TEST(every_key)
{
    json_t *config = config_of(plain[_i]), *value;
    const char *key;
    json_object_foreach(config, key, value)
        for (size_t k = 0; k < COUNT(kinds_of_value); k++) try_value((small_architecture)_i, key, kinds_of_value[k]);
    json_decref(config);
    static const char *const more[] = { "head_dim", "sliding_window", "layer_types", "partial_rotary_factor", "rope_parameters", "attention_bias", "quantization_config",
                                        "auto_map", "architectures", "provably", "use_sliding_window", "max_window_layers", "torch_dtype", "no_such_key" };
    for (size_t i = 0; i < COUNT(more); i++)
        for (size_t k = 0; k < COUNT(kinds_of_value); k++) try_value((small_architecture)_i, more[i], kinds_of_value[k]);
}
END_TEST

/* ---- angles ----------------------------------------------------------------------------------------------------------------- */

START_TEST(angles)
{
    static const struct { const char *rope; bool read; } all[] = {                 /* read: its angles are computed */
        { "{\"rope_type\":\"linear\",\"factor\":2.0}", true }, { "{\"type\":\"linear\",\"factor\":2}", true }, { "{\"rope_type\":\"linear\"}", false },
        { "{\"rope_type\":\"linear\",\"factor\":\"2\"}", false }, { "{\"rope_type\":\"linear\",\"factor\":-2}", false }, { "{\"rope_type\":\"linear\",\"factor\":2,\"x\":1}", false },
        { "{\"rope_type\":\"dynamic\",\"factor\":2.0}", true }, { "{\"rope_type\":\"dynamic\",\"factor\":0.5}", false }, { "{\"rope_type\":\"none\"}", false },
        { "{\"rope_type\":7}", false }, { "{\"rope_type\":\"yarn\",\"factor\":4.0,\"original_max_position_embeddings\":16}", true },
        { "{\"rope_type\":\"yarn\",\"factor\":4.0,\"original_max_position_embeddings\":16,\"attention_factor\":0.5,\"beta_fast\":20,\"beta_slow\":2}", true },
        { "{\"rope_type\":\"yarn\",\"factor\":4.0,\"original_max_position_embeddings\":16,\"truncate\":false,\"mscale\":1.0,\"mscale_all_dim\":0.5}", true },
        { "{\"rope_type\":\"yarn\",\"factor\":4.0,\"original_max_position_embeddings\":16,\"truncate\":3}", false },
        { "{\"rope_type\":\"yarn\",\"factor\":4.0,\"original_max_position_embeddings\":1.5}", false }, { "{\"rope_type\":\"yarn\",\"factor\":0.5,\"original_max_position_embeddings\":16}", true },
        { "{\"rope_type\":\"llama3\",\"factor\":8.0,\"low_freq_factor\":1.0,\"high_freq_factor\":4.0,\"original_max_position_embeddings\":16}", true },
        { "{\"rope_type\":\"llama3\",\"factor\":8.0,\"low_freq_factor\":4.0,\"high_freq_factor\":1.0,\"original_max_position_embeddings\":16}", false },
        { "{\"rope_type\":\"llama3\",\"factor\":8.0}", false },
        { "{\"rope_type\":\"longrope\",\"short_factor\":[1,1,1,2],\"long_factor\":[1,2,3,4],\"original_max_position_embeddings\":16}", true },
        { "{\"rope_type\":\"longrope\",\"short_factor\":[1,1],\"long_factor\":[1,2,3,4],\"original_max_position_embeddings\":16}", false },
        { "{\"rope_type\":\"longrope\",\"short_factor\":[1,1,1,0],\"long_factor\":[1,2,3,4]}", false }, { "{\"rope_type\":\"longrope\",\"short_factor\":[1,1,1,\"1\"],\"long_factor\":[1,2,3,4]}", false },
        { "{\"rope_type\":\"longrope\",\"long_factor\":7}", false }, { "{\"full_attention\":{\"rope_type\":\"default\"},\"sliding_attention\":{\"rope_type\":\"default\"}}", false } };
    for (size_t k = 0; k < COUNT(all); k++) {
        json_t *config = config_of(plain[SMALL_LLAMA]);
        json_object_set_new(config, "rope_scaling", json_loads(all[k].rope, 0, NULL));
        const int status = with_config(SMALL_LLAMA, config);
        const bool said = status == 2 || strstr(output, "beyond: ") || strstr(output, "unknown: ") || strstr(output, "key: ");
        ck_assert_msg((status == 0 || status == 2) && said == !all[k].read, "%s: status %d: %s", all[k].rope, status, output);
        ck_assert_msg(!all[k].read || strstr(output, "apart"), "%s: the angles are the plain ones: %s", all[k].rope, output);
        json_decref(config);
    }
}
END_TEST

/* ---- architectures ------------------------------------------------------------------------------------------------------------ */

static void read_one(void *with)
{
    json_error_t e;
    json_t *file = json_load_file(with, 0, &e);
    if (!file) die("%s", e.text);
    (void)architecture_read(must_strdup(with), file, true);
}

/* llama.json, which is taken; with one field set to `value` at the end of a path of names, which is refused. */
static void refuse_field(const char *path, const char *json, const char *says)
{
    char *name[4], *save = NULL, *copy = must_strdup(path);
    int n = 0;
    json_error_t e;
    json_t *file = json_load_file("src/checkpoint/architectures/llama.json", 0, &e), *at = file;
    for (char *w = strtok_r(copy, "/", &save); w; w = strtok_r(NULL, "/", &save)) name[n++] = w;
    for (int k = 0; k + 1 < n; k++) at = json_object_get(at, name[k]);
    json_object_del(file, "written as gguf");
    json_object_set_new(file, "model_type", json_string("kind"));
    if (*json) json_object_set_new(at, name[n - 1], json_loads(json, JSON_DECODE_ANY, NULL));
    else if (n) json_object_del(at, name[n - 1]);
    char *to = temp_path(temp_folder(), "kind.json");
    ck_assert_int_eq(json_dump_file(file, to, 0), 0);
    const int status = run_child(read_one, to, output, sizeof output);
    ck_assert_msg(says ? status == 2 && is_one_line() && strstr(output, says) : status == 0, "%s = %s: wanted %s: status %d: %s", path, json, says ? says : "it", status, output);
    json_decref(file);
    free(copy);
}

START_TEST(fields_of_architectures)
{
    static const struct { const char *path, *json, *says; } all[] = {
        { "", "", NULL }, { "gated", "3", "is neither true nor false" }, { "whole names", "3", "\"whole names\" is neither" }, { "title", "3", "is not a text" }, { "norm", "\"x\"", "\"norm\"" }, { "norm", "3", "\"norm\"" },
        { "norm", "", "\"norm\"" }, { "form", "3", "is not an object" }, { "null is absent", "3", "is not a list of texts" }, { "null is absent", "[3]", "is not a list of texts" },
        { "settings", "3", "is not an object" }, { "settings/width", "3", "\"width\"" }, { "settings/width", "[]", "\"width\"" }, { "settings/width", "[\"a\",3]", "\"width\"" },
        { "settings/width", "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\"]", "\"width\"" }, { "settings/width", "\"\"", NULL }, { "settings/no such", "\"a\"", "\"no such\"" },
        { "settings/eps", "{\"key\":\"a\",\"unsaid\":\"x\"}", "" }, { "settings/eps", "{\"key\":\"a\",\"unsaid\":-1}", "" }, { "settings/eps", "{\"key\":\"a\",\"x\":1}", "" },
        { "settings/eps", "{\"unsaid\":1}", NULL }, { "settings/tied", "{\"key\":\"a\",\"unsaid\":1}", "" }, { "settings/activation", "{\"key\":\"a\",\"unsaid\":1}", "" },
        { "settings/width", "{\"key\":\"a\",\"unsaid\":0}", "" }, { "settings/width", "{\"key\":\"a\",\"unsaid\":1.5}", "" }, { "settings/width", "{\"key\":\"a\",\"unsaid\":1e18}", "" },
        { "beyond", "3", "is not an object" }, { "beyond/x", "3", "\"x\"" }, { "beyond/x", "{\"usual\":1}", "\"x\"" }, { "beyond/x", "{\"what\":\"w\",\"y\":1}", "" },
        { "beyond/x", "{\"what\":3,\"usual\":1}", "\"x\"" }, { "beyond/x", "{\"what\":\"w\",\"usual\":[1,2],\"theorems\":3}", "" }, { "tensors", "3", "is not an object" },
        { "tensors/query", "3", "is no name of a tensor" }, { "tensors/query", "[3]", "is no name of a tensor" }, { "tensors/query", "\"\"", "is no name of a tensor" },
        { "tensors/no such", "\"a\"", "\"no such\"" }, { "tensors/query", "\"a.b\"", NULL }, { "tensors/router", "\"model.layers.#.r\"", NULL },
        { "tensors/expert up", "\"model.layers.#.e\"", "without the # of layer and expert" }, { "buffers", "3", "is not a list of texts" }, { "switches", "3", "is not an object" },
        { "variants", "3", "is not a list" }, { "variants", "[3]", "" }, { "variants", "[{\"title\":\"x\"}]", "" },
        { "variants", "[{\"when\":{\"no such\":true}}]", "" }, { "variants", "[{\"when\":3}]", "" }, { "no such field", "1", "\"no such field\"" }, { "model_type", "3", "" },
        { "model_type", "\"\"", "" }, { "model_type", "\"a very long name of an architecture, longer than thirty\"", "" }, { "model_type", "", "" }, { "gguf", "\"x\"", "" },
        { "form/x", "1", "\"x\"" }, { "form/defaults", "3", "is no field of a form" }, { "form/key heads of null", "3", "is no field of a form" }, { "fused", "\"x\"", "\"fused\"" },
        { "rope kinds", "3", "is not an object" } };
    for (size_t k = 0; k < COUNT(all); k++) refuse_field(all[k].path, all[k].json, all[k].says);
}
END_TEST

START_TEST(values_that_are_the_same)
{
    static const struct { const char *a, *b; bool same; } all[] = {
        { "1", "1.0", true }, { "1.5", "1", false }, { "1", "1.5", false }, { "1e300", "1", false }, { "9007199254740993", "9007199254740992.0", false }, { "\"1\"", "1", false },
        { "[1,2]", "[1.0,2]", true }, { "[1]", "[1,2]", false }, { "[1]", "1", false }, { "{\"a\":1}", "{\"a\":1.0}", true }, { "{\"a\":1}", "{\"b\":1}", false },
        { "{\"a\":1}", "{}", false }, { "{}", "{\"a\":1}", false }, { "null", "false", false }, { "true", "true", true }, { "2", "2", true }, { "0.1", "0.1", true } };
    for (size_t k = 0; k < COUNT(all); k++) {
        json_t *a = json_loads(all[k].a, JSON_DECODE_ANY, NULL), *b = json_loads(all[k].b, JSON_DECODE_ANY, NULL);
        ck_assert_msg(settings_same_value(a, b) == all[k].same, "%s and %s", all[k].a, all[k].b);
        ck_assert_msg(settings_same_value(b, a) == all[k].same, "%s and %s", all[k].b, all[k].a);
        json_decref(a);
        json_decref(b);
    }
}
END_TEST

static void setup(void)
{
    for (small_architecture k = 0; k < SMALL_ARCHITECTURES; k++) {
        small_model m = small_model_draw(k, NUMBERS_BF16);
        plain[k] = small_model_save(&m, NUMBERS_BF16);
        small_model_free(&m);
    }
}

int main(int argc, char **argv)
{
    Suite *suite = suite_create("odd_settings");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_unchecked_fixture(all, setup, NULL);
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, every_key, 0, SMALL_ARCHITECTURES);
    tcase_add_test(all, angles);
    tcase_add_test(all, fields_of_architectures);
    tcase_add_test(all, values_that_are_the_same);
    return run_suite(suite, argc, argv);
}
