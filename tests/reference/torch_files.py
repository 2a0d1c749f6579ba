# SPDX-License-Identifier: GPL-3.0-or-later
"""torch_files.py - are the files that torch.save writes read as torch reads them?

    python tests/reference/torch_files.py BUILD

Needs torch, safetensors and transformers.
    drawn state dicts: every type, any bits, views of one storage, transposed, cut, with steps, empty, of one number, as
    parameters, under `model` or as they are, by four pickle protocols; against the same in safetensors, which `provably verify`
    must find equal, tensor by tensor, and different, or equal to rounding, where one bit of one tensor is another
    models of transformers (GPT-2, Llama, BERT, ViT, ...) as pytorch_model.bin, of nanoGPT's and of Meta's form
    objects that torch.load(weights_only=False) would execute, and the form from before PyTorch 1.6: refused with status 2
Exit status 1 where something is not so.
"""
import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile

import safetensors.torch
import torch
import transformers

DICTS = 200
TYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
         torch.bool, torch.float8_e4m3fn, torch.float8_e5m2, torch.uint16, torch.uint32, torch.uint64]


def drawn(kind, *shape):
    """Any bits, NaN among them."""
    size = torch.empty((), dtype=kind).element_size()
    n = size
    for s in shape:
        n *= s
    x = torch.randint(0, 2 if kind == torch.bool else 256, (n,), dtype=torch.uint8)
    return x.view(kind).view(*shape) if kind != torch.uint8 else x.view(*shape)


def state_dict():
    out = {}
    for k in range(int(torch.randint(1, 12, ()))):
        kind = TYPES[int(torch.randint(0, len(TYPES), ()))]
        rows, cols = (int(torch.randint(1, 9, ())) for _ in range(2))
        x = drawn(kind, rows, cols)
        views = [x, x.t(), x[rows // 2:], x[:, ::2], x[0, 0], x[:0], x.unsqueeze(1), x.reshape(-1), x[:, cols - 1]]
        for i in torch.randperm(len(views))[:int(torch.randint(1, 4, ()))].tolist():
            v = views[i]
            out[f"layer.{k}.{i}"] = torch.nn.Parameter(v) if v.is_floating_point() and k % 3 == 0 and v.element_size() > 1 else v
    return out


def verify(build, a, b):
    ran = subprocess.run([f"{build}/provably", "verify", "--json", a, b], capture_output=True, text=True)
    return ran.returncode, (json.loads(ran.stdout)["answer"] if ran.returncode in (0, 1, 3) else ran.stderr.strip())


def other_bit(x):
    """The same tensor with one bit changed."""
    y = torch.empty(x.shape, dtype=x.dtype).copy_(x.detach())
    if y.numel():
        y.view(-1).view(torch.uint8)[0] ^= 1
    return y


def dicts(build, folder):
    wrong = 0
    for k in range(DICTS):
        torch.manual_seed(k)
        s = state_dict()
        a, b, c = (os.path.join(folder, n) for n in ("a.safetensors", "b.pt", "c.pt"))
        safetensors.torch.save_file({n: x.detach().clone().contiguous() for n, x in s.items()}, a)
        whole = {"model": s, "epoch": 3, "best": torch.tensor(1.5), "args": {"lr": 1e-3, "betas": (0.9, 0.95)}} if k % 2 else s
        torch.save(whole, b, pickle_protocol=2 + k % 4)
        status, answer = verify(build, a, b)
        if status:
            print(f"state dict {k}: {answer}")
            wrong += 1
        name = next((n for n, x in s.items() if x.numel()), None)
        if name:
            torch.save({n: other_bit(x) if n == name else x for n, x in s.items()}, c)
            status, answer = verify(build, a, c)
            if status != 1 and answer != "same-up-to-rounding":
                print(f"state dict {k} with one bit of {name} changed: status {status}: {answer}")
                wrong += 1
    print(f"{DICTS} drawn state dicts: {wrong} wrong")
    return wrong


def models():
    t = transformers
    small = dict(hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4)
    yield "gpt2", t.GPT2LMHeadModel(t.GPT2Config(n_layer=2, n_head=2, n_embd=16, vocab_size=50, n_positions=32))
    yield "llama", t.LlamaForCausalLM(t.LlamaConfig(**small, num_key_value_heads=2, vocab_size=40, max_position_embeddings=64))
    yield "llama in bfloat16", t.LlamaForCausalLM(t.LlamaConfig(**small, vocab_size=40, tie_word_embeddings=True)).bfloat16()
    yield "bert", t.BertModel(t.BertConfig(**small, vocab_size=40))
    yield "vit", t.ViTModel(t.ViTConfig(**small, image_size=8, patch_size=4))
    yield "t5", t.T5ForConditionalGeneration(t.T5Config(d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2, vocab_size=40))


def of_class(build, folder):
    """pytorch_model.bin has the names that save_pretrained writes, and of tied weights both."""
    wrong = 0
    for name, model in models():
        a, b = (os.path.join(folder, name + n) for n in (".st", ".bin"))
        model.save_pretrained(a)
        os.mkdir(b)
        shutil.copy(f"{a}/config.json", b)
        s = safetensors.torch.load_file(f"{a}/model.safetensors")
        if name == "gpt2":
            s["lm_head.weight"] = s["transformer.wte.weight"]
        torch.save(s, f"{b}/pytorch_model.bin")
        status, answer = verify(build, a, b)
        print(f"{name}: {answer}")
        wrong += status != 0
    return wrong


class Harm:
    def __reduce__(self):
        return os.system, ("touch /tmp/harm",)


def refused(build, folder):
    wrong = 0
    x = torch.ones(2)
    of = {"a call": {"w": x, "h": Harm()}, "a module": torch.nn.Linear(2, 2), "a set": {"w": x, "s": {1}}, "a conjugated tensor":
          {"w": torch.ones(2, dtype=torch.complex64).conj()}, "a sparse tensor": {"w": x.to_sparse()}, "a type": {"w": x, "t": torch.float32}}
    for name, what in of.items():
        path = os.path.join(folder, "refused.pt")
        torch.save(what, path)
        ran = subprocess.run([f"{build}/provably", "inspect", path], capture_output=True, text=True)
        print(f"{name}: {ran.stderr.strip().replace(path, 'FILE')}")
        wrong += ran.returncode != 2 or ran.stderr.count("\n") != 1
    torch.save({"w": x}, path, _use_new_zipfile_serialization=False)
    ran = subprocess.run([f"{build}/provably", "inspect", path], capture_output=True, text=True)
    wrong += ran.returncode != 2 or "PyTorch 1.6" not in ran.stderr
    with open(path, "wb") as f:
        pickle.dump({"w": 1}, f)
    ran = subprocess.run([f"{build}/provably", "inspect", path], capture_output=True, text=True)
    return wrong + (ran.returncode != 2 or "pickle" not in ran.stderr)


def main():
    build = sys.argv[1]
    print(f"torch {torch.__version__}, transformers {transformers.__version__}, safetensors {safetensors.__version__}")
    with tempfile.TemporaryDirectory() as folder:
        wrong = dicts(build, folder) + of_class(build, folder) + refused(build, folder)
    print("all as it should be" if not wrong else f"{wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
