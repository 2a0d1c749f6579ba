/* proofs.h - what proofcheck has accepted, one record a certificate. */
#ifndef PROOFS_H
#define PROOFS_H
#include "src/base.h"

typedef struct {
    char id[40], part[40], kind[16];     /* K-T4.4, corrected-tied, sym                                   */
    long heads, depth;                   /* h; L of the whole models in it, 0: none, -1: every depth      */
    char assumes[512];                   /* "invertible W_K; invertible W_Q", sorted, each once           */
} proof;
typedef struct { proof *at; long n; } proofs;
void proofs_read(proofs *all, const char *path);
void proofs_free(proofs *all);
#endif
