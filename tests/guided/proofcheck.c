/* SPDX-License-Identifier: GPL-3.0-or-later
 * proofcheck.c - proofcheck's reader of certificates under libFuzzer; its main is called check_files here (-Dmain=).  GUIDED:
 * a folder for its file. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int check_files(int argc, char **argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Accepted, or rejected: nothing else. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static char path[4096];
    const char *folder = getenv("GUIDED");
    if (snprintf(path, sizeof path, "%s/file.cert", folder ? folder : ".") >= (int)sizeof path) abort();
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0) abort();
    if (check_files(2, (char *[]){ "proofcheck", path, NULL }) > 1) abort();
    return 0;
}
