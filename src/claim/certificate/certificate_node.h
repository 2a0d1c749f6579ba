/* SPDX-License-Identifier: GPL-3.0-or-later
 * certificate_node.h - the numbered lines of a symbolic certificate: see certificate_node.c. */
#ifndef CERTIFICATE_NODE_H
#define CERTIFICATE_NODE_H
#include "src/base/base.h"

enum { MOST_OPERANDS = 256 };

typedef struct {
    char       *text;                    /* "product # #": each # is an operand         */
    long       *operand;                 /* other nodes; one that has no # is only needed       */
    long        operands;
    const char *function;                /* of a value, or NULL                                 */
    unsigned    facts;                   /* known of that function: numerics/record/arith_term.h       */
    const char *block_of;                /* the size whose block it is, or NULL                 */
    bool        needed;
    long        number;                  /* in the file                                         */
} cert_node;

typedef struct {
    cert_node *at;
    long       n;
} cert_nodes;

/* The node of this text and these operands; text is taken over, operands are copied.  At most MOST_OPERANDS. */
long node_add  (cert_nodes *all, char *text, long operands, const long operand[]) MUST_USE;
void node_need (cert_nodes *all, long k);            /* and what it is made of                  */
/* Numbers what is needed, and prints the lines `function` and the nodes. */
void nodes_number(cert_nodes *all);
void nodes_print (const cert_nodes *all, FILE *f);
bool nodes_have_block(const cert_nodes *all, const char *size);      /* a needed one            */
void nodes_free  (cert_nodes *all);
#endif
