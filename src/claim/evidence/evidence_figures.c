/* SPDX-License-Identifier: GPL-3.0-or-later
 * evidence_figures.c - rungs and figures as CSV: see evidence_figures.h. */
#include "src/base/csv.h"
#include "src/claim/evidence/evidence_figures.h"

static const char rung_columns[] = "id,part,case,shape,seed,trial,bits,log2gap";
static const char figure_columns[] = "id,part,case,shape,seed,trial,figure,x,value,low,high,predicted";

void evidence_rung_header(FILE *f) { fprintf(f, "%s\n", rung_columns); }

void evidence_rung_write(FILE *f, const rung *r)
{
    fprintf(f, "%s,%s,%s,%s,%llu,%ld,%ld,%a\n", r->id, r->part, r->which, r->shape->text,
            (unsigned long long)r->seed, r->trial, r->bits, r->log2gap);
    fflush(f);
}

void evidence_rungs_read(rung_list *all, const char *path)
{
    csv_file c = csv_open(path, rung_columns, EVIDENCE_REPAIR);
    c.passes = true;
    while (csv_next(&c)) {
        rung r;
        r.id = csv_kept_name(&c, 0);
        r.part = csv_kept_name(&c, 1);
        r.which = csv_kept_label(&c, 2);
        r.subject = evidence_subject(r.which);
        r.shape = evidence_sizes(csv_kept_label(&c, 3));
        r.seed = csv_u64(&c, 4);
        r.trial = csv_long(&c, 5);
        r.bits = csv_long(&c, 6);
        r.log2gap = csv_double(&c, 7);
        if ((all->n & (all->n - 1)) == 0)                     /* grow at powers of two */
            all->at = must_realloc(all->at, all->n ? 2 * (size_t)all->n : 1, sizeof *all->at);
        all->at[all->n++] = r;
    }
    csv_close(&c);
}

void evidence_figure_header(FILE *f) { fprintf(f, "%s\n", figure_columns); }

void evidence_figure_write(FILE *f, const measured *m)
{
    fprintf(f, "%s,%s,%s,%s,%llu,%ld,%s,%a,%a,%a,%a,%a\n", m->id, m->part, m->which, m->shape->text,
            (unsigned long long)m->seed, m->trial, m->name, m->x, m->value, m->low, m->high, m->predicted);
    fflush(f);
}

void evidence_figures_read(measures *all, const char *path)
{
    csv_file c = csv_open(path, figure_columns, EVIDENCE_REPAIR);
    c.passes = true;
    while (csv_next(&c)) {
        measured m;
        m.id = csv_kept_name(&c, 0);
        m.part = csv_kept_name(&c, 1);
        m.which = csv_kept_label(&c, 2);
        m.subject = evidence_subject(m.which);
        m.shape = evidence_sizes(csv_kept_label(&c, 3));
        m.seed = csv_u64(&c, 4);
        m.trial = csv_long(&c, 5);
        m.name = csv_kept_label(&c, 6);
        m.x = csv_double(&c, 7);
        m.value = csv_double(&c, 8);
        m.low = csv_double(&c, 9);
        m.high = csv_double(&c, 10);
        m.predicted = csv_double(&c, 11);
        if ((all->n & (all->n - 1)) == 0)                     /* grow at powers of two */
            all->at = must_realloc(all->at, all->n ? 2 * (size_t)all->n : 1, sizeof *all->at);
        all->at[all->n++] = m;
    }
    csv_close(&c);
}
