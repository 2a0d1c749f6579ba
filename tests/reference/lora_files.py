# SPDX-License-Identifier: GPL-3.0-or-later
"""lora_files.py - is what PEFT merges what `provably verify --adapter` says that it is?

    python tests/reference/lora_files.py BUILD

Needs torch, transformers and peft.  Small Llamas in float32, bfloat16 and float16 with drawn adapters of several ranks, by both
scalings, merged by merge_and_unload: verify must call each the same up to rounding, and different the base itself, the merge with
another scale, and the merge of another adapter.  Exit status 1 where something is not so.
"""
import json
import os
import subprocess
import sys
import tempfile

import peft
import torch
import transformers

TYPES = [torch.float32, torch.bfloat16, torch.float16]


def verify(build, adapter, a, b):
    ran = subprocess.run([f"{build}/provably", "verify", "--json", f"--adapter={adapter}", a, b], capture_output=True, text=True)
    return json.loads(ran.stdout) if ran.returncode in (0, 1, 3) else {"answer": ran.stderr.strip(), "units": None}


def adapted(base, r, root, size):
    config = peft.LoraConfig(r=r, lora_alpha=2 * r, use_rslora=root, target_modules=["q_proj", "v_proj", "o_proj", "down_proj"])
    model = peft.get_peft_model(base, config)
    with torch.no_grad():
        for name, x in model.named_parameters():
            if "lora_" in name:
                x.copy_(torch.randn_like(x) * size)
    return model


def main():
    build, wrong = sys.argv[1], 0
    print(f"torch {torch.__version__}, peft {peft.__version__}")
    config = transformers.LlamaConfig(hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                                      vocab_size=60, max_position_embeddings=64)
    with tempfile.TemporaryDirectory() as folder:
        for kind in TYPES:
            for r, root in [(1, False), (8, False), (16, True)]:
                torch.manual_seed(r)
                a, lora, other, b, c, d = (os.path.join(folder, n) for n in ("base", "lora", "other", "merged", "scaled", "another"))
                transformers.LlamaForCausalLM(config).to(kind).save_pretrained(a)
                base = lambda: transformers.LlamaForCausalLM.from_pretrained(a, dtype=kind)
                size = 0.004 if root else 0.01
                model = adapted(base(), r, root, size)
                model.save_pretrained(lora)
                model.merge_and_unload().save_pretrained(b)
                twice = peft.PeftModel.from_pretrained(base(), lora)
                for module in twice.modules():
                    if isinstance(module, peft.tuners.lora.LoraLayer):
                        module.scaling = {k: 1.25 * x for k, x in module.scaling.items()}
                twice.merge_and_unload().save_pretrained(c)
                adapted(base(), r, root, size).merge_and_unload().save_pretrained(d)
                found = [verify(build, lora, a, x) for x in (b, a, c, d)]
                answers = [x["answer"] for x in found]
                wrong += answers != ["same-up-to-rounding"] + ["different"] * 3
                print(f"{kind} r {r} {'rslora' if root else 'lora'}: merged {answers[0]} ({found[0]['units']}), base {answers[1]}, "
                      f"scaled {answers[2]}, another {answers[3]}", flush=True)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
