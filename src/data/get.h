/* get.h - data sets in a folder: what is there of them, and getting the rest. */
#ifndef DATA_GET_H
#define DATA_GET_H
#include "src/data/catalogue.h"

typedef enum { MISSING, RIGHT, OTHER } presence;               /* OTHER: not the publisher's file */
presence data_file_presence(const data_file *f, const char *path);

/* An archive need not be there when all that is inside of it is. */
bool data_unpacked(const data_set *s, const data_file *archive, const char *folder);

typedef struct {
    const char *to;                      /* the folder; made when missing                               */
    const char *mirror;                  /* MIRROR/FILE instead of the publisher's; NULL: none          */
    double wait;                         /* seconds before the second try of a transfer that broke off  */
    bool quiet;                          /* no progress line                                            */
} data_places;

/* Downloads, checks and unpacks what is missing, and says on stdout what became of each file.  Dies where a file
 * cannot be had, or is there and another. */
void data_get(const data_set *s, const data_places *p);

/* A folder as the URL of a mirror; the caller frees. */
char *data_folder_url(const char *folder) MUST_USE;
#endif
