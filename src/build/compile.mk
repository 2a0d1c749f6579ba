# SPDX-License-Identifier: GPL-3.0-or-later
# compile.mk - objects, the library and the programs.  Objects depend on this file.
compile = $(CC) $(c_flags) $(CPPFLAGS) $(CFLAGS)
link    = $(CC) $(CFLAGS) $(LDFLAGS)
$B/%.o: %.c $(build_files)/compile.mk $B/flags.compile | $(deps_first)
	@mkdir -p $(@D)
	@$(call step,cc $<)
	@$(call whole,$(compile) -c $< -o $@)
$B/%.f64.o: %.c $(build_files)/compile.mk $B/flags.compile | $(deps_first)           # the CPU backend once more, in double
	@mkdir -p $(@D)
	@$(call step,cc $< in double)
	@$(call whole,$(compile) -DREAL_IS_DOUBLE -c $< -o $@)
# Without errno square roots are vectors, too, and without traps, which nobody sets, so are conditions, with the same bits;
# tests/packed.sh looks at the loops.
$B/src/train/%.o $B/src/data/%.o: c_flags += $(openmp) -fno-math-errno -fno-trapping-math
$B/src/train/cpu/cpu_tile.o $B/src/train/cpu/cpu_tile.f64.o: c_flags += -ffp-contract=fast
# All numbers there are integers that a double holds: fused or not, the bits are the same.
$B/numerics/product/%.o $(patsubst %,$B/numerics/%.o,arith_arb balls inverse_arb random rows_arb): c_flags += $(openmp)
# What reads and compares the numbers of two files, some at a time on each core.
$B/src/checkpoint/numbers_apart.o $B/src/checkpoint/quantised_apart.o $B/src/checkpoint/forward_weights.o \
$B/src/checkpoint/tensors.o $B/src/checkpoint/relation.o $B/src/checkpoint/gauge_found.o: c_flags += $(openmp)
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
$B/flint.libs: $(build_files)/compile.mk $B/flags.link | $(deps_first)           # Arb is a library of its own before FLINT 3
	@mkdir -p $(@D)
	@if echo 'int main(void) { return 0; }' | $(link) -x c - -lflint-arb -o $@.try 2>/dev/null; \
	 then echo -lflint-arb -lflint > $@; else echo -lflint > $@; fi; rm -f $@.try
$B/all.libs: $B/flint.libs $B/libprovably.a       # what a test program is linked with, for tests/mutants.sh
	@echo '$(libs_check) $(libs)' > $@
$(tests) $(attack) $(mutate) $(benches): $(support)
$(dumps): $B/tests/reference/tensors.o
$B/theorem_program.a: $(claim_main:%.c=$B/%.o)     # an archive: programs with a main of their own take none
	@rm -f $@
	@ar rcs $@ $^
$(theorems) $(false): $B/theorem_program.a
# The library is no prerequisite of what is linked with it: it may change without them, but for which half a function is in.
$(theorems) $(tests) $(attack) $(mutate) $(false) $(benches) $(dumps) $(example): %: %.o $(allocator) $B/flint.libs $B/flags.link src/provably.map | $(library_so) $B/commit
	@$(call step,link $@)
	@$(call whole,$(call linked,$(filter %.o %.a,$^)) $(libs_check) $(libs) -o $@)
$B/provably: $(commands) $(theorems:=.o) $(allocator) $B/flint.libs $B/flags.link src/provably.map | $(library_so) $B/commit
	@$(call step,link $@)
	@$(call whole,$(call linked,$(filter %.o,$^)) $(libs) -o $@)
