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
#   make verdicts      reports/verdicts.csv anew, from the evidence of `make check`: the verdicts that later runs must come to
#   make statements    reports/statements.csv anew: what certificates may state; read the difference before you commit it
#   make index         the columns certificate and controls of reports/claims.csv anew, from the programs
#   make recheck       make check runs only what changed since its last time; this runs every program again
#   make plain         every program once more without the fast paths, and whether an outcome differs     (SCALE=quick,
#                      TRIALS=1: less of both)
#   make report        reports/out/: CSV, LaTeX, HTML with plots, and the PDF where TeX is installed
#   make reproduce     the papers' experiments again: PRESET=quick takes about ten minutes on two cores, no data
#                      needed; `build/provably reproduce --list` shows the others     (DATA=folder, ARGS=--jobs=4).  The
#                      figures go to build/reproduce/results, and the report shows them beside the records; RECORD=1
#                      writes them into the records themselves, reports/results
#   make keep-runs | unpack-runs    a long preset in several sittings: packs what is recorded of its finished runs into
#                      reports/results/runs, or puts it back, so that they are not run again    (PRESET=, RUNS=folder)
#   make deps-report   TeX, for the PDF
#   make deps-formal formal    what Coq's kernel says: src/formal and theorems/*.v compiled and checked again by coqchk,
#                      small models over Q evaluated as src/model does, broken statements refused,
#                      then the certificates of `make certificates`; reports/formal.csv, its log and formal_needed.csv anew (minutes)
#   make formal-compare ROUNDS=10000    the proved checkers against proofcheck, on all certificates and altered ones (SEED=);
#                      10,000 are recorded in reports/results
#   make formal-nightly    the same on a million altered ones, recorded; what was done is kept, and the next call resumes
#                      (ROUNDS=n: as many, not recorded)
#   make formal-typed    each certificate as an ordinary theorem, about matrices 'M_(m, n) or rational numbers, in
#                      build/formal/typed, checked by coqc; what was done is kept, and the next call resumes; all are recorded
#                      (an hour of one core; CLAIM=K-P3.2: those of one claim, SAMPLE=n: the n shortest of each kind)
#   make deps-dev      clang, cppcheck, valgrind, MPI, debootstrap, for the checkers
#   make MPI=1         all in build-mpi, for `mpirun -np N build-mpi/provably train ...`
#   make test-mpi      tests it
#   make bench         performance figures, as ratios in one run (PEER=path: beside a checkout of llm.c or a python
#                      that has torch, PEER=path,path beside both; recorded)
#   make ISA=avx2 test    as a processor without AVX-512 runs it, in build-avx2 (bench, too: PEER's programs keep to AVX2)
#   make bench-numerics    those of products, inverses, exp and erfc alone, recorded in reports/results with the commit,
#                      the processor and its load
#   make bench-reduce  seconds and memory of inspect, reduce and verify on models of GPT-2-small's size, likewise recorded
#   make bench-verify  `verify` beside cmp and a loop of np.allclose, as ratios in one run, on a pair of Llama's shape, likewise
#                      recorded (PYTHON=: one that has numpy; FULL=1: TinyLlama's size, 10 GB of disk)
#   make reference-files    files of transformers and of gguf read and reduced, logits compared (PYTHON=: one that has
#                      them), recorded
#   make reference     gradients and losses compared with PyTorch's (PYTHON=: one that has torch), recorded
#   make bounds        the bound of doubles over 200 seeds and 3 scalings; those of exp and erfc at 100,000 points (ROUNDS=)
#   make attack        false identities, plants, names, sizes and switches against every judge  (ROUNDS=1000000, SEED=)
#   make mutants       break the code in every generated way and see a test fail     (SAMPLE=n: n of them;
#                      FILES='cuda/* src/base/base.c': those of these files)
#   make cudnn-check   the attention graphs of cuDNN, built without a GPU; says so where cuDNN is missing
#   make coverage-trust    branches of the judge and of proofcheck that no test takes and nobody has argued: fails if there is
#                      one (build/coverage; needs gcc)
#   make asan | valgrind | lint | fuzz                  the checkers; asan has UBSan, too      (fuzz: ROUNDS=n;
#                      asan: TESTS='t_fp', CLAIMS='K-T4.4 N13': these alone; lint: DEEP=1, clang's analyzer without a bound)
#   make fuzz-files    ten million damaged checkpoints, recorded; what was done is kept, and the next call resumes
#                      (ROUNDS=n: as many, not recorded)
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
#   make dist          the source of the last commit: build/provably-VERSION.tar.gz, always the same bits
#   make clean | help
# Variables: CC, CXX, CFLAGS, CPPFLAGS, LDFLAGS (where one changes, what was made with it is made again), B (build folder),
#            OUT (reports), SEED (a number, or random: the system draws one), TRIALS,
#            SCALE=quick|default|large (with CLAIM: gpt2-small, too), WERROR=-Werror, CI=true (no line that is rewritten in place),
#            PROVABLY_PLAIN=1 (FLINT, Arb and MPFR alone compute, none of our fast paths)
CC     ?= cc
CXX    ?= c++
CFLAGS ?= -O2 -g
CPPFLAGS ?=
LDFLAGS ?=
# Variables in capitals are the user's, those of this file are in small letters.  The environment may hold DATA, OUT or
# CUDA for reasons of its own: only the compilers, their options and WERROR are taken from there.
$(foreach v,B OUT SEED TRIALS SCALE CLAIM MPI CUDA NCCL ISA DATA ARGS PRESET RECORD RUNS PEER PYTHON SAMPLE FILES ROUNDS TESTS CLAIMS DEEP DIST ARM64 PAPERS PREFIX, \
  $(if $(filter environment,$(origin $v)),$(eval undefine $v)))
B      ?= build$(if $(MPI),-mpi)$(if $(CUDA),-cuda)$(if $(ISA),-$(ISA))
$(if $(filter-out avx2,$(ISA)),$(error ISA=$(ISA): the only choice is avx2))
planned_seed := 20261121
SEED   ?= $(planned_seed)
ifeq ($(SEED),random)                              # one for all programs
override SEED := $(shell od -An -N8 -tu8 /dev/urandom | tr -d ' ')
$(info SEED=$(SEED) was drawn)
endif
SCALE  ?= default
OUT    ?= reports/out
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
step  = $(if $(silent),:,$(if $(live),$(if $(began),,$(eval began := $(shell date +%s)))$(eval started += x)sh tests/progress.sh \
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
false    := $(patsubst %.c,$B/%,$(wildcard tests/false/*.c))
dumps    := $(patsubst %,$B/tests/reference/dump_%,gpt vit logits)
example  := $B/tests/formal/dump_model
commands := $(patsubst %.c,$B/%.o,$(filter src/cli/%,$(sources)))
proofcheck := $(patsubst %.c,$B/%.o,$(filter src/proofcheck/%,$(sources)))
proofs   := $(wildcard src/formal/*.v theorems/*.v)
support  := $(patsubst %.c,$B/%.o,$(wildcard tests/support/*.c))
evidence := $(patsubst theorems/%.c,$B/evidence/%.done,$(wildcard theorems/*.c))
accepted := $(evidence:.done=.accepted)

manual   := $B/man/provably.1
version  := $(shell sed -n 's/^version: "\(.*\)"/\1/p' CITATION.cff)

all: $(theorems) $(tests) $(attack) $(false) $B/provably $B/proofcheck $(manual)

# ---- build; packages that are a goal beside others are there before make looks at anything: one apt at a time
packages := $(filter deps deps-report deps-dev deps-formal,$(MAKECMDGOALS))
ifneq ($(and $(packages),$(filter-out $(packages),$(MAKECMDGOALS)),$(if $(dry),,now)),)
$(foreach p,deps deps-report deps-dev deps-formal,$(if $(filter $p,$(packages)),$(shell sh tests/deps.sh $p $(columns) >&2)\
  $(if $(filter-out 0,$(.SHELLSTATUS)),$(error make $p has failed))))
installed := $(packages)
endif
deps_first := $(filter-out $(installed),$(packages))

# A record of what files were made with, $(call record,FILE,TEXT): written only where it is another text than that of the file,
# so that what depends on it is made again, and `make -n` writes nothing.
record = $(if $(subst |$(file <$1)|,,|$2|),FORCE)
quote  = '$(subst ','\'',$1)'
write  = mkdir -p $(@D) && printf '%s\n' $(call quote,$1) > $@.new && mv $@.new $@
compiled_with := $(strip $(CC) $(CXX) $(CPPFLAGS) $(CFLAGS) $(if $(ISA),ISA=$(ISA)) $(if $(MPI),MPI))
linked_with   := $(strip $(CC) $(CFLAGS) $(LDFLAGS) $(if $(MPI),MPI))
$B/flags.compile: $(call record,$B/flags.compile,$(compiled_with))
	@$(call write,$(compiled_with))
$B/flags.link: $(call record,$B/flags.link,$(linked_with))
	@$(call write,$(linked_with))
# The commit of the source, which programs read when they name it (src/base/version.h): another one makes nothing again.
commit := $(or $(shell sh tests/commit.sh 2>/dev/null),unknown)
$B/commit: $(call record,$B/commit,$(commit))
	@mkdir -p $(@D)
	@sh tests/commit.sh > $@.new || echo unknown > $@.new
	@mv $@.new $@

compile = $(CC) $(c_flags) $(CPPFLAGS) $(CFLAGS)
link    = $(CC) $(CFLAGS) $(LDFLAGS)
$B/%.o: %.c Makefile $B/flags.compile | $(deps_first)
	@mkdir -p $(@D)
	@$(call step,cc $<)
	@$(call whole,$(compile) -c $< -o $@)
$B/%.f64.o: %.c Makefile $B/flags.compile | $(deps_first)           # the CPU backend once more, in double
	@mkdir -p $(@D)
	@$(call step,cc $< in double)
	@$(call whole,$(compile) -DREAL_IS_DOUBLE -c $< -o $@)
# Without errno square roots are vectors, too, and without traps, which nobody sets, so are conditions, with the same bits;
# tests/packed.sh looks at the loops.
$B/src/train/%.o $B/src/data/%.o: c_flags += $(openmp) -fno-math-errno -fno-trapping-math
$B/src/train/cpu/cpu_tile.o $B/src/train/cpu/cpu_tile.f64.o: c_flags += -ffp-contract=fast
# All numbers there are integers that a double holds: fused or not, the bits are the same.
$B/numerics/product/%.o $(patsubst %,$B/numerics/%.o,arith_arb balls inverse_arb random rows_arb): c_flags += $(openmp)
# What compares the numbers of two files, some at a time on each core.
$B/src/checkpoint/numbers_apart.o $B/src/checkpoint/forward_weights.o: c_flags += $(openmp)
$B/tests/t_integers.o: c_flags += $(openmp)                        # asks whether they have it
$B/cuda/check.o $B/mocked/cuda/check.o: c_flags += $(openmp)
$B/numerics/product/residues.o: c_flags += -ffp-contract=fast
$B/src/train/world.o: c_flags += $(if $(MPI),-DUSE_MPI $(shell mpicc --showme:compile))
# All programs but proofcheck run one library: src/provably.map says which of its functions are for others, too.  A program
# finds it beside itself, one or two folders above, or where `make install` puts it.
library_so := $B/libprovably.so
$(library_so): $(filter-out $(allocator),$(library)) src/provably.map $B/flint.libs $B/flags.link
	@mkdir -p $(@D)
	@$(call step,link $@)
	@$(call whole,$(link) -shared -Wl$(comma)-soname$(comma)$(@F) -Wl$(comma)-Bsymbolic-functions -Wl$(comma)--build-id=none \
	  -Wl$(comma)--version-script=src/provably.map -Wl$(comma)--exclude-libs$(comma)ALL $(filter %.o,$^) $(libs) -o $@.new && mv $@.new $@)
at      := $$ORIGIN
linked  = $(link) -Wl,--build-id=none $1 $(library_so) -Wl,-rpath,'$(at):$(at)/..:$(at)/../..:$(at)/../lib/provably:$(at)/../../../lib/provably'
# The same as an archive, for judges that put altered objects before it.
$B/libprovably.a: $(library)
	@mkdir -p $(@D)
	@rm -f $@
	@ar rcs $@ $^
$B/flint.libs: Makefile $B/flags.link | $(deps_first)           # Arb is a library of its own before FLINT 3
	@mkdir -p $(@D)
	@if echo 'int main(void) { return 0; }' | $(link) -x c - -lflint-arb -o $@.try 2>/dev/null; \
	 then echo -lflint-arb -lflint > $@; else echo -lflint > $@; fi; rm -f $@.try
$B/all.libs: $B/flint.libs $B/libprovably.a       # what a test program is linked with, for tests/mutants.sh
	@echo '$(libs_check) $(libs)' > $@
$(tests) $(attack) $(benches): $(support)
$(dumps): $B/tests/reference/tensors.o
$B/theorem_program.a: $(claim_main:%.c=$B/%.o)     # an archive: programs with a main of their own take none
	@rm -f $@
	@ar rcs $@ $^
$(theorems) $(false): $B/theorem_program.a
# What a program or the library is made of: the SHA-256 of its code and data.  A changed comment, or a file that was only
# touched, changes neither, and then $B/identity/NAME keeps its time, too.
made_of := $(patsubst $B/theorems/%,$B/identity/%,$(theorems))
$B/identity/libprovably.seen: $(library_so)
$(made_of:=.seen): $B/identity/%.seen: $B/theorems/%
$B/identity/libprovably.seen $(made_of:=.seen):
	@mkdir -p $(@D)
	@sh src/build/identity.sh $< $(@:.seen=)
	@touch $@
$B/identity/libprovably $(made_of): %: %.seen ;
# The library is no prerequisite of what is linked with it: it may change without them.
$(theorems) $(tests) $(attack) $(false) $(benches) $(dumps) $(example): %: %.o $(allocator) $B/flint.libs $B/flags.link | $(library_so) $B/commit
	@$(call step,link $@)
	@$(call whole,$(call linked,$(filter %.o %.a,$^)) $(libs_check) $(libs) -o $@)
$B/provably: $(commands) $(theorems:=.o) $(allocator) $B/flint.libs $B/flags.link | $(library_so) $B/commit
	@$(call step,link $@)
	@$(call whole,$(call linked,$(filter %.o,$^)) $(libs) -o $@)

# ---- CUDA: make CUDA=1; nvcc from NVCC, /usr/local/cuda when it is not on the PATH
NVCC       ?= $(or $(shell command -v nvcc),/usr/local/cuda/bin/nvcc)
CUDA_HOME  ?= $(or $(patsubst %/bin/nvcc,%,$(realpath $(NVCC))),/usr/local/cuda)
# Machine code for these, as far as the toolkit has them (sm_80 serves 86, 87 and 89, sm_100 serves 103, sm_120 serves 121),
# and PTX of the first, which the driver compiles for a GPU that none of them serves.
cuda_known  = $(eval cuda_known := $(shell $(NVCC) --list-gpu-code 2>/dev/null))$(cuda_known)
CUDA_ARCH  ?= $(filter $(cuda_known),sm_80 sm_90 sm_100 sm_120)
cuda_ptx    = $(patsubst sm_%,compute_%,$(firstword $(CUDA_ARCH)))
cuda_files := $(filter-out cuda/check.c cuda/bench.c cuda/nccl.c,$(wildcard cuda/*.c cuda/*.cu))
nvcc_flags  = -std=c++17 -O3 -lineinfo -D_GNU_SOURCE -I. $(foreach a,$(CUDA_ARCH),-gencode arch=$(a:sm_%=compute_%),code=$a) \
              -gencode arch=$(cuda_ptx),code=$(cuda_ptx) $(if $(WERROR),-Werror all-warnings) -Xcompiler -Wall,-Wextra,-Wno-unknown-pragmas,-fno-exceptions
libs_cuda   = -L$(CUDA_HOME)/lib64 -Wl,-rpath,$(CUDA_HOME)/lib64 -lcudart_static -ldl -lstdc++
$B/cuda/%.o: c_flags += -isystem $(CUDA_HOME)/include
$B/%.cu.o: %.cu Makefile
	@mkdir -p $(@D)
	@echo nvcc $<
	@$(NVCC) $(nvcc_flags) -Xptxas -v -MMD -MF $(@:.o=.d) -MT $@ -c $< -o $@ > $(@:.o=.log) 2>&1 || { cat $(@:.o=.log); exit 1; }
cuda_objects := $(patsubst %.c,$B/%.o,$(filter %.c,$(cuda_files))) $(patsubst %.cu,$B/%.cu.o,$(filter %.cu,$(cuda_files)))
$(filter-out $B/cuda/attn_cudnn.o,$(cuda_objects)): | toolkit
toolkit:                                          # one line instead of a header that is not found
	@$(NVCC) --version >/dev/null 2>&1 || { echo "CUDA 12.8 or later is not installed: $(NVCC) does not run; install it, or say NVCC=path" >&2; exit 1; }
	@[ -n '$(CUDA_ARCH)' ] || { echo "$(NVCC) compiles for none of the GPUs that can be used (sm_80 and later); install CUDA 12.8 or later" >&2; exit 1; }
ifdef NCCL                                        # with MPI=1 CUDA=1: gradients are summed on the GPUs
cuda_objects += $B/cuda/nccl.o
$B/cuda/nccl.o: c_flags += $(shell mpicc --showme:compile)
$B/gpu-check $B/gpu-bench: libs += $(shell mpicc --showme:link)
endif
ifdef CUDA
$B/provably: $(cuda_objects)
$B/provably: libs += $(libs_cuda)
endif
$B/gpu-check $B/gpu-bench: $B/gpu-%: $B/cuda/%.o $(cuda_objects) $(allocator) $B/flint.libs $B/flags.link | $(library_so) $B/commit
	@$(call step,link $@)
	@$(call linked,$(filter %.o,$^)) $(libs) $(libs_cuda) -o $@
cuda-lint: $(cuda_objects)                                # registers and spills of every kernel, against cuda/kernels.txt
	@sh tests/cuda_lint.sh $B/kernels.report cuda/kernels.txt $(patsubst %.o,%.log,$(filter %.cu.o,$(cuda_objects)))

# The same kernels without a GPU: as nvcc compiles them, run by an interpreter of PTX (tests/ptx), which $B/ptx/gpu-check is
# linked with.  Their files' host half and the backend are compiled without CUDA's headers: tests/mock has what they use.
interpreter  := $(patsubst %,$B/tests/ptx/%.o,parse lanes memory warp run)
ptx_host     := $(patsubst %,$B/ptx/%.o,$(filter %.cu,$(cuda_files)))
ptx_backend  := $(interpreter) $B/tests/ptx/device.o $(ptx_host) $(patsubst %,$B/mocked/cuda/%.o,attn backend gemm_key)
$B/mocked/%.o: %.c Makefile $B/flags.compile | $(deps_first)
	@mkdir -p $(@D)
	@$(call step,cc $< without CUDA)
	@$(call whole,$(CC) -Itests/mock $(c_flags) $(CPPFLAGS) $(CFLAGS) -c $< -o $@)
$B/ptx/%.cu.o: %.cu Makefile $B/flags.compile | $(deps_first)
	@mkdir -p $(@D)
	@$(call step,c++ $< for an interpreter)
	@$(call whole,$(CXX) -x c++ -std=c++17 -fno-exceptions -fno-rtti -Itests/mock -include tests/ptx/launch.h -D_GNU_SOURCE -I. \
	  $(warn_host) -MMD -MP $(CPPFLAGS) $(CFLAGS) -O1 -c $< -o $@)     # -O1: no code of kernels, which nothing calls
$B/tests/ptx/device.o $B/tests/ptx/counts.o: c_flags += -Itests/mock
$B/ptx/gpu-check: $B/mocked/cuda/check.o $(ptx_backend)
$B/ptx/counts: $B/tests/ptx/counts.o $(ptx_backend)
attention_of := $(patsubst %,$B/tests/ptx/%.o,attention reference tensor)
$B/ptx/attention: $(attention_of) $(support) $(interpreter) $B/tests/ptx/device.o \
  $(filter %/attn_flash_fwd.cu.o %/attn_flash_bwd.cu.o,$(ptx_host))
$B/ptx/gpu-check $B/ptx/attention $B/ptx/counts: $(allocator) $B/flint.libs $B/flags.link | $(library_so) $B/commit
	@$(call step,link $@)
	@$(call whole,$(call linked,$(filter %.o,$^)) $(libs_check) $(libs) -lstdc++ -o $@)
$B/ptx/kernels.ptx: $(wildcard cuda/*.cu cuda/*.h) src/train/formula.h src/train/ops.h tests/ptx/kernels.sh $(wildcard tests/ptx/*.xz)
	@mkdir -p $(@D)
	@$(call step,nvcc --ptx)
	@sh tests/ptx/kernels.sh $@ '$(NVCC)'
ptx: $B/ptx/kernels.ptx                          # recorded for machines without nvcc
	@sh tests/ptx/kernels.sh record $<
$B/tests/t_interpreter: $(interpreter)
$B/tests/t_ptx: $(interpreter) | $B/ptx/gpu-check $B/ptx/attention $B/ptx/counts $B/ptx/kernels.ptx
$B/tests/t_cuda: $(ptx_backend)
$B/tests/t_ptx $B/tests/t_interpreter $B/tests/t_cuda: libs += -lstdc++

# The host half of the backend on a GPU that is none: tests/mock.
mocked := $(patsubst %,$B/mocked/%.o,cuda/device cuda/gemm cuda/gemm_key cuda/attn tests/mock/cuda_mock)
$B/tests/t_cuda_host.o: c_flags += -Itests/mock
$B/tests/t_cuda_host: $(mocked)

# On a machine with a GPU.
SANITIZER ?= $(or $(shell command -v compute-sanitizer),$(wildcard $(CUDA_HOME)/bin/compute-sanitizer))
gpu-check: $B/gpu-check
	@sh tests/gpu_check.sh $B '$(SANITIZER)'
bench-gpu: $B/gpu-bench
	@sh tests/gpu_bench.sh $B
gpu-day: $B/gpu-check $B/gpu-bench $B/provably            # with CUDA=1
	@sh tests/gpu_day.sh $B '$(SANITIZER)'

# The manual is what the programs say with --help.
$(manual): $B/provably $B/proofcheck src/cli/manual.sh src/cli/manual.awk CITATION.cff
	@sh src/cli/manual.sh $B $(@D) '$(version)' "$$(sed -n 's/^date-released: //p' CITATION.cff)"

$B/proofcheck: $(proofcheck) $B/flags.link       # shares nothing with the rest, so GMP alone
	@$(call step,link $@)
	@$(call whole,$(link) $(filter %.o,$^) -lgmp -o $@)

# ---- the main job: every program runs, and proofcheck reads its certificates; what fails leaves NAME.failed or
# NAME.unproved, and `check` fails at its end.  A program runs again when it, SEED, SCALE or TRIALS are others than those of
# its evidence, when it failed, and in `make recheck`: tests/evidence.sh.
ifdef CLAIM                                       # one program, which may use every core
one := $(firstword $(basename $(notdir $(wildcard theorems/$(shell echo '$(CLAIM)' | tr 'A-Z.-' 'a-z__').c))))
check: $B/theorems/$(or $(one),no-such-claim)
	@mkdir -p $B/claims
	@env -u OPENBLAS_NUM_THREADS -u OMP_NUM_THREADS $< $(if $(filter-out file,$(origin SEED)),--seed=$(SEED)) --scale=$(SCALE) \
	  $(if $(TRIALS),--trials=$(TRIALS)) \
	  --out=$B/claims/$(one).$(SCALE).csv $(ARGS)
$B/theorems/no-such-claim:
	@echo "CLAIM=$(CLAIM): no program of that name; write an id as in reports/claims.csv: CLAIM=K-T4.4" >&2; exit 2
else
ifeq ($(SCALE),gpt2-small)
check_alone := $(filter check recheck report verdicts bench,$(MAKECMDGOALS))
$(if $(check_alone),$(error SCALE=gpt2-small is for one claim: make check SCALE=gpt2-small CLAIM=K-T4.4, or K-T4.2, K-T4.3))
endif
check: $(evidence) $(accepted) $B/provably $(manual)
	@$(if $(live),$(clear); echo 'writing the reports')
	@s=0; $B/provably report --evidence=$B/evidence --out=$(OUT) $(if $(filter report,$(goals)),--pdf) \
	   $(if $(filter quick,$(SCALE)),--partial) || s=$$?; \
	 $(all_passed) || exit 1; sh tests/evidence.sh kept $B; exit $$s
endif
recheck report: check                             # report: with the PDF
again = $(if $(filter $1,$(goals)),FORCE)
parameters := seed $(SEED), scale $(SCALE), trials $(or $(TRIALS),as planned)$(if $(filter-out 0,$(PROVABLY_PLAIN)),$(comma) plain)
$B/check/parameters: $(call record,$B/check/parameters,$(parameters))
	@$(call write,$(parameters))
begin-evidence: $(made_of) $B/identity/libprovably $B/proofcheck $B/provably $B/check/parameters
	@sh tests/evidence.sh begin $B $(if $(call again,recheck),all)
all-evidence: $(evidence)
$(evidence): $B/evidence/%.done: $B/identity/% $B/identity/libprovably $B/check/parameters tests/evidence.sh $(call again,recheck) | begin-evidence
	@sh tests/evidence.sh run $B $* $(or $(columns),$(if $(silent),silent,log)) --seed=$(SEED) --scale=$(SCALE) $(if $(TRIALS),--trials=$(TRIALS))
all_passed = failed=$$(sh tests/evidence.sh failed $B); \
  [ -z "$$failed" ] || { echo "make $@: failed, see NAME.log and NAME.certificates in $B/evidence:" $$failed >&2; false; }

# The program's certificates, in $B/certificates/%/
$(accepted): $B/evidence/%.accepted: $B/identity/% $B/identity/libprovably $B/proofcheck $B/check/parameters reports/statements.csv tests/prove.sh \
  $(call again,recheck certificates) $(filter statements,$(goals)) | \
  $(if $(filter-out certificates index statements,$(goals)),all-evidence,begin-evidence)
	@$(if $(live),sh tests/progress.sh $(columns) 0 0 '' certificates of $*)
	@rm -f $(@:.accepted=.unproved)
	@sh tests/prove.sh $B $* $(SEED) reports/statements.csv $(@:.accepted=.unproved)

# Every program with the fast paths off, in its own folder, and its outcomes beside those of `check`.
plain_rows := $(theorems:$B/theorems/%=$B/plain/%.ran)
$(plain_rows): $B/plain/%.ran: $B/identity/% $B/identity/libprovably $B/check/parameters tests/plain.sh
	@$(call step,plain $*)
	@sh tests/plain.sh run $B $* --seed=$(SEED) --scale=$(SCALE) $(if $(TRIALS),--trials=$(TRIALS))
	@[ -e $B/plain/$*.failed ] || touch $@
$(if $(filter plain,$(goals)),$(if $(filter-out 0,$(PROVABLY_PLAIN)),$(error \
  make plain compares with the fast paths: unset PROVABLY_PLAIN)))
plain: $(evidence) $(plain_rows)
	@sh tests/plain.sh compare $B $(notdir $(theorems))

reproduce: $B/provably
	@$B/provably reproduce $(or $(PRESET),quick) $(if $(DATA),--data=$(DATA)) --out=$B/reproduce/$(or $(PRESET),quick) $(if $(RECORD),--results=reports/results,--results=$B/reproduce/results --recorded=reports/results) $(ARGS)
# Of experiments over several sittings: what is recorded of finished runs, without weights, in reports/results/runs.
keep-runs unpack-runs:
	@sh src/experiments/kept_runs.sh $(@:-runs=) $(or $(PRESET),quick) $(or $(RUNS),$B/reproduce/$(or $(PRESET),quick))

certificates: $(accepted)
	@! ls $(accepted:.accepted=.unproved) 2>/dev/null
	@sh tests/certificates.sh $B reports/claims.csv $(if $(filter $(planned_seed),$(SEED)),reports/formal.csv)
verdicts: $(evidence) $(accepted) $B/provably
	@$B/provably report --evidence=$B/evidence --out=$(OUT) --quiet --agree=reports/verdicts.csv
	@cp $(OUT)/verdicts.svg reports/
index: $(theorems) $(accepted)
	@sh tests/index.sh $B reports/claims.csv write
statements: $(theorems) $B/proofcheck
	@sh tests/statements.sh $B $(SEED) reports/statements.csv

# ---- tests of the suite itself; the last line sums up Check's own
papers = $(or $(PAPERS),$(firstword $(wildcard papers ../shared/papers)))
chosen = $(or $(TESTS:%=$B/tests/%),$(tests))
test: $(chosen:%=%.ran) $B/provably $B/proofcheck
	@awk -f tests/sum.awk $(chosen:%=%.log)
$B/tests/t_library.ran: $(theorems:=.o)
$B/tests/t_attack.ran: $(attack)
$B/tests/t_false.ran: $(false)
$B/tests/%.ran: $B/tests/% $(theorems) $B/provably $B/proofcheck FORCE
	@BUILD=$B PAPERS=$(papers) timeout -k 10 1200 $< > $<.log 2>&1 || true; cat $<.log

sentences: $B/tests/t_sentences $(theorems)
	@BUILD=$B PAPERS=$(papers) $< list $(ARGS)

attack: $(attack) $B/proofcheck
	@BUILD=$B $B/tests/attack --rounds=$(or $(ROUNDS),20000) --seed=$(SEED)
	@$B/tests/attack_claims --rounds=$(shell expr $(or $(ROUNDS),20000) / 50 + 50) --seed=$(SEED)

# Training in several processes: another build, for OpenMPI
test-mpi:
	@if command -v mpicc >/dev/null && command -v mpirun >/dev/null; \
	 then $(MAKE) MPI=1 B=build-mpi build-mpi/provably && sh tests/mpi.sh build-mpi/provably; \
	 else echo "test-mpi: mpicc or mpirun is missing, nothing was tried; run make deps-dev"; fi

# ---- the checkers
sanitize = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
asan:
	$(MAKE) B=build-asan CFLAGS='$(sanitize)' OUT=build-asan/out test
	+@$(if $(CLAIMS),set -e; for claim in $(CLAIMS); do \
	    $(MAKE) B=build-asan CFLAGS='$(sanitize)' check SCALE=quick CLAIM=$$claim; done, \
	  $(MAKE) B=build-asan CFLAGS='$(sanitize)' OUT=build-asan/out check SCALE=quick)
fuzz:
	$(MAKE) B=build-asan CFLAGS='$(sanitize)' build-asan/provably build-asan/tests/t_fuzz build-asan/tests/t_safetensors \
	  build-asan/tests/t_inspect build-asan/tests/t_gallery
	FUZZ_ROUNDS=$(or $(ROUNDS),5000) build-asan/tests/t_fuzz
	FUZZ_ROUNDS=$(or $(ROUNDS),5000) BUILD=build-asan build-asan/tests/t_safetensors
	FUZZ_ROUNDS=$(or $(ROUNDS),5000) BUILD=build-asan build-asan/tests/t_inspect
	FUZZ_ROUNDS=$(or $(ROUNDS),5000) BUILD=build-asan build-asan/tests/t_gallery
# The readers of checkpoints alone are sanitized: ten million executions in an hour on one core.  What was done is kept, and
# the next call resumes.
fuzzed := $(patsubst %.c,build-asan/%.o,$(filter src/base/% src/data/% src/checkpoint/% src/train/checkpoint.c src/train/gpt.c,\
  $(sources)) $(wildcard tests/support/*.c) tests/t_inspect.c)
fuzz-files: $B/libprovably.a $B/flint.libs
	$(MAKE) B=build-asan CFLAGS='$(sanitize)' $(fuzzed)
	@mkdir -p build-asan/tests
	$(CC) $(sanitize) $(fuzzed) $B/libprovably.a $(libs_check) $(libs) -o build-asan/tests/fuzz_files
	@sh tests/fuzz_files.sh build-asan $(if $(ROUNDS),build-asan/out $(ROUNDS),reports/results 10000000)
oom: $B/tests/t_oom $B/theorems/k_e2 $B/provably $B/proofcheck
	@sh tests/oom.sh $B $(if $(ROUNDS),$B/out $(ROUNDS),reports/results 30)
valgrind = valgrind -q --error-exitcode=42 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite
valgrind: $(theorems) $(tests)
	$(valgrind) $B/tests/t_arith
	$(valgrind) $B/tests/t_verdict
	$(valgrind) $B/theorems/k_t4_4 --arith=f64,mpfr,arb,fp,q,sym --scale=quick --part=as-stated-tied
coverage-trust: $(addprefix $B/tests/t_,verdict records findings readings certificate) $B/provably $B/all.libs
	@CC='$(CC)' sh tests/coverage_trust.sh $B $(wildcard $B/certificates/*/*.cert)
lint: $(library)                                  # the objects: which room uses which
	@DEEP=$(DEEP) sh tests/lint.sh $B
	@sh tests/formal_lint.sh $(proofs)
# ---- what the kernel of a proof assistant says; nothing else in this file needs Coq
coq_warn  := +default,-notation-overridden,-ambiguous-paths
coq_paths := -Q $B/formal/Provably Provably -Q $B/formal/Theorems Theorems
ifneq ($(filter formal% $B/formal/%,$(goals)),)
ifeq ($(shell command -v coqc),)
ifeq ($(filter deps-formal,$(goals)),)
$(error make formal: coqc is missing: make deps-formal, then make formal)
endif
endif
ifeq ($(dry),)                                    # files that are included are made by `make -n`, too
$B/formal/depends: $(proofs) Makefile | $(deps_first)
	@mkdir -p $(@D)/Provably $(@D)/Theorems
	@coqdep -Q src/formal Provably -Q theorems Theorems $(proofs) > $@.new
	@awk -v to=$B/formal -f tests/formal_depends.awk $@.new > $@ && rm $@.new
endif
-include $B/formal/depends
endif
compiled  := $(patsubst src/formal/%.v,$B/formal/Provably/%.vo,$(patsubst theorems/%.v,$B/formal/Theorems/%.vo,$(proofs)))
$B/formal/Provably/%.vo: src/formal/%.v
	@$(call step,coq $<)
	@coqc -q -w $(coq_warn) $(coq_paths) -o $@ $<
$B/formal/Theorems/%.vo: theorems/%.v
	@$(call step,coq $<)
	@coqc -q -w $(coq_warn) $(coq_paths) -o $@ $<
formal: $(compiled) $(example)
	@sh tests/formal_lint.sh $(proofs)
	@sh tests/formal_model.sh $B $(SEED)
	@sh tests/formal_breaks.sh $B
	@sh tests/formal_certificates.sh $B
	@sh tests/formal_needed.sh $B reports/formal_needed.csv $(proofs)
	@sh tests/formal.sh $B reports/formal.csv $(proofs)
# fewer rounds than those that are recorded: $B/out
checkers := $(patsubst %,$B/formal/Provably/%.vo,sym_text formulas networks_text)
formal-compare: $(checkers) $B/proofcheck
	@sh tests/formal_compare.sh $B $(or $(ROUNDS),10000) $(SEED) $(if $(filter 10000,$(or $(ROUNDS),10000)),reports/results,$B/out)
formal-nightly: $(checkers) $B/proofcheck
	@sh tests/formal_compare.sh $B $(or $(ROUNDS),1000000) $(SEED) $(if $(ROUNDS),$B/out,reports/results)
formal-typed: $(checkers) $(patsubst %,$B/formal/Provably/%.vo,typed typed_formulas typed_numbers typed_networks)
	@sh tests/formal_certificates.sh $B
	@RECORD=reports/results/formal_typed.csv SAMPLE=$(SAMPLE) sh tests/formal_typed.sh $B $(CLAIM)
mutants: all $B/all.libs
	@sh tests/mutants.sh $B $(or $(SAMPLE),0) $(SEED) '$(FILES)'
# ---- arm64, compiled here and run in qemu; the libraries are Debian's, unpacked into a folder and not installed
ARM64 ?= /var/tmp/provably-arm64
arm64_tests  := t_products t_integers t_fp_product t_fp t_elementary t_arith t_inverse t_forward
arm64_claims := k_t4_4 k_p3_2 k_e2
arm64: $(arm64_claims:%=$B/theorems/%)
	@command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64-static >/dev/null || \
	  { echo "make arm64: apt-get install gcc-aarch64-linux-gnu qemu-user-static" >&2; exit 2; }
	@sh tests/arm64.sh root $(ARM64)
	$(MAKE) B=build-arm64 CC='aarch64-linux-gnu-gcc --sysroot=$(abspath $(ARM64))' build-arm64/provably build-arm64/proofcheck \
	  $(arm64_tests:%=build-arm64/tests/%) $(arm64_claims:%=build-arm64/theorems/%)
	@sh tests/arm64.sh run $B build-arm64 $(abspath $(ARM64)) $(arm64_tests) -- $(arm64_claims)
fresh:
	@sh tests/fresh.sh $(or $(DIST),bookworm)

# ---- cuDNN's graphs, built and compiled without a GPU: the toolkit's stub stands for the driver
$B/tests/cudnn_check: $B/tests/cudnn_check.o $B/cuda/attn_cudnn.o $(allocator) $B/flint.libs $B/flags.link | $(library_so) $B/commit
	@$(call step,link $@)
	@$(call linked,$(filter %.o,$^)) $(libs) -o $@
cudnn-check: $B/tests/cudnn_check
	@mkdir -p $B/stubs && ln -sf $(CUDA_HOME)/lib64/stubs/libcuda.so $B/stubs/libcuda.so.1
	@LD_LIBRARY_PATH=$B/stubs:$(CUDA_HOME)/lib64 $< || [ $$? -eq 77 ]

# ---- figures
bounds: $(theorems) $B/tests/t_elementary
	@sh tests/bounds.sh $B $(TRIALS)
	@ELEMENTARY_POINTS=$(or $(ROUNDS),100000) CK_RUN_CASE=all $B/tests/t_elementary
# a judge from outside: a development check, nothing needs it
reference: $(dumps)
	@$(or $(PYTHON),python3) tests/reference/torch_gpt.py $B/tests/reference/dump_gpt reports/results/reference_gpt.csv
	@$(or $(PYTHON),python3) tests/reference/torch_vit.py $B/tests/reference/dump_vit reports/results/reference_vit.csv
reference-files: $B/provably $B/tests/reference/dump_logits $B/tests/t_controls
	@$(or $(PYTHON),python3) tests/reference/transformers_logits.py $B reports/results/reference_files.csv
	@$(or $(PYTHON),python3) tests/reference/gguf_logits.py $B reports/results/reference_gguf.csv
	@CONTROLS=all BUILD=$B $B/tests/t_controls
bench: $(benches) $(evidence) $(accepted)
	@$(all_passed)
	@for b in $(benches); do $$b; done
	@$(if $(PEER),ISA=$(ISA) sh tests/bench_peers.sh $B $(PEER) reports/results)
	@cat $B/evidence/*.csv | awk -F, -f tests/number.awk -f tests/seconds.awk

bench-numerics: $B/tests/b_numerics
	@sh tests/bench_numerics.sh $B reports/results

bench-reduce: $B/tests/b_reduce $B/provably
	@sh tests/bench_reduce.sh $B reports/results

bench-verify: $B/tests/b_verify $B/provably
	@PYTHON=$(call quote,$(PYTHON)) sh tests/bench_verify.sh $B reports/results $(if $(FULL),16 2048 16 8 5632 32000 3)

# ---- for others: what was built, into PREFIX, without building; the source
install uninstall:
	@DESTDIR=$(call quote,$(DESTDIR)) STRIP=$(call quote,$(STRIP)) sh tests/install.sh $@ $B $(call quote,$(or $(PREFIX),/usr/local))
dist:
	@sh tests/dist.sh '$(version)' $B

clean:
	rm -rf build build-* reports/out
help:
	@sed -n '1,/^CC /{/^#/s/^# \{0,1\}//p}' Makefile

deps deps-report deps-dev deps-formal:            # one apt at a time, in this order
	@$(if $(filter $@,$(installed)),:,sh tests/deps.sh $@ $(columns))
deps-report: | $(filter deps,$(MAKECMDGOALS))
deps-dev: | $(filter deps deps-report,$(MAKECMDGOALS))
deps-formal: | $(filter deps deps-report deps-dev,$(MAKECMDGOALS))

.PHONY: all sentences oom coverage-trust all-evidence plain arm64 bench-numerics bench-reduce bench-verify install uninstall dist recheck begin-evidence attack index toolkit cudnn-check cuda-lint gpu-check bench-gpu gpu-day check verdicts certificates statements reproduce keep-runs unpack-runs report test test-mpi asan fuzz fuzz-files valgrind lint mutants fresh bounds bench reference reference-files clean formal formal-compare formal-nightly formal-typed help deps deps-report deps-dev deps-formal FORCE
.SECONDARY:
FORCE:
-include $(library:.o=.d) $(theorems:=.d) $(tests:=.d) $(attack:=.d) $(false:=.d) $(benches:=.d) $(dumps:=.d) $(example:=.d) $(support:.o=.d) $(commands:.o=.d) $(proofcheck:.o=.d) $(claim_main:%.c=$B/%.d) \
  $(cuda_objects:.o=.d) $(mocked:.o=.d) $(ptx_backend:.o=.d) $(wildcard $B/cuda/*.d $B/mocked/cuda/check.d $B/tests/ptx/counts.d $(attention_of:.o=.d))
