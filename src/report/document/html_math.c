/* html_math.c - the LaTeX of statements as readable HTML.
 *
 * A reader of one pass: letters of mathematics become italic, _ and ^ become <sub> and <sup>, known
 * commands become a character, \mathrm{..} and its like keep their argument upright, and a command
 * that is not known is shown as its name.  Whatever comes in, what goes out is well-formed. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/html_text.h"
#include "src/report/document/latex_text.h"

typedef struct { FILE *f; const char *p; bool math, upright, operand; int scripts, depth; } reader;

enum { MAX_DEPTH = 40 };

static const struct { const char *name, *html; bool relation; } symbols[] = {
    { "alpha", "&alpha;", 0 }, { "beta", "&beta;", 0 }, { "gamma", "&gamma;", 0 }, { "delta", "&delta;", 0 },
    { "epsilon", "&epsilon;", 0 }, { "varepsilon", "&epsilon;", 0 }, { "eta", "&eta;", 0 },
    { "theta", "&theta;", 0 }, { "kappa", "&kappa;", 0 }, { "lambda", "&lambda;", 0 }, { "mu", "&mu;", 0 },
    { "nu", "&nu;", 0 }, { "xi", "&xi;", 0 }, { "pi", "&pi;", 0 }, { "rho", "&rho;", 0 },
    { "sigma", "&sigma;", 0 }, { "tau", "&tau;", 0 }, { "phi", "&phi;", 0 }, { "varphi", "&phi;", 0 },
    { "chi", "&chi;", 0 }, { "psi", "&psi;", 0 }, { "omega", "&omega;", 0 }, { "zeta", "&zeta;", 0 },
    { "iota", "&iota;", 0 }, { "ell", "&ell;", 0 }, { "Gamma", "&Gamma;", 0 }, { "Delta", "&Delta;", 0 },
    { "Theta", "&Theta;", 0 }, { "Lambda", "&Lambda;", 0 }, { "Xi", "&Xi;", 0 }, { "Pi", "&Pi;", 0 },
    { "Sigma", "&Sigma;", 0 }, { "Phi", "&Phi;", 0 }, { "Psi", "&Psi;", 0 }, { "Omega", "&Omega;", 0 },
    { "in", "&isin;", 1 }, { "notin", "&notin;", 1 }, { "ni", "&ni;", 1 }, { "ne", "&ne;", 1 },
    { "neq", "&ne;", 1 }, { "le", "&le;", 1 }, { "leq", "&le;", 1 }, { "ge", "&ge;", 1 },
    { "geq", "&ge;", 1 }, { "approx", "&asymp;", 1 }, { "equiv", "&equiv;", 1 }, { "sim", "&sim;", 1 },
    { "cong", "&cong;", 1 }, { "propto", "&prop;", 1 }, { "subset", "&sub;", 1 }, { "subseteq", "&sube;", 1 },
    { "to", "&rarr;", 1 }, { "rightarrow", "&rarr;", 1 }, { "mapsto", "&#8614;", 1 },
    { "Rightarrow", "&rArr;", 1 }, { "iff", "&hArr;", 1 }, { "implies", "&rArr;", 1 }, { "ll", "&#8810;", 1 },
    { "gg", "&#8811;", 1 }, { "succeq", "&#8829;", 1 }, { "preceq", "&#8828;", 1 }, { "mid", "|", 1 },
    { "times", "&times;", 1 }, { "pm", "&plusmn;", 1 }, { "oplus", "&oplus;", 1 }, { "cap", "&cap;", 1 },
    { "cup", "&cup;", 1 }, { "setminus", "&#8726;", 1 }, { "odot", "&#8857;", 1 },
    { "otimes", "&otimes;", 1 }, { "boxtimes", "&#8864;", 1 }, { "circ", "&#8728;", 0 },
    { "cdot", "&sdot;", 0 }, { "top", "&#8868;", 0 },
    { "bot", "&perp;", 0 }, { "perp", "&perp;", 0 }, { "infty", "&infin;", 0 }, { "ldots", "&hellip;", 0 },
    { "dots", "&hellip;", 0 }, { "cdots", "&#8943;", 0 }, { "sum", "&sum;", 0 }, { "prod", "&prod;", 0 },
    { "int", "&int;", 0 }, { "partial", "&part;", 0 }, { "nabla", "&nabla;", 0 }, { "forall", "&forall;", 0 },
    { "exists", "&exist;", 0 }, { "emptyset", "&empty;", 0 }, { "langle", "&lang;", 0 },
    { "rangle", "&rang;", 0 }, { "lfloor", "&lfloor;", 0 }, { "rfloor", "&rfloor;", 0 },
    { "lceil", "&lceil;", 0 }, { "rceil", "&rceil;", 0 }, { "prime", "&prime;", 0 }, { "star", "&#8902;", 0 },
    { "ast", "&lowast;", 0 }, { "quad", "&emsp;", 0 }, { "qquad", "&emsp;&emsp;", 0 }, { "left", "", 0 },
    { "right", "", 0 }, { "big", "", 0 }, { "Big", "", 0 }, { "displaystyle", "", 0 },
    { "lVert", "&#8214;", 0 }, { "rVert", "&#8214;", 0 }, { "Vert", "&#8214;", 0 }, { "vert", "|", 0 },
    { "S", "&sect;", 0 }, { "log", "log ", 0 }, { "exp", "exp ", 0 }, { "det", "det ", 0 },
    { "max", "max ", 0 }, { "min", "min ", 0 }, { "dim", "dim ", 0 }, { "ker", "ker ", 0 },
    { "cos", "cos ", 0 }, { "sin", "sin ", 0 }, { "tanh", "tanh ", 0 }, { "sup", "sup ", 0 },
    { "lim", "lim ", 0 },
};
/* Commands whose argument is put between two pieces of HTML; accents put a combining mark after it. */
static const struct { const char *name, *before, *after; bool upright; } wrappers[] = {
    { "mathrm", "", "", 1 }, { "operatorname", "", "", 1 }, { "text", "", "", 1 }, { "textrm", "", "", 1 },
    { "mathsf", "", "", 1 }, { "mathcal", "<i>", "</i>", 1 }, { "mathbf", "<b>", "</b>", 1 },
    { "boldsymbol", "<b>", "</b>", 0 }, { "textbf", "<b>", "</b>", 1 }, { "emph", "<em>", "</em>", 1 },
    { "textit", "<em>", "</em>", 1 }, { "texttt", "<code>", "</code>", 1 },
    { "mathtt", "<code>", "</code>", 1 }, { "sqrt", "&radic;(", ")", 0 }, { "tilde", "", "&#771;", 0 },
    { "widetilde", "", "&#771;", 0 }, { "hat", "", "&#770;", 0 }, { "widehat", "", "&#770;", 0 },
    { "bar", "", "&#772;", 0 }, { "overline", "", "&#772;", 0 }, { "dot", "", "&#775;", 0 },
    { "vec", "", "&#8407;", 0 },
};

static void item(reader *r);

static void group(reader *r)                       /* up to the closing brace, which it takes */
{
    if (++r->depth > MAX_DEPTH) { r->p += strlen(r->p); return; }
    while (*r->p && *r->p != '}') item(r);
    if (*r->p) r->p++;
    r->depth--;
}

static void argument(reader *r)                    /* a group, or one item */
{
    while (*r->p == ' ') r->p++;
    if (*r->p == '{') { r->p++; group(r); }
    else if (*r->p && *r->p != '}' && *r->p != '$') item(r);
}

static void wrapped(reader *r, const char *before, const char *after, bool upright)
{
    const bool was = r->upright;
    fputs(before, r->f);
    r->upright = was || upright;
    argument(r);
    r->upright = was;
    fputs(after, r->f);
    r->operand = true;
}

static void relation(reader *r, const char *html)  /* spaces around it, but not in a script */
{
    fprintf(r->f, r->scripts ? "%s" : " %s ", html);
    r->operand = false;
}

static void fraction(reader *r)
{
    fputc('(', r->f);
    argument(r);
    fputs(")/(", r->f);
    argument(r);
    fputc(')', r->f);
    r->operand = true;
}

/* The argument of an accent is one letter: \tilde W, \tilde{W}. */
static void command(reader *r)
{
    char name[24];
    size_t n = 0;
    while (isalpha((unsigned char)r->p[n])) n++;
    if (!n) {                                              /* \, \; \{ and the like */
        const char c = *r->p;
        if (c) r->p++;
        if (c == '|') fputs("&#8214;", r->f);
        else if (c == ',' || c == ';' || c == ':' || c == ' ') fputs(r->math ? "&thinsp;" : " ", r->f);
        else if (c == '\\') fputs("<br>", r->f);
        else if (c && c != '!') html_text(r->f, (const char[]){ c, '\0' });
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)n, r->p);
    r->p += n;
    if (strcmp(name, "frac") == 0 || strcmp(name, "tfrac") == 0) { fraction(r); return; }
    if (strcmp(name, "mathbb") == 0) { wrapped(r, "<b class=\"bb\">", "</b>", true); return; }
    for (size_t k = 0; k < COUNT(wrappers); k++)
        if (strcmp(wrappers[k].name, name) == 0) {
            wrapped(r, wrappers[k].before, wrappers[k].after, wrappers[k].upright);
            return;
        }
    for (size_t k = 0; k < COUNT(symbols); k++)
        if (strcmp(symbols[k].name, name) == 0) {
            if (symbols[k].relation) relation(r, symbols[k].html);
            else { fputs(symbols[k].html, r->f); r->operand = true; }
            return;
        }
    fputc(' ', r->f);                                      /* not known: its name */
    html_text(r->f, name);
    fputc(' ', r->f);
    r->operand = true;
}

static void script(reader *r, const char *tag)
{
    fprintf(r->f, "<%s>", tag);
    r->scripts++;
    r->operand = false;
    argument(r);
    r->scripts--;
    r->operand = true;
    fprintf(r->f, "</%s>", tag);
}

static void math_char(reader *r, char c)
{
    const char text[] = { c, '\0' };
    switch (c) {
    case ' ':  if (r->upright) fputc(' ', r->f); return;
    case '=':  relation(r, "="); return;
    case '<':  relation(r, "&lt;"); return;
    case '>':  relation(r, "&gt;"); return;
    case '\'': fputs("&prime;", r->f); return;
    case '~':  fputs("&nbsp;", r->f); return;
    case ',':  fputs(r->scripts ? "," : ", ", r->f); r->operand = false; return;
    case '+':
    case '-':
        if (r->upright && !r->scripts && c == '-') { fputc('-', r->f); return; }
        if (r->operand) relation(r, c == '-' ? "&minus;" : "+");
        else fputs(c == '-' ? "&minus;" : "+", r->f);
        return;
    default:
        if (isalpha((unsigned char)c) && !r->upright) fprintf(r->f, "<i>%c</i>", c);
        else html_text(r->f, text);
        r->operand = c != '(' && c != '[' && c != '|';
    }
}

/* A comma between digits, {,}, and quotes; false: there is none. */
static bool ligature(reader *r)
{
    static const struct { const char *latex, *html; bool math; } known[] = {
        { "{,}", ",", true }, { "``", "&ldquo;", false }, { "''", "&rdquo;", false } };
    for (size_t k = 0; k < COUNT(known); k++) {
        if (r->math != known[k].math || strncmp(r->p, known[k].latex, strlen(known[k].latex)) != 0) continue;
        r->p += strlen(known[k].latex);
        fputs(known[k].html, r->f);
        return true;
    }
    return false;
}

static void item(reader *r)
{
    if (ligature(r)) return;
    const char c = *r->p++;
    if (c == '$')  { r->math = !r->math; r->operand = false; return; }
    if (c == '\\') { command(r); return; }
    if (c == '{')  { group(r); return; }
    if (c == '}')  return;
    if (r->math && (c == '_' || c == '^')) { script(r, c == '_' ? "sub" : "sup"); return; }
    if (r->math) { math_char(r, c); return; }
    if (c == '~') fputs("&nbsp;", r->f);
    else html_text(r->f, (const char[]){ c, '\0' });
}

void html_math(FILE *f, const char *text)
{
    reader r = { .f = f, .p = text ? text : "" };
    while (*r.p) item(&r);
}

void html_mixed(FILE *f, const char *text)
{
    for (const char *p = text; p && *p; ) {
        const char *open = strchr(p, '$'), *close = open ? strchr(open + 1, '$') : NULL;
        char *before = close ? must_format("%.*s", (int)(open - p), p) : must_strdup(p);
        html_text(f, before);
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
        if (close) {
            char *inside = must_format("$%.*s$", (int)(close - p) - (int)n, p + n);
            html_math(f, inside);
            free(inside);
            p = close + (n == 2 && close[1] == '$');
        } else if (*p == '*') {
            if (marked) fputs(open ? "</em>" : "<em>", f);
            open = !open;
        } else {
            html_text(f, (const char[]){ *p, '\0' });
        }
    }
}
