/* version.h - which source the program was built from. */
#ifndef VERSION_H
#define VERSION_H
const char *source_commit(void);         /* "1a2b3c4d5e6f", with "-dirty" when files were changed; or "unknown" */
/* What the program was built from and with, "1a2b3c4d5e6f; gcc 12.2.0; FLINT 2.9.0; ...": the commit, the compiler, and
 * the libraries that it runs with.  No commas.  Static. */
const char *build_text(void);
#endif
