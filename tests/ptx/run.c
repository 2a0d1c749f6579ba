/* SPDX-License-Identifier: GPL-3.0-or-later
 * run.c - branches, barriers, blocks and launches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "tests/ptx/launch.h"
#include "tests/ptx/memory.h"
#include "tests/ptx/ptx.h"

enum { WARPS = 32 };

const kernel *ptx_running;
unsigned char *ptx_params;
uint32_t ptx_stamps;

static warp     warps[WARPS];
static size_t   registers_room, defined_room;
static ptx_dim grid, block_of, place;
static int      nthreads, line_now;
static unsigned order_of;
static uint64_t random_state;
static long     faults, launches;
static char     first_fault[512];
static bool     strict;
static jmp_buf  after_launch;

_Noreturn void ptx_fault(const warp *w, int lane, const char *what, ...)
{
    char text[256], who[64] = "";
    va_list list;
    va_start(list, what);
    vsnprintf(text, sizeof text, what, list);
    va_end(list);
    if (w) snprintf(who, sizeof who, ", thread %d", w->first + (lane < 0 ? 0 : lane));
    if (faults++ == 0)
        snprintf(first_fault, sizeof first_fault, "%s: line %d of the PTX, %s%s, block %u %u", text, line_now,
                 ptx_running->name, who, place.x, place.y);
    REQUIRE(!strict, "%s", first_fault);
    longjmp(after_launch, 1);
}

static uint64_t draw(void)               /* xorshift64 */
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* ---- a warp -------------------------------------------------------------------------------------------------- */

static uint32_t lanes_at(const warp *w, uint32_t among, int pc)
{
    uint32_t at = 0;
    for (int l = 0; l < LANES; l++) at |= (uint32_t)(w->pc[l] == pc) << l;
    return at & among;
}
static void go_on(warp *w, uint32_t lanes, int pc)
{
    for (int l = 0; l < LANES; l++) if (lanes >> l & 1) w->pc[l] = pc;
}
static int first_lane(uint32_t lanes) { return lanes ? __builtin_ctz(lanes) : -1; }

static uint32_t guarded(const warp *w, const instruction *i, uint32_t lanes)
{
    const uint32_t *p = SLOT(const uint32_t, w, i->guard);
    uint32_t yes = 0;
    if (lanes & ~w->defined[i->guard.id]) ptx_fault(w, first_lane(lanes), "%s by a predicate that was never written", i->name);
    for (int l = 0; l < LANES; l++) yes |= (uint32_t)(p[l] != 0) << l;
    return lanes & (i->negated ? ~yes : yes);
}

/* What is read must have been written; what was not makes the result of a pure function unknown, too. */
static void note_registers(const warp *w, const instruction *i, uint32_t lanes)
{
    uint32_t known = ALL_LANES;
    for (int k = i->written; k < i->n; k++) known &= w->defined[i->o[k].id];
    if (i->kind == PURE && i->count == SELECTS) {            /* the one that is taken */
        const uint32_t *p = SLOT(const uint32_t, w, i->o[3]);
        known = 0;
        for (int l = 0; l < LANES; l++) known |= w->defined[i->o[p[l] ? 1 : 2].id] & UINT32_C(1) << l;
        known &= w->defined[i->o[3].id];
    }
    if (i->kind != PURE && lanes & ~known)
        ptx_fault(w, first_lane(lanes & ~known), "%s reads a register that was never written", i->name);
    for (int k = 0; k < i->written; k++) {
        uint32_t *d = w->defined + i->o[k].id;
        *d = (*d & ~lanes) | (known & lanes);
    }
}

/* The lanes that execute an instruction of the whole warp: `lanes` and those that wait there, when all have come; else 0. */
static uint32_t met(warp *w, const instruction *i, uint32_t lanes, int pc)
{
    const bool all = i->run == NULL || i->name[0] == 'l' || i->name[0] == 'm';      /* ldmatrix, mma: .aligned */
    uint32_t wanted = ALL_LANES;
    if (!all) wanted = SLOT(const uint32_t, w, i->o[i->n - 1])[first_lane(lanes)];
    const uint32_t here = lanes | lanes_at(w, w->waiting, pc);
    if (lanes & ~wanted) ptx_fault(w, first_lane(lanes & ~wanted), "%s of other lanes than this one", i->name);
    if (wanted & ~w->alive) ptx_fault(w, first_lane(lanes), "%s with lanes that have returned", i->name);
    if (wanted & ~here) {
        w->waiting |= lanes;
        return 0;
    }
    w->waiting &= ~wanted;
    return wanted;
}

/* One run of the lanes that are furthest behind, to where they part, meet others or have to wait; false: none can go. */
static bool run_warp(warp *w)
{
    const uint32_t ready = w->alive & ~w->waiting & ~w->in_barrier;
    if (!ready) return false;
    int pc = INT32_MAX, next = INT32_MAX;
    for (int l = 0; l < LANES; l++) if (ready >> l & 1 && w->pc[l] < pc) pc = w->pc[l];
    uint32_t lanes = lanes_at(w, ready, pc);
    for (int l = 0; l < LANES; l++) if ((ready & ~lanes) >> l & 1 && w->pc[l] < next) next = w->pc[l];
    for (;; pc++) {
        if (pc == next || pc == ptx_running->instructions) break;
        instruction *i = ptx_running->code + pc;
        uint32_t active = lanes;
        line_now = i->line;
        i->reached++;
        if (i->guarded) active = guarded(w, i, lanes);
        if (i->kind == JUMPS) {
            go_on(w, active, i->target);
            if (active == lanes) return true;
            if (active) {
                go_on(w, lanes & ~active, pc + 1);
                return true;
            }
            continue;
        }
        if (i->kind == RETURNS) {
            for (int l = 0; l < LANES; l++) if (active >> l & 1) memory_end_thread(w, l);
            w->alive &= ~active;
            go_on(w, lanes & ~active, pc + 1);
            return true;
        }
        if (i->kind == BLOCK_BARRIER) {
            w->in_barrier |= active;
            go_on(w, lanes, pc + 1);
            return true;
        }
        if (!active) continue;
        if (i->kind == TOGETHER) {
            if (i->guarded) ptx_fault(w, first_lane(active), "%s under a predicate", i->name);
            go_on(w, lanes, pc);
            active = met(w, i, lanes, pc);
            if (!active) return true;
            note_registers(w, i, active);
            i->run(w, i, active);
            if (active != lanes) {
                go_on(w, active, pc + 1);
                return true;
            }
            continue;
        }
        note_registers(w, i, active);
        i->run(w, i, active);
    }
    go_on(w, lanes, pc);
    if (pc == ptx_running->instructions) ptx_fault(w, first_lane(lanes), "runs past the kernel's end");
    return true;
}

/* ---- a block ------------------------------------------------------------------------------------------------- */

static void release_block(int n)
{
    for (int k = 0; k < n; k++) {
        const warp *w = warps + k;
        const uint32_t here = w->in_barrier;
        if (w->alive && here != w->alive) ptx_fault(w, first_lane(w->alive & ~here), "lanes of a warp that never meet");
        if (here != (k == n - 1 && nthreads % LANES ? ALL_LANES >> (LANES - nthreads % LANES) : ALL_LANES))
            ptx_fault(w, first_lane(~here), "a barrier that this thread does not reach");
        if (lanes_at(w, here, w->pc[first_lane(here)]) != here) ptx_fault(w, first_lane(here), "lanes of a warp in different barriers");
    }
    for (int k = 0; k < n; k++) {
        warps[k].in_barrier = 0;
        warps[k].stamp = ++ptx_stamps;
    }
    memory_epoch();
}

/* Warps to the next barrier, in turn or interleaved. */
static void run_block(int n)
{
    for (;;) {
        bool moved = false;
        for (int k = 0; k < n; k++) {
            warp *w = warps + (order_of == 0 ? k : order_of == 1 ? n - 1 - k : (int)(draw() % (uint64_t)n));
            if (order_of < 2) while (run_warp(w)) moved = true;
            else for (int steps = (int)(draw() % 8); steps >= 0 && run_warp(w); steps--) moved = true;
        }
        for (int k = 0; k < n && !moved; k++) moved = run_warp(warps + k);
        if (moved) continue;
        bool alive = false, in_barrier = false;
        for (int k = 0; k < n; k++) {
            if (warps[k].waiting)
                ptx_fault(warps + k, first_lane(warps[k].waiting), "lanes of a warp wait for others that never come");
            alive |= warps[k].alive != 0;
            in_barrier |= warps[k].in_barrier != 0;
        }
        if (!alive) return;
        REQUIRE(in_barrier, "a block without a way on");
        release_block(n);
    }
}

static uint64_t preset_value(const kernel *k, const preset *p, int thread)
{
    const unsigned t = (unsigned)thread;
    switch (p->kind) {
    case NUMBER:   return p->value;
    case ARRAY:    return k->arrays[p->value].at;
    case TID_X:    return t % block_of.x;
    case TID_Y:    return t / block_of.x % block_of.y;
    case TID_Z:    return t / block_of.x / block_of.y;
    case NTID_X:   return block_of.x;
    case NTID_Y:   return block_of.y;
    case NTID_Z:   return block_of.z;
    case CTAID_X:  return place.x;
    case CTAID_Y:  return place.y;
    case CTAID_Z:  return place.z;
    case NCTAID_X: return grid.x;
    case NCTAID_Y: return grid.y;
    case NCTAID_Z: return grid.z;
    case LANEID:   return t % LANES;
    }
    return 0;
}

static void begin_warp(warp *w, const kernel *k, int first)
{
    const int threads = nthreads - first < LANES ? nthreads - first : LANES;
    memset(w->defined, 0, k->registers * sizeof *w->defined);
    for (int j = 0; j < k->npresets; j++) {
        const preset *p = k->presets + j;
        w->defined[p->s.id] = ALL_LANES;
        for (int l = 0; l < LANES; l++) {
            const uint64_t x = preset_value(k, p, first + l);
            if (p->s.bytes == 8) SLOT(uint64_t, w, p->s)[l] = x;
            else                 SLOT(uint32_t, w, p->s)[l] = (uint32_t)x;
        }
    }
    memset(w->pc, 0, sizeof w->pc);
    w->alive = ALL_LANES >> (LANES - threads);
    w->waiting = w->in_barrier = 0;
    w->step = 0;
    w->stamp = ++ptx_stamps;
    w->first = first;
}

/* ---- a launch ------------------------------------------------------------------------------------------------ */

static void load_kernels(void);

static void room_for(const kernel *k, int n)
{
    if (k->register_bytes > registers_room) registers_room = k->register_bytes;
    if (k->registers > defined_room) defined_room = k->registers;
    for (int j = 0; j < WARPS; j++) {
        warp *w = warps + j;
        free(w->registers);
        free(w->defined);
        w->registers = NULL;
        w->defined = NULL;
        if (j >= n) continue;
        w->registers = aligned_alloc(64, (registers_room + 63) / 64 * 64);
        REQUIRE(w->registers, "no memory");
        memset(w->registers, 0xff, registers_room);
        w->defined = must_calloc(defined_room, sizeof *w->defined);
    }
}

/* Without being asked for, a block gets 48 KiB; on sm_86 and sm_120, which have the least, at most 99 KiB. */
enum { DYNAMIC_DEFAULT = 48 << 10, DYNAMIC_MOST = 99 << 10 };

bool ptx_large_shared(const char *name, size_t bytes)
{
    load_kernels();
    kernel *k = ptx_kernel(name);
    REQUIRE(k, "the PTX has no kernel %s", name);
    k->allowed = bytes;
    return bytes <= DYNAMIC_MOST;
}

void ptx_launch(const char *name, ptx_dim blocks, ptx_dim threads, size_t shared, const void *const *argument,
                const size_t *bytes, size_t n)
{
    load_kernels();
    kernel *k = ptx_kernel(name);
    REQUIRE(k, "the PTX has no kernel %s", name);
    REQUIRE(n == (size_t)k->nparams, "%s: %zu arguments for %d parameters", name, n, k->nparams);
    nthreads = (int)(threads.x * threads.y * threads.z);
    REQUIRE(nthreads > 0 && nthreads <= WARPS * LANES, "%d threads in a block", nthreads);
    REQUIRE(shared <= DYNAMIC_DEFAULT || shared <= k->allowed, "%s: %zu bytes of shared memory, %zu are allowed", name, shared,
            k->allowed);
    REQUIRE(blocks.x > 0 && blocks.y > 0 && blocks.z > 0 && blocks.y < 65536 && blocks.z < 65536, "grid out of range");
    ptx_params = must_realloc(ptx_params, k->param_bytes + 1, 1);
    for (size_t j = 0; j < n; j++) {
        REQUIRE(bytes[j] == k->params[j].bytes, "%s: argument %zu has %zu bytes, the parameter %zu", name, j, bytes[j],
                k->params[j].bytes);
        memcpy(ptx_params + k->params[j].at, argument[j], bytes[j]);
    }
    const int count = (nthreads + LANES - 1) / LANES;
    room_for(k, count);
    ptx_running = k;
    grid = blocks;
    block_of = threads;
    k->launches++;
    launches++;
    random_state = UINT64_C(0x9e3779b97f4a7c15) * (order_of + 1);
    memory_begin_launch();
    const unsigned all = blocks.x * blocks.y * blocks.z;
    if (setjmp(after_launch)) return;    /* a fault */
    for (unsigned j = 0; j < all; j++) {
        const unsigned b = order_of == 1 ? all - 1 - j : j;
        place = (ptx_dim){ b % blocks.x, b / blocks.x % blocks.y, b / blocks.x / blocks.y };
        memory_begin_block(k, shared, nthreads);
        for (int w = 0; w < count; w++) begin_warp(warps + w, k, w * LANES);
        run_block(count);
    }
}

/* ---- the kernels, and which of their instructions were reached ------------------------------------------------ */

static void write_coverage(void)
{
    FILE *f = fopen(getenv("PTX_COVERAGE"), "a");
    kernel *k;
    const int n = ptx_kernels(&k);
    for (int j = 0; f && j < n; j++) {
        fprintf(f, "%s %ld ", k[j].name, k[j].launches);
        for (int i = 0; i < k[j].instructions; i++) putc(k[j].code[i].reached ? '1' : '0', f);
        putc('\n', f);
    }
    if (!f || fclose(f)) fprintf(stderr, "PTX_COVERAGE: cannot write\n");
}

static void load_kernels(void)
{
    static bool loaded;
    if (loaded) return;
    loaded = true;
    const char *path = getenv("PTX_FILE");
    kernel *any;
    if (ptx_kernels(&any) == 0) {
        if (!path) die("set PTX_FILE to what nvcc --ptx has made of the kernels");
        ptx_read(path);
    }
    if (getenv("PTX_COVERAGE")) atexit(write_coverage);
}

/* ---- for tests ------------------------------------------------------------------------------------------------ */

void        ptx_order(unsigned order) { order_of = order; }
void        ptx_strict(bool now)      { strict = now; }
long        ptx_faults(void)          { return faults; }
const char *ptx_first_fault(void)     { return first_fault; }
long        ptx_launches(void)        { return launches; }
void ptx_forget(void)
{
    memory_remove(NULL);
    faults = 0;
    first_fault[0] = 0;
}
