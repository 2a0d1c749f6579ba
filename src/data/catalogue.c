/* SPDX-License-Identifier: GPL-3.0-or-later
 * catalogue.c - see catalogue.h.  Sums: of MNIST's original files, of CIFAR-10's archive as its page gives them in
 * MD5 (c32a1d4ab5d03f1284b67883e8d87530), of the two text files as OpenAI's and Karpathy's users record them, of
 * OpenWebText as The Pile checks it. */
#include <string.h>
#include "src/data/catalogue.h"

#define MNIST(name)      { "https://ossci-datasets.s3.amazonaws.com/mnist/" name, \
                           "https://storage.googleapis.com/cvdf-datasets/mnist/" name, NULL }
#define CHAR_RNN         "https://raw.githubusercontent.com/karpathy/char-rnn/6f9487a6fe5b420b7ca9afb0d7c078e37c1d1b4e/"
#define CIFAR_BATCH      30730000

const data_set data_sets[DATA_SETS] = {
    { "mnist", "handwritten digits: 60,000 images to train on, 10,000 to test, 28 x 28 grey",
      "LeCun, Cortes and Burges 1998, yann.lecun.com/exdb/mnist; mirrors of PyTorch and Google",
      "commonly given as CC BY-SA 3.0", {
      { "train-images-idx3-ubyte.gz", MNIST("train-images-idx3-ubyte.gz"), 9912422,
        "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609", false },
      { "train-labels-idx1-ubyte.gz", MNIST("train-labels-idx1-ubyte.gz"), 28881,
        "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c", false },
      { "t10k-images-idx3-ubyte.gz", MNIST("t10k-images-idx3-ubyte.gz"), 1648877,
        "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6", false },
      { "t10k-labels-idx1-ubyte.gz", MNIST("t10k-labels-idx1-ubyte.gz"), 4542,
        "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6", false } } },
    { "cifar10", "photographs of 10 kinds: 50,000 images to train on, 10,000 to test, 32 x 32 in colour",
      "Krizhevsky 2009, www.cs.toronto.edu/~kriz/cifar.html", "none stated; cite Krizhevsky 2009", {
      { "cifar-10-binary.tar.gz", { "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz" }, 170052171,
        "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd", false },
      { "data_batch_1.bin", { NULL }, CIFAR_BATCH,
        "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5", true },
      { "data_batch_2.bin", { NULL }, CIFAR_BATCH,
        "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed", true },
      { "data_batch_3.bin", { NULL }, CIFAR_BATCH,
        "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67", true },
      { "data_batch_4.bin", { NULL }, CIFAR_BATCH,
        "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48", true },
      { "data_batch_5.bin", { NULL }, CIFAR_BATCH,
        "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add", true },
      { "test_batch.bin", { NULL }, CIFAR_BATCH,
        "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b", true } } },
    { "tinyshakespeare", "a million letters of Shakespeare's plays", "Karpathy 2015, github.com/karpathy/char-rnn",
      "public domain", {
      { "tinyshakespeare.txt", { CHAR_RNN "data/tinyshakespeare/input.txt" }, 1115394,
        "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed", false } } },
    { "gpt2", "the 50,000 merges of GPT-2's tokenizer, for `provably data encode --bpe=vocab.bpe`",
      "OpenAI 2019, github.com/openai/gpt-2", "MIT, modified", {
      { "vocab.bpe", { "https://openaipublic.blob.core.windows.net/gpt-2/encodings/main/vocab.bpe" }, 456318,
        "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5", false } } },
    { "openwebtext", "8 million web pages, the papers' corpus: about 13 GB to get, 38 GB of text",
      "Gokaslan and Cohen 2019, zenodo.org/records/3834942", "CC0 for the collection; its pages have their own", {
      { "openwebtext.tar.xz", { "https://zenodo.org/records/3834942/files/openwebtext.tar.xz" }, 0,
        "9fe39d154c5bc67da8c359415372b79510eb1e2edb0d035fe4f7fc3a732b9336", false } } },
};

const data_set *data_set_find(const char *name)
{
    for (size_t k = 0; k < DATA_SETS; k++) if (strcmp(data_sets[k].name, name) == 0) return &data_sets[k];
    return NULL;
}
