/* SPDX-License-Identifier: GPL-3.0-or-later
 * presets_small.c - what two cores can run of the papers' experiments in hours: the same tables, smaller or shorter.
 *
 * Everything here was fixed before the first run: rows, seeds, grids, comparisons, margins.  See presets.h for the rule
 * that makes a comparison consistent with the papers, inconsistent, or unresolved. */
#include "src/experiments/preset_tables.h"

/* ---- language models at d = 128 and 192: bytes of books, articles and textbooks -------------------------- */

#define BYTES .data = "--data=bytes:DATA/train.txt --validate=bytes:DATA/val.txt", \
    .get = "any English text of 100 MB or more as DATA/train.txt, and 4 MB or more of other works as DATA/val.txt"

/* First what is tuned: a seed of its own, and the same rates, decays and attention factors for all five; the
 * combination with the lowest validation loss is the row's own in the runs that follow. */
static const preset_row d128_rows[] = {                                 /* 3.5 d, 124 = 128 * 744 / 768, 4.5 d */
    ROW("smaller-mlp",        "--width=128 --mlp=448"),
    ROW("smaller-d",          "--width=124 --mlp=496"),
    ROW("reduced",            "--width=128 --mlp=512 --no-query"),
    ROW("baseline",           "--width=128 --mlp=512"),
    ROW("reduced-larger-mlp", "--width=128 --mlp=576 --no-query"),
};
static const preset_row d192_rows[] = {                                 /* 3.5 d, 186 = 192 * 744 / 768, 4.5 d */
    ROW("smaller-mlp",        "--width=192 --mlp=672"),
    ROW("smaller-d",          "--width=186 --mlp=744"),
    ROW("reduced",            "--width=192 --mlp=768 --no-query"),
    ROW("baseline",           "--width=192 --mlp=768"),
    ROW("reduced-larger-mlp", "--width=192 --mlp=864 --no-query"),
};
static const grid_axis d128_grid[] = {
    { "rate",   { "2e-3", "4e-3", "8e-3" } },
    { "decay",  { "0.1", "0.03125" } },
    { "factor", { "0.5", "1" } },
};
static const grid_axis d192_grid[] = {
    { "rate",   { "1.5e-3", "3e-3", "6e-3" } },
    { "decay",  { "0.1", "0.03125" } },
    { "factor", { "0.5", "1" } },
};
#define D128 "--layers=4 --heads=4 --window=128 --batch=16 "
#define D192 "--layers=6 --heads=6 --window=256 --batch=8 "
#define TUNE "--steps=500 --warmup=50 --beta2=0.95 --eval-windows=1024 --eval-every=500 --save-every=250"
#define LONG "--steps=2000 --warmup=100 --beta2=0.95 --eval-windows=1024 --eval-every=250 --save-every=250 --losses"
#define CHOOSES "It chooses, on a seed of its own and at a quarter of the length."
const experiment d128_tune_part[] = { {
    .name = "tune", .title = "rates, decays and attention factors for all five models at d = 128", .command = "train",
    ROWS(d128_rows), GRID(d128_grid), .shown = VALIDATION_LOSS, .options = D128 TUNE, BYTES,
    .seeds = 1, .seed = 7, .order = 7, .cannot = CHOOSES,
} };
const experiment d192_tune_part[] = { {
    .name = "tune", .title = "rates, decays and attention factors for all five models at d = 192", .command = "train",
    ROWS(d192_rows), GRID(d192_grid), .shown = VALIDATION_LOSS, .options = D192 TUNE, BYTES,
    .seeds = 1, .seed = 7, .order = 7, .cannot = CHOOSES,
} };

/* At d = 192 products are in bfloat16, of all runs: nanoGPT, whose recipe the papers use, has them with float weights
 * and updates, too.  On a GPU this is what is done where nothing is asked for; on the CPU by `-- --backend=cpu-bf16`.
 * The models of one seed are compared, so they run on one kind.  Fixed before the first run of gpt-d192; gpt-d192-tune
 * was run on a GPU. */

/* 003's own setting, one rate for all: the reduced models have a third of the decay and half the attention factor.
 * The arm that the papers lack: the baseline with that decay, which tells the decay's part from W_Q's. */
#define AS_003 "--factor=0.5 --decay=0.03125"
static const preset_row d128_as_003[] = {
    ROW("smaller-mlp",        "--width=128 --mlp=448 --decay=0.1"),
    ROW("smaller-d",          "--width=124 --mlp=496 --decay=0.1"),
    ROW("reduced",            "--width=128 --mlp=512 --no-query " AS_003),
    ROW("baseline",           "--width=128 --mlp=512 --decay=0.1"),
    ROW("reduced-larger-mlp", "--width=128 --mlp=576 --no-query " AS_003),
    ROW("baseline-0.03125",   "--width=128 --mlp=512 --decay=0.03125"),
};
static const preset_row d192_as_003[] = {
    ROW("smaller-mlp",        "--width=192 --mlp=672 --decay=0.1"),
    ROW("smaller-d",          "--width=186 --mlp=744 --decay=0.1"),
    ROW("reduced",            "--width=192 --mlp=768 --no-query " AS_003),
    ROW("baseline",           "--width=192 --mlp=768 --decay=0.1"),
    ROW("reduced-larger-mlp", "--width=192 --mlp=864 --no-query " AS_003),
    ROW("baseline-0.03125",   "--width=192 --mlp=768 --decay=0.03125"),
};
/* 001's question, whether untying adds to it; and one that the papers leave open: W_K or W_V as the identity instead of
 * W_Q, the scores of W_K's like those of W_Q's.  The rows of as-003 are run once for both parts. */
static const preset_row d128_open[] = {
    ROW("baseline",           "--width=128 --mlp=512 --decay=0.1"),
    ROW("reduced",            "--width=128 --mlp=512 --no-query " AS_003),
    ROW("untied",             "--width=128 --mlp=512 --untied --decay=0.1"),
    ROW("untied-reduced",     "--width=128 --mlp=512 --untied --no-query " AS_003),
    ROW("no-key",             "--width=128 --mlp=512 --no-key " AS_003),
    ROW("no-value",           "--width=128 --mlp=512 --no-value --decay=0.03125"),
};
static const planned tuned_plan[] = { REDUCED_MODELS_PLAN };
static const planned as_003_plan[] = { REDUCED_MODELS_PLAN, EQUAL("baseline-0.03125", "baseline", 0.005),
                                       EQUAL("reduced", "baseline-0.03125", 0.005) };
static const planned open_plan[] = { LOWER("untied", "baseline"), LOWER("untied-reduced", "untied"),
                                     LOWER("untied-reduced", "reduced"), EQUAL("no-key", "reduced", 0.005),
                                     EQUAL("no-value", "reduced", 0.005) };
#define SHAPE_128 "4 layers, 4 heads, windows of 128 bytes, 16 a step; "
#define SHAPE_192 "6 layers, 6 heads, windows of 256 bytes, 8 a step; "
#define SMALLER(shape, times, tokens) shape "1/" times " of the papers' size, 2,000 steps on 1/" tokens " of their " \
    "tokens.  Losses are nats a byte, the papers' nats a token of about four bytes.  What they show holds for this " \
    "size only, and for how fast models learn, not for what they can reach."
/* 003 has one rate for all models; ours is the best of the baseline's, which need not be the others'. */
#define ONE_RATE .tuned_row = "baseline", .tuned_axis = "rate"
#define THE_BASELINES "  All have the baseline's best rate; the record of the tuning has what is best for each."
const experiment d128_parts[] = {
    { .name = "tuned", .title = "the five models at d = 128, each with its own best rate, decay and attention factor",
      .claim = "K-T2-100k K-T2-60k", .table = "003 Table 2", .command = "train", ROWS(d128_rows), PLAN(tuned_plan),
      .shown = VALIDATION_LOSS, .options = D128 LONG, BYTES, .tuned_by = "gpt-d128-tune",
      .seeds = 6, .seed = 1337, .order = 42, .cannot = SMALLER(SHAPE_128, "150", "12,000 or 1/7,200") },
    { .name = "as-003", .title = "the five models at d = 128 with 003's decay and attention factor, and the baseline "
      "with the reduced models' decay", .set = "decay and factor of 003",
      .claim = "K-T2-100k", .table = "003 Table 2", .command = "train", ROWS(d128_as_003), PLAN(as_003_plan),
      .shown = VALIDATION_LOSS, .options = D128 LONG, BYTES, .tuned_by = "gpt-d128-tune", ONE_RATE,
      .seeds = 6, .seed = 1337, .order = 42, .cannot = SMALLER(SHAPE_128, "150", "12,000") THE_BASELINES },
    { .name = "open", .title = "at d = 128: tied and untied; W_K or W_V left out instead of W_Q", .folders = "as-003",
      .set = "decay and factor of 003",
      .claim = "K-T2-001", .table = "001 Table 2", .command = "train", ROWS(d128_open), PLAN(open_plan),
      .shown = VALIDATION_LOSS, .options = D128 LONG, BYTES, .tuned_by = "gpt-d128-tune", ONE_RATE,
      .seeds = 6, .seed = 1337, .order = 42, .cannot = SMALLER(SHAPE_128, "150", "72,000") THE_BASELINES },
};
const experiment d192_parts[] = {
    { .name = "tuned", .title = "the five models at d = 192, each with its own best rate, decay and attention factor",
      .claim = "K-T2-100k K-T2-60k", .table = "003 Table 2", .command = "train", ROWS(d192_rows), PLAN(tuned_plan),
      .shown = VALIDATION_LOSS, .options = D192 LONG, BYTES, .tuned_by = "gpt-d192-tune",
      .seeds = 6, .seed = 1337, .order = 42, .cannot = SMALLER(SHAPE_192, "45", "12,000 or 1/7,200") },
    { .name = "as-003", .title = "the five models at d = 192 with 003's decay and attention factor, and the baseline "
      "with the reduced models' decay", .set = "decay and factor of 003",
      .claim = "K-T2-100k", .table = "003 Table 2", .command = "train", ROWS(d192_as_003), PLAN(as_003_plan),
      .shown = VALIDATION_LOSS, .options = D192 LONG, BYTES, .tuned_by = "gpt-d192-tune", ONE_RATE,
      .seeds = 6, .seed = 1337, .order = 42, .cannot = SMALLER(SHAPE_192, "45", "12,000") THE_BASELINES },
};

/* ---- transfer of a basis at batches that two cores can run ------------------------------------------------ */

/* First the effect of the batch, 65,536 in the papers: where four times the samples change the error by less than half
 * a point, a quarter of the width of 003's range "4 to 6 %", the smaller batch is enough. */
static const preset_row batch_rows[] = {
    TRANSFER_ROW("64-256",   "--width=64 --batch=256",   IN_003), TRANSFER_ROW("64-1024",  "--width=64 --batch=1024",
                                                                               IN_003),
    TRANSFER_ROW("64-4096",  "--width=64 --batch=4096",  IN_003), TRANSFER_ROW("128-256",  "--width=128 --batch=256",
                                                                               IN_003),
    TRANSFER_ROW("128-1024", "--width=128 --batch=1024", IN_003), TRANSFER_ROW("128-4096", "--width=128 --batch=4096",
                                                                               IN_003),
};
static const planned batch_plan[] = {
    LOWER("64-1024", "64-256"), EQUAL("64-4096", "64-1024", 0.5),
    LOWER("128-1024", "128-256"), EQUAL("128-4096", "128-1024", 0.5),
};
/* Then the precision of the products: bfloat16 factors with sums, weights and updates in float, twice as fast where the
 * processor has such products.  Where they change the error by less than half a point, the wider models may be run with
 * them (`-- --backend=cpu-bf16`); the record of a run names its backend. */
static const preset_row precision_rows[] = {
    TRANSFER_ROW("128-1024",      "--width=128 --batch=1024 --backend=cpu",      IN_003),
    TRANSFER_ROW("128-1024-bf16", "--width=128 --batch=1024 --backend=cpu-bf16", IN_003),
};
static const planned precision_plan[] = { EQUAL("128-1024-bf16", "128-1024", 0.5) };
/* And the rate, whose value our texts have lost.  Planned after the first runs of basis-transfer at widths 512 and 768,
 * where the MLP ended above the untrained closed form with rates, about 3.2 / width, that had not been tried there:
 * half, once, twice and four times that.  Where another one ends lower by more than half a point, the margin of the
 * batch, the figures of that width are those of a poor rate and say so. */
static const preset_row rate_rows[] = {
    TRANSFER_ROW("256-rate-0.00625",  "--width=256 --rate=0.00625",  IN_003),
    TRANSFER_ROW("256-rate-0.0125",   "--width=256 --rate=0.0125",   IN_003),
    TRANSFER_ROW("256-rate-0.025",    "--width=256 --rate=0.025",    IN_003),
    TRANSFER_ROW("256-rate-0.05",     "--width=256 --rate=0.05",     IN_003),
    TRANSFER_ROW("512-rate-0.003125", "--width=512 --rate=0.003125", IN_003),
    TRANSFER_ROW("512-rate-0.00625",  "--width=512 --rate=0.00625",  IN_003),
    TRANSFER_ROW("512-rate-0.0125",   "--width=512 --rate=0.0125",   IN_003),
    TRANSFER_ROW("512-rate-0.025",    "--width=512 --rate=0.025",    IN_003),
};
static const preset_row basis_256[] = { TRANSFER_ROW("256", "--width=256", IN_003),
                                        TRANSFER_ROW("256-less-x", "--width=256 --less-x", IN_001) };
static const preset_row basis_512[] = { TRANSFER_ROW("512", "--width=512", IN_003),
                                        TRANSFER_ROW("512-less-x", "--width=512 --less-x", IN_001) };
static const preset_row basis_768[] = { TRANSFER_ROW("768", "--width=768", IN_003),
                                        TRANSFER_ROW("768-less-x", "--width=768 --less-x", IN_001) };
#define TRANSFER(rows) .claim = "K-AppD", .table = "003 Fig 2, 001 Sec 5.1", .command = "basis-transfer", ROWS(rows), \
    .shown = TRANSFER_METRICS, .without_data = "", .name = "basis", .seed = 1, .order = 42
#define SMALLER_BATCH(times) "The papers' width and number of steps with 1/" times " of their 65,536 samples a step, " \
    "with which two cores would need weeks.  The preset basis-batch measures what a smaller batch costs."
const experiment basis_batch_part[] = { {
    TRANSFER(batch_rows), .title = "an MLP learns a basis change: the effect of the batch at widths 64 and 128",
    PLAN(batch_plan), .options = "--steps=20000", .seeds = 3,
    .cannot = "Narrower than the papers' models: it says what a smaller batch costs, so that the wider models can be "
              "judged at the batches that two cores can run.",
} };
const experiment basis_precision_part[] = { {
    TRANSFER(precision_rows), .title = "an MLP learns a basis change: products in bfloat16 and in float at width 128",
    PLAN(precision_plan), .options = "--steps=20000", .seeds = 3,
    .cannot = "Narrower than the papers' models: it says what products in bfloat16 cost, so that the wider models can "
              "be judged with them.",
} };
const experiment basis_rate_part[] = { {
    TRANSFER(rate_rows), .title = "an MLP learns a basis change: the rate at widths 256 and 512, batch 1024",
    .options = "--steps=20000 --batch=1024", .seeds = 1,
    .cannot = "One seed and a 64th of the papers' samples a step: it says whether the rates of the wider models are "
              "far from the best, and judges no figure.",
} };
const experiment basis_256_part[] = { {
    TRANSFER(basis_256), .title = "an MLP learns a basis change: width 256, batch 4096",
    .options = "--steps=20000 --batch=4096", .seeds = 3, .cannot = SMALLER_BATCH("16"),
} };
const experiment basis_512_part[] = { {
    TRANSFER(basis_512), .title = "an MLP learns a basis change: width 512, batch 2048",
    .options = "--steps=20000 --batch=2048", .seeds = 1, .cannot = SMALLER_BATCH("32"),
} };
const experiment basis_768_part[] = { {
    TRANSFER(basis_768), .title = "an MLP learns a basis change: width 768, batch 1024",
    .options = "--steps=20000 --batch=1024", .seeds = 1, .cannot = SMALLER_BATCH("64"),
} };

/* ---- vision transformers for 50 of 500 epochs: the rows that cost most ------------------------------------ */

static const preset_row mnist_50[] = {
    ENCODER(mnist_6_1_mlp_full),  ENCODER(mnist_6_4_mlp_full), ENCODER(mnist_6_1_mlp_wqk),  ENCODER(mnist_6_1_mlp_min),
    ENCODER(mnist_12_1_mlp_full), ENCODER(mnist_12_1_no_full), ENCODER(mnist_12_4_mlp_full),
    ENCODER(mnist_12_4_no_full),
};
static const preset_row cifar10_50[] = {
    ENCODER(cifar_6_1_mlp_full),  ENCODER(cifar_6_4_mlp_full), ENCODER(cifar_6_1_mlp_min), ENCODER(cifar_12_1_mlp_full),
    ENCODER(cifar_12_1_no_full),  ENCODER(cifar_12_4_mlp_full), ENCODER(cifar_12_4_no_full),
};
#define FIFTY "A tenth of the papers' 500 epochs, one seed.  The rate is constant, so epoch 50 of a run of 500 " \
              "epochs is the same run; what comes after it is not seen here."
const experiment vit_mnist_50_part[] = { {
    .name = "vit", .title = "vision transformers with an MLP or twelve encoders on MNIST, 50 epochs",
    .claim = "B-T1 B-T2", .table = "002 Tables 1, 2", .command = "train-vision", ROWS(mnist_50),
    .shown = VISION_METRICS, .options = "--epochs=50 --eval-every=1 --save-every=1", MNIST,
    .seeds = 1, .seed = 1, .order = 42, .cannot = FIFTY,
} };
const experiment vit_cifar10_50_part[] = { {
    .name = "vit", .title = "vision transformers with an MLP or twelve encoders on CIFAR-10, 50 epochs",
    .claim = "B-T1 B-T3", .table = "002 Tables 1, 3", .command = "train-vision", ROWS(cifar10_50),
    .shown = VISION_METRICS, .options = "--epochs=50 --eval-every=1 --save-every=1", CIFAR10,
    .seeds = 1, .seed = 1, .order = 42, .cannot = FIFTY,
} };

/* ---- vision transformers at lower rates, which 002 does not state ------------------------------------------ */

/* Planned after the first runs of vit-mnist and vit-cifar10: the minimum ended with training losses of 0.0012 and 1.12
 * where 002 prints 0.1697 and 1.5961, which those runs had passed by epochs 50 and 105.  A rate of a third or a tenth
 * is the plainest explanation.  Supported on a data set if one of the two rates brings all four figures of both rows
 * nearer to the printed ones. */
static const preset_row mnist_rates[] = {
    ENCODER_RATE(mnist_6_1_no_min, "1e-4"),  ENCODER_RATE(mnist_6_1_no_min, "3e-4"),
    ENCODER_RATE(mnist_6_1_no_full, "1e-4"), ENCODER_RATE(mnist_6_1_no_full, "3e-4"),
};
static const preset_row cifar10_rates[] = {
    ENCODER_RATE(cifar_6_1_no_min, "1e-4"),  ENCODER_RATE(cifar_6_1_no_min, "3e-4"),
    ENCODER_RATE(cifar_6_1_no_full, "1e-4"), ENCODER_RATE(cifar_6_1_no_full, "3e-4"),
};
#define RATES .shown = VISION_METRICS, .options = "--epochs=500 --eval-every=5 --save-every=5", .seeds = 1, \
    .seed = 1, .order = 42, .cannot = "One seed, and rates chosen after a first look at 0.001: they show how much of " \
                                      "a figure the rate decides, which is not stated in 002, and judge no model."
const experiment vit_mnist_rates_part[] = { {
    .name = "vit", .title = "vision transformers on MNIST, 500 epochs, lower rates", .claim = "B-T1 B-T2",
    .table = "002 Tables 1, 2", .command = "train-vision", ROWS(mnist_rates), MNIST, RATES,
} };
const experiment vit_cifar10_rates_part[] = { {
    .name = "vit", .title = "vision transformers on CIFAR-10, 500 epochs, lower rates", .claim = "B-T1 B-T3",
    .table = "002 Tables 1, 3", .command = "train-vision", ROWS(cifar10_rates), CIFAR10, RATES,
} };

/* ---- an hour, a night, a weekend on two cores: what settles most for its time first ------------------------ */

#define MNIST_WITHOUT_MLP "mnist_6_1_no_min,mnist_6_1_no_wqk,mnist_6_1_no_sym,mnist_6_1_no_full,mnist_6_4_no_sym," \
                          "mnist_6_4_no_full"
#define CIFAR10_WITHOUT_MLP "cifar_6_1_no_min,cifar_6_1_no_wqk,cifar_6_1_no_sym,cifar_6_1_no_full,cifar_6_4_no_sym," \
                            "cifar_6_4_no_full"
const preset_member hour_members[] = {
    { "shakespeare", NULL, 0 }, { "mnist", NULL, 0 }, { "small-vit", NULL, 1 }, { "basis-batch", NULL, 1 } };
const preset_member night_members[] = {
    { "gpt-d128-tune", NULL, 0 }, { "gpt-d128", NULL, 0 }, { "basis-batch", NULL, 0 },
    { "vit-mnist", "mnist_6_1_no_min", 1 }, { "vit-cifar10", "cifar_6_1_no_min", 1 }, { "mnist", NULL, 0 } };
const preset_member weekend_members[] = {
    { "gpt-d128-tune", NULL, 0 }, { "gpt-d128", NULL, 0 }, { "basis-batch", NULL, 0 }, { "basis-256", NULL, 0 },
    { "vit-mnist", MNIST_WITHOUT_MLP, 1 }, { "vit-cifar10", CIFAR10_WITHOUT_MLP, 1 }, { "vit-mnist-50", NULL, 0 },
    { "vit-cifar10-50", NULL, 0 }, { "basis-512", NULL, 0 }, { "basis-768", NULL, 0 }, { "gpt-d192-tune", NULL, 0 },
    { "gpt-d192", NULL, 0 } };
