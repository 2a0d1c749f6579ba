/* SPDX-License-Identifier: GPL-3.0-or-later
 * latex_text.c - text in LaTeX: what must be escaped, and how. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/latex_text.h"
#include "src/report/document/ticks.h"

static void latex_char(FILE *f, char c)
{
    static const struct { char c; const char *latex; } special[] = {
        { '\\', "\\textbackslash{}" }, { '{', "\\{" }, { '}', "\\}" }, { '$', "\\$" }, { '#', "\\#" },
        { '%', "\\%" }, { '&', "\\&" }, { '_', "\\_\\allowbreak{}" }, { '^', "\\textasciicircum{}" },
        { '~', "\\textasciitilde{}" }, { '<', "\\textless{}" }, { '>', "\\textgreater{}" },
        { '|', "\\textbar{}" }, { '"', "''" }, { '-', "-{}" } };
    for (size_t k = 0; k < COUNT(special); k++) if (special[k].c == c) { fputs(special[k].latex, f); return; }
    fputc((unsigned char)c < 128 ? c : '?', f);              /* our texts are ASCII; no surprise may stop TeX */
}

void latex_text(FILE *f, const char *text)
{
    const bool pairs = ticks_pair(text);
    bool code = false;
    for (const char *p = text; p && *p; p++) {
        if (pairs && tick_of_code(text, p)) {
            fputs(code ? "}" : "\\texttt{", f);
            code = !code;
        } else latex_char(f, *p);
    }
}

/* Braces that pair and an even number of dollars: TeX will get to the end of it. */
static bool balanced(const char *text)
{
    long depth = 0, dollars = 0;
    for (const char *p = text; *p; p++) {
        if (*p == '\\') { if (!*++p) return false; continue; }
        depth += (*p == '{') - (*p == '}');
        dollars += *p == '$';
        if (depth < 0) return false;
    }
    return depth == 0 && dollars % 2 == 0;
}

/* A letter that only mathematics may leave unescaped. */
static bool needs_math(char c) { return c == '_' || c == '^' || c == '#' || c == '%' || c == '&'; }

void latex_math(FILE *f, const char *text)
{
    bool math = false;
    if (!text) return;
    if (!balanced(text)) { latex_text(f, text); return; }
    for (const char *p = text; *p; p++) {
        if (*p == '\\') { fputc(*p++, f); fputc(*p, f); continue; }
        if (*p == '$') math = !math;
        if (!math && (needs_math(*p) || (unsigned char)*p > 127)) latex_char(f, *p);
        else fputc((unsigned char)*p < 128 ? *p : '?', f);
    }
}

void latex_mixed(FILE *f, const char *text)
{
    bool math = false;
    if (!text) return;
    if (!balanced(text)) { latex_text(f, text); return; }
    for (const char *p = text; *p; p++) {
        if (*p == '$') math = !math;
        if (math || *p == '$') fputc(*p, f);
        else latex_char(f, *p);
    }
}

/* In quotations formulas are between $ or $$, and asterisks mark emphasis; without their partners they are left out. */
bool latex_emphasis_pairs(const char *text)
{
    bool math = false, open = false;
    for (const char *p = text; *p; p++) {
        if (*p == '$') {
            math = !math;
            p += p[1] == '$';
        } else if (*p == '*' && !math) {
            open = !open;
        }
    }
    return !open;
}

const char *latex_sign(const char *p, size_t *length)
{
    static const struct { const char *sign, *latex; } known[] = {
        { "\u2018", "`" }, { "\u2019", "'" }, { "\u201c", "``" }, { "\u201d", "''" }, { "\u2013", "--" },
        { "\u2014", "---" }, { "\u00e9", "\\'e" }, { "\u03b1", "$\\alpha$" }, { "\u03b5", "$\\varepsilon$" },
        { "\u03c3", "$\\sigma$" }, { "\u03a3", "$\\Sigma$" }, { "\u0398", "$\\Theta$" }, { "\u03d5", "$\\phi$" } };
    for (size_t k = 0; k < COUNT(known); k++) {
        *length = strlen(known[k].sign);
        if (strncmp(p, known[k].sign, *length) == 0) return known[k].latex;
    }
    *length = 1;
    return NULL;
}

/* The length of a group that begins here, with its braces; 0: none that ends, or there is a dollar in it. */
static size_t group(const char *p)
{
    long depth = 0;
    for (const char *at = p; *at && *at != '$'; at++) {
        depth += (*at == '{') - (*at == '}');
        if (depth == 0) return *p == '{' ? (size_t)(at - p) + 1 : 0;
    }
    return 0;
}

static size_t command(const char *p)
{
    size_t n = 1;
    while (*p == '\\' && isalpha((unsigned char)p[n])) n++;
    return n > 1 ? n : 0;
}

size_t latex_bare_formula(const char *p)
{
    size_t n = command(p), more = n;
    for (; more; n += more) {
        const char *at = p + n;
        more = group(at);
        if (*at == '_' || *at == '^') more = isalnum((unsigned char)at[1]) ? 1 : group(at + 1) + command(at + 1);
        more += more && (*at == '_' || *at == '^');
    }
    return p[n] == '{' ? 0 : n;                              /* an argument that never ends */
}

void latex_quoted(FILE *f, const char *text)
{
    const bool tex = balanced(text), marked = tex && latex_emphasis_pairs(text);
    bool math = false, open = false;
    for (const char *p = text; *p; p++) {
        const size_t bare = tex && !math ? latex_bare_formula(p) : 0;
        if (bare) {
            fprintf(f, "$%.*s$", (int)bare, p);
            p += bare - 1;
        } else if (tex && *p == '$') {
            math = !math;
            fputc('$', f);                                   /* a line of its own would tear the words apart */
            p += p[1] == '$';
        } else if (*p == '*' && !math) {
            if (marked) fputs(open ? "}" : "\\emph{", f);
            open = !open;
        } else if ((unsigned char)*p > 127) {
            size_t length;
            const char *latex = latex_sign(p, &length);
            fputs(latex ? latex : "?", f);
            p += length - 1;
        } else if (math) {
            fputc(*p, f);
        } else {
            latex_char(f, *p);
        }
    }
}

void latex_link(FILE *f, const char *text, const char *target)
{
    if (target) fprintf(f, "\\provablylink{%s}{", target);
    latex_text(f, text);
    if (target) fprintf(f, "}");
}

void latex_number(FILE *f, const char *text)
{
    const size_t n = strcspn(text, "e");
    fprintf(f, "$%.*s", (int)n, text);
    if (text[n]) fprintf(f, "{\\cdot}10^{%ld}", strtol(text + n + 1, NULL, 10));
    fputc('$', f);
}
