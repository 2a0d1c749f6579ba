/* SPDX-License-Identifier: GPL-3.0-or-later
 * control_formal.c - the control is refuted of formal functions alone: nothing is broken that a real function feels.
 * Caught by the reals: prime fields or doubles alone */
#include "tests/false/false.h"

static const mat *doubled(trial *t, const mat *A) { return mat_add(&t->s, A, A); }

static void activations(trial *t)
{
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "activations", mat_add(&t->s, relu(t, A), relu(t, B)), mat_add(&t->s, relu(t, B), relu(t, A)));
}

/* ReLU(2A) = 2 ReLU(A): only a function of which nothing is known refutes that. */
static void not_homogeneous(trial *t)
{
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d);
    if (t->s.R->kind != A_FP) scope_not_here(&t->s, REASON_NO_QUESTION, "formal functions only");
    else claim_equal(t, "activations", relu(t, doubled(t, A)), doubled(t, relu(t, A)));
}
FALSE_IDENTITY("F-FORMAL", "a control of formal functions alone", small,
               .run = activations, .statement = "$f(A) + f(B) = f(B) + f(A)$", .no_minimal = true,
               BROKEN_BY("not-homogeneous", not_homogeneous, "the activation is homogeneous"))
