/* SPDX-License-Identifier: GPL-3.0-or-later
 * table_charts.h - the figures of the chapters about the papers' tables: planned differences as dot plots, and learning
 * curves. */
#ifndef REPORT_TABLE_CHARTS_H
#define REPORT_TABLE_CHARTS_H
#include "src/experiments/paper_tables.h"
#include "src/report/collect/evidence_set.h"
#include "src/report/document/chart.h"

typedef struct { chart at; char *caption; } table_chart;
/* The figures of a table, in the order of its chapter; none where nothing is recorded, and those of the papers' own
 * size alone where paper_table_answered_with names a table.  Free each with chart_free and its caption, and *out. */
long table_charts(const evidence_set *all, const paper_table *t, table_chart **out);
#endif
