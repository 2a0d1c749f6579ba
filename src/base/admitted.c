/* SPDX-License-Identifier: GPL-3.0-or-later
 * admitted.c - see admitted.h. */
#include "src/base/admitted.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "src/base/escape.h"

bool admitted_program(const char *name)
{
    return *name && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

/* How many bytes of a name begin here; 0: none does. */
static size_t name_length(const char *name)
{
    const char *p = name;
    while (isalnum((unsigned char)*p) || (*p && strchr("-._+=", *p))) p++;
    return isalnum((unsigned char)*name) && p - name < 128 ? (size_t)(p - name) : 0;
}

bool admitted_name(const char *name)
{
    const size_t n = name_length(name);
    return n && !name[n] && !strstr(name, "..");
}

bool admitted_path(const char *path)
{
    if (strstr(path, "..")) return false;
    for (size_t n; (n = name_length(path)); path += n + 1) if (path[n] != '/') return !path[n];
    return false;
}

bool admitted_label(const char *text)
{
    for (; *text; text++) if (*text < 32 || *text > 126 || strchr("'\"`\\$", *text)) return false;
    return true;
}

/* Commands that write a sign, place one, or set words in a style; all that our texts use, and their like. */
static const char *const commands[] = {
    "Big", "Delta", "Gamma", "Lambda", "Leftarrow", "Omega", "Phi", "Pi", "Psi", "Rightarrow", "Sigma", "Theta",
    "Vert", "Xi", "alpha", "angle", "approx", "arccos", "arg", "ast", "bar", "beta", "big", "bigl", "bigoplus",
    "bigr", "binom", "bmod", "bot", "boxtimes", "cap", "cdot", "cdots", "checkmark", "chi", "circ", "colon",
    "cong", "cos", "cup", "dagger", "delta", "det", "dfrac", "dim", "dot", "dots", "ell", "emph", "emptyset",
    "epsilon", "equiv", "eta", "exists", "exp", "forall", "frac", "gamma", "gcd", "ge", "geq", "gg", "hat",
    "iff", "implies", "in", "inf", "infty", "int", "kappa", "ker", "lVert", "lambda", "langle", "lceil",
    "ldots", "le", "left", "leftarrow", "leftrightarrow", "leq", "lfloor", "lim", "liminf", "limsup", "ll",
    "ln", "log", "mapsto", "mathbb", "mathbf", "mathbin", "mathcal", "mathrel", "mathrm", "mathsf", "max",
    "mid", "min", "mu", "nabla", "ne", "neq", "ni", "not", "notin", "nu", "odot", "omega", "operatorname",
    "oplus", "otimes", "overline", "parallel", "partial", "perp", "phi", "pi", "pm", "prime", "prod", "propto",
    "psi", "qquad", "quad", "rVert", "rangle", "rceil", "rfloor", "rho", "right", "rightarrow", "setminus",
    "sigma", "sim", "sin", "sqrt", "star", "subset", "sum", "sup", "tan", "tanh", "tau", "text", "textbf",
    "textit", "textsuperscript", "texttt", "tfrac", "theta", "tilde", "times", "to", "top", "underline",
    "varepsilon", "varphi", "vec", "vee", "vert", "wedge", "widetilde", "xi", "zeta" };
static const char signs[] = "{}|%,;:! _&#$'";            /* the commands of one sign: \{, \%, ... */

static bool known_command(const char *word, size_t n)
{
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
        if (strlen(commands[k]) == n && strncmp(commands[k], word, n) == 0) return true;
    return false;
}

const char *admitted_latex(const char *text, char *fault, size_t size)
{
    for (const char *p = text; *p; p++) {
        char shown[SHOWN_LONGEST];
        if (*p >= ' ' && *p <= '~' && *p != '\\' && *p != '^') continue;          /* most of them */
        const size_t length = shown_character(shown, p);
        if (strlen(shown) != length || memcmp(shown, p, length) != 0) {
            snprintf(fault, size, "the character %s, which commands a terminal or is no text", shown);
            return fault;
        }
        p += length - 1;
        if (p[0] == '^' && p[1] == '^') {
            snprintf(fault, size, "^^, which writes a character by its number in TeX");
            return fault;
        }
        if (*p != '\\') continue;
        size_t n = 0;
        while (isalpha((unsigned char)p[1 + n])) n++;
        const bool known = n ? known_command(p + 1, n) : p[1] && strchr(signs, p[1]);
        if (!known) {
            snprintf(fault, size, "the command \\%.*s of TeX, which is not among those allowed in a text",
                     n ? (int)(n < 40 ? n : 40) : 1, p + 1);
            return fault;
        }
        p += n ? n : 1;
    }
    return NULL;
}
