/* SPDX-License-Identifier: GPL-3.0-or-later
 * sheet.c - see sheet.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "src/checkpoint/sheet.h"

static const type_row types[] = { { "F64", 8, 53, -1022, 1023 }, { "F32", 4, 24, -126, 127 },
                                  { "BF16", 2, 8, -126, 127 }, { "F16", 2, 11, -14, 15 } };

static const type_row *known_type(const char *name)
{
    for (size_t k = 0; k < COUNT(types); k++) if (strcmp(types[k].name, name) == 0) return &types[k];
    contract_broken(__FILE__, __LINE__, "known_type", "type %s", name);
}

int sheet_number_bytes(const char *name) { return known_type(name)->bytes; }

/* A multiple of the unit of x's binade: of 2^(least - bits + 1) for subnormal numbers. */
static double nearest(double x, const type_row *t, bool *fits)
{
    if (t->bits == 53 || x == 0) return x;
    int e;
    frexp(x, &e);
    const int unit = (e - 1 < t->least ? t->least : e - 1) - t->bits + 1;
    const double y = ldexp(nearbyint(ldexp(x, -unit)), unit);
    *fits = *fits && fabs(y) < ldexp(1, t->most + 1);
    return y;
}

double sheet_nearest(double x, const char *type, bool *fits)
{
    const type_row *t = known_type(type);
    *fits = isfinite(x);
    return nearest(x, t, fits);
}

/* y is a number of the type. */
static void encode(double y, const type_row *t, unsigned char *to)
{
    const float single = (float)y;
    uint32_t bits;
    memcpy(&bits, &single, 4);
    uint16_t half = (uint16_t)(bits >> 16);                            /* BF16 */
    if (t->bits == 11) {
        const uint16_t sign = signbit(y) ? 0x8000 : 0;
        int e;
        const double m = frexp(fabs(y), &e);                           /* [1/2, 1) */
        if (y == 0) half = sign;
        else if (e - 1 < -14) half = (uint16_t)(sign | (int)ldexp(fabs(y), 24));
        else half = (uint16_t)(sign | (e + 14) << 10 | ((int)ldexp(m, 11) - 1024));
    }
    if (t->bytes == 8) memcpy(to, &y, 8);
    else if (t->bytes == 4) memcpy(to, &single, 4);
    else memcpy(to, &half, 2);
}

bool sheet_number(double x, const char *type, unsigned char *to)
{
    const type_row *t = known_type(type);
    bool fits = isfinite(x);
    if (!fits || nearest(x, t, &fits) != x || !fits) return false;
    encode(x, t, to);
    return true;
}

sheet sheet_of(const char *tensor, const char *name, long rows, long cols)
{
    const type_row *type = known_type(name);
    return (sheet){ tensor, type, rows, cols, must_calloc((size_t)(rows * cols), (size_t)type->bytes),
                    ldexp(1, type->least), 0 };
}

void sheet_put(sheet *to, const mat *A, bool turned, long i, long j)
{
    const type_row *type = to->type;
    REQUIRE(i + (turned ? A->cols : A->rows) <= to->rows && j + (turned ? A->rows : A->cols) <= to->cols,
            "%s: %ld x %ld at %ld, %ld", to->tensor, A->rows, A->cols, i, j);
    double *x = must_calloc((size_t)A->cols, sizeof *x);
    bool fits = true;
    for (long r = 0; r < A->rows; r++) {
        to->widest = fmax(to->widest, arith_arb_row(A, r, type->bits == 53, x));
        for (long c = 0; c < A->cols; c++) {
            const long at = turned ? (i + c) * to->cols + j + r : (i + r) * to->cols + j + c;
            to->largest = fmax(to->largest, fabs(x[c]));
            encode(nearest(x[c], type, &fits), type, to->bytes + at * type->bytes);
        }
    }
    free(x);
    if (!fits)
        die("tensor %s: a number is beyond the range of %s; choose a wider one with --type", to->tensor,
            type->name);
}

bool sheet_close(sheet *of, FILE *f)
{
    fwrite(of->bytes, (size_t)of->type->bytes, (size_t)(of->rows * of->cols), f);
    free(of->bytes);
    of->bytes = NULL;
    return of->widest <= ldexp(of->largest, -of->type->bits - 8);
}
