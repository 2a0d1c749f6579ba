/* checksum.h - SHA-256 of a file. */
#ifndef DATA_CHECKSUM_H
#define DATA_CHECKSUM_H
#include "src/base/base.h"

enum { SHA256_HEX = 65 };
/* 64 digits of lower case; false, with errno, if the file cannot be read. */
bool checksum_sha256(const char *path, char hex[SHA256_HEX]);
#endif
