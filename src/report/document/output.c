/* SPDX-License-Identifier: GPL-3.0-or-later
 * output.c - see output.h. */
#include <stdlib.h>
#include "src/report/document/output.h"

outfile output_open(const char *out, const char *name)
{
    char *path = must_format("%s/%s", out, name);
    outfile o = outfile_open(path);
    free(path);
    return o;
}
