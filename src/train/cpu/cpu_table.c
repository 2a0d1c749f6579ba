/* SPDX-License-Identifier: GPL-3.0-or-later
 * cpu_table.c - the CPU's table of operations, of one type of number. */
#include "src/train/cpu/real.h"

const ops *ops_cpu(void)
{
    static ops table;
    if (!table.name) {
        table.name = sizeof(real) == sizeof(double) ? "cpu-f64" : "cpu-f32";
        cpu_fill_memory(&table);
        cpu_fill_product(&table);
        cpu_fill_embed(&table);
        cpu_fill_norm(&table);
        cpu_fill_activation(&table);
        cpu_fill_rows(&table);
        cpu_fill_attn(&table);
        cpu_fill_loss(&table);
        cpu_fill_optim(&table);
        cpu_fill_image(&table);
        cpu_fill_random(&table);
    }
    return &table;
}
