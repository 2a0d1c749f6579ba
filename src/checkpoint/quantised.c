/* SPDX-License-Identifier: GPL-3.0-or-later
 * quantised.c - see quantised.h: where the codes of each type lie in its block. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/checkpoint/quantised.h"
#include "src/data/safetensors.h"

static double half_at(const unsigned char *at)
{
    uint16_t bits;
    memcpy(&bits, at, 2);
    return (double)safetensors_half(bits);
}

/* How far a half float may be from what was rounded to it. */
static double error_of(double half) { return fmax(0x1p-11 * fabs(half), 0x1p-25); }

/* Adding -0 changes no number, not even 0 and -0. */
static void put_scale(block_group *g, double d, int scale)
{
    *g = (block_group){ .step = d * scale, .offset = -0.0, .scale_error = abs(scale) * error_of(d) };
}

static void put_offset(block_group *g, double m)
{
    g->offset = m;
    g->offset_error = error_of(m);
}

/* scale, min: whole numbers of the group. */
static void put_scales(block_group *g, double d, int scale, double dmin, int min)
{
    put_scale(g, d, scale);
    g->scale_unit = fabs(d) / 2;
    g->offset = -(dmin * min);
    g->offset_error = min * error_of(dmin);
    g->offset_unit = fabs(dmin) / 2;
}

/* ---- blocks of 32, one group: number i and number 16 + i share a byte -------------------------------------------- */

static int nibble(const unsigned char *at, size_t i) { return i < 16 ? at[i] & 15 : at[i - 16] >> 4; }

static void nibbles(const unsigned char *at, int minus, block_group *g)
{
    for (size_t i = 0; i < 32; i++) g->code[i] = nibble(at, i) - minus;
}

/* Bit i of the four bytes in front is bit 4 of code i. */
static void fifth_bits(const unsigned char *bits, const unsigned char *at, int minus, block_group *g)
{
    for (size_t i = 0; i < 32; i++) g->code[i] = (nibble(at, i) | (bits[i / 8] >> i % 8 & 1) << 4) - minus;
}

static void read_q4_0(const unsigned char *b, size_t group, block_group *g)
{
    (void)group;
    put_scale(g, half_at(b), 1);
    nibbles(b + 2, 8, g);
}

static void read_q4_1(const unsigned char *b, size_t group, block_group *g)
{
    (void)group;
    put_scale(g, half_at(b), 1);
    put_offset(g, half_at(b + 2));
    nibbles(b + 4, 0, g);
}

static void read_q5_0(const unsigned char *b, size_t group, block_group *g)
{
    (void)group;
    put_scale(g, half_at(b), 1);
    fifth_bits(b + 2, b + 6, 16, g);
}

static void read_q5_1(const unsigned char *b, size_t group, block_group *g)
{
    (void)group;
    put_scale(g, half_at(b), 1);
    put_offset(g, half_at(b + 2));
    fifth_bits(b + 4, b + 8, 0, g);
}

static int signed_byte(unsigned char x) { return x < 128 ? x : x - 256; }

static void read_q8_0(const unsigned char *b, size_t group, block_group *g)
{
    (void)group;
    put_scale(g, half_at(b), 1);
    for (size_t i = 0; i < 32; i++) g->code[i] = signed_byte(b[2 + i]);
}

/* ---- blocks of 256: two halves of 128, in which group k of 16 is one of two in one of four pairs ----------------- */

typedef struct { size_t half, pair, first; } place;      /* first: number of its first byte, 0 or 16            */
static place place_of(size_t group) { return (place){ group / 8, group % 8 / 2, group % 2 * 16 }; }

/* scales[16] (low four bits sc, high four sm), codes of two bits [64], d, dmin. */
static void read_q2_k(const unsigned char *b, size_t group, block_group *g)
{
    const place at = place_of(group);
    put_scales(g, half_at(b + 80), b[group] & 15, half_at(b + 82), b[group] >> 4);
    for (size_t i = 0; i < 16; i++) g->code[i] = b[16 + 32 * at.half + at.first + i] >> 2 * at.pair & 3;
}

/* Bits [32], which are set where 4 is not taken off; codes of two bits [64], scales of six bits [12] less 32, d. */
static void read_q3_k(const unsigned char *b, size_t group, block_group *g)
{
    const place at = place_of(group);
    const unsigned char *scales = b + 96;
    const int low = group < 8 ? scales[group] & 15 : scales[group - 8] >> 4;
    put_scales(g, half_at(b + 108), (low | (scales[8 + group % 4] >> 2 * (group / 4) & 3) << 4) - 32, 0, 0);
    for (size_t i = 0; i < 16; i++) {
        const size_t k = at.first + i;
        g->code[i] = (b[32 + 32 * at.half + k] >> 2 * at.pair & 3) - (b[k] >> (4 * at.half + at.pair) & 1 ? 0 : 4);
    }
}

/* d, dmin and scales[12]: sc and sm of six bits for each of 8 groups of 32. */
static void put_six_bits(const unsigned char *b, size_t group, block_group *g)
{
    const unsigned char *s = b + 4;
    const int sc = group < 4 ? s[group] & 63 : (s[group + 4] & 15) | s[group - 4] >> 6 << 4;
    const int sm = group < 4 ? s[group + 4] & 63 : s[group + 4] >> 4 | s[group] >> 6 << 4;
    put_scales(g, half_at(b), sc, half_at(b + 2), sm);
}

/* Two groups share 32 bytes. */
static int nibble_of(const unsigned char *at, size_t group, size_t i)
{
    return at[group / 2 * 32 + i] >> group % 2 * 4 & 15;
}

static void read_q4_k(const unsigned char *b, size_t group, block_group *g)
{
    put_six_bits(b, group, g);
    for (size_t i = 0; i < 32; i++) g->code[i] = nibble_of(b + 16, group, i);
}

/* Bit `group` of byte i in front is bit 4 of its code i. */
static void read_q5_k(const unsigned char *b, size_t group, block_group *g)
{
    put_six_bits(b, group, g);
    for (size_t i = 0; i < 32; i++) g->code[i] = nibble_of(b + 48, group, i) | (b[16 + i] >> group & 1) << 4;
}

/* Four bits of each code [128], two more [64], scales[16] of eight bits with a sign, d. */
static void read_q6_k(const unsigned char *b, size_t group, block_group *g)
{
    const place at = place_of(group);
    put_scales(g, half_at(b + 208), signed_byte(b[192 + group]), 0, 0);
    for (size_t i = 0; i < 16; i++) {
        const size_t k = at.first + i;
        const int low = b[64 * at.half + at.pair % 2 * 32 + k] >> at.pair / 2 * 4 & 15;
        g->code[i] = (low | (b[128 + 32 * at.half + k] >> 2 * at.pair & 3) << 4) - 32;
    }
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static const block_type types[] = {
    { "Q4_0", 32, 18, 32, -8, 7, read_q4_0 },        { "Q4_1", 32, 20, 32, 0, 15, read_q4_1 },
    { "Q5_0", 32, 22, 32, -16, 15, read_q5_0 },      { "Q5_1", 32, 24, 32, 0, 31, read_q5_1 },
    { "Q8_0", 32, 34, 32, -128, 127, read_q8_0 },    { "Q2_K", 256, 84, 16, 0, 3, read_q2_k },
    { "Q3_K", 256, 110, 16, -4, 3, read_q3_k },      { "Q4_K", 256, 144, 32, 0, 15, read_q4_k },
    { "Q5_K", 256, 176, 32, 0, 31, read_q5_k },      { "Q6_K", 256, 210, 16, -32, 31, read_q6_k } };

const block_type *block_type_of(const char *name)
{
    for (size_t k = 0; k < COUNT(types); k++) if (strcmp(types[k].name, name) == 0) return &types[k];
    return NULL;
}

void quantised_group(const block_type *type, const unsigned char *at, size_t k, block_group *to)
{
    type->read(at + k / type->numbers * type->bytes, k % type->numbers / type->group, to);
}

void quantised_numbers(const block_type *type, const unsigned char *at, size_t from, size_t n, double *x)
{
    block_group g;
    for (size_t k = from; k < from + n; ) {
        const size_t first = k % type->group, rest = from + n - k, some = type->group - first;
        const size_t wide = some < rest ? some : rest;
        quantised_group(type, at, k, &g);
        for (size_t i = 0; i < wide; i++) x[k - from + i] = g.step * g.code[first + i] + g.offset;
        k += wide;
    }
}
