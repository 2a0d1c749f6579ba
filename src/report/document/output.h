/* SPDX-License-Identifier: GPL-3.0-or-later
 * output.h - the files of a report. */
#ifndef REPORT_OUTPUT_H
#define REPORT_OUTPUT_H
#include "src/base/outfile.h"

outfile output_open(const char *out, const char *name);              /* OUT/NAME */
#endif
