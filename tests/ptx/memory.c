/* SPDX-License-Identifier: GPL-3.0-or-later
 * memory.c - global buffers and shared memory, each with a shadow.
 *
 * A mark stands for 2 bytes of a buffer: the block, counted over all launches, that stored to it last; 0: nothing is
 * there yet.  A word stands for 4 bytes of shared memory.  Time in a block is counted in barriers (epochs), time in a
 * warp in bar.warp.sync (steps): two accesses of one word, at least one of them a write, by two threads, are ordered if
 * the epoch has changed between them, or if the threads are of one warp and its step has changed; else they are a race.
 * An asynchronous copy lands as late as it may: when its thread waits for it.                                     */
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "tests/ptx/memory.h"
#include "tests/ptx/ptx.h"

enum { THREADS = 1024, HOST_MARK = 1 };
#define ATOMIC UINT32_C(0x80000000)

typedef struct { unsigned char *p; size_t bytes; bool writable; uint32_t *mark; } buffer;
typedef struct {
    int      writer, write_epoch, write_step;                /* writer: thread + 1; 0: never written            */
    int      read_epoch;                                     /* the readers since: */
    uint32_t read_warps;                                     /* which warps, in read_epoch                      */
    int      reader, read_warp, read_step;                   /* the last lane, -1: several in its step          */
    int      copier;                                         /* thread + 1 whose copy to it is under way        */
    uint32_t settled;                                        /* several lanes of this warp and step have read it since
                                                              * it was written: one more changes nothing        */
} word;
typedef struct { uint64_t to; const unsigned char *from; size_t bytes, valid; int group; } copy;
typedef struct { copy *list; int n, room, groups; } copies;

static buffer  *buffers;
static int      nbuffers, room_for_buffers, last_buffer;
static uint32_t block_mark = HOST_MARK, launch_first;
static unsigned char *shared;
static word    *shadow;
static size_t   shared_room, dynamic_bytes;
static const kernel *the_kernel;
static uint64_t recent_begin, recent_end;                    /* the array of the last access                    */
static int      epoch;
static copies   copies_of[THREADS];

/* ---- global memory ------------------------------------------------------------------------------------------- */

static void add(const void *p, size_t bytes, bool writable, uint32_t mark)
{
    if (nbuffers == room_for_buffers) buffers = must_realloc(buffers, (size_t)(room_for_buffers += 64), sizeof *buffers);
    uint32_t *marks = must_calloc(bytes / 2 + 1, sizeof *marks);
    if (mark) for (size_t k = 0; k <= bytes / 2; k++) marks[k] = mark;
    buffers[nbuffers++] = (buffer){ (unsigned char *)(uintptr_t)p, bytes, writable, marks };
}
void memory_buffer (const void *p, size_t bytes, bool writable) { add(p, bytes, writable, HOST_MARK); }
void memory_scratch(void *p, size_t bytes)                      { add(p, bytes, true, 0); }

void memory_written(const void *p, size_t bytes)
{
    for (int b = 0; b < nbuffers; b++) {
        const uintptr_t first = (uintptr_t)p - (uintptr_t)buffers[b].p;
        if (first >= buffers[b].bytes) continue;
        for (size_t k = first / 2; k < (first + bytes + 1) / 2 && k <= buffers[b].bytes / 2; k++) buffers[b].mark[k] = HOST_MARK;
    }
}

void memory_remove(const void *p)        /* NULL: all */
{
    for (int k = nbuffers; k-- > 0; ) {
        if (p && buffers[k].p != p) continue;
        free(buffers[k].mark);
        buffers[k] = buffers[--nbuffers];
    }
    last_buffer = 0;
}

static bool holds(const buffer *b, uint64_t at, size_t bytes)
{
    return at >= (uintptr_t)b->p && at + bytes <= (uintptr_t)b->p + b->bytes;
}
static const buffer *buffer_of(const warp *w, int lane, uint64_t at, size_t bytes, const char *what)
{
    if (at & (bytes - 1)) ptx_fault(w, lane, "%s of %zu bytes is not aligned", what, bytes);
    if (last_buffer < nbuffers && holds(buffers + last_buffer, at, bytes)) return buffers + last_buffer;
    for (int k = 0; k < nbuffers; k++)
        if (holds(buffers + k, at, bytes)) return buffers + (last_buffer = k);
    ptx_fault(w, lane, "%s of %zu bytes outside all buffers", what, bytes);
}

const void *global_load(const warp *w, int lane, uint64_t at, size_t bytes)
{
    const buffer *b = buffer_of(w, lane, at, bytes, "load");
    const size_t first = at - (uintptr_t)b->p;
    for (size_t k = first / 2; k < (first + bytes + 1) / 2; k++) {
        const uint32_t by = b->mark[k] & ~ATOMIC;
        if (!by) ptx_fault(w, lane, "global memory is read before it is written");
        if (by >= launch_first && b->mark[k] != block_mark) ptx_fault(w, lane, "load of what another block writes");
    }
    return b->p + first;
}

void global_store(const warp *w, int lane, uint64_t at, const void *from, size_t bytes, bool atomic)
{
    const buffer *b = buffer_of(w, lane, at, bytes, "store");
    const size_t first = at - (uintptr_t)b->p;
    if (!b->writable) ptx_fault(w, lane, "store to what is only read");
    for (size_t k = first / 2; k < (first + bytes + 1) / 2; k++) {
        const uint32_t by = b->mark[k] & ~ATOMIC;
        if (by >= launch_first && by != block_mark && !(atomic && b->mark[k] & ATOMIC))
            ptx_fault(w, lane, "two blocks store to one place");
        b->mark[k] = block_mark | (atomic ? ATOMIC : 0);
    }
    memcpy(b->p + first, from, bytes);
}

/* The old value; every operation on it must be atomic while the launch runs. */
const void *global_atomic(const warp *w, int lane, uint64_t at, size_t bytes)
{
    const buffer *b = buffer_of(w, lane, at, bytes, "atomic operation");
    const size_t first = at - (uintptr_t)b->p;
    for (size_t k = first / 2; k < (first + bytes + 1) / 2; k++)
        if (!b->mark[k]) ptx_fault(w, lane, "global memory is read before it is written");
    return b->p + first;
}

/* ---- shared memory ------------------------------------------------------------------------------------------- */

/* Where `at` is, from the start; it must be inside one array. */
static size_t place_of(const warp *w, int lane, uint64_t at, size_t bytes, const char *what)
{
    if (at & (bytes - 1)) ptx_fault(w, lane, "%s of %zu bytes is not aligned", what, bytes);
    if (at >= recent_begin && at + bytes <= recent_end) return at - SHARED_BASE;
    for (int k = 0; k < the_kernel->narrays; k++) {
        const symbol *a = the_kernel->arrays + k;
        recent_begin = a->at;
        recent_end = a->at + (k == the_kernel->dynamic ? dynamic_bytes : a->bytes);
        if (at >= recent_begin && at + bytes <= recent_end) return at - SHARED_BASE;
    }
    ptx_fault(w, lane, "%s of %zu bytes outside shared memory", what, bytes);
}

static bool ordered(const warp *w, int thread, int other, int other_epoch, int other_step)
{
    return other_epoch != epoch || other == thread || (other / LANES == thread / LANES && other_step != w->step);
}

static void note_read(const warp *w, int lane, word *x)
{
    const int thread = w->first + lane, of = thread / LANES;
    if (x->copier) ptx_fault(w, lane, "shared memory is read while a copy to it is under way");
    if (!x->writer) ptx_fault(w, lane, "shared memory is read before it is written");
    if (!ordered(w, thread, x->writer - 1, x->write_epoch, x->write_step))
        ptx_fault(w, lane, "race: shared memory is read after a write");
    if (x->read_epoch != epoch) x->read_warps = 0;
    const bool again = x->read_epoch == epoch && x->read_warp == of && x->read_step == w->step;
    x->reader = again && x->reader != lane ? -1 : lane;
    x->read_epoch = epoch;
    x->read_warp = of;
    x->read_step = w->step;
    x->read_warps |= UINT32_C(1) << of;
    if (x->reader == -1) x->settled = w->stamp;
}

static void note_write(const warp *w, int lane, word *x)
{
    const int thread = w->first + lane, of = thread / LANES;
    if (x->copier && x->copier != thread + 1) ptx_fault(w, lane, "shared memory is written while a copy to it is under way");
    if (x->writer && !ordered(w, thread, x->writer - 1, x->write_epoch, x->write_step))
        ptx_fault(w, lane, "race: shared memory is written twice");
    if (x->read_epoch == epoch) {
        const bool other = x->read_warps & ~(UINT32_C(1) << of);
        const bool same_step = x->read_warp == of && x->read_step == w->step;
        if (other || (same_step && x->reader != lane)) ptx_fault(w, lane, "race: shared memory is written after a read");
    }
    x->settled = 0;
    x->writer = thread + 1;
    x->write_epoch = epoch;
    x->write_step = w->step;
}

void *shared_access(const warp *w, int lane, uint64_t at, size_t bytes, bool write)
{
    const size_t place = place_of(w, lane, at, bytes, write ? "shared store" : "shared load");
    for (size_t k = place / 4; k < (place + bytes + 3) / 4; k++) {
        if (write) {
            if (shadow[k].copier) ptx_fault(w, lane, "shared memory is written while a copy to it is under way");
            note_write(w, lane, shadow + k);
        } else if (shadow[k].settled != w->stamp) note_read(w, lane, shadow + k);
    }
    return shared + place;
}

/* to[l] = the word at at[l] + offset: nearly all reads of shared memory */
void shared_words(const warp *w, uint32_t lanes, const uint32_t *at, long offset, uint32_t *to)
{
    for (int l = 0; l < LANES; l++) {
        if (!(lanes >> l & 1)) continue;
        const uint64_t a = at[l] + (uint64_t)offset;
        const bool near = a >= recent_begin && a + 4 <= recent_end && (a & 3) == 0;
        const size_t place = a - SHARED_BASE;
        if (!near) memcpy(to + l, shared_access(w, l, a, 4, false), 4);
        else {
            if (shadow[place / 4].settled != w->stamp) note_read(w, l, shadow + place / 4);
            memcpy(to + l, shared + place, 4);
        }
    }
}

/* ---- asynchronous copies ------------------------------------------------------------------------------------- */

void copy_begin(const warp *w, int lane, uint64_t to, uint64_t from, size_t bytes, size_t valid)
{
    copies *c = copies_of + w->first + lane;
    const size_t place = place_of(w, lane, to, bytes, "asynchronous copy");
    if (valid > bytes) ptx_fault(w, lane, "a copy of %zu bytes takes %zu", bytes, valid);
    if (from & (bytes - 1)) ptx_fault(w, lane, "an asynchronous copy from what is not aligned");
    const unsigned char *source = valid ? global_load(w, lane, from, valid) : NULL;
    for (size_t k = place / 4; k < (place + bytes) / 4; k++) {
        note_write(w, lane, shadow + k);
        shadow[k].copier = w->first + lane + 1;
    }
    memset(shared + place, 0xff, bytes); /* NaN until it lands */
    if (c->n == c->room) c->list = must_realloc(c->list, (size_t)(c->room += 32), sizeof *c->list);
    c->list[c->n++] = (copy){ place, source, bytes, valid, c->groups };
}

void copy_group(const warp *w, int lane) { copies_of[w->first + lane].groups++; }

/* All but the last `groups` groups have landed; -1: also what is in no group yet. */
void copy_finish(const warp *w, int lane, int groups)
{
    copies *c = copies_of + w->first + lane;
    int left = 0;
    for (int k = 0; k < c->n; k++) {
        const copy x = c->list[k];
        if (x.group >= c->groups - groups) {
            c->list[left++] = x;
            continue;
        }
        memset(shared + x.to, 0, x.bytes);
        if (x.valid) memcpy(shared + x.to, x.from, x.valid);
        for (size_t j = x.to / 4; j < (x.to + x.bytes) / 4; j++) {
            shadow[j].copier = 0;
            note_write(w, lane, shadow + j);
        }
    }
    c->n = left;
}

/* ---- time ---------------------------------------------------------------------------------------------------- */

void memory_begin_launch(void) { launch_first = block_mark + 1; }
void memory_epoch(void)        { epoch++; }

void memory_begin_block(const kernel *k, size_t dynamic, int threads)
{
    size_t bytes = 0;
    for (int j = 0; j < k->narrays; j++) {
        const size_t end = k->arrays[j].at - SHARED_BASE + (j == k->dynamic ? dynamic : k->arrays[j].bytes);
        if (end > bytes) bytes = end;
    }
    the_kernel = k;
    dynamic_bytes = dynamic;
    recent_begin = recent_end = 0;
    block_mark++;
    epoch++;
    if (bytes > shared_room) {
        free(shared);
        free(shadow);
        shared = must_calloc(bytes, 1);
        shadow = must_calloc(bytes / 4 + 1, sizeof *shadow);
        shared_room = bytes;
    }
    if (bytes) {
        memset(shared, 0xff, bytes);
        memset(shadow, 0, (bytes / 4 + 1) * sizeof *shadow);
    }
    for (int t = 0; t < threads; t++) copies_of[t].n = copies_of[t].groups = 0;
}

void memory_end_thread(const warp *w, int lane)
{
    if (copies_of[w->first + lane].n) ptx_fault(w, lane, "a thread ends while its copies are under way");
}
