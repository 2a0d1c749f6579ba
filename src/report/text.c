/* text.c - the same words in CSV, LaTeX and HTML: what must be escaped, and how. */
#include <ctype.h>
#include <string.h>
#include "src/report/book.h"

/* ---- LaTeX ----------------------------------------------------------------------------------- */

static void latex_char(FILE *f, char c)
{
    static const struct { char c; const char *latex; } special[] = {
        { '\\', "\\textbackslash{}" }, { '{', "\\{" }, { '}', "\\}" }, { '$', "\\$" }, { '#', "\\#" },
        { '%', "\\%" }, { '&', "\\&" }, { '_', "\\_\\allowbreak{}" }, { '^', "\\textasciicircum{}" },
        { '~', "\\textasciitilde{}" }, { '<', "\\textless{}" }, { '>', "\\textgreater{}" },
        { '|', "\\textbar{}" }, { '"', "\\textquotedbl{}" }, { '-', "-{}" } };
    for (size_t k = 0; k < COUNT(special); k++) if (special[k].c == c) { fputs(special[k].latex, f); return; }
    fputc((unsigned char)c < 128 ? c : '?', f);              /* our texts are ASCII; no surprise may stop TeX */
}

void latex_plain(FILE *f, const char *text)
{
    for (const char *p = text; p && *p; p++) latex_char(f, *p);
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
    if (!balanced(text)) { latex_plain(f, text); return; }
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
    if (!balanced(text)) { latex_plain(f, text); return; }
    for (const char *p = text; *p; p++) {
        if (*p == '$') math = !math;
        if (math || *p == '$') fputc(*p, f);
        else latex_char(f, *p);
    }
}

/* In quotations formulas stand in $ or $$, and asterisks mark emphasis; without their partners they are left out. */
bool emphasis_pairs(const char *text)
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

void latex_quoted(FILE *f, const char *text)
{
    const bool tex = balanced(text), marked = tex && emphasis_pairs(text);
    bool math = false, open = false;
    for (const char *p = text; *p; p++) {
        if (tex && *p == '$') {
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

/* ---- a terminal ------------------------------------------------------------------------------ */

/* The letters of a command, without those that only change a font or an accent. */
static size_t ascii_command(char *to, size_t size, const char *name, size_t length)
{
    static const char *const dropped[] = {
        "mathrm", "text", "operatorname", "tilde", "hat", "bar", "left", "right", "emph" };
    for (size_t k = 0; k < COUNT(dropped); k++)
        if (strlen(dropped[k]) == length && strncmp(dropped[k], name, length) == 0) return 0;
    const size_t n = length < size ? length : size;
    memcpy(to, name, n);
    return n;
}

/* "$W_Q^i \\in \\mathrm{GL}(d)$" -> "W_Q^i in GL(d)": dollars, fonts and accents go, names stay. */
void ascii_math(char *to, size_t size, const char *text)
{
    size_t n = 0;
    while (*text && n + 1 < size) {
        const bool command = *text == '\\' && text[1];
        size_t letters = 0;
        while (command && isalpha((unsigned char)text[1 + letters])) letters++;
        if (letters) n += ascii_command(to + n, size - 1 - n, text + 1, letters);
        else if (command) to[n++] = strchr(",;:! ", text[1]) ? ' ' : text[1];
        else if (!strchr("${}", *text)) to[n++] = *text;
        text += command ? 1 + (letters ? letters : 1) : 1;
    }
    to[n] = '\0';
}

/* ---- titles of the index: plain words, but for names such as W_Q and d_k^2 ------------------- */

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '^') n++;
    return n;
}

char *title_math(const char *title)
{
    const size_t size = 6 * strlen(title) + 1;                     /* each _x grows by four at most */
    char *to = must_calloc(size, 1);
    size_t used = 0;
    for (const char *p = title; *p; ) {
        const size_t n = word_length(p), under = strcspn(p, "_");
        const bool math = under > 0 && under + 1 < n;
        if (!math) {
            const size_t plain = n ? n : 1;
            memcpy(to + used, p, plain);
            used += plain;
            p += plain;
            continue;
        }
        const char *sub = p + under + 1;
        size_t script = 0;
        while (isalnum((unsigned char)sub[script])) script++;
        used += (size_t)snprintf(to + used, size - used, "$%.*s_{%.*s}%.*s$", (int)under, p, (int)script, sub,
                                 (int)(n - under - 1 - script), sub + script);
        p += n;
    }
    return to;
}

/* ---- HTML ------------------------------------------------------------------------------------ */

void html_plain(FILE *f, const char *text)
{
    for (const char *p = text; p && *p; p++)
        switch (*p) {
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '&': fputs("&amp;", f); break;
        case '"': fputs("&quot;", f); break;
        default:  fputc(*p, f);
        }
}
