/* download.h - one file from the net: whole and right, or not at all.
 *
 * The bytes go to PATH.part, which a later call continues; the file gets its name only when its size and SHA-256
 * are the expected ones.  What turns out to be something else is removed. */
#ifndef DATA_DOWNLOAD_H
#define DATA_DOWNLOAD_H
#include "src/base/base.h"

typedef struct {
    const char *url, *path, *sha256;
    uint64_t bytes;                      /* 0: not known */
    long tries;                          /* how often a transfer that broke off is continued            */
    double wait;                         /* seconds before the second try, doubled for each one more    */
    long patience;                       /* seconds without a byte until a try has failed               */
    bool quiet;                          /* no progress line                                            */
} download;

/* NULL: the file is there, checked and on disk.  Else why not, in a line that the caller frees; what has come so
 * far is in PATH.part if it is of use. */
char *download_file(const download *d) MUST_USE;
#endif
