/* SPDX-License-Identifier: GPL-3.0-or-later
 * memory.h - which memory of the host kernels may use as global memory. */
#ifndef TESTS_PTX_MEMORY_H
#define TESTS_PTX_MEMORY_H
#include <stdbool.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void memory_buffer (const void *p, size_t bytes, bool writable);     /* something is in it                       */
void memory_scratch(void *p, size_t bytes);                          /* reading it before a store is a fault     */
void memory_written(const void *p, size_t bytes);                    /* by the host                              */
void memory_remove (const void *p);                                  /* that buffer; NULL: all                   */
#ifdef __cplusplus
}
#endif
#endif
