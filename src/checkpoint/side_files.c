/* side_files.c - see side_files.h. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "src/checkpoint/side_files.h"

static const char *const known[] = {
    "tokenizer.json", "tokenizer_config.json", "tokenizer.model", "special_tokens_map.json", "added_tokens.json",
    "vocab.json", "vocab.txt", "merges.txt", "spiece.model", "chat_template.jinja", "chat_template.json",
    "generation_config.json" };

static bool is_file(const char *folder, const char *name)
{
    struct stat s;
    char *path = must_format("%s/%s", folder, name);
    const bool is = stat(path, &s) == 0 && S_ISREG(s.st_mode);
    free(path);
    return is;
}

/* Weights in any format, and the configuration, which is written anew. */
static bool is_replaced(const char *name)
{
    static const char *const end[] = { ".safetensors", ".safetensors.index.json", ".bin", ".bin.index.json", ".gguf",
                                       ".part" };
    const size_t n = strlen(name);
    for (size_t k = 0; k < COUNT(end); k++)
        if (n >= strlen(end[k]) && strcmp(name + n - strlen(end[k]), end[k]) == 0) return true;
    return strcmp(name, "config.json") == 0;
}

static bool is_known(const char *name)
{
    for (size_t k = 0; k < COUNT(known); k++) if (strcmp(name, known[k]) == 0) return true;
    return false;
}

static int visible(const struct dirent *e) { return e->d_name[0] != '.'; }

side_files side_files_of(const weights *w, bool same_format)
{
    side_files s = { .n = 0 };
    const char *slash = w->config_path ? strrchr(w->config_path, '/') : NULL;
    if (!slash || strcmp(slash, "/config.json") != 0) return s;
    char *folder = must_format("%.*s", (int)(slash - w->config_path), w->config_path);
    for (size_t k = 0; k < COUNT(known) && same_format; k++) {
        if (!is_file(folder, known[k])) continue;
        s.copy = must_realloc(s.copy, (size_t)s.n + 1, sizeof *s.copy);
        s.copy[s.n++] = must_format("%s/%s", folder, known[k]);
    }
    struct dirent **entry;
    const int entries = scandir(folder, &entry, visible, alphasort);
    text_buffer left = { 0 };
    for (int k = 0; k < entries; k++) {
        const char *name = entry[k]->d_name;
        if (is_file(folder, name) && !is_replaced(name) && !(same_format && is_known(name)))
            text_add(&left, "%s%s", left.length ? ", " : "", name);
        free(entry[k]);
    }
    if (entries >= 0) free(entry);
    for (char *c = left.at; c && *c; c++) if (*c < 32 || *c > 126) *c = '?';
    if (left.length) s.left = text_take(&left);
    free(folder);
    return s;
}

void side_files_free(side_files *s)
{
    for (long k = 0; k < s->n; k++) free(s->copy[k]);
    free(s->copy);
    free(s->left);
    *s = (side_files){ .n = 0 };
}
