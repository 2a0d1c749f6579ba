/* papers.h - the four texts whose claims are judged, and sentences quoted from them.
 *
 * A claim quotes what it judges, verbatim, from each version that says it, and the assumptions that the section makes
 * for all of its sentences.  Line breaks are spaces in a quotation; nothing else differs from the text.           */
#ifndef PAPERS_H
#define PAPERS_H
#include <stdbool.h>

/* The four texts, in the order in which they appeared. */
typedef enum { TEXT_001, TEXT_003, TEXT_000, TEXT_002 } paper_text;
enum { TEXTS = 4 };

/* A sentence of a paper, verbatim. */
typedef struct { paper_text in; const char *place; const char *says; } quotation;

typedef struct {
    const char *tag;                     /* "003": in tables and in the words of claims                   */
    const char *paper;                   /* "Karbevski & Mijoski, arXiv:2510.23912"                       */
    const char *version;                 /* "a middle version"; "" where there is but one                 */
    bool formulas_lost;                  /* our copy lacks most of its formulas                           */
} paper_entry;
extern const paper_entry papers[TEXTS];
bool papers_find_tag(paper_text *out, const char *tag);      /* false: no such text, *out stays              */

/* Standing assumptions that several claims share. */
#define W_Q_IS_INVERTIBLE_003 { TEXT_003, "Section 3", "Our results rely on $W_Q \\in \\text{GL}(d)$. This holds for " \
      "almost every square matrix (in the Lebesgue sense) (Vershynin, 2018)" }
#define W_Q_IS_INVERTIBLE_000 { TEXT_000, "Section 3.1", "Our results rely on . This holds for almost every square " \
      "matrix (in the Lebesgue sense) [Vershynin_2018] making it a reasonable assumption." }
#define W_Q_IS_INVERTIBLE W_Q_IS_INVERTIBLE_003, W_Q_IS_INVERTIBLE_000
#define VECTORS_ARE_COLUMNS \
      { TEXT_003, "Appendix C", "In Appendices C–E, we adopt the standard mathematical convention: " \
        "vectors are column vectors and linear maps act by left multiplication (Ax), in contrast to the ML " \
        "convention (xA) used in the main text." }, \
      { TEXT_000, "Section 8.3", "we adopt the standard mathematical convention: vectors are column vectors " \
        "and linear maps act by left multiplication (), in contrast to the ML convention () used in the " \
        "main text." }
#define REMARK_5_IS_INFORMAL \
      { TEXT_003, "Remark 5", "An informal discussion on the approximate linearity of f_M in high dimensions" }, \
      { TEXT_000, "Section 8.3.1", "An informal discussion on the approximate linearity of in high " \
        "dimensions" }
#endif
