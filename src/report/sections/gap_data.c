/* SPDX-License-Identifier: GPL-3.0-or-later
 * gap_data.c - for machines: trained weights on the way to W_Q = I (gaps.c), one row for each point of a curve. */
#include <math.h>
#include "src/report/sections/sections.h"

void section_trained(document *d, const evidence_set *all)
{
    static const data_column columns[] = {
        { "setting", DATA_TEXT, "", "how the model was trained" },
        { "step", DATA_WHOLE, "steps", "after how many steps of training" },
        { "allowed", DATA_FLAG, "", "1: the part of the change that the theorems allow, 0: the whole change" },
        { "t", DATA_REAL, "", "how far the change is made, 1: all W_Q are I" },
        { "rms_loss", DATA_REAL, "nats", "root mean square of the differences of the windows' losses" },
        { "largest_loss", DATA_REAL, "nats", "the largest of them" },
        { "loss_bound", DATA_REAL, "nats", "what rounding explains of largest_loss" },
        { "largest_logit", DATA_REAL, "", "the largest difference of a logit" },
        { "logit_bound", DATA_REAL, "", "what rounding explains of it" },
        { "kappa", DATA_REAL, "", "largest condition number inverted" },
        { "largest_query", DATA_REAL, "", "largest entry of a |W_Q - I|" },
        { "predicted_slope", DATA_REAL, "nats", "of the curve: rms_loss over t for small t, from the gradient" },
        { "not_allowed", DATA_REAL, "", "of the curve: root mean square of the singular values of what the theorems do "
          "not allow of W_Q - I" },
        { "from_orthogonal", DATA_REAL, "", "of the curve: root mean square of the singular values of W_Q, minus 1" },
        { "control", DATA_REAL, "nats", "of the curve: largest change of a window's loss at t = 1 where W_K stays in "
          "its old basis" } };
    doc_table *t = doc_data_table(d, columns, COUNT(columns));
    for (long k = 0; k < all->gaps.n; k++)
        for (int i = 0; i < GAP_POINTS; i++) {
            const gap_curve *c = &all->gaps.at[k];
            const gap_point *p = &c->at[i];
            const double numbers[] = { ldexp(1, -i), p->rms, p->largest, p->bound, p->logits, p->logits_bound,
                                       p->condition, p->query, c->slope, c->away, c->spread, c->control };
            table_row(t);
            table_text(t, c->setting);
            table_whole(t, c->step);
            table_whole(t, c->allowed);
            for (size_t w = 0; w < COUNT(numbers); w++) table_real(t, "%.8g", numbers[w]);
        }
}
