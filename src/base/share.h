/* share.h - a line on the terminal while a long work goes on: how much is done, how long the rest may take.  Nothing is
 * shown where standard error is no terminal. */
#ifndef SHARE_H
#define SHARE_H
#include "src/base/base.h"

typedef struct { const char *what; double begun, last; bool shown; } share_line;
share_line share_begin(const char *what);            /* shows `what`, a word or two                         */
void       share_tell (void *line, double share);    /* of a share_line: share in [0, 1]; at most 5 times a second */
void       share_end  (share_line *line);            /* takes the line away                                 */
#endif
