/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_architectures.c - the data of architectures: which files are built in, what a user's folder adds, what is refused, and
 * what verify says where a file is missing. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/base/places.h"
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/names.h"
#include "src/data/safetensors.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

#define ROOM "src/checkpoint/architectures"
static char output[65536];

/* ---- those that are built in ------------------------------------------------------------------------------------- */

static int is_data(const struct dirent *e) { return strstr(e->d_name, ".json") != NULL; }

/* The list of the program is the folder, so that a file that is missing is missed. */
START_TEST(built_in)
{
    struct dirent **entry;
    char *folder = architectures_place();
    const int n = scandir(folder, &entry, is_data, alphasort);
    long k = 0;
    for (; architectures_built_in[k]; k++) {
        bool there = false;
        for (int i = 0; i < n; i++)
            there = there || strcmp(entry[i]->d_name, temp_format("%s.json", architectures_built_in[k])) == 0;
        ck_assert_msg(there, "%s is not in %s", architectures_built_in[k], folder);
        ck_assert_ptr_nonnull(architecture_at(k));
    }
    ck_assert_int_eq(n, k);
    for (int i = 0; i < n; i++) free(entry[i]);
    free(entry);
    free(folder);
}
END_TEST

/* A name means one thing in one architecture; what another calls so is nothing here. */
START_TEST(names)
{
    static const struct { const char *architecture, *name; tensor_role role; long layer; } of[] = {
        { "llama", "model.layers.3.post_attention_layernorm.weight", ROLE_GAIN2, 3 },
        { "olmo2", "model.layers.3.post_attention_layernorm.weight", ROLE_POST_GAIN1, 3 },
        { "gemma2", "layers.12.pre_feedforward_layernorm.weight", ROLE_GAIN2, 12 },
        { "llama", "model.layers.0.pre_feedforward_layernorm.weight", ROLE_UNKNOWN, -1 },
        { "olmo2", "model.layers.0.input_layernorm.weight", ROLE_UNKNOWN, -1 },
        { "llama", "tok_embeddings.weight", ROLE_UNKNOWN, -1 }, { "llama2.c", "tok_embeddings.weight", ROLE_EMBED, -1 },
        { "gpt2", "_orig_mod.transformer.h.0.attn.c_attn.bias", ROLE_QKV_BIAS, 0 },
        { "gpt2", "h.7.attn.c_attn_v_from_k.weight", ROLE_QKV, 7 }, { "provably", "h.1.attn.v_from_k", ROLE_V, 1 },
        { "gguf:llama", "blk.2.ffn_gate.bias", ROLE_GATE_BIAS, 2 }, { "gguf:llama", "blk.02.ffn_gate.bias", ROLE_UNKNOWN, -1 },
        { "phi", "model.layers.5.self_attn.dense.bias", ROLE_O_BIAS, 5 }, { "gpt_neox", "embed_out.weight", ROLE_HEAD, -1 },
        { "gpt2", "wte.padding", ROLE_BUFFER, -1 } };
    for (size_t k = 0; k < COUNT(of); k++) {
        long layer, expert;
        const tensor_role role = role_of_name(architecture_called(of[k].architecture), of[k].name, &layer, &expert);
        ck_assert_msg(role == of[k].role && layer == of[k].layer, "%s: %s: %d, %ld", of[k].architecture, of[k].name, (int)role, layer);
    }
    char *name = name_of_role(architecture_called("gpt2"), ROLE_UP_BIAS, 4);
    ck_assert_str_eq(name, "transformer.h.4.mlp.c_fc.bias");
    ck_assert_ptr_null(name_of_role(architecture_called("gpt2"), ROLE_GATE, 4));
    free(name);
}
END_TEST

/* What a file is like, key by key; what a switch makes of it. */
START_TEST(like_and_variants)
{
    const architecture *A = architecture_called("stablelm"), *neox = architecture_called("gguf:gptneox");
    json_t *config = json_pack("{s:b}", "use_parallel_residual", 1);
    ck_assert_int_eq(A->norms, NORMS_BEFORE);
    ck_assert_int_eq(architecture_variant(A, config)->norms, NORMS_SHARED);
    json_object_set_new(config, "use_parallel_residual", json_false());
    ck_assert_ptr_eq(architecture_variant(A, config), A);
    ck_assert(A->gated && A->setting[SETTING_WIDTH].key[0] && !A->setting[SETTING_O_BIAS].key[0]);
    ck_assert(neox->gguf && !neox->rope_table && !neox->as_gguf && neox->setting[SETTING_PARALLEL].required);
    json_decref(config);
}
END_TEST

/* ---- the user's -------------------------------------------------------------------------------------------------- */

enum { WIDTH = 4, V = 5 };

static void add(safetensors *s, const char *name, long rows, long cols)
{
    const uint64_t key[2] = { 5, 7 };
    float *x = must_calloc((size_t)(rows * cols), sizeof *x);
    for (long k = 0; k < rows * cols; k++) x[k] = (float)((double)random_gauss24(key, (uint64_t)(s->tensors * 100 + k)) * 0x1p-35);
    safetensors_tensor(s, name, rows == 1 ? 1 : 2, rows == 1 ? &cols : (long[]){ rows, cols }, x);
    free(x);
}

/* A model of one layer whose up is called `mlp.rise`. */
static char *model(const char *more)
{
    static const char *const matrix[] = { "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj",
                                          "mlp.gate_proj", "mlp.rise", "mlp.down_proj" };
    safetensors s = { .tensors = 0 };
    char *folder = temp_folder();
    add(&s, "model.embed_tokens.weight", V, WIDTH);
    add(&s, "lm_head.weight", V, WIDTH);
    add(&s, "model.norm.weight", 1, WIDTH);
    add(&s, "model.layers.0.input_layernorm.weight", 1, WIDTH);
    add(&s, "model.layers.0.post_attention_layernorm.weight", 1, WIDTH);
    for (size_t k = 0; k < COUNT(matrix); k++) add(&s, temp_format("model.layers.0.%s.weight", matrix[k]), WIDTH, WIDTH);
    temp_text(folder, "config.json", temp_format("{\"model_type\":\"mine\",\"wide\":4,\"num_hidden_layers\":1,\"num_attention_heads\":2,"
        "\"intermediate_size\":4,\"vocab_size\":5,\"max_position_embeddings\":9%s}", more));
    safetensors_write(&s, temp_path(folder, "model.safetensors"));
    safetensors_free(&s);
    return folder;
}

#define MINE "\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"settings\":{\"width\":\"wide\"}," \
             "\"tensors\":{\"up\":\"model.layers.#.mlp.rise\"}"

static char *data(const char *text)                      /* a folder with one file                      */
{
    char *folder = temp_folder();
    temp_text(folder, "mine.json", text);
    return folder;
}

static void expect(int status, const char *says, const char *command)
{
    const int is = run_command(output, sizeof output, "%s 2>&1", command);
    ck_assert_msg(is == status && strstr(output, says), "%s: %d instead of %d, or it lacks `%s`: %s", command, is, status, says, output);
}

START_TEST(of_the_user)
{
    const char *bin = build_folder();
    char *A = model(""), *B = model(""), *folder = data("{" MINE "}");
    expect(0, "mine is not an architecture that is known here", temp_format("%s/provably verify --width=300 %s %s", bin, A, B));
    ck_assert_ptr_null(strstr(output, "for all inputs"));
    expect(0, "the same function for all inputs", temp_format("%s/provably verify --width=300 --architectures=%s %s %s", bin, folder, A, B));
    ck_assert_ptr_nonnull(strstr(output, temp_format("mine as described by %s/mine.json", folder)));
    expect(0, "the same function for all inputs", temp_format("PROVABLY_ARCHITECTURES=%s %s/provably verify --width=300 %s %s", folder, bin, A, B));
    expect(0, "\"described_by\": ", temp_format("%s/provably inspect --json --architectures=%s %s", bin, folder, A));
    expect(0, "described    by", temp_format("%s/provably inspect --width=300 --architectures=%s %s", bin, folder, A));
    expect(0, temp_format(" verify --architectures=%s ", folder),
           temp_format("%s/provably reduce --architectures=%s %s --out=%s/out", bin, folder, A, temp_folder()));
    char *bias = model(",\"attention_bias\":true");
    expect(0, "the same function for all inputs", temp_format("%s/provably verify --width=300 --architectures=%s %s %s", bin, folder, bias, bias));
}
END_TEST

/* What a file of the user's says where the configuration says nothing is computed, too. */
START_TEST(unsaid_values_count)
{
    static const char *const of[] = { "logits capped at", "scores capped at", "scores over root of", "still layer every" };
    for (size_t k = 0; k < COUNT(of); k++) {
        const char *folder = data(temp_format("{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"settings\":{\"width\":\"wide\","
            "\"%s\":{\"key\":\"said\",\"unsaid\":1}},\"tensors\":{\"up\":\"model.layers.#.mlp.rise\"}}", of[k]));
        char *none = model(""), *same = model(",\"said\":1"), *other = model(",\"said\":7");
        expect(0, "the same function for all inputs", temp_format("%s/provably verify --width=300 --architectures=%s %s %s", build_folder(), folder, none, same));
        expect(1, "different", temp_format("%s/provably verify --width=300 --architectures=%s %s %s", build_folder(), folder, none, other));
    }
}
END_TEST

/* A key of another architecture may be anything to a class that is the user's, unless the file says that it has no effect. */
START_TEST(keys_that_no_file_has)
{
    const char *bin = build_folder();
    char *A = model(",\"n_inner\":7"), *none = data("{" MINE "}"), *said = data("{" MINE ",\"no effect\":[\"n_inner\"]}");
    expect(0, "n_inner = 7", temp_format("%s/provably verify --width=300 --architectures=%s %s %s", bin, none, A, A));
    ck_assert_ptr_null(strstr(output, "for all inputs"));
    expect(0, "the same function for all inputs", temp_format("%s/provably verify --width=300 --architectures=%s %s %s", bin, said, A, A));
}
END_TEST

START_TEST(refused)
{
    static const struct { const char *text, *says; } of[] = {
        { "[]", "an architecture is a JSON object" }, { "{", "an architecture is a JSON object" },
        { "{" MINE ",\"in x out\":true}", "\"in x out\"" },
        { "{" MINE ",\"colour\":1}", "\"colour\" is no field that is known here" },
        { "{" MINE ",\"norms\":\"above\"}", "\"norms\" is none of its words" }, { "{" MINE ",\"gated\":1}", "\"gated\" is neither true nor false" },
        { "{" MINE ",\"gguf\":\"mine\"}", "must name the architecture" }, { "{\"title\":\"Mine\"}", "must name the architecture" },
        { "{\"model_type\":\"mine\"}", "\"title\" is not there" }, { "{" MINE ",\"class\":[]}", "\"class\" is not a text" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"nothing\"}", "\"like\" names no file beside it" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"mine\"}", "\"like\" names no file beside it" },
        { "{\"title\":\"Mine\",\"model_type\":\"llama\",\"like\":\"llama\"}", "llama is built in already" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"settings\":{\"depth\":\"n\"}}", "\"depth\" is no setting" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"settings\":{\"eps\":{\"key\":\"e\",\"usual\":1}}}", "none of key, unsaid, required" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"settings\":{\"eps\":{\"unsaid\":\"x\"}}}", "an `unsaid` that is no such value" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"settings\":{\"eps\":{\"required\":true}}}", "no key says it" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"settings\":{\"eps\":7}}", "is no key, nor a list" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"settings\":{\"width\":null}}", "\"width\" is not among the settings" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"tensors\":{\"nose\":\"n\"}}", "\"nose\" is no part of a model" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"tensors\":{\"up\":7}}", "is no name of a tensor" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"tensors\":{\"up\":\"#.#\"}}", "more than one #" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"pairs\":\"none\"}", "\"pairs\" go with rotary positions" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"settings\":{\"eps\":[]}}", "is no key, nor a list" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"settings\":{\"eps\":[\"a\",\"b\",\"c\",\"d\"]}}", "is no key, nor a list" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"settings\":{\"positions\":{\"unsaid\":268435457}}}", "an `unsaid` that is no such value" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"tensors\":{\"up\":[]}}", "is no name of a tensor" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"llama\",\"tensors\":{\"up\":\"model.layers.#.mlp.gate_proj\"}}", "mlp.gate_proj.weight\" is the name of two tensors" },
        { "{" MINE ",\"switches\":{\"k\":true},\"variants\":[{\"when\":{\"k\":true},\"like\":\"gemma\"}]}", "\"like\" is no field of a variant" },
        { "{" MINE ",\"switches\":{\"k\":true},\"variants\":[{\"when\":{\"k\":true},\"model_type\":\"x\"}]}", "\"model_type\" is no field of a variant" },
        { "{" MINE ",\"switches\":{\"k\":true},\"variants\":[{\"when\":{\"k\":true},\"variants\":[]}]}", "\"variants\" is no field of a variant" },
        { "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"falcon\"}", "it is like falcon, whose variants do not hold here" },
        { "{" MINE ",\"beyond\":{\"k\":{\"usual\":1}}}", "\"k\" does not say `what`" }, { "{" MINE ",\"no effect\":[1]}", "not a list of texts" },
        { "{" MINE ",\"variants\":[{\"norms\":\"shared\"}]}", "does not say `when`" },
        { "{" MINE ",\"variants\":[{\"when\":{\"k\":true}}]}", "\"k\" is no switch of this file" },
        { "{" MINE ",\"switches\":{\"k\":true},\"variants\":[{\"when\":{\"k\":true},\"norms\":7}]}", "\"norms\" is none of its words" },
        { "{" MINE ",\"form\":{\"default\":{}}}", "\"default\" is no field of a form" },
        { "{" MINE ",\"form\":{\"in training\":[7]}}", "not a list of texts" },
        { "{" MINE ",\"written as gguf\":\"llama\"}", "it is written as llama, which is no such architecture" },
        { "{" MINE ",\"written as safetensors\":\"nothing\"}", "it is written as nothing, which is no such architecture" },
        { "{" MINE ",\"norms\":\"shared\",\"norms\":\"before\"}", "\"norms\" is there twice" } };
    char *A = model("");
    for (size_t k = 0; k < COUNT(of); k++) {
        const char *command = temp_format("%s/provably verify --architectures=%s %s %s", build_folder(), data(of[k].text), A, A);
        expect(2, of[k].says, command);
        ck_assert_msg(strstr(output, "mine.json") && !strstr(output, "same"), "%s", output);
    }
    expect(2, "cannot read", temp_format("%s/provably inspect --architectures=%s/none %s", build_folder(), temp_folder(), A));
    expect(2, "holds no architecture", temp_format("%s/provably inspect --architectures=%s %s", build_folder(), temp_folder(), A));
}
END_TEST

/* A switch that is no truth is as bad as any setting. */
START_TEST(switches)
{
    char *folder = data("{" MINE ",\"switches\":{\"twin\":false},\"variants\":[{\"when\":{\"twin\":true},\"gains 1 + w\":true}]}");
    char *A = model(""), *B = model(",\"twin\":true"), *C = model(",\"twin\":7"), *D = model(",\"twin\":false");
    const char *verify = temp_format("%s/provably verify --width=300 --architectures=%s", build_folder(), folder);
    expect(1, "gains multiply by 1 + w: no in A, yes in B", temp_format("%s --logits %s %s", verify, A, B));
    expect(2, "twin is 7, not true or false", temp_format("%s %s %s", verify, A, C));
    expect(0, "the same function for all inputs", temp_format("%s %s %s", verify, A, D));
}
END_TEST

/* ---- files that are missing -------------------------------------------------------------------------------------- */

/* Less would be known: no answer. */
START_TEST(missing)
{
    char *root = temp_folder(), *A = model("");
    ck_assert_int_eq(run_command(output, sizeof output, "mkdir -p %s/build %s/src/checkpoint && cp %s/provably %s/libprovably.so %s/build", root, root,
                                 build_folder(), build_folder(), root), 0);
    const char *verify = temp_format("cd %s && build/provably verify %s %s", root, A, A);
    expect(2, "cannot find the architectures of files of weights", verify);
    char *place = architectures_place();
    ck_assert_int_eq(run_command(output, sizeof output, "cp -r %s %s/src/checkpoint", place, root), 0);
    expect(0, "same", verify);
    ck_assert_int_eq(run_command(output, sizeof output, "rm %s/" ROOM "/olmo.json", root), 0);
    expect(2, "olmo.json", verify);
    ck_assert_ptr_null(strstr(output, "same"));
    free(place);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("architectures");
    TCase *all = tcase_create("architectures");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, built_in);
    tcase_add_test(all, names);
    tcase_add_test(all, like_and_variants);
    tcase_add_test(all, of_the_user);
    tcase_add_test(all, unsaid_values_count);
    tcase_add_test(all, keys_that_no_file_has);
    tcase_add_test(all, refused);
    tcase_add_test(all, switches);
    tcase_add_test(all, missing);
    return run_suite(suite, argc, argv);
}
