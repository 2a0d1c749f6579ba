/* SPDX-License-Identifier: GPL-3.0-or-later
 * warp.c - loads and stores, and what the lanes of a warp do together. */
#include <stdlib.h>
#include <string.h>
#include "tests/ptx/ptx.h"

#define EACH_LANE(l, lanes) for (int l = 0; l < LANES; l++) if ((lanes) >> l & 1)

static uint64_t value(const warp *w, slot s, int lane)
{
    return s.bytes == 8 ? SLOT(const uint64_t, w, s)[lane] : SLOT(const uint32_t, w, s)[lane];
}
static void set(const warp *w, slot s, int lane, uint64_t x)
{
    if (s.bytes == 8) SLOT(uint64_t, w, s)[lane] = x;
    else              SLOT(uint32_t, w, s)[lane] = (uint32_t)x;
}
static uint64_t address(const warp *w, const instruction *i, int operand, int which, int lane)
{
    return value(w, i->o[operand], lane) + (uint64_t)i->offset[which];
}

/* ---- loads and stores ---------------------------------------------------------------------------------------- */

/* A number of i->bytes bytes, extended to the register's size. */
static uint64_t number_at(const instruction *i, const unsigned char *p, slot to)
{
    uint64_t x = 0;
    memcpy(&x, p, (size_t)i->bytes);     /* both this machine and PTX are little-endian */
    const int unused = 64 - 8 * i->bytes;
    if (i->is_signed) x = (uint64_t)((int64_t)(x << unused) >> unused);
    return to.bytes == 2 ? x & 0xffff : x;
}
static void loaded(const warp *w, const instruction *i, int lane, const unsigned char *p)
{
    if (i->bytes == 4 && i->o[0].bytes == 4) {               /* nearly always */
        for (int k = 0; k < i->count; k++) memcpy(SLOT(uint32_t, w, i->o[k]) + lane, p + 4 * k, 4);
        return;
    }
    for (int k = 0; k < i->count; k++) set(w, i->o[k], lane, number_at(i, p + k * i->bytes, i->o[k]));
}
static void load_global(warp *w, const instruction *i, uint32_t lanes)
{
    EACH_LANE(l, lanes) loaded(w, i, l, global_load(w, l, address(w, i, i->count, 0, l), (size_t)(i->bytes * i->count)));
}
static void load_shared(warp *w, const instruction *i, uint32_t lanes)
{
    const slot a = i->o[i->count];
    if (i->bytes == 4 && i->count == 1 && i->o[0].bytes == 4 && a.bytes == 4)
        shared_words(w, lanes, SLOT(const uint32_t, w, a), i->offset[0], SLOT(uint32_t, w, i->o[0]));
    else EACH_LANE(l, lanes)
        loaded(w, i, l, shared_access(w, l, address(w, i, i->count, 0, l), (size_t)(i->bytes * i->count), false));
}
static void load_param(warp *w, const instruction *i, uint32_t lanes)
{
    EACH_LANE(l, lanes) {
        const uint64_t at = address(w, i, i->count, 0, l), n = (uint64_t)(i->bytes * i->count);
        if (at > ptx_running->param_bytes || at + n > ptx_running->param_bytes || at % n)
            ptx_fault(w, l, "%d bytes at %ld of the parameters", (int)n, (long)at);
        loaded(w, i, l, ptx_params + at);
    }
}
static size_t gathered(const warp *w, const instruction *i, int lane, unsigned char to[16])
{
    for (int k = 0; k < i->count; k++) {
        const uint64_t x = value(w, i->o[k + 1], lane);
        memcpy(to + k * i->bytes, &x, (size_t)i->bytes);
    }
    return (size_t)(i->bytes * i->count);
}
static void store_global(warp *w, const instruction *i, uint32_t lanes)
{
    unsigned char x[16];
    EACH_LANE(l, lanes) {
        const size_t n = gathered(w, i, l, x);
        global_store(w, l, address(w, i, 0, 0, l), x, n, false);
    }
}
static void store_shared(warp *w, const instruction *i, uint32_t lanes)
{
    unsigned char x[16];
    EACH_LANE(l, lanes) {
        const size_t n = gathered(w, i, l, x);
        memcpy(shared_access(w, l, address(w, i, 0, 0, l), n, true), x, n);
    }
}
static void atomic_add_u32(warp *w, const instruction *i, uint32_t lanes)     /* d, [a], b */
{
    EACH_LANE(l, lanes) {
        const uint64_t at = address(w, i, 1, 0, l);
        uint32_t old;
        memcpy(&old, global_atomic(w, l, at, 4), 4);
        const uint32_t sum = old + (uint32_t)value(w, i->o[2], l);
        global_store(w, l, at, &sum, 4, true);
        set(w, i->o[0], l, old);
    }
}

/* ---- moves --------------------------------------------------------------------------------------------------- */

static void move(warp *w, const instruction *i, uint32_t lanes)
{
    EACH_LANE(l, lanes) set(w, i->o[0], l, value(w, i->o[1], l) & (i->bytes == 2 ? 0xffff : UINT64_MAX));
}
static void move_pred(warp *w, const instruction *i, uint32_t lanes)          /* mov.pred %p, -1 */
{
    EACH_LANE(l, lanes) set(w, i->o[0], l, value(w, i->o[1], l) != 0);
}
static void move_packed(warp *w, const instruction *i, uint32_t lanes)        /* d, {low, high} */
{
    EACH_LANE(l, lanes)
        set(w, i->o[0], l, value(w, i->o[1], l) | value(w, i->o[2], l) << 4 * i->bytes);
}
static void move_unpacked(warp *w, const instruction *i, uint32_t lanes)      /* {low, high}, a */
{
    EACH_LANE(l, lanes) {
        const uint64_t x = value(w, i->o[2], l);
        set(w, i->o[0], l, x & (UINT64_MAX >> (64 - 4 * i->bytes)));
        set(w, i->o[1], l, x >> 4 * i->bytes);
    }
}
static void select_one(warp *w, const instruction *i, uint32_t lanes)             /* d, a, b, p: p ? a : b */
{
    EACH_LANE(l, lanes) set(w, i->o[0], l, value(w, i->o[value(w, i->o[3], l) ? 1 : 2], l));
}

/* ---- asynchronous copies ------------------------------------------------------------------------------------- */

static void copy_async(warp *w, const instruction *i, uint32_t lanes)         /* [to], [from], bytes, valid */
{
    EACH_LANE(l, lanes) {
        const uint64_t bytes = value(w, i->o[2], l), valid = i->n == 4 ? value(w, i->o[3], l) : bytes;
        copy_begin(w, l, address(w, i, 0, 0, l), address(w, i, 1, 1, l), bytes, valid);
    }
}
static void copy_commit(warp *w, const instruction *i, uint32_t lanes)
{
    (void)i;
    EACH_LANE(l, lanes) copy_group(w, l);
}
static void copy_wait(warp *w, const instruction *i, uint32_t lanes)
{
    EACH_LANE(l, lanes) copy_finish(w, l, i->n ? (int)value(w, i->o[0], l) : -1);
}

/* ---- the whole warp ------------------------------------------------------------------------------------------ */

/* shfl.sync d[|p], a, b, c, mask: c has the last lane of a segment and the mask of its number. */
static void shuffle(warp *w, const instruction *i, uint32_t lanes)
{
    const int s = i->written;
    uint64_t x[LANES];
    EACH_LANE(l, lanes) x[l] = value(w, i->o[s], l);
    EACH_LANE(l, lanes) {
        const int b = (int)value(w, i->o[s + 1], l) & 31, c = (int)value(w, i->o[s + 2], l);
        const int segment = c >> 8 & 31, most = (l & segment) | (c & 31 & ~segment), least = l & segment;
        int j = 0;
        bool in = false;
        switch (i->count) {
        case 'b': j = l ^ b; in = j <= most; break;
        case 'd': j = l + b; in = j <= most; break;
        case 'u': j = l - b; in = j >= most; break;          /* c is 0: most is the first lane here */
        default:  j = least | (b & ~segment); in = j <= most; break;
        }
        if (!in) j = l;
        if (!(lanes >> j & 1)) ptx_fault(w, l, "a shuffle from lane %d, which does not take part", j);
        set(w, i->o[0], l, x[j]);
        if (s == 2) set(w, i->o[1], l, in);
    }
}
/* vote.sync d, [!]p, mask */
static void vote(warp *w, const instruction *i, uint32_t lanes)
{
    uint32_t yes = 0;
    EACH_LANE(l, lanes) yes |= (uint32_t)(value(w, i->o[1], l) != 0) << l;
    EACH_LANE(l, lanes)
        set(w, i->o[0], l, i->count == 'b' ? yes : i->count == 'a' ? yes == lanes : yes != 0);
}
static void warp_barrier(warp *w, const instruction *i, uint32_t lanes)
{
    (void)i;
    (void)lanes;
    w->step++;
    w->stamp = ++ptx_stamps;
}

/* ldmatrix.m8n8.xN: lane l has the address of row l % 8 of matrix l / 8; register j of lane 4 g + t then has the numbers
 * (g, 2t) and (g, 2t + 1) of matrix j, transposed: (2t, g) and (2t + 1, g). */
static void load_matrices(warp *w, const instruction *i, uint32_t lanes)
{
    uint16_t row[LANES][8];
    (void)lanes;
    for (int l = 0; l < 8 * i->written; l++)
        memcpy(row[l], shared_access(w, l, address(w, i, i->written, 0, l), 16, false), 16);
    for (int l = 0; l < LANES; l++)
        for (int j = 0; j < i->written; j++) {
            const int g = l / 4, t = l % 4;
            const uint32_t low = i->count == 't' ? row[8 * j + 2 * t][g] : row[8 * j + g][2 * t];
            const uint32_t high = i->count == 't' ? row[8 * j + 2 * t + 1][g] : row[8 * j + g][2 * t + 1];
            set(w, i->o[j], l, low | high << 16);
        }
}

static float bf16_half(uint32_t both, int high)
{
    const uint32_t u = high ? both & 0xffff0000u : both << 16;
    float x;
    memcpy(&x, &u, 4);
    return x;
}
/* mma.m16n8k16.row.col.f32.bf16.bf16.f32 D, A, B, C with the fragments of the ISA: lane 4 g + t has of A in register r
 * row g + 8 (r % 2), columns 2t + 8 (r / 2) and the next; of B in register r rows 2t + 8 r and the next of column g; of C
 * and D as number k row g + 8 (k / 2), column 2t + k % 2.  Products of bf16 are exact; their sum is taken in double and
 * rounded once: the order and the rounding of a GPU are not documented. */
static void multiply(warp *w, const instruction *i, uint32_t lanes)
{
    float A[16][16], B[8][16];
    (void)lanes;
    for (int l = 0; l < LANES; l++) {
        const int g = l / 4, t = l % 4;
        for (int half = 0; half < 2; half++) {
            for (int r = 0; r < 4; r++)
                A[g + 8 * (r % 2)][2 * t + 8 * (r / 2) + half] = bf16_half(SLOT(const uint32_t, w, i->o[4 + r])[l], half);
            for (int r = 0; r < 2; r++) B[g][2 * t + 8 * r + half] = bf16_half(SLOT(const uint32_t, w, i->o[8 + r])[l], half);
        }
    }
    float made[4][LANES];                /* D may be C */
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < 4; k++) {
            const float *a = A[l / 4 + 8 * (k / 2)], *b = B[2 * (l % 4) + k % 2];
            double sum = (double)SLOT(const float, w, i->o[10 + k])[l];
            for (int j = 0; j < 16; j++) sum += (double)a[j] * (double)b[j];
            made[k][l] = (float)sum;
        }
    for (int k = 0; k < 4; k++) memcpy(SLOT(float, w, i->o[k]), made[k], sizeof made[k]);
}

/* ---- names --------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    operation *run;
    instruction_kind kind;
    int written, least, most;            /* operands: written, and how many there may be                         */
    int bytes, count;
} table[] = {
    { "mov.u16", move, PURE, 1, 2, 2, 2, 1 },   { "mov.b16", move, PURE, 1, 2, 2, 2, 1 },
    { "mov.u32", move, PURE, 1, 2, 2, 4, 1 },   { "mov.f32", move, PURE, 1, 2, 2, 4, 1 },
    { "mov.u64", move, PURE, 1, 2, 2, 8, 1 },   { "mov.f64", move, PURE, 1, 2, 2, 8, 1 },
    { "mov.pred", move_pred, PURE, 1, 2, 2, 4, 1 },
    { "mov.b32", move, PURE, 1, 2, 3, 4, 1 },   { "mov.b64", move, PURE, 1, 2, 3, 8, 1 },  /* 3: packed */
    { "cvta.to.global.u64", move, PURE, 1, 2, 2, 8, 1 },
    { "selp.u32", select_one, PURE, 1, 4, 4, 4, SELECTS }, { "selp.b32", select_one, PURE, 1, 4, 4, 4, SELECTS },
    { "selp.f32", select_one, PURE, 1, 4, 4, 4, SELECTS }, { "selp.b64", select_one, PURE, 1, 4, 4, 8, SELECTS },
    { "selp.f64", select_one, PURE, 1, 4, 4, 8, SELECTS }, { "selp.u16", select_one, PURE, 1, 4, 4, 2, SELECTS },
    { "atom.global.add.u32", atomic_add_u32, PLAIN, 1, 3, 3, 4, 1 },
    { "cp.async.cg.shared.global", copy_async, PLAIN, 0, 3, 4, 16, 1 },
    { "cp.async.ca.shared.global", copy_async, PLAIN, 0, 3, 4, 16, 1 },
    { "cp.async.commit_group", copy_commit, PLAIN, 0, 0, 0, 4, 1 },
    { "cp.async.wait_group", copy_wait, PLAIN, 0, 1, 1, 4, 1 },
    { "cp.async.wait_all", copy_wait, PLAIN, 0, 0, 0, 4, 1 },
    { "shfl.sync.bfly.b32", shuffle, TOGETHER, 1, 5, 6, 4, 'b' }, { "shfl.sync.down.b32", shuffle, TOGETHER, 1, 5, 6, 4, 'd' },
    { "shfl.sync.up.b32", shuffle, TOGETHER, 1, 5, 6, 4, 'u' },   { "shfl.sync.idx.b32", shuffle, TOGETHER, 1, 5, 6, 4, 'i' },
    { "vote.sync.ballot.b32", vote, TOGETHER, 1, 3, 3, 4, 'b' },  { "vote.sync.all.pred", vote, TOGETHER, 1, 3, 3, 4, 'a' },
    { "vote.sync.any.pred", vote, TOGETHER, 1, 3, 3, 4, 'y' },
    { "bar.warp.sync", warp_barrier, TOGETHER, 0, 1, 1, 4, 1 },
    { "ldmatrix.sync.aligned.m8n8.x1.shared.b16", load_matrices, TOGETHER, 1, 2, 2, 4, 1 },
    { "ldmatrix.sync.aligned.m8n8.x2.shared.b16", load_matrices, TOGETHER, 2, 3, 3, 4, 1 },
    { "ldmatrix.sync.aligned.m8n8.x4.shared.b16", load_matrices, TOGETHER, 4, 5, 5, 4, 1 },
    { "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", load_matrices, TOGETHER, 2, 3, 3, 4, 't' },
    { "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", load_matrices, TOGETHER, 4, 5, 5, 4, 't' },
    { "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", multiply, TOGETHER, 4, 14, 14, 4, 1 },
    { "bar.sync", NULL, BLOCK_BARRIER, 0, 1, 1, 4, 1 }, { "ret", NULL, RETURNS, 0, 0, 0, 4, 1 },
    { "exit", NULL, RETURNS, 0, 0, 0, 4, 1 },
};

/* ld.global[.v2|.v4].u32 and st, shared, param */
static bool decode_access(instruction *i, int n, int *constants)
{
    static const struct { const char *begin; operation *run; } access[] = {
        { "ld.global.", load_global }, { "ld.shared.", load_shared }, { "ld.param.", load_param },
        { "st.global.", store_global }, { "st.shared.", store_shared } };
    for (size_t k = 0; k < sizeof access / sizeof access[0]; k++) {
        const size_t length = strlen(access[k].begin);
        if (strncmp(i->name, access[k].begin, length) != 0) continue;
        const char *rest = i->name + length;
        i->count = *rest == 'v' ? rest[1] - '0' : 1;
        if (*rest == 'v') rest += 3;
        i->is_signed = *rest == 's';
        i->bytes = atoi(rest + 1) / 8;
        i->run = access[k].run;
        i->kind = PLAIN;
        i->written = *i->name == 'l' ? i->count : 0;
        *constants = i->bytes == 8 ? 8 : 4;
        return strchr("busf", *rest) && i->bytes && (i->count == 1 || i->count == 2 || i->count == 4) && n == i->count + 1;
    }
    return false;
}

bool warp_decode(instruction *i, int n, bool braces, int *constants)
{
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        if (strcmp(table[k].name, i->name) != 0) continue;
        i->run = table[k].run;
        i->kind = table[k].kind;
        i->bytes = table[k].bytes;
        i->count = table[k].count;
        i->written = table[k].written;
        *constants = i->bytes == 8 ? 8 : 4;
        if (i->run == shuffle) i->written = n - 4;
        if (i->run == move && n == 3) i->run = braces ? move_unpacked : move_packed;
        if (i->run == move_unpacked) i->written = 2;
        return n >= table[k].least && n <= table[k].most;
    }
    return decode_access(i, n, constants);
}
