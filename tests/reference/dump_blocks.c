/* SPDX-License-Identifier: GPL-3.0-or-later
 * dump_blocks.c - dump_blocks TYPE: blocks of that type from standard input, their numbers as doubles to standard output. */
#include <stdio.h>
#include "src/base/base.h"
#include "src/checkpoint/quantised.h"

int main(int argc, char **argv)
{
    const block_type *t = argc == 2 ? block_type_of(argv[1]) : NULL;
    unsigned char block[256];
    double x[256];
    if (!t) die("dump_blocks takes the name of a block type that is decoded, as Q4_K");
    while (fread(block, t->bytes, 1, stdin) == 1) {
        quantised_numbers(t, block, 0, t->numbers, x);
        if (fwrite(x, sizeof *x, t->numbers, stdout) != t->numbers) die("cannot write");
    }
    return fclose(stdout) ? 2 : 0;
}
