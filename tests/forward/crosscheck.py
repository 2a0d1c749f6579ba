#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference itself against PyTorch: every case, with PyTorch's own functions in float64.

reference.py and model.c could misread a paper in the same way; here norms, activations, masked
attention and grouped heads are PyTorch's.  Only RoPE is ours (as complex numbers: PyTorch has none).

    python3 tests/forward/crosscheck.py path/to/t_forward        (needs torch, mpmath; 5 seconds)
"""
import subprocess
import sys
import torch
import torch.nn.functional as F
from reference import ACTIVATIONS, Model, parse

EPS = 2.0 ** -17
PHI = {"gelu": F.gelu, "relu": F.relu, "silu": F.silu, "tanh": torch.tanh, "identity": torch.nn.Identity()}
assert PHI.keys() == ACTIVATIONS.keys()


def rotate(x, base=10000.0):                             # x: heads, tokens, d_k
    n, dk = x.shape[-2:]
    theta = base ** (-torch.arange(0, dk, 2, dtype=torch.float64) / dk)
    turn = torch.polar(torch.ones(n, dk // 2, dtype=torch.float64), torch.outer(torch.arange(n, dtype=torch.float64), theta))
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], dk // 2, 2).contiguous())
    return torch.view_as_real(pairs * turn).reshape(x.shape)


def logits(words, matrices):
    W = {name: torch.tensor(rows, dtype=torch.float64) for name, rows in matrices.items()}
    number = lambda name: int(words.get(name, 0))
    n, d, h, h_kv, dk = (number(x) for x in ("n", "d", "h", "h_kv", "dk"))
    phi, norm, mask = PHI[words.get("act", "gelu")], words.get("norm", "none"), words.get("mask", "causal")
    softmax = words.get("attention", "softmax") == "softmax"
    scale = (number("scale_num") / number("scale_den")) ** 0.5

    def linear(x, weight, bias):
        return F.linear(x, W[weight].T, W[bias][0] if bias in W else None)

    def normed(x, gain, bias):
        if norm == "layer":
            return F.layer_norm(x, (d,), W[gain].diagonal(), W[bias][0] if bias in W else None, EPS)
        return F.rms_norm(x, (d,), W[gain].diagonal(), EPS) if norm == "rms" else x

    visible = {"causal": torch.ones(n, n).tril() > 0, "full": torch.ones(n, n) > 0,
               "arbitrary": W.get("visible", torch.zeros(1)) > 0}[mask]

    def attention(b, x):
        q, k, v = (linear(x, f"{b}.{w}", f"{b}.b{w}").view(n, heads, dk).transpose(0, 1)
                   for w, heads in (("Q", h), ("K", h_kv), ("V", h_kv)))
        if number("qk_norm"):
            q = F.rms_norm(q, (dk,), W[f"{b}.gain_q"].diagonal(), EPS)
            k = F.rms_norm(k, (dk,), W[f"{b}.gain_k"].diagonal(), EPS)
        if number("rope"):
            q, k = rotate(q), rotate(k)
        if softmax:
            out = F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=visible, scale=scale,
                                                 enable_gqa=h_kv != h)[0]
        else:
            k, v = (x.repeat_interleave(h // h_kv, 0) for x in (k, v))
            out = (q @ k.mT * scale * visible) @ v
        return linear(out.transpose(0, 1).reshape(n, h * dk), f"{b}.O", f"{b}.bO")

    def expert(b, e, x):
        at = f"{b}.{e}."
        up = linear(x, at + "up", at + "b_up")
        hidden = phi(linear(x, at + "gate", at + "b_gate")) * up if number("gated") else phi(up)
        return linear(hidden, at + "down", at + "b_down")

    def mlp(b, x):
        if not number("experts"):
            return expert(b, 0, x)
        weight = x @ W[f"{b}.router"]
        weight = weight.softmax(-1) if softmax else weight
        return (torch.stack([expert(b, e, x) for e in range(number("experts"))], -1) * weight[:, None, :]).sum(-1)

    x = F.embedding(W["tokens"].argmax(-1), W["E"]) + W["P"]
    for i in range(number("L")):
        b = i % number("shared") if number("shared") else i
        N = normed(x, f"{b}.gain1", f"{b}.bias1")
        y = attention(b, N) + (x if number("attn_skip") else 0)
        if number("parallel"):
            x = y + mlp(b, N)
        else:
            x = mlp(b, normed(y, f"{b}.gain2", f"{b}.bias2")) + (y if number("mlp_skip") else 0)
    return F.linear(normed(x, "gain_f", "bias_f"), W["E"] if number("tied") else W["head"].T)


def main():
    run = lambda *arguments: subprocess.run([sys.argv[1], *arguments], check=True, capture_output=True, text=True).stdout
    worst = 0.0
    for case in run("--cases").split():
        dump = parse(run("--dump", case))
        ours = torch.tensor([[float(x) for x in row] for row in Model(*dump).logits()], dtype=torch.float64)
        gap = float((ours - logits(*dump)).abs().max() / ours.abs().max())
        print(f"{case:20} {gap:.2g}")
        assert gap <= 1e-13, case
        worst = max(worst, gap)
    print(f"PyTorch {torch.__version__} agrees in all cases, to {worst:.2g}")


if __name__ == "__main__":
    main()
