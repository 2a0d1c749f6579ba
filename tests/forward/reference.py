#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""An independent transformer: the logits that tests/t_forward.c holds src/model/model.c to.

Written from the papers and not from model.c: one token at a time, one head at a time, in plain
loops over lists of mpmath numbers with 60 digits.  Each logit is printed as the double nearest
to it (17 significant digits), so an enclosure must round to these very doubles.

  attention  softmax(q k' / sqrt(d_k) + M) v     Vaswani et al. 2017; M: Karbevski & Mijoski, 3
  heads      query heads share key-value heads in consecutive groups     Ainslie et al. 2023 (GQA)
  RoPE       score(s, t) = Re sum_i q_i conj(k_i) e^(i (s-t) theta_i), q_i = (q_2i, q_2i+1) complex,
             theta_i = 10000^(-2i/d_k)                                   Su et al. 2021
  QK norm    RMSNorm with gain of every query and key head, before RoPE  Henry et al. 2020; Qwen 3
  LayerNorm  (x - mean)/sqrt(variance + eps) * gain + bias               Ba et al. 2016
  RMSNorm    x/sqrt(mean square + eps) * gain [+ no bias]                Zhang & Sennrich 2019
  GELU, SiLU x P(N(0,1) <= x),  x sigma(x)                               Hendrycks & Gimpel 2016
  gated MLP  (phi(x W_gate) * (x W_up)) W_down                           Shazeer 2020
  experts    sum_e softmax(x W_router)_e MLP_e(x), all experts           Jacobs et al. 1991
  parallel   x + attention(N x) + MLP(N x), one norm                     Wang & Komatsuzaki 2021
  pre-norm blocks and a final norm before the head                       Radford et al. 2019
  tied head  logits = x E'                                               Press & Wolf 2017
Choices of ours, fixed by model.h: eps = 2^-17; the router's row map is that of the attention (so
with attention=linear the router is linear too), unscaled; neither router nor head has a bias.

To make reference.txt anew, from the top of the repository (needs Python 3.8 and mpmath; takes two
seconds), where t_forward is the built test:

    python3 tests/forward/reference.py path/to/t_forward > tests/forward/reference.txt
"""
import subprocess
import sys
from mpmath import mp, mpf, mpc, exp, expj, fsum, ncdf, sqrt, tanh

mp.dps = 60
EPS = mpf(2) ** -17


def parse(text):
    """The dump of one case: the words of its shape, and its matrices as lists of rows."""
    words, matrices, lines = {}, {}, iter(text.splitlines())
    for line in lines:
        kind, rest = line.split(" ", 1)
        if kind == "shape":
            words = dict(item.split("=") for item in rest.split())
        elif kind == "matrix":
            name, rows, cols = rest.split()
            matrices[name] = [[float.fromhex(x) for x in next(lines).split()] for _ in range(int(rows))]
            assert all(len(row) == int(cols) for row in matrices[name]), name
        elif kind != "case":
            raise ValueError(line)
    return words, matrices


def dot(u, v):
    return fsum((a * b for a, b in zip(u, v)))


def times(x, W):                                         # the row x W
    assert len(x) == len(W)
    return [dot(x, column) for column in zip(*W)]


def plus(u, v):
    assert len(u) == len(v)
    return [a + b for a, b in zip(u, v)]


def softmax(scores):
    top = [exp(s) for s in scores]
    return [t / fsum(top) for t in top]


def gelu(x):
    return x * ncdf(x)


ACTIVATIONS = {
    "gelu": gelu,
    "relu": lambda x: max(x, mpf(0)),
    "silu": lambda x: x * (1 / (1 + exp(-x))),
    "tanh": tanh,
    "identity": lambda x: x,
}


class Model:
    def __init__(self, words, matrices):
        self.number = lambda name: int(words.get(name, 0))
        self.word = lambda name, default: words.get(name, default)
        self.phi = ACTIVATIONS[self.word("act", "gelu")]
        self.row_map = softmax if self.word("attention", "softmax") == "softmax" else list
        self.scale = sqrt(mpf(self.number("scale_num")) / self.number("scale_den"))
        self.matrices = {name: [[mpf(x) for x in row] for row in rows] for name, rows in matrices.items()}
        self.used = set()

    def get(self, name):
        self.used.add(name)
        return self.matrices[name]

    def gain(self, name):                                # a diagonal matrix as a vector
        G = self.get(name)
        assert all(x == 0 for i, row in enumerate(G) for j, x in enumerate(row) if i != j), name
        return [G[i][i] for i in range(len(G))]

    def affine(self, x, weight, bias):
        y = times(x, self.get(weight))
        return plus(y, self.get(bias)[0]) if self.number("biases") else y

    def norm(self, x, gain, bias):
        kind = self.word("norm", "none")
        if kind == "none":
            return x
        if kind == "layer":
            mean = fsum(x) / len(x)
            variance = fsum((a - mean) ** 2 for a in x) / len(x)
            y = [(a - mean) / sqrt(variance + EPS) * g for a, g in zip(x, self.gain(gain))]
            return plus(y, self.get(bias)[0]) if self.number("biases") else y
        assert kind == "rms"
        return self.rms(x, gain)

    def rms(self, x, gain):
        root = sqrt(fsum(a * a for a in x) / len(x) + EPS)
        return [a / root * g for a, g in zip(x, self.gain(gain))]

    def sees(self, s, t):                                # may token s attend to token t?
        mask = self.word("mask", "causal")
        if mask == "arbitrary":
            return self.get("visible")[s][t] == 1
        return mask == "full" or t <= s

    def score(self, q, s, k, t):                         # of the query at s and the key at t
        if not self.number("rope"):
            return self.scale * dot(q, k)
        total = mpf(0)
        for i in range(0, len(q), 2):
            angle = (s - t) * mpf(10000) ** (-mpf(i) / len(q))
            total += (mpc(q[i], q[i + 1]) * mpc(k[i], -k[i + 1]) * expj(angle)).real
        return self.scale * total

    def attention(self, b, X):
        h, h_kv, dk = (self.number(x) for x in ("h", "h_kv", "dk"))
        piece = lambda row, a: row[a * dk:(a + 1) * dk]
        Q, K, V = ([self.affine(x, f"{b}.{w}", f"{b}.b{w}") for x in X] for w in "QKV")
        rows = []
        for s in range(len(X)):
            row = []
            for a in range(h):
                group = a * h_kv // h
                seen = [t for t in range(len(X)) if self.sees(s, t)]
                assert s in seen
                q, k = piece(Q[s], a), [piece(K[t], group) for t in seen]
                if self.number("qk_norm"):
                    q, k = self.rms(q, f"{b}.gain_q"), [self.rms(x, f"{b}.gain_k") for x in k]
                weights = self.row_map([self.score(q, s, x, t) for x, t in zip(k, seen)])
                head = [mpf(0)] * dk
                for w, t in zip(weights, seen):
                    head = plus(head, [w * v for v in piece(V[t], group)])
                row += head
            rows.append(self.affine(row, f"{b}.O", f"{b}.bO"))
        return rows

    def expert(self, b, e, x):
        at = f"{b}.{e}."
        up = self.affine(x, at + "up", at + "b_up")
        if self.number("gated"):
            gate = self.affine(x, at + "gate", at + "b_gate")
            hidden = [self.phi(g) * u for g, u in zip(gate, up)]
        else:
            hidden = [self.phi(u) for u in up]
        return self.affine(hidden, at + "down", at + "b_down")

    def mlp(self, b, x):
        experts = self.number("experts")
        if experts == 0:
            return self.expert(b, 0, x)
        y = [mpf(0)] * len(x)
        for e, w in enumerate(self.row_map(times(x, self.get(f"{b}.router")))):
            assert e < experts
            y = plus(y, [w * a for a in self.expert(b, e, x)])
        return y

    def block(self, b, X):
        N = [self.norm(x, f"{b}.gain1", f"{b}.bias1") for x in X]
        Y = self.attention(b, N)
        if self.number("parallel"):
            Y = [plus(y, self.mlp(b, x)) for y, x in zip(Y, N)]
            return [plus(y, x) for y, x in zip(Y, X)] if self.number("attn_skip") else Y
        if self.number("attn_skip"):
            Y = [plus(y, x) for y, x in zip(Y, X)]
        Z = [self.mlp(b, self.norm(y, f"{b}.gain2", f"{b}.bias2")) for y in Y]
        return [plus(z, y) for z, y in zip(Z, Y)] if self.number("mlp_skip") else Z

    def logits(self):
        X, E = [], self.get("E")
        for one_hot, position in zip(self.get("tokens"), self.get("P")):
            assert sorted(one_hot) == [0] * (len(E) - 1) + [1]
            X.append(plus(E[one_hot.index(1)], position))
        assert len(X) == self.number("n")
        for i in range(self.number("L")):
            shared = self.number("shared")
            X = self.block(i % shared if shared else i, X)
        X = [self.norm(x, "gain_f", "bias_f") for x in X]
        if self.number("tied"):
            out = [[dot(x, e) for e in E] for x in X]
        else:
            out = [times(x, self.get("head")) for x in X]
        # A parallel block has one norm; the model draws the gain and bias of the other all the same.
        spare = {n for n in self.matrices if self.number("parallel") and n.split(".")[-1] in ("gain2", "bias2")}
        assert self.used | spare == set(self.matrices), set(self.matrices) - self.used
        return out


def main():
    program = sys.argv[1]
    run = lambda *arguments: subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout
    print("# Made by tests/forward/reference.py, which says how.  Per case: shape, then logits by token.")
    for case in run("--cases").split():
        dump = run("--dump", case)
        print("".join(line + "\n" for line in dump.splitlines() if line.split()[0] in ("case", "shape")), end="")
        for row in Model(*parse(dump)).logits():
            print(" ".join("%.17g" % float(x) for x in row))


if __name__ == "__main__":
    main()
