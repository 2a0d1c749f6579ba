/* SPDX-License-Identifier: GPL-3.0-or-later
 * mapping.c - files of weights in memory. */
#include <stdlib.h>
#include "src/base/mapped.h"
#include "src/base/outfile.h"
#include "src/checkpoint/weights.h"

long weights_map(weights *w, const char *path)
{
    mapped_file f = { .path = must_strdup(path) };
    f.at = mapped_open(path, &f.bytes, "nothing was written: try again when nothing else changes it");
    if (f.bytes < 8) die("%s: it is shorter than 8 bytes; the file is cut off or of another kind", path);
    outfile_input(path);
    w->file = must_realloc(w->file, (size_t)w->files + 1, sizeof *w->file);
    w->file[w->files] = f;
    return w->files++;
}

void weights_unmap(weights *w)
{
    for (long k = 0; k < w->files; k++) {
        mapped_close(w->file[k].at, w->file[k].bytes);
        free(w->file[k].path);
    }
    w->files = 0;
}

void weights_sha256(const weights *w, long file, char hex[SHA256_HEX])
{
    checksum_sha256_bytes(w->file[file].at, w->file[file].bytes, hex);
}
