/* SPDX-License-Identifier: GPL-3.0-or-later
 * dlfcn.h - the loader, for cuda_mock.c: finds the mock's cuBLASLt. */
#ifndef MOCK_DLFCN_H
#define MOCK_DLFCN_H
#define dlopen  mock_dlopen
#define dlsym   mock_dlsym
#define dlerror mock_dlerror
enum { RTLD_NOW = 2, RTLD_LOCAL = 0 };
void *dlopen(const char *name, int flags);
void *dlsym(void *library, const char *name);
char *dlerror(void);
#endif
