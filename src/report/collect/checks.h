/* SPDX-License-Identifier: GPL-3.0-or-later
 * checks.h - the verdict of each claim of a set, and everything that makes a run fail. */
#ifndef REPORT_CHECKS_H
#define REPORT_CHECKS_H
#include "src/report/collect/evidence_set.h"

void evidence_set_add_problem(evidence_set *all, char *text);        /* takes the text */
void evidence_set_judge(evidence_set *all);                          /* after everything has been read */
#endif
