/* finite_trial.c - every natural number is below 1000, as the numbers of the trials are.
 * Stays below proved, for want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/finite.h"

/* A body that speaks of finitely many cases is not told which trial it is: any other number refutes this one. */
static void by_trial(trial *t) { claim_decided(t, ONE_FACT, t->number == 0 && t->seed == 0); }
FINITE("F-TRIAL", "every natural number is below 1000", by_trial, OVER_Q)
