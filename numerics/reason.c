/* SPDX-License-Identifier: GPL-3.0-or-later
 * reason.c - the reasons as words: see reason.h. */
#include "numerics/reason.h"

static const char *const text[REASONS] = {
    [REASON_NONE]        = "",
    [REASON_NO_FUNCTION] = "this arithmetic has no such function",
    [REASON_NO_ORDER]    = "this arithmetic does not decide signs",
    [REASON_NO_RANKS]    = "this arithmetic does not decide ranks",
    [REASON_NO_QUESTION] = "the question does not arise",
    [REASON_TOO_LARGE]   = "this arithmetic has no room for this shape",
    [REASON_SINGULAR]    = "no inverse found",
    [REASON_DOMAIN]      = "an argument may lie outside the domain",
    [REASON_TOO_WIDE]    = "balls still too wide",
    [REASON_DRAW]        = "the drawn weights violate a condition",
    [REASON_TOO_MANY]    = "too many cases to enumerate",
    [REASON_INNER]       = "a step is undecided",
    [REASON_INVALID]     = "nothing was compared",
};

bool        reason_skips(reason why) { return why >= REASON_NO_FUNCTION && why <= REASON_TOO_LARGE; }
const char *reason_text (reason why) { return text[why]; }
