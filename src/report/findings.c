/* findings.c - what is true in these papers: sentences for people, each on the verdicts of its rows.
 *
 * reports/findings.csv has lines `about,sentence,rows`: about is theory or experiments; rows, "K-L3.1=PROVED
 * K-R4=CAVEAT", are the claims on which the sentence leans and the verdicts for which it was written.  A run that
 * comes to another verdict fails until somebody has read the sentence again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/csv.h"
#include "src/base/outfile.h"
#include "src/report/book.h"

static const char header[] = "about,sentence,rows";
static const struct { const char *about, *title; } groups[] = {
    { "theory", "The theory" }, { "experiments", "The experiments and the printed numbers" } };

/* The next "K-1=PROVED" of *left, cut in two; false: none is left, or it is not of this form. */
static bool next_row(const char **left, char id[NAME_SIZE], char word[24])
{
    int end = 0;
    *left += strspn(*left, " ");
    if (sscanf(*left, "%15[^= ]=%23[^ ]%n", id, word, &end) != 2) return false;
    *left += end;
    return true;
}

static const char *malformed(const finding *x)
{
    char id[NAME_SIZE], word[24];
    const char *left = x->rows;
    bool known = false;
    for (size_t k = 0; k < COUNT(groups); k++) known |= strcmp(x->about, groups[k].about) == 0;
    if (!known) return "a sentence is about theory or experiments";
    if (!x->sentence[0]) return "the sentence is missing";
    if (!next_row(&left, id, word)) return "a sentence leans on rows, as in K-L3.1=PROVED";
    do if (verdict_of_word(word) == V_NONE) return "there is no such verdict"; while (next_row(&left, id, word));
    return left[strspn(left, " ")] ? "rows are written as K-L3.1=PROVED, separated by spaces" : NULL;
}

findings findings_read(const char *path)
{
    findings all = { 0 };
    FILE *f = fopen(path, "r");
    if (!f && errno == ENOENT) return all;
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    csv_file c = csv_from(f, path, header, "correct the sentence");
    while (csv_next(&c)) {
        finding x = { .about = "" };
        csv_text(&c, 0, x.about, sizeof x.about);
        csv_text(&c, 1, x.sentence, sizeof x.sentence);
        csv_text(&c, 2, x.rows, sizeof x.rows);
        const char *why = malformed(&x);
        if (why) csv_wrong(&c, "%s", why);
        all.at = must_realloc(all.at, (size_t)all.n + 1, sizeof *all.at);
        all.at[all.n++] = x;
    }
    csv_close(&c);
    return all;
}

void findings_free(findings *all)
{
    free(all->at);
    *all = (findings){ 0 };
}

char *findings_problem(const book *b, long *k)
{
    for (; *k < b->found.n; ++*k) {
        const char *left = b->found.at[*k].rows;
        char id[NAME_SIZE], word[24];
        while (next_row(&left, id, word)) {
            const chapter *c = book_find(b, id);
            if (c && c->v.as_stated == verdict_of_word(word)) continue;
            ++*k;
            return must_format("findings.csv:%ld: the sentence was written for %s %s, and %s; read it again",
                               *k + 1, id, word, c ? verdict_word(c->v.as_stated) : "there is no such claim");
        }
    }
    return NULL;
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static bool any_about(const book *b, const char *about)
{
    for (long k = 0; k < b->found.n; k++) if (strcmp(b->found.at[k].about, about) == 0) return true;
    return false;
}

void findings_latex(const book *b, const char *out)
{
    outfile o = out_open(out, "findings.tex");
    if (b->found.n && !b->partial) fprintf(o.f, "\\section*{What is true in these papers}\n");
    for (size_t g = 0; g < COUNT(groups) && !b->partial; g++) {
        if (!any_about(b, groups[g].about)) continue;
        fprintf(o.f, "\\subsection*{%s}\n\\begin{enumerate}[itemsep=2pt]\n", groups[g].title);
        for (long k = 0; k < b->found.n; k++) {
            const finding *x = &b->found.at[k];
            const char *left = x->rows;
            char id[NAME_SIZE], word[24];
            if (strcmp(x->about, groups[g].about) != 0) continue;
            fprintf(o.f, "\\item ");
            latex_math(o.f, x->sentence);
            while (next_row(&left, id, word)) {
                const chapter *c = book_find(b, id);
                const bool linked = c && c->own.n;
                fprintf(o.f, " \\mbox{%s", linked ? "\\hyperref[claim:" : "");
                if (linked) fprintf(o.f, "%s]{", id);
                latex_plain(o.f, id);
                fprintf(o.f, "%s~\\verdict{%s}}", linked ? "}" : "", c ? verdict_word(c->v.as_stated) : word);
            }
            fprintf(o.f, "\n");
        }
        fprintf(o.f, "\\end{enumerate}\n");
    }
    outfile_close(&o);
}

void findings_html(FILE *f, const book *b)
{
    if (!b->found.n || b->partial) return;
    fprintf(f, "<h2 id=\"findings\">What is true in these papers</h2>\n");
    for (size_t g = 0; g < COUNT(groups); g++) {
        if (!any_about(b, groups[g].about)) continue;
        fprintf(f, "<h4>%s</h4>\n<ol class=\"findings\">\n", groups[g].title);
        for (long k = 0; k < b->found.n; k++) {
            const finding *x = &b->found.at[k];
            const char *left = x->rows;
            char id[NAME_SIZE], word[24];
            if (strcmp(x->about, groups[g].about) != 0) continue;
            fprintf(f, "<li>");
            html_math(f, x->sentence);
            while (next_row(&left, id, word)) {
                const chapter *c = book_find(b, id);
                fprintf(f, " <span class=\"row\">");
                if (c && c->own.n) fprintf(f, "<a href=\"#%s\">%s</a> ", c->id, c->id);
                else { html_plain(f, id); fprintf(f, " "); }
                html_verdict(f, b, c ? c->v.as_stated : verdict_of_word(word));
                fprintf(f, "</span>");
            }
            fprintf(f, "</li>\n");
        }
        fprintf(f, "</ol>\n");
    }
}
