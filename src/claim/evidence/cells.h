/* cells.h - the cells of a line of an evidence file, taken one after the other.
 *
 * A line is text without quotes, its cells separated by commas.  Each function cuts the next cell out in place and
 * moves *line behind it, to NULL after the last.  False: there is none, or it is not what was asked for.        */
#ifndef CELLS_H
#define CELLS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

char *cell_next  (char **line);                              /* NULL: there is none                      */
bool  cell_text  (char **line, char *to, size_t size);       /* false, too, where it is too long         */
bool  cell_name  (char **line, char *to, size_t size);       /* or is no admitted_name()                 */
bool  cell_label (char **line, char *to, size_t size);       /* or is no admitted_label()                */
/* The same, interned and of any length. */
bool  cell_interned      (char **line, const char **to);
bool  cell_interned_name (char **line, const char **to);
bool  cell_interned_label(char **line, const char **to);
bool  cell_double(char **line, double *x);                   /* hexadecimal or decimal                   */
bool  cell_long  (char **line, long *x);
bool  cell_u64   (char **line, uint64_t *x);
bool  cell_flag  (char **line, bool *is);                    /* 0 or 1                                   */
/* A word of a closed set: `index` gives its number, -1 where it is none. */
bool  cell_word  (char **line, int (*index)(const char *word), int *is);

/* Hands the lines of a file to `take`, which says whether it understood one; the first must be the header.  Dies with
 * line and reason on anything else; `what` names a line in messages, "row". */
void  cell_read_lines(const char *path, const char *header, const char *what, bool (*take)(void *to, char *line),
                      void *to);
/* For files of evidence: the text without commas, quotes and line ends, cut off where it is too long. */
void  cell_copy  (char *to, size_t size, const char *from);
/* The same, interned and whole; NULL is "". */
const char *cell_keep(const char *from);
#endif
