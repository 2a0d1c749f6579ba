# SPDX-License-Identifier: GPL-3.0-or-later
"""bench_torch.py - seconds per training step of PyTorch on a model of our size: nanoGPT's, without biases, tied.

    python tests/reference/bench_torch.py eager|compile L d h T V B STEPS         or: version

Prints the seconds of each step after one (compile: three) that is not counted.  float32; Q, K, V from one product;
PyTorch's own attention and its fused AdamW: what runs fastest there.
"""
import os
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.norm1, self.norm2 = nn.LayerNorm(d, bias=False), nn.LayerNorm(d, bias=False)
        self.qkv, self.o = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
        self.fc, self.proj = nn.Linear(d, 4 * d, bias=False), nn.Linear(4 * d, d, bias=False)

    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (y.view(B, T, self.h, d // self.h).transpose(1, 2) for y in self.qkv(self.norm1(x)).split(d, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(y.transpose(1, 2).reshape(B, T, d))
        return x + self.proj(F.gelu(self.fc(self.norm2(x))))


class GPT(nn.Module):
    def __init__(self, L, d, h, T, V):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(V, d), nn.Embedding(T, d)
        nn.init.normal_(self.wte.weight, std=0.02)
        self.blocks = nn.ModuleList(Block(d, h) for _ in range(L))
        self.norm = nn.LayerNorm(d, bias=False)

    def forward(self, token, target):
        x = self.wte(token) + self.wpe.weight
        for block in self.blocks:
            x = block(x)
        logits = F.linear(self.norm(x), self.wte.weight)
        return F.cross_entropy(logits.flatten(0, 1), target.flatten())


def main():
    if sys.argv[1:] == ["version"]:
        print("torch", torch.__version__)
        return
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    L, d, h, T, V, B, steps = map(int, sys.argv[2:9])
    model = GPT(L, d, h, T, V)
    loss_of = torch.compile(model) if sys.argv[1] == "compile" else model
    adamw = torch.optim.AdamW(model.parameters(), lr=1e-4, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.1, fused=True)
    token = (torch.arange(B * T) * 7919 % V).view(B, T)
    first = 3 if sys.argv[1] == "compile" else 1
    for step in range(first + steps):
        start = time.monotonic()
        adamw.zero_grad(set_to_none=True)
        loss_of(token, token).backward()
        adamw.step()
        if step >= first:
            print(f"{time.monotonic() - start:.6f}")


main()
