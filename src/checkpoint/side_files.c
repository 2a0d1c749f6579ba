/* SPDX-License-Identifier: GPL-3.0-or-later
 * side_files.c - see side_files.h. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/base/shown.h"
#include "src/checkpoint/side_files.h"

static const char *const known[] = {
    "tokenizer.json", "tokenizer_config.json", "tokenizer.model", "special_tokens_map.json", "added_tokens.json",
    "vocab.json", "vocab.txt", "merges.txt", "spiece.model", "chat_template.jinja", "chat_template.json",
    "generation_config.json" };

static bool is_file(const char *folder, const char *name)
{
    char *path = must_format("%s/%s", folder, name);
    const bool is = file_is_regular(path);
    free(path);
    return is;
}

static bool is_below(const char *path, const char *folder)
{
    const size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* REPOSITORY/blobs of the real folder REPOSITORY/snapshots/REVISION; NULL: it is not called so.  To be freed. */
static char *hub_blobs(const char *folder)
{
    static const char snapshots[] = "/snapshots";
    const char *revision = strrchr(folder, '/');
    const size_t n = revision ? (size_t)(revision - folder) : 0, of = sizeof snapshots - 1;
    if (n < of || strncmp(folder + n - of, snapshots, of) != 0) return NULL;
    return must_format("%.*s/blobs", (int)(n - of), folder);
}

/* Whether FOLDER/NAME is, behind all links, a file of that folder or of the hub's cache that it belongs to. */
static bool stays(const char *folder, const char *name)
{
    char *path = must_format("%s/%s", folder, name), *file = realpath(path, NULL), *real = realpath(folder, NULL);
    char *blobs = real ? hub_blobs(real) : NULL, *pool = blobs ? realpath(blobs, NULL) : NULL;
    const bool is = file && real && (is_below(file, real) || (pool && is_below(file, pool)));
    free(path);
    free(file);
    free(real);
    free(blobs);
    free(pool);
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
        if (!is_file(folder, known[k]) || !stays(folder, known[k])) continue;
        s.copy = must_realloc(s.copy, (size_t)s.n + 1, sizeof *s.copy);
        s.copy[s.n++] = must_format("%s/%s", folder, known[k]);
    }
    struct dirent **entry;
    const int entries = scandir(folder, &entry, visible, alphasort);
    text_buffer left = { 0 };
    for (int k = 0; k < entries; k++) {
        const char *name = entry[k]->d_name;
        const bool copied = same_format && is_known(name), away = copied && !stays(folder, name);
        if (is_file(folder, name) && !is_replaced(name) && (!copied || away)) {
            char *shown = shown_text(name);
            text_add(&left, "%s%s%s", left.length ? ", " : "", shown,
                     away ? " (a link to a file outside of the folder)" : "");
            free(shown);
        }
        free(entry[k]);
    }
    if (entries >= 0) free(entry);
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
