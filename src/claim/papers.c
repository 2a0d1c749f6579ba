/* papers.c - what the four texts are called: see papers.h. */
#include <string.h>
#include "src/claim/papers.h"

#define KARBEVSKI "Karbevski & Mijoski"
#define BERMEITINGER "Bermeitinger et al."

const paper_entry papers[TEXTS] = {
    [TEXT_001] = { "001", KARBEVSKI ", arXiv:2510.23912", "first version", "first", KARBEVSKI, true },
    [TEXT_003] = { "003", KARBEVSKI ", arXiv:2510.23912", "a middle version", "middle", KARBEVSKI, false },
    [TEXT_000] = { "000", KARBEVSKI ", arXiv:2510.23912", "latest version", "latest", KARBEVSKI, true },
    [TEXT_002] = { "002", BERMEITINGER ", arXiv:2410.13732", "", "", BERMEITINGER, false },
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
