/* SPDX-License-Identifier: GPL-3.0-or-later
 * flint_compat.h - one include for FLINT and Arb, whichever generation is installed:
 * FLINT 2.9 with Arb 2.23 as its own library (Debian 12), or FLINT 3 (Debian 13).
 * Entries are reached through the accessor macros only, never through members. */
#ifndef FLINT_COMPAT_H
#define FLINT_COMPAT_H
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpragmas"
#if __has_include(<flint/arb_mat.h>)                      /* FLINT 3 */
#include <flint/flint.h>
#include <flint/fmpz.h>
#include <flint/fmpz_vec.h>
#include <flint/fmpq.h>
#include <flint/fmpz_mat.h>
#include <flint/fmpq_vec.h>
#include <flint/fmpq_mat.h>
#include <flint/nmod_mat.h>
#include <flint/nmod.h>
#include <flint/nmod_vec.h>
#include <flint/ulong_extras.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpq_poly.h>
#include <flint/arb_mat.h>
#include <flint/acb_mat.h>
#include <flint/arb_hypgeom.h>
#include <flint/acb_calc.h>
#include <flint/acb_hypgeom.h>
#else
#include <flint/flint.h>
#include <flint/fmpz.h>
#include <flint/fmpz_vec.h>
#include <flint/fmpq.h>
#include <flint/fmpz_mat.h>
#include <flint/fmpq_mat.h>
#include <flint/nmod_mat.h>
#include <flint/nmod_vec.h>
#include <flint/ulong_extras.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpq_poly.h>
#include <arb_mat.h>
#include <acb_mat.h>
#include <arb_hypgeom.h>
#include <acb_calc.h>
#include <acb_hypgeom.h>
#endif
#pragma GCC diagnostic pop
#endif
