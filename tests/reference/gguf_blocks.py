# SPDX-License-Identifier: GPL-3.0-or-later
"""gguf_blocks.py - are the block types of GGUF decoded as the package gguf decodes them, and are its own encodings rounded
copies to `provably verify`?

    python tests/reference/gguf_blocks.py BUILD

Needs gguf and numpy alone.  For each type:
    drawn blocks, all bytes: our doubles, rounded once to float32, against gguf's float32, bit by bit (gguf computes each
    step in float32, of which the last alone rounds; that a number is NaN counts, not which); and the same of scales that
    are 0, -0, negative, the least subnormal half float, the largest one, infinite and NaN
    where gguf has an encoder: a small Llama in F32 that gguf writes, and the same encoded, must be `quantised`; with two
    rows exchanged in one tensor it must be different
Exit status 1 where something is not so.
"""
import json
import os
import subprocess
import sys
import tempfile

import gguf
import numpy as np

SCALES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108],
          "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208]}
CORNERS = [0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0xBC00, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00]
BLOCKS, WIDTH, LAYERS, HEADS = 20000, 64, 1, 2


def blocks(kind, draw):
    """Drawn bytes; of each scale every corner, too, with the other one drawn."""
    size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[kind]][1]
    x = draw.integers(0, 256, (BLOCKS, size), dtype=np.uint8)
    for k, at in enumerate(SCALES[kind]):
        for i, half in enumerate(CORNERS):
            row = x[(k * len(CORNERS) + i) * 50:][:50]
            row[:, at], row[:, at + 1] = half & 255, half >> 8
    x[-1] = 0
    return x


def compare(build, kind, draw):
    """How many of gguf's numbers ours are not; how many there are."""
    x = blocks(kind, draw)
    with np.errstate(all="ignore"):
        theirs = gguf.quants.dequantize(x, gguf.GGMLQuantizationType[kind]).ravel()
        ran = subprocess.run([f"{build}/tests/reference/dump_blocks", kind], input=x.tobytes(), capture_output=True, check=True)
        ours = np.frombuffer(ran.stdout, "<f8").astype("<f4")
    same = (ours.view("<u4") == theirs.view("<u4")) | (np.isnan(ours) & np.isnan(theirs))
    return (len(theirs) if len(ours) != len(theirs) else int((~same).sum())), len(theirs)


def model(draw):
    """Tensors of a Llama by name."""
    d = WIDTH
    x = {"token_embd.weight": (40, d), "output_norm.weight": (d,), "output.weight": (40, d)}
    for i in range(LAYERS):
        x |= {f"blk.{i}.{n}.weight": s for n, s in [("attn_norm", (d,)), ("ffn_norm", (d,)), ("attn_q", (d, d)), ("attn_k", (d, d)),
              ("attn_v", (d, d)), ("attn_output", (d, d)), ("ffn_gate", (2 * d, d)), ("ffn_up", (2 * d, d)), ("ffn_down", (d, 2 * d))]}
    return {n: (len(s) == 1) + draw.normal(0, d ** -0.5, s).astype(np.float32) for n, s in x.items()}


def write(path, tensors, kind):
    number = gguf.GGMLQuantizationType[kind]
    out = gguf.GGUFWriter(path, "llama")
    out.add_context_length(64)
    out.add_embedding_length(WIDTH)
    out.add_block_count(LAYERS)
    out.add_feed_forward_length(2 * WIDTH)
    out.add_head_count(HEADS)
    out.add_head_count_kv(HEADS)
    out.add_layer_norm_rms_eps(1e-5)
    out.add_rope_freq_base(10000.0)
    out.add_file_type(0 if kind == "F32" else 7)
    if kind != "F32":
        out.add_quantization_version(gguf.GGML_QUANT_VERSION)
    for name, x in tensors.items():
        if x.ndim == 1 or kind == "F32":
            out.add_tensor(name, x.astype(np.float32))
        else:
            out.add_tensor(name, gguf.quants.quantize(x, number), raw_dtype=number)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def answers(build, folder, kind, tensors):
    """Of the encoded copy; of that with two rows of a tensor exchanged."""
    plain, copy, wrong = (os.path.join(folder, n) for n in ("a.gguf", "b.gguf", "c.gguf"))
    broken = dict(tensors)
    broken["blk.0.ffn_up.weight"] = tensors["blk.0.ffn_up.weight"][[1, 0] + list(range(2, 2 * WIDTH))]
    write(plain, tensors, "F32")
    write(copy, tensors, kind)
    write(wrong, broken, kind)
    found = []
    for b in (copy, wrong):
        ran = subprocess.run([f"{build}/provably", "verify", "--json", plain, b], capture_output=True, text=True)
        found.append(json.loads(ran.stdout) if ran.returncode in (0, 1, 3) else {"answer": ran.stderr.strip(), "quantised": None})
    return found


def main():
    build, failures, draw = sys.argv[1], 0, np.random.default_rng(1)
    tensors = model(draw)
    with tempfile.TemporaryDirectory() as folder:
        for kind in SCALES:
            other, n = compare(build, kind, draw)
            line = f"{kind}: {n - other} of {n} numbers are gguf's"
            failures += other > 0
            if kind[-1] != "K":
                copy, wrong = answers(build, folder, kind, tensors)
                far = copy["quantised"] and copy["quantised"]["farthest"]["steps"]
                line += f"; its copy: {copy['answer']}, farthest {far if far is None else round(far, 4)} steps; two rows exchanged: {wrong['answer']}"
                failures += copy["answer"] != "quantised" or wrong["answer"] != "different"
            print(line, flush=True)
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
