/* SPDX-License-Identifier: GPL-3.0-or-later
 * kernel_log.h - what `make formal` writes beside reports/formal.csv, for lists that tests write themselves. */
#ifndef KERNEL_LOG_H
#define KERNEL_LOG_H
#include <string.h>
#include "src/data/checksum.h"
#include "tests/support/files.h"

#define KERNEL_SUMMARY "coqchk: Theory: Set is predicative\ncoqchk: Inductives whose positivity is assumed: <none>\n"

/* The line of a theorem; needs: the hash of what its file needs, or "-". */
static inline const char *kernel_line(const char *file, const char *hash, const char *needs, const char *theorem,
                                      const char *axioms)
{
    const bool none = strcmp(axioms, "none") == 0;
    return temp_format("%s %.64s %.64s %s: %s%s\n", file, hash, needs, theorem,
                       none ? "Closed under the global context" : "Axioms: ", none ? "" : axioms);
}
/* log_sha256 of the row whose line that is. */
static inline const char *kernel_hash(const char *line)
{
    char hex[SHA256_HEX];
    const char *text = temp_format("%s%s", KERNEL_SUMMARY, line);
    checksum_sha256_bytes(text, strlen(text), hex);
    return temp_format("%s", hex);
}
#endif
