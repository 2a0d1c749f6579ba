# SPDX-License-Identifier: GPL-3.0-or-later
# evidence.mk - `make check`, certificates, verdicts and the lists that are made from the programs.
# ---- the main job: `provably check` runs what is out of date (src/cli/check.h), with as many jobs as make has.  A
# program whose source is gone goes first.
gone    = $(filter-out $(theorems) $(theorems:=.o) $(theorems:=.d),$(wildcard $B/theorems/*))
jobs    = $(filter-out --jobs=,$(patsubst -j%,--jobs=%,$(or $(filter -j%,$(MAKEFLAGS)),-j1)))
checked = $(if $(gone),rm -f $(gone); )$B/provably check --evidence=$B/evidence --programs=$B/theorems $(jobs) --seed=$(SEED) \
  --scale=$(SCALE) $(if $(TRIALS),--trials=$(TRIALS)) $(if $(silent),--quiet)
programs_built := $(theorems) $B/provably $B/proofcheck
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
check: $(programs_built) $(manual)
	@$(if $(live),$(clear); )$(checked) --out=$(OUT) $(if $(filter report,$(goals)),--pdf) $(if $(filter recheck,$(goals)),--all)
endif
recheck report: check                             # report: with the PDF
ifneq ($(filter statements,$(goals)),)            # which says what certificates may state, and so comes first
check bench verdicts certificates index: statements
endif

# README's picture of the report, in a browser.
picture: check
	@sh $(build_files)/picture.sh $(OUT)/report.html reports/report.png reports/findings.csv

# Every program with the fast paths off, in its own folder, and its outcomes beside those of `check`.
$(if $(filter plain,$(goals)),$(if $(filter-out 0,$(PROVABLY_REFERENCE)),$(error \
  make plain compares with the fast paths: unset PROVABLY_REFERENCE)))
plain: $(programs_built)
	@$(checked) --no-report
	@PROVABLY_REFERENCE=1 $(subst $B/evidence,$B/plain/evidence,$(checked)) --no-report --limit=3600
	@$B/provably check --evidence=$B/evidence --programs=$B/theorems --compare=$B/plain/evidence

reproduce: $B/provably
	@$B/provably reproduce $(or $(PRESET),quick) $(if $(DATA),--data=$(DATA)) --out=$B/reproduce/$(or $(PRESET),quick) $(if $(RECORD),--results=reports/results,--results=$B/reproduce/results --recorded=reports/results) $(ARGS)
# Of experiments over several sittings: what is recorded of finished runs, without weights, in reports/results/runs.
keep-runs unpack-runs:
	@sh src/experiments/kept_runs.sh $(@:-runs=) $(or $(PRESET),quick) $(or $(RUNS),$B/reproduce/$(or $(PRESET),quick))

# A program that fails stops none of the others: its verdict says so.
go_on = || [ $$? -eq 1 ]
certificates: $(programs_built)
	@$(checked) --certificates
verdicts: $(programs_built)
	@$(checked) --no-report $(go_on)
	@$B/provably report --evidence=$B/evidence --out=$(OUT) --quiet --agree=reports/verdicts.csv
	@cp $(OUT)/verdicts.svg reports/
index: $(programs_built)
	@$(checked) --write-index $(go_on)
statements: $(theorems) $B/proofcheck
	@sh src/build/statements.sh $B $(SEED) reports/statements.csv
