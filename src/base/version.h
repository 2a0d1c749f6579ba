/* version.h - which source the program was built from. */
#ifndef VERSION_H
#define VERSION_H
const char *version_number(void);         /* "0.1"                                                                  */
const char *version_commit(void);         /* "1a2b3c4d5e6f", with "-dirty" when files were changed; or "unknown" */
#endif
