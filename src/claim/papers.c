/* papers.c - what the four texts are called: see papers.h. */
#include <string.h>
#include "src/claim/papers.h"

#define KARBEVSKI "Karbevski & Mijoski, arXiv:2510.23912"

const paper_entry papers[TEXTS] = {
    [TEXT_001] = { "001", KARBEVSKI, "first version", true },
    [TEXT_003] = { "003", KARBEVSKI, "a middle version", false },
    [TEXT_000] = { "000", KARBEVSKI, "latest version", true },
    [TEXT_002] = { "002", "Bermeitinger et al., arXiv:2410.13732", "", false },
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
