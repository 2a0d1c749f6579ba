# SPDX-License-Identifier: GPL-3.0-or-later
"""torch_vit.py - the vision transformer of src/train/vit.h once more, in PyTorch, as a judge of ours.

    python tests/reference/torch_vit.py DUMP OUT.csv          DUMP: the program made from dump_vit.c

Adam is written here as Keras has it.  What is compared and accepted: judge.py.  Exit status 1 when something lies
outside.
"""
import math
import sys

import numpy as np
import torch
import torch.nn.functional as F

from judge import gradients, judge, parameters


class Model:
    def __init__(self, text, tensor, dtype):
        self.S, self.d, self.h, self.m = (int(text[k]) for k in ("S", "d", "h", "m"))
        self.side, self.channels, self.patch = (int(text[k]) for k in ("side", "channels", "patch"))
        self.output, self.token, self.positions, self.skip = (
            text[k] == "1" for k in ("output", "token", "positions", "skip"))
        self.key, self.value, self.norm = text["key"], text["value"], text["norm"]
        self.w, self.dtype = parameters(tensor, dtype), dtype

    def linear(self, x, weight, bias):
        y = F.linear(x, self.w[weight]) if weight in self.w else x
        return y + self.w[bias].reshape(-1) if bias in self.w else y

    def layer_norm(self, x, name):
        return F.layer_norm(x, (self.d,), self.w[name + ".g"].reshape(-1), self.w[name + ".b"].reshape(-1), 1e-6)

    def attention(self, a, at):
        B, T, d = a.shape
        split = lambda x: x.view(B, T, self.h, d // self.h).transpose(1, 2)
        q = self.linear(a, at + "q", at + "q.b")
        k = q if self.key == "query" else self.linear(a, at + "k", at + "k.b")
        v = self.linear(a, at + "v", at + "v.b")
        assert (at + "k" in self.w) == (self.key == "own") and (at + "v" in self.w) == (self.value == "own")
        assert (at + "o" in self.w) == self.output
        y = F.scaled_dot_product_attention(split(q), split(k), split(v)).transpose(1, 2).reshape(B, T, d)
        return self.linear(y, at + "o", at + "o.b")

    def half(self, x, norm, f):
        """One half of an encoder; f None: nothing but the norm."""
        if self.norm == "post":
            y = x if f is None else f(x) + (x if self.skip else 0)
            return self.layer_norm(y, norm)
        a = self.layer_norm(x, norm) if self.norm == "pre" else x
        y = a if f is None else f(a)
        return x + y if self.skip else y

    def sines(self, T):
        table = torch.zeros(T, self.d, dtype=torch.float64)
        t = torch.arange(T, dtype=torch.float64)[:, None]
        even = torch.arange(0, self.d, 2, dtype=torch.float64)
        angle = t * torch.exp(-math.log(10000.0) * even / self.d)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle[:, : self.d // 2])
        return table.to(self.dtype)

    def loss(self, image, label):
        B, p, n = len(image), self.patch, self.side // self.patch
        x = (image / 255).view(B, n, p, n, p, self.channels).transpose(2, 3).reshape(B, n * n, p * p * self.channels)
        x = self.linear(x, "patch.w", "patch.b")
        if self.token:
            x = torch.cat([self.w["token"].expand(B, 1, self.d), x], dim=1)
        if self.positions:
            x = x + self.sines(x.shape[1])
        for i in range(self.S):
            at = f"h.{i}."
            x = self.half(x, at + "norm1", lambda a: self.attention(a, at + "attn."))
            if self.m:
                x = self.half(x, at + "norm2", lambda a: self.linear(
                    F.gelu(self.linear(a, at + "mlp.fc", at + "mlp.fc.b")), at + "mlp.proj", at + "mlp.proj.b"))
            elif self.norm != "bare":
                x = self.half(x, at + "norm2", None)
        x = x[:, 0] if self.token else x.mean(dim=1)
        return F.cross_entropy(self.linear(x, "head.w", "head.b"), label)


def run(text, tensor, dtype):
    """Gradients of the first step by name, and the losses of all steps."""
    model = Model(text, tensor, dtype)
    rate, beta1, beta2, eps = (float(text[k]) for k in ("peak", "beta1", "beta2", "eps"))
    m, v = ({name: torch.zeros_like(w) for name, w in model.w.items()} for _ in range(2))
    losses = []
    for step, (image, label) in enumerate(zip(tensor["image"], tensor["label"])):
        image = torch.tensor(image, dtype=dtype).view(len(label), -1)
        loss = model.loss(image, torch.tensor(label.astype(np.int64)))
        for w in model.w.values():
            w.grad = None
        loss.backward()
        if step == 0:
            gradient = gradients(model.w)
        alpha = rate * math.sqrt(1 - beta2 ** (step + 1)) / (1 - beta1 ** (step + 1))
        with torch.no_grad():
            for name, w in model.w.items():
                m[name] += (1 - beta1) * (w.grad - m[name])
                v[name] += (1 - beta2) * (w.grad * w.grad - v[name])
                w -= alpha * m[name] / (torch.sqrt(v[name]) + eps)
        losses.append(loss.item())
    return gradient, np.array(losses)


if __name__ == "__main__":
    sys.exit(judge(run))
