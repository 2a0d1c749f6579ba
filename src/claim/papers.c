/* SPDX-License-Identifier: GPL-3.0-or-later
 * papers.c - what the four texts are called: see papers.h. */
#include <string.h>
#include "src/claim/papers.h"

#define KARBEVSKI "Karbevski & Mijoski"
#define BERMEITINGER "Bermeitinger et al."
#define BOTH "Marko Karbevski and Antonij Mijoski"
#define TITLE "$W_K$, $W_V$ Is Probably All You Need: On the Necessity of the Query, Key, and Value Weight Triplet in "

const paper_entry papers[TEXTS] = {
    [TEXT_001] = { "001", "v1", KARBEVSKI ", arXiv:2510.23912", "first version", "first", KARBEVSKI, BOTH,
                   TITLE "the Decoder-Only Transformer Architecture", "2025-10-27", true },
    [TEXT_003] = { "003", "mid", KARBEVSKI ", arXiv:2510.23912", "a middle version", "middle", KARBEVSKI, BOTH,
                   TITLE "Self-Attention Transformers", "", false },
    [TEXT_000] = { "000", "v7", KARBEVSKI ", arXiv:2510.23912", "latest version", "latest", KARBEVSKI, BOTH,
                   TITLE "Self-Attention Transformers", "its abstract is that of v7", true },
    [TEXT_002] = { "002", "v1", BERMEITINGER ", arXiv:2410.13732", "", "", BERMEITINGER,
                   "Bernhard Bermeitinger, Tomas Hrycej, Massimo Pavone, Julianus Kath and Siegfried Handschuh",
                   "Reducing the Transformer Architecture to a Minimum", "2024-10-17", false },
};

bool papers_find_tag(paper_text *out, const char *tag)
{
    for (int k = 0; k < TEXTS; k++) {
        if (strcmp(papers[k].tag, tag) != 0) continue;
        *out = (paper_text)k;
        return true;
    }
    return false;
}
