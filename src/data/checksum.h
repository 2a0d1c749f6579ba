/* SPDX-License-Identifier: GPL-3.0-or-later
 * checksum.h - SHA-256 of files and texts. */
#ifndef DATA_CHECKSUM_H
#define DATA_CHECKSUM_H
#include "src/base/base.h"

enum { SHA256_HEX = 65 };
/* 64 lower-case digits; false, with errno, if the file cannot be read. */
bool checksum_sha256(const char *path, char hex[SHA256_HEX]);
/* The same of n files, one after the other. */
bool checksum_sha256_of(const char *const *path, long n, char hex[SHA256_HEX]);
void checksum_sha256_bytes(const void *at, size_t n, char hex[SHA256_HEX]);
#endif
