/* paper_names.c - our files call four texts 001, 003, 000 and 002; people do not.  On the page a tag becomes a name:
 * "003 Theorem 4.4" is "middle version, Theorem 4.4", "Section 3 of 003" is "Section 3 of the middle version".
 *
 * A tag stands alone: 0.003, 1,000 and K-E1-001 have none. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/text.h"
#include "src/claim/papers.h"
#include "src/report/sections/sections.h"

enum { TAG = 3 };

/* Does a place in the text follow: "Theorem 4.4", "Table 2", "5.1", "abstract"? */
static bool place_follows(const char *p)
{
    static const char *const words[] = { "Theorem", "Thm", "Lemma", "Proposition", "Corollary", "Remark", "Observation",
                                         "Section", "Appendix", "Table", "Figure", "Eq", "abstract", "Def", "Cor" };
    paper_text next;
    char tag[TAG + 1];
    if (sscanf(p, ", %3[0-9]", tag) == 1 && papers_find_tag(&next, tag)) return place_follows(p + 2 + TAG);
    if (*p != ' ') return false;
    if (isdigit((unsigned char)p[1]) && p[2] && (p[2] == '.' || !isalnum((unsigned char)p[2]))) return true;
    for (size_t k = 0; k < COUNT(words); k++) if (strncmp(p + 1, words[k], strlen(words[k])) == 0) return true;
    return false;
}

static bool stands_alone(const char *text, const char *p)
{
    const char before = p > text ? p[-1] : ' ', after = p[TAG];
    if (isalnum((unsigned char)before) || strchr(".,-_^$\\{/+=", before)) return false;
    if (before == ' ' && p - text > 1 && isdigit((unsigned char)p[-2])) return false;              /* 124 000 */
    if (isalnum((unsigned char)after) || strchr("-_^$/%", after ? after : ' ')) return false;
    return (after != '.' && after != ',') || !isdigit((unsigned char)p[TAG + 1]);
}

/* "the middle version"; of a paper with one version "Bermeitinger et al.": to be freed. */
static char *name_of(paper_text of)
{
    const char *version = papers[of].version, *paper = papers[of].paper;
    if (!*version) return must_format("%.*s", (int)strcspn(paper, ","), paper);
    return must_format("the %s", version + (strncmp(version, "a ", 2) == 0 ? 2 : 0));
}

/* NULL: nothing in it is a tag. */
static char *named(const char *text)
{
    text_buffer t = { 0 };
    bool any = false;
    for (const char *p = text; *p; ) {
        char tag[TAG + 1];
        paper_text of;
        snprintf(tag, sizeof tag, "%.*s", TAG, p);
        if (!papers_find_tag(&of, tag) || !stands_alone(text, p)) {
            text_bytes(&t, p++, 1);
            continue;
        }
        char *whole = name_of(of), *name = whole;
        const bool located = place_follows(p + TAG), begins = p == text || (p - text > 1 && p[-2] == '.');
        const bool label = located && (p == text || strchr(";,(", p[p - text > 1 ? -2 : -1]));
        if (label && strncmp(name, "the ", 4) == 0) name += 4;
        if (begins && (!label || p == text)) text_add(&t, "%c%s", toupper((unsigned char)*name), name + 1);
        else text_add(&t, "%s", name);
        if (located && p[TAG] != ',') text_add(&t, ",");
        free(whole);
        p += TAG;
        any = true;
    }
    if (any) return text_take(&t);
    text_clear(&t);
    return NULL;
}

static void name_in(char **text)
{
    char *better = *text ? named(*text) : NULL;
    if (!better) return;
    free(*text);
    *text = better;
}

static void name_line(doc_line *l)
{
    for (long k = 0; k < l->n; k++) {
        const span_kind kind = l->at[k].kind;
        if (kind == SPAN_TEXT || kind == SPAN_LATEX || kind == SPAN_MIXED) name_in(&l->at[k].text);
    }
}

static void name_table(doc_table *t)
{
    for (long k = 0; k < t->n; k++) {
        name_in(&t->row[k].title);
        for (long i = 0; i < t->row[k].n; i++) {
            name_line(&t->row[k].cell[i].text);
            name_in(&t->row[k].cell[i].title);
        }
    }
}

void page_names_papers(document *d)
{
    for (long k = 0; k < d->n; k++) {
        doc_block *b = d->at[k];
        name_line(&b->text);
        name_table(&b->table);
        for (long i = 0; b->item && i < b->n; i++) {
            name_line(&b->item[i].term);
            name_line(&b->item[i].text);
        }
        for (long i = 0; i < b->diagram.nodes; i++) name_in(&b->diagram.node[i].title);
    }
}
