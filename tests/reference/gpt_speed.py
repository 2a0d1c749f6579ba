# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens per second of GPT-2 124M as nanoGPT trains it (bf16 autocast, fused AdamW, torch.compile), beside gpu-bench.

Same shapes as cuda/bench.c: 480 windows of 1024 tokens a step, 60 at a time; no biases, GELU with erf, tied head."""
import argparse
import time

import torch
from torch import nn
from torch.nn import functional as F

parser = argparse.ArgumentParser()
for name, value in (("layers", 12), ("width", 768), ("heads", 12), ("window", 1024), ("vocabulary", 50304), ("micro", 60),
                    ("batch", 480), ("rounds", 5)):
    parser.add_argument("--" + name, type=int, default=value)
parser.add_argument("--device", default="cuda")
parser.add_argument("--eager", action="store_true")
a = parser.parse_args()


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        d = a.width
        self.norm1, self.norm2 = nn.LayerNorm(d, bias=False), nn.LayerNorm(d, bias=False)
        self.qkv, self.o = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
        self.fc, self.proj = nn.Linear(d, 4 * d, bias=False), nn.Linear(4 * d, d, bias=False)

    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (y.view(B, T, a.heads, -1).transpose(1, 2) for y in self.qkv(self.norm1(x)).split(d, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(y.transpose(1, 2).reshape(B, T, d))
        return x + self.proj(F.gelu(self.fc(self.norm2(x))))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(a.vocabulary, a.width), nn.Embedding(a.window, a.width)
        self.blocks = nn.ModuleList(Block() for _ in range(a.layers))
        self.norm = nn.LayerNorm(a.width, bias=False)
        self.head = nn.Linear(a.width, a.vocabulary, bias=False)
        self.head.weight = self.wte.weight

    def forward(self, token, target):
        x = self.wte(token) + self.wpe(torch.arange(token.shape[1], device=token.device))
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x))
        return F.cross_entropy(logits.view(-1, a.vocabulary), target.view(-1))


torch.manual_seed(1)
model = GPT().to(a.device)
for p in model.parameters():
    nn.init.normal_(p, std=0.02) if p.dim() > 1 else None
run = model if a.eager else torch.compile(model)
adam = torch.optim.AdamW(model.parameters(), lr=1e-5, betas=(0.9, 0.95), weight_decay=0.1, fused=a.device == "cuda")
token = torch.randint(a.vocabulary, (a.micro, a.window + 1), device=a.device)


def step():
    for _ in range(a.batch // a.micro):
        with torch.autocast(a.device, dtype=torch.bfloat16):
            loss = run(token[:, :-1].contiguous(), token[:, 1:].contiguous()) * a.micro / a.batch
        loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    adam.step()
    adam.zero_grad(set_to_none=True)
    return loss.item()                                      # waits for the GPU


step(), step()
seconds = []
for _ in range(a.rounds):
    start = time.perf_counter()
    step()
    seconds.append(time.perf_counter() - start)
median = sorted(seconds)[len(seconds) // 2]
print(f"PyTorch {torch.__version__}{' eager' if a.eager else ' compiled'}, GPT-2 shape: {1e3 * median:.1f} ms a step, "
      f"{a.batch * a.window / median:.0f} tokens/s")
