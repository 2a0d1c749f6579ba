/* SPDX-License-Identifier: GPL-3.0-or-later
 * architectures.c - see architecture.h: all of them, from the folder of the program and from the user's. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/base/places.h"
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/python_json.h"

enum { MOST_BYTES = 1 << 20, MOST_LIKE = 8 };

/* t_architectures compares this list with the folder. */
const char *const architectures_built_in[] = {
    "arcee", "bert", "bloom", "camembert", "cohere", "cohere2", "distilbert", "electra", "ernie4_5", "falcon",
    "gemma", "gemma2", "gemma3_text", "gguf-gpt2", "gguf-gptneox", "gguf-llama", "gguf-phi3", "gguf-qwen2",
    "gguf-qwen3", "glm", "glm4", "gpt2", "gpt_bigcode", "gpt_neo", "gpt_neox", "gptj", "granite", "granitemoe",
    "helium", "llama", "llama2c", "meta_llama", "mistral", "mixtral", "mpnet", "mpt", "nanogpt", "nemotron",
    "olmo", "olmo2", "olmo3", "olmoe", "opt", "phi", "phi3", "provably", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe",
    "roberta", "smollm3", "stablelm", "starcoder2", "xlm-roberta", NULL };

typedef struct { char *file, *path; json_t *says; bool user; } source;
static source *sources;
static long all_sources;
static const architecture **known;
static const char *user_folder;

void architectures_also(const char *folder) { user_folder = folder; }
const char *architectures_asked_for(void) { return user_folder; }

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void add_source(const char *folder, const char *file, bool user)
{
    char *path = must_format("%s/%s.json", folder, file);
    size_t n;
    char *text = file_read(path, MOST_BYTES, &n);
    json_error_t wrong;
    json_t *twice = NULL, *says = python_json_loads(text, n, &twice, &wrong);
    if (!says) die("%s:%d: %s; an architecture is a JSON object: correct it", path, wrong.line, wrong.text);
    if (!json_is_object(says)) die("%s: an architecture is a JSON object: correct it", path);
    const char *key = json_object_iter_key(json_object_iter(twice));
    if (key) die("%s: \"%.60s\" is there twice; remove one", path, key);
    json_decref(twice);
    free(text);
    sources = must_realloc(sources, (size_t)all_sources + 1, sizeof *sources);
    sources[all_sources++] = (source){ must_strdup(file), path, says, user };
}

static int is_data(const struct dirent *e)
{
    const size_t n = strlen(e->d_name);
    return n > 5 && *e->d_name != '.' && strcmp(e->d_name + n - 5, ".json") == 0;
}

static void add_user(const char *folder)
{
    struct dirent **entry;
    const int n = scandir(folder, &entry, is_data, alphasort);
    if (n < 0) die("cannot read %s: %s; name a folder with architectures", folder, strerror(errno));
    if (n == 0) die("%s holds no architecture, NAME.json; name a folder with architectures", folder);
    for (int k = 0; k < n; k++) {
        char *file = must_format("%.*s", (int)(strlen(entry[k]->d_name) - 5), entry[k]->d_name);
        add_source(folder, file, true);
        free(file);
        free(entry[k]);
    }
    free(entry);
}

/* Of the same folder, or for the user's files of those that are built in. */
static const source *source_called(const char *file, bool user)
{
    for (long k = all_sources; k-- > 0;)
        if (strcmp(sources[k].file, file) == 0 && (user || !sources[k].user)) return &sources[k];
    return NULL;
}

/* To be freed. */
static json_t *whole_of(const source *s, int deep)
{
    const json_t *like = json_object_get(s->says, "like");
    if (!like) return json_deep_copy(s->says);
    const source *of = json_is_string(like) ? source_called(json_string_value(like), s->user) : NULL;
    if (!of || of == s || deep == MOST_LIKE)
        die("%s: \"like\" names no file beside it, and none that is built in, without .json; correct it", s->path);
    if (json_object_get(of->says, "variants") && !json_object_get(s->says, "variants"))
        die("%s: it is like %s, whose variants do not hold here: say \"switches\" and \"variants\" of its own", s->path,
            of->file);
    json_t *parent = whole_of(of, deep + 1), *all = architecture_like(parent, s->says);
    json_decref(parent);
    return all;
}

static void add_known(const source *s)
{
    static long n;
    const architecture *A = architecture_read(s->path, whole_of(s, 0), s->user);
    for (long k = 0; k < n; k++) {
        if (strcmp(known[k]->name, A->name) != 0) continue;
        if (A->user && !known[k]->user)
            die("%s: %s is built in already, and a file of yours does not change it: give it another name", s->path,
                A->name);
        die("%s: %s is the architecture of %s, too; remove one", s->path, A->name, known[k]->path);
    }
    known[n++] = A;
    known[n] = NULL;
}

/* What files are written as must be there, and of that format. */
static void check_written(void)
{
    for (long k = 0; k < all_sources; k++) {
        const architecture *A = known[k];
        const char *const as[] = { A->as_safetensors, A->as_gguf };
        for (int gguf = 0; gguf < 2; gguf++) {
            const architecture *of = as[gguf] ? architecture_called(as[gguf]) : NULL;
            if (as[gguf] && !(of && of->described && of->gguf == (gguf == 1)))
                die("%s: it is written as %.40s, which is no such architecture; correct it", A->path, as[gguf]);
        }
    }
}

static void read_all(void)
{
    const char *named = getenv("PROVABLY_ARCHITECTURES");
    char *folder = architectures_place();
    for (size_t k = 0; architectures_built_in[k]; k++) add_source(folder, architectures_built_in[k], false);
    free(folder);
    if (user_folder) add_user(user_folder);
    else if (named && *named) add_user(named);
    known = must_calloc((size_t)all_sources + 1, sizeof(const architecture *));
    for (long k = 0; k < all_sources; k++) add_known(&sources[k]);
    check_written();
}

/* ---- which it is ------------------------------------------------------------------------------------------------- */

const architecture *architecture_at(long k)
{
    if (!known) read_all();
    return k < all_sources ? known[k] : NULL;
}

const architecture *architecture_called(const char *name)
{
    const architecture *A;
    for (long k = 0; (A = architecture_at(k)); k++) if (strcmp(A->name, name) == 0) return A;
    return NULL;
}

const architecture *architecture_without_type(const json_t *config)
{
    const architecture *A;
    for (long k = 0; (A = architecture_at(k)); k++) {
        bool all = json_array_size(A->said_by) > 0;
        size_t i;
        json_t *key;
        json_array_foreach(A->said_by, i, key) all = all && json_object_get(config, json_string_value(key));
        if (all) return A;
    }
    return NULL;
}

const char *architecture_of_user(const transformer *D) { return D->arch && D->arch->user ? D->arch->path : NULL; }
