/* SPDX-License-Identifier: GPL-3.0-or-later
 * parse.c - reads PTX: statements end with ; or, for labels, with : and a kernel's body is between braces.  Every
 * register, constant, special register and address of an array becomes a slot of its kernel. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "tests/ptx/ptx.h"

char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);      /* of the C++ library */

enum { TEXT = 1 << 16, CLASSES = 64 };
typedef struct { char prefix[32]; long count; int bytes; uint32_t first_at, first_id; } registers_class;
typedef struct { char *name; int line; int target; } label;

static const char *path_of;
static int line_of;
static kernel *all;
static int nkernels;
static symbol *outside;                  /* arrays in shared memory that are declared outside a kernel */
static int noutside;
static kernel *now;                      /* the kernel that is being read, and what belongs to it: */
static registers_class class_of[CLASSES];
static int nclasses;
static label *labels;
static int nlabels;
static char **jumps;                     /* the label of each instruction that has one */

_Noreturn static void stop(const char *what, const char *text)
{
    die("%s:%d: %s: %s", path_of, line_of, what, text);
}

/* `a` with room for one more element; capacity doubles at the powers of 2. */
static void *grown(void *a, int n, size_t size)
{
    return n & (n - 1) ? a : must_realloc(a, (size_t)(n ? 2 * n : 1), size);
}
static char *trimmed(char *s)
{
    while (isspace((unsigned char)*s)) s++;
    for (size_t n = strlen(s); n && isspace((unsigned char)s[n - 1]); n--) s[n - 1] = 0;
    return s;
}

/* ---- slots --------------------------------------------------------------------------------------------------- */

static uint32_t room_of(int bytes) { return (uint32_t)(LANES * (bytes == 8 ? 8 : 4)); }
static slot new_slot(int bytes)
{
    const slot s = { now->register_bytes, now->registers++, (uint8_t)bytes };
    now->register_bytes += room_of(bytes);
    return s;
}

static slot preset_slot(preset_kind kind, uint64_t value, int bytes)
{
    for (int k = 0; k < now->npresets; k++) {
        const preset *p = now->presets + k;
        if (p->kind == kind && p->value == value && p->s.bytes == bytes) return p->s;
    }
    now->presets = grown(now->presets, now->npresets, sizeof *now->presets);
    now->presets[now->npresets] = (preset){ new_slot(bytes), kind, value };
    return now->presets[now->npresets++].s;
}

static const symbol *found(const symbol *s, int n, const char *name)
{
    for (int k = 0; k < n; k++) if (strcmp(s[k].name, name) == 0) return s + k;
    return NULL;
}
static int add_symbol(symbol **to, int *n, const char *name, size_t at, size_t bytes)
{
    *to = grown(*to, *n, sizeof **to);
    (*to)[*n] = (symbol){ must_strdup(name), at, bytes };
    return (*n)++;
}
static int array_of(const char *name)    /* its number in the kernel, or -1 */
{
    const symbol *s = found(now->arrays, now->narrays, name);
    if (s) return (int)(s - now->arrays);
    s = found(outside, noutside, name);
    return s ? add_symbol(&now->arrays, &now->narrays, s->name, s->at, s->bytes) : -1;
}

static slot register_slot(const char *name)
{
    size_t n = strlen(name);
    while (n && isdigit((unsigned char)name[n - 1])) n--;
    const long number = name[n] ? atol(name + n) : -1;
    for (int k = 0; k < nclasses; k++) {
        const registers_class *c = class_of + k;
        if (strlen(c->prefix) != n || strncmp(c->prefix, name, n) != 0) continue;
        const uint32_t at = (uint32_t)(number < 0 ? 0 : number);
        if ((number < 0) != (c->count < 0) || number >= (c->count < 0 ? 1 : c->count)) continue;
        return (slot){ c->first_at + at * room_of(c->bytes), c->first_id + at, (uint8_t)c->bytes };
    }
    static const char *const special[] = { [TID_X] = "%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z", "%ctaid.x",
        "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z", "%laneid" };
    for (int k = TID_X; k <= LANEID; k++) if (strcmp(special[k], name) == 0) return preset_slot((preset_kind)k, 0, 4);
    stop("unknown register", name);
}

static slot constant_slot(const char *text, int bytes)
{
    char *end;
    uint64_t value;
    if (text[0] == '0' && strchr("fFdD", text[1]) && text[1]) value = strtoull(text + 2, &end, 16);
    else value = text[0] == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    if (*end == 'U') end++;
    if (*end || end == text) stop("unknown operand", text);
    return preset_slot(NUMBER, bytes == 8 ? value : value & 0xffffffff, bytes);
}

/* A register, a number, or the address of a parameter or an array. */
static slot value_slot(const char *text, int bytes)
{
    if (text[0] == '%') return register_slot(text);
    if (isalpha((unsigned char)text[0]) || text[0] == '_' || text[0] == '$') {
        const symbol *p = found(now->params, now->nparams, text);
        if (p) return preset_slot(NUMBER, p->at, bytes);
        const int k = array_of(text);
        if (k < 0) stop("unknown name", text);
        return preset_slot(ARRAY, (uint64_t)k, bytes);
    }
    return constant_slot(text, bytes);
}

/* ---- instructions ------------------------------------------------------------------------------------------- */

/* The operands of "d|p, {a, b}, [c+4]", each by itself; addresses keep their bracket. */
static int split(char *text, char *operand[OPERANDS])
{
    int n = 0;
    bool inside = false;
    for (char *s = text; *s; ) {
        s += strspn(s, " \t\n,{}|");
        if (!*s) break;
        if (n == OPERANDS) stop("too many operands", text);
        operand[n++] = s;
        inside = *s == '[';
        while (*s && (inside ? *s != ']' : !strchr(",{}|", *s))) s++;
        if (inside && *s == ']') *s++ = 0;
        else if (*s) *s++ = 0;
        trimmed(operand[n - 1]);
    }
    for (int k = 0; k < n; k++) operand[k] = trimmed(operand[k]);
    return n;
}

static void add_instruction(char *text)
{
    instruction i = { .line = line_of };
    if (*text == '@') {
        char *end = text + strcspn(text, " \t");
        if (!*end) stop("a guard without an instruction", text);
        *end = 0;
        i.guarded = true;
        i.negated = text[1] == '!';
        i.guard = register_slot(text + 1 + i.negated);
        text = trimmed(end + 1);
    }
    char *rest = text + strcspn(text, " \t\n"), *operand[OPERANDS], *jump = NULL;
    if (*rest) *rest++ = 0;
    i.name = must_strdup(text);
    const bool braces = *trimmed(rest) == '{';
    i.n = split(rest, operand);
    int bytes[5] = { 0 }, wanted = 0, constants = 4, addresses = 0;
    i.run = lanes_operation(i.name, bytes, &wanted);
    if (i.run) {
        i.written = 1;
        if (i.n != wanted) stop("wrong number of operands", i.name);
    } else if (strcmp(i.name, "bra") == 0 || strcmp(i.name, "bra.uni") == 0) {
        i.kind = JUMPS;
        if (i.n != 1) stop("a jump without a label", i.name);
        jump = must_strdup(operand[0]);
        i.n = 0;
    } else if (!warp_decode(&i, i.n, braces, &constants)) stop("unknown instruction", i.name);
    for (int k = 0; k < i.n; k++) {
        char *o = operand[k];
        if (*o == '[') {
            char *base = trimmed(o + 1), *plus = strchr(base, '+');
            if (plus) {
                *plus = 0;
                if (addresses == 2) stop("too many addresses", i.name);
                i.offset[addresses] = strtol(plus + 1, NULL, 0);
            }
            addresses++;
            i.o[k] = value_slot(trimmed(base), 8);
        } else i.o[k] = value_slot(o, wanted ? bytes[k] : constants);
    }
    if (wanted && strncmp(i.name, "cvt.", 4) == 0 && i.o[1].bytes == 8 && bytes[1] == 4) {   /* may be wider than its type */
        i.run = lanes_operation(must_format("%s of 64", i.name), bytes, &wanted);
        if (!i.run) stop("unknown for a wider register", i.name);
    }
    for (int k = 0; wanted && k < i.n; k++)
        if (room_of(i.o[k].bytes) != room_of(bytes[k])) stop("a register of another size", i.name);
    now->code = grown(now->code, now->instructions, sizeof *now->code);
    jumps = grown(jumps, now->instructions, sizeof *jumps);
    jumps[now->instructions] = jump;
    now->code[now->instructions++] = i;
}

/* ---- declarations ------------------------------------------------------------------------------------------ */

static int bytes_of(const char *type)    /* ".u32" -> 4 */
{
    const char *digits = type + strcspn(type, "0123456789");
    return strncmp(type, ".pred", 5) == 0 ? 4 : atoi(digits) / 8;
}

static void declare_registers(char *text)                    /* .reg .b32 %r<8> */
{
    char type[16], name[32];
    if (sscanf(text, ".reg %15s %31s", type, name) != 2 || nclasses == CLASSES) stop("declaration", text);
    char *count = strchr(name, '<');
    if (count) *count++ = 0;
    const int bytes = bytes_of(type);
    const long n = count ? atol(count) : -1;
    registers_class *c = class_of + nclasses;
    for (int k = 0; k < nclasses; k++) if (strcmp(class_of[k].prefix, name) == 0) return;   /* again in an inner scope */
    snprintf(c->prefix, sizeof c->prefix, "%s", name);
    c->count = n;
    c->bytes = bytes;
    c->first_at = now->register_bytes;
    c->first_id = now->registers;
    now->registers += (uint32_t)(n < 0 ? 1 : n);
    now->register_bytes += (uint32_t)(n < 0 ? 1 : n) * room_of(bytes);
    nclasses++;
}

/* [.extern] .shared .align 4 .b8 name[4096] */
static void declare_array(char *text)
{
    char *name = strrchr(text, ' ');
    const char *type = strstr(text, ".align");
    if (!name || !type) stop("declaration", text);
    type = strchr(type + 1, '.');
    char *size = strchr(name, '[');
    long n = 1;
    if (size) {
        *size = 0;
        n = atol(size + 1);
    }
    add_symbol(now ? &now->arrays : &outside, now ? &now->narrays : &noutside, name + 1, 0, (size_t)(n * bytes_of(type)));
}

static char *plain_name(const char *mangled)                 /* void ns::f<A, 2>(int) -> f<A,2> */
{
    int status;
    char *long_name = __cxa_demangle(mangled, NULL, NULL, &status), *s = long_name ? long_name : must_strdup(mangled), *y = s;
    char *bracket = strchr(s, '(');
    while (bracket && strncmp(bracket, "(anonymous", 10) == 0) bracket = strchr(bracket + 1, '(');
    if (bracket) *bracket = 0;
    if (strncmp(s, "void ", 5) == 0) y += 5;
    char *result = must_strdup(y), *to = result;
    for (const char *from = result; *from; from++) {
        if (from[0] == ':' && from[1] == ':') {
            to = result;
            from++;
        } else if (*from != ' ') *to++ = *from;
    }
    *to = 0;
    free(s);
    return result;
}

static void begin_kernel(char *text)     /* .visible .entry name( .param .u64 name_0, .param .align 8 .b8 name_1[24] ) ... */
{
    all = grown(all, nkernels, sizeof *all);
    now = all + nkernels++;
    *now = (kernel){ .line = line_of, .dynamic = -1 };
    nclasses = nlabels = 0;
    char *name = trimmed(strstr(text, ".entry") + 6), *open = strchr(name, '('), *end = open ? strchr(open, ')') : NULL;
    if (!end) stop("a kernel without parameters", text);
    *open = *end = 0;
    now->name = plain_name(trimmed(name));
    for (char *p = strtok(open + 1, ","); p; p = strtok(NULL, ",")) {
        p = trimmed(p);
        if (!*p) continue;
        char *align = strstr(p, ".align"), *type = strrchr(p, '.'), *what = strrchr(p, ' '), *size = strchr(p, '[');
        const size_t one = (size_t)bytes_of(type), n = one * (size_t)(size ? atol(size + 1) : 1);
        const size_t unit = align ? (size_t)atol(align + 6) : one;
        if (size) *size = 0;
        now->param_bytes = (now->param_bytes + unit - 1) / unit * unit;
        add_symbol(&now->params, &now->nparams, what + 1, now->param_bytes, n);
        now->param_bytes += n;
    }
}

static void end_kernel(void)
{
    for (int k = 0; k < now->instructions; k++) {
        if (!jumps[k]) continue;
        int target = -1;
        for (int j = 0; j < nlabels; j++) if (strcmp(labels[j].name, jumps[k]) == 0) target = labels[j].target;
        line_of = now->code[k].line;
        if (target < 0) stop("unknown label", jumps[k]);
        now->code[k].target = target;
        free(jumps[k]);
    }
    for (int k = 0; k < now->narrays; k++) if (now->arrays[k].bytes == 0) now->dynamic = k;
    size_t at = SHARED_BASE;             /* an array has 128 bytes of nobody's after it; the launch's comes last */
    for (int k = 0; k < now->narrays; k++) {
        now->arrays[k].at = at;
        at += (now->arrays[k].bytes + 255) / 128 * 128;
    }
    if (now->dynamic >= 0) now->arrays[now->dynamic].at = at;
    for (int k = 0; k < nlabels; k++) free(labels[k].name);
    now = NULL;
}

/* ---- the file ------------------------------------------------------------------------------------------------ */

static void statement(char *text)
{
    text = trimmed(text);
    if (!*text) return;
    if (strncmp(text, ".reg", 4) == 0) declare_registers(text);
    else if (strncmp(text, ".shared", 7) == 0 || strncmp(text, ".extern .shared", 15) == 0) declare_array(text);
    else if (strncmp(text, ".pragma", 7) == 0) return;
    else if (!now || *text == '.') stop("unknown declaration", text);
    else add_instruction(text);
}

static void add_label(char *name)
{
    labels = grown(labels, nlabels, sizeof *labels);
    labels[nlabels++] = (label){ must_strdup(trimmed(name)), line_of, now->instructions };
}

void ptx_read(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) die("cannot open %s", path);
    static char text[TEXT];
    size_t n = 0;
    int depth = 0, line = 1, c;
    path_of = must_strdup(path);
    while ((c = getc(f)) != EOF) {
        if (c == '\n') line++;
        if (c == '/') {                  /* a comment: to the end of the line */
            const int next = getc(f);
            if (next != '/') die("%s:%d: a / that begins no comment", path, line);
            while ((c = getc(f)) != EOF && c != '\n') { }
            line++;
            c = '\n';
        }
        if (n + 2 > TEXT) die("%s:%d: a statement too long", path, line);
        if (n == 0 && isspace(c)) continue;
        if (n == 0) line_of = line;
        /* the head of a module: lines by themselves */
        if (c == '\n' && !now && (strncmp(text, ".version", 8) == 0 || strncmp(text, ".target", 7) == 0 ||
                                  strncmp(text, ".address_size", 13) == 0)) {
            n = 0;
            continue;
        }
        text[n] = 0;
        if (c == ';' || (c == '{' && (n == 0 || (!now && strstr(text, ".entry")))) || (c == '}' && n == 0) ||
            (c == ':' && *text == '$')) {
            if (c == ';') statement(text);
            else if (c == ':') add_label(text);
            else if (c == '{' && n) begin_kernel(text), depth = 1;
            else if (c == '{') depth++;
            else if (--depth == 0) end_kernel();
            n = 0;
            continue;
        }
        text[n++] = (char)c;
        text[n] = 0;
    }
    fclose(f);
    if (now) die("%s: ends inside a kernel", path);
}

kernel *ptx_kernel(const char *name)
{
    for (int k = nkernels; k-- > 0; ) if (strcmp(all[k].name, name) == 0) return all + k;      /* the last one counts */
    return NULL;
}
int ptx_kernels(kernel **list)
{
    *list = all;
    return nkernels;
}
