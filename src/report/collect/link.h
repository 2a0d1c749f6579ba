/* SPDX-License-Identifier: GPL-3.0-or-later
 * link.h - from the folder of a report to a file, as a page links to it. */
#ifndef REPORT_LINK_H
#define REPORT_LINK_H
#include "src/base/base.h"

/* "../../theorems/k_1.c", from the folder to the file, to be freed; NULL: one of them is not there. */
char *link_from(const char *folder, const char *file) MUST_USE;
#endif
