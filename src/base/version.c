/* version.c - see version.h.  The Makefile defines SOURCE_COMMIT. */
#include "src/base/version.h"

#ifndef SOURCE_COMMIT
#define SOURCE_COMMIT "unknown"
#endif

const char *version_commit(void) { return SOURCE_COMMIT; }
