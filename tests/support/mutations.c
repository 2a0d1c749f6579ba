/* SPDX-License-Identifier: GPL-3.0-or-later
 * mutations.c - operands are found by scanning from an operator to the nearest one that binds less. */
#include "tests/support/mutations.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/text.h"

/* What ends an operand, from operators that bind least: each list has those before it. */
#define ENDS_TERNARY "= += -= *= /= %= &= |= ^= <<= >>= , ; ? : return case"
#define ENDS_OR      ENDS_TERNARY " ||"
#define ENDS_AND     ENDS_OR " &&"
#define ENDS_SUM     ENDS_AND " < > <= >= == != << >>"
#define KEYWORDS     "return case sizeof if for while switch else do goto"

typedef struct { const c_source *s; mutations *m; } sink;

static void put(sink *to, const char *operator, long i, long j, char *text)
{
    const token *first = &to->s->at[i], *last = &to->s->at[j];
    mutations *m = to->m;
    if (m->n == m->capacity) m->at = must_realloc(m->at, (size_t)(m->capacity = 2 * m->capacity + 256), sizeof *m->at);
    m->at[m->n++] = (mutation){ operator, first->at, last->at + last->length - first->at, first->line, first->statement, text };
}
static void put_word(sink *to, const char *operator, long i, long j, const char *word) { put(to, operator, i, j, must_strdup(word)); }

/* ---- operands */

static bool is_operand_end(const c_source *s, long i)
{
    if (i < 0 || token_in(s, i, KEYWORDS)) return false;
    return s->at[i].kind != T_SIGN ? s->at[i].kind != T_DIRECTIVE : token_in(s, i, ") ]");
}

/* Whether the parentheses that end at token i hold a type, as far as one sees: `(double)`, `(const mat *)`. */
static bool is_cast(const c_source *s, long i)
{
    if (!token_is(s, i, ")") || s->at[i].match < 0) return false;
    return token_is(s, i - 1, "*") || token_in(s, i - 1, "double float long int char size_t unsigned uint64_t uint32_t uint16_t uint8_t "
                                                         "int64_t int32_t real ulong slong");
}

static bool is_binary(const c_source *s, long i) { return is_operand_end(s, i - 1) && !is_cast(s, i - 1); }

/* `sums`: + and - and the operators of bits end an operand, too.  Of what has a unary twin only the binary one does. */
static bool ends(const c_source *s, long i, const char *words, bool sums)
{
    const bool word = token_in(s, i, words) || (sums && token_in(s, i, "+ - & | ^"));
    return s->at[i].kind == T_DIRECTIVE || (word && (!token_in(s, i, "+ - & | ^ *") || is_binary(s, i)));
}

/* The first token of the operand left of operator i; the last one of that right of it. */
static long left_of(const c_source *s, long i, const char *words, bool sums)
{
    long k = i;
    while (k > 0 && s->at[k - 1].statement == s->at[i].statement) {
        if (token_in(s, k - 1, ") ] }") && s->at[k - 1].match >= 0) { k = s->at[k - 1].match; continue; }
        if (token_in(s, k - 1, "( [ {") || ends(s, k - 1, words, sums)) break;
        k--;
    }
    return k;
}
static long right_of(const c_source *s, long i, const char *words, bool sums)
{
    long k = i;
    while (k + 1 < s->n && s->at[k + 1].statement == s->at[i].statement) {
        if (token_in(s, k + 1, "( [ {") && s->at[k + 1].match >= 0) { k = s->at[k + 1].match; continue; }
        if (token_in(s, k + 1, ") ] }") || ends(s, k + 1, words, sums)) break;
        k++;
    }
    return k;
}

/* The first of tokens i to j, outside of brackets, that is one of the words and has an operand before it; -1: none. */
static long top(const c_source *s, long i, long j, const char *words)
{
    for (long k = i; k <= j; k++) {
        if (token_in(s, k, "( [ {") && s->at[k].match > k) { k = s->at[k].match; continue; }
        if (k > i && token_in(s, k, words) && is_binary(s, k)) return k;
    }
    return -1;
}
#define RELATIONS "< > <= >= == !="

/* ---- conditions */

static char *negated(const c_source *s, long i, long j)
{
    if (top(s, i, j, "&& || ? = , & | ^") < 0) {
        const long r = top(s, i, j, RELATIONS);
        if (r < 0 && token_is(s, i, "!")) return tokens_text(s, i + 1, j);
        static const char *const other[][2] = { { "<", ">=" }, { ">", "<=" }, { "<=", ">" }, { ">=", "<" }, { "==", "!=" }, { "!=", "==" } };
        for (size_t k = 0; r >= 0 && k < COUNT(other); k++) {
            if (!token_is(s, r, other[k][0])) continue;
            char *a = tokens_text(s, i, r - 1), *b = tokens_text(s, r + 1, j), *text = must_format("%s %s %s", a, other[k][1], b);
            free(a);
            free(b);
            return text;
        }
        if (r < 0 && top(s, i, j, "+ - * / %") < 0) {
            char *a = tokens_text(s, i, j), *text = must_format("!%s", a);
            free(a);
            return text;
        }
    }
    char *a = tokens_text(s, i, j), *text = must_format("!(%s)", a);
    free(a);
    return text;
}

static void condition(sink *to, long i, long j, bool can_be_true)
{
    if (i > j) return;
    put(to, "negate", i, j, negated(to->s, i, j));
    if (!token_in(to->s, i, "0 false") || i < j) put_word(to, "negate", i, j, "false");
    if (can_be_true && (!token_in(to->s, i, "1 true") || i < j)) put_word(to, "negate", i, j, "true");
}

static void heads(sink *to, long i)
{
    const c_source *s = to->s;
    if (!token_is(s, i + 1, "(") || s->at[i + 1].match < 0) return;
    const long first = i + 2, last = s->at[i + 1].match - 1;
    if (token_is(s, i, "if")) condition(to, first, last, true);
    if (token_is(s, i, "while")) condition(to, first, last, false);
    if (!token_is(s, i, "for")) return;
    long semicolon[2], n = 0;
    for (long k = first; k <= last; k++) {
        if (token_in(s, k, "( [ {") && s->at[k].match > k) { k = s->at[k].match; continue; }
        if (token_is(s, k, ";") && n < 2) semicolon[n++] = k;
    }
    if (n == 2) condition(to, semicolon[0] + 1, semicolon[1] - 1, false);
}

/* c ? a : b becomes a, b, and c ? b : a. */
static void ternary(sink *to, long i)
{
    const c_source *s = to->s;
    long colon = i + 1;
    for (long depth = 1; colon < s->n && s->at[colon].statement == s->at[i].statement; colon++) {
        if (token_in(s, colon, "( [ {") && s->at[colon].match > colon) { colon = s->at[colon].match; continue; }
        if (token_in(s, colon, ") ] } ;")) return;
        if (token_is(s, colon, "?")) depth++;
        if (token_is(s, colon, ":") && --depth == 0) break;
    }
    if (!token_is(s, colon, ":")) return;
    const long first = left_of(s, i, ENDS_TERNARY, false);
    long last = right_of(s, colon, ENDS_TERNARY, false);
    while (token_is(s, last + 1, "?")) {                     /* c ? a : d ? b : e */
        long k = last + 1;
        for (long depth = 0; k < s->n; k = right_of(s, k, ENDS_TERNARY, false) + 1) {
            if (token_is(s, k, "?")) depth++;
            else if (token_is(s, k, ":") && depth > 0) depth--;
            else break;
        }
        if (k - 1 <= last) break;
        last = k - 1;
    }
    if (first >= i || colon <= i + 1 || last <= colon) return;
    char *a = tokens_text(s, i + 1, colon - 1), *b = tokens_text(s, colon + 1, last);
    put(to, "negate", i + 1, last, must_format("%s : %s", b, a));
    put(to, "negate", first, last, a);
    put(to, "negate", first, last, b);
}

/* ---- operators */

static void binary(sink *to, long i, const char *operator, const char *words, bool sums, const char *same)
{
    const c_source *s = to->s;
    const long first = left_of(s, i, words, sums), last = right_of(s, i, words, sums);
    if (last > i) put_word(to, operator, i, last, " ");
    if (first < i && !token_in(s, first - 1, same)) put_word(to, operator, first, i, " ");
}

static void operators(sink *to, long i)
{
    static const char *const other[][3] = {
        { "<", "<=", ">" }, { ">", ">=", "<" }, { "<=", "<", ">=" }, { ">=", ">", "<=" }, { "==", "!=" }, { "!=", "==" },
        { "&&", "||" }, { "||", "&&" }, { "+", "-" }, { "-", "+" }, { "*", "/" }, { "/", "*" }, { "%", "/" }, { "<<", ">>" }, { ">>", "<<" },
        { "+=", "-=", "=" }, { "-=", "+=", "=" }, { "*=", "/=", "=" }, { "/=", "*=", "=" }, { "++", "--" }, { "--", "++" }, { "|=", "&=", "=" },
        { "&=", "|=", "=" }, { "&", "|" }, { "|", "&" },
    };
    const c_source *s = to->s;
    const bool infix = is_binary(s, i);
    for (size_t k = 0; k < COUNT(other); k++) {
        if (!token_is(s, i, other[k][0]) || (!infix && !token_in(s, i, "++ --"))) continue;
        const char *operator = token_in(s, i, RELATIONS) ? "relation" : token_in(s, i, "&& ||") ? "logic" : "sign";
        for (int v = 1; v < 3 && other[k][v]; v++) put_word(to, operator, i, i, other[k][v]);
    }
    if (token_is(s, i, "&&")) binary(to, i, "operand", ENDS_AND, false, "&&");
    if (token_is(s, i, "||")) binary(to, i, "operand", ENDS_OR, false, "||");
    if (infix && token_in(s, i, "+ -")) binary(to, i, "operand", ENDS_SUM, true, "+ -");
    if (infix && token_in(s, i, "* / %")) binary(to, i, "operand", ENDS_SUM " * / %", true, "* / %");
    if (!infix && token_in(s, i, "! -") && !token_in(s, i - 1, "!")) put_word(to, "sign", i, i, " ");
    if (token_is(s, i, "?")) ternary(to, i);
}

static void constant(sink *to, long i)
{
    const c_source *s = to->s;
    if (token_is(s, i, "true"))  { put_word(to, "constant", i, i, "false"); return; }
    if (token_is(s, i, "false")) { put_word(to, "constant", i, i, "true"); return; }
    if (s->at[i].kind != T_NUMBER && s->at[i].kind != T_CHARACTER) return;
    char *word = tokens_text(s, i, i), *end;
    errno = 0;
    const unsigned long long value = strtoull(word, &end, 10);
    const bool whole = s->at[i].kind == T_NUMBER && end > word && strspn(end, "uUlL") == strlen(end) && !errno && value < 1ull << 62 &&
                       (word[0] != '0' || end == word + 1);
    if (whole) {
        put(to, "constant", i, i, must_format("%llu%s", value + 1, end));
        if (value) put(to, "constant", i, i, must_format("%llu%s", value - 1, end));
    } else {
        put(to, "constant", i, i, must_format("(%s + 1)", word));
        put(to, "constant", i, i, must_format("(%s - 1)", word));
    }
    free(word);
}

/* ---- calls, indices */

static void arguments(sink *to, long i)
{
    const c_source *s = to->s;
    if (s->at[i].kind != T_WORD || token_in(s, i, KEYWORDS) || !token_is(s, i + 1, "(") || s->at[i + 1].match < 0) return;
    const long close = s->at[i + 1].match;
    long first[2] = { -1, i + 2 }, last = -1;                /* of the argument before, and of this one */
    for (long k = i + 2; k <= close; k++) {
        if (k < close && token_in(s, k, "( [ {") && s->at[k].match > k) { k = s->at[k].match; continue; }
        if (k < close && !token_is(s, k, ",")) continue;
        if (first[0] >= 0 && k > first[1]) {
            char *a = tokens_text(s, first[0], last), *b = tokens_text(s, first[1], k - 1);
            if (strcmp(a, b)) put(to, "arguments", first[0], k - 1, must_format("%s, %s", b, a));
            free(a);
            free(b);
        }
        first[0] = first[1];
        last = k - 1;
        first[1] = k + 1;
    }
}

static void index_of(sink *to, long i)
{
    const c_source *s = to->s;
    const long first = i + 1, last = s->at[i].match - 1;
    if (last < first || !is_operand_end(s, i - 1)) return;
    if (first == last && s->at[first].kind == T_NUMBER) return;      /* a constant */
    char *text = tokens_text(s, first, last);
    put(to, "index", first, last, must_format(top(s, first, last, RELATIONS " && || ? , & | ^ << >> =") < 0 ? "%s + 1" : "(%s) + 1", text));
    put_word(to, "index", first, last, "0");
    free(text);
}

/* ---- statements: tokens i to j */

static void statement(sink *to, long i, long j)
{
    const c_source *s = to->s;
    if (!token_is(s, j, ";") || i == j || token_is(s, i + 1, ":") || s->at[i].declares || s->at[i].kind == T_DIRECTIVE) return;
    put_word(to, "statement", i, j, ";");
    if (!token_is(s, i, "return") || j == i + 1) return;
    if (j > i + 2 || !token_in(s, i + 1, "0 false NULL")) put_word(to, "result", i + 1, j - 1, "0");
    const bool is_truth = top(s, i + 1, j - 1, RELATIONS " && ||") >= 0 || token_is(s, i + 1, "!");
    if (is_truth) {
        put_word(to, "result", i + 1, j - 1, "1");
        put(to, "negate", i + 1, j - 1, negated(s, i + 1, j - 1));
    }
}

mutations mutations_of(const c_source *s)
{
    mutations m = { 0 };
    sink to = { s, &m };
    for (long i = 0, end = 0; i < s->n; i++) {
        const token *t = &s->at[i];
        if (i == end) {
            while (end < s->n && s->at[end].statement == t->statement) end++;
            if (t->in_function) statement(&to, i, end - 1);
        }
        if (t->declares || t->kind == T_DIRECTIVE || t->kind == T_STRING) continue;
        constant(&to, i);
        if (!t->in_function) continue;
        if (token_in(s, i, "if for while")) heads(&to, i);
        else if (token_is(s, i, "[")) index_of(&to, i);
        else if (t->kind == T_SIGN) operators(&to, i);
        else arguments(&to, i);
    }
    return m;
}

void mutations_free(mutations *m)
{
    for (long k = 0; k < m->n; k++) free(m->at[k].text);
    free(m->at);
    *m = (mutations){ 0 };
}

char *mutation_apply(const c_source *s, const mutation *m, size_t *length)
{
    text_buffer b = { 0 };
    text_bytes(&b, s->text, m->at);
    text_add(&b, "%s", m->text);
    text_bytes(&b, s->text + m->at + m->length, s->length - m->at - m->length);
    *length = b.length;
    return text_take(&b);
}
