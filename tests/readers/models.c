/* SPDX-License-Identifier: GPL-3.0-or-later
 * models.c - readers of weights, of their configuration, and of what describes an architecture. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/gauge_file.h"
#include "src/checkpoint/reductions.h"
#include "src/checkpoint/transformer.h"
#include "src/train/checkpoint.h"
#include "tests/readers/readers.h"

/* All numbers of all tensors, and which theorems apply to the model. */
static void read_model(const char *path)
{
    double x[64];
    weights w = weights_open(path);
    for (long k = 0; k < w.tensors; k++) {
        const weight_tensor *t = &w.tensor[k];
        for (size_t i = 0; t->numbers != NUMBERS_OTHER && i < t->n; i += COUNT(x))
            weight_numbers(t, i, t->n - i < COUNT(x) ? t->n - i : COUNT(x), x);
    }
    transformer D = transformer_of(&w);
    reduction_list r = reductions_of(&D, NULL);
    reductions_free(&r);
    transformer_free(&D);
    weights_close(&w);
}

static void read_model_beside(const char *path)
{
    char *folder = reader_folder(path);
    read_model(folder);
    free(folder);
}

/* ---- safetensors: one layer of a Llama, one head of width 2, a vocabulary of 3 -------------------------------------- */

typedef struct { const char *name; int rows, cols; } side;
static const side tensors[] = {
    { "lm_head.weight", 3, 2 }, { "model.embed_tokens.weight", 3, 2 }, { "model.layers.0.input_layernorm.weight", 2, 0 },
    { "model.layers.0.mlp.down_proj.weight", 2, 3 }, { "model.layers.0.mlp.gate_proj.weight", 3, 2 },
    { "model.layers.0.mlp.up_proj.weight", 3, 2 }, { "model.layers.0.post_attention_layernorm.weight", 2, 0 },
    { "model.layers.0.self_attn.k_proj.weight", 2, 2 }, { "model.layers.0.self_attn.o_proj.weight", 2, 2 },
    { "model.layers.0.self_attn.q_proj.weight", 2, 2 }, { "model.layers.0.self_attn.v_proj.weight", 2, 2 },
    { "model.norm.weight", 2, 0 } };

/* Those from `first` to before `end`. */
static void put_tensors(const char *folder, const char *name, size_t first, size_t end)
{
    char *header = NULL;
    size_t length = 0, n = 0;
    FILE *f = open_memstream(&header, &length);
    if (!f) die("no memory");
    for (size_t k = first; k < end; k++) {
        const side *t = &tensors[k];
        const size_t bytes = sizeof(float) * (size_t)(t->cols ? t->rows * t->cols : t->rows);
        fprintf(f, "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[%d", k > first ? "," : "{", t->name, t->rows);
        if (t->cols) fprintf(f, ",%d", t->cols);
        fprintf(f, "],\"data_offsets\":[%zu,%zu]}", n, n + bytes);
        n += bytes;
    }
    fprintf(f, "}");
    fclose(f);
    char *all = must_calloc(8 + length + n, 1);
    const uint64_t size = length;
    memcpy(all, &size, 8);
    memcpy(all + 8, header, length);
    for (size_t k = 0; k < n / sizeof(float); k++) memcpy(all + 8 + length + 4 * k, &(float){ 0.25F + 0.125F * (float)(k % 7) }, 4);
    reader_put(folder, name, all, 8 + length + n);
    free(header);
    free(all);
}

static const char llama[] =
    "{\"model_type\":\"llama\",\"architectures\":[\"LlamaForCausalLM\"],\"hidden_size\":2,\"intermediate_size\":3,"
    "\"num_hidden_layers\":1,\"num_attention_heads\":1,\"num_key_value_heads\":1,\"vocab_size\":3,\"rms_norm_eps\":1e-5,"
    "\"rope_theta\":10000.0,\"hidden_act\":\"silu\",\"max_position_embeddings\":8,\"tie_word_embeddings\":false}";

static void put_weights(const char *folder) { put_tensors(folder, "model.safetensors", 0, COUNT(tensors)); }
static void put_config(const char *folder)  { reader_put(folder, "config.json", llama, sizeof llama - 1); }
static void put_shards(const char *folder)
{
    put_config(folder);
    put_tensors(folder, "one.safetensors", 0, 5);
    put_tensors(folder, "two.safetensors", 5, COUNT(tensors));
}

/* ---- others ------------------------------------------------------------------------------------------------------- */

static void ignore(void *self, long k, long from, long rows, const float *x) { (void)self, (void)k, (void)from, (void)rows, (void)x; }

static void read_run(const char *path)
{
    checkpoint_file f = checkpoint_open(path);
    checkpoint_take(&f, CHECKPOINT_ALL, ignore, NULL);
    checkpoint_close(&f);
    checkpoint c = checkpoint_read(path, CHECKPOINT_WEIGHTS);
    checkpoint_free(&c);
    read_model(path);
}

static void put_model(const char *folder)
{
    put_weights(folder);
    put_config(folder);
}

static void read_gauges(const char *path)
{
    char *folder = reader_folder(path);
    const char *others;
    weights w = weights_open(folder);
    const transformer D = transformer_of(&w);
    gauge_file g = gauge_file_read(path, &w, &D, &w, &others);
    gauge_file_free(&g);
    transformer_free((transformer *)&D);
    weights_close(&w);
    free(folder);
}

/* What it says is kept for the life of the program. */
static void read_architecture(const char *path)
{
    json_error_t e;
    json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &e);
    if (!json_is_object(file)) die("%s: no object of JSON", path);
    (void)architecture_read(must_strdup(path), file, true);
}

const file_reader readers_of_models[] = {
    { "safetensors", "model.safetensors", put_config, read_model_beside },
    { "gguf", "model.gguf", NULL, read_model },
    { "torch", "pytorch_model.bin", put_config, read_model_beside },
    { "llama2c", "model.bin", NULL, read_model },
    { "llmc", "model.bin", NULL, read_model },
    { "config", "config.json", put_weights, read_model_beside },
    { "index", "model.safetensors.index.json", put_shards, read_model_beside },
    { "run", "last.ckpt", NULL, read_run },
    { "gauges", GAUGE_FILE, put_model, read_gauges },
    { "architecture", "kind.json", NULL, read_architecture },
    { NULL, NULL, NULL, NULL } };
