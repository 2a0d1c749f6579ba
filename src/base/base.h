/* base.h - what every file needs: contracts, memory, texts, and the start of a program. */
#ifndef BASE_H
#define BASE_H
#include "src/base/error.h"
#include "src/base/memory.h"
#include "src/base/text.h"

/* Call first in main: sets program_name from argv[0], and checks at exit that everything printed was written: else one
 * message, exit status 2.
 * Where OPENBLAS_CORETYPE or OPENBLAS_VERBOSE is exported it clears them and executes the program again: OpenBLAS reads
 * them while it is loaded, and a core forced from outside can halve its speed. */
void base_init(int argc, char **argv);
#endif
