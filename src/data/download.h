/* SPDX-License-Identifier: GPL-3.0-or-later
 * download.h - downloads one file: complete and correct, or not at all.
 *
 * The bytes go to PATH.part, which a later call continues; the file gets its name only when its size and SHA-256
 * are the expected ones.  A different file is removed. */
#ifndef DATA_DOWNLOAD_H
#define DATA_DOWNLOAD_H
#include "src/base/base.h"

typedef struct {
    const char *url, *path, *sha256;
    uint64_t bytes;                      /* 0: not known */
    long tries;                          /* how often an interrupted transfer is resumed                */
    double wait;                         /* seconds before the second try, doubled for each one more    */
    long patience;                       /* seconds without a byte until a try has failed               */
    bool quiet;                          /* no progress line                                            */
} download;

/* NULL: the file is complete, checked and on disk.  Else the reason, one line, to be freed; PATH.part keeps what was
 * received if a later call can resume it. */
char *download_file(const download *d) MUST_USE;
#endif
