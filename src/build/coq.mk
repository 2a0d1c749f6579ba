# SPDX-License-Identifier: GPL-3.0-or-later
# coq.mk - Coq.
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
$B/formal/depends: $(proofs) $(build_files)/coq.mk | $(deps_first)
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
	@sh tests/formal_cases.sh $B reports/formal_cases.csv $(proofs)
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
	@sh tests/mutants.sh $B $(or $(SAMPLE),0) $(SEED) '$(FILES)' '$(ROOM)' '$(EACH)'
mutants-power: $(if $(COMPARE),all $B/all.libs,$(mutate))
	@sh tests/mutants_power.sh $B $(if $(COMPARE),compare $(COMPARE) $(SEED) '$(or $(ROOM),all)')
