/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_cli.c - the command line: bad input is one clear line and status 2; help is tested, too. */
#include <stdlib.h>
#include <string.h>
#include "src/base/blas_core.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

typedef struct { const char *arguments; int status; const char *says; } call;
static const call calls[] = {
    { "", 2, "Usage: provably" },
    { "help", 0, "run NAME" },
    { "--help", 0, "Exit status" },
    { "dance", 2, "no command is called `dance`; `provably help` lists them" },
    { "lsit", 2, "no command is called `lsit`; did you mean `list`?" },
    { "help train", 0, "Usage: provably train [OPTION...]" },
    { "list T4", 0, "K-T4.3" },
    { "list Theorem 4.4", 0, "K-T4.4 " },
    { "list --verdict=REFUTED", 0, "K-E2 " },
    { "list --verdict=WRONG", 2, "--verdict takes one of PENDING, UNCHECKABLE, " },
    { "show", 2, "show takes the name of a claim" },
    { "show K-NONE", 2, "no claim is called `K-NONE`" },
    { "show K-T4.4 --width=80", 0, "K-T4.4  " },
    { "show v3 Theorem 4.4", 2, "which of the texts is v3 in the public record is not known; say first, middle or latest" },
    { "show Theorem 4.4, V2", 2, "which of the texts is V2 in the public record is not known" },
    { "run v6 Theorem 4.2", 2, "which of the texts is v6 in the public record is not known" },
    { "show v7 Theorem 4.44", 2, "no claim is called `v7 Theorem 4.44`" },
    { "show middle Theorem 4.4 --evidence=/no/such/folder", 0, "middle version, Theorem 4.4: \"Consider an L -layer" },
    { "show K-T4.4 --width=8", 2, "--width takes a whole number from 40 to 400" },
    { "show K-T4.4 --color=red", 2, "--color takes one of auto, always, never" },
    { "run t4.4 --list", 0, "part as-stated" },
    { "report --color=red", 2, "--color takes one of auto, always, never" },
    { "report --width=1000", 2, "--width takes a whole number" },
    { "data lits", 2, "did you mean `list`?" },
    { "list", 0, "K-T4.4" },
    { "list --index=/no/such/file", 2, "cannot read /no/such/file" },
    { "list extra", 2, "no claim is called `extra`" },
    { "run", 2, "takes the name of a claim" },
    { "run K-NONE", 2, "no claim is called `K-NONE`" },
    { "run B-T1", 2, "has no program: training runs decide it" },
    { "run --list", 2, "takes the name of a claim first" },
    { "run K-T4.4 --list", 0, "part as-stated" },
    { "run K-T4.4 --describe", 0, "id: K-T4.4" },
    { "run K-T4.4 --help", 0, "--arith=LIST" },
    { "run K-T4.4 --arith=f32", 2, "no such arithmetic" },
    { "run K-T4.4 --arith=f64 --part=as-stated --case=claim --shape=n=3 --trials=2", 0, "PARTIAL" },
    { "run B-4 --arith=q --part=as-stated --case=claim --shape=n=3,d=4,h=2,dk=2,m=4,V=3,L=2,rope=1,h_kv=1 --trials=2", 2,
      "not used by B-4 as-stated" },                       /* the claim's model has no m, V, rope or h_kv */
    { "run B-4 --arith=q --part=as-stated --case=claim --shape=n=2,d=4,h=2 --trials=2", 0, "exact x2        q 2/2" },
    { "help", 0, "absorb W1 W2" },
    { "absorb", 2, "takes two files" },
    { "absorb --help", 0, "--skip=FILE" },
    { "inspect", 2, "takes a file or a folder" },
    { "inspect --help", 0, "--no-conditions" },
    { "inspect /no/such/file", 2, "cannot read /no/such/file" },
    { "reduce", 2, "takes a file of weights" },
    { "reduce --help", 0, "no-layernorm" },
    { "verify", 2, "takes two files" },
    { "verify x", 2, "takes two files" },
    { "verify --help", 0, "--certified" },
    { "verify /no/such/file /no/such/file", 2, "cannot read /no/such/file" },
    { "rank --help", 0, "--arch=WORD" },
    { "rank --arch=help", 0, "attn-skip" },
    { "rank", 0, "decided: the bounds meet" },
    { "rank --arch=skipless --d=6 --h=3 --n=4", 0, "gauge directions                234" },
    { "rank --arch=all-skip --without-query=all", 0, "dimensions lost        rank - rank                       8" },
    { "rank --arch=all-skip+rms --L=1 --without-query=1", 0, "dimensions lost        rank - rank                       4" },
    { "rank --arch=all-skip+relu --L=1 --m=5", 0, "real functions, in balls" },
    { "rank --d=768 --h=12 --L=12 --m=3072 --V=50304 --n=1024", 0, "rank not computed" },
    { "rank --n=2", 1, "the bounds do not meet" },
    { "rank --arch=all-skip+nonsense", 2, "the words are" },
    { "rank --d=none", 2, "--d takes a whole number" },
    { "run K-T4.4 --scale=huge", 2, "takes one of quick, default, large" },
    { "run K-T4.4 --trials=0", 2, "--trials takes a whole number from 1" },
    { "export", 2, "export needs --from=DIR" },
    { "export --from=/no/such --out=/no/such/x", 2, "cannot read /no/such" },
    { "export more", 2, "export takes options only" },
    { "train --out=/tmp --no-query --width=60 --heads=4 --pad=8", 2, "cannot be padded" },
    { "train --out=/tmp --no-value --width=60 --heads=4 --pad=8", 2, "without W_q, W_k or W_v" },
    { "train --help", 0, "W_K = I; alone or with --no-query, --no-value" },
    { "train --rate=0", 2, "--rate takes a number from" },
    { "train --seed=-1", 2, "--seed takes a whole number" },
    { "train '--seed= -1'", 2, "--seed takes a whole number" },
    { "train-vision --help", 0, "mnist_6_4_no_sym" },
    { "train-vision", 2, "needs --out=DIR" },
    { "train-vision --row=mnist_6_4_no_wqk", 2, "no row is called `mnist_6_4_no_wqk`" },
    { "train-vision --variant=whole", 2, "none is called `whole`" },
    { "train-vision --token=last", 2, "--token takes one of mean, cls" },
    { "train-vision --out=/tmp --variant=wqk --heads=4", 2, "one head only" },
    { "train-vision --out=/tmp --data=mnist:/no/such/folder", 2, "has no train-images-idx3-ubyte" },
    { "train-vision --out=/tmp --hold-out", 2, "only CIFAR-10" },
    { "basis-transfer --help", 0, "--less-x" },
    { "basis-transfer", 2, "needs --out=DIR" },
    { "basis-transfer --width=30 --out=build", 2, "the width must be a multiple of 4" },
    { "basis-transfer --fits=8 --out=build", 2, "at least as many samples as the width" },
    { "basis-transfer --rate=0", 2, "--rate takes a number from" },
    { "basis-transfer all", 2, "takes options only" },
    { "rank --L=0", 2, "--L takes a whole number" },
    { "rank --L=65", 2, "L must be between 1 and 64" },
    { "rank --d=5", 2, "h does not divide d" },
    { "rank --seed=-1", 2, "--seed takes" },
    { "rank --without-query=3", 2, "no layer 3 of 2" },
    { "rank --dk=3 --without-query=1", 2, "needs h dk = d" },
    { "rank --arch=all-skip+shared --without-query=1", 2, "shared layers have one W_Q" },
    { "rank --arch=all-skip+rope --d=16 --h=1 --n=9", 2, "do not fit into the field" },
    { "rank all", 2, "takes options only" },
    { "audit --help", 0, "vocabulary" },
    { "audit --claim=B-P", 0, "21 printed values: 17 agree, 4 differ" },
    { "audit --claim=B-0", 2, "no claim is called `B-0`" },
    { "audit --claim=K-T4.4", 2, "no number of claim `K-T4.4`" },
    { "audit --claim=b_p", 0, "21 printed values: 17 agree, 4 differ" },
    { "audit --model=reports/models/gpt2-xl.conf", 0, "1,557,611,200" },
    { "audit --model=gpt --describe", 0, "vocabulary=50304" },
    { "audit --model=/no/such/file", 2, "cannot read /no/such/file" },
    { "audit --model=Makefile", 2, "no such name" },
    { "audit --model=gpt --claim=B-P", 2, "exclude each other" },
    { "audit --describe", 2, "--describe needs --model" },
    { "audit positional", 2, "takes options only" },
    { "data", 2, "data needs a command" },
    { "data help", 0, "encode --in=TEXT" },
    { "data --help", 0, "Exit status" },
    { "data dance", 2, "data has no command `dance`" },
    { "data list", 0, "cifar-10-binary.tar.gz          170052171 bytes" },
    { "data list all", 2, "takes no argument" },
    { "data get", 2, "takes the names of data sets" },
    { "data get --help", 0, "--mirror=URL" },
    { "data get imagenet --to=.", 2, "no data set is called `imagenet`" },
    { "data get mnist", 2, "needs --to=DIR" },
    { "data get mnist --to=/dev/null/x --from=.", 2, "cannot make the folder /dev/null/x" },
    { "data get gpt2 --to=. --from=. --mirror=http://127.0.0.1:1", 2, "exclude each other" },
    { "data get gpt2 --to=. --from=/no/such", 2, "cannot read /no/such" },
    { "data get gpt2 --to=src --from=src --quiet", 2, "To get it from elsewhere: --mirror=URL or --from=DIR" },
    { "data check", 2, "takes the folder" },
    { "data check --all", 2, "takes the folder" },
    { "data check --help", 0, "check DIR [NAME...]" },
    { "data check /no/such", 2, "cannot read /no/such" },
    { "data check Makefile", 2, "is not a folder" },
    { "data check src imagenet", 2, "no data set is called" },
    { "data check src gpt2", 1, "vocab.bpe                    missing" },
    { "data check src", 0, "" },
    { "data encode", 2, "needs --in=TEXT and --out=FILE" },
    { "data encode --help", 0, "--val-out=FILE" },
    { "data encode --in=Makefile --out=/no/such/x", 2, "encode needs --bpe=FILE" },
    { "data encode --in=Makefile --out=/no/such/x --bpe=Makefile", 2, "line 1" },
    { "data encode --in=Makefile --out=/no/such/x --bpe=x --level=bytes", 2, "--bpe needs --level=bpe" },
    { "data encode --in=Makefile --out=/no/such/x --level=bytes --chars-out=x", 2, "--chars-out needs --level=chars" },
    { "data encode --in=Makefile --out=/no/such/x --level=bytes", 2, "cannot write /no/such/x" },
    { "data encode --in=Makefile --out=/no/such/x --level=words", 2, "--level" },
    { "data encode --in=Makefile --out=/no/such/x --level=bytes --val=0.1", 2, "need each other" },
    { "data encode --in=Makefile --out=/no/such/x --val=1", 2, "--val takes a number" },
    { "data encode --in=Makefile --out=/no/such/x --format=numpy", 2, "--format" },
    { "data encode text", 2, "takes options only" },
    { "data decode", 2, "needs --in=FILE" },
    { "data decode --help", 0, "--chars=FILE" },
    { "data decode --in=Makefile --bpe=a --chars=b", 2, "exclude each other" },
    { "data decode --in=Makefile --chars=Makefile", 2, "more than 256 characters" },
    { "data decode --in=/no/such", 2, "cannot read /no/such" },
    { "data decode x", 2, "takes options only" },
    { "data synthetic", 2, "needs --out=FILE" },
    { "data synthetic --help", 0, "agree in number" },
    { "data synthetic --out=/no/such/x", 2, "cannot write /no/such/x" },
    { "data synthetic --out=x --bytes=0", 2, "--bytes takes a whole number" },
    { "data synthetic x", 2, "takes options only" },
    { "train --backend=cuda --out=/no/such/folder", 2, "--backend=cuda: " },
    { "train-vision --backend=cuda-bf16 --out=/no/such/folder", 2, "--backend=cuda-bf16: " },
    { "basis-transfer --backend=cuda-tf32 --out=/no/such/folder", 2, "--backend=cuda-tf32: " },
    { "train --order=random", 2, "--order" },
    { "train --attn=flash --backend=cpu --out=/no/such/folder", 2, "--attn=flash chooses a GPU kernel" },
    { "train --attn=simple --backend=cpu-bf16 --out=/no/such/folder", 2, "--attn=simple chooses a GPU kernel" },
    { "train --backend=bf16 --out=/no/such/folder", 2, "--backend takes cpu, cpu-bf16, cpu-f64" },
    { "sample --from=/no/such/folder --backend=bf16", 2, "--backend takes cpu, cpu-bf16" },
    { "sample --from=/no/such/folder --backend=cpu-bf16", 2, "/no/such/folder" },
    { "basis-transfer --help", 0, "cpu, cpu-bf16, cpu-f64, cuda" },
    { "train-vision --help", 0, "cpu, cpu-bf16, cpu-f64, cuda" },
    { "train --attn=best --backend=cpu-f64 --out=/no/such/folder", 2, "--attn=best chooses a GPU kernel" },
    { "train --help", 0, "seed of the initial values (1337)" },
    { "train-vision --help", 0, "epochs between checkpoints (1)" },
    { "train more", 2, "train takes options only, not `more`" },
    { "train-vision more", 2, "train-vision takes options only, not `more`" },
    { "train-vision --batch=0", 2, "--batch takes a whole number from 1 to 1048576" },
    { "basis-transfer --batch=16777217", 2, "--batch takes a whole number from 1 to 16777216" },
    { "train-vision --eval-every=1048577", 2, "--eval-every takes a whole number from 1 to 1048576" },
    { "train --out=/no/such --data=chars:Makefile --validate=chars:Makefile", 2, "two vocabularies" },
    { "train --out=/no/such --data=bytes:Makefile --validate=chars:Makefile", 2, "its vocabulary is" },
    { "report --help", 0, "--evidence=DIR" },
    { "report --evidence=/no/such/folder", 2, "cannot read /no/such/folder" },
    { "report positional", 2, "takes options only" },
    { "report --index=Makefile", 2, "the first line must be" },
};

START_TEST(answers)
{
    const call *c = &calls[_i];
    char output[32768];
    const char *hidden = strstr(c->arguments, "--backend=cuda") ? "CUDA_VISIBLE_DEVICES= " : "";
    char *command = temp_format("%s%s/provably %s", hidden, build_folder(), c->arguments);
    const int status = run_shell(command, output, sizeof output);
    ck_assert_msg(status == c->status, "%s: status %d, output: %s", command, status, output);
    ck_assert_msg(strstr(output, c->says) != NULL, "%s: output: %s", command, output);
    if (c->status == 2 && c->arguments[0])
        ck_assert_msg(strchr(output, '\n') == output + strlen(output) - 1, "%s: more than one line: %s", command, output);
}
END_TEST

/* An unknown option: argp's two lines, with a command that can be typed. */
START_TEST(unknown_options)
{
    static const char *const commands[] = { "list", "show", "train", "train-vision", "basis-transfer", "sample", "export", "sweep", "reproduce", "rank",
                                            "absorb", "inspect", "reduce", "verify", "audit", "report", "data get", "data encode", "data decode", "data synthetic" };
    char output[1024];
    for (size_t k = 0; k < COUNT(commands); k++) {
        char *says = temp_format("Try `provably %s --help'", commands[k]);
        ck_assert_int_eq(run_command(output, sizeof output, "%s/provably %s --no-such-option", build_folder(), commands[k]), 2);
        ck_assert_msg(strstr(output, says) != NULL, "%s: output: %s", commands[k], output);
    }
}
END_TEST

typedef struct { const char *command; int status; const char *says; } step;

/* The steps in a new folder, $P being the program; `left`: the files there at the end, if not NULL. */
static void in_a_folder(size_t n, const step steps[], const char *left)
{
    char *folder = temp_folder(), output[4096];
    for (size_t k = 0; k < n; k++) {
        char *command = temp_format("P=$(realpath '%s/provably'); cd '%s' && { %s; }", build_folder(), folder,
                                    steps[k].command);
        const int status = run_shell(command, output, sizeof output);
        ck_assert_msg(status == steps[k].status && strstr(output, steps[k].says), "%s: status %d, output: %s", command, status, output);
    }
    ck_assert_int_eq(run_command(output, sizeof output, "cd '%s' && LC_ALL=C ls | tr '\\n' ' '", folder), 0);
    if (left) ck_assert_str_eq(output, left);
}

/* Every command: -h and --help print its usage, with its exit status; --version prints the version, also of the program. */
START_TEST(help_and_version)
{
    static const char *const commands[] = {
        "", "list", "show", "run", "report", "audit", "absorb", "inspect", "reduce", "verify", "rank", "reproduce", "sweep", "train", "train-vision",
        "basis-transfer", "sample", "export", "data", "data list", "data get", "data check", "data encode", "data decode",
        "data synthetic", "run K-T4.4" };
    static const char *const helps[] = { "-h", "--help" };
    char output[1 << 15], first[1 << 15];
    for (size_t k = 0; k < COUNT(commands); k++) {
        char *usage = temp_format("Usage: provably %s", strncmp(commands[k], "data ", 5) == 0 && !strstr(commands[k], "code")
                                  && !strstr(commands[k], "get") && !strstr(commands[k], "synthetic") ? "data" : commands[k]);
        for (size_t i = 0; i < COUNT(helps); i++) {
            const int status = run_command(output, sizeof output, "%s/provably %s %s", build_folder(), commands[k], helps[i]);
            ck_assert_msg(status == 0 && strncmp(output, usage, strlen(usage)) == 0, "%s %s: %d, %s", commands[k], helps[i], status, output);
            ck_assert_msg(strstr(output, "xit status:") != NULL, "%s %s: %s", commands[k], helps[i], output);
            if (i == 0) strcpy(first, output);
            else ck_assert_str_eq(first, output);
        }
        if (strcmp(commands[k], "run K-T4.4") == 0) continue;
        ck_assert_int_eq(run_command(output, sizeof output, "%s/provably %s --version", build_folder(), commands[k]), 0);
        const char *end = strstr(output, ")\n");
        ck_assert_msg(strncmp(output, "provably 0.1 (", 14) == 0 && end && strchr(output, '\n') == end + 1 && strstr(end, "FLINT "),
                      "%s --version: %s", commands[k], output);
    }
}
END_TEST

/* No matter where it is called: with the data found beside the program, or named. */
START_TEST(from_any_folder)
{
    static const step steps[] = {
        { "ls $D/claims.csv >list && cd / && PROVABLY_DATA=$D $P list T4.4", 0, "K-T4.4 " },
        { "cd / && PROVABLY_DATA=$D $P show T4.4 --evidence=/no/such/folder --width=80", 0, "K-T4.4  PROVED  " },
        { "cd / && PROVABLY_DATA=$D $P list --verdict=REFUTED free lunch | wc -l", 0, "0\n" },
        { "cd / && PROVABLY_DATA=$D $P run T4.4 --list", 0, "part as-stated" },
        { "cd / && PROVABLY_DATA=$D $P audit --claim=B-P", 0, "21 printed values" },
        { "PROVABLY_DATA=$D $P report --evidence=. --quiet >out; test -s reports/out/summary.csv && echo written", 0, "written" },
        { "env -u PROVABLY_DATA $P show T4.4 --index=$D/claims.csv --evidence=/no/such/folder", 0, "K-T4.4  PROVED  " },
    };
    char *data = realpath("reports", NULL);
    setenv("D", data, 1);
    in_a_folder(COUNT(steps), steps, "list out reports ");
    unsetenv("D");
    free(data);
}
END_TEST

/* No codes of colours in a pipe, and on no terminal where NO_COLOR is set; always where they are asked for. */
START_TEST(colours_in_pipes)
{
    char output[1 << 15];
    for (int always = 0; always < 2; always++) {
        ck_assert_int_eq(run_command(output, sizeof output, "TERM=xterm %s/provably show T4.4 %s | cat", build_folder(),
                                     always ? "--color=always" : ""), 0);
        ck_assert_msg((strchr(output, '\033') != NULL) == always, "%s", output);
    }
}
END_TEST

/* More than can be addressed: the options that are named are the command's own. */
START_TEST(too_much_memory)
{
    static const struct { const char *arguments, *advice; } calls_of[] = {
        { "train --width=1048576 --heads=1 --layers=1000 --mlp=4194304 --out=/no/such/folder --data=synthetic:1", "--micro" },
        { "train-vision --width=65536 --encoders=1000 --mlp=1048576 --data=digits --out=/no/such/folder", "--micro" },
        { "basis-transfer --width=16384 --neurons=262144 --chunk=16777216 --batch=16777216 --out=/no/such/folder", "--chunk" },
    };
    char output[1024];
    for (size_t k = 0; k < COUNT(calls_of); k++) {
        const int status = run_command(output, sizeof output, "ASAN_OPTIONS=allocator_may_return_null=1 %s/provably %s --backend=cpu",
                                       build_folder(), calls_of[k].arguments);
        const char *named = strstr(output, "out of memory");
        ck_assert_msg(status == 2 && named && strstr(named, calls_of[k].advice), "%s: status %d, output: %s", calls_of[k].arguments,
                      status, output);
        ck_assert_ptr_null(strstr(output, "--shape"));
    }
}
END_TEST

/* A text becomes tokens and text again, and a run takes them; a full disk; a file that is not the publisher's. */
START_TEST(texts_and_tokens)
{
    static const step steps[] = {
        { "$P data synthetic --out=t --bytes=5000 --seed=3", 0, "t: 5000 bytes" },
        { "$P data encode --in=t --level=chars --chars-out=c --out=x --format=llmc", 0, "x: 5000 tokens" },
        { "$P data decode --in=x --chars=c --format=llmc | cmp - t && echo same", 0, "same" },
        { "$P data encode --in=t --level=bytes --out=y", 0, "vocabulary 256" },
        { "$P data decode --in=y | cmp - t && echo same", 0, "same" },
        { "printf 't h\\nth e\\n' >m && $P data encode --in=t --bpe=m --out=z", 0, "vocabulary 259" },
        { "$P data decode --in=z --bpe=m | cmp - t && echo same", 0, "same" },
        { "test $(wc -c <z) -lt $(wc -c <y) && echo shorter", 0, "shorter" },
        { "for k in 1 2 3 4 5 6 7 8; do echo $k; echo '<|endoftext|>'; done >d && $P data encode --in=d --bpe=m --out=v --val=0.5 "
          "--val-out=w --seed=4 && cat v w | wc -c", 0, "48\n" },
        { "$P data decode --in=v --bpe=m >e; $P data decode --in=w --bpe=m >>e; sort e | uniq -c | grep -c '1 [1-8]$'", 0, "8\n" },
        { "cp m n; $P data encode --in=t --bpe=m --out=m", 2, "cannot write m: it is what is read" },
        { "$P data encode --in=d --bpe=m --out=a --val=0.5 --val-out=m", 2, "cannot write m: it is what is read" },
        { "cmp m n && $P data decode --in=y >/dev/full", 2, "cannot write the text" },
        { "$P data decode --in=y --bpe=m --format=llmc", 2, "not a token shard" },
        { "$P train --data=nanogpt:y --vocabulary=256 --validate=bytes:t --order=torch --steps=2 --layers=1 --width=16 --heads=1 "
          "--batch=2 --out=run --quiet", 0, "5000 tokens to train on, 5000 to validate" },
        { "$P train --data=nanogpt:y --vocabulary=256 --validate=bytes:t --steps=2 --layers=1 --width=16 --heads=1 --batch=2 "
          "--out=run --quiet", 2, "is another run" },
        { "$P sample --from=run --prompt='the ' --length=9 | wc -c", 0, "14\n" },
        { "$P sample --from=run --top=1 --length=20 >g; $P sample --from=run --temperature=0 --length=20 | cmp - g && echo greedy", 0,
          "greedy" },
        { "$P sample --from=run --bpe=m", 2, "has a vocabulary of 256, not 259" },
        { "$P train --data=nanogpt:z --vocabulary=259 --steps=1 --layers=1 --width=16 --heads=1 --batch=1 --out=runz --quiet",
          0, "tokens to train on" },
        { "$P sample --from=runz --bpe=m --prompt='thethe ' --length=3 --top=1 | grep '^thethe ' && echo written", 0, "written" },
        { "$P sample --from=runz", 2, "has a vocabulary of 259, not 256" },
        { "$P train --data=chars:t --steps=1 --layers=1 --width=16 --heads=1 --batch=1 --out=runc --quiet", 0, "finished" },
        { "$P sample --from=runc --chars=t --prompt=the --length=200 >h; tr -d '\n' <t | fold -w1 | sort -u >l; "
          "tr -d '\n' <h | fold -w1 | sort -u | comm -23 - l | wc -l", 0, "0\n" },
        { "wc -c <h; head -c 3 h", 0, "204\nthe" },
        { "$P sample --from=runc --chars=t --prompt=#", 2, "does not know the character `#`" },
        { "$P sample --from=runc --chars=t --bpe=m", 2, "--bpe and --chars exclude each other" },
        { "$P sample --from=runc", 2, "give the training text with --chars=FILE" },
        { "tr e Q <t >tq; $P sample --from=runc --chars=tq", 2, "runc was trained on other characters than those of tq; give its" },
        { "$P sample --from=runc --chars=c --prompt=the --length=200 | cmp - h && echo same", 0, "same" },
        { "$P verify runc runc --text=t --chars=c --length=8 -o c", 2, "cannot write c: it is what is read" },
        { "$P verify runz runz --text=t --bpe=m --length=8 -o m", 2, "cannot write m: it is what is read" },
        { "printf x >vocab.bpe && $P data get gpt2 --from=. --to=to", 2, "received 1 bytes, not 456318; this is a different file" },
        { "ls to", 0, "" },
        { "$P data get gpt2 --from=. --to=.", 2, "is not the published file; move it away" },
        { "$P data check .", 1, "vocab.bpe                    NOT the published file" },
    };
    in_a_folder(COUNT(steps), steps, NULL);
}
END_TEST

/* A small model whose W_K, W_V or all three are the identity: it is another run, resumes as itself, and is read by what
 * reads runs. */
START_TEST(models_without_projections)
{
    #define SMALL "$P train --data=bytes:t --backend=cpu --steps=2 --layers=1 --width=16 --heads=2 --batch=2 --eval-windows=2 --quiet"
    static const step steps[] = {
        { "$P data synthetic --out=t --bytes=5000 --seed=3", 0, "t: 5000 bytes" },
        { SMALL " --out=full", 0, "8240 parameters" },
        { SMALL " --no-key --until=1 --out=k", 0, "7984 parameters" },
        { SMALL " --no-key --out=k", 0, "finished after 2 steps" },
        { "head -1 k/evals.csv", 0, "query=1 key=0 factor=1" },
        { SMALL " --no-value --out=v && head -1 v/evals.csv", 0, "query=1 value=0 factor=1" },
        { SMALL " --no-value --out=k", 2, "is another run" },
        { SMALL " --no-query --no-key --no-value --out=none", 0, "7472 parameters" },
        { SMALL " --no-query --no-key --no-value --out=none && head -1 none/evals.csv", 0, "query=0 key=0 value=0 factor=1" },
        { "$P sample --from=none --prompt='the ' --length=9 | wc -c", 0, "14\n" },
        { "$P export --from=k --out=w && strings w", 0, "h.0.attn.v" },
        { "cp k/last.ckpt saved; $P export --from=k --out=k/last.ckpt", 2, "k/last.ckpt is there already and no safetensors file" },
        { "$P export --from=k/last.ckpt --out=k/last.ckpt", 2, "is there already" },
        { "cp k/evals.csv log; $P export --from=k --out=k/evals.csv", 2, "k/evals.csv is there already and no safetensors file" },
        { "cmp log k/evals.csv && $P export --from=k --out=v/last.ckpt", 2, "v/last.ckpt is there already" },
        { ">w3; $P export --from=k --out=w3 && $P export --from=k/last.ckpt --out=w3 && cmp w w3 && echo same", 0, "same" },
        { "cmp saved k/last.ckpt && cp w w2; $P verify w w2 -o w2", 2, "cannot write w2: it is what is read" },
        { "cmp w w2 && $P data encode --in=t --level=bytes --out=t", 2, "cannot write t: it is what is read" },
        { "$P verify w w2 --text=t --length=8 -o t", 2, "cannot write t: it is what is read" },
        { "$P data encode --in=t --level=chars --chars-out=z --out=z", 2, "cannot write z: it is what is read" },
        { "(ulimit -f 1; $P data encode --in=t --level=bytes --out=big)", 2, "cannot finish big: File too large; raise the limit" },
        { "n=$(($(grep -abo '^end$' k/last.ckpt | head -1 | cut -d: -f1) + 104)); printf '\\377' | "
          "dd of=k/last.ckpt bs=1 seek=$n conv=notrunc 2>/dev/null; $P inspect k", 2, "damaged" },
        { "cp saved k/last.ckpt; $P inspect k", 0, "k: provably train, 10 tensors" },
        { "grep -c h.0.attn.k w", 1, "0\n" },
        { "$P sample --from=none >text && $P sample --from=none/last.ckpt | cmp - text && echo same", 0, "same" },
        { "mkdir red; cp w red/model.safetensors; $P sample --from=red", 2, "red holds no last.ckpt: it is not the folder of a training run" },
        { SMALL " --out=red", 2, "red/model.safetensors is there already, and the folder would stand for two models" },
        { "ls red", 0, "model.safetensors\n" },
        { "mkdir ggu; >ggu/model.gguf; " SMALL " --out=ggu", 2, "ggu/model.gguf is there already" },
        { "mkdir bin; >bin/model.bin; " SMALL " --out=bin", 2, "bin/model.bin is there already" },
        { "mkdir ind; >ind/model.safetensors.index.json; " SMALL " --out=ind", 2, "index.json is there already" },
        { "cp w v/model.safetensors; " SMALL " --no-value --out=v", 0, "finished after 2 steps" },
        { "$P export --from=red --out=a", 2, "red holds no last.ckpt" },
        { "$P export --from=red/model.safetensors --out=a", 2, "red/model.safetensors is not a checkpoint of a training run; name the folder" },
        { "$P sample --from=red/model.safetensors", 2, "red/model.safetensors is not a checkpoint of a training run; name the folder" },
        { "$P sample --from=gone", 2, "cannot read gone: No such file" },
        { SMALL " --spectra --out=s && grep -c '^[02],0,[a-z]*,[01]*,' s/spectra.csv", 0, "16\n" },
        { "mkdir p; mkfifo p/spectra.csv; timeout 60 " SMALL " --spectra --out=p", 2, "p/spectra.csv: it is not a regular file" },
    };
    in_a_folder(COUNT(steps), steps, NULL);
}
END_TEST

/* How many rows are usual at a time differs between machines: a run that was begun on another one keeps its number. */
START_TEST(runs_keep_their_micro_batch)
{
    #define SEE "$P train-vision --data=digits:1 --backend=cpu --epochs=1 --encoders=1 --quiet --out=see"
    #define MAP "$P basis-transfer --width=16 --steps=4 --batch=64 --tests=64 --fits=64 --backend=cpu --quiet --out=map"
    static const step steps[] = {
        { "$P data synthetic --out=t --bytes=5000 --seed=3", 0, "t: 5000 bytes" },
        { SMALL " --until=1 --micro=1 --out=read", 0, "finished after 1 steps" },
        { SMALL " --out=read && grep '^# recipe' read/steps.csv", 0, " batch=2/1 " },
        { SMALL " --micro=2 --out=read", 2, "is another run (recipe" },
        { SMALL " --batch=4 --out=read", 2, " batch=4/4 " },
        { SEE " --micro=24", 0, "finished after " },
        { SEE " && grep '^# recipe' see/steps.csv", 0, " batch=256/24 " },
        { SEE " --batch=32", 2, " batch=32/64 " },
        { MAP " --chunk=24", 0, "" },
        { MAP " && grep '^# recipe' map/steps.csv", 0, " batch=64/24 " },
        { "$P sample --from=see", 2, "see/last.ckpt does not describe a language model (" },
        { "mkdir red; >red/model.safetensors; " SEE "/../red", 2, "see/../red/model.safetensors is there already" },
        { MAP "/../red", 2, "map/../red/model.safetensors is there already" },
        { "$P sample --from=map", 2, "name the folder of a run of `provably train`" },
        { "printf x >>see/last.ckpt; " SEE, 2, "see/last.ckpt" },
    };
    in_a_folder(COUNT(steps), steps, NULL);
}
END_TEST

/* What is read is a file: every command refuses a named pipe, for which nobody writes, and a device, instead of waiting. */
START_TEST(pipes_and_devices_are_not_read)
{
    #define PIPE "cannot read pipe: it is a named pipe, not a file"
    #define ZERO "cannot read /dev/zero: it is a device, not a file"
    #define READ "timeout 60 $P "
    static const step steps[] = {
        { "mkfifo pipe; mkdir run runs runs/a evidence; mkfifo run/last.ckpt runs/a/done evidence/k_e2.csv; echo 1 >w; "
          "echo a basis-transfer --steps=1 --width=16 >runlist; ls", 0, "pipe" },
        { READ "inspect pipe", 2, "pipe is not a regular file" },
        { READ "inspect /dev/zero", 2, "/dev/zero is not a regular file" },
        { READ "verify pipe pipe", 2, "pipe is not a regular file" },
        { READ "reduce pipe --out=o", 2, "pipe is not a regular file" },
        { READ "reduce /dev/zero --out=o", 2, "/dev/zero is not a regular file" },
        { READ "train --data=bytes:pipe --steps=1 --out=o", 2, PIPE },
        { READ "train --data=chars:pipe --steps=1 --out=o", 2, PIPE },
        { READ "train --data=bytes:/dev/zero --steps=1 --out=o", 2, ZERO },
        { READ "train --data=synthetic:1 --steps=1 --out=run", 2, "cannot read run/last.ckpt: it is a named pipe" },
        { READ "sample --from=run", 2, "cannot read run/last.ckpt: it is a named pipe" },
        { READ "export --from=run --out=o", 2, "cannot read run/last.ckpt: it is a named pipe" },
        { READ "sweep pipe --out=o", 2, PIPE },
        { READ "sweep runlist --out=runs", 2, "cannot read runs/a/done: it is a named pipe" },
        { READ "report --evidence=evidence --out=o", 2, "cannot read evidence/k_e2.csv: it is a named pipe" },
        { READ "absorb pipe w --out=o", 2, PIPE },
        { READ "absorb w /dev/zero --out=o", 2, ZERO },
        { READ "data encode --in=pipe --level=bytes --out=o", 2, PIPE },
        { READ "run K-E2 --index=pipe", 2, PIPE },
        { READ "show K-E2 --index=/dev/zero", 2, ZERO },
        { "timeout 60 $(dirname $P)/proofcheck pipe", 2, "cannot read pipe as a regular file" },
        { "timeout 60 $(dirname $P)/proofcheck /dev/zero", 2, "cannot read /dev/zero as a regular file" },
        { "timeout 60 $(dirname $P)/proofcheck --statements=pipe w", 2, "pipe is not a list of statements" },
    };
    in_a_folder(COUNT(steps), steps, NULL);
}
END_TEST

#define SYNTHETIC "$P data synthetic --bytes=100 --seed=3 --out="
#define CLAIM "$P run K-L3.1 --index=claims.csv --arith=f64 --part=as-stated --case=claim --trial=0 --shape=n=3 --out="

START_TEST(out_keeps_pipes_and_links)
{
    static const step steps[] = {
        { SYNTHETIC "plain; wc -c <plain", 0, "100\n" },
        { "mkfifo pipe; { timeout 20 cat pipe >got; echo read; } & " SYNTHETIC "pipe && wait && cmp got plain && test -p pipe && echo same", 0, "same" },
        { "ln -s new link; " SYNTHETIC "link && test -L link && cmp new plain && echo same", 0, "same" },
        { "echo old >new; " SYNTHETIC "link && test -L link && test ! -L new && cmp new plain && echo same", 0, "same" },
        { "mkdir d; ln -s ../there d/l; ln -s d/l m; " SYNTHETIC "m && test -L m && test -L d/l && cmp there plain && echo same", 0, "same" },
        { "ln -s $PWD/absolute a; " SYNTHETIC "a && test -L a && cmp absolute plain && echo same", 0, "same" },
        { "ln -s x y; ln -s y x; " SYNTHETIC "x", 2, "cannot write x: Too many levels of symbolic links" },
        { SYNTHETIC "d", 2, "cannot write d: it is a folder" },
        { SYNTHETIC "/dev/stdout | head -c 100 | cmp - plain && echo same", 0, "same" },
        { SYNTHETIC "/dev/stdout >both && head -c 100 both | cmp - plain && tail -c +101 both", 0, "/dev/stdout: 100 bytes" },
        { SYNTHETIC "/dev/stderr 2>err && cmp err plain && echo same", 0, "same" },
        { "$P data encode --in=plain --level=bytes --format=llmc --out=pipe", 2, "its header is written last" },
        { "printf '1\n' >w1; printf -- '-1\n' >w2; mkfifo v-V1.csv; ln -s v2 v-V2.csv; { timeout 20 cat v-V1.csv >v1; } & "
          "$P absorb w1 w2 --out=v >said && wait && cat v1 v2 && test -p v-V1.csv && test -L v-V2.csv && echo both", 0, "-1\n-1\nboth" },
        { "mkdir run; mkfifo run/steps.csv; $P train --data=synthetic:1 --out=run --steps=1 --layers=1 --width=16 --heads=1 --batch=1 --quiet",
          2, "run/steps.csv: it is not a regular file" },
    };
    in_a_folder(COUNT(steps), steps,
                "a absolute both d err got link m new pipe plain run said there v-V1.csv v-V2.csv v1 v2 w1 w2 x y ");
}
END_TEST

/* The same of a theorem program, whose rows are read again before they are given away. */
START_TEST(out_of_a_theorem)
{
    ck_assert_int_eq(run_command(NULL, 0, "cp reports/claims.csv '%s/claims.csv'", build_folder()), 0);
    static const step steps[] = {
        { "cp $(dirname $P)/claims.csv .; " CLAIM "rows.csv >said && sed /^#/d rows.csv | cut -d, -f1-12 >want && wc -l <want && ls", 0,
          "2\nclaims.csv\nrows.csv\nrows.ladder.csv\nsaid\nwant\n" },
        { "mkfifo pipe; { timeout 60 sed /^#/d pipe | cut -d, -f1-12 >got; } & " CLAIM "pipe >said && wait && cmp got want && test -p pipe && echo same", 0, "same" },
        { "ln -s target.csv link.csv; " CLAIM "link.csv >said && test -L link.csv && sed /^#/d target.csv | cut -d, -f1-12 | cmp - want && echo same", 0, "same" },
        { CLAIM "/dev/stdout >both && grep '^id,\\|^K-L3.1,' both | cut -d, -f1-12 | cmp - want && grep -q '^# end of 2 lines with SHA-256 ' both && echo same", 0, "same" },
        { "mkdir d; " CLAIM "d >said", 2, "cannot write d: it is a folder" },
        { "mkdir e.ladder.csv; " CLAIM "e.csv", 2, "cannot write e.ladder.csv: it is a folder" },
    };
    in_a_folder(COUNT(steps), steps, "both claims.csv d e.ladder.csv got link.csv link.ladder.csv pipe rows.csv rows.ladder.csv "
                "said target.csv want ");
}
END_TEST

/* Devices of our own, never the system's: what is wrong here could replace them. */
START_TEST(out_keeps_devices)
{
    char *folder = temp_folder(), output[512];
    const bool can = run_command(output, sizeof output, "cd '%s' && mknod full c 1 7 && mknod null c 1 3 &&"
                                 " mknod block b 7 200 && : >null", folder) == 0;
    if (!can) {
        fprintf(stderr, "t_cli: no devices can be made here: --out=DEVICE is not tried\n");
        return;
    }
    static const step steps[] = {
        { "mknod full c 1 7; mknod null c 1 3; mknod block b 7 200; cp $(dirname $P)/claims.csv .", 0, "" },
        { SYNTHETIC "null && test -c null && echo device", 0, "device" },
        { SYNTHETIC "full", 2, "cannot write to full: No space left on device" },
        { "test -c full && echo device", 0, "device" },
        { SYNTHETIC "block", 2, "cannot write block: it is not a file, pipe or character device" },
        { "test -b block && echo device", 0, "device" },
        { CLAIM "null >said && test -c null && echo device", 0, "device" },
        { CLAIM "full >said", 2, "cannot write to full: No space left on device" },
        { "test -c full && echo device", 0, "device" },
    };
    in_a_folder(COUNT(steps), steps, "block claims.csv full null said ");
}
END_TEST

/* Every command and every program whose standard output fails, at once or at its end, says so. */
START_TEST(a_full_standard_output)
{
    static const char *const commands[] = {
        "provably help", "provably --version", "provably list", "provably list --version", "provably show K-L3.1", "provably show K-L3.1 --json",
        "provably run --help", "provably run K-L3.1 --list", "provably run K-L3.1 --describe",
        "provably run K-L3.1 --help", "provably report --help", "provably audit", "provably audit --claim=B-P",
        "provably audit --help", "provably audit --model=gpt --describe", "provably rank", "provably rank --arch=help",
        "provably absorb one minus", "provably absorb one one", "provably absorb --help", "provably data help",
        "provably data list", "provably data check src gpt2", "provably data get --help", "provably data synthetic --bytes=99 --out=text",
        "provably data encode --in=text --level=bytes --out=tokens", "provably data decode --in=tokens",
        "provably reproduce --list", "provably reproduce quick --dry-run", "provably sweep --help", "provably train --help",
        "provably train --data=synthetic:1 --out=run --steps=1 --layers=1 --width=16 --heads=1 --batch=1",
        "provably sample --from=run --length=9", "provably export --from=run --out=x.safetensors", "provably sample --help",
        "provably export --help", "provably train-vision --help", "provably basis-transfer --help",
        "theorems/k_l3_1 --list", "theorems/k_l3_1 --describe", "theorems/k_l3_1 --help",
        "theorems/k_l3_1 --arith=f64 --part=as-stated --case=claim --trial=0 --shape=n=3",
        "theorems/k_l3_1 --arith=f64 --part=as-stated --case=claim --trial=0 --shape=n=3 --out=-",
        "theorems/k_l3_1 --part=as-stated --certificates=.", "proofcheck bad.cert",
    };
    char *folder = temp_folder(), output[8192];
    ck_assert_int_eq(run_command(output, sizeof output, "ln -s \"$PWD\"/reports \"$PWD\"/src '%s/'; cd '%s' && echo 1 >one && echo -1 >minus && "
        "echo x >bad.cert", folder, folder), 0);
    for (size_t k = 0; k < COUNT(commands); k++) {
        char *command = temp_format("B=$(realpath '%s'); cd '%s' && $B/%s 2>&1 >/dev/full", build_folder(), folder,
                                    commands[k]);
        const int status = run_shell(command, output, sizeof output);
        ck_assert_msg(status == 2, "%s: status %d, output: %s", commands[k], status, output);
        ck_assert_msg(strstr(output, "cannot write"), "%s: output: %s", commands[k], output);
    }
}
END_TEST

/* Neither an exported core nor a CPU that OpenBLAS does not know slows it down: it is loaded with the best one named. */
START_TEST(exported_blas_core)
{
    char plain[32768], forced[32768];
    const char *options = "run K-L3.1 --arith=f64 --case=claim --part=as-stated --trial=0 --shape=n=3 --out=- | grep ^K-L3.1, | cut -d, -f19";
    char *without = temp_format("env -u OPENBLAS_CORETYPE %s/provably %s", build_folder(), options);
    ck_assert_int_eq(run_shell(without, plain, sizeof plain), 0);
    ck_assert_int_eq(run_command(forced, sizeof forced, "OPENBLAS_CORETYPE=Prescott %s/provably %s", build_folder(), options), 0);
    ck_assert_int_gt((int)strlen(plain), 2);
    ck_assert_str_eq(plain, forced);
    const char *core = text_trim(plain);
    ck_assert_msg(!blas_core_is_slower(core, blas_core_of_cpu()), "core %s, best %s", core, blas_core_of_cpu());
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("cli");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, answers, 0, COUNT(calls));
    tcase_add_test(all, unknown_options);
    tcase_add_test(all, help_and_version);
    tcase_add_test(all, from_any_folder);
    tcase_add_test(all, colours_in_pipes);
    tcase_add_test(all, too_much_memory);
    tcase_add_test(all, texts_and_tokens);
    tcase_add_test(all, models_without_projections);
    tcase_add_test(all, runs_keep_their_micro_batch);
    tcase_add_test(all, pipes_and_devices_are_not_read);
    tcase_add_test(all, out_keeps_pipes_and_links);
    tcase_add_test(all, out_of_a_theorem);
    tcase_add_test(all, out_keeps_devices);
    tcase_add_test(all, a_full_standard_output);
    tcase_add_test(all, exported_blas_core);
    return run_suite(suite, argc, argv);
}
