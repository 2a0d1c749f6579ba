/* SPDX-License-Identifier: GPL-3.0-or-later
 * certificate_node.c - nodes with equal text and operands are one; only what an equation needs is printed. */
#include "src/claim/certificate/certificate_node.h"
#include <stdlib.h>
#include <string.h>
#include "numerics/record/arith_term.h"

long node_add(cert_nodes *all, char *text, long operands, const long operand[])
{
    REQUIRE(operands <= MOST_OPERANDS, "%ld operands", operands);
    const size_t bytes = (size_t)operands * sizeof *operand;
    for (long k = 0; k < all->n; k++) {
        const cert_node *x = &all->at[k];
        if (x->operands != operands || strcmp(x->text, text) != 0) continue;
        if (operands && memcmp(x->operand, operand, bytes) != 0) continue;
        free(text);
        return k;
    }
    all->at = must_realloc(all->at, (size_t)all->n + 1, sizeof *all->at);
    cert_node *x = &all->at[all->n];
    *x = (cert_node){ .text = text, .operands = operands,
                      .operand = must_calloc((size_t)operands + 1, sizeof *operand) };
    if (operands) memcpy(x->operand, operand, bytes);
    return all->n++;
}

void node_need(cert_nodes *all, long k)
{
    cert_node *x = &all->at[k];
    if (x->needed) return;
    x->needed = true;
    for (long i = 0; i < x->operands; i++) node_need(all, x->operand[i]);
}

void nodes_number(cert_nodes *all)
{
    long number = 0;
    for (long k = 0; k < all->n; k++)
        if (all->at[k].needed) all->at[k].number = number++;
}

static bool is_first_of_function(const cert_nodes *all, long k)
{
    for (long i = 0; i < k; i++) {
        const cert_node *x = &all->at[i];
        if (x->needed && x->function && strcmp(x->function, all->at[k].function) == 0) return false;
    }
    return true;
}

void nodes_print(const cert_nodes *all, FILE *f)
{
    for (long k = 0; k < all->n; k++) {
        const cert_node *x = &all->at[k];
        if (!x->needed || !x->facts || !is_first_of_function(all, k)) continue;
        fprintf(f, "function %s", x->function);
        if (x->facts & TERM_HALF_ODD) fputs(" half-odd", f);
        if (x->facts & TERM_SHIFT_INVARIANT) fputs(" shift-invariant", f);
        if (x->facts & TERM_STOCHASTIC) fputs(" stochastic", f);
        fputc('\n', f);
    }
    for (long k = 0; k < all->n; k++) {
        const cert_node *x = &all->at[k];
        if (!x->needed) continue;
        fprintf(f, "%ld ", x->number);
        long i = 0;
        for (const char *p = x->text; *p; p++) {
            if (*p == '#') fprintf(f, "%ld", all->at[x->operand[i++]].number);
            else fputc(*p, f);
        }
        fputc('\n', f);
    }
}

bool nodes_have_block(const cert_nodes *all, const char *size)
{
    for (long k = 0; k < all->n; k++) {
        const cert_node *x = &all->at[k];
        if (x->needed && x->block_of && strcmp(x->block_of, size) == 0) return true;
    }
    return false;
}

void nodes_free(cert_nodes *all)
{
    for (long k = 0; k < all->n; k++) {
        free(all->at[k].text);
        free(all->at[k].operand);
    }
    free(all->at);
    *all = (cert_nodes){ 0 };
}
