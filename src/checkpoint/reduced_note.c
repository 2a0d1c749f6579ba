/* SPDX-License-Identifier: GPL-3.0-or-later
 * reduced_note.c - see reduced_note.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/checkpoint/reduced_note.h"
#include "src/checkpoint/writer.h"
#include "src/data/checksum.h"
#include "src/data/safetensors.h"

/* What the note says, where it is about these bytes; NULL: there is none. */
static char *noted_beside(const weights *w)
{
    const char *path = w->file[0].path, *slash = strrchr(path, '/');
    char *beside = must_format("%.*s%s", slash ? (int)(slash - path + 1) : 0, path, WRITER_NOTE);
    char hex[SHA256_HEX], *words = NULL;
    if (file_is_regular(beside)) {
        size_t n;
        weights_sha256(w, 0, hex);
        char *text = file_read(beside, REDUCED_MOST_NOTE, &n);
        json_t *note = json_loadb(text, n, 0, NULL);
        const char *of = json_string_value(json_object_get(note, "sha256"));
        const char *says = json_string_value(json_object_get(note, "reduced"));
        if (of && says && strcmp(of, hex) == 0) words = must_strdup(says);
        json_decref(note);
        free(text);
    }
    free(beside);
    return words;
}

/* config.json says it, too, and also beside weights that were trained further since. */
char *reduced_note(const weights *w)
{
    if (strcmp(w->format, "llama2.c") == 0) return noted_beside(w);
    const char *key = json_string_value(json_object_get(w->config, "provably.reduced"));       /* GGUF */
    if (key || strcmp(w->format, "safetensors") != 0) return key ? must_strdup(key) : NULL;
    safetensors s = safetensors_index(w->file[0].path);
    const char *note = safetensors_value(&s, "provably.reduced");
    char *words = note ? must_strdup(note) : NULL;
    safetensors_free(&s);
    return words;
}
