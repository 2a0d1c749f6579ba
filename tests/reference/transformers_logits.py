# SPDX-License-Identifier: GPL-3.0-or-later
"""transformers_logits.py - are the files of transformers and safetensors read here as their programs read them, and the
files of `provably reduce` read there?

    python tests/reference/transformers_logits.py BUILD OUT.csv [MODEL...]

With names of models these alone are compared, and their rows of OUT.csv are replaced.
Small random models of each family, with what its configurations vary, are written by save_pretrained.  For each: our logits in doubles against those of transformers in double precision on the same file;
`provably verify` of the file and itself; then `provably reduce`, what it wrote loaded by the stock from_pretrained, its
logits against those of the original, and `provably verify` of the two.  What a file lost in rounding to float32 is
allowed where a file was rewritten: 5e-6 of the largest logit.  Reading alone must agree to 1e-9 for GPT-2; in the other
families transformers computes norms, rotary angles and softmax in float32 whatever the model's type, which allows 2e-6,
and with these casts replaced (in_double, below) 1e-9 again.
Encoders are computed in double throughout, so 1e-9; of those without a head the last streams are compared.
Exit status 1 when something lies outside.  Recorded: the largest gap over the largest logit.
"""
import contextlib
import csv
import datetime
import itertools
import os
import subprocess
import sys
import tempfile

import numpy as np
import safetensors
import torch
import transformers
from judge import commit, processor

READ, READ_SINGLE, REWRITTEN = 1e-9, 2e-6, 5e-6
TOKENS = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()


def configurations():
    t = transformers
    grouped = dict(vocab_size=40, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
                   num_key_value_heads=2, max_position_embeddings=64)
    yield "gpt2", t.GPT2Config(vocab_size=40, n_embd=32, n_layer=2, n_head=4, n_positions=64)
    yield "gpt2 relu", t.GPT2Config(vocab_size=40, n_embd=32, n_layer=2, n_head=4, n_positions=64,
                                    activation_function="relu", n_inner=48)
    yield "llama", t.LlamaConfig(**grouped, tie_word_embeddings=False)
    yield "llama tied", t.LlamaConfig(**grouped, tie_word_embeddings=True)
    yield "llama biases", t.LlamaConfig(**grouped, attention_bias=True, mlp_bias=True)
    yield "mistral", t.MistralConfig(**grouped, sliding_window=None)
    yield "mistral window", t.MistralConfig(**grouped, sliding_window=5)
    scaled = dict(rope_theta=100.0)                                     # bands at 10 original positions, of 8 coordinates
    far = grouped | dict(max_position_embeddings=8)                     # shorter than TOKENS
    yield "llama linear", t.LlamaConfig(**grouped, rope_parameters=scaled | dict(rope_type="linear", factor=2.5))
    yield "llama dynamic, short", t.LlamaConfig(**grouped, rope_parameters=scaled | dict(rope_type="dynamic", factor=4.0))
    yield "llama dynamic, long", t.LlamaConfig(**far, rope_parameters=scaled | dict(rope_type="dynamic", factor=4.0))
    llama3 = dict(rope_type="llama3", low_freq_factor=1.0, high_freq_factor=4.0)
    yield "llama3", t.LlamaConfig(**grouped, rope_parameters=scaled | llama3 | dict(
        factor=8.0, original_max_position_embeddings=20))
    yield "llama3, 32", t.LlamaConfig(**grouped, rope_parameters=llama3 | dict(
        rope_theta=500.0, factor=32.0, original_max_position_embeddings=60))
    yarn = dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=16)
    yield "llama yarn", t.LlamaConfig(**grouped, rope_parameters=scaled | yarn)
    yield "llama yarn, scales", t.LlamaConfig(**grouped, rope_parameters=scaled | yarn | dict(
        mscale=0.7, mscale_all_dim=0.4, beta_fast=2.0, beta_slow=0.5))
    yield "llama yarn, bounds", t.LlamaConfig(**grouped, rope_parameters=scaled | yarn | dict(
        truncate=False, beta_fast=3.0, attention_factor=1.3))
    factors = dict(rope_type="longrope", short_factor=[1.0, 1.125, 1.25, 2.0], long_factor=[1.5, 3.0, 7.0, 20.0])
    yield "llama longrope, short", t.LlamaConfig(**grouped, rope_parameters=scaled | factors | dict(
        original_max_position_embeddings=32))
    yield "llama longrope, long", t.LlamaConfig(**grouped, rope_parameters=scaled | factors | dict(
        original_max_position_embeddings=8))
    yield "qwen2 yarn", t.Qwen2Config(**grouped, rope_parameters=scaled | yarn)
    yield "qwen2", t.Qwen2Config(**grouped)
    yield "qwen3", t.Qwen3Config(**grouped, head_dim=8)
    four = grouped | dict(num_hidden_layers=4)
    yield "qwen2 some windows", t.Qwen2Config(**four, use_sliding_window=True, sliding_window=5, max_window_layers=2)
    yield "qwen3 some windows", t.Qwen3Config(**four, head_dim=8, use_sliding_window=True, sliding_window=5, layer_types=[
        "sliding_attention", "full_attention", "full_attention", "sliding_attention"])
    yield "phi3", t.Phi3Config(**grouped, pad_token_id=0)
    yield "phi3 partial, window", t.Phi3Config(**grouped, pad_token_id=0, sliding_window=5, rope_parameters=dict(
        rope_type="default", rope_theta=100.0, partial_rotary_factor=0.5))
    yield "phi3 longrope", t.Phi3Config(**grouped, pad_token_id=0, original_max_position_embeddings=8,
                                        rope_parameters=scaled | factors | dict(partial_rotary_factor=1.0))
    yield "smollm3", t.SmolLM3Config(**four, pad_token_id=0)
    yield "smollm3 windows", t.SmolLM3Config(**four, pad_token_id=0, use_sliding_window=True, sliding_window=5,
                                             no_rope_layers=[1, 0, 0, 1], attention_bias=True, mlp_bias=True)
    yield "smollm3 untied, yarn", t.SmolLM3Config(**four, pad_token_id=0, tie_word_embeddings=False,
                                                  rope_parameters=scaled | yarn)
    yield "granite", t.GraniteConfig(**grouped)
    yield "granite factors", t.GraniteConfig(**grouped, embedding_multiplier=12.0, residual_multiplier=0.22,
                                             attention_multiplier=0.25, logits_scaling=3.0)
    yield "granite biases", t.GraniteConfig(**grouped, attention_bias=True, mlp_bias=True, attention_multiplier=0.3,
                                            tie_word_embeddings=True)
    whole = grouped | dict(num_key_value_heads=4)
    yield "stablelm", t.StableLmConfig(**grouped)
    yield "stablelm parallel", t.StableLmConfig(**grouped, use_parallel_residual=True, use_qkv_bias=True)
    yield "stablelm half", t.StableLmConfig(**whole, use_qkv_bias=True, rope_parameters=dict(
        rope_type="default", rope_theta=100.0, partial_rotary_factor=0.5))
    yield "olmo2", t.Olmo2Config(**grouped, pad_token_id=0)
    yield "olmo2 biases, tied", t.Olmo2Config(**whole, pad_token_id=0, attention_bias=True, tie_word_embeddings=True)
    yield "gemma", t.GemmaConfig(**grouped, head_dim=8)
    yield "gemma untied, wide", t.GemmaConfig(**grouped, head_dim=12, tie_word_embeddings=False, attention_bias=True)
    yield "gemma2", t.Gemma2Config(**four, head_dim=8, sliding_window=5, query_pre_attn_scalar=24)
    yield "gemma2 caps", t.Gemma2Config(**four, head_dim=12, sliding_window=64, query_pre_attn_scalar=8,
                                        attn_logit_softcapping=1.5, final_logit_softcapping=2.0)
    yield "gemma2 no caps", t.Gemma2Config(**four, head_dim=8, sliding_window=5, attn_logit_softcapping=None,
                                           final_logit_softcapping=None, attention_bias=True)
    patterned = four | dict(num_hidden_layers=5, head_dim=8, query_pre_attn_scalar=24)
    yield "gemma3", t.Gemma3TextConfig(**patterned, sliding_window=5, sliding_window_pattern=3)
    yield "gemma3 scaled, cap", t.Gemma3TextConfig(**patterned, sliding_window=5, final_logit_softcapping=2.0, layer_types=[
        "full_attention", "sliding_attention", "sliding_attention", "full_attention", "full_attention"], rope_parameters=dict(
        full_attention=dict(rope_type="linear", rope_theta=100.0, factor=8.0),
        sliding_attention=dict(rope_type="default", rope_theta=30.0)))
    yield "starcoder2", t.Starcoder2Config(**grouped)
    yield "starcoder2 window", t.Starcoder2Config(**grouped, use_bias=False, sliding_window=5, tie_word_embeddings=False)
    yield "cohere", t.CohereConfig(**grouped, rope_parameters=dict(rope_type="default", rope_theta=100.0))
    yield "cohere biases", t.CohereConfig(**whole, attention_bias=True, logit_scale=0.3, tie_word_embeddings=False,
                                          rope_parameters=dict(rope_type="default", rope_theta=100.0))
    yield "cohere2", t.Cohere2Config(**four, sliding_window=5)
    yield "cohere2 by types", t.Cohere2Config(**four, sliding_window=5, attention_bias=True, layer_types=[
        "full_attention", "sliding_attention", "full_attention", "sliding_attention"])
    yield "olmo3", t.Olmo3Config(**four, sliding_window=5, pad_token_id=0)
    yield "olmo3 yarn", t.Olmo3Config(**four, sliding_window=5, pad_token_id=0, rope_parameters=dict(
        full_attention=dict(rope_theta=500000.0) | yarn, sliding_attention=dict(rope_type="default", rope_theta=500000.0)))
    yield "phi", t.PhiConfig(**grouped, rope_parameters=dict(rope_type="default", rope_theta=100.0,
                                                              partial_rotary_factor=0.5))
    neox = dict(vocab_size=40, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
                max_position_embeddings=64)
    yield "gpt_neox", t.GPTNeoXConfig(**neox, rotary_pct=0.25)
    yield "gpt_neox in turn", t.GPTNeoXConfig(**neox, rotary_pct=1.0, use_parallel_residual=False)
    mqa = {k: v for k, v in neox.items() if k != "intermediate_size"} | dict(ffn_hidden_size=48)
    yield "falcon", t.FalconConfig(**mqa)
    yield "falcon heads, biases", t.FalconConfig(**mqa, multi_query=False, bias=True, tie_word_embeddings=False,
                                                 rope_parameters=dict(rope_type="default", rope_theta=100.0))
    yield "falcon in turn", t.FalconConfig(**mqa, parallel_attn=False)
    yield "falcon new", t.FalconConfig(**mqa, new_decoder_architecture=True, num_kv_heads=2)
    yield "falcon new, one norm", t.FalconConfig(**mqa, new_decoder_architecture=True, num_kv_heads=2,
                                                 num_ln_in_parallel_attn=1, activation="gelu_pytorch_tanh")
    neo = dict(vocab_size=40, hidden_size=32, num_heads=4, window_size=5, max_position_embeddings=64)
    yield "gpt_neo", t.GPTNeoConfig(**neo, num_layers=2, attention_types=[[["global", "local"], 1]])
    yield "gpt_neo other order, untied", t.GPTNeoConfig(**neo, num_layers=3, intermediate_size=48, tie_word_embeddings=False,
                                                        activation_function="gelu", layer_norm_epsilon=1e-3,
                                                        attention_types=[[["local"], 2], [["global"], 1]])
    gptj = dict(vocab_size=40, n_embd=32, n_layer=2, n_head=4, n_positions=64)
    yield "gptj", t.GPTJConfig(**gptj, rotary_dim=4)
    yield "gptj whole, tied", t.GPTJConfig(**gptj, rotary_dim=8, n_inner=48, tie_word_embeddings=True,
                                           activation_function="gelu")
    opt = {k: v for k, v in neox.items() if k != "intermediate_size"} | dict(ffn_dim=48)
    yield "opt", t.OPTConfig(**opt)
    yield "opt no biases, untied", t.OPTConfig(**opt, enable_bias=False, tie_word_embeddings=False,
                                               activation_function="gelu")
    bloom = dict(vocab_size=40, hidden_size=32, n_layer=2)
    yield "bloom", t.BloomConfig(**bloom, n_head=4)
    yield "bloom six heads, untied", t.BloomConfig(**bloom | dict(hidden_size=48), n_head=6, tie_word_embeddings=False)
    mpt = dict(vocab_size=40, n_layers=2, max_seq_len=64)
    yield "mpt", t.MptConfig(**mpt, d_model=32, n_heads=4)
    yield "mpt six heads, untied", t.MptConfig(**mpt, d_model=48, n_heads=6, tie_word_embeddings=False)
    yield "glm", t.GlmConfig(**grouped, head_dim=8, pad_token_id=0, eos_token_id=1)
    yield "glm no biases, whole", t.GlmConfig(**grouped, head_dim=12, pad_token_id=0, eos_token_id=1,
                                              attention_bias=False, rope_parameters=dict(
        rope_type="default", rope_theta=100.0, partial_rotary_factor=1.0))
    yield "glm4", t.Glm4Config(**grouped, head_dim=8, pad_token_id=0, eos_token_id=1)
    yield "nemotron", t.NemotronConfig(**grouped)
    yield "nemotron biases", t.NemotronConfig(**grouped, attention_bias=True, mlp_bias=True, tie_word_embeddings=True,
                                              rope_parameters=dict(rope_type="default", rope_theta=100.0,
                                                                   partial_rotary_factor=1.0))
    yield "phi4 mini", t.Phi3Config(**grouped, pad_token_id=0, original_max_position_embeddings=8,
                                    tie_word_embeddings=True, rope_parameters=scaled | dict(
        rope_type="longrope", short_factor=[1.0, 1.125, 1.25], long_factor=[1.5, 3.0, 7.0],
        partial_rotary_factor=0.75))
    code = dict(vocab_size=40, n_embd=32, n_layer=2, n_head=4, n_positions=64)
    yield "gpt_bigcode", t.GPTBigCodeConfig(**code)
    yield "gpt_bigcode heads", t.GPTBigCodeConfig(**code, n_inner=48, multi_query=False, tie_word_embeddings=False)
    yield "arcee", t.ArceeConfig(**grouped)
    yield "arcee biases", t.ArceeConfig(**grouped, head_dim=8, attention_bias=True, mlp_bias=True)
    yield "ernie4_5", t.Ernie4_5Config(**grouped, head_dim=8)
    yield "ernie4_5 biases, wide", t.Ernie4_5Config(**grouped, head_dim=12, use_bias=True, tie_word_embeddings=False)
    yield "helium", t.HeliumConfig(**grouped, head_dim=8)
    few = dict(num_local_experts=4, num_experts_per_tok=2)              # experts
    yield "mixtral", t.MixtralConfig(**grouped, **few)
    yield "mixtral one of five, window", t.MixtralConfig(**grouped, num_local_experts=5, num_experts_per_tok=1,
                                                         head_dim=12, sliding_window=5)
    yield "mixtral all, tied", t.MixtralConfig(**grouped, num_local_experts=3, num_experts_per_tok=3,
                                               tie_word_embeddings=True)
    shared = dict(moe_intermediate_size=24, shared_expert_intermediate_size=40, num_experts=5, num_experts_per_tok=2)
    yield "qwen2_moe", t.Qwen2MoeConfig(**grouped, **shared)
    yield "qwen2_moe some layers, sum", t.Qwen2MoeConfig(**four, **shared, mlp_only_layers=[1], decoder_sparse_step=2,
                                                         norm_topk_prob=True, qkv_bias=False)
    routed = dict(head_dim=8, moe_intermediate_size=24, num_experts=5)
    yield "qwen3_moe", t.Qwen3MoeConfig(**grouped, **routed, num_experts_per_tok=2)
    yield "qwen3_moe some layers, sum", t.Qwen3MoeConfig(**four, **routed, num_experts_per_tok=3, mlp_only_layers=[0, 2],
                                                         norm_topk_prob=True, attention_bias=True)
    yield "qwen3_moe window", t.Qwen3MoeConfig(**grouped, **routed, num_experts_per_tok=1, use_sliding_window=True,
                                               sliding_window=5, tie_word_embeddings=True)
    yield "olmoe", t.OlmoeConfig(**grouped, pad_token_id=0, eos_token_id=1, num_experts=4, num_experts_per_tok=2)
    yield "olmoe sum, biases", t.OlmoeConfig(**whole, pad_token_id=0, eos_token_id=1, num_experts=6, num_experts_per_tok=3,
                                             norm_topk_prob=True, attention_bias=True)
    yield "granitemoe", t.GraniteMoeConfig(**grouped, **few)
    yield "granitemoe factors, biases", t.GraniteMoeConfig(**grouped, num_local_experts=5, num_experts_per_tok=3,
                                                           attention_bias=True, embedding_multiplier=12.0,
                                                           residual_multiplier=0.22, attention_multiplier=0.25,
                                                           logits_scaling=3.0, tie_word_embeddings=True)
    yield "helium biases", t.HeliumConfig(**grouped, head_dim=8, attention_bias=True, mlp_bias=True)


def encoders():
    t = transformers
    small = dict(vocab_size=40, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
                 max_position_embeddings=64)
    yield "bert", t.BertConfig(**small), t.BertForMaskedLM
    yield "bert relu, three types", t.BertConfig(**small, hidden_act="relu", type_vocab_size=3,
                                                 layer_norm_eps=1e-5), t.BertForMaskedLM
    yield "bert stream", t.BertConfig(**small, hidden_act="gelu_new"), t.BertModel
    yield "roberta", t.RobertaConfig(**small), t.RobertaForMaskedLM      # its token that pads is among TOKENS
    yield "roberta relu, one type, pad 0", t.RobertaConfig(**small, hidden_act="relu", type_vocab_size=1,
                                                           pad_token_id=0), t.RobertaForMaskedLM
    yield "roberta stream, pad 5", t.RobertaConfig(**small, pad_token_id=5), t.RobertaModel
    yield "xlm-roberta", t.XLMRobertaConfig(**small), t.XLMRobertaForMaskedLM
    yield "xlm-roberta stream", t.XLMRobertaConfig(**small, layer_norm_eps=1e-5), t.XLMRobertaModel
    yield "camembert", t.CamembertConfig(**small), t.CamembertForMaskedLM
    distil = dict(vocab_size=40, dim=32, hidden_dim=48, n_layers=2, n_heads=4, max_position_embeddings=64)
    yield "distilbert", t.DistilBertConfig(**distil), t.DistilBertForMaskedLM
    yield "distilbert relu, untied", t.DistilBertConfig(**distil, activation="relu", tie_word_embeddings=False,
                                                        sinusoidal_pos_embds=True), t.DistilBertForMaskedLM
    yield "distilbert stream", t.DistilBertConfig(**distil), t.DistilBertModel
    yield "mpnet", t.MPNetConfig(**small), t.MPNetForMaskedLM
    yield "mpnet stream, relu", t.MPNetConfig(**small, hidden_act="relu", layer_norm_eps=1e-5), t.MPNetModel
    yield "electra", t.ElectraConfig(**small, embedding_size=32), t.ElectraForPreTraining
    yield "electra stream, relu", t.ElectraConfig(**small, embedding_size=32, hidden_act="relu"), t.ElectraModel


def spread(model):
    """Weights of a size at which every part of the model matters; gains near 1, biases not 0."""
    with torch.no_grad():
        for name, x in model.named_parameters():
            gain = x.ndim == 1 and name.endswith("weight")
            x.copy_(torch.randn(x.shape) * (0.2 if x.ndim == 1 else x.shape[-1] ** -0.5) + (1 if gain else 0))


@contextlib.contextmanager
def in_double():
    """What transformers casts to float32, and makes in it, is double inside."""
    kept = torch.float, torch.float32, torch.Tensor.float
    torch.set_default_dtype(torch.float64)
    torch.float = torch.float32 = torch.float64
    torch.Tensor.float = torch.Tensor.double
    try:
        yield
    finally:
        torch.float, torch.float32, torch.Tensor.float = kept
        torch.set_default_dtype(torch.float32)


def theirs(folder, double=False, kind=transformers.AutoModelForCausalLM):
    eager = dict(attn_implementation="eager")
    if hasattr(transformers.AutoConfig.from_pretrained(folder), "num_experts_per_tok"):
        eager["experts_implementation"] = "eager"                       # the others are not for doubles
    model = kind.from_pretrained(folder, dtype=torch.float64, **eager)
    with torch.no_grad(), in_double() if double else contextlib.nullcontext():
        for parent in list(model.modules()) if double else []:          # tables of frequencies, made again
            for name, child in parent.named_children():
                if any(b.endswith(("inv_freq", "embed_positions")) for b, _ in child.named_buffers(recurse=False)):
                    setattr(parent, name, type(child)(model.config))
        said = model.eval()(torch.tensor([TOKENS]))
        x = (said.logits if hasattr(said, "logits") else said.last_hidden_state)[0].numpy()
        return x if x.ndim == 2 else x[:, None]


def ours(build, folder):
    said = subprocess.run([f"{build}/tests/reference/dump_logits", folder, *map(str, TOKENS)], check=True,
                          capture_output=True, text=True).stdout
    return np.array([[float(x) for x in line.split()] for line in said.splitlines()])


def relative(a, b):
    return np.abs(a - b).max() / np.abs(b).max()


def main():
    build, out, only = sys.argv[1], sys.argv[2], sys.argv[3:]
    rows, failures = [], 0

    def record(name, what, gap, accepted):
        nonlocal failures
        fine = bool(gap <= accepted)                                    # NaN is not fine
        failures += not fine
        rows.append([name, what, f"{gap:.3e}", f"{accepted:.1e}", "yes" if fine else "NO"])
        print(f"{name:22} {what:34} {gap:.1e}{'' if fine else '   OUTSIDE'}", flush=True)

    def status(name, what, *command, expected=0):
        ran = subprocess.run([f"{build}/provably", *command], capture_output=True, text=True)
        if ran.returncode != expected:
            print(ran.stdout[-600:] + ran.stderr)
        record(name, what, abs(ran.returncode - expected), 0)
        return ran.returncode == 0

    in_parts = ("phi3", "glm", "glm4", "opt", "granitemoe", "roberta", "xlm-roberta",
                "camembert", "mpnet")                                   # not written here
    decoders = ((name, config, None) for name, config in configurations())
    for name, config, kind in itertools.chain(decoders, encoders()):
        if only and name not in only:
            continue
        torch.manual_seed(1)
        read = READ if config.model_type == "gpt2" or kind else READ_SINGLE
        model = kind(config) if kind else transformers.AutoModelForCausalLM.from_config(config)
        kind = kind or transformers.AutoModelForCausalLM
        spread(model)
        with tempfile.TemporaryDirectory() as folder:
            file, less = os.path.join(folder, "a"), os.path.join(folder, "b")
            model.save_pretrained(file)
            original = theirs(file, kind=kind)
            mine = ours(build, file)
            record(name, "read here", relative(mine, original), read)
            if read != READ:
                record(name, "read here, casts replaced", relative(mine, theirs(file, double=True, kind=kind)), READ)
            status(name, "inspect", "inspect", "--json", file)
            status(name, "verify with itself", "verify", file, file)
            if config.model_type in in_parts:
                status(name, "reduce is refused", "reduce", file, f"--out={less}", expected=2)
            elif status(name, "reduce", "reduce", file, "--untie", f"--out={less}"):
                record(name, "reduced, read there", relative(theirs(less, kind=kind), original), REWRITTEN)
                record(name, "reduced, read here", relative(ours(build, less), theirs(less, kind=kind)), read)
                status(name, "verify with the reduced", "verify", file, less)
    kept = []
    if only:
        with open(out, newline="") as f:
            kept = [row for row in list(csv.reader(f))[1:] if row[6] not in only]
    with open(out + ".part", "w", newline="") as f:
        table = csv.writer(f, lineterminator="\n")
        table.writerow(["date", "commit", "transformers", "torch", "safetensors", "hardware", "model", "what", "gap",
                        "accepted", "within"])
        table.writerows(kept)
        run_of = [datetime.date.today(), commit(), transformers.__version__, torch.__version__,
                  safetensors.__version__, processor()]
        table.writerows(run_of + row for row in rows)
    os.replace(out + ".part", out)
    print(f"{out}: {len(rows)} comparisons with transformers {transformers.__version__}, {failures} outside")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
