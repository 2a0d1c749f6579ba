/* SPDX-License-Identifier: GPL-3.0-or-later
 * markup.c - see markup.h. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "src/base/base.h"
#include "tests/support/markup.h"

enum { DEEPEST = 64, NAME = 24, ATTRIBUTES = 32 };
typedef struct {
    const char *at;
    char open[DEEPEST][NAME];
    int depth;
    char *fault;
} markup;

static bool one_of(const char *name, const char *list)            /* " br img " */
{
    char spaced[NAME + 2];
    snprintf(spaced, sizeof spaced, " %s ", name);
    return strstr(list, spaced) != NULL;
}

static bool inside(const markup *m, const char *name)
{
    for (int k = 0; k < m->depth; k++) if (strcmp(m->open[k], name) == 0) return true;
    return false;
}

static bool wrong(markup *m, const char *says, const char *name)
{
    if (!m->fault)
        m->fault = must_format("%s `%s` at: %.60s", says, name, m->at);
    return false;
}

/* "&amp;", "&#8212;": at the &. */
static bool reference(markup *m)
{
    static const char known[] = " amp lt gt quot ldquo rdquo lsquo rsquo ndash mdash nbsp hellip middot times minus rarr larr ";
    char name[NAME] = "";
    const char *p = m->at + 1;
    if (*p == '#') {
        const size_t n = strspn(p + 1, "0123456789");
        if (!n || p[1 + n] != ';') return wrong(m, "a reference that is none", "&#");
        m->at = p + n + 2;
        return true;
    }
    size_t n = 0;
    while (n < NAME - 1 && isalnum((unsigned char)p[n])) n++;
    memcpy(name, p, n);
    if (!n || p[n] != ';' || !one_of(name, known)) return wrong(m, "a reference that is none", name);
    m->at = p + n + 1;
    return true;
}

static bool take_name(markup *m, char name[NAME])
{
    size_t n = 0;
    while (n < NAME - 1 && (isalnum((unsigned char)m->at[n]) || (n && strchr("-:_", m->at[n]) && m->at[n]))) n++;
    memcpy(name, m->at, n);
    name[n] = '\0';
    m->at += n;
    return n > 0 && isalpha((unsigned char)name[0]);
}

/* The attributes up to > or />, which are left. */
static bool attributes(markup *m)
{
    char seen[ATTRIBUTES][NAME];
    for (int n = 0; ; n++) {
        const size_t blank = strspn(m->at, " \n");
        if (m->at[blank] == '>' || m->at[blank] == '/') { m->at += blank; return true; }
        m->at += blank;
        if (!blank || n == ATTRIBUTES || !take_name(m, seen[n])) return wrong(m, "no attribute", "");
        for (int k = 0; k < n; k++) if (strcmp(seen[k], seen[n]) == 0) return wrong(m, "an attribute twice:", seen[n]);
        if (*m->at != '=') continue;                                            /* "open", "hidden" */
        const char quote = m->at[1];
        if (quote != '"' && quote != '\'') return wrong(m, "an attribute without quotes:", seen[n]);
        for (m->at += 2; *m->at != quote; ) {
            if (!*m->at || *m->at == '<') return wrong(m, "an attribute does not end:", seen[n]);
            if (*m->at == '&' ? !reference(m) : (m->at++, false)) return false;
        }
        m->at++;
    }
}

static bool begins(markup *m, const char *name)
{
    static const char alone[] = " br meta link input hr img wbr ",
        blocks[] = " p pre div table dl ol ul h1 h2 h3 h4 details figure form section ", foreign[] = " svg math ";
    if (one_of(name, blocks) && inside(m, "p")) return wrong(m, "a paragraph holds", name);
    if (one_of(name, blocks) && inside(m, "pre")) return wrong(m, "a listing holds", name);
    if (!attributes(m)) return false;
    const bool empty = *m->at == '/', drawn = inside(m, "svg") || inside(m, "math") || one_of(name, foreign);
    m->at += empty;
    if (*m->at != '>') return wrong(m, "a tag does not end:", name);
    m->at++;
    if (one_of(name, alone)) return true;
    if (empty) return drawn || wrong(m, "no element ends by />:", name);
    if (m->depth == DEEPEST) return wrong(m, "too deep:", name);
    memcpy(m->open[m->depth++], name, NAME);
    if (strcmp(name, "script") != 0 && strcmp(name, "style") != 0) return true;
    char *end = must_format("</%s>", name);
    const char *at = strstr(m->at, end);
    free(end);
    if (!at) return wrong(m, "is not closed:", name);
    m->at = at;
    return true;
}

static bool ends(markup *m, const char *name)
{
    const char *is = m->depth ? m->open[m->depth - 1] : "nothing";
    if (strcmp(is, name) != 0 || *m->at != '>') {
        if (!m->fault) m->fault = must_format("<%s> is ended by </%s> at: %.60s", is, name, m->at);
        return false;
    }
    m->at++;
    m->depth--;
    return true;
}

static bool tag(markup *m)
{
    char name[NAME] = "";
    if (strncasecmp(m->at, "<!doctype html>", 15) == 0) { m->at += 15; return true; }
    if (strncmp(m->at, "<?xml ", 6) == 0 || strncmp(m->at, "<!--", 4) == 0) {
        const char *end = strstr(m->at, m->at[1] == '?' ? "?>" : "-->");
        if (!end) return wrong(m, "does not end:", "<");
        m->at = strchr(end, '>') + 1;
        return true;
    }
    const bool closes = m->at[1] == '/';
    m->at += 1 + closes;
    if (!take_name(m, name)) return wrong(m, "no tag:", name);
    return closes ? ends(m, name) : begins(m, name);
}

char *markup_fault(const char *text)
{
    markup m = { .at = text };
    while (*m.at && !m.fault) {
        if (*m.at == '<') tag(&m);
        else if (*m.at == '&') reference(&m);
        else if ((unsigned char)*m.at < ' ' && !strchr("\n\t", *m.at)) wrong(&m, "a control character", "");
        else m.at++;
    }
    if (!m.fault && m.depth) wrong(&m, "is not closed:", m.open[m.depth - 1]);
    return m.fault;
}
