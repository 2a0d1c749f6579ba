/* SPDX-License-Identifier: GPL-3.0-or-later
 * finite_trial.c - every natural number is below 1000, as the numbers of the trials are.
 * Caught by the text of the body: a body is the same for every run */
#include "tests/false/finite.h"

/* A body that speaks of finitely many cases is not told which trial it is: any other number refutes this one. */
static void by_trial(trial *t) { claim_decided(t, ONE_FACT, t->number == 0 && t->seed == 0); }
FINITE("F-TRIAL", "every natural number is below 1000", by_trial, OVER_Q)
