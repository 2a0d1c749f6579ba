/* version.c - see version.h.  The Makefile defines SOURCE_COMMIT. */
#include "src/version.h"

const char *source_commit(void) { return SOURCE_COMMIT; }
