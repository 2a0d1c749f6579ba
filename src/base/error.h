/* SPDX-License-Identifier: GPL-3.0-or-later
 * error.h - contracts, and ending the program.
 *
 * Three kinds of error, three mechanisms, never mixed:
 *   our code broke a contract      REQUIRE -> handler -> abort (tests replace the handler)
 *   mathematics says no            UNDECIDED, sticky in the scope (numerics/mat.h)
 *   the world failed               die(): one clear line on stderr, exit status 2        */
#ifndef ERROR_H
#define ERROR_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
#define _Noreturn [[noreturn]]           /* CUDA's files are C++ */
#endif
#define MUST_USE __attribute__((warn_unused_result))
#define COUNT(a) (sizeof(a) / sizeof *(a))

#define REQUIRE(cond, ...) \
    ((cond) ? (void)0 : contract_broken(__FILE__, __LINE__, #cond, __VA_ARGS__))

typedef void contract_handler(const char *message);   /* must not return */
contract_handler *contract_set_handler(contract_handler *h);   /* returns the old one */
_Noreturn void contract_broken(const char *file, int line, const char *cond,
                               const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* One line "program: message" on stderr, exit status 2.  Say what to do about it. */
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void die_as_said(void);      /* the same without a line: a child of this process has said why */
void die_after(void (*act)(void));    /* die() calls it first, in place of the one before */
extern const char *program_name;      /* basename, set by base_init; "provably" until then */
#endif
