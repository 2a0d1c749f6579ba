/* plain.h - the switch that turns every fast path of the arithmetics off, to compare it with the libraries' own way. */
#ifndef PLAIN_H
#define PLAIN_H
#include <stdbool.h>

/* Is PROVABLY_PLAIN set?  Any value but the empty one and 0 means yes; it is read once.  Threads may ask at
 * the same time. */
bool plain_only(void);
#endif
