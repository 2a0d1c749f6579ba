# SPDX-License-Identifier: GPL-3.0-or-later
"""gguf_logits.py - are GGUF files of the package gguf read here, and GGUF files of `provably reduce` by gguf and
transformers?

    python tests/reference/gguf_logits.py BUILD OUT.csv [MODEL...]

With names of models, these alone, and nothing is recorded.
Small random models.  For each:
    a file that gguf writes of it in F32, F16 and BF16, our logits in doubles against those of transformers: of the model
    itself in F32, else of what transformers reads from that file
    `provably reduce --format=gguf`: its file against the one that gguf writes of the same reduced model, every tensor by
    name, shape and number; its logits in transformers and here against those of the original
transformers reads no GPT-NeoX from GGUF: there the model itself is the judge, with gelu by tanh, which llama.cpp computes
for it; with gelu by erf, its own, the two must differ.  With scaled angles, too, the model itself is the judge, and the
file that gguf wrote is what is reduced.  What is accepted: see transformers_logits.py.  Exit status 1 when
something lies outside.  Recorded: the largest gap over the largest logit; of tensors, how many differ.
"""
import csv
import datetime
import importlib.metadata
import os
import subprocess
import sys
import tempfile

import gguf
import numpy as np
import torch
import transformers
from judge import commit, processor
from safetensors.numpy import load_file
from transformers_logits import READ, READ_SINGLE, REWRITTEN, TOKENS, configurations, ours, relative, spread, theirs

MODELS = ["gpt2", "llama", "llama tied", "mistral", "qwen2", "qwen3", "gpt_neox", "gpt_neox in turn",
          "llama linear", "llama3", "llama3, 32", "llama yarn", "qwen2 yarn"]
ARCHITECTURES = {"gpt2": "GPT2", "llama": "LLAMA", "mistral": "LLAMA", "qwen2": "QWEN2", "qwen3": "QWEN3",
                 "gpt_neox": "GPTNEOX"}


def neighbours(x, heads):
    """Rows of rotary pairs beside each other, as GGUF's Llama has them."""
    return x.reshape(heads, 2, -1, x.shape[-1]).swapaxes(1, 2).reshape(x.shape)


def stored(name, x, config):
    """What GGUF holds of that tensor."""
    if config.model_type == "gpt2" and x.ndim == 2 and not name.startswith(("wte", "wpe", "transformer.w")):
        return x.T
    if config.model_type in ("llama", "mistral") and name.endswith(("q_proj.weight", "k_proj.weight")):
        return neighbours(x, config.num_attention_heads if "q_proj" in name else config.num_key_value_heads)
    if "query_key_value" in name:                                       # head by head there, one below the other here
        rest = x.shape[1:]
        return x.reshape(config.num_attention_heads, 3, -1, *rest).swapaxes(0, 1).reshape(-1, *rest)
    return x


def scaled_angles(out, rope, dk):
    """The keys, and for llama3 the table of divisors, computed in float32."""
    kind = rope["rope_type"]
    if kind in ("linear", "yarn"):
        out.add_rope_scaling_type(gguf.RopeScalingType(kind))
        out.add_rope_scaling_factor(rope["factor"])
    if kind == "yarn":
        out.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
    if kind == "llama3":
        one = np.float32(1)
        turns = np.float32(rope["original_max_position_embeddings"] / (2 * np.pi)) * (
            one / np.float32(rope["rope_theta"]) ** (np.arange(0, dk, 2, dtype=np.float32) / np.float32(dk)))
        low, high = np.float32(rope["low_freq_factor"]), np.float32(rope["high_freq_factor"])
        smooth = np.clip((turns - low) / (high - low), 0, 1)
        out.add_tensor("rope_freqs.weight", one / ((one - smooth) / np.float32(rope["factor"]) + smooth))


def write(folder, path, config, kind):
    """The model in FOLDER as gguf writes it."""
    c, number = config, gguf.GGMLQuantizationType[kind]
    arch = gguf.MODEL_ARCH[ARCHITECTURES[c.model_type]]
    names = gguf.get_tensor_name_map(arch, c.num_hidden_layers)
    out = gguf.GGUFWriter(path, gguf.MODEL_ARCH_NAMES[arch])
    out.add_context_length(c.max_position_embeddings)
    out.add_embedding_length(c.hidden_size)
    out.add_block_count(c.num_hidden_layers)
    out.add_feed_forward_length(getattr(c, "intermediate_size", 4 * c.hidden_size))
    out.add_head_count(c.num_attention_heads)
    out.add_head_count_kv(getattr(c, "num_key_value_heads", c.num_attention_heads))
    out.add_vocab_size(c.vocab_size)
    if c.model_type in ("gpt2", "gpt_neox"):
        out.add_layer_norm_eps(getattr(c, "layer_norm_epsilon", None) or c.layer_norm_eps)
    else:
        out.add_layer_norm_rms_eps(c.rms_norm_eps)
    if c.model_type != "gpt2":
        rope = c.rope_parameters
        dk = getattr(c, "head_dim", None) or c.hidden_size // c.num_attention_heads
        out.add_rope_freq_base(rope["rope_theta"])
        out.add_rope_dimension_count(int(rope.get("partial_rotary_factor", 1) * dk))
        out.add_key_length(dk)
        out.add_value_length(dk)
        scaled_angles(out, rope, dk)
    if c.model_type == "gpt_neox":
        out.add_parallel_residual(c.use_parallel_residual)
    tied = c.tie_word_embeddings
    for name, x in load_file(os.path.join(folder, "model.safetensors")).items():
        if tied and name == "lm_head.weight":
            continue
        x = np.ascontiguousarray(stored(name, x, c))
        vector = x.ndim == 1                                            # F32 in every file of llama.cpp's
        out.add_tensor(names.get_name(name, (".weight", ".bias")), x if vector else gguf.quants.quantize(x, number),
                       raw_dtype=None if vector else number)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def tensors(path):
    return {t.name: (t.tensor_type, tuple(map(int, t.shape)), bytes(t.data)) for t in gguf.GGUFReader(path).tensors}


def theirs_in(folder, file, config):
    """What transformers makes of it.  It takes the sizes from the keys, but for GPT-2's positions and the width of Qwen3's
    heads: those it is told."""
    told = dict(config=config) if config.model_type in ("gpt2", "qwen3") else {}
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, gguf_file=file, dtype=torch.float64,
                                                              attn_implementation="eager", **told)
    with torch.no_grad():
        return model.eval()(torch.tensor([TOKENS])).logits[0].numpy()


def main():
    build, to, only = sys.argv[1], sys.argv[2], sys.argv[3:]
    rows, failures = [], 0

    def record(name, what, gap, accepted, apart=False):
        nonlocal failures
        fine = bool(gap > accepted if apart else gap <= accepted)        # NaN is not fine
        failures += not fine
        rows.append([name, what, f"{gap:.3e}", f"{'>' if apart else ''}{accepted:.1e}", "yes" if fine else "NO"])
        print(f"{name:18} {what:42} {gap:.1e}{'' if fine else '   OUTSIDE'}", flush=True)

    def reduced(*command):
        ran = subprocess.run([f"{build}/provably", "reduce", "--untie", *command], capture_output=True, text=True)
        if ran.returncode:
            sys.exit(f"gguf_logits.py: provably reduce {' '.join(command)}: {ran.stdout[-600:]}{ran.stderr}")

    for name, config in configurations():
        if name not in MODELS or (only and name not in only):
            continue
        scaled = name.startswith(("llama ", "llama3", "qwen2 ")) and name != "llama tied"
        neox, read = config.model_type == "gpt_neox", READ if config.model_type == "gpt2" else READ_SINGLE
        torch.manual_seed(1)
        model = transformers.AutoModelForCausalLM.from_config(config)
        spread(model)
        with tempfile.TemporaryDirectory() as top:
            hf, erf, less, ggml = (os.path.join(top, x) for x in ("hf", "erf", "less", "ggml"))
            if neox:
                model.save_pretrained(erf)
                config.hidden_act = model.config.hidden_act = "gelu_new"
            model.save_pretrained(hf)
            original = theirs(hf)
            for kind in ("F32",) if neox or scaled else ("F32", "F16", "BF16"):
                file = os.path.join(top, f"{kind}.gguf")
                write(hf, file, config, kind)
                judge = original if kind == "F32" else theirs_in(top, f"{kind}.gguf", config)
                record(name, f"written by gguf in {kind}, read here", relative(ours(build, file), judge), read)
            if neox:
                record(name, "the same beside gelu by erf", relative(ours(build, os.path.join(top, "F32.gguf")),
                                                                     theirs(erf)), 1e-5, apart=True)
                reduced(os.path.join(top, "F32.gguf"), f"--out={ggml}")
            elif scaled:
                reduced(os.path.join(top, "F32.gguf"), f"--out={ggml}")
            else:
                reduced(hf, f"--out={less}")
                reduced(hf, "--format=gguf", f"--out={ggml}")
                write(less, os.path.join(top, "less.gguf"),
                      transformers.AutoConfig.from_pretrained(less), "F32")
                a, b = tensors(os.path.join(top, "less.gguf")), tensors(os.path.join(ggml, "model.gguf"))
                record(name, "reduced, tensors other than gguf's",
                       sum(a.get(k) != b.get(k) for k in a.keys() | b.keys()), 0)
                record(name, "reduced, read by transformers", relative(theirs_in(ggml, "model.gguf", config), original),
                       REWRITTEN)
            record(name, "reduced, read here", relative(ours(build, ggml), original), REWRITTEN)
            tensors(os.path.join(ggml, "model.gguf"))
    if only:
        return 1 if failures else 0
    version = importlib.metadata.version("gguf")
    with open(to + ".part", "w", newline="") as f:
        table = csv.writer(f, lineterminator="\n")
        table.writerow(["date", "commit", "gguf", "transformers", "torch", "hardware", "model", "what", "gap", "accepted",
                        "within"])
        run_of = [datetime.date.today(), commit(), version, transformers.__version__, torch.__version__, processor()]
        table.writerows(run_of + row for row in rows)
    os.replace(to + ".part", to)
    print(f"{to}: {len(rows)} comparisons with gguf {version}, {failures} outside")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
