/* SPDX-License-Identifier: GPL-3.0-or-later
 * reason.h - why a question has no answer over an arithmetic.
 *
 * Whoever decides something reads the reason; the text beside it is for people. */
#ifndef REASON_H
#define REASON_H
#include <stdbool.h>

typedef enum {
    REASON_NONE,
    /* The trial is skipped: it speaks neither for nor against.  Nothing failed. */
    REASON_NO_FUNCTION,                  /* the arithmetic lacks a function of the model                 */
    REASON_NO_ORDER, REASON_NO_RANKS,    /* it decides no signs, no ranks                                */
    REASON_NO_QUESTION,                  /* at this shape there is nothing to ask                        */
    REASON_TOO_LARGE,                    /* the shape is too large for this arithmetic                   */
    /* Mathematics says no. */
    REASON_SINGULAR,                     /* no inverse was found                                         */
    REASON_DOMAIN,                       /* an argument may lie outside the domain of a function         */
    REASON_TOO_WIDE,                     /* balls, primes: a sign, a pivot or a separation is not certain */
    REASON_DRAW,                         /* the drawn weights violate a condition                        */
    REASON_TOO_MANY,                     /* too many cases to enumerate                                  */
    REASON_INNER,                        /* a computation in a scope of its own was undecided            */
    REASON_INVALID,                      /* the body does not do what its part declares                  */
    REASONS
} reason;

bool        reason_skips(reason why);    /* is the trial skipped?                                        */
const char *reason_text (reason why);    /* "no inverse found"; "" for REASON_NONE                       */
#endif
