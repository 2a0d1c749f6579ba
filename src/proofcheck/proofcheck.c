/* proofcheck.c - re-verifies certificates from their text alone, on GMP alone; it shares nothing with the
 * programs that write them.  reports/CERTIFICATES.md describes the format.
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
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES = 1 << 24, MEMORY = 1 << 29, WORDS = 4096, DIGITS = 4096, BITS = 1 << 15, DIM = 256, NAMES = 1024,
       ALL_J = 20, SIZES = 64, NODES = 1 << 14, WORD = 1 << 12 };
static const long WORK = 3000000000L;                /* elementary steps: some seconds */

/* ---- the way out of a file, and its memory ---- */

static jmp_buf out;
static char why[400], proved[400];
static long work, memory;
static union block { union block *next; max_align_t aligned; } *blocks;
static mpq_t x, y, z;                                /* for passing use */

_Noreturn static void reject(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void reject(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    longjmp(out, 1);
}
static void require(bool is_so, const char *otherwise) { if (!is_so) reject("%s", otherwise); }
static void spend(long steps) { require((work -= steps) >= 0, "too much work"); }

static void *got(size_t n)                           /* freed when the file is done */
{
    require((memory += (long)n + 32) <= MEMORY, "too much memory");
    union block *b = malloc(sizeof *b + n);
    if (!b) { fprintf(stderr, "proofcheck: no memory\n"); exit(2); }
    b->next = blocks;
    blocks = b;
    return b + 1;
}
static void *resized(void *p, size_t old, size_t n) { return n <= old ? p : memcpy(got(n), p, old); }
static void released(void *p, size_t n) { (void)p, (void)n; }

/* ---- lines of words, separated by one space ---- */

static struct { char *at, *end; long line; char *word[WORDS]; int n; } in;

static void next_line(void)
{
    char *stop = in.at < in.end ? memchr(in.at, '\n', (size_t)(in.end - in.at)) : NULL;
    in.line++;
    in.n = 0;
    require(stop, "the file ends before `end`");
    for (char *p = in.at; p < stop; p++) if (*p < 32 || *p > 126) reject("byte %d", (unsigned char)*p);
    *stop = '\0';
    for (char *p = in.at, *space; p; p = space) {
        if ((space = strchr(p, ' '))) *space++ = '\0';
        require(*p && in.n < WORDS, "an empty line or word, or too many words");
        in.word[in.n++] = p;
    }
    in.at = stop + 1;
}
static bool is(const char *word) { return strcmp(in.word[0], word) == 0; }
static void next_is(const char *word, int least, int most)
{
    next_line();
    if (!is(word) || in.n < least || in.n > most) reject("a line `%s` of %d words must stand here", word, least);
}

static size_t digits(const char *p)                  /* how many */
{
    const size_t n = strspn(p, "0123456789");
    if (n == 0 || n > DIGITS || (n > 1 && *p == '0')) reject("`%.40s` is no number in shortest form", p);
    return n;
}
static long whole(const char *p, long most)
{
    if (digits(p) > 9 || p[digits(p)] || atol(p) > most) reject("`%.40s` is no whole number up to %ld", p, most);
    return atol(p);
}
static void number(mpq_t q, const char *p)           /* 0, -12 or 3/4 */
{
    const char *t = p + (*p == '-');
    t += digits(t);
    if (*t == '/') t += 1 + digits(t + 1);
    if (*t || mpq_set_str(q, p, 10) != 0 || mpz_sgn(mpq_denref(q)) == 0) reject("`%.40s` is no number", p);
    mpq_canonicalize(q);
}
static char *name(char *p)                           /* a letter, then letters, digits, _ . : */
{
    static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.:0123456789";
    if (strlen(p) > 40 || p[strspn(p, all)] || strchr(all + 52, *p)) reject("`%.50s` is no name", p);
    return p;
}

/* ---- matrices of rational numbers ---- */

typedef struct { char *name; long r, c; mpq_t *at; } matrix;
#define AT(A, i, j) ((A).at[(i) * (A).c + (j)])

static matrix zero(long r, long c)
{
    matrix A = { "", r, c, got((size_t)(r * c) * sizeof(mpq_t)) };
    for (long k = 0; k < r * c; k++) mpq_init(A.at[k]);
    spend(10 * r * c);
    return A;
}
static void bounded(const mpq_t q)
{
    const size_t bits = mpz_sizeinbase(mpq_numref(q), 2) + mpz_sizeinbase(mpq_denref(q), 2);
    require(bits <= BITS, "a number of too many bits");
    spend(10 + (long)(bits / 64 * bits / 64));
}
static void add_product(mpq_t sum, const mpq_t a, const mpq_t b)
{
    spend(1);
    if (mpq_sgn(a) == 0 || mpq_sgn(b) == 0) return;
    mpq_mul(z, a, b);
    mpq_add(sum, sum, z);
    bounded(sum);
}
static matrix product(matrix A, matrix B)
{
    require(A.c == B.r, "a product of shapes that do not fit");
    matrix C = zero(A.r, B.c);
    for (long i = 0; i < A.r; i++)
        for (long j = 0; j < B.c; j++)
            for (long k = 0; k < A.c; k++) add_product(AT(C, i, j), AT(A, i, k), AT(B, k, j));
    return C;
}
static matrix turned(matrix A)
{
    matrix B = zero(A.c, A.r);
    for (long k = 0; k < B.r * B.c; k++) mpq_set(B.at[k], AT(A, k % B.c, k / B.c));
    return B;
}
static matrix above(matrix A, matrix B)              /* (A; B) */
{
    matrix C = zero(A.r + B.r, A.c);
    for (long k = 0; k < C.r * C.c; k++) mpq_set(C.at[k], k < A.r * A.c ? A.at[k] : B.at[k - A.r * A.c]);
    return C;
}
static matrix sum(matrix A, matrix B, long sign)     /* A + sign B */
{
    require(A.r == B.r && A.c == B.c, "a sum of different shapes");
    matrix C = zero(A.r, A.c);
    mpq_set_si(x, sign, 1);
    for (long k = 0; k < C.r * C.c; k++) { mpq_set(C.at[k], A.at[k]); add_product(C.at[k], x, B.at[k]); }
    return C;
}
static bool is_zero(matrix A)
{
    long k = 0;
    while (k < A.r * A.c && mpq_sgn(A.at[k]) == 0) k++;
    return k == A.r * A.c;
}
static matrix row(matrix A, long i) { return (matrix){ "", 1, A.c, A.at + i * A.c }; }

static matrix read_matrix(const char *called, long r, long c)        /* "" and 0: any; the head line is read */
{
    if (in.n != 4 || (*called && strcmp(in.word[1], called) != 0)) reject("no line `matrix %s ROWS COLUMNS`", called);
    char *own = name(in.word[1]);
    const long rows = whole(in.word[2], DIM), cols = whole(in.word[3], DIM);
    if (!rows || !cols || (r && r != rows) || (c && c != cols)) reject("%s cannot be %ld x %ld", own, rows, cols);
    matrix A = zero(rows, cols);
    A.name = own;
    for (long i = 0; i < rows; i++) {
        next_line();
        require(in.n == cols, "another number of entries in a row");
        for (long j = 0; j < cols; j++) number(AT(A, i, j), in.word[j]);
    }
    return A;
}
static matrix next_matrix(const char *called, long r, long c)
{
    next_is("matrix", 4, 4);
    return read_matrix(called, r, c);
}

/* The words from .. to-1 in reverse Polish notation, over the n given matrices and numbers: A B ' * 2 C * - */
static matrix formula(const matrix *given, long n, int from, int to)
{
    static matrix stack[WORDS + 1];
    long top = 0;                                    /* stack[1 .. top] */
    for (int k = from; k < to; k++) {
        const char *p = in.word[k], op = p[1] == '\0' && strchr("'*+-/", *p) ? *p : '\0';
        require(top >= (op == '\'' ? 1 : op ? 2 : 0), "an operation without operands");
        top += op == '\'' ? 0 : op ? -1 : 1;
        matrix *a = &stack[top], b = a[op && op != '\''];            /* a := a op b */
        if (op == '\'') *a = turned(*a);
        else if (op == '*') *a = product(*a, b);
        else if (op == '+' || op == '-') *a = sum(*a, b, op == '+' ? 1 : -1);
        else if (op == '/') {
            require(b.r * b.c == 1 && !is_zero(b), "division by no number");
            mpq_inv(b.at[0], b.at[0]);
            *a = product(*a, b);
            mpq_inv(b.at[0], b.at[0]);
        } else {
            long g = 0;
            while (g < n && strcmp(given[g].name, p) != 0) g++;
            *a = g < n ? given[g] : zero(1, 1);
            if (g == n) number(a->at[0], p);
        }
    }
    require(top == 1, "a formula that does not leave one matrix");
    return stack[1];
}

static void check_formulas(void)                     /* formula A B * = C, and !=, and < and <= between numbers */
{
    static matrix given[NAMES];
    long n = 0, count = 0;
    for (next_line(); is("matrix") || is("value"); next_line(), n++) {
        require(n < NAMES && (in.n == 3 || !is("value")), "too many names, or no line `value NAME NUMBER`");
        given[n] = is("matrix") ? read_matrix("", 0, 0) : zero(1, 1);
        if (!*given[n].name) { given[n].name = name(in.word[1]); number(given[n].at[0], in.word[2]); }
        for (long k = 0; k < n; k++) require(strcmp(given[k].name, given[n].name) != 0, "two of the same name");
    }
    for (; is("formula"); next_line(), count++) {
        int k = 1;
        while (k < in.n && !strchr("=!<", *in.word[k])) k++;
        require(k < in.n, "no relation");
        const char *is_so = in.word[k];
        const matrix d = sum(formula(given, n, 1, k), formula(given, n, k + 1, in.n), -1);
        const int sign = d.r * d.c == 1 ? mpq_sgn(d.at[0]) : 1;
        require(strcmp(is_so, "=") == 0 ? is_zero(d) : strcmp(is_so, "!=") == 0 ? !is_zero(d)
              : strcmp(is_so, "<") == 0 ? sign < 0 : strcmp(is_so, "<=") == 0 && sign <= 0, "this does not hold");
    }
    require(is("end") && in.n == 1 && count, "a line `formula` must stand here");
    snprintf(proved, sizeof proved, "%ld formulas over %ld given matrices and numbers hold", count, n);
}

/* ---- ReLU networks  W2 ReLU(W1 x) + Z x  on columns x ---- */

typedef struct { matrix W1, W2, Z; } net;

static net read_net(const char *W1, const char *W2, const char *Z, long rows, long cols)
{
    net f = { .W1 = next_matrix(W1, 0, cols) };
    f.W2 = next_matrix(W2, rows, f.W1.r);
    f.Z = next_matrix(Z, f.W2.r, f.W1.c);
    return f;
}

/* How many directions of rows of W1 have sum |s_j| w2_j != 0?  Row j of W2 is w2_j'; both are overwritten. */
static long kinks(matrix W1, matrix W2)
{
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

static matrix value(net f, matrix point)
{
    matrix hidden = product(f.W1, point);
    for (long i = 0; i < hidden.r; i++) if (mpq_sgn(hidden.at[i]) < 0) mpq_set_ui(hidden.at[i], 0, 1);
    return sum(product(f.W2, hidden), product(f.Z, point), 1);
}

static void check_relu(bool want_equal)
{
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
    next_is("end", 1, 1);
    snprintf(proved, sizeof proved, "two ReLU networks, %ld to %ld, of %ld and %ld neurons, %s", f.W1.c, f.W2.r, f.W1.r,
             g.W1.r, want_equal ? "are the same function" : "differ at the point x");
}

/* ---- no set J of neurons with W2[:,J] W1[J,:] + Z = 0 ---- */

static void by_matrix(net f, matrix v)
{
    const matrix each = product(f.W1, product(turned(v), f.W2)), last = product(turned(v), f.Z);
    for (long j = 0; j < each.r; j++) if (mpq_sgn(AT(each, j, j)) != 0) reject("<y, w2_j w1_j> is not 0, j = %ld", j + 1);
    mpq_set_ui(y, 0, 1);
    for (long l = 0; l < last.r; l++) mpq_add(y, y, AT(last, l, l));
    require(mpq_sgn(y) != 0, "<y, Z> is 0");
}

static void by_enumeration(net f)
{
    matrix S = f.Z, each[ALL_J];                     /* Z + the sum over J, all J in Gray's order */
    bool on[ALL_J] = { false };
    require(f.W1.r <= ALL_J, "too many neurons to enumerate");
    for (long j = 0; j < f.W1.r; j++) {
        matrix w2_j = zero(f.W2.r, 1);
        for (long i = 0; i < f.W2.r; i++) mpq_set(w2_j.at[i], AT(f.W2, i, j));
        each[j] = product(w2_j, row(f.W1, j));
    }
    for (unsigned long step = 1; ; step++) {
        require(!is_zero(S), "there is such a J");
        if (step >> f.W1.r) return;
        const int j = __builtin_ctzl(step);
        on[j] = !on[j];
        mpq_set_si(x, on[j] ? 1 : -1, 1);
        for (long k = 0; k < S.r * S.c; k++) add_product(S.at[k], x, each[j].at[k]);
    }
}

static void check_no_j(void)
{
    const net f = read_net("W1", "W2", "Z", 0, 0);
    next_line();
    const bool given = is("matrix");
    if (given) by_matrix(f, read_matrix("y", f.Z.r, f.Z.c));
    else if (is("enumerate") && in.n == 1) by_enumeration(f);
    else reject("neither `matrix y` nor `enumerate`");
    next_is("end", 1, 1);
    const bool regular = kinks(f.W1, turned(f.W2)) == f.W1.r;
    snprintf(proved, sizeof proved, "no J among %ld neurons has W2[:,J] W1[J,:] + Z = 0, by %s%s", f.W1.r, given ? "y" :
             "trying all J", regular ? "; the conditions of E.1 hold" : "");
}

/* ---- symbolic matrices ---- */

enum { NAMED, BLOCK, VALUE };
typedef struct { int kind, args, arg[2]; char *name, *r, *c; uint32_t inverse; } atom;  /* BLOCK: arg = size, number */
typedef struct { mpq_t k; long n; const uint32_t *w; } term;         /* k times a word of 2 atom + (1 if transposed) */
typedef struct { char *r, *c; long n, room; term *t; } node;
static struct { char *name, *part[WORDS]; int parts; } sizes[SIZES];                 /* name = part[0] + part[1] + .. */
static atom atoms[NODES];
static node nodes[NODES];
static long nsizes, natoms, nnodes;

static bool differ(const char *a, const char *b) { return strcmp(a, b) != 0; }
static int compare_words(const void *a, const void *b)
{
    const term *s = a, *t = b;
    spend(1 + s->n / 8);
    return s->n != t->n ? (s->n > t->n) - (s->n < t->n) : memcmp(s->w, t->w, (size_t)s->n * sizeof *s->w);
}
static bool equal_nodes(const node *a, const node *b)
{
    bool equal = !differ(a->r, b->r) && !differ(a->c, b->c) && a->n == b->n;
    for (long i = 0; equal && i < a->n; i++)
        equal = compare_words(&a->t[i], &b->t[i]) == 0 && mpq_equal(a->t[i].k, b->t[i].k);
    return equal;
}

static uint32_t token_of(atom a)                     /* one atom for equal blocks, and for equal values: step 6 */
{
    for (long k = 0; k < natoms; k++) {
        const atom *b = &atoms[k];
        bool same = a.kind == b->kind && a.args == b->args && !differ(a.name, b->name);
        if (same && a.kind == NAMED) reject("two matrices are called %s", a.name);
        same = same && !differ(a.r, b->r) && !differ(a.c, b->c);
        for (int i = 0; same && i < a.args; i++)
            same = a.arg[i] == b->arg[i] || (a.kind == VALUE && equal_nodes(&nodes[a.arg[i]], &nodes[b->arg[i]]));
        spend(1);
        if (same) return 2 * (uint32_t)k;
    }
    require(natoms < NODES, "too many symbols");
    atoms[natoms] = a;
    return 2 * (uint32_t)natoms++;
}

static void add(node *p, const mpq_t k, const term *a, const term *b, const term *c)        /* p := p + k a b c */
{
    static uint32_t word[WORD];
    const term *of[] = { a, b, c };
    long n = 0;
    for (int f = 0; f < 3; f++)
        for (long i = 0; of[f] && i < of[f]->n; i++) {
            const uint32_t w = of[f]->w[i], v = n ? word[n - 1] : 0;
            spend(2);
            if (n && atoms[v / 2].inverse && w == (atoms[v / 2].inverse ^ (v & 1))) { n--; continue; }       /* 3 */
            if (n && v & 1 && !(w & 1) && atoms[v / 2].kind == BLOCK && atoms[w / 2].kind == BLOCK) {        /* 4 */
                if (v / 2 != w / 2) return;
                n--;
                continue;
            }
            require(n < WORD, "a word of too many factors");
            word[n++] = w;
        }
    if (p->n == p->room) {
        term *old = p->t;
        p->t = got((size_t)(p->room = 2 * p->room + 2) * sizeof *p->t);
        if (p->n) memcpy(p->t, old, (size_t)p->n * sizeof *old);
    }
    term *last = &p->t[p->n++];
    mpq_init(last->k);
    mpq_set(last->k, k);
    bounded(k);
    last->n = n;
    last->w = memcpy(got((size_t)n * sizeof *word), word, (size_t)n * sizeof *word);
}

static bool is_last_pair(const uint32_t *w)          /* E(d,z) E(d,z)' */
{
    const atom *E = &atoms[w[0] / 2];
    return !(w[0] & 1) && E->kind == BLOCK && w[1] == (w[0] | 1) && E->arg[1] + 1 == sizes[E->arg[0]].parts;
}

static void normal(node *p)
{
    for (long k = 0; k < p->n; k++) {                /* step 5; what it appends has its turn later */
        const term t = p->t[k];
        long i = 0;
        while (i + 1 < t.n && !is_last_pair(t.w + i)) i++;
        spend(i + 1);
        if (i + 1 >= t.n) continue;
        const term left = { .n = i, .w = t.w }, right = { .n = t.n - i - 2, .w = t.w + i + 2 };
        mpq_t minus;
        mpq_init(minus);
        mpq_neg(minus, t.k);
        add(p, t.k, &left, NULL, &right);
        atom E = atoms[t.w[i] / 2];
        for (E.arg[1] = 0; E.arg[1] + 1 < sizes[E.arg[0]].parts; E.arg[1]++) {
            E.c = sizes[E.arg[0]].part[E.arg[1]];
            const uint32_t e = token_of(E), pair[2] = { e, e | 1 };
            add(p, minus, &left, &(term){ .n = 2, .w = pair }, &right);
        }
        mpq_init(p->t[k].k);                         /* 0 */
    }
    if (p->n) qsort(p->t, (size_t)p->n, sizeof *p->t, compare_words);
    long n = 0;
    for (long k = 0; k < p->n; k++) {                /* equal words are collected in t[n - 1] */
        if (n && mpq_sgn(p->t[n - 1].k) == 0) n--;
        if (n && compare_words(&p->t[n - 1], &p->t[k]) == 0) mpq_add(p->t[n - 1].k, p->t[n - 1].k, p->t[k].k);
        else p->t[n++] = p->t[k];
    }
    p->n = n && mpq_sgn(p->t[n - 1].k) == 0 ? n - 1 : n;
}

static int index_at(int k)                           /* word k of the line is the number of a node */
{
    require(k < in.n && nnodes, "too few words, or no node yet");
    return (int)whole(in.word[k], nnodes - 1);
}
static char *size_at(int k)
{
    require(k < in.n, "too few words");
    if (*in.word[k] < '0' || *in.word[k] > '9') return name(in.word[k]);
    whole(in.word[k], 999999);
    return in.word[k];
}

static void read_size(void)                          /* size d k k: d = k + k; no part is a sum itself */
{
    require(in.n > 2 && nsizes < SIZES, "too few words, or too many sizes");
    name(in.word[1]);
    for (int k = 1; k < in.n; k++) {
        require(k == 1 || differ(size_at(k), in.word[1]), "a part of itself");
        for (long s = 0; s < nsizes; s++) {
            require(differ(sizes[s].name, in.word[k]), "a size that is a sum already");
            for (int i = 0; k == 1 && i < sizes[s].parts; i++)
                require(differ(sizes[s].part[i], in.word[1]), "a sum that is a part already");
        }
    }
    sizes[nsizes].name = in.word[1];
    sizes[nsizes].parts = in.n - 2;
    memcpy(sizes[nsizes++].part, in.word + 2, (size_t)(in.n - 2) * sizeof *in.word);
}

static uint32_t read_atom(const char *op)
{
    atom a = { .name = name(in.word[2]) };
    if (!differ(op, "block") && in.n == 4) {         /* block d 0: E(d,0) */
        a.kind = BLOCK;
        a.args = 2;
        while (a.arg[0] < nsizes && differ(sizes[a.arg[0]].name, a.name)) a.arg[0]++;
        require(a.arg[0] < nsizes, "blocks of no sum");
        a.arg[1] = (int)whole(in.word[3], sizes[a.arg[0]].parts - 1);
        a.r = a.name;
        a.c = sizes[a.arg[0]].part[a.arg[1]];
        return token_of(a);
    }
    a.r = size_at(3);
    a.c = size_at(4);
    if (!differ(op, "value") && (in.n == 6 || in.n == 7)) {          /* value F R C a [b] */
        a.kind = VALUE;
        for (a.args = 0; a.args < in.n - 5; a.args++) a.arg[a.args] = index_at(5 + a.args);
        return token_of(a);
    }
    require(!differ(op, "matrix") && in.n <= 7, "no such operation");                /* matrix A R C [orthogonal|inverse B] */
    const uint32_t w = token_of(a);
    if (in.n == 5) return w;
    atom *A = &atoms[w / 2], *B = in.n == 6 ? A : atoms + 1;
    require(!differ(in.word[5], in.n == 6 ? "orthogonal" : "inverse") && !differ(a.r, a.c), "not a square matrix, or what?");
    while (in.n == 7 && B < A && (B->kind != NAMED || differ(B->name, in.word[6]))) B++;
    require((in.n == 6 || B < A) && !B->inverse && !differ(B->r, a.r) && !differ(B->c, a.c), "no such inverse");
    A->inverse = in.n == 6 ? w ^ 1 : 2 * (uint32_t)(B - atoms);
    if (in.n == 7) B->inverse = w;
    return w;
}

static void read_node(void)
{
    require(nnodes < NODES && in.n > 2 && whole(in.word[0], NODES) == nnodes, "nodes are numbered 0, 1, 2, ..");
    const char *op = in.word[1];
    const bool unary = in.n == 3, binary = in.n == 4;
    node p = { 0 };
    if (!differ(op, "sum") && in.n % 2 == 0) {       /* sum c a c b: c a + c b */
        for (int k = 2; k < in.n; k += 2) {
            const node *b = &nodes[index_at(k + 1)];
            require(k == 2 || (!differ(p.r, b->r) && !differ(p.c, b->c)), "a sum of different shapes");
            p.r = b->r;
            p.c = b->c;
            number(y, in.word[k]);
            for (long i = 0; i < b->n; i++) { mpq_mul(x, y, b->t[i].k); add(&p, x, &b->t[i], NULL, NULL); }
        }
    } else if (!differ(op, "product") && binary) {
        const node *s = &nodes[index_at(2)], *t = &nodes[index_at(3)];
        require(!differ(s->c, t->r), "a product of shapes that do not fit");
        p.r = s->r;
        p.c = t->c;
        for (long i = 0; i < s->n; i++)
            for (long j = 0; j < t->n; j++) { mpq_mul(x, s->t[i].k, t->t[j].k); add(&p, x, &s->t[i], &t->t[j], NULL); }
    } else if (!differ(op, "transpose") && unary) {
        const node *s = &nodes[index_at(2)];
        p.r = s->c;
        p.c = s->r;
        for (long i = 0; i < s->n; i++) {
            const term *t = &s->t[i];
            uint32_t *w = got((size_t)t->n * sizeof *w);
            for (long k = 0; k < t->n; k++) w[k] = t->w[t->n - 1 - k] ^ 1;
            add(&p, t->k, &(term){ .n = t->n, .w = w }, NULL, NULL);
        }
    } else {
        mpq_set_ui(x, 1, 1);
        if (!differ(op, "identity") && unary) {
            p.r = p.c = size_at(2);
            add(&p, x, NULL, NULL, NULL);
        } else {
            const uint32_t w = read_atom(op);
            p.r = atoms[w / 2].r;
            p.c = atoms[w / 2].c;
            add(&p, x, &(term){ .n = 1, .w = &w }, NULL, NULL);
        }
    }
    normal(&p);
    nodes[nnodes++] = p;
}

static void check_sym(void)
{
    long equations = 0;
    nsizes = nnodes = 0;
    natoms = 1;                                      /* atom 0 is none */
    atoms[0] = (atom){ .kind = NAMED, .name = "", .r = "", .c = "" };
    for (next_line(); is("size"); next_line()) read_size();
    for (; in.word[0][0] >= '0' && in.word[0][0] <= '9'; next_line()) read_node();
    for (; is("equal"); next_line(), equations++) {  /* equal a b WORDS */
        require(index_at(1) != index_at(2), "an equation of a matrix with itself says nothing");
        require(equal_nodes(&nodes[index_at(1)], &nodes[index_at(2)]), "the two normal forms differ");
    }
    require(is("end") && in.n == 1 && equations, "a line `equal` must stand here");
    snprintf(proved, sizeof proved, "%ld equations hold for all sizes", equations);
}

/* ---- files ---- */

static char *label[4];                               /* version, claim, part, kind */

static void check(void)
{
    static const char *const heads[] = { "provably-certificate", "claim", "part", "kind" },
        *const kinds[] = { "sym", "relu-eq", "relu-neq", "no-j", "matrix", "recount" };
    int kind = 0;
    for (int k = 0; k < 4; k++) { next_is(heads[k], 2, 2); label[k] = in.word[1]; }
    require(!differ(label[0], "1"), "another version than 1");
    while (kind < 6 && differ(label[3], kinds[kind])) kind++;
    require(kind < 6, "no such kind");
    next_is("says", 2, WORDS);
    if (kind == 0) check_sym();
    else if (kind < 3) check_relu(kind == 1);
    else if (kind == 3) check_no_j();
    else check_formulas();
    require(in.at == in.end, "bytes after `end`");
}

static int check_file(const char *path)
{
    static char text[FILE_BYTES + 1];
    FILE *f = fopen(path, "rb");
    const size_t n = f ? fread(text, 1, sizeof text, f) : 0;
    volatile int status = f && !ferror(f) ? 1 : 2;
    if (f) fclose(f);
    if (status == 2) { fprintf(stderr, "proofcheck: cannot read %s\n", path); return 2; }
    in.at = text;
    in.end = text + n;
    in.line = memory = 0;
    work = WORK;
    if (setjmp(out) == 0) {
        mpq_inits(x, y, z, NULL);
        require(n < sizeof text, "a file of too many bytes");
        check();
        printf("%s: accepted: %s %s, %s: %s\n", path, label[1], label[2], label[3], proved);
        status = 0;
    } else {
        printf("%s: rejected: line %ld: %s\n", path, in.line, why);
    }
    for (union block *b = blocks; b; b = blocks) { blocks = b->next; free(b); }
    return status;
}

int main(int argc, char **argv)
{
    int worst = argc < 2 || argv[1][0] == '-' ? 2 : 0;
    if (worst) fprintf(stderr, "usage: proofcheck FILE...\nverifies certificates; exit status 0: all accepted, 1: some "
                       "rejected, 2: some unreadable\n");
    mp_set_memory_functions(got, resized, released);
    for (int k = 1; k < argc && *argv[1] != '-'; k++) {
        const int status = check_file(argv[k]);
        if (status > worst) worst = status;
    }
    return worst;
}
