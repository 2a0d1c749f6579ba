# SPDX-License-Identifier: GPL-3.0-or-later
# figures.mk - performance, bounds, and judges from outside.
# ---- figures
bounds: $(theorems) $B/tests/t_elementary
	@sh src/build/bounds.sh $B $(TRIALS)
	@ELEMENTARY_POINTS=$(or $(ROUNDS),100000) CK_RUN_CASE=all $B/tests/t_elementary
# a judge from outside: a development check, nothing needs it
reference: $(dumps)
	@$(or $(PYTHON),python3) tests/reference/torch_gpt.py $B/tests/reference/dump_gpt reports/results/reference_gpt.csv
	@$(or $(PYTHON),python3) tests/reference/torch_vit.py $B/tests/reference/dump_vit reports/results/reference_vit.csv
reference-files: $B/provably $B/tests/reference/dump_logits $B/tests/reference/dump_blocks $B/tests/t_controls
	@$(or $(PYTHON),python3) tests/reference/transformers_logits.py $B reports/results/reference_files.csv
	@$(or $(PYTHON),python3) tests/reference/gguf_logits.py $B reports/results/reference_gguf.csv
	@$(or $(PYTHON),python3) tests/reference/gguf_blocks.py $B
	@$(or $(PYTHON),python3) tests/reference/torch_files.py $B
	@$(or $(PYTHON),python3) tests/reference/lora_files.py $B
	@CONTROLS=all BUILD=$B $B/tests/t_controls
bench: $(benches) $(programs_built)
	@$(checked) --no-report
	@for b in $(benches); do $$b; done
	@$(if $(PEER),ISA=$(ISA) sh src/build/bench_peers.sh $B $(PEER) reports/results)
	@cat $B/evidence/*.csv | awk -F, -f src/build/number.awk -f src/build/seconds.awk

bench-numerics: $B/tests/b_numerics
	@sh src/build/bench_numerics.sh $B reports/results

bench-reduce: $B/tests/b_reduce $B/provably
	@sh src/build/bench_reduce.sh $B reports/results

bench-verify: $B/tests/b_verify $B/provably
	@PYTHON=$(call quote,$(PYTHON)) sh src/build/bench_verify.sh $B reports/results $(if $(FULL),16 2048 16 8 5632 32000 3)
