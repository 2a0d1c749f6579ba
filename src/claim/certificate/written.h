/* SPDX-License-Identifier: GPL-3.0-or-later
 * written.h - which certificates a run wrote, in the last lines of its rows: src/claim/evidence/evidence_end.h. */
#ifndef WRITTEN_H
#define WRITTEN_H
#include <stdio.h>

#define CERTIFICATE_KIND "certificate "                      /* and the name of the file, in that line             */
/* Appends the line of each that this program wrote. */
void certificates_name(FILE *f);
#endif
