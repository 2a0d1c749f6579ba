/* SPDX-License-Identifier: GPL-3.0-or-later
 * suite.h - what every test program does: run one Check suite and return 0 only if all passed. */
#ifndef SUITE_H
#define SUITE_H
#include <check.h>
#include "src/base/base.h"

/* Check ends the whole program at a long message, and messages hold what a child printed: beginning and end remain. */
#undef ck_assert_msg
#define ck_assert_msg(expr, ...) \
    do { if (expr) mark_point(); else ck_abort_msg("Assertion '%s' failed: %s", #expr, suite_message(__VA_ARGS__)); } while (0)
/* format: NULL for plain ck_assert, which has nothing to add. */
const char *suite_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The handler for tests of contracts: prints the message and exits with status 66. */
_Noreturn void contract_exits(const char *message);
enum { CONTRACT_STATUS = 66 };

/* Runs f in a child; returns its exit status (or 128 + signal) and up to size-1 bytes that it wrote to
 * stdout and stderr. */
int run_child(void (*f)(void *), void *with, char *output, size_t size);
/* The same for a shell command. */
int run_shell(const char *command, char *output, size_t size);
int run_command(char *output, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *build_folder(void);          /* $BUILD, or "build" */

/* Runs the suite without forking unless CK_FORK says otherwise; frees the caches of the libraries. */
int run_suite(Suite *suite, int argc, char **argv);
#endif
