/* SPDX-License-Identifier: GPL-3.0-or-later
 * error.c - see error.h. */
#include "src/base/error.h"
#include <stdarg.h>
#include <stdlib.h>
#include "src/base/escape.h"

const char *program_name = "provably";

static void print_and_abort(const char *message)
{
    fprintf(stderr, "%s: internal error: %s\n", program_name, message);
    abort();
}

static contract_handler *handler = print_and_abort;

contract_handler *contract_set_handler(contract_handler *h)
{
    contract_handler *old = handler;
    handler = h ? h : print_and_abort;
    return old;
}

_Noreturn void contract_broken(const char *file, int line, const char *cond, const char *fmt, ...)
{
    char what[256], message[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    snprintf(message, sizeof message, "%s:%d: %s (%s)", file, line, cond, what);
    handler(message);
    abort();                                  /* a handler that returns is itself a bug */
}

static void (*last_act)(void);

void die_after(void (*act)(void)) { last_act = act; }

_Noreturn void die_as_said(void)
{
    if (last_act) last_act();
    fflush(stdout);
    _Exit(2);
}

_Noreturn void die(const char *fmt, ...)
{
    static char what[1 << 15];                /* names of files are long, and the advice stands at the end */
    va_list ap;
    va_start(ap, fmt);
    shown_format(what, sizeof what, fmt, ap);
    va_end(ap);
    if (last_act) last_act();
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", program_name, what);
    _Exit(2);                  /* no atexit work: libraries may be in the middle of a call */
}
