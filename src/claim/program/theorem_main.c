/* SPDX-License-Identifier: GPL-3.0-or-later
 * theorem_main.c - the main of every theorem program. */
#include "numerics/libraries.h"
#include "src/claim/program/program.h"

int theorem_main(const claim *C, int argc, char **argv)
{
    bool good = true;
    base_init(argc, argv);
    base_guard_end();
    memory_advice("a smaller --shape or lower precision");
    libraries_init();
    program_parse(C, argc, argv);
    program_require_declarations(C);
    program_refuse_unused_choices();
    program_refuse_unused_shape();
    program_refuse_idle_options();
    if (program.list)              program_list();
    else if (program.describe)     program_describe(stdout);
    else if (program_only_certifies()) good = program_certify();
    else {
        program_prepare_streams();
        good = program_summarise(program_run_suite(program_open_files()));
        if (program.certificates) good &= program_certify();
        program_keep_files();                               /* the rows name the certificates */
    }
    libraries_clear();
    return base_end(good ? 0 : 1);
}
