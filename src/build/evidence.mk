# evidence.mk - `make check`, certificates, verdicts and the lists that are made from the programs.
# ---- the main job: every program runs, and proofcheck reads its certificates; what fails leaves NAME.failed or
# NAME.unproved, and `check` fails at its end.  A program runs again when it, SEED, SCALE or TRIALS are others than those of
# its evidence, when it failed, and in `make recheck`: src/build/evidence.sh.
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
	 $(all_passed) || exit 1; sh src/build/evidence.sh kept $B; exit $$s
endif
recheck report: check                             # report: with the PDF
again = $(if $(filter $1,$(goals)),FORCE)
parameters := seed $(SEED), scale $(SCALE), trials $(or $(TRIALS),as planned)$(if $(filter-out 0,$(PROVABLY_PLAIN)),$(comma) plain)
$B/check/parameters: $(call record,$B/check/parameters,$(parameters))
	@$(call write,$(parameters))
begin-evidence: $(made_of) $B/identity/libprovably $B/proofcheck $B/provably $B/check/parameters
	@sh src/build/evidence.sh begin $B $(if $(call again,recheck),all)
all-evidence: $(evidence)
$(evidence): $B/evidence/%.done: $B/identity/% $B/identity/libprovably $B/check/parameters src/build/evidence.sh $(call again,recheck) | begin-evidence
	@sh src/build/evidence.sh run $B $* $(or $(columns),$(if $(silent),silent,log)) --seed=$(SEED) --scale=$(SCALE) $(if $(TRIALS),--trials=$(TRIALS))
all_passed = failed=$$(sh src/build/evidence.sh failed $B); \
  [ -z "$$failed" ] || { echo "make $@: failed, see NAME.log and NAME.certificates in $B/evidence:" $$failed >&2; false; }

# The program's certificates, in $B/certificates/%/
$(accepted): $B/evidence/%.accepted: $B/identity/% $B/identity/libprovably $B/proofcheck $B/check/parameters reports/statements.csv src/build/prove.sh \
  $(call again,recheck certificates) $(filter statements,$(goals)) | \
  $(if $(filter-out certificates index statements,$(goals)),all-evidence,begin-evidence)
	@$(if $(live),sh src/build/progress.sh $(columns) 0 0 '' certificates of $*)
	@rm -f $(@:.accepted=.unproved)
	@sh src/build/prove.sh $B $* $(SEED) reports/statements.csv $(@:.accepted=.unproved)

# Every program with the fast paths off, in its own folder, and its outcomes beside those of `check`.
plain_rows := $(theorems:$B/theorems/%=$B/plain/%.ran)
$(plain_rows): $B/plain/%.ran: $B/identity/% $B/identity/libprovably $B/check/parameters src/build/plain.sh
	@$(call step,plain $*)
	@sh src/build/plain.sh run $B $* --seed=$(SEED) --scale=$(SCALE) $(if $(TRIALS),--trials=$(TRIALS))
	@[ -e $B/plain/$*.failed ] || touch $@
$(if $(filter plain,$(goals)),$(if $(filter-out 0,$(PROVABLY_PLAIN)),$(error \
  make plain compares with the fast paths: unset PROVABLY_PLAIN)))
plain: $(evidence) $(plain_rows)
	@sh src/build/plain.sh compare $B $(notdir $(theorems))

reproduce: $B/provably
	@$B/provably reproduce $(or $(PRESET),quick) $(if $(DATA),--data=$(DATA)) --out=$B/reproduce/$(or $(PRESET),quick) $(if $(RECORD),--results=reports/results,--results=$B/reproduce/results --recorded=reports/results) $(ARGS)
# Of experiments over several sittings: what is recorded of finished runs, without weights, in reports/results/runs.
keep-runs unpack-runs:
	@sh src/experiments/kept_runs.sh $(@:-runs=) $(or $(PRESET),quick) $(or $(RUNS),$B/reproduce/$(or $(PRESET),quick))

certificates: $(accepted)
	@! ls $(accepted:.accepted=.unproved) 2>/dev/null
	@sh src/build/certificates.sh $B reports/claims.csv $(if $(filter $(planned_seed),$(SEED)),reports/formal.csv)
verdicts: $(evidence) $(accepted) $B/provably
	@$B/provably report --evidence=$B/evidence --out=$(OUT) --quiet --agree=reports/verdicts.csv
	@cp $(OUT)/verdicts.svg reports/
index: $(theorems) $(accepted)
	@sh src/build/index.sh $B reports/claims.csv write
statements: $(theorems) $B/proofcheck
	@sh src/build/statements.sh $B $(SEED) reports/statements.csv
