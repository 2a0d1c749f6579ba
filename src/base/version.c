/* version.c - see version.h.  The Makefile defines SOURCE_COMMIT. */
#include "src/base/version.h"

#ifndef SOURCE_COMMIT
#define SOURCE_COMMIT "unknown"
#endif

const char *version_number(void) { return "0.1"; }
const char *version_commit(void) { return SOURCE_COMMIT; }
