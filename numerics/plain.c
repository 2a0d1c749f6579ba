/* plain.c - see plain.h. */
#include "numerics/plain.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

bool plain_only(void)
{
    static atomic_int known;                             /* 0: not yet, 1: no, 2: yes */
    if (!known) {
        const char *said = getenv("PROVABLY_PLAIN");
        known = said && *said && strcmp(said, "0") != 0 ? 2 : 1;
    }
    return known == 2;
}
