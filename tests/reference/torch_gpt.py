# SPDX-License-Identifier: GPL-3.0-or-later
"""torch_gpt.py - the language model of src/train/gpt.h once more, in PyTorch, as a judge of ours.

    python tests/reference/torch_gpt.py DUMP OUT.csv          DUMP: the program made from dump_gpt.c

AdamW is PyTorch's; decay groups, clipping, warm-up and cosine are written here from nanoGPT's description.  What is
compared and accepted: judge.py.  Exit status 1 when something lies outside.
"""
import math
import sys

import numpy as np
import torch
import torch.nn.functional as F

from judge import gradients, judge, parameters


class Model:
    def __init__(self, text, tensor, dtype):
        self.L, self.d, self.h, self.T = (int(text[k]) for k in ("L", "d", "h", "T"))
        self.tied, self.norm, self.attn_skip, self.mlp_skip = (
            text[k] == "1" for k in ("tied", "norm", "attn_skip", "mlp_skip"))
        self.trained = [x for x, name in zip("qkv", ("query", "key", "value")) if text[name] == "1"]
        self.scale = float(text["factor"]) / math.sqrt(self.d // self.h)
        self.w = parameters(tensor, dtype)

    def layer_norm(self, x, name):
        return F.layer_norm(x, (self.d,), self.w[name].reshape(-1), None, 1e-5) if self.norm else x

    def attention(self, a, at):
        B, T, d = a.shape
        split = lambda x: x.view(B, T, self.h, d // self.h).transpose(1, 2)
        q, k, v = (F.linear(a, self.w[at + x]) if x in self.trained else a for x in "qkv")
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
            gradient = gradients(model.w)
        torch.nn.utils.clip_grad_norm_(list(model.w.values()), float(text["clip"]))
        adamw.step()
        losses.append(loss.item())
    return gradient, np.array(losses)


if __name__ == "__main__":
    sys.exit(judge(run))
