"""torch_gpt.py - the language model of src/nn/gpt.h once more, in PyTorch, as a judge of ours.

    python tests/reference/torch_gpt.py DUMP OUT.csv          DUMP: the program made from dump.c

For every variant, in float and in double: reads our initial weights and batches, computes PyTorch's gradients of the
first step and its losses over 100 steps of AdamW (decay groups, clipping, warm-up, cosine, written here from nanoGPT's
description), and records the relative difference of every tensor and of the curve.

Accepted: a gradient within 1e-5 in float and 1e-11 in double; a curve in double within 1e-9 at every step; a curve in
float no farther from PyTorch's curve in double than 10 times PyTorch's own float, or 1e-5.  Exit status 1 otherwise.
"""
import datetime
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
import torch
import torch.nn.functional as F

GRADIENT = {"f32": 1e-5, "f64": 1e-11}
TYPE = {"f32": torch.float32, "f64": torch.float64}


def read_dump(path):
    """The texts and tensors of a file as dump.c describes it."""
    text, shapes, tensor = {}, [], {}
    with open(path, "rb") as f:
        for line in iter(lambda: f.readline().decode().split(), ["end"]):
            if line[0] == "text":
                text[line[1]] = line[2]
            else:
                shapes.append((line[1], int(line[2]), int(line[3])))
        for name, rows, cols in shapes:
            tensor[name] = np.frombuffer(f.read(8 * rows * cols), "<f8").reshape(rows, cols)
        assert f.read() == b"", "numbers after the last tensor"
    return text, tensor


class Model:
    def __init__(self, text, tensor, dtype):
        self.L, self.d, self.h, self.T = (int(text[k]) for k in ("L", "d", "h", "T"))
        self.query, self.tied, self.norm, self.attn_skip, self.mlp_skip = (
            text[k] == "1" for k in ("query", "tied", "norm", "attn_skip", "mlp_skip"))
        self.scale = float(text["factor"]) / math.sqrt(self.d // self.h)
        self.w = {name[2:]: torch.tensor(x, dtype=dtype, requires_grad=True)
                  for name, x in tensor.items() if name.startswith("w:")}

    def layer_norm(self, x, name):
        return F.layer_norm(x, (self.d,), self.w[name].reshape(-1), None, 1e-5) if self.norm else x

    def attention(self, a, at):
        B, T, d = a.shape
        split = lambda x: x.view(B, T, self.h, d // self.h).transpose(1, 2)
        q = F.linear(a, self.w[at + "q"]) if self.query else a
        k, v = F.linear(a, self.w[at + "k"]), F.linear(a, self.w[at + "v"])
        y = F.scaled_dot_product_attention(split(q), split(k), split(v), is_causal=True, scale=self.scale)
        return F.linear(y.transpose(1, 2).reshape(B, T, d), self.w[at + "o"])

    def loss(self, token, target):
        x = F.embedding(token, self.w["wte"]) + self.w["wpe"]
        for i in range(self.L):
            y = self.attention(self.layer_norm(x, f"h.{i}.norm1"), f"h.{i}.attn.")
            x = x + y if self.attn_skip else y
            b = self.layer_norm(x, f"h.{i}.norm2")
            y = F.linear(F.gelu(F.linear(b, self.w[f"h.{i}.mlp.fc"])), self.w[f"h.{i}.mlp.proj"])
            x = x + y if self.mlp_skip else y
        head = self.w["wte" if self.tied else "head"]
        logits = F.linear(self.layer_norm(x, "normf"), head)
        return F.cross_entropy(logits.flatten(0, 1), target.flatten())


def rate(text, step):
    peak, least = float(text["peak"]), float(text["least"])
    warmup, steps = int(text["warmup"]), int(text["steps"])
    if step < warmup:
        return peak * (step + 1) / (warmup + 1)
    if step > steps:
        return least
    return least + 0.5 * (1.0 + math.cos(math.pi * (step - warmup) / (steps - warmup))) * (peak - least)


def run(text, tensor, dtype):
    """Gradients of the first step by name, and the losses of all steps."""
    model = Model(text, tensor, dtype)
    matrices = [w for w in model.w.values() if w.shape[0] > 1]
    gains = [w for w in model.w.values() if w.shape[0] == 1]
    groups = [{"params": matrices, "weight_decay": float(text["decay"])}]
    if gains:
        groups.append({"params": gains, "weight_decay": 0.0})
    adamw = torch.optim.AdamW(groups, lr=1.0, betas=(float(text["beta1"]), float(text["beta2"])), eps=float(text["eps"]))
    token, target = (torch.tensor(tensor[k].astype(np.int64)).view(-1, tensor[k].shape[1] // model.T, model.T)
                     for k in ("token", "target"))
    losses = []
    for step in range(len(token)):
        for group in adamw.param_groups:
            group["lr"] = rate(text, step)
        adamw.zero_grad()
        loss = model.loss(token[step], target[step])
        loss.backward()
        if step == 0:
            gradient = {name: w.grad.numpy().astype(np.float64) for name, w in model.w.items()}
        torch.nn.utils.clip_grad_norm_(list(model.w.values()), float(text["clip"]))
        adamw.step()
        losses.append(loss.item())
    return gradient, np.array(losses)


def processor():
    with open("/proc/cpuinfo") as f:
        for line in f:
            if line.startswith("model name"):
                return line.split(":")[1].strip()
    return "unknown"


def commit():
    said = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True)
    return said.stdout.strip() or "unknown"


def main():
    dump, out = sys.argv[1:3]
    names = subprocess.run([dump, "--list"], check=True, capture_output=True, text=True).stdout.split()
    rows, failures = [], 0

    def record(name, numbers, what, tensor, difference, accepted):
        nonlocal failures
        fine = bool(difference <= accepted)                             # NaN is not fine
        failures += not fine
        rows.append(f"{name},{numbers},{what},{tensor},{difference:.3e},{accepted:.3e},{'yes' if fine else 'NO'}")

    for name in names:
        curve = {}
        for numbers in ("f64", "f32"):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "dump")
                subprocess.run([dump, name, numbers, path], check=True)
                text, tensor = read_dump(path)
            gradient, curve[numbers] = run(text, tensor, TYPE[numbers])
            for which, theirs in gradient.items():
                ours = tensor["g:" + which]
                gap = np.linalg.norm(ours - theirs) / np.linalg.norm(theirs)
                record(name, numbers, "gradient", which, gap, GRADIENT[numbers])
            ours = tensor["loss"][0]
            accepted = 1e-9
            if numbers == "f32":                                        # rounding alone moves a curve that far
                accepted = max(1e-5, 10 * np.abs(curve["f32"] - curve["f64"]).max())
            record(name, numbers, "curve", "loss", np.abs(ours - curve["f64"]).max(), accepted)
            worst = max(float(r.split(",")[4]) for r in rows if r.startswith(f"{name},{numbers},gradient"))
            print(f"{name:24} {numbers}  gradients within {worst:.1e}  100 losses within {rows[-1].split(',')[4]}"
                  f"  ({ours[0]:.4f} to {ours[-1]:.4f}, {text['clipped']} steps clipped)", flush=True)
    with open(out + ".part", "w") as f:
        f.write(f"# date {datetime.date.today()}\n# commit {commit()}\n# torch {torch.__version__}\n")
        f.write(f"# hardware {processor()}\n# threads {torch.get_num_threads()}\n")
        f.write("variant,numbers,what,tensor,difference,accepted,within\n")
        f.write("\n".join(rows) + "\n")
    os.replace(out + ".part", out)
    print(f"{out}: {len(rows)} comparisons with torch {torch.__version__}, {failures} outside")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
