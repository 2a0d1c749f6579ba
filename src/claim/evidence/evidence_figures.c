/* evidence_figures.c - rungs and figures as CSV: see evidence_figures.h. */
#include "src/claim/evidence/evidence_figures.h"
#include <math.h>

static const char rung_columns[] = "id,part,case,shape,seed,trial,bits,log2gap";
static const char figure_columns[] = "id,part,case,shape,seed,trial,figure,x,value,low,high,predicted";

void evidence_rung_header(FILE *f) { fprintf(f, "%s\n", rung_columns); }

void evidence_rung_write(FILE *f, const rung *r)
{
    fprintf(f, "%s,%s,%s,%s,%llu,%ld,%ld,%a\n", r->id, r->part, r->which, r->shape->text,
            (unsigned long long)r->seed, r->trial, r->bits, r->log2gap);
    fflush(f);
}

static bool take_rung(void *to, char *line)
{
    rung_list *all = to;
    rung r = { .bits = 0 };
    const char *sizes;
    const bool ok = cell_interned_name(&line, &r.id) && cell_interned_name(&line, &r.part)
        && cell_interned_label(&line, &r.which) && cell_interned_label(&line, &sizes)
        && cell_u64(&line, &r.seed) && cell_long(&line, &r.trial) && cell_long(&line, &r.bits)
        && cell_double(&line, &r.log2gap) && line == NULL;
    if (!ok) return false;
    r.subject = evidence_subject(r.which);
    r.shape = evidence_sizes(sizes);
    if ((all->n & (all->n - 1)) == 0)                     /* grow at powers of two */
        all->at = must_realloc(all->at, all->n ? 2 * (size_t)all->n : 1, sizeof *all->at);
    all->at[all->n++] = r;
    return true;
}

void evidence_rungs_read(rung_list *all, const char *path)
{
    cell_read_lines(path, rung_columns, "rung", take_rung, all);
}

void evidence_figure_header(FILE *f) { fprintf(f, "%s\n", figure_columns); }

void evidence_figure_write(FILE *f, const measured *m)
{
    fprintf(f, "%s,%s,%s,%s,%llu,%ld,%s,%a,%a,%a,%a,%a\n", m->id, m->part, m->which, m->shape->text,
            (unsigned long long)m->seed, m->trial, m->name, m->x, m->value, m->low, m->high, m->predicted);
    fflush(f);
}

static bool take_figure(void *to, char *line)
{
    measures *all = to;
    measured m = { .x = NAN };
    const char *sizes;
    const bool ok = cell_interned_name(&line, &m.id) && cell_interned_name(&line, &m.part)
        && cell_interned_label(&line, &m.which) && cell_interned_label(&line, &sizes)
        && cell_u64(&line, &m.seed) && cell_long(&line, &m.trial) && cell_interned_label(&line, &m.name)
        && cell_double(&line, &m.x) && cell_double(&line, &m.value) && cell_double(&line, &m.low)
        && cell_double(&line, &m.high) && cell_double(&line, &m.predicted) && line == NULL;
    if (!ok) return false;
    m.subject = evidence_subject(m.which);
    m.shape = evidence_sizes(sizes);
    if ((all->n & (all->n - 1)) == 0)                     /* grow at powers of two */
        all->at = must_realloc(all->at, all->n ? 2 * (size_t)all->n : 1, sizeof *all->at);
    all->at[all->n++] = m;
    return true;
}

void evidence_figures_read(measures *all, const char *path)
{
    cell_read_lines(path, figure_columns, "figure", take_figure, all);
}
