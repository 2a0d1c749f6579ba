/* SPDX-License-Identifier: GPL-3.0-or-later
 * torch_pickle.c - see torch_pickle.h.
 *
 * Everything is bounded by the length of data.pkl: each value and each member costs at least a byte of it, and whoever
 * walks over values takes only members of a dictionary that he knows, one level at a time, so that a list of itself, or
 * of lists of lists that are shared, costs nothing. */
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/data/stored_zip.h"
#include "src/data/torch_pickle.h"

enum { MOST_PICKLE = 1 << 26, MOST_VALUES = 1 << 22, MOST_DEPTH = 1 << 16 };

/* ---- names ------------------------------------------------------------------------------------------------------- */

typedef enum { KNOWN_DICT, KNOWN_TENSOR, KNOWN_TENSOR_OLD, KNOWN_TENSOR_TYPED, KNOWN_PARAMETER, KNOWN_STORAGE,
               KNOWN_UNTYPED, KNOWN_TYPE } known_kind;
typedef struct { const char *module, *name; known_kind kind; const char *type; size_t size; } known_name;

static const known_name known[] = {
    { "collections", "OrderedDict", KNOWN_DICT, NULL, 0 },
    { "torch._utils", "_rebuild_tensor_v2", KNOWN_TENSOR, NULL, 0 },
    { "torch._utils", "_rebuild_tensor_v3", KNOWN_TENSOR_TYPED, NULL, 0 },
    { "torch._utils", "_rebuild_tensor", KNOWN_TENSOR_OLD, NULL, 0 },
    { "torch._utils", "_rebuild_parameter", KNOWN_PARAMETER, NULL, 0 },
    { "torch", "FloatStorage", KNOWN_STORAGE, "F32", 4 },      { "torch", "DoubleStorage", KNOWN_STORAGE, "F64", 8 },
    { "torch", "HalfStorage", KNOWN_STORAGE, "F16", 2 },       { "torch", "BFloat16Storage", KNOWN_STORAGE, "BF16", 2 },
    { "torch", "ByteStorage", KNOWN_STORAGE, "U8", 1 },        { "torch", "CharStorage", KNOWN_STORAGE, "I8", 1 },
    { "torch", "ShortStorage", KNOWN_STORAGE, "I16", 2 },      { "torch", "IntStorage", KNOWN_STORAGE, "I32", 4 },
    { "torch", "LongStorage", KNOWN_STORAGE, "I64", 8 },       { "torch", "BoolStorage", KNOWN_STORAGE, "BOOL", 1 },
    { "torch", "ComplexFloatStorage", KNOWN_STORAGE, "C64", 8 },
    { "torch", "ComplexDoubleStorage", KNOWN_STORAGE, "C128", 16 },
    { "torch.storage", "UntypedStorage", KNOWN_UNTYPED, NULL, 1 },
    { "torch", "float8_e4m3fn", KNOWN_TYPE, "F8_E4M3", 1 },    { "torch", "float8_e5m2", KNOWN_TYPE, "F8_E5M2", 1 },
    { "torch", "float8_e4m3fnuz", KNOWN_TYPE, "F8_E4M3FNUZ", 1 },
    { "torch", "float8_e5m2fnuz", KNOWN_TYPE, "F8_E5M2FNUZ", 1 },
    { "torch", "float8_e8m0fnu", KNOWN_TYPE, "F8_E8M0", 1 },   { "torch", "uint16", KNOWN_TYPE, "U16", 2 },
    { "torch", "uint32", KNOWN_TYPE, "U32", 4 },               { "torch", "uint64", KNOWN_TYPE, "U64", 8 } };

/* Opcodes that other programs may execute. */
static const struct { unsigned char code; const char *name; } refused[] = {
    { 'i', "INST" }, { 'o', "OBJ" }, { 0x81, "NEWOBJ" }, { 0x92, "NEWOBJ_EX" }, { 'P', "PERSID" }, { 0x82, "EXT1" },
    { 0x83, "EXT2" }, { 0x84, "EXT4" }, { 0x8f, "EMPTY_SET" }, { 0x90, "ADDITEMS" }, { 0x91, "FROZENSET" },
    { 0x96, "BYTEARRAY8" }, { 0x97, "NEXT_BUFFER" }, { 0x98, "READONLY_BUFFER" }, { 'I', "INT" }, { 'L', "LONG" },
    { 'F', "FLOAT" }, { 'S', "STRING" }, { 'T', "BINSTRING" }, { 'U', "SHORT_BINSTRING" }, { 'V', "UNICODE" },
    { 'B', "BINBYTES" }, { 'C', "SHORT_BINBYTES" }, { 0x8e, "BINBYTES8" }, { 'p', "PUT" }, { 'g', "GET" },
    { 0x8b, "LONG4" }, { 'd', "DICT" }, { 'l', "LIST" } };

/* ---- the machine ------------------------------------------------------------------------------------------------- */

typedef struct {
    const char *path, *folder;           /* folder: of the entries, "archive"                                   */
    const stored_zip *zip;
    const unsigned char *at;             /* data.pkl                                                            */
    size_t n, next, begin;               /* begin: of the opcode that is executed                               */
    torch_value **stack, **memo, **all;
    size_t depth, *mark, marks, memos, memoized, alls;   /* memos: places; memoized: those that are taken       */
    size_t stack_room, mark_room, all_room;
} machine;

static _Noreturn void damaged(const machine *m, const char *why)
{
    die("%s: data.pkl, byte %zu: %s; the file is damaged or of another kind", m->path, m->begin, why);
}

/* What is not executed, and what else the user can do. */
static _Noreturn void refuse(const machine *m, const char *what)
{
    die("%s: data.pkl, byte %zu: it wants %s, which tensors do not need and which is never executed here: save "
        "model.state_dict() alone, or convert it to safetensors", m->path, m->begin, what);
}

static const unsigned char *take(machine *m, uint64_t n)
{
    if (n > m->n - m->next) damaged(m, "it ends too early");
    const unsigned char *at = m->at + m->next;
    m->next += n;
    return at;
}

static uint64_t take_number(machine *m, size_t bytes)
{
    uint64_t x = 0;
    memcpy(&x, take(m, bytes), bytes);
    return x;
}

static torch_value *new_value(machine *m, torch_kind kind)
{
    if (m->alls == MOST_VALUES) damaged(m, "it holds more values than any list of tensors");
    if (m->alls == m->all_room)
        m->all = must_realloc(m->all, m->all_room = 2 * m->all_room + 64, sizeof(torch_value *));
    torch_value *v = must_calloc(1, sizeof *v);
    v->kind = kind;
    return m->all[m->alls++] = v;
}

static void push(machine *m, torch_value *v)
{
    if (m->depth == m->stack_room)
        m->stack = must_realloc(m->stack, m->stack_room = 2 * m->stack_room + 64, sizeof(torch_value *));
    m->stack[m->depth++] = v;
}

/* Nothing below the last mark is taken off alone. */
static torch_value *pop(machine *m)
{
    if (m->depth == (m->marks ? m->mark[m->marks - 1] : 0)) damaged(m, "its stack is empty");
    return m->stack[--m->depth];
}

static void push_mark(machine *m)
{
    if (m->marks == MOST_DEPTH) damaged(m, "it is nested too deeply");
    if (m->marks == m->mark_room)
        m->mark = must_realloc(m->mark, m->mark_room = 2 * m->mark_room + 16, sizeof *m->mark);
    m->mark[m->marks++] = m->depth;
}

/* Takes off the last mark; *n: how many values stand above where it was, from the one that is returned on. */
static torch_value **pop_mark(machine *m, size_t *n)
{
    if (!m->marks) damaged(m, "a mark is missing");
    const size_t from = m->mark[--m->marks];
    *n = m->depth - from;
    m->depth = from;
    return m->stack ? m->stack + from : NULL;
}

static void join(torch_value *to, torch_value *const *from, size_t n)
{
    if (!n) return;
    size_t room = to->n ? 4 : 0;
    while (room < to->n) room *= 2;                      /* what it has                                         */
    const size_t had = room;
    for (room = room ? room : 4; room < to->n + n;) room *= 2;
    if (room > had) to->at = must_realloc(to->at, room, sizeof(torch_value *));
    memcpy(to->at + to->n, from, n * sizeof(torch_value *));
    to->n += n;
}

static void push_members(machine *m, torch_kind kind, torch_value *const *from, size_t n)
{
    torch_value *v = new_value(m, kind);
    join(v, from, n);
    push(m, v);
}

/* ---- texts and names --------------------------------------------------------------------------------------------- */

static void push_text(machine *m, uint64_t n)
{
    torch_value *v = new_value(m, TORCH_TEXT);
    v->text = (const char *)take(m, n);
    v->n = n;
    push(m, v);
}

static void push_global(machine *m, const char *module, size_t of_module, const char *name, size_t of_name)
{
    for (size_t k = 0; k < COUNT(known); k++) {
        if (!text_is(module, of_module, known[k].module) || !text_is(name, of_name, known[k].name)) continue;
        torch_value *v = new_value(m, TORCH_GLOBAL);
        v->known = &known[k];
        push(m, v);
        return;
    }
    char *whole = must_format("%.*s.%.*s", (int)(of_module < 80 ? of_module : 80), module,
                              (int)(of_name < 80 ? of_name : 80), name);
    char *shown = shown_short(whole, 120);
    free(whole);
    refuse(m, shown);
}

/* Up to the end of its line. */
static const char *take_line(machine *m, size_t *n)
{
    const char *at = (const char *)m->at + m->next;
    size_t length = 0;
    while (length < m->n - m->next && at[length] != '\n') length++;
    if (length == m->n - m->next) damaged(m, "it ends too early");
    *n = length;
    m->next += length + 1;
    return at;
}

static void take_global(machine *m)
{
    size_t of_module, of_name;
    const char *module = take_line(m, &of_module), *name = take_line(m, &of_name);
    push_global(m, module, of_module, name, of_name);
}

static void take_stack_global(machine *m)
{
    const torch_value *name = pop(m), *module = pop(m);
    if (name->kind != TORCH_TEXT || module->kind != TORCH_TEXT) damaged(m, "a name is no text");
    push_global(m, module->text, module->n, name->text, name->n);
}

/* ---- tensors ----------------------------------------------------------------------------------------------------- */

/* ("storage", TYPE, KEY, DEVICE, how many numbers) */
static void take_storage(machine *m)
{
    const torch_value *v = pop(m);
    const bool tuple = v->kind == TORCH_TUPLE && v->n == 5;
    const known_name *type = tuple && v->at[1]->kind == TORCH_GLOBAL ? v->at[1]->known : NULL;
    if (!tuple || v->at[0]->kind != TORCH_TEXT || !text_is(v->at[0]->text, v->at[0]->n, "storage") || !type
        || (type->kind != KNOWN_STORAGE && type->kind != KNOWN_UNTYPED) || v->at[2]->kind != TORCH_TEXT
        || v->at[4]->kind != TORCH_WHOLE || v->at[4]->whole < 0)
        damaged(m, "a storage is not (\"storage\", type, key, device, length)");
    const torch_value *key = v->at[2];
    const uint64_t n = (uint64_t)v->at[4]->whole;
    if (!key->n || key->n > 255 || memchr(key->text, 0, key->n)) damaged(m, "the key of a storage is no name");
    char *name = must_format("%s/data/%.*s", m->folder, (int)key->n, key->text), *shown = shown_text(name);
    const zip_entry *e = stored_zip_find(m->zip, name);
    if (!e) die("%s: data.pkl names the entry %s, which is not there; the file is damaged", m->path, shown);
    if (n > e->bytes / type->size || e->bytes != n * type->size)
        die("%s: entry %s has %zu bytes, and data.pkl says %zu numbers of %zu; the file is damaged", m->path, shown,
            e->bytes, (size_t)n, type->size);
    free(shown);
    free(name);
    torch_value *s = new_value(m, TORCH_STORAGE);
    s->known = type;
    s->tensor = must_calloc(1, sizeof *s->tensor);
    s->tensor->storage = (torch_storage){ type->type, type->size, e->at, (size_t)n };
    push(m, s);
}

static void take_sides(machine *m, const torch_value *sides, const torch_value *strides, torch_tensor *t)
{
    if (sides->kind != TORCH_TUPLE || strides->kind != TORCH_TUPLE || sides->n != strides->n)
        damaged(m, "a tensor's sides and strides are no two tuples of one length");
    if (sides->n > TORCH_RANK) damaged(m, "a tensor has more than 8 sides");
    t->rank = (int)sides->n;
    t->n = 1;
    for (int k = 0; k < t->rank; k++) {
        const torch_value *side = sides->at[k], *stride = strides->at[k];
        if (side->kind != TORCH_WHOLE || stride->kind != TORCH_WHOLE || side->whole < 0 || stride->whole < 0
            || side->whole > (int64_t)1 << 48 || stride->whole > (int64_t)1 << 48)
            damaged(m, "a tensor's side or stride is no whole number from 0 to 2^48");
        t->shape[k] = (long)side->whole;
        t->stride[k] = (long)stride->whole;
        if (__builtin_mul_overflow(t->n, (size_t)side->whole, &t->n) || t->n > (size_t)1 << 48)
            damaged(m, "a tensor's shape is larger than any file");
    }
}

/* Where the last number lies, and whether they lie one behind the other. */
static void place_tensor(machine *m, torch_tensor *t)
{
    uint64_t last = t->first, wide = 1;
    t->contiguous = true;
    for (int k = t->rank; k-- > 0;) {
        if (t->shape[k] > 1 && (uint64_t)t->stride[k] != wide) t->contiguous = false;
        wide *= (uint64_t)t->shape[k];
    }
    if (!t->n) {
        t->contiguous = true;
        t->first = 0;
        return;
    }
    for (int k = 0; k < t->rank; k++) {
        uint64_t far;
        if (__builtin_mul_overflow((uint64_t)t->shape[k] - 1, (uint64_t)t->stride[k], &far)
            || __builtin_add_overflow(last, far, &last)) damaged(m, "a tensor leads out of its storage");
    }
    if (last >= t->storage.n) damaged(m, "a tensor leads out of its storage");
}

/* Bits that torch applies to the numbers when they are read (conjugation, negation) are not in the storage. */
static void require_plain(machine *m, const torch_value *with)
{
    if (with->kind != TORCH_NONE && !(with->kind == TORCH_DICT && with->n == 0))
        refuse(m, "a tensor with properties of its own (conjugated or negated, or hooks)");
}

/* (storage, first, sides, strides[, requires_grad, hooks[, type][, properties]]) */
static torch_value *tensor_of(machine *m, const known_name *by, const torch_value *args)
{
    const size_t least = by->kind == KNOWN_TENSOR_OLD ? 4 : by->kind == KNOWN_TENSOR ? 6 : 7;
    const size_t most = by->kind == KNOWN_TENSOR_OLD ? 4 : least + 1;
    if (args->n < least || args->n > most || args->at[0]->kind != TORCH_STORAGE || args->at[1]->kind != TORCH_WHOLE
        || args->at[1]->whole < 0) damaged(m, "a tensor is made of no storage and offset");
    torch_value *v = new_value(m, TORCH_TENSOR);
    torch_tensor *t = v->tensor = must_calloc(1, sizeof *t);
    t->storage = args->at[0]->tensor->storage;
    t->first = (size_t)args->at[1]->whole;
    const known_name *is = args->at[0]->known, *type = NULL;
    if (by->kind == KNOWN_TENSOR_TYPED) {
        type = args->at[6]->kind == TORCH_GLOBAL ? args->at[6]->known : NULL;
        if (!type || type->kind != KNOWN_TYPE || is->kind != KNOWN_UNTYPED || t->storage.n % type->size)
            damaged(m, "a tensor has no type that its storage can hold");
        t->storage = (torch_storage){ type->type, type->size, t->storage.at, t->storage.n / type->size };
    } else if (is->kind != KNOWN_STORAGE) damaged(m, "a tensor's storage has no type");
    take_sides(m, args->at[2], args->at[3], t);
    if (least > 4) require_plain(m, args->at[5]);
    if (args->n > least) require_plain(m, args->at[least]);
    place_tensor(m, t);
    return v;
}

/* A call of one of the known functions; each other one was refused by its name. */
static void take_call(machine *m)
{
    torch_value *args = pop(m);
    const torch_value *of = pop(m);
    const known_name *by = of->kind == TORCH_GLOBAL ? of->known : NULL;
    if (!by || args->kind != TORCH_TUPLE) damaged(m, "it calls what is no function");
    switch (by->kind) {
    case KNOWN_DICT:
        if (args->n) damaged(m, "an OrderedDict is made of something");
        push(m, new_value(m, TORCH_DICT));
        return;
    case KNOWN_PARAMETER:
        if (args->n != 3 || args->at[0]->kind != TORCH_TENSOR) damaged(m, "a parameter is made of no tensor");
        require_plain(m, args->at[2]);
        push(m, args->at[0]);
        return;
    case KNOWN_TENSOR: case KNOWN_TENSOR_OLD: case KNOWN_TENSOR_TYPED:
        push(m, tensor_of(m, by, args));
        return;
    default: damaged(m, "it calls what is no function");
    }
}

/* Attributes of an OrderedDict (a state dict has _metadata): nothing that is read here. */
static void take_attributes(machine *m)
{
    const torch_value *attributes = pop(m);
    if (!m->depth || m->stack[m->depth - 1]->kind != TORCH_DICT || attributes->kind != TORCH_DICT)
        refuse(m, "to set the attributes of an object (BUILD)");
}

/* ---- opcodes ----------------------------------------------------------------------------------------------------- */

static void memoize(machine *m, uint64_t k)
{
    if (!m->depth) damaged(m, "its stack is empty");
    if (k >= m->n) damaged(m, "its memo has more places than it has bytes");
    if (k >= m->memos) {
        size_t now = m->memos ? 2 * m->memos : 256;
        while (now <= k) now *= 2;
        m->memo = must_realloc(m->memo, now, sizeof(torch_value *));
        memset(m->memo + m->memos, 0, (now - m->memos) * sizeof(torch_value *));
        m->memos = now;
    }
    m->memoized += !m->memo[k];
    m->memo[k] = m->stack[m->depth - 1];
}

static void recall(machine *m, uint64_t k)
{
    if (k >= m->memos || !m->memo[k]) damaged(m, "it recalls what it has not memorised");
    push(m, m->memo[k]);
}

static void push_whole(machine *m, torch_kind kind, int64_t x)
{
    torch_value *v = new_value(m, kind);
    v->whole = x;
    push(m, v);
}

/* Two's complement of so many bytes, at most 8. */
static int64_t signed_number(machine *m, size_t bytes)
{
    if (bytes > 8) refuse(m, "a whole number beyond 2^63");
    const uint64_t x = take_number(m, bytes), sign = bytes ? (uint64_t)1 << (8 * bytes - 1) : 0;
    return bytes == 8 ? (int64_t)x : (int64_t)(x ^ sign) - (int64_t)sign;
}

static void push_real(machine *m)
{
    uint64_t bits = __builtin_bswap64(take_number(m, 8));
    torch_value *v = new_value(m, TORCH_REAL);
    memcpy(&v->real, &bits, 8);
    push(m, v);
}

/* Members of the list, or pairs of the dictionary, below the mark; or one of them below the top. */
static void add_members(machine *m, torch_kind kind, size_t each, bool marked)
{
    torch_value *one[2] = { NULL, NULL }, **from = one;
    size_t n = each;
    if (marked) from = pop_mark(m, &n);
    else for (size_t k = each; k-- > 0;) one[k] = pop(m);
    if (m->depth == (m->marks ? m->mark[m->marks - 1] : 0) || m->stack[m->depth - 1]->kind != kind || n % each)
        damaged(m, kind == TORCH_LIST ? "it appends to what is no list" : "it sets items of what is no dictionary");
    join(m->stack[m->depth - 1], from, n);
}

static void make_tuple(machine *m, size_t n)
{
    torch_value *member[3];
    for (size_t k = n; k-- > 0;) member[k] = pop(m);
    push_members(m, TORCH_TUPLE, member, n);
}

static void refuse_opcode(machine *m, unsigned char code)
{
    for (size_t k = 0; k < COUNT(refused); k++)
        if (refused[k].code == code) {
            char *what = must_format("the opcode %s", refused[k].name);
            refuse(m, what);
        }
    damaged(m, "a byte that is no opcode");
}

/* One opcode; false: it was the last. */
static bool step(machine *m)
{
    size_t n;
    m->begin = m->next;
    const unsigned char code = *take(m, 1);
    switch (code) {
    case 0x80: if (take_number(m, 1) > 5) damaged(m, "it has a protocol of the future"); return true;   /* PROTO     */
    case 0x95: take_number(m, 8); return true;                                                          /* FRAME     */
    case '.':  return false;                                                                            /* STOP      */
    case '(':  push_mark(m); return true;
    case '0':  pop(m); return true;
    case '1':  pop_mark(m, &n); return true;
    case '2':  { torch_value *v = pop(m); push(m, v); push(m, v); return true; }                        /* DUP       */
    case 'N':  push(m, new_value(m, TORCH_NONE)); return true;
    case 0x88: push_whole(m, TORCH_TRUTH, 1); return true;
    case 0x89: push_whole(m, TORCH_TRUTH, 0); return true;
    case 'J':  push_whole(m, TORCH_WHOLE, signed_number(m, 4)); return true;                            /* BININT    */
    case 'K':  push_whole(m, TORCH_WHOLE, (int64_t)take_number(m, 1)); return true;
    case 'M':  push_whole(m, TORCH_WHOLE, (int64_t)take_number(m, 2)); return true;
    case 0x8a: push_whole(m, TORCH_WHOLE, signed_number(m, take_number(m, 1))); return true;            /* LONG1     */
    case 'G':  push_real(m); return true;
    case 'X':  push_text(m, take_number(m, 4)); return true;                                            /* BINUNICODE */
    case 0x8c: push_text(m, take_number(m, 1)); return true;
    case 0x8d: push_text(m, take_number(m, 8)); return true;
    case ')':  push_members(m, TORCH_TUPLE, NULL, 0); return true;
    case ']':  push_members(m, TORCH_LIST, NULL, 0); return true;
    case '}':  push_members(m, TORCH_DICT, NULL, 0); return true;
    case 0x85: case 0x86: case 0x87: make_tuple(m, code - 0x84U); return true;
    case 't':  { torch_value **from = pop_mark(m, &n); push_members(m, TORCH_TUPLE, from, n); return true; }
    case 'a':  add_members(m, TORCH_LIST, 1, false); return true;
    case 'e':  add_members(m, TORCH_LIST, 1, true); return true;
    case 's':  add_members(m, TORCH_DICT, 2, false); return true;
    case 'u':  add_members(m, TORCH_DICT, 2, true); return true;
    case 'q':  memoize(m, take_number(m, 1)); return true;
    case 'r':  memoize(m, take_number(m, 4)); return true;
    case 0x94: memoize(m, m->memoized); return true;
    case 'h':  recall(m, take_number(m, 1)); return true;
    case 'j':  recall(m, take_number(m, 4)); return true;
    case 'c':  take_global(m); return true;
    case 0x93: take_stack_global(m); return true;
    case 'Q':  take_storage(m); return true;
    case 'R':  take_call(m); return true;
    case 'b':  take_attributes(m); return true;
    default:   refuse_opcode(m, code); return true;
    }
}

/* ---- archives ---------------------------------------------------------------------------------------------------- */

bool torch_is_archive(const unsigned char *bytes, size_t n) { return n >= 4 && memcmp(bytes, "PK\3\4", 4) == 0; }

const char *torch_not_read(const unsigned char *bytes, size_t n)
{
    static const unsigned char legacy[] = { 0x80, 2, 0x8a, 10, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50,
                                            0x19 };
    if (n >= sizeof legacy && memcmp(bytes, legacy, sizeof legacy) == 0)
        return "torch.save wrote it in the form from before PyTorch 1.6, which is not read: load it with "
               "torch.load(..., weights_only=True) and save it again with torch.save";
    if (n >= 2 && bytes[0] == 0x80 && bytes[1] <= 5)
        return "this is a pickle of Python's, which can run code and is not read; convert it to safetensors";
    return NULL;
}

static const char data_name[] = "/data.pkl";

/* The only entry FOLDER/data.pkl. */
static const zip_entry *find_pickle(const stored_zip *z, const char *path)
{
    const zip_entry *found = NULL;
    for (long k = 0; k < z->n; k++) {
        const char *slash = strchr(z->at[k].name, '/');
        if (!slash || strcmp(slash, data_name) != 0) continue;
        if (found) die("%s holds two pickles; the file is damaged or of another kind", path);
        found = &z->at[k];
    }
    if (!found) die("%s is a zip file without the entry data.pkl, so that torch.save did not write it", path);
    const size_t bytes = found ? found->bytes : 0;
    if (bytes > MOST_PICKLE)
        die("%s: data.pkl has %zu bytes, more than any list of tensors; save model.state_dict() alone", path, bytes);
    return found;
}

static void require_little(const machine *m)
{
    char *name = must_format("%s/byteorder", m->folder);
    const zip_entry *e = stored_zip_find(m->zip, name);
    if (e && !text_is((const char *)e->at, e->bytes, "little"))
        die("%s: its numbers are not little-endian (byteorder), which is not read; save it again on another machine",
            m->path);
    free(name);
}

torch_object torch_read(const unsigned char *bytes, size_t n, const char *path)
{
    stored_zip zip = stored_zip_of(bytes, n, path);
    const zip_entry *e = find_pickle(&zip, path);
    char *folder = must_format("%.*s", (int)(strlen(e->name) - strlen(data_name)), e->name);
    machine m = { .path = path, .folder = folder, .zip = &zip, .at = e->at, .n = e->bytes };
    require_little(&m);
    while (step(&m)) ;
    if (m.depth != 1 || m.marks) damaged(&m, "it does not end with one object");
    torch_object o = { m.stack[0], m.all, m.alls };
    free(m.stack);
    free(m.mark);
    free(m.memo);
    free(folder);
    stored_zip_free(&zip);
    return o;
}

void torch_free(torch_object *o)
{
    for (size_t k = 0; k < o->n; k++) {
        free(o->all[k]->at);
        free(o->all[k]->tensor);
        free(o->all[k]);
    }
    free(o->all);
    *o = (torch_object){ .n = 0 };
}

torch_value *torch_find(const torch_value *dict, const char *key)
{
    for (size_t k = dict->kind == TORCH_DICT ? dict->n : 0; k >= 2; k -= 2) {
        const torch_value *name = dict->at[k - 2];
        if (name->kind == TORCH_TEXT && text_is(name->text, name->n, key)) return dict->at[k - 1];
    }
    return NULL;
}
