/* plain_text.h - lines as ASCII, for a terminal and for CSV. */
#ifndef PLAIN_TEXT_H
#define PLAIN_TEXT_H
#include "src/report/document/document.h"

void  latex_as_text(char *to, size_t size, const char *text);        /* LaTeX as a line of a terminal      */
char *plain_text(const doc_line *l, unsigned writer);                /* to be freed                        */
#endif
