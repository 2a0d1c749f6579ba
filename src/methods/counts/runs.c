/* SPDX-License-Identifier: GPL-3.0-or-later
 * runs.c - Tables 1 to 3 of 002 (Bermeitinger et al.) and Table 2 of 003 and 000 (Karbevski & Mijoski), as printed.
 *
 * Names in 002: data set, encoders, heads, mlp or no, and full (unchanged), wqk (W_Q W_K' one matrix), min (that and no
 * W_V, W_O) or sym (W_K = W_Q). */
#include "src/methods/counts/printed.h"

const printed_run printed_runs[] = {
    { "Table 2", "mnist_6_1_mlp_full", "279,106", "2.15", "0.0067", "0.0747", "99.78", "98.38" },
    { "Table 2", "mnist_6_4_mlp_full", "287,746", "2.09", "0.0018", "0.0739", "99.95", "98.26" },
    { "Table 2", "mnist_6_1_mlp_wqk", "257,506", "2.33", "0.0037", "0.0794", "99.89", "98.43" },
    { "Table 2", "mnist_6_1_mlp_min", "212,866", "2.82", "0.0063", "0.0951", "99.78", "98.27" },
    { "Table 2", "mnist_6_1_no_full", "92,890", "6.46", "0.0277", "0.1023", "99.07", "97.49" },
    { "Table 2", "mnist_6_4_no_full", "101,530", "5.91", "0.0021", "0.0912", "99.92", "98.29" },
    { "Table 2", "mnist_6_1_no_sym", "69,910", "8.58", "0.0331", "0.0783", "98.85", "97.80" },
    { "Table 2", "mnist_6_4_no_sym", "69,910", "8.58", "0.0158", "0.0762", "99.46", "98.24" },
    { "Table 2", "mnist_6_1_no_wqk", "70,570", "8.50", "0.0374", "0.0996", "98.70", "97.60" },
    { "Table 2", "mnist_6_1_no_min", "26,650", "22.51", "0.1697", "0.1536", "94.82", "95.32" },
    { "Table 3", "cifar_6_1_mlp_full", "287,686", "1.74", "0.1533", "2.2418", "94.63", "60.24" },
    { "Table 3", "cifar_6_4_mlp_full", "287,746", "1.74", "0.1109", "2.4033", "96.01", "60.46" },
    { "Table 3", "cifar_6_1_mlp_min", "221,446", "2.26", "0.2597", "2.1659", "90.53", "54.98" },
    { "Table 3", "cifar_6_1_no_full", "101,470", "4.93", "0.9341", "1.3590", "66.16", "55.30" },
    { "Table 3", "cifar_6_4_no_full", "101,530", "4.92", "0.5621", "1.6984", "80.82", "52.37" },
    { "Table 3", "cifar_6_1_no_sym", "78,490", "6.37", "0.9686", "1.2885", "64.80", "55.85" },
    { "Table 3", "cifar_6_4_no_sym", "78,490", "6.37", "0.6521", "1.5125", "76.10", "55.52" },
    { "Table 3", "cifar_6_1_no_wqk", "79,150", "6.32", "0.9364", "1.4057", "66.03", "53.70" },
    { "Table 3", "cifar_6_1_no_min", "35,230", "14.19", "1.5961", "1.6565", "40.52", "39.17" },
    { "Table 1", "mnist_6_1_mlp_full", "", "2.15", "0.0067", "0.0747", "99.78", "98.38" },
    { "Table 1", "mnist_6_1_no_full", "", "6.46", "0.0277", "0.1023", "99.07", "97.49" },
    { "Table 1", "mnist_6_4_mlp_full", "", "2.09", "0.0018", "0.0739", "99.95", "98.26" },
    { "Table 1", "mnist_6_4_no_full", "", "5.91", "0.0021", "0.0912", "99.92", "98.29" },
    { "Table 1", "mnist_12_1_mlp_full", "", "1.08", "0.0052", "0.0652", "99.81", "98.71" },
    { "Table 1", "mnist_12_1_no_full", "", "3.29", "0.0117", "0.0970", "99.62", "97.94" },
    { "Table 1", "mnist_12_4_mlp_full", "", "1.08", "0.0025", "0.0656", "99.92", "98.70" },
    { "Table 1", "mnist_12_4_no_full", "", "3.29", "0.0026", "0.1002", "99.93", "98.10" },
    { "Table 1", "cifar_6_1_mlp_full", "", "1.74", "0.1533", "2.2418", "94.63", "60.24" },
    { "Table 1", "cifar_6_1_no_full", "", "4.93", "0.9341", "1.3590", "66.16", "55.30" },
    { "Table 1", "cifar_6_4_mlp_full", "", "1.74", "0.1109", "2.4033", "96.01", "60.46" },
    { "Table 1", "cifar_6_4_no_full", "", "4.92", "0.5621", "1.6984", "80.82", "52.37" },
    { "Table 1", "cifar_12_1_mlp_full", "", "0.89", "2.3026", "2.3026", "9.82", "10.00" },
    { "Table 1", "cifar_12_1_no_full", "", "2.52", "0.5604", "1.7219", "79.48", "54.06" },
    { "Table 1", "cifar_12_4_mlp_full", "", "0.89", "0.0632", "2.6379", "97.92", "58.02" },
    { "Table 1", "cifar_12_4_no_full", "", "2.52", "0.1787", "2.3200", "93.59", "55.60" },
};
const size_t printed_runs_count = COUNT(printed_runs);

const printed_gpt_run printed_gpt_runs[] = {
    { "003 Table 2", "gpt_mlp3_5",     false, false, false, false, "0.0006", "3.026" },
    { "003 Table 2", "gpt_d744",       false, false, false, false, "0.0006", "3.027" },
    { "003 Table 2", "gpt_noq",        true,  true,  true,  false, "0.0006", "3.018" },
    { "003 Table 2", "gpt",            false, false, false, false, "0.0006", "3.016" },
    { "003 Table 2", "gpt_noq_mlp4_5", true,  true,  true,  false, "0.0006", "3.004" },
    { "000 Table 2", "gpt_mlp3_5",     false, false, false, false, "", "2.955" },
    { "000 Table 2", "gpt_d744",       false, false, false, false, "", "2.956" },
    { "000 Table 2", "gpt_noq",        true,  true,  false, true,  "", "2.944" },
    { "000 Table 2", "gpt",            false, false, false, false, "", "2.944" },
    { "000 Table 2", "gpt_noq_mlp4_5", true,  true,  false, true,  "", "2.929" },
};
const size_t printed_gpt_runs_count = COUNT(printed_gpt_runs);
