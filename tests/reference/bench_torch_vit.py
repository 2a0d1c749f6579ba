# SPDX-License-Identifier: GPL-3.0-or-later
"""bench_torch_vit.py - seconds per training step of PyTorch on the vision transformers of the second paper, MNIST.

    python tests/reference/bench_torch_vit.py eager|compile MLP MINIMUM BATCH STEPS

6 encoders of width 60, one head, mean pooling; MLP: its width, 0 without; MINIMUM 1: W_K, W_V and W_O left out.
Prints the seconds of each step after one (compile: three) that is not counted.  float32, the whole batch at once;
Q, K, V from one product where all three are there; PyTorch's own attention and its fused Adam.
"""
import os
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

D, ENCODERS, PATCH = 60, 6, 7


class Encoder(nn.Module):
    def __init__(self, mlp, minimum):
        super().__init__()
        self.minimum = minimum
        self.norm1, self.norm2 = nn.LayerNorm(D, eps=1e-6), nn.LayerNorm(D, eps=1e-6)
        self.qkv = nn.Linear(D, D if minimum else 3 * D, bias=not minimum)
        self.o = None if minimum else nn.Linear(D, D)
        self.mlp = nn.Sequential(nn.Linear(D, mlp), nn.GELU(), nn.Linear(mlp, D)) if mlp else None

    def forward(self, x):
        a = self.norm1(x)
        q, k, v = (self.qkv(a), a, a) if self.minimum else self.qkv(a).split(D, dim=2)
        y = F.scaled_dot_product_attention(q.unsqueeze(1), k.unsqueeze(1), v.unsqueeze(1)).squeeze(1)
        x = x + (y if self.o is None else self.o(y))
        b = self.norm2(x)
        return x + (b if self.mlp is None else self.mlp(b))


class Vision(nn.Module):
    def __init__(self, mlp, minimum):
        super().__init__()
        self.patch = nn.Linear(PATCH * PATCH, D)
        self.register_buffer("position", torch.randn(16, D))
        self.encoders = nn.ModuleList(Encoder(mlp, minimum) for _ in range(ENCODERS))
        self.head = nn.Linear(D, 10)

    def forward(self, image, label):
        B = image.shape[0]
        x = image.view(B, 4, PATCH, 4, PATCH).transpose(2, 3).reshape(B, 16, PATCH * PATCH)
        x = self.patch(x) + self.position
        for encoder in self.encoders:
            x = encoder(x)
        return F.cross_entropy(self.head(x.mean(dim=1)), label)


def main():
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    mlp, minimum, batch, steps = map(int, sys.argv[2:6])
    model = Vision(mlp, minimum)
    loss_of = torch.compile(model) if sys.argv[1] == "compile" else model
    adam = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-7, fused=True)
    image = torch.rand(batch, 28, 28)
    label = torch.arange(batch) % 10
    first = 3 if sys.argv[1] == "compile" else 1
    for step in range(first + steps):
        start = time.monotonic()
        adam.zero_grad(set_to_none=True)
        loss_of(image, label).backward()
        adam.step()
        if step >= first:
            print(f"{time.monotonic() - start:.6f}")


main()
