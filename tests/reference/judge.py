# SPDX-License-Identifier: GPL-3.0-or-later
"""judge.py - compares our training engine with an independent one in PyTorch.

For every variant that a dump program lists, in float and in double: takes our initial weights and batches from the
file that tensors.h describes, asks a model for PyTorch's gradients of the first step and its losses over 100 steps,
and records the relative difference of every tensor and of the curve.

Differences are relative to the tensor's norm; that of a bias of all keys is zero, since softmax does not see a shift,
and is compared with the norm of the whole gradient.

Accepted: a gradient within 1e-5 in float and 1e-11 in double; a curve in double within 1e-9 at every step; a curve in
float no farther from PyTorch's curve in double than 10 times PyTorch's own float, or 1e-5.
"""
import csv
import datetime
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
import torch

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



def parameters(tensor, dtype):
    return {name[2:]: torch.tensor(x, dtype=dtype, requires_grad=True)
            for name, x in tensor.items() if name.startswith("w:")}


def gradients(weights):
    return {name: w.grad.numpy().astype(np.float64) for name, w in weights.items()}


def processor():
    with open("/proc/cpuinfo") as f:
        for line in f:
            if line.startswith("model name"):
                return line.split(":")[1].strip()
    return "unknown"


def commit():
    said = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True)
    return said.stdout.strip() or "unknown"


def judge(run):
    """run(text, tensor, dtype) returns gradients by name and all losses; the arguments are DUMP and OUT.csv."""
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
            whole = math.sqrt(sum((g * g).sum() for g in gradient.values()))
            for which, theirs in gradient.items():
                ours = tensor["g:" + which]
                what, size = "gradient", np.linalg.norm(theirs)
                if which.endswith("attn.k.b"):
                    what, size = "zero gradient", whole
                record(name, numbers, what, which, np.linalg.norm(ours - theirs) / size, GRADIENT[numbers])
            ours = tensor["loss"][0]
            accepted = 1e-9
            if numbers == "f32":                                        # rounding alone moves a curve that far
                accepted = max(1e-5, 10 * np.abs(curve["f32"] - curve["f64"]).max())
            record(name, numbers, "curve", "loss", np.abs(ours - curve["f64"]).max(), accepted)
            worst = max(float(r.split(",")[4]) for r in rows if r.startswith(f"{name},{numbers},") and "gradient" in r)
            print(f"{name:24} {numbers}  gradients within {worst:.1e}  100 losses within {rows[-1].split(',')[4]}"
                  f"  ({ours[0]:.4f} to {ours[-1]:.4f})", flush=True)
    with open(out + ".part", "w", newline="") as f:
        table = csv.writer(f, lineterminator="\n")
        table.writerow(["date", "commit", "torch", "hardware", "threads", "variant", "numbers", "what", "tensor",
                        "difference", "accepted", "within"])
        run_of = [datetime.date.today(), commit(), torch.__version__, processor(), torch.get_num_threads()]
        table.writerows(run_of + r.split(",") for r in rows)
    os.replace(out + ".part", out)
    print(f"{out}: {len(rows)} comparisons with torch {torch.__version__}, {failures} outside")
    return 1 if failures else 0
