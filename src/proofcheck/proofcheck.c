/* proofcheck.c - re-verifies certificates from their text alone, on GMP alone; it shares nothing with the programs
 * that write them.  reports/CERTIFICATES.md describes the format.
 *
 * sym      Equal normal forms prove two matrices equal.  The form: a rational combination of words in named
 *          matrices, blocks E(d,j) of columns of the identity of size d = k_0 + k_1 + .., values of unknown
 *          functions, and their transposes.  Sizes are names; the steps hold whatever positive numbers they are:
 *            1  products distribute over sums      4  E(d,i)' E(d,j) = I where i = j, else 0
 *            2  (AB)' = B'A', (A')' = A            5  E(d,z) E(d,z)' = I - sum_{j<z} E(d,j) E(d,j)', z the last
 *            3  A B = B A = I, A'B' = B'A' = I where B is the inverse of A by hypothesis, or A' by orthogonality
 *            6  a function has equal values on arguments of equal shapes and normal forms
 * relu-eq  sum_j w2_j ReLU(w1_j x) + Z x = 0 for all x iff for each direction u of rows w1_j = s_j u the sum of
 *          |s_j| w2_j is 0, and Z + 1/2 W2 W1 = 0; here for the difference of two networks
 * relu-neq both networks are evaluated at a point
 * no-j     No J has W2[:,J] W1[J,:] + Z = 0: by a y with <y, w2_j w1_j> = 0 for all j and <y, Z> != 0, or by all J
 * matrix, recount   sums of products of the given matrices or numbers are evaluated over Q                   */
#include <gmp.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES = 1 << 24, MEMORY = 1 << 29, WORDS = 4096, DIGITS = 4096, BITS = 1 << 15, DIM = 256, NAMES = 1024,
       ALL_J = 16, SIZES = 64, NODES = 1 << 14, WORD = 1 << 12 };
static const long WORK = 3000000000L;                /* elementary steps: some seconds */

/* ---- the way out of a file, and its memory ---- */
static jmp_buf out;
static char why[200], proved[200], *label[5];         /* label: version, claim, part, kind, words */
static long work, memory;
static union block { union block *next; max_align_t aligned; } *blocks;
static mpq_t x, y, z;                                /* for passing use */
_Noreturn static void reject(const char *reason, const char *what) {
    snprintf(why, sizeof why, "%s%s%.40s", reason, *what ? ": " : "", what);
    longjmp(out, 1);
}
static void require(bool is_so, const char *otherwise) { if (!is_so) reject(otherwise, ""); }
static void spend(long steps) { require((work -= steps) >= 0, "too much work"); }
static void *got(size_t n) {                         /* freed when the file is done */
    require((memory += (long)n + 32) <= MEMORY, "too much memory");
    union block *b = malloc(sizeof *b + n);
    if (!b) { fprintf(stderr, "proofcheck: no memory\n"); exit(2); }
    b->next = blocks;
    blocks = b;
    return memset(b + 1, 0, n);
}
static void *resized(void *p, size_t old, size_t n) { return old ? n <= old ? p : memcpy(got(n), p, old) : got(n); }
static void released(void *p, size_t n) { (void)p, (void)n; }

/* ---- lines of words, separated by one space ---- */
static struct { char *at, *end; long line; char *word[WORDS]; int n; } in;
static void next_line(void) {
    char *stop = in.at < in.end ? memchr(in.at, '\n', (size_t)(in.end - in.at)) : NULL;
    in.line++;
    in.n = 0;
    if (!stop) reject("the file ends before `end`", "");
    for (char *p = in.at; p < stop; p++) require(*p >= 32 && *p <= 126, "a byte that is no printable ASCII");
    *stop = '\0';
    for (char *p = in.at, *space = stop; space; p = space) {
        if ((space = strchr(p, ' '))) *space++ = '\0';
        require(*p && in.n < WORDS, "an empty line or word, or too many words");
        in.word[in.n++] = p;
    }
    in.at = stop + 1;
}
static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }
static char *word_at(int k) { require(k < in.n, "too few words"); return in.word[k]; }
static bool is(const char *word, int n) { return same(in.word[0], word) && in.n == n; }
static void next_is(const char *word) { next_line(); if (!same(in.word[0], word)) reject("no such line", word); }
static size_t digits(const char *p) {                /* how many */
    const size_t n = strspn(p, "0123456789");
    if (n == 0 || n > DIGITS || (n > 1 && *p == '0')) reject("no number in shortest form", p);
    return n;
}
static long whole(const char *p, long most) {
    return digits(p) > 9 || p[digits(p)] || atol(p) > most ? (reject("no whole number, or too large", p), 0) : atol(p);
}
static void number(mpq_t q, const char *p) {         /* 0, -12 or 3/4 */
    const char *t = p + (*p == '-');
    t += digits(t);
    if (*t == '/') t += 1 + digits(t + 1);
    if (*t || mpq_set_str(q, p, 10) != 0 || mpz_sgn(mpq_denref(q)) == 0) reject("no number", p);
    mpq_canonicalize(q);
}
static char *name(char *p) {                         /* a letter, then letters, digits, _ . : */
    static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.:0123456789";
    if (strlen(p) > 40 || p[strspn(p, all)] || strchr(all + 52, *p)) reject("no name", p);
    return p;
}

/* ---- matrices of rational numbers ---- */
typedef struct { char *name; long r, c; mpq_t *at; } matrix;
#define AT(A, i, j) ((A).at[(i) * (A).c + (j)])
static matrix zero(long r, long c) {
    matrix A = { "", r, c, got((size_t)(r * c) * sizeof(mpq_t)) };
    for (long k = 0; k < r * c; k++) mpq_init(A.at[k]);
    spend(10 * r * c);
    return A;
}
static void bounded(const mpq_t q) {
    const size_t bits = mpz_sizeinbase(mpq_numref(q), 2) + mpz_sizeinbase(mpq_denref(q), 2);
    require(bits <= BITS, "a number of too many bits");
    spend(10 + (long)(bits / 64 * bits / 64));
}
static void add_product(mpq_t sum, const mpq_t a, const mpq_t b) {
    spend(1);
    if (mpq_sgn(a) == 0 || mpq_sgn(b) == 0) return;
    mpq_mul(z, a, b);
    mpq_add(sum, sum, z);
    bounded(sum);
}
static matrix product(matrix A, matrix B) {
    require(A.c == B.r, "a product of shapes that do not fit");
    matrix C = zero(A.r, B.c);
    for (long i = 0; i < A.r; i++)
        for (long j = 0; j < B.c; j++)
            for (long k = 0; k < A.c; k++) add_product(AT(C, i, j), AT(A, i, k), AT(B, k, j));
    return C;
}
static matrix turned(matrix A) {
    matrix B = zero(A.c, A.r);
    for (long k = 0; k < B.r * B.c; k++) mpq_set(B.at[k], AT(A, k % B.c, k / B.c));
    return B;
}
static matrix above(matrix A, matrix B) {            /* (A; B) */
    matrix C = zero(A.r + B.r, A.c);
    for (long k = 0; k < C.r * C.c; k++) mpq_set(C.at[k], k < A.r * A.c ? A.at[k] : B.at[k - A.r * A.c]);
    return C;
}
static matrix sum(matrix A, matrix B, long sign) {   /* A + sign B */
    require(A.r == B.r && A.c == B.c, "a sum of different shapes");
    matrix C = zero(A.r, A.c);
    mpq_set_si(x, sign, 1);
    for (long k = 0; k < C.r * C.c; k++) { mpq_set(C.at[k], A.at[k]); add_product(C.at[k], x, B.at[k]); }
    return C;
}
static bool is_zero(matrix A) { long k = 0; while (k < A.r * A.c && !mpq_sgn(A.at[k])) k++; return k == A.r * A.c; }
static matrix row(matrix A, long i) { return (matrix){ "", 1, A.c, A.at + i * A.c }; }
static matrix read_matrix(const char *called, long r, long c) {      /* "" and 0: any; the head line is read */
    if (!is("matrix", 4) || (*called && !same(in.word[1], called))) reject("no line `matrix`", called);
    const long rows = whole(in.word[2], DIM), cols = whole(in.word[3], DIM);
    require(rows && cols && (!r || r == rows) && (!c || c == cols), "a matrix of another shape");
    matrix A = zero(rows, cols);
    A.name = name(in.word[1]);
    for (long i = 0; i < rows; i++) {
        next_line();
        require(in.n == cols, "another number of entries in a row");
        for (long j = 0; j < cols; j++) number(AT(A, i, j), in.word[j]);
    }
    return A;
}
static matrix next_matrix(const char *called, long r, long c) { next_line(); return read_matrix(called, r, c); }
/* The words from .. to-1 in reverse Polish notation, over the n given matrices and numbers: A B ' * 2 C * - */
static matrix formula(const matrix *given, long n, int from, int to) {
    static matrix stack[WORDS + 1];
    long top = 0;                                    /* stack[1 .. top] */
    for (int k = from; k < to; k++) {
        const char *p = in.word[k], op = p[1] == '\0' && strchr("'*+-", *p) ? *p : '\0';
        require(top >= (op == '\'' ? 1 : op ? 2 : 0), "an operation without operands");
        top += op == '\'' ? 0 : op ? -1 : 1;
        matrix *a = &stack[top], b = a[op && op != '\''];            /* a := a op b */
        if (op == '\'') *a = turned(*a);
        else if (op == '*') *a = product(*a, b);
        else if (op == '+' || op == '-') *a = sum(*a, b, op == '+' ? 1 : -1);
        else {
            long g = 0;
            while (g < n && !same(given[g].name, p)) g++;
            *a = g < n ? given[g] : zero(1, 1);
            if (g == n) number(a->at[0], p);
        }
    }
    require(top == 1, "a formula that does not leave one matrix");
    return stack[1];
}
static void check_formulas(void) {                   /* formula A B * = C, and !=, and < and <= between numbers */
    static matrix given[NAMES];
    long n = 0, count = 0;
    for (next_line(); same(in.word[0], "matrix") || is("value", 3); next_line(), n++) {
        require(n < NAMES, "too many names");
        given[n] = is("value", 3) ? zero(1, 1) : read_matrix("", 0, 0);
        if (!*given[n].name) { given[n].name = name(in.word[1]); number(given[n].at[0], in.word[2]); }
        for (long k = 0; k < n; k++) require(!same(given[k].name, given[n].name), "two of the same name");
    }
    for (; same(in.word[0], "formula"); next_line(), count++) {
        int k = 1;
        while (k < in.n && !strchr("=!<", *in.word[k])) k++;
        require(k < in.n, "no relation");
        const char *how = in.word[k];
        const matrix d = sum(formula(given, n, 1, k), formula(given, n, k + 1, in.n), -1);
        const int sign = d.r * d.c == 1 ? mpq_sgn(d.at[0]) : 1;
        require(same(how, "=") ? is_zero(d) : same(how, "!=") ? !is_zero(d) : same(how, "<") ? sign < 0
              : same(how, "<=") && sign <= 0, "this does not hold");
    }
    require(is("end", 1) && count, "a line `formula` must stand here");
    snprintf(proved, sizeof proved, "%ld formulas over %ld given matrices and numbers hold", count, n);
}

/* ---- ReLU networks  W2 ReLU(W1 x) + Z x  on columns x ---- */
typedef struct { matrix W1, W2, Z; } net;
static net read_net(const char *W1, const char *W2, const char *Z, long rows, long cols) {
    net f = { .W1 = next_matrix(W1, 0, cols) };
    f.W2 = next_matrix(W2, rows, f.W1.r);
    f.Z = next_matrix(Z, f.W2.r, f.W1.c);
    return f;
}
/* How many directions of rows of W1 have sum |s_j| w2_j != 0?  Row j of W2 is w2_j'; both are overwritten. */
static long kinks(matrix W1, matrix W2) {
    long n = 0;
    for (long j = 0, l; j < W1.r; j++) {             /* row j := row j / s_j, w2_j := |s_j| w2_j */
        for (l = 0; l < W1.c && mpq_sgn(AT(W1, j, l)) == 0; l++) {}
        if (l == W1.c) continue;
        mpq_set(x, AT(W1, j, l));
        for (; l < W1.c; l++) mpq_div(AT(W1, j, l), AT(W1, j, l), x);
        mpq_abs(x, x);
        for (long i = 0; i < W2.c; i++) mpq_mul(AT(W2, j, i), AT(W2, j, i), x);
    }
    for (long j = 0; j < W1.r; j++) {
        if (is_zero(row(W1, j))) continue;
        matrix total = row(W2, j);
        for (long k = j + 1; k < W1.r; k++) {
            long l = 0;
            while (l < W1.c && mpq_equal(AT(W1, j, l), AT(W1, k, l))) l++;
            spend(l + 1);
            if (l < W1.c) continue;
            total = sum(total, row(W2, k), 1);
            for (l = 0; l < W1.c; l++) mpq_set_ui(AT(W1, k, l), 0, 1);
        }
        n += !is_zero(total);
    }
    return n;
}
static matrix value(net f, matrix point) {
    matrix hidden = product(f.W1, point);
    for (long i = 0; i < hidden.r; i++) if (mpq_sgn(hidden.at[i]) < 0) mpq_set_ui(hidden.at[i], 0, 1);
    return sum(product(f.W2, hidden), product(f.Z, point), 1);
}
static void check_relu(bool want_equal) {
    const net f = read_net("W1", "W2", "Z", 0, 0), g = read_net("V1", "V2", "Y", f.W2.r, f.W1.c);
    if (want_equal) {                                /* f - g; its linear part is half of D + 2 (Z - Y) */
        const matrix W1 = above(f.W1, g.W1), W2 = above(turned(f.W2), sum(zero(g.W2.c, g.W2.r), turned(g.W2), -1));
        const matrix D = product(turned(W2), W1), T = sum(f.Z, g.Z, -1);
        require(is_zero(sum(sum(D, T, 1), T, 1)), "the networks differ: their linear parts do");
        require(kinks(W1, W2) == 0, "the networks differ: their kinks do");
    } else {
        const matrix point = next_matrix("x", f.W1.c, 1);
        require(!is_zero(sum(value(f, point), value(g, point), -1)), "the networks agree at x");
    }
    next_is("end");
    snprintf(proved, sizeof proved, "two ReLU networks, %ld to %ld, of %ld and %ld neurons, %s", f.W1.c, f.W2.r, f.W1.r,
             g.W1.r, want_equal ? "are the same function" : "differ at the point x");
}

/* ---- no set J of neurons with W2[:,J] W1[J,:] + Z = 0 ---- */
static bool some_J(matrix Z, const matrix *each, long m) {           /* can Z + sum over J be 0, J among the first m? */
    return m ? some_J(Z, each, m - 1) || some_J(sum(Z, each[m - 1], 1), each, m - 1) : is_zero(Z);
}
static void check_no_j(void) {
    const net f = read_net("W1", "W2", "Z", 0, 0);
    next_line();
    const bool given = !is("enumerate", 1);
    if (given) {                                     /* the diagonal of W1 y' W2, and the trace of y' Z */
        matrix v = turned(read_matrix("y", f.Z.r, f.Z.c)), P = product(f.W1, product(v, f.W2)), T = product(v, f.Z);
        for (long j = 0; j < P.r; j++) require(mpq_sgn(AT(P, j, j)) == 0, "<y, w2_j w1_j> is not 0 for some j");
        for (long l = 1; l < T.r; l++) mpq_add(T.at[0], T.at[0], AT(T, l, l));
        require(mpq_sgn(T.at[0]) != 0, "<y, Z> is 0");
    }
    matrix W2 = turned(f.W2), each[ALL_J];
    require(given || f.W1.r <= ALL_J, "too many neurons to enumerate");
    for (long j = 0; !given && j < f.W1.r; j++) each[j] = product(turned(row(W2, j)), row(f.W1, j));
    require(given || !some_J(f.Z, each, f.W1.r), "there is such a J");
    next_is("end");
    const bool regular = kinks(f.W1, W2) == f.W1.r;
    snprintf(proved, sizeof proved, "no J among %ld neurons has W2[:,J] W1[J,:] + Z = 0, by %s%s", f.W1.r, given ? "y" :
             "trying all J", regular ? "; the conditions of E.1 hold" : "");
}

/* ---- symbolic matrices ---- */
enum { NAMED, BLOCK, VALUE };
typedef struct { int kind, args, arg[2]; char *name, *r, *c; uint32_t inverse; } atom;
typedef struct { mpq_t k; long n; const uint32_t *w; } term;         /* k times a word of 2 atom + (1 if transposed) */
typedef struct { char *r, *c; long n, room; term *t; } node;
static struct { char *name, *part[WORDS]; int parts; } sizes[SIZES];                 /* name = part[0] + part[1] + .. */
static atom atoms[NODES] = { { .name = "" } };       /* BLOCK: arg = size, number; VALUE: arg = nodes */
static node nodes[NODES];
static long nsizes, natoms, nnodes;
static int compare_words(const void *a, const void *b) {
    const term *s = a, *t = b;
    return s->n != t->n ? (s->n > t->n) - (s->n < t->n) : memcmp(s->w, t->w, (size_t)s->n * sizeof *s->w);
}
static bool equal_nodes(const node *a, const node *b) {
    bool equal = same(a->r, b->r) && same(a->c, b->c) && a->n == b->n;
    spend(5 * a->n);
    for (long i = 0; equal && i < a->n; i++)
        equal = compare_words(&a->t[i], &b->t[i]) == 0 && mpq_equal(a->t[i].k, b->t[i].k);
    return equal;
}
static uint32_t token_of(atom a) {                   /* one atom for equal blocks, and for equal values: step 6 */
    for (long k = 0; k < natoms; k++) {
        const atom *b = &atoms[k];
        bool found = a.kind == b->kind && a.args == b->args && same(a.name, b->name);
        if (found && a.kind == NAMED) reject("two matrices of the same name", a.name);
        found = found && same(a.r, b->r) && same(a.c, b->c);
        for (int i = 0; found && i < a.args; i++)
            found = a.arg[i] == b->arg[i] || (a.kind == VALUE && equal_nodes(&nodes[a.arg[i]], &nodes[b->arg[i]]));
        spend(1);
        if (found) return 2 * (uint32_t)k;
    }
    require(natoms < NODES, "too many symbols");
    atoms[natoms] = a;
    return 2 * (uint32_t)natoms++;
}
static const term unit;                              /* the word I */
static void add(node *p, const mpq_t k, const term *a, const term *b) {             /* p := p + k a b */
    uint32_t *word = got((size_t)(a->n + b->n + 2) * sizeof *word);
    long n = 0, at = 0;
    spend(50 + a->n + b->n);
    for (long i = 0; i < a->n + b->n; i++) {
        const uint32_t w = i < a->n ? a->w[i] : b->w[i - a->n], v = n ? word[n - 1] : 0;
        const atom *A = &atoms[v / 2];
        const bool blocks_meet = n && v & 1 && !(w & 1) && A->kind == BLOCK && atoms[w / 2].kind == BLOCK;
        if (blocks_meet && v / 2 != w / 2) return;                                                   /* step 4 */
        if (blocks_meet || (n && A->inverse && w == (A->inverse ^ (v & 1)))) n--;                     /* or 3 */
        else word[n++] = w;
    }
    require(n < WORD, "a word of too many factors");
    for (; at + 1 < n; at++) {                                                                       /* step 5 */
        atom E = atoms[word[at] / 2];
        const int last_part = E.kind == BLOCK ? sizes[E.arg[0]].parts - 1 : -1;
        if (E.kind != BLOCK || word[at] & 1 || word[at + 1] != (word[at] | 1) || E.arg[1] != last_part) continue;
        mpq_t minus;
        mpq_init(minus), mpq_neg(minus, k);
        add(p, k, &(term){ .n = at, .w = word }, &(term){ .n = n - at - 2, .w = word + at + 2 });
        for (E.arg[1] = 0; E.arg[1] < last_part; E.arg[1]++) {
            E.c = sizes[E.arg[0]].part[E.arg[1]];
            word[at] = token_of(E);
            word[at + 1] = word[at] | 1;
            add(p, minus, &(term){ .n = n, .w = word }, &unit);
        }
        return;
    }
    const size_t old = (size_t)p->n * sizeof *p->t;
    if (p->n == p->room) p->t = resized(p->t, old, 2 * old + sizeof *p->t), p->room = 2 * p->room + 1;
    term *last = &p->t[p->n++];
    *last = (term){ .n = n, .w = word };
    mpq_init(last->k);
    mpq_set(last->k, k);
    bounded(k);
}
static node normal(node p) {                         /* sorted, equal words collected */
    long n = 0;
    spend(100 * p.n);
    if (p.n) qsort(p.t, (size_t)p.n, sizeof *p.t, compare_words);
    for (long k = 0; k < p.n; k++) {
        if (n && mpq_sgn(p.t[n - 1].k) == 0) n--;
        if (n && compare_words(&p.t[n - 1], &p.t[k]) == 0) mpq_add(p.t[n - 1].k, p.t[n - 1].k, p.t[k].k);
        else p.t[n++] = p.t[k];
    }
    p.n = n && mpq_sgn(p.t[n - 1].k) == 0 ? n - 1 : n;
    return p;
}
static int index_at(int k) { return (int)whole(word_at(k), nnodes - 1); }            /* the number of a node */
static char *size_at(int k) {
    const bool is_number = *word_at(k) >= '0' && *in.word[k] <= '9' && whole(in.word[k], 999999) >= 0;
    return is_number ? in.word[k] : name(in.word[k]);
}
static void read_size(void) {                        /* size d k k: d = k + k; the parts are not declared later */
    require(in.n > 2 && nsizes < SIZES, "too few words, or too many sizes");
    const char *own = name(in.word[1]);
    for (int k = 2; k < in.n; k++) require(!same(size_at(k), own), "a part of itself");
    for (long s = 0; s < nsizes; s++) {
        require(!same(sizes[s].name, own), "a size declared twice");
        for (int i = 0; i < sizes[s].parts; i++) require(!same(sizes[s].part[i], own), "a sum that is a part already");
    }
    sizes[nsizes].name = in.word[1];
    memcpy(sizes[nsizes].part, in.word + 2, (size_t)(in.n - 2) * sizeof *in.word);
    sizes[nsizes++].parts = in.n - 2;
}
static uint32_t read_atom(const char *op) {
    atom a = { .name = name(word_at(2)) };
    if (same(op, "block")) {                         /* block d 0: E(d,0) */
        long s = 0;
        while (s < nsizes && !same(sizes[s].name, a.name)) s++;
        require(s < nsizes && in.n == 4, "blocks of no sum");
        const long part = whole(in.word[3], sizes[s].parts - 1);
        return token_of((atom){ BLOCK, 2, { (int)s, (int)part }, a.name, a.name, sizes[s].part[part], 0 });
    }
    a.r = size_at(3);
    a.c = size_at(4);
    if (same(op, "value") && in.n > 5 && in.n < 8) { /* value F R C a [b] */
        a.kind = VALUE;
        for (a.args = 0; a.args < in.n - 5; a.args++) a.arg[a.args] = index_at(5 + a.args);
        return token_of(a);
    }
    require(same(op, "matrix") && in.n < 8, "no such operation");    /* matrix A R C [orthogonal | inverse B] */
    const uint32_t w = token_of(a);
    atom *A = &atoms[w / 2], *B = in.n == 7 ? atoms + 1 : A;
    if (in.n == 5) return w;
    require(same(in.word[5], in.n == 7 ? "inverse" : "orthogonal") && same(a.r, a.c), "not a square matrix, or what?");
    while (in.n == 7 && B < A && (B->kind != NAMED || !same(B->name, in.word[6]))) B++;
    require((in.n == 6 || B < A) && !B->inverse && same(B->r, a.r) && same(B->c, a.c), "no such inverse");
    A->inverse = in.n == 7 ? 2 * (uint32_t)(B - atoms) : w ^ 1;
    if (in.n == 7) B->inverse = w;
    return w;
}
static void read_node(void) {
    require(nnodes < NODES && whole(in.word[0], NODES) == nnodes, "nodes are numbered 0, 1, 2, ..");
    const char *op = word_at(1);
    node p = { 0 };
    mpq_set_ui(x, 1, 1);
    if (same(op, "sum") && in.n % 2 == 0) {          /* sum c a c b: c a + c b */
        for (int k = 2; k < in.n || k == 2; k += 2) {
            const node *b = &nodes[index_at(k + 1)];
            if (k == 2) p = (node){ .r = b->r, .c = b->c };
            require(same(p.r, b->r) && same(p.c, b->c), "a sum of different shapes");
            number(y, in.word[k]);
            for (const term *t = b->t; t < b->t + b->n; t++) { mpq_mul(x, y, t->k); add(&p, x, t, &unit); }
        }
    } else if (same(op, "product") && in.n == 4) {
        const node *s = &nodes[index_at(2)], *t = &nodes[index_at(3)];
        require(same(s->c, t->r), "a product of shapes that do not fit");
        p = (node){ .r = s->r, .c = t->c };
        for (const term *a = s->t; a < s->t + s->n; a++)
            for (const term *b = t->t; b < t->t + t->n; b++) { mpq_mul(x, a->k, b->k); add(&p, x, a, b); }
    } else if (same(op, "transpose") && in.n == 3) {
        const node *s = &nodes[index_at(2)];
        p = (node){ .r = s->c, .c = s->r };
        for (const term *t = s->t; t < s->t + s->n; t++) {
            uint32_t *w = got((size_t)t->n * sizeof *w);
            for (long k = 0; k < t->n; k++) w[k] = t->w[t->n - 1 - k] ^ 1;
            add(&p, t->k, &(term){ .n = t->n, .w = w }, &unit);
        }
    } else if (same(op, "identity") && in.n == 3) {
        p.r = p.c = size_at(2);
        add(&p, x, &unit, &unit);
    } else {
        const uint32_t w = read_atom(op);
        p = (node){ .r = atoms[w / 2].r, .c = atoms[w / 2].c };
        add(&p, x, &(term){ .n = 1, .w = &w }, &unit);
    }
    nodes[nnodes++] = normal(p);
}
static void check_sym(void) {
    long equations = nsizes = nnodes = 0;
    natoms = 1;                                      /* atom 0 is none, and called "" */
    for (next_line(); same(in.word[0], "size"); next_line()) read_size();
    for (; !same(in.word[0], "equal"); next_line()) read_node();
    for (; same(in.word[0], "equal"); next_line(), equations++) {    /* equal a b WORDS */
        const int a = index_at(1), b = index_at(2);
        require(a != b, "an equation of a matrix with itself says nothing");
        require(equal_nodes(&nodes[a], &nodes[b]), "the two normal forms differ");
    }
    require(is("end", 1), "a line `equal` or `end` must stand here");
    snprintf(proved, sizeof proved, "%ld equations hold for all sizes", equations);
}

/* ---- files ---- */
static void check(void) {
    static const char *const heads[] = { "provably-certificate", "claim", "part", "kind", "says" };
    for (int k = 0; k < 5; k++) { next_is(heads[k]); label[k] = word_at(1); }
    require(same(label[0], "1"), "another version than 1");
    const char *kind = label[3];
    if (same(kind, "sym")) check_sym();
    else if (same(kind, "relu-eq") || same(kind, "relu-neq")) check_relu(same(kind, "relu-eq"));
    else if (same(kind, "no-j")) check_no_j();
    else if (same(kind, "matrix") || same(kind, "recount")) check_formulas();
    else reject("no such kind", kind);
    require(in.at == in.end, "bytes after `end`");
}
static int check_file(const char *path) {
    static char text[FILE_BYTES + 1];
    FILE *f = fopen(path, "rb");
    in.at = text;
    in.end = text + (f ? fread(text, 1, sizeof text, f) : 0);
    volatile int status = f && !ferror(f) ? 1 : 2;
    if (f) fclose(f);
    if (status == 2) { fprintf(stderr, "proofcheck: cannot read %s\n", path); return status; }
    in.line = memory = 0;
    work = WORK;
    if (setjmp(out) == 0) {
        mpq_inits(x, y, z, NULL);
        require(in.end < text + sizeof text, "a file of too many bytes");
        check();
        printf("%s: accepted: %s %s, %s: %s\n", path, label[1], label[2], label[3], proved);
        status = 0;
    } else printf("%s: rejected: line %ld: %s\n", path, in.line, why);
    for (union block *b = blocks; b; b = blocks) { blocks = b->next; free(b); }
    return status;
}
int main(int argc, char **argv) {
    int worst = argc < 2 || argv[1][0] == '-' ? 2 : 0;
    if (worst) fputs("usage: proofcheck FILE...  status 0: all accepted, 1: some rejected, 2: unreadable\n", stderr);
    mp_set_memory_functions(got, resized, released);
    for (int k = 1; k < argc && *argv[1] != '-'; k++) {
        const int status = check_file(argv[k]);
        if (status > worst) worst = status;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("proofcheck: cannot write to standard output\n", stderr);
        return 2;
    }
    return worst;
}
