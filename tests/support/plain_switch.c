/* SPDX-License-Identifier: GPL-3.0-or-later
 * plain_switch.c - see plain_switch.h. */
#include "tests/support/plain_switch.h"
#include <stdlib.h>
#include "tests/support/suite.h"

static const struct { const char *value; bool off; } said[PLAIN_VALUES] = {
    { "1", true }, { "yes", true }, { "0", false }, { "", false } };

void check_plain_switch(int k, void (*f)(void *off))
{
    char output[200];
    bool off = said[k].off;
    setenv("PROVABLY_REFERENCE", said[k].value, 1);
    const int status = run_child(f, &off, output, sizeof output);
    unsetenv("PROVABLY_REFERENCE");
    ck_assert_msg(status == 0, "with PROVABLY_REFERENCE=%s: status %d, %s", said[k].value, status, output);
}
