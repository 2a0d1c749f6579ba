/* SPDX-License-Identifier: GPL-3.0-or-later
 * block_encoder.c - see block_encoder.h. */
#include <math.h>
#include <string.h>
#include "tests/support/block_encoder.h"

uint16_t block_half(double x)
{
    int e;
    frexp(fabs(x), &e);
    e = x == 0 || e - 1 < -14 ? -14 : e - 1;
    int m = (int)rint(ldexp(fabs(x), 10 - e));           /* 1024 to 2048; below, the number is not normal       */
    if (m == 2048) m = 1024, e++;
    return (uint16_t)((signbit(x) ? 0x8000 : 0) | (m < 1024 ? m : (e + 15) << 10 | (m - 1024)));
}

double block_of_half(uint16_t bits)
{
    const int e = bits >> 10 & 31, m = bits & 1023;
    const double x = e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return bits & 0x8000 ? -x : x;
}

static double stored(double x) { return block_of_half(block_half(x)); }

/* ---- scales and codes -------------------------------------------------------------------------------------------- */

static int within(double x, int least, int most) { return x < least ? least : x > most ? most : (int)x; }

static double largest(const double *x, size_t n)         /* with its sign                                       */
{
    double most = 0;
    for (size_t k = 0; k < n; k++) if (fabs(x[k]) > fabs(most)) most = x[k];
    return most;
}

static void range_of(const double *x, size_t n, double *low, double *high)
{
    *low = *high = x[0];
    for (size_t k = 1; k < n; k++) *low = fmin(*low, x[k]), *high = fmax(*high, x[k]);
}

/* Blocks of one group: codes are chosen by the scales before these are stored. */
static block_parts of_32(const block_type *t, const double *x)
{
    block_parts p = { .d = 0 };
    double low = 0, high;
    if (t->least == 0) range_of(x, 32, &low, &high);
    const double d = t->least == 0 ? (high - low) / t->most : t->most == 127 ? fabs(largest(x, 32)) / 127
                   : largest(x, 32) / t->least;
    for (int k = 0; k < 32; k++) p.code[k] = d == 0 ? 0 : within(rint((x[k] - low) / d), t->least, t->most);
    p.d = stored(d);
    p.m = stored(low);
    return p;
}

/* Signed scales of the groups, multiples of one that is stored. */
static block_parts of_256(const block_type *t, const double *x)
{
    const int least = t->most == 31 ? -128 : -32, most = -least - 1;
    double scale[16];
    block_parts p = { .d = 0 };
    for (int g = 0; g < 16; g++) scale[g] = largest(x + 16 * g, 16) / t->least;
    p.d = stored(largest(scale, 16) / least);
    for (int g = 0; g < 16; g++) {
        p.sc[g] = p.d == 0 ? 0 : within(rint(scale[g] / p.d), least, most);
        const double step = p.d * p.sc[g];
        for (int k = 16 * g; k < 16 * g + 16; k++) p.code[k] = step == 0 ? 0 : within(rint(x[k] / step), t->least, t->most);
    }
    return p;
}

/* The same with a least number of each group, at most 0. */
static block_parts of_256_with_least(const block_type *t, const double *x)
{
    const int groups = (int)(t->numbers / t->group), most = t->most == 3 ? 15 : 63;
    double scale[16] = { 0 }, low[16] = { 0 };
    block_parts p = { .d = 0 };
    for (int g = 0; g < groups; g++) {
        double high;
        range_of(x + (size_t)g * t->group, t->group, &low[g], &high);
        low[g] = fmin(low[g], 0);
        scale[g] = (fmax(high, 0) - low[g]) / t->most;
    }
    p.d = stored(fabs(largest(scale, (size_t)groups)) / most);
    p.m = stored(fabs(largest(low, (size_t)groups)) / most);
    for (int g = 0; g < groups; g++) {
        p.sc[g] = p.d == 0 ? 0 : within(rint(scale[g] / p.d), 0, most);
        p.sm[g] = p.m == 0 ? 0 : within(rint(-low[g] / p.m), 0, most);
        const double step = p.d * p.sc[g], offset = p.m * p.sm[g];
        for (size_t k = (size_t)g * t->group; k < (size_t)(g + 1) * t->group; k++)
            p.code[k] = step == 0 ? 0 : within(rint((x[k] + offset) / step), 0, t->most);
    }
    return p;
}

block_parts block_choose(const block_type *type, const double *x)
{
    return type->numbers == 32 ? of_32(type, x) : type->least == 0 ? of_256_with_least(type, x) : of_256(type, x);
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static void put_half(unsigned char *to, double x)
{
    const uint16_t bits = block_half(x);
    memcpy(to, &bits, 2);
}

static void pack_32(const block_type *t, const block_parts *p, unsigned char *to)
{
    put_half(to, p->d);
    to += 2;
    if (t->least == 0) put_half(to, p->m), to += 2;
    if (t->most == 127) {
        for (int k = 0; k < 32; k++) to[k] = (unsigned char)p->code[k];
        return;
    }
    const bool five = t->most - t->least == 31;
    unsigned char *low = five ? to + 4 : to;
    for (int k = 0; k < 32; k++) {
        const int c = p->code[k] - t->least;
        if (five) to[k / 8] |= (unsigned char)((c >> 4) << k % 8);
        low[k % 16] |= (unsigned char)((c & 15) << (k < 16 ? 0 : 4));
    }
}

/* Two bits of each of 128 numbers in 32 bytes, number k in byte k % 32. */
static void put_two_bits(unsigned char *to, int k, int bits) { to[k / 128 * 32 + k % 32] |= (unsigned char)(bits << k % 128 / 32 * 2); }

static void pack_2_and_3(const block_type *t, const block_parts *p, unsigned char *to)
{
    const bool two = t->most == 3 && t->least == 0;
    for (int g = 0; two && g < 16; g++) to[g] = (unsigned char)(p->sc[g] | p->sm[g] << 4);
    for (int g = 0; !two && g < 16; g++) {
        const int sc = p->sc[g] + 32;
        to[96 + g % 8] |= (unsigned char)((sc & 15) << (g < 8 ? 0 : 4));
        to[104 + g % 4] |= (unsigned char)((sc >> 4) << g / 4 * 2);
    }
    for (int k = 0; k < 256; k++) {
        const int c = p->code[k] - t->least;
        put_two_bits(to + (two ? 16 : 32), k, c & 3);
        if (!two) to[k % 32] |= (unsigned char)((c >> 2) << k / 32);
    }
    put_half(to + t->bytes - (two ? 4 : 2), p->d);
    if (two) put_half(to + 82, p->m);
}

static void pack_4_and_5(const block_type *t, const block_parts *p, unsigned char *to)
{
    unsigned char *s = to + 4, *low = to + (t->most == 31 ? 48 : 16);
    put_half(to, p->d);
    put_half(to + 2, p->m);
    for (int g = 0; g < 4; g++) {
        s[g] = (unsigned char)(p->sc[g] | (p->sc[g + 4] >> 4) << 6);
        s[g + 4] = (unsigned char)(p->sm[g] | (p->sm[g + 4] >> 4) << 6);
        s[g + 8] = (unsigned char)((p->sc[g + 4] & 15) | (p->sm[g + 4] & 15) << 4);
    }
    for (int k = 0; k < 256; k++) {
        low[k / 64 * 32 + k % 32] |= (unsigned char)((p->code[k] & 15) << k % 64 / 32 * 4);
        if (t->most == 31) to[16 + k % 32] |= (unsigned char)((p->code[k] >> 4) << k / 32);
    }
}

static void pack_6(const block_parts *p, unsigned char *to)
{
    for (int k = 0; k < 256; k++) {
        const int c = p->code[k] + 32, in = k % 128;
        to[k / 128 * 64 + in % 64] |= (unsigned char)((c & 15) << in / 64 * 4);
        put_two_bits(to + 128, k, c >> 4);
    }
    for (int g = 0; g < 16; g++) to[192 + g] = (unsigned char)p->sc[g];
    put_half(to + 208, p->d);
}

void block_pack(const block_type *type, const block_parts *p, unsigned char *to)
{
    memset(to, 0, type->bytes);
    if (type->numbers == 32) pack_32(type, p, to);
    else if (type->bytes == 84 || type->bytes == 110) pack_2_and_3(type, p, to);
    else if (type->bytes == 210) pack_6(p, to);
    else pack_4_and_5(type, p, to);
}

void block_encode(text_buffer *to, const block_type *type, const double *x, size_t n)
{
    for (size_t k = 0; k < n; k += type->numbers) {
        unsigned char bytes[256];
        const block_parts p = block_choose(type, x + k);
        block_pack(type, &p, bytes);
        text_bytes(to, (const char *)bytes, type->bytes);
    }
}
