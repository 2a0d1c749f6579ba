/* second_head.c - W_V of every head but the first is doubled, and the same attention is claimed for any number
 * of heads; the shapes have one head.
 * Stays below proved, for the derivation at other numbers of heads: no derivation for all sizes */
#include "tests/false/second_head.h"

FALSE_IDENTITY("F-HEAD-2", "W_V of every head but the first is doubled", one_head, SECOND_HEAD)
