/* SPDX-License-Identifier: GPL-3.0-or-later
 * papers.h - the four texts whose claims are judged, and sentences quoted from them.
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
    const char *called;                  /* "v1": as readers call it, in narrow columns                   */
    const char *paper;                   /* "Karbevski & Mijoski, arXiv:2510.23912"                       */
    const char *version;                 /* "a middle version"; "" where there is but one                 */
    const char *label;                   /* "middle": the same in a word; "" where there is but one       */
    const char *cited;                   /* "Karbevski & Mijoski"                                         */
    const char *authors, *title, *when;  /* title: $...$ is LaTeX; when: dates of the public record       */
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
#define MECHANISM_EXTENDS_001 \
      { TEXT_001, "Section 6", "The reduction mechanism relies solely on linear projection structure and " \
        "therefore extends broadly." }
#define MECHANISM_EXTENDS \
      MECHANISM_EXTENDS_001, \
      { TEXT_003, "Section 6", "The reduction mechanism relies only on linear projection structure and extends to:" }, \
      { TEXT_000, "Section 6", "The reduction mechanism relies only on a linear projection structure and extends " \
        "to:" }
/* Theorem E.1, which two claims judge: its two directions. */
#define ABSORPTION_THEOREM \
      { TEXT_001, "Theorem 8.3", "There exist matrices such that the identity if and only if there exists an " \
        "index set with for which" }, \
      { TEXT_003, "Theorem E.1", "Let $h \\geq 2$ and set $m = 4h$." }, \
      { TEXT_003, "Theorem E.1", "be given matrices with $\\text{rank} W_1 = \\text{rank} W_2 = h$, where W_1 " \
        "consists of pairwise non-collinear, non-zero rows, and W_2 consists of non-zero columns. Denote ReLU " \
        "coordinatewise. There exist matrices $$V_1 \\in \\mathbb{R}^{m \\times h}, \\quad V_2 \\in " \
        "\\mathbb{R}^{h \\times m}$$ such that the identity $$W_2 \\text{ReLU}(W_1 x) + x = V_2 \\text{ReLU}(V_1 " \
        "x) \\quad \\text{holds for all } x \\in \\mathbb{R}^h$$ if and only if there exists an index set $J " \
        "\\subset \\{1, \\dots, m\\}$ with $|J| \\geq h$ for which $$W_2[:, J] W_1[J, :] = -I_h.$$" }, \
      { TEXT_000, "Theorem 8.4", "be given matrices with , where consists of pairwise non-collinear, non-zero " \
        "rows, and consists of non-zero columns. Denote coordinatewise. There exist matrices such that the " \
        "identity if and only if there exists an index set with for which" }
/* Where loss and accuracy disagree, what the second paper takes as its criterion. */
#define LOSS_IS_THE_CRITERION \
      { TEXT_002, "Section 6.2", "However, the fact that the loss, not the accuracy, is explicitly trained justifies " \
        "the arguments via loss rather than accuracy." }
#define NORMALIZATION_IS_RADIAL \
      { TEXT_003, "Remark 5", "On the zero-mean subspace H , the normalization L_ε is a radial map of the form " \
        "$x \\mapsto \\phi(\\|x\\|) \\cdot x$. Since the scaling depends only on $\\|x\\|$, it commutes with any " \
        "orthogonal transformation that preserves H ." }, \
      { TEXT_000, "Section 8.3.1", "On the zero-mean subspace , the normalization is a radial map, i.e., of the " \
        "form for a scalar function . Concretely, . Since the scaling depends only on , it commutes with any " \
        "orthogonal transformation that preserves : , and likewise for ." }
#endif
