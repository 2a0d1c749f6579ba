/* SPDX-License-Identifier: GPL-3.0-or-later
 * html_math.c - the LaTeX of statements in HTML: a formula that is one line of letters, signs and scripts is text with
 * <i>, <sub> and <sup>; any other, with accents, fractions, roots or a script above another, is MathML.
 *
 * A formula in MathML has three times the elements of the same one in text, and most formulas are of one line.  Both
 * are set in the same fonts by the page's style sheet, letters in the italics of a text font: the italic letters of
 * mathematics have code points of their own, which many machines have no font for.
 *
 * A recursive reader: text is escaped, what stands between $ is a formula.  There an atom is a letter, a number, an
 * operator, a command or a group, and takes the scripts that follow it.  A command that is not known is shown as its
 * name.  Whatever comes in, what goes out is well-formed. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/html_text.h"
#include "src/report/document/latex_text.h"

/* operand: something that a sign can follow stands before; upright: letters are set as words */
typedef struct { FILE *f; const char *p; bool operand, upright; int depth; } reader;

enum { MAX_DEPTH = 40 };

/* A SIGN is an operator that stands tight in text. */
typedef enum { LETTER, UPRIGHT, OPERATOR, SIGN, FENCE, FUNCTION, NOTHING } symbol_kind;
static const struct { const char *name, *shown; symbol_kind kind; } symbols[] = {
    { "alpha", "\u03b1", LETTER }, { "beta", "\u03b2", LETTER }, { "gamma", "\u03b3", LETTER },
    { "delta", "\u03b4", LETTER }, { "epsilon", "\u03b5", LETTER }, { "varepsilon", "\u03b5", LETTER },
    { "zeta", "\u03b6", LETTER }, { "eta", "\u03b7", LETTER }, { "theta", "\u03b8", LETTER },
    { "iota", "\u03b9", LETTER }, { "kappa", "\u03ba", LETTER }, { "lambda", "\u03bb", LETTER },
    { "mu", "\u03bc", LETTER }, { "nu", "\u03bd", LETTER }, { "xi", "\u03be", LETTER }, { "pi", "\u03c0", LETTER },
    { "rho", "\u03c1", LETTER }, { "sigma", "\u03c3", LETTER }, { "tau", "\u03c4", LETTER },
    { "phi", "\u03c6", LETTER }, { "varphi", "\u03c6", LETTER }, { "chi", "\u03c7", LETTER },
    { "psi", "\u03c8", LETTER }, { "omega", "\u03c9", LETTER }, { "ell", "\u2113", LETTER },
    { "Gamma", "\u0393", UPRIGHT }, { "Delta", "\u0394", UPRIGHT }, { "Theta", "\u0398", UPRIGHT },
    { "Lambda", "\u039b", UPRIGHT }, { "Xi", "\u039e", UPRIGHT }, { "Pi", "\u03a0", UPRIGHT },
    { "Sigma", "\u03a3", UPRIGHT }, { "Phi", "\u03a6", UPRIGHT }, { "Psi", "\u03a8", UPRIGHT },
    { "Omega", "\u03a9", UPRIGHT }, { "top", "\u22a4", UPRIGHT }, { "bot", "\u22a5", UPRIGHT },
    { "infty", "\u221e", UPRIGHT }, { "ldots", "\u2026", UPRIGHT }, { "dots", "\u2026", UPRIGHT },
    { "cdots", "\u22ef", UPRIGHT }, { "emptyset", "\u2205", UPRIGHT }, { "partial", "\u2202", UPRIGHT },
    { "nabla", "\u2207", UPRIGHT }, { "S", "\u00a7", UPRIGHT }, { "checkmark", "\u2713", UPRIGHT },
    { "in", "\u2208", OPERATOR }, { "notin", "\u2209", OPERATOR }, { "ni", "\u220b", OPERATOR },
    { "ne", "\u2260", OPERATOR }, { "neq", "\u2260", OPERATOR }, { "le", "\u2264", OPERATOR },
    { "leq", "\u2264", OPERATOR }, { "ge", "\u2265", OPERATOR }, { "geq", "\u2265", OPERATOR },
    { "approx", "\u2248", OPERATOR }, { "equiv", "\u2261", OPERATOR }, { "sim", "\u223c", OPERATOR },
    { "cong", "\u2245", OPERATOR }, { "propto", "\u221d", OPERATOR }, { "subset", "\u2282", OPERATOR },
    { "subseteq", "\u2286", OPERATOR }, { "to", "\u2192", OPERATOR }, { "rightarrow", "\u2192", OPERATOR },
    { "mapsto", "\u21a6", OPERATOR }, { "leftrightarrow", "\u2194", OPERATOR },
    { "Rightarrow", "\u21d2", OPERATOR }, { "iff", "\u21d4", OPERATOR },
    { "implies", "\u21d2", OPERATOR }, { "ll", "\u226a", OPERATOR }, { "gg", "\u226b", OPERATOR },
    { "succeq", "\u227d", OPERATOR }, { "preceq", "\u227c", OPERATOR }, { "mid", "\u2223", OPERATOR },
    { "perp", "\u22a5", OPERATOR }, { "times", "\u00d7", OPERATOR }, { "pm", "\u00b1", OPERATOR },
    { "oplus", "\u2295", OPERATOR }, { "cap", "\u2229", OPERATOR }, { "cup", "\u222a", OPERATOR },
    { "setminus", "\u2216", OPERATOR }, { "odot", "\u2299", OPERATOR }, { "otimes", "\u2297", OPERATOR },
    { "boxtimes", "\u22a0", OPERATOR }, { "circ", "\u2218", SIGN }, { "cdot", "\u22c5", SIGN },
    { "star", "\u22c6", SIGN }, { "ast", "\u2217", SIGN }, { "sum", "\u2211", SIGN },
    { "prod", "\u220f", SIGN }, { "int", "\u222b", SIGN }, { "forall", "\u2200", SIGN },
    { "exists", "\u2203", SIGN }, { "prime", "\u2032", SIGN },
    { "langle", "\u27e8", FENCE }, { "rangle", "\u27e9", FENCE }, { "lfloor", "\u230a", FENCE },
    { "rfloor", "\u230b", FENCE }, { "lceil", "\u2308", FENCE }, { "rceil", "\u2309", FENCE },
    { "lVert", "\u2016", FENCE }, { "rVert", "\u2016", FENCE }, { "Vert", "\u2016", FENCE },
    { "vert", "|", FENCE },
    { "log", "log", FUNCTION }, { "exp", "exp", FUNCTION }, { "det", "det", FUNCTION }, { "max", "max", FUNCTION },
    { "min", "min", FUNCTION }, { "dim", "dim", FUNCTION }, { "ker", "ker", FUNCTION }, { "cos", "cos", FUNCTION },
    { "sin", "sin", FUNCTION }, { "tanh", "tanh", FUNCTION }, { "sup", "sup", FUNCTION }, { "lim", "lim", FUNCTION },
    { "quad", "\u2003", FUNCTION }, { "qquad", "\u2003\u2003", FUNCTION }, { "left", "", NOTHING },
    { "right", "", NOTHING }, { "big", "", NOTHING }, { "Big", "", NOTHING }, { "bigl", "", NOTHING },
    { "bigr", "", NOTHING }, { "displaystyle", "", NOTHING } };

/* Marks above a letter or a word. */
static const struct { const char *name, *mark; } accents[] = {
    { "tilde", "~" }, { "widetilde", "~" }, { "hat", "^" }, { "widehat", "^" }, { "bar", "\u00af" },
    { "overline", "\u00af" }, { "dot", "\u02d9" }, { "vec", "\u2192" } };

/* Commands for the look of their argument: what stands around it in text, and whether its letters are a word in
 * mathematics; bold is of the alphabet that mathematics sets in bold. */
static const struct { const char *name, *before, *after; bool word, bold; } looks[] = {
    { "mathrm", "", "", 1, 0 }, { "operatorname", "", "", 1, 0 }, { "text", "", "", 1, 0 },
    { "textrm", "", "", 1, 0 }, { "mathsf", "", "", 1, 0 }, { "mathcal", "<i>", "</i>", 0, 0 },
    { "mathbf", "<b>", "</b>", 1, 1 }, { "mathbb", "<b>", "</b>", 1, 1 }, { "boldsymbol", "<b>", "</b>", 0, 1 },
    { "textbf", "<b>", "</b>", 1, 1 }, { "emph", "<em>", "</em>", 0, 0 }, { "textit", "<em>", "</em>", 0, 0 },
    { "texttt", "<code>", "</code>", 1, 0 }, { "mathtt", "<code>", "</code>", 1, 0 } };

/* ---- what both modes share ---- */

/* What is written between begin and end is kept aside, to be freed. */
typedef struct { FILE *f, *was; char *text; size_t size; } aside;

static void aside_begin(aside *a, reader *r)
{
    *a = (aside){ .was = r->f };
    a->f = open_memstream(&a->text, &a->size);
    if (!a->f) die("out of memory");
    r->f = a->f;
}

static void aside_end(aside *a, reader *r)
{
    if (fclose(a->f)) die("out of memory");
    r->f = a->was;
}

/* The letters after a backslash, which it takes; "": a sign follows. */
static void command_name(reader *r, char name[24])
{
    size_t n = 0;
    while (isalpha((unsigned char)r->p[n])) n++;
    snprintf(name, 24, "%.*s", (int)n, r->p);
    r->p += n;
}

/* A whole character of UTF-8, escaped. */
static void write_char(reader *r)
{
    char c[5] = { *r->p++ };
    for (size_t n = 1; n < 4 && ((unsigned char)*r->p & 0xc0) == 0x80; n++) c[n] = *r->p++;
    html_text(r->f, c);
}

static bool begins(const reader *r, const char *with) { return strncmp(r->p, with, strlen(with)) == 0; }

/* ---- mathematics ---- */

static void atom(reader *r);
static void nucleus(reader *r);

/* Atoms up to the end of the group or of the formula; returns how many elements they are. */
static long row(reader *r)
{
    long n = 0;
    if (++r->depth > MAX_DEPTH) r->p += strlen(r->p);
    for (; *r->p && *r->p != '}' && *r->p != '$'; n++) {
        const char *from = r->p;
        aside one;
        aside_begin(&one, r);
        atom(r);
        aside_end(&one, r);
        if (!one.size) n--;                                        /* a command that shows nothing */
        fputs(one.text, r->f);
        free(one.text);
        REQUIRE(r->p > from, "nothing of `%.20s` was read", from);
    }
    r->depth--;
    return n;
}

/* An argument as one element: a group, or what stands here, without scripts: x_a^b is x with two scripts. */
static void argument(reader *r)
{
    aside one;
    long n = 1;
    aside_begin(&one, r);
    while (*r->p == ' ') r->p++;
    if (*r->p == '{') {
        r->p++;
        r->operand = false;
        n = row(r);
        if (*r->p == '}') r->p++;
    } else if (*r->p && *r->p != '}' && *r->p != '$') {
        const char *from = r->p;
        if (isdigit((unsigned char)*from)) fprintf(r->f, "<mn>%c</mn>", *r->p++);          /* x^23 is x^2 3 */
        else nucleus(r);
    }
    aside_end(&one, r);
    fprintf(r->f, n == 1 && one.size ? "%s" : "<mrow>%s</mrow>", one.text);
    free(one.text);
}

static void letters(reader *r, bool bold)
{
    fprintf(r->f, bold ? "<mtext class=\"bb\">" : "<mtext>");
    while (isalpha((unsigned char)*r->p)) fputc(*r->p++, r->f);
    fputs("</mtext>", r->f);
    r->operand = true;
}

/* An argument of letters, digits and spaces is one word; any other is read with its letters upright. */
static void word(reader *r, bool bold)
{
    while (*r->p == ' ') r->p++;
    const size_t n = *r->p == '{' ? strcspn(r->p + 1, "\\_^${}") : 0;
    if (n && r->p[1 + n] == '}') {
        char *inside = must_format("%.*s", (int)n, r->p + 1);
        fprintf(r->f, bold ? "<mtext class=\"bb\">" : "<mtext>");
        for (const char *c = inside; *c; c++) {
            if (*c == ' ') fputs("\u00a0", r->f);
            else html_text(r->f, (const char[]){ *c, '\0' });
        }
        fputs("</mtext>", r->f);
        free(inside);
        r->p += n + 2;
        r->operand = true;
        return;
    }
    if (isalpha((unsigned char)*r->p)) {
        fprintf(r->f, bold ? "<mtext class=\"bb\">%c</mtext>" : "<mtext>%c</mtext>", *r->p++);
        r->operand = true;
        return;
    }
    const bool was = r->upright;
    r->upright = true;
    argument(r);
    r->upright = was;
}

static void operator_sign(reader *r, const char *shown)
{
    const bool sign = strcmp(shown, "\u2212") == 0 || strcmp(shown, "+") == 0 || strcmp(shown, "\u00b1") == 0;
    fprintf(r->f, "<mo%s>%s</mo>", sign && !r->operand ? " form=\"prefix\"" : "", shown);
    r->operand = false;
}

static void fence(reader *r, const char *shown, bool closes)
{
    fprintf(r->f, "<mo stretchy=\"false\">%s</mo>", shown);
    r->operand = closes;
}

static void two_arguments(reader *r, const char *tag)
{
    fprintf(r->f, "<%s>", tag);
    argument(r);
    argument(r);
    fprintf(r->f, "</%s>", tag);
    r->operand = true;
}

static void symbol(reader *r, const char *shown, symbol_kind kind)
{
    switch (kind) {
    case LETTER:   fprintf(r->f, "<mi>%s</mi>", shown); break;
    case UPRIGHT:  fprintf(r->f, "<mi mathvariant=\"normal\">%s</mi>", shown); break;
    case OPERATOR:
    case SIGN:     operator_sign(r, shown); return;
    case FENCE:    fence(r, shown, strcmp(shown, "\u27e8") != 0); return;
    case FUNCTION: fprintf(r->f, "<mtext>%s\u2009</mtext>", shown); r->operand = false; return;
    case NOTHING:  return;
    }
    r->operand = true;
}

static void math_command(reader *r)
{
    char name[24];
    command_name(r, name);
    if (!*name) {                                              /* \, \; \{ and the like */
        const char c = *r->p;
        if (!c) return;
        r->p++;
        if (c == '|') fence(r, "\u2016", true);
        else if (c == '{' || c == '}') fence(r, c == '{' ? "{" : "}", c == '}');
        else if (!strchr(",;:! \\", c)) {
            fputs("<mtext>", r->f);
            html_text(r->f, (const char[]){ c, '\0' });
            fputs("</mtext>", r->f);
        }
        return;
    }
    if (strcmp(name, "frac") == 0 || strcmp(name, "tfrac") == 0) { two_arguments(r, "mfrac"); return; }
    if (strcmp(name, "sqrt") == 0) {
        fputs("<msqrt>", r->f);
        argument(r);
        fputs("</msqrt>", r->f);
        r->operand = true;
        return;
    }
    for (size_t k = 0; k < COUNT(accents); k++)
        if (strcmp(accents[k].name, name) == 0) {
            fputs("<mover accent=\"true\">", r->f);
            argument(r);
            fprintf(r->f, "<mo stretchy=\"false\">%s</mo></mover>", accents[k].mark);
            r->operand = true;
            return;
        }
    for (size_t k = 0; k < COUNT(looks); k++)
        if (strcmp(looks[k].name, name) == 0) {
            if (looks[k].word) word(r, looks[k].bold);
            else argument(r);
            return;
        }
    for (size_t k = 0; k < COUNT(symbols); k++)
        if (strcmp(symbols[k].name, name) == 0) {
            symbol(r, symbols[k].shown, symbols[k].kind);
            return;
        }
    fprintf(r->f, "<mtext>%s</mtext>", name);
    r->operand = true;
}

static void number(reader *r)
{
    fputs("<mn>", r->f);
    while (isdigit((unsigned char)*r->p) || (*r->p == '.' && isdigit((unsigned char)r->p[1])) || begins(r, "{,}")) {
        if (*r->p == '{') r->p += 3, fputc(',', r->f);
        else fputc(*r->p++, r->f);
    }
    fputs("</mn>", r->f);
    r->operand = true;
}

/* An atom without its scripts. */
static void nucleus(reader *r)
{
    const char c = *r->p;
    if (c == '{') { argument(r); return; }
    if (isdigit((unsigned char)c)) { number(r); return; }
    if (isalpha((unsigned char)c) && r->upright) { letters(r, false); return; }
    if (c == '_' || c == '^') { fputs("<mrow></mrow>", r->f); return; }
    if (c == '\\') { r->p++; math_command(r); return; }
    if (c == '(' || c == '[' || c == '|' || c == ')' || c == ']') {
        r->p++;
        fence(r, (const char[]){ c, '\0' }, c != '(' && c != '[');
        return;
    }
    if (strchr("=<>+-,;:/*!", c)) {
        r->p++;
        operator_sign(r, c == '-' ? "\u2212" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : (const char[]){ c, '\0' });
        r->operand = c == '!';
        return;
    }
    if (c == ' ' || c == '~' || c == '&') { r->p++; return; }
    fputs(isalpha((unsigned char)c) || (unsigned char)c >= 0x80 ? "<mi>" : "<mtext>", r->f);
    write_char(r);
    fputs(isalpha((unsigned char)c) || (unsigned char)c >= 0x80 ? "</mi>" : "</mtext>", r->f);
    r->operand = true;
}

/* The scripts at r->p as elements, to be freed; NULL: there is none of that side.  A prime is a superscript. */
static void scripts(reader *r, char *at[2])
{
    at[0] = at[1] = NULL;
    const bool was = r->operand;
    for (;;) {
        while (*r->p == ' ' && (r->p[1] == '_' || r->p[1] == '^')) r->p++;
        const bool prime = *r->p == '\'';
        const int side = *r->p == '_' ? 0 : 1;
        if ((*r->p != '_' && *r->p != '^' && !prime) || at[side]) break;
        aside one;
        r->p++;
        aside_begin(&one, r);
        r->operand = false;
        if (prime) {
            fputs("<mo>\u2032", r->f);
            for (; *r->p == '\''; r->p++) fputs("\u2032", r->f);
            fputs("</mo>", r->f);
        } else argument(r);
        aside_end(&one, r);
        at[side] = one.text;
    }
    r->operand = was;
}

static void atom(reader *r)
{
    aside one;
    char *script[2];
    aside_begin(&one, r);
    nucleus(r);
    aside_end(&one, r);
    if (!one.size) {
        free(one.text);
        return;
    }
    scripts(r, script);
    const char *tag = script[0] && script[1] ? "msubsup" : script[0] ? "msub" : script[1] ? "msup" : NULL;
    if (!tag) fputs(one.text, r->f);
    else fprintf(r->f, "<%s>%s%s%s</%s>", tag, one.text, script[0] ? script[0] : "", script[1] ? script[1] : "", tag);
    free(script[0]);
    free(script[1]);
    free(one.text);
}

/* ---- formulas of one line ---- */

typedef struct { reader *r; bool italic; } line_writer;

static void line_italic(line_writer *w, bool italic)
{
    if (w->italic != italic) fputs(italic ? "<i>" : "</i>", w->r->f);
    w->italic = italic;
}

static long symbol_of(const char *name)
{
    for (size_t k = 0; k < COUNT(symbols); k++) if (strcmp(symbols[k].name, name) == 0) return (long)k;
    return -1;
}

/* "\mathrm{GL}", "\text{rank}": a command, past which *p is moved, with a plain word in braces. */
static bool is_word(const char **p)
{
    for (size_t k = 0; k < COUNT(looks); k++) {
        const size_t n = strlen(looks[k].name);
        if (!looks[k].word || strncmp(*p, looks[k].name, n) != 0 || isalpha((unsigned char)(*p)[n])) continue;
        const char *from = *p + n + strspn(*p + n, " ");
        if (*from != '{') { *p = from; return isalpha((unsigned char)*from) != 0; }
        const size_t inside = strcspn(from + 1, "\\_^${}");
        *p = from + 1 + inside;
        return **p == '}';
    }
    return false;
}

/* From p to the $ or the end, or to the } of a script: are there only letters, signs, words and single scripts? */
static bool is_one_line(const char *p, bool script)
{
    bool scripted = false;
    while (*p && *p != '$' && !(script && *p == '}')) {
        const char c = *p++;
        if (c == '_' || c == '^' || c == '\'') {
            if (script || scripted) return false;
            scripted = true;
            if (c == '\'') continue;
            if (*p == '{') {
                if (!is_one_line(p + 1, true)) return false;
                while (*p != '}') p++;                             /* there is one, and no group inside */
                p++;
            } else if (isalnum((unsigned char)*p)) p++;
            else if (*p == '\\') {
                char name[24];
                reader r = { .p = p + 1 };
                command_name(&r, name);
                const long k = symbol_of(name);
                if (k < 0 || symbols[k].kind == NOTHING) return false;
                p = r.p;
            } else return false;
            continue;
        }
        scripted = false;
        if (c == '{' && strncmp(p, ",}", 2) == 0) p += 2;
        else if (c == '{' || c == '}') return false;
        else if (c == '\\') {
            char name[24];
            reader r = { .p = p };
            command_name(&r, name);
            if (!*name) {
                if (!*p || *p == '\\') return false;
                p++;
            } else if (symbol_of(name) >= 0) p = r.p;
            else if (!is_word(&p)) return false;
            else if (*p == '}') p++;
            else p += isalpha((unsigned char)*p) != 0;
        }
    }
    return *p == '$' || (script && *p == '}');
}

static void line_sign(line_writer *w, const char *shown, bool spaced)
{
    line_italic(w, false);
    fprintf(w->r->f, spaced ? " %s " : "%s", shown);
}

static void line_items(line_writer *w, bool script);

/* Is the script at p italic throughout, one letter or letters in braces? */
static bool is_italic_script(const char *p)
{
    if (*p != '{') return isalpha((unsigned char)*p) != 0;
    const char *from = ++p;
    while (isalpha((unsigned char)*p)) p++;
    return p > from && *p == '}';
}

/* An italic letter shares its <i> with an italic script; before any other script it is closed, as what opens before
 * <sub> may not close inside. */
static void line_script(line_writer *w, const char *tag)
{
    reader *r = w->r;
    if (!is_italic_script(r->p)) line_italic(w, false);
    fprintf(r->f, "<%s>", tag);
    const bool was = w->italic, operand = r->operand;
    r->operand = false;
    if (*r->p == '{') {
        r->p++;
        line_items(w, true);
        r->p++;
    } else if (isdigit((unsigned char)*r->p)) fputc(*r->p++, r->f);
    else {
        const char *p = r->p, keep[] = { *p, '\0' };
        if (*p != '\\') {
            line_italic(w, true);
            fputs(keep, r->f);
            r->p++;
        } else {
            char name[24];
            r->p++;
            command_name(r, name);
            line_italic(w, false);
            fputs(symbols[symbol_of(name)].shown, r->f);
        }
    }
    line_italic(w, was);
    fprintf(r->f, "</%s>", tag);
    r->operand = operand;
}

static void line_command(line_writer *w, bool script)
{
    reader *r = w->r;
    char name[24];
    command_name(r, name);
    if (!*name) {
        const char c = *r->p++;
        line_italic(w, false);
        if (c == '|') fputs("\u2016", r->f);
        else if (!strchr(",;:! ", c)) html_text(r->f, (const char[]){ c, '\0' });
        return;
    }
    const long k = symbol_of(name);
    if (k >= 0) {
        const symbol_kind kind = symbols[k].kind;
        line_italic(w, kind == LETTER);
        if (kind == OPERATOR) line_sign(w, symbols[k].shown, !script);
        else fprintf(r->f, kind == FUNCTION ? "%s " : "%s", symbols[k].shown);
        r->operand = kind != OPERATOR && kind != SIGN;
        return;
    }
    for (size_t i = 0; i < COUNT(looks); i++) {
        if (strcmp(looks[i].name, name) != 0) continue;
        const size_t n = *(r->p += strspn(r->p, " ")) == '{' ? strcspn(r->p + 1, "}") : 0;
        line_italic(w, false);
        char *inside = must_format("%.*s", *r->p == '{' ? (int)n : 1, *r->p == '{' ? r->p + 1 : r->p);
        fputs(looks[i].before, r->f);
        html_text(r->f, inside);
        fputs(looks[i].after, r->f);
        r->p += *r->p == '{' ? n + 2 : 1;
        free(inside);
    }
    r->operand = true;
}

/* What is_one_line has seen. */
static void line_items(line_writer *w, bool script)
{
    reader *r = w->r;
    while (*r->p && *r->p != '$' && *r->p != '}') {
        const char c = *r->p;
        if (isalpha((unsigned char)c) || (unsigned char)c >= 0x80) {
            line_italic(w, true);
            write_char(r);
            r->operand = true;
            continue;
        }
        r->p++;
        if (c == '_') line_script(w, "sub");
        else if (c == '^') line_script(w, "sup");
        else if (c == '\\') line_command(w, script);
        else if (c == ' ' || c == '&') continue;
        else if (c == '{') r->p += 2, fputc(',', r->f);            /* {,} between digits */
        else if (c == '~') line_sign(w, "\u00a0", false);
        else if (c == '\'') line_sign(w, "\u200a\u2032", false);          /* clear of the italic letter */
        else if (c == ',') line_sign(w, script ? "," : ", ", false), r->operand = false;
        else if (c == '=' || c == '<' || c == '>') {
            line_sign(w, c == '<' ? "&lt;" : c == '>' ? "&gt;" : "=", !script);
            r->operand = false;
        } else if (c == '+' || c == '-') {
            line_sign(w, c == '-' ? "\u2212" : "+", r->operand && !script);
            r->operand = false;
        } else {
            line_sign(w, (const char[]){ c, '\0' }, false);
            r->operand = c != '(' && c != '[';
        }
    }
}

/* From after the $ to the one that closes it, or to the end. */
static void formula(reader *r)
{
    r->operand = r->upright = false;
    if (is_one_line(r->p, false)) {
        line_writer w = { .r = r };
        line_items(&w, false);
        line_italic(&w, false);
    } else {
        fputs("<math>", r->f);
        while (*r->p && *r->p != '$') {
            row(r);
            if (*r->p == '}') r->p++;                              /* one that closes nothing */
        }
        fputs("</math>", r->f);
    }
    if (*r->p) r->p++;
}

/* ---- text ---- */

static void text_item(reader *r);

static void text_group(reader *r)                  /* up to the closing brace, which it takes */
{
    if (++r->depth > MAX_DEPTH) r->p += strlen(r->p);
    while (*r->p && *r->p != '}') text_item(r);
    if (*r->p) r->p++;
    r->depth--;
}

static void text_argument(reader *r)
{
    while (*r->p == ' ') r->p++;
    if (*r->p == '{') {
        r->p++;
        text_group(r);
    } else if (*r->p && *r->p != '}') text_item(r);
}

static void text_command(reader *r)
{
    char name[24];
    command_name(r, name);
    if (!*name) {
        const char c = *r->p;
        if (c) r->p++;
        if (c == ',' || c == ';' || c == ':' || c == ' ') fputs(c == ',' ? "\u2009" : " ", r->f);
        else if (c == '\\') fputs("<br>", r->f);
        else if (c && c != '!') html_text(r->f, (const char[]){ c, '\0' });
        return;
    }
    for (size_t k = 0; k < COUNT(looks); k++)
        if (strcmp(looks[k].name, name) == 0) {
            fputs(looks[k].before, r->f);
            text_argument(r);
            fputs(looks[k].after, r->f);
            return;
        }
    for (size_t k = 0; k < COUNT(symbols); k++)
        if (strcmp(symbols[k].name, name) == 0) {
            fputs(symbols[k].shown, r->f);
            return;
        }
    fprintf(r->f, " %s ", name);                               /* not known: its name */
}

static void text_item(reader *r)
{
    const char c = *r->p;
    if (begins(r, "``") || begins(r, "''")) {
        fputs(c == '`' ? "\u201c" : "\u201d", r->f);
        r->p += 2;
    } else if (c == '$' || c == '\\' || c == '{' || c == '}' || c == '~') {
        r->p++;
        if (c == '$') formula(r);
        else if (c == '\\') text_command(r);
        else if (c == '{') text_group(r);
        else if (c == '~') fputs("\u00a0", r->f);
    } else write_char(r);
}

void html_math(FILE *f, const char *text)
{
    reader r = { .f = f, .p = text ? text : "" };
    while (*r.p) text_item(&r);
}

/* The end of a word in `...'; NULL: none begins at p. */
static const char *quote_end(const char *p)
{
    if (*p != '`') return NULL;
    for (p++; *p && *p != '`'; p++) if (*p == '\'' && !isalnum((unsigned char)p[1])) return p;
    return NULL;
}

/* Text with `...' as quotation marks. */
static void html_single_quoted(FILE *f, const char *text)
{
    for (const char *p = text, *end; *p; p++) {
        if (!(end = quote_end(p))) {
            html_text(f, (const char[]){ *p, '\0' });
            continue;
        }
        char *inside = must_format("%.*s", (int)(end - p - 1), p + 1);
        fputs("&lsquo;", f);
        html_text(f, inside);
        fputs("&rsquo;", f);
        free(inside);
        p = end;
    }
}

void html_mixed(FILE *f, const char *text)
{
    for (const char *p = text; p && *p; ) {
        const char *open = strchr(p, '$'), *close = open ? strchr(open + 1, '$') : NULL;
        char *before = close ? must_format("%.*s", (int)(open - p), p) : must_strdup(p);
        html_single_quoted(f, before);
        free(before);
        if (!close) return;
        char *inside = must_format("%.*s", (int)(close - open + 1), open);
        html_math(f, inside);
        free(inside);
        p = close + 1;
    }
}

void html_quoted(FILE *f, const char *text)
{
    const bool marked = latex_emphasis_pairs(text);
    bool open = false;
    for (const char *p = text; *p; p++) {
        const size_t n = *p != '$' ? 0 : p[1] == '$' ? 2 : 1;
        const char *close = n ? strchr(p + n, '$') : NULL;
        const size_t bare = latex_bare_formula(p);
        if (close) {
            char *inside = must_format("$%.*s$", (int)(close - p) - (int)n, p + n);
            html_math(f, inside);
            free(inside);
            p = close + (n == 2 && close[1] == '$');
        } else if (bare) {
            char *inside = must_format("$%.*s$", (int)bare, p);
            html_math(f, inside);
            free(inside);
            p += bare - 1;
        } else if (*p == '*') {
            if (marked) fputs(open ? "</em>" : "<em>", f);
            open = !open;
        } else {
            html_text(f, (const char[]){ *p, '\0' });
        }
    }
}
