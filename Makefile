# SPDX-License-Identifier: GPL-3.0-or-later
# Provably
#   make deps check    install the packages, validate every claim, print the verdict table, write the reports
#   make deps test     the tests of the suite itself    (PAPERS=folder: quotations are looked up in the texts there;
#                      TESTS='t_arith t_fp': these alone)
#   make sentences     the sentences of the papers that no claim quotes and that are open or not listed in
#                      reports/sentences.csv     (PAPERS=folder; ARGS=all: those declared to hold nothing to check, too)
#   make build/theorems/k_t4_4 && build/theorems/k_t4_4    one program alone; likewise build/tests/t_fp or build/provably
#   make check CLAIM=K-T4.4                  that claim alone, without reports; its rows: build/claims/     (ARGS=--arith=arb)
#   make check CLAIM=K-T4.4 SCALE=gpt2-small  a model of that size and its reduction, a layer at a time (K-T4.2, K-T4.3,
#                      K-T4.4; minutes; ARGS='--shape=n=1024 --arith=arb:512 --logits=all': more tokens, other numbers)
#   make certificates  build/certificates/PROGRAM/*.cert for every claim that has one, and proofcheck verifies them all
#   make verdicts      reports/verdicts.csv anew, from the evidence of `make check`: the verdicts that later runs must reproduce
#   make picture       reports/report.png anew, README's picture of the page; needs chromium or google-chrome (make deps-dev)
#   make statements    reports/statements.csv anew: what certificates may state; read the difference before you commit it
#   make index         the columns certificate and controls of reports/claims.csv anew, from the programs
#   make recheck       make check runs only what changed since its last time; this runs every program again
#   make plain         every program once more without the fast paths; reports an outcome that differs     (SCALE=quick,
#                      TRIALS=1: less of both)
#   make report        reports/out/: CSV, LaTeX, HTML with plots, and the PDF where TeX is installed
#   make reproduce     the papers' experiments again: PRESET=quick takes about ten minutes on two cores, no data
#                      needed; `build/provably reproduce --list` shows the others     (DATA=folder, ARGS=--jobs=4).  The
#                      figures go to build/reproduce/results, and the report shows them beside the records; RECORD=1
#                      writes them into the records themselves, reports/results
#   make keep-runs | unpack-runs    a long preset in several sittings: packs what is recorded of its finished runs into
#                      reports/results/runs, or puts it back, so that they are not run again    (PRESET=, RUNS=folder)
#   make deps-report   TeX, for the PDF
#   make deps-formal formal    what Coq's kernel accepts: src/formal and theorems/*.v compiled and checked again by coqchk,
#                      small models over Q evaluated as src/model does, broken statements refused,
#                      then the certificates of `make certificates`; reports/formal.csv, its log, formal_needed.csv and
#                      formal_cases.csv (theorems that say what another one says) anew (minutes)
#   make formal-compare ROUNDS=10000    the proved checkers against proofcheck, on all certificates and altered ones (SEED=);
#                      10,000 are recorded in reports/results
#   make formal-nightly    the same on a million altered ones, recorded; resumable
#                      (ROUNDS=n: as many, not recorded)
#   make formal-typed    each certificate as an ordinary theorem, about matrices 'M_(m, n) or rational numbers, in
#                      build/formal/typed, checked by coqc; resumable; a run of all is recorded
#                      (an hour of one core; CLAIM=K-P3.2: those of one claim, SAMPLE=n: the n shortest of each kind)
#   make deps-dev      clang, cppcheck, valgrind, MPI, debootstrap, ccache, for the checkers
#   make MPI=1         all in build-mpi, for `mpirun -np N build-mpi/provably train ...`
#   make test-mpi      tests it
#   make bench         performance figures, as ratios in one run (PEER=path: compared with a checkout of llm.c or a
#                      python that has torch, PEER=path,path with both; recorded)
#   make ISA=avx2 test    as a processor without AVX-512 runs it, in build-avx2 (bench, too: PEER's programs keep to AVX2)
#   make bench-numerics    those of products, inverses, exp and erfc alone, recorded in reports/results with the commit,
#                      the processor and its load
#   make bench-reduce  seconds and memory of inspect, reduce and verify on models of GPT-2-small's size, likewise recorded
#   make bench-verify  `verify` compared with cmp and a loop of np.allclose, as ratios in one run, on a pair of Llama's shape, likewise
#                      recorded (PYTHON=: one that has numpy; FULL=1: TinyLlama's size, 10 GB of disk)
#   make reference-files    files of transformers and of gguf read and reduced, logits compared (PYTHON=: one that has
#                      them), recorded
#   make reference     gradients and losses compared with PyTorch's (PYTHON=: one that has torch), recorded
#   make bounds        the bound of doubles over 200 seeds and 3 scalings; those of exp and erfc at 100,000 points (ROUNDS=)
#   make attack        false identities, plants, names, sizes, switches, altered statements, against each judge  (ROUNDS=1000000, SEED=)
#   make mutants       mutation tests: break the code in every listed and many generated ways and see a test fail; resumable
#                      (SAMPLE=n: n of them; FILES='cuda/* src/base/base.c': those of these files; ROOM='src/base numerics':
#                      every way that the language gives in these folders; EACH=n: n of each room)
#   make mutants-power  how the listed breaks compare with the generated ones     (COMPARE=n: n of them are tried, too)
#   make cudnn-check   the attention graphs of cuDNN, built without a GPU; reports where cuDNN is missing
#   make coverage-trust    branches of the judge and of proofcheck that no test takes and nobody has argued: fails if there is
#                      one (build/coverage; needs gcc)
#   make coverage      lines and branches of each room that the tests take, recorded; a test that has passed is not run again
#                      (TESTS='t_base t_evidence': those alone, not recorded; JOBS=2 LIMIT=3600: side by side, for an hour)
#   make nightly       coverage and fuzz-long: the figures that `sh tests/recorded.sh` finds to be of other sources
#   make asan | valgrind | lint | fuzz                  the checkers; asan has UBSan, too      (fuzz: ROUNDS=n;
#                      asan: TESTS='t_fp', CLAIMS='K-T4.4 N13': these alone; lint: DEEP=1, clang's analyzer without a bound)
#   make fuzz-files    ten million damaged checkpoints, recorded; resumable
#                      (ROUNDS=n: as many, not recorded)
#   make fuzz-guided   every reader of a file under libFuzzer, which follows the branches that an input takes: the seeds in
#                      tests/guided/seeds and a short run from a fixed number     (ROUNDS=2000: executions of each)
#   make fuzz-long     the same for an hour, from the inputs that it has found before (build-guided/corpus), recorded
#                      (SECONDS=3600: for all readers together)
#   make oom           every command out of memory at thirty of its allocations, in two ways, recorded     (ROUNDS=n: at n of each, not
#                      recorded; 0: at all)
#   make fresh DIST=bookworm|trixie                     README's commands on a bare system (root)
#   make arm64         compiled for arm64; the numerics' tests and some claims run in an emulator, and their rows are compared
#                      with this machine's     (ARM64=folder: where Debian's libraries for it are unpacked, once)
#   make CUDA=1        with the GPU's backend, in build-cuda (CUDA 12.8 or later; NVCC=, CUDA_HOME=,
#                      CUDA_ARCH="sm_90a ..."; NCCL=1 with MPI=1: gradients are summed on the GPUs)
#   make cuda-lint     registers and spills of the kernels, without a GPU
#   make gpu-check | bench-gpu   on a GPU: is every operation right; how fast     (SANITIZER=: compute-sanitizer)
#   make CUDA=1 gpu-day    on a GPU: both and more, step by step, in at most 25 minutes; one archive to send to us
#   make install       what `make check` has built: programs, data, manual pages, completion for bash, zsh and fish
#                      (PREFIX=/usr/local, DESTDIR for packages, STRIP=: keeps the symbols); make uninstall
#   make dist          the source of the last commit: build/provably-VERSION.tar.gz, always byte-identical
#   make clean | help
# Variables: CC, CXX, CFLAGS, CPPFLAGS, LDFLAGS (where one changes, what was made with it is made again), B (build folder),
#            OUT (reports), SEED (a number, or random: the system draws one), TRIALS,
#            SCALE=quick|default|large (with CLAIM: gpt2-small, too), WERROR=-Werror, CI=true (no line that is rewritten in place),
#            PROVABLY_REFERENCE=1 (FLINT, Arb and MPFR do all arithmetic, without the suite's fast paths)
CC     ?= cc
CXX    ?= c++
CFLAGS ?= -O2 -g
CPPFLAGS ?=
LDFLAGS ?=
# Variables in capitals are the user's, those of this file are in small letters.  The environment may hold DATA, OUT or
# CUDA for reasons of its own: only the compilers, their options and WERROR are taken from there.
$(foreach v,B OUT SEED TRIALS SCALE CLAIM MPI CUDA NCCL ISA DATA ARGS PRESET RECORD RUNS PEER PYTHON SAMPLE FILES ROUNDS SECONDS TESTS CLAIMS DEEP DIST ARM64 PAPERS PREFIX, \
  $(if $(filter environment,$(origin $v)),$(eval undefine $v)))
B      ?= build$(if $(MPI),-mpi)$(if $(CUDA),-cuda)$(if $(ISA),-$(ISA))
$(if $(filter-out avx2,$(ISA)),$(error ISA=$(ISA): the only choice is avx2))
SEED   ?= 20261121
ifeq ($(SEED),random)                              # one for all programs
override SEED := $(shell od -An -N8 -tu8 /dev/urandom | tr -d ' ')
$(info SEED=$(SEED) was drawn)
endif
SCALE  ?= default
OUT    ?= reports/out
build_files := src/build
# What is under way is one line, rewritten in place where standard output is a terminal (and CI is not set), else a line
# for each step; with -s there is none.  What compilers and programs have to say is always shown whole.
flags   := $(filter-out --%,$(firstword -$(MAKEFLAGS)))
# make -n, make -q: nothing is to be written.
dry     := $(strip $(findstring n,$(flags)) $(findstring q,$(flags)))
silent  := $(findstring s,$(flags))
goals   := $(or $(MAKECMDGOALS),all)
live    := $(strip $(if $(silent)$(dry)$(CI)$(filter-out all check recheck report deps%,$(goals)),, \
             $(filter default,$(origin MAKE_TERMOUT))))
ifdef live
columns := $(or $(filter-out 0,$(shell stty size 2>/dev/null </dev/tty | cut -d' ' -f2)),80)
steps   := $(shell MAKEFLAGS= $(MAKE) -n $(MAKEOVERRIDES) $(goals) 2>/dev/null | grep -cE '^echo (cc|c\+\+|link) ')
started :=                                         # a word for each step
endif
step  = $(if $(silent),:,$(if $(live),$(if $(began),,$(eval began := $(shell date +%s)))$(eval started += x)sh src/build/progress.sh \
          $(columns) $(words $(started)) $(steps) @$(began),echo) $1)
clear = $(if $(live),printf '\r\033[K')
whole = $(if $(live),s=0; { $1; } 2> $@.said || s=$$?; [ ! -s $@.said ] || printf '\r\033[K%s\n' "$$(cat $@.said)" >&2; rm -f $@.said; exit $$s,$1)
comma     := ,
warn       = -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes \
          -Wmissing-prototypes -Wvla $(WERROR)
warn_host  = -Wall -Wextra -Wshadow -Wno-unknown-pragmas $(WERROR)
c_flags    = -std=c17 -D_GNU_SOURCE -I. -fPIC -fno-semantic-interposition -ffp-contract=off $(warn) -MMD -MP $(if $(ISA),-include tests/support/$(ISA)_alone.h)
# OpenBLAS and LAPACKE are opened by numerics/blas.c when they are first needed.
libs       = -Wl,--as-needed -lgsl @$B/flint.libs -lmpfr -lgmp -lm $(openmp) -lcurl -lpcre2-8 -lnettle -lz -lbz2 -llzma -ljansson -ldl \
             $(if $(MPI),$(shell mpicc --showme:link))
openmp     = $(if $(findstring clang,$(CC)),,-fopenmp)
libs_check = -lcheck -lsubunit -lrt -lpthread

# Programs that run side by side use one thread each; OpenBLAS chooses its own core.
export OPENBLAS_NUM_THREADS = 1
export OMP_NUM_THREADS = 1
unexport OPENBLAS_CORETYPE
# What the user's shell, grep, getopt and git are told decides nothing here; scripts that are run by hand unset what they
# depend on themselves.
unexport CDPATH POSIXLY_CORRECT ARGP_HELP_FMT GREP_OPTIONS BASH_ENV ENV IFS GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

claim_main := src/claim/program/theorem_program.c  # the main of theorem programs
sources  := $(sort $(shell find src numerics -name '*.c'))
library  := $(patsubst %.c,$B/%.o,$(filter-out src/cli/% src/proofcheck/% $(claim_main),$(sources))) \
            $(patsubst %.c,$B/%.f64.o,$(filter src/train/cpu/cpu_%,$(sources)))
allocator := $B/src/base/allocator.o              # in each program of ours, not in the library that others may link
theorems := $(patsubst %.c,$B/%,$(wildcard theorems/*.c))
tests    := $(patsubst %.c,$B/%,$(wildcard tests/t_*.c))
benches  := $(patsubst %.c,$B/%,$(wildcard tests/b_*.c))
attack   := $B/tests/attack $B/tests/attack_claims
mutate   := $B/tests/mutate
false    := $(patsubst %.c,$B/%,$(wildcard tests/false/*.c))
dumps    := $(patsubst %,$B/tests/reference/dump_%,gpt vit logits blocks)
example  := $B/tests/formal/dump_model
readers  := $(patsubst %.c,$B/%.o,$(wildcard tests/readers/*.c))
commands := $(patsubst %.c,$B/%.o,$(filter src/cli/%,$(sources)))
proofcheck := $(patsubst %.c,$B/%.o,$(filter src/proofcheck/%,$(sources)))
proofs   := $(wildcard src/formal/*.v theorems/*.v)
support  := $(patsubst %.c,$B/%.o,$(wildcard tests/support/*.c))

manual   := $B/man/provably.1
version  := $(shell sed -n 's/^version: "\(.*\)"/\1/p' CITATION.cff)

all: $(theorems) $(tests) $(attack) $(mutate) $(false) $B/provably $B/proofcheck $(manual)

# ---- build; packages that are a goal beside others are there before make looks at anything: one apt at a time
packages := $(filter deps deps-report deps-dev deps-formal,$(MAKECMDGOALS))
ifneq ($(and $(packages),$(filter-out $(packages),$(MAKECMDGOALS)),$(if $(dry),,now)),)
$(foreach p,deps deps-report deps-dev deps-formal,$(if $(filter $p,$(packages)),$(shell sh src/build/deps.sh $p $(columns) >&2)\
  $(if $(filter-out 0,$(.SHELLSTATUS)),$(error make $p has failed))))
installed := $(packages)
endif
deps_first := $(filter-out $(installed),$(packages))

# A record of what files were made with, $(call record,FILE,TEXT): written only where it is another text than that of the file,
# so that what depends on it is made again, and `make -n` writes nothing.
record = $(if $(subst |$(file <$1)|,,|$2|),FORCE)
quote  = '$(subst ','\'',$1)'
write  = mkdir -p $(@D) && printf '%s\n' $(call quote,$1) > $@.new && mv $@.new $@
compiled_with := $(strip $(CC) $(CXX) $(CPPFLAGS) $(CFLAGS) $(filter-out -Werror%,$(c_flags)) $(if $(ISA),ISA=$(ISA)) $(if $(MPI),MPI))
linked_with   := $(strip $(CC) $(CFLAGS) $(LDFLAGS) $(if $(MPI),MPI))
$B/flags.compile: $(call record,$B/flags.compile,$(compiled_with))
	@$(call write,$(compiled_with))
$B/flags.link: $(call record,$B/flags.link,$(linked_with))
	@$(call write,$(linked_with))
# The commit of the source, which programs read when they name it (src/base/version.h): another one makes nothing again.
commit := $(or $(shell sh src/build/commit.sh 2>/dev/null),unknown)
$B/commit: $(call record,$B/commit,$(commit))
	@mkdir -p $(@D)
	@sh src/build/commit.sh > $@.new || echo unknown > $@.new
	@mv $@.new $@

# ---- the rules
include $(addprefix $(build_files)/,compile.mk cuda.mk)

# The manual is what the programs say with --help.
$(manual): $B/provably $B/proofcheck src/cli/manual.sh src/cli/manual.awk CITATION.cff
	@sh src/cli/manual.sh $B $(@D) '$(version)' "$$(sed -n 's/^date-released: //p' CITATION.cff)"

$B/proofcheck: $(proofcheck) $B/flags.link       # shares nothing with the rest, so GMP alone
	@$(call step,link $@)
	@$(call whole,$(link) $(filter %.o,$^) -lgmp -o $@)

include $(build_files)/evidence.mk

# ---- tests of the suite itself; the last line sums up Check's own
papers = $(or $(PAPERS),$(firstword $(wildcard papers ../shared/papers)))
chosen = $(or $(TESTS:%=$B/tests/%),$(tests))
test: $(chosen:%=%.ran) $B/provably $B/proofcheck
	@awk -f tests/sum.awk $(chosen:%=%.log)
$B/tests/t_library.ran: $(theorems:=.o)
$B/tests/t_readers: $(readers)
$B/tests/t_attack.ran: $(attack)
$B/tests/t_mutate.ran: $(mutate)
$B/tests/t_false.ran: $(false)
$B/tests/%.ran: $B/tests/% $(theorems) $B/provably $B/proofcheck FORCE
	@BUILD=$B PAPERS=$(papers) timeout -k 10 1200 $< > $<.log 2>&1 || true; cat $<.log

sentences: $B/tests/t_sentences $(theorems)
	@BUILD=$B PAPERS=$(papers) $< list $(ARGS)

attack: $(attack) $B/proofcheck $(theorems)
	@BUILD=$B $B/tests/attack --rounds=$(or $(ROUNDS),20000) --seed=$(SEED)
	@$B/tests/attack_claims --rounds=$(shell expr $(or $(ROUNDS),20000) / 50 + 50) --seed=$(SEED)
	@sh tests/attack_statements.sh $B $(shell expr $(or $(ROUNDS),20000) / 10 + 60) $(SEED)

# Training in several processes: another build, for OpenMPI
test-mpi:
	@if command -v mpicc >/dev/null && command -v mpirun >/dev/null; \
	 then $(MAKE) MPI=1 B=build-mpi build-mpi/provably && sh tests/mpi.sh build-mpi/provably; \
	 else echo "test-mpi: mpicc or mpirun is missing, nothing was tried; run make deps-dev"; fi

include $(addprefix $(build_files)/,checkers.mk coq.mk figures.mk)

# ---- for others: what was built, into PREFIX, without building; the source
install uninstall:
	@DESTDIR=$(call quote,$(DESTDIR)) STRIP=$(call quote,$(STRIP)) sh src/build/install.sh $@ $B $(call quote,$(or $(PREFIX),/usr/local))
dist:
	@sh src/build/dist.sh '$(version)' $B

clean:
	rm -rf build build-* reports/out
help:
	@sed -n '1,/^CC /{/^# SPDX/d;/^#/s/^# \{0,1\}//p}' Makefile

deps deps-report deps-dev deps-formal:            # one apt at a time, in this order
	@$(if $(filter $@,$(installed)),:,sh src/build/deps.sh $@ $(columns))
deps-report: | $(filter deps,$(MAKECMDGOALS))
deps-dev: | $(filter deps deps-report,$(MAKECMDGOALS))
deps-formal: | $(filter deps deps-report deps-dev,$(MAKECMDGOALS))

.PHONY: all sentences oom coverage-trust plain picture arm64 bench-numerics bench-reduce bench-verify install uninstall dist recheck attack index toolkit cudnn-check cuda-lint gpu-check bench-gpu gpu-day check verdicts certificates statements reproduce keep-runs unpack-runs report test test-mpi asan fuzz fuzz-files guided fuzz-guided fuzz-long coverage nightly valgrind lint mutants mutants-power fresh bounds bench reference reference-files clean formal formal-compare formal-nightly formal-typed help deps deps-report deps-dev deps-formal FORCE
.SECONDARY:
FORCE:
-include $(library:.o=.d) $(theorems:=.d) $(tests:=.d) $(attack:=.d) $(mutate:=.d) $(false:=.d) $(benches:=.d) $(dumps:=.d) $(example:=.d) $(support:.o=.d) $(readers:.o=.d) $(commands:.o=.d) $(proofcheck:.o=.d) $(claim_main:%.c=$B/%.d) \
  $(cuda_objects:.o=.d) $(mocked:.o=.d) $(ptx_backend:.o=.d) $(wildcard $B/cuda/*.d $B/mocked/cuda/check.d $B/tests/ptx/counts.d $(attention_of:.o=.d))
