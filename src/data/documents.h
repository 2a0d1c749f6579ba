/* SPDX-License-Identifier: GPL-3.0-or-later
 * documents.h - the text of a file, document by document.
 *
 * A file, compressed or not, is one text; in a tar archive each file in it is (OpenWebText is such an archive of
 * such archives).  A text is one document, or several, each ended by a line <|endoftext|>. */
#ifndef DATA_DOCUMENTS_H
#define DATA_DOCUMENTS_H
#include "src/base/base.h"

/* Called with a document's text in pieces that may be cut anywhere in it where a byte of ASCII that is no white
 * space stands before one that is: no word of bpe.h's pattern goes over such a place.  `ends`: the document ends
 * here, at a separator or with a file of an archive; the line of the separator is not part of the text. */
typedef void document_sink(void *self, const char *text, size_t n, bool ends);
void documents_read(const char *path, document_sink *sink, void *self);
#endif
