/* SPDX-License-Identifier: GPL-3.0-or-later
 * laws.h - one suite of laws, run on every arithmetic, and on arithmetics broken on purpose. */
#ifndef LAWS_H
#define LAWS_H
#include "numerics/mat.h"

typedef struct { const char *label; arith (*open)(void); double log2bound; } number_system;
enum { NUMBER_SYSTEMS = 10 };
extern const number_system number_systems[NUMBER_SYSTEMS];

/* How many laws fail over R, a (possibly broken) copy of what u opens, on random matrices of `seed`;
 * `first` names the first. */
long laws_broken(const number_system *u, const arith *R, uint64_t seed, char *first, size_t size);
#endif
