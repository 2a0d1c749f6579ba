/* audit.h - `provably audit`: the printed numbers recounted, and a described model counted. */
#ifndef AUDIT_H
#define AUDIT_H
#include "src/report/book.h"

typedef struct {
    const char *model;                   /* a file, or the name of a built-in model; NULL: the printed numbers */
    const char *claim;                   /* only this claim's numbers; NULL: all                               */
    bool describe;                       /* with model: write its description instead of counting              */
} audit_options;
int audit_print(const audit_options *o);                    /* 0; dies (exit 2) on bad input                    */

bool audit_table(FILE *f, const char *only);               /* false: no such claim                             */
void audit_csv  (const char *out);                         /* OUT/audit.csv                                    */
void audit_latex(const book *b, const char *out);          /* OUT/audit.tex, OUT/audit-macros.tex              */
void audit_html (FILE *f, const book *b);
#endif
