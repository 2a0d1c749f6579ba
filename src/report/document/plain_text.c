/* SPDX-License-Identifier: GPL-3.0-or-later
 * plain_text.c - see plain_text.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/plain_text.h"

/* ---- LaTeX as a reader would type it ----------------------------------------------------------------------- */

typedef struct { const char *name, *text; } command;
/* The text that is left, and whether it is between dollars, where _ and ^ have arguments. */
typedef struct { const char *at; bool math; int table; } latex;      /* table: depth of matrices and cases */

static const char *command_text(const char *name, size_t length)
{
    static const command known[] = {
        { "mathrm", "" }, { "mathbb", "" }, { "mathbf", "" }, { "mathcal", "" }, { "text", "" }, { "operatorname", "" },
        { "emph", "" }, { "left", "" }, { "right", "" }, { "top", "T" }, { "le", "<=" }, { "leq", "<=" },
        { "ge", ">=" },
        { "geq", ">=" }, { "ne", "!=" }, { "neq", "!=" }, { "times", "x" }, { "cdot", "." }, { "cdots", "..." },
        { "dots", "..." }, { "ldots", "..." }, { "to", "->" }, { "mapsto", "->" }, { "rightarrow", "->" },
        { "leftrightarrow", "<->" }, { "implies", "=>" }, { "approx", "~" }, { "sim", "~" }, { "gg", ">>" },
        { "ll", "<<" }, { "infty", "infinity" }, { "notin", "not in" }, { "varepsilon", "eps" }, { "varphi", "phi" },
        { "mid", "|" }, { "pm", "+-" }, { "quad", " " }, { "checkmark", "yes" }, { "ell", "l" }, { "ni", "contains" },
        { "odot", "*" }, { "circ", "o" }, { "forall", "for all" },
        { "exists", "there is" }, { "subset", "within" }, { "subseteq", "within" }, { "setminus", "without" },
        { "cup", "union" }, { "cap", "intersected with" }, { "emptyset", "{}" }, { "otimes", "(x)" },
        { "boxtimes", "[x]" }, { "oplus", "(+)" }, { "bmod", "mod" }, { "langle", "<" }, { "rangle", ">" },
        { "partial", "d" }, { "prime", "'" }, { "star", "*" }, { "ast", "*" }, { "iff", "<=>" },
        { "Rightarrow", "=>" }, { "equiv", "is identical to" }, { "propto", "~" }, { "vdots", "..." },
        { "ddots", "..." },
        { "lVert", "||" }, { "rVert", "||" }, { "Vert", "||" }, { "lvert", "|" }, { "rvert", "|" }, { "qquad", " " },
        { "big", "" }, { "Big", "" }, { "bigl", "" }, { "bigr", "" }, { "Bigl", "" }, { "Bigr", "" },
        { "mathsf", "" }, { "mathit", "" }, { "mathfrak", "" }, { "boldsymbol", "" }, { "displaystyle", "" },
        { "textbf", "" }, { "textit", "" }, { "texttt", "" }, { "textrm", "" }, { "mathbin", "" },
        { "lfloor", "floor(" },
        { "rfloor", ")" }, { "lceil", "ceil(" }, { "rceil", ")" } };
    for (size_t k = 0; k < COUNT(known); k++) if (text_is(name, length, known[k].name)) return known[k].text;
    return NULL;
}

static void add_until(text_buffer *to, latex *l, bool braces);

/* The next group {...}, command or letter, to be freed. */
static char *take_argument(latex *l)
{
    text_buffer part = { 0 };
    l->at += strspn(l->at, " ");
    if (*l->at == '{') {
        l->at++;
        add_until(&part, l, true);
    } else if (*l->at == '\\' && isalpha((unsigned char)l->at[1])) {
        size_t n = 1;
        while (isalpha((unsigned char)l->at[n])) n++;
        char *name = must_format("%.*s", (int)n, l->at);
        latex alone = { name, l->math, l->table };
        add_until(&part, &alone, false);
        free(name);
        l->at += n;
    } else if (*l->at) text_bytes(&part, l->at++, 1);
    return text_take(&part);
}

/* -1, W, i1: a sign may come first, then only letters, digits and _; or one character. */
static bool one_word(const char *text)
{
    if (text[0] && !text[1]) return true;
    for (const char *p = text + (*text == '-'); *p; p++) if (!isalnum((unsigned char)*p) && *p != '_') return false;
    return true;
}

static void add_argument(text_buffer *to, latex *l, const char *after)
{
    char *part = take_argument(l);
    text_add(to, one_word(part) ? "%s%s" : "(%s)%s", part, after);
    free(part);
}

/* \begin{pmatrix} and \end{pmatrix}, their names being passed: a matrix is written (a, b; c, d). */
static void add_table_bound(text_buffer *to, latex *l, bool begins)
{
    char *kind = take_argument(l);
    if (begins && strcmp(kind, "array") == 0) free(take_argument(l));           /* its columns */
    l->table += begins ? 1 : l->table > 0 ? -1 : 0;
    const char *bounds = strcmp(kind, "bmatrix") == 0 ? "[]" : strcmp(kind, "cases") == 0 ? "{}" : "()";
    text_bytes(to, bounds + !begins, 1);
    free(kind);
}

/* A command, its backslash being passed: letters, or one other character. */
static void add_command(text_buffer *to, latex *l)
{
    const char *name = l->at;
    size_t n = 0;
    while (isalpha((unsigned char)name[n])) n++;
    l->at += n ? n : 1;
    const char *known = command_text(name, n);
    if (!n && *name == '\\') text_add(to, l->table ? "; " : " ");                 /* the end of a line */
    else if (!n && *name == '|') text_add(to, "||");
    else if (!n) text_add(to, "%c", strchr(",;:! ", *name) ? ' ' : *name);
    else if (text_is(name, n, "begin") || text_is(name, n, "end")) add_table_bound(to, l, *name == 'b');
    else if (known) text_add(to, "%s", known);
    else if (text_is(name, n, "tilde") || text_is(name, n, "widetilde")) add_argument(to, l, "~");
    else if (text_is(name, n, "hat") || text_is(name, n, "bar") || text_is(name, n, "dot")
             || text_is(name, n, "widehat") || text_is(name, n, "overline")
             || text_is(name, n, "vec")) add_argument(to, l, "^");
    else if (text_is(name, n, "sqrt")) {
        char *part = take_argument(l);
        text_add(to, "sqrt(%s)", part);
        free(part);
    } else if (text_is(name, n, "frac") || text_is(name, n, "tfrac") || text_is(name, n, "dfrac")) {
        add_argument(to, l, "/");
        add_argument(to, l, "");
    } else text_bytes(to, name, n);
}

static bool letter_at_end(const text_buffer *to)
{
    return to->length && isalnum((unsigned char)to->at[to->length - 1]);
}

/* What a command gives begins with a letter, too: a blank keeps them apart, "h\varepsilon" -> "h eps". */
static void add_apart(text_buffer *to, latex *l)
{
    text_buffer part = { 0 };
    add_command(&part, l);
    const bool apart = letter_at_end(to) && part.length && isalpha((unsigned char)part.at[0]);
    if (!part.length && to->length && strchr(" (", to->at[to->length - 1])) l->at += strspn(l->at, " ");
    char *text = text_take(&part);
    text_add(to, "%s%s", apart ? " " : "", text);
    free(text);
}

static bool begins_word(const char *text)
{
    return isalnum((unsigned char)*text) || strncmp(text, "\\mathrm{", 8) == 0 || strncmp(text, "\\text{", 6) == 0
        || strncmp(text, "\\frac", 5) == 0;
}

/* Up to the closing brace, which is passed, or to the end. */
static void add_until(text_buffer *to, latex *l, bool braces)
{
    while (*l->at) {
        const char c = *l->at++;
        if (c == '}' && braces) return;
        if (c == '$') l->math = !l->math;
        else if (c == '&' && l->table) text_add(to, ", ");
        else if (!l->math && (c == '`' || c == '\'') && *l->at == c) text_bytes(to, "\"", 1), l->at++;      /* quotes */
        else if (c == '\\' && *l->at) add_apart(to, l);
        else if (l->math && (c == '_' || c == '^')) {
            text_add(to, "%c", c);
            add_argument(to, l, "");
            if (begins_word(l->at)) text_add(to, " ");                         /* "W_2W_1" -> "W_2 W_1" */
        } else if (c == '{') add_until(to, l, true);
        else if (c != '}') text_bytes(to, &c, 1);
    }
}

char *latex_as_text(const char *text)
{
    text_buffer to = { 0 };
    latex l = { text, false, 0 };
    add_until(&to, &l, false);
    return text_take(&to);
}

/* Without the stars around *emphasis*. */
char *quotation_as_text(const char *text)
{
    text_buffer bare = { 0 };
    bool math = false, emphasis = false;
    for (const char *p = text; *p; p++) {
        if (*p == '$') math = !math;
        const bool opens = *p == '*' && !emphasis && strchr(p + 1, '*') && !isspace((unsigned char)p[1]);
        const bool star = *p == '*' && !math && (opens || emphasis);
        if (star) emphasis = !emphasis;
        else text_bytes(&bare, p, 1);
    }
    char *plain = latex_as_text(bare.at ? bare.at : "");
    text_clear(&bare);
    return plain;
}

/* ---- lines ------------------------------------------------------------------------------------------------- */

static char *span_as_text(const doc_span *s, unsigned writer)
{
    if (s->kind == SPAN_DASH) return must_strdup(writer == TO_DATA ? "" : "-");
    if (s->kind == SPAN_POWER) return must_format("2^%s", s->text);
    if (s->kind == SPAN_NEWLINE) return must_strdup("\n");
    if (writer == TO_TERMINAL && s->kind == SPAN_QUOTED) return quotation_as_text(s->text);
    if (writer == TO_TERMINAL && (s->kind == SPAN_LATEX || s->kind == SPAN_MIXED)) return latex_as_text(s->text);
    return must_strdup(s->text);
}

char *plain_text(const doc_line *l, unsigned writer)
{
    text_buffer all = { 0 };
    for (long k = 0; k < l->n; k++) {
        if (!doc_is_for(l->at[k].to, writer)) continue;
        char *text = span_as_text(&l->at[k], writer);
        text_add(&all, "%s", text);
        free(text);
    }
    return text_take(&all);
}
