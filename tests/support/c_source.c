/* SPDX-License-Identifier: GPL-3.0-or-later
 * c_source.c - the tokens are found in one pass, the statements in another, which keeps a stack of open brackets: a
 * brace opens a block where the token before it ends a head or a statement, and data everywhere else. */
#include "tests/support/c_source.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/memory.h"
#include "src/base/text.h"

static const char *const signs[] = { "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
                                     "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##" };

bool token_is(const c_source *s, long i, const char *word)
{
    return i >= 0 && i < s->n && text_is(s->text + s->at[i].at, s->at[i].length, word);
}

bool token_in(const c_source *s, long i, const char *words)
{
    if (i < 0 || i >= s->n) return false;
    for (const char *w = words; *w;) {
        const size_t n = strcspn(w, " ");
        if (n == s->at[i].length && !memcmp(w, s->text + s->at[i].at, n)) return true;
        w += n + (w[n] == ' ');
    }
    return false;
}

/* ---- tokens */

/* Behind the string or character that begins at k. */
static size_t quoted_end(const char *t, size_t n, size_t k)
{
    const char quote = t[k++];
    while (k < n && t[k] != quote && t[k] != '\n') k += t[k] == '\\' ? 2 : 1;
    return k < n ? k + 1 : n;
}

static size_t comment_end(const char *t, size_t n, size_t k)
{
    if (t[k + 1] == '/') {
        while (k < n && t[k] != '\n') k++;
        return k;
    }
    for (k += 2; k + 1 < n; k++) if (t[k] == '*' && t[k + 1] == '/') return k + 2;
    return n;
}

static bool is_comment(const char *t, size_t n, size_t k)
{
    return t[k] == '/' && k + 1 < n && (t[k + 1] == '*' || t[k + 1] == '/');
}

/* A preprocessor line ends where a line does that no backslash continues; a comment in it may be longer. */
static size_t directive_end(const char *t, size_t n, size_t k)
{
    while (k < n && t[k] != '\n') {
        if (t[k] == '\\') k++;
        else if (t[k] == '"') { k = quoted_end(t, n, k); continue; }
        else if (is_comment(t, n, k)) { k = comment_end(t, n, k); continue; }
        k++;
    }
    return k < n ? k : n;
}

static size_t token_end(const char *t, size_t n, size_t k, token_kind *kind)
{
    size_t end = k;
    if (isalpha((unsigned char)t[k]) || t[k] == '_') {
        while (end < n && (isalnum((unsigned char)t[end]) || t[end] == '_')) end++;
        *kind = T_WORD;
    } else if (isdigit((unsigned char)t[k]) || (t[k] == '.' && k + 1 < n && isdigit((unsigned char)t[k + 1]))) {
        while (end < n && (isalnum((unsigned char)t[end]) || t[end] == '.' ||
                           (strchr("+-", t[end]) && strchr("eEpP", t[end - 1]) &&
                            (strchr("pP", t[end - 1]) || !(end - k > 1 && t[k] == '0' && strchr("xX", t[k + 1])))))) end++;
        *kind = T_NUMBER;
    } else if (t[k] == '"' || t[k] == '\'') {
        end = quoted_end(t, n, k);
        *kind = t[k] == '"' ? T_STRING : T_CHARACTER;
    } else {
        end = k + 1;
        for (size_t i = 0; i < COUNT(signs); i++)
            if (n - k >= strlen(signs[i]) && !memcmp(t + k, signs[i], strlen(signs[i]))) { end = k + strlen(signs[i]); break; }
        *kind = T_SIGN;
    }
    return end;
}

static void scan(c_source *s)
{
    const char *t = s->text;
    long line = 1, capacity = 0;
    bool first = true;                                       /* on its line */
    for (size_t k = 0; k < s->length;) {
        size_t end = k + 1;
        token_kind kind = T_DIRECTIVE;
        bool is_token = false;
        if (t[k] == '\n') first = true;
        else if (is_comment(t, s->length, k)) end = comment_end(t, s->length, k);
        else if (!isspace((unsigned char)t[k]) && t[k] != '\\') {
            end = first && t[k] == '#' ? directive_end(t, s->length, k) : token_end(t, s->length, k, &kind);
            is_token = true;
            first = false;
        }
        if (is_token) {
            if (s->n == capacity) s->at = must_realloc(s->at, (size_t)(capacity = 2 * capacity + 256), sizeof *s->at);
            s->at[s->n++] = (token){ .kind = kind, .at = k, .length = end - k, .line = line, .match = -1 };
        }
        for (; k < end && k < s->length; k++) line += t[k] == '\n';
    }
}

/* ---- statements */

typedef enum { B_FILE, B_BLOCK, B_DATA, B_PARENTHESIS } bracket;

/* Whether the parenthesis that ends at token i is the head of a statement. */
static bool ends_head(const c_source *s, long i)
{
    return token_is(s, i, ")") && token_in(s, s->at[i].match - 1, "if for while switch");
}

/* Likewise before a brace, where a macro may be the head: `EACH(x) {`. */
static bool ends_macro_head(const c_source *s, long i)
{
    if (!token_is(s, i, ")") || s->at[i].match < 2) return false;
    const long before = s->at[i].match - 1;
    return s->at[before].kind == T_WORD && s->at[before - 1].statement != s->at[before].statement;
}

/* Whether the colon at token i ends `case X:` or `default:`. */
static bool ends_label(const c_source *s, long i)
{
    if (!token_is(s, i, ":")) return false;
    for (long k = i - 1; k >= 0 && s->at[k].statement == s->at[i].statement && !token_is(s, k, "?"); k--)
        if (token_in(s, k, "case default")) return true;
    return false;
}

/* A function's body stands behind its parameters, or behind an attribute. */
static bool ends_function_head(const c_source *s, long i)
{
    if (!token_is(s, i, ")") || s->at[i].match < 1) return false;
    const long before = s->at[i].match - 1;
    return s->at[before].kind == T_WORD || token_is(s, before, ")");
}

static bracket brace_of(const c_source *s, long i, bracket outer)
{
    if (outer == B_DATA) return B_DATA;
    if (outer == B_FILE) return ends_function_head(s, i - 1) ? B_BLOCK : s->at[i - 1].kind == T_STRING ? B_FILE : B_DATA;
    if (outer == B_PARENTHESIS) return token_is(s, i - 1, "(") ? B_BLOCK : B_DATA;
    return token_in(s, i - 1, "{ } ; : else do") || ends_macro_head(s, i - 1) ? B_BLOCK : B_DATA;
}

static bool is_type_first(const c_source *s, long i)
{
    if (token_in(s, i, "static const extern struct union enum typedef unsigned signed void char short int long float double "
                       "bool size_t inline register volatile _Static_assert _Thread_local")) return true;
    if (s->at[i].kind != T_WORD ||
        token_in(s, i, "return goto else case default do break continue if for while switch sizeof")) return false;
    long k = i + 1;
    while (token_in(s, k, "* const")) k++;
    return k < s->n && s->at[k].kind == T_WORD && !token_is(s, k, "sizeof") && s->at[k].statement == s->at[i].statement;
}

/* The tokens of declarations that stand before their first `=`, in no initialiser: types, names, sizes of arrays. */
static void mark_declarations(c_source *s)
{
    for (long i = 0, end; i < s->n; i = end) {
        for (end = i + 1; end < s->n && s->at[end].statement == s->at[i].statement; ) end++;
        if (!is_type_first(s, i)) continue;
        for (long k = i; k < end && !token_is(s, k, "="); k++) s->at[k].declares = true;
    }
}

static void find_statements(c_source *s)
{
    long *open = must_calloc((size_t)s->n + 1, sizeof *open), depth = 0, statement = 0;
    bracket *kind = must_calloc((size_t)s->n + 1, sizeof *kind);
    bool begins = true;                                      /* a statement, at the next token */
    kind[0] = B_FILE;
    long blocks = 0;
    for (long i = 0; i < s->n; i++) {
        token *t = &s->at[i];
        const bracket in = kind[depth];
        statement += begins;
        begins = false;
        t->statement = statement;
        t->in_function = blocks > 0;
        if (t->kind == T_DIRECTIVE) {
            begins = in == B_FILE || in == B_BLOCK;
        } else if (token_in(s, i, "( [ {")) {
            const bracket k = token_is(s, i, "{") ? i ? brace_of(s, i, in) : B_DATA : in == B_DATA ? B_DATA : B_PARENTHESIS;
            open[depth++] = i;
            kind[depth] = k;
            if (token_is(s, i, "{") && (k == B_BLOCK || k == B_FILE)) { begins = true; blocks += k == B_BLOCK; }
        } else if (token_in(s, i, ") ] }") && depth > 0) {
            const bool block = kind[depth] == B_BLOCK && token_is(s, i, "}");
            blocks -= kind[depth] == B_BLOCK;
            depth--;
            t->match = open[depth];
            s->at[open[depth]].match = i;
            t->in_function = blocks > 0;
            begins = block || (kind[depth] == B_BLOCK && ends_head(s, i));
        } else if (in == B_FILE || in == B_BLOCK) {
            begins = token_in(s, i, "; else do") || ends_label(s, i);
        }
    }
    free(open);
    free(kind);
    mark_declarations(s);
}

c_source c_source_of(const char *text, size_t length)
{
    c_source s = { .text = text, .length = length };
    scan(&s);
    find_statements(&s);
    return s;
}

void c_source_free(c_source *s)
{
    free(s->at);
    *s = (c_source){ 0 };
}

char *tokens_text(const c_source *s, long i, long j)
{
    text_buffer b = { 0 };
    for (long k = i; k <= j; k++) {
        if (k > i && s->at[k].at > s->at[k - 1].at + s->at[k - 1].length) text_add(&b, " ");
        text_bytes(&b, s->text + s->at[k].at, s->at[k].length);
    }
    return text_take(&b);
}

/* ---- equal programs */

/* The index behind a statement that begins at i: a block, or a simple one; -1 for those with a head of their own. */
static long statement_end(const c_source *s, long i)
{
    if (token_is(s, i, "{")) return s->at[i].match < 0 ? -1 : s->at[i].match + 1;
    if (token_in(s, i, "if for while switch do case default else")) return -1;
    for (; i < s->n && !token_is(s, i, ";"); i++) {
        if (s->at[i].kind == T_DIRECTIVE || token_in(s, i, "} :")) return -1;
        if (token_in(s, i, "( [ {")) { if (s->at[i].match < 0) return -1; i = s->at[i].match; }
    }
    return i < s->n ? i + 1 : -1;
}

static bool is_false(const c_source *s, long i) { return token_in(s, i, "0 false"); }

/* The next token at or behind i that is something; s->n at the end.  `last` is the token before: only where that ends a
 * statement or begins a block is what follows no other statement's body. */
static long something(const c_source *s, long i, const token *last)
{
    if (!last || last->length != 1 || !strchr(";{}", s->text[last->at])) return i;
    while (i < s->n && s->at[i].in_function) {
        if (token_is(s, i, "if") && token_is(s, i + 1, "(") && is_false(s, i + 2) && token_is(s, i + 3, ")")) {
            const long end = statement_end(s, i + 4);
            if (end < 0 || token_is(s, end, "else")) return i;
            i = end;
        } else if (token_is(s, i, ";")) {
            i++;
        } else {
            return i;
        }
    }
    return i;
}

/* Whether token i opens parentheses round a single operand that no cast needs: `!(x)`, `= (x);`. */
static bool is_needless(const c_source *s, long i)
{
    if (!token_is(s, i, "(") || s->at[i].match != i + 2 || i == 0) return false;
    const token *x = &s->at[i + 1];
    return (x->kind == T_WORD || x->kind == T_NUMBER) && s->at[i - 1].kind == T_SIGN && !token_in(s, i - 1, ") ]") &&
           token_in(s, i + 3, ") ; , && || ? : ] < > <= >= == != }");
}

typedef struct { const c_source *s; long i, close; const token *last; int in_for; } walk;

/* The next token of a program, as it counts; -1 at the end. */
static long next(walk *w)
{
    const c_source *s = w->s;
    for (;;) {
        const long i = w->in_for > 0 ? w->i : something(s, w->i, w->last);
        if (i >= s->n) return -1;
        w->i = i + 1;
        if (i == w->close) { w->close = -1; continue; }
        if (is_needless(s, i)) { w->close = s->at[i].match; continue; }
        if (token_is(s, i, "(")) w->in_for++;
        if (token_is(s, i, ")")) w->in_for--;
        w->last = &s->at[i];
        return i;
    }
}

static bool same_token(const c_source *a, long i, const c_source *b, long j)
{
    static const char *const words[] = { "0 false", "1 true" };
    for (size_t k = 0; k < COUNT(words); k++) if (token_in(a, i, words[k]) && token_in(b, j, words[k])) return true;
    return a->at[i].length == b->at[j].length && !memcmp(a->text + a->at[i].at, b->text + b->at[j].at, a->at[i].length);
}

bool c_source_same(const c_source *a, const c_source *b)
{
    walk v = { .s = a, .close = -1 }, w = { .s = b, .close = -1 };
    for (;;) {
        const long i = next(&v), j = next(&w);
        if (i < 0 || j < 0) return i < 0 && j < 0;
        if (!same_token(a, i, b, j)) return false;
    }
}
