/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_certificate.h - certificates about networks W2 ReLU(W1 x) + Z x, offered by the bodies of claims: see
 * src/claim/certificate/certificate.h. */
#ifndef RELU_CERTIFICATE_H
#define RELU_CERTIFICATE_H
#include "src/claim/certificate/certificate.h"

/* Z and Y NULL: zero. */
void certify_relu_equal (trial *t, const char *name, const mat *W1, const mat *W2, const mat *Z,
                         const mat *V1, const mat *V2, const mat *Y);
/* They differ at x (in x 1), which is searched among small integers; no certificate where none is found. */
void certify_relu_differ(trial *t, const char *name, const mat *W1, const mat *W2, const mat *Z,
                         const mat *V1, const mat *V2, const mat *Y);
/* No J has W2[:,J] W1[J,:] + Z = 0.  The body has decided so; no certificate where m > 16 and there is no y. */
void certify_no_j       (trial *t, const char *name, const mat *W1, const mat *W2, const mat *Z);
#endif
