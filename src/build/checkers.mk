# SPDX-License-Identifier: GPL-3.0-or-later
# checkers.mk - sanitizers, fuzzing, mutants, attacks, and other machines.
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
# Each reader of a file under libFuzzer, which sees the branches of what reads files; the rest is as it is built.  A readers'
# process makes twenty thousand executions, since what is refused leaves memory behind.
guided_flags := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
guided_rooms := src/base src/data src/checkpoint src/claim src/methods/counts src/model src/experiments src/report/collect
guided_c := $(filter-out src/base/mapped.c $(allocator:$B/%.o=%.c),$(filter $(guided_rooms:%=%/%),$(filter-out $(claim_main),$(sources)))) \
  $(addprefix src/train/,checkpoint.c gpt.c gpt_config.c run_folder.c) $(wildcard tests/readers/*.c) $(addprefix tests/guided/,guided.c mapped_heap.c)
guided_o := $(patsubst %.c,build-guided/%.o,$(guided_c))
proofs_o := $(patsubst %.c,build-guided/%.o,$(filter src/proofcheck/%,$(sources)) tests/guided/proofcheck.c)
build-guided/src/proofcheck/main.o: c_flags += -Dmain=check_files -Wno-missing-prototypes
guided: $B/libprovably.a $B/flint.libs
	@command -v clang >/dev/null || { echo "make fuzz-guided: clang is missing; run make deps-dev" >&2; exit 2; }
	$(MAKE) B=build-guided CC=clang CFLAGS='$(guided_flags)' $(guided_o) $(proofs_o)
	clang -fsanitize=fuzzer,address,undefined $(guided_o) $B/libprovably.a $(filter-out -fopenmp,$(libs)) -lgomp -o build-guided/guided
	clang -fsanitize=fuzzer,address,undefined $(proofs_o) -lgmp -o build-guided/guided_proofcheck
fuzz-guided: guided
	@sh tests/guided.sh build-guided short $(or $(ROUNDS),2000)
fuzz-long: guided
	@sh tests/guided.sh build-guided long $(or $(SECONDS),3600)
oom: $B/tests/t_oom $B/theorems/k_e2 $B/provably $B/proofcheck
	@sh tests/oom.sh $B $(if $(ROUNDS),$B/out $(ROUNDS),reports/results 30)
valgrind = valgrind -q --error-exitcode=42 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite
valgrind: $(theorems) $(tests)
	$(valgrind) $B/tests/t_arith
	$(valgrind) $B/tests/t_verdict
	$(valgrind) $B/theorems/k_t4_4 --arith=f64,mpfr,arb,fp,q,sym --scale=quick --part=as-stated-tied
coverage-trust: $(addprefix $B/tests/t_,verdict records findings readings certificate) $B/provably $B/all.libs
	@CC='$(CC)' sh tests/coverage_trust.sh $B $(wildcard $B/certificates/*/*.cert)
# All but what is on a GPU with counters of gcov, and the tests on them.
coverage:
	@mkdir -p build-coverage
	$(CC) -std=c17 -D_GNU_SOURCE -O1 -fPIC -c tests/coverage_ends.c -o build-coverage/ends.o
	$(MAKE) B=build-coverage CFLAGS='-O0 -g --coverage' LDFLAGS="-Wl,--wrap=_Exit,--wrap=_exit $$(pwd)/build-coverage/ends.o" all
	@sh tests/coverage.sh build-coverage reports/results $(TESTS)
nightly:                                          # what tests/recorded.sh finds to be of other sources, made anew
	$(MAKE) coverage
	$(MAKE) fuzz-long
lint: $(library)                                  # the objects: which room uses which
	@DEEP=$(DEEP) sh tests/lint.sh $B
	@sh tests/formal_lint.sh $(proofs)
# ---- arm64, compiled here and run in qemu; the libraries are Debian's, unpacked into a folder and not installed
ARM64 ?= /var/tmp/provably-arm64
arm64_tests  := t_products t_integers t_fp_product t_fp t_elementary t_arith t_inverse t_forward
arm64_claims := k_t4_4 k_p3_2 k_e2
arm64: $(arm64_claims:%=$B/theorems/%)
	@command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64-static >/dev/null || \
	  { echo "make arm64: apt-get install gcc-aarch64-linux-gnu qemu-user-static" >&2; exit 2; }
	@sh src/build/arm64.sh root $(ARM64)
	$(MAKE) B=build-arm64 CC='aarch64-linux-gnu-gcc --sysroot=$(abspath $(ARM64))' build-arm64/provably build-arm64/proofcheck \
	  $(arm64_tests:%=build-arm64/tests/%) $(arm64_claims:%=build-arm64/theorems/%)
	@sh src/build/arm64.sh run $B build-arm64 $(abspath $(ARM64)) $(arm64_tests) -- $(arm64_claims)
fresh:
	@sh src/build/fresh.sh $(or $(DIST),bookworm)
