"""Statistics of all bf16 tensors of safetensors files with numpy, in one thread: NaN, infinities, zeros, extremes, mean and deviation, the last two
accumulated as float64, and no histogram. usage: numpyValues.py DIRECTORY"""

import json
import os
import resource
import sys
import time

import numpy as np

begin = time.perf_counter()
tensors = []
for file in sorted(os.listdir(sys.argv[1])):
    if not file.endswith(".safetensors"):
        continue
    path = os.path.join(sys.argv[1], file)
    with open(path, "rb") as opened:
        size = int.from_bytes(opened.read(8), "little")
        header = json.loads(opened.read(size))
    mapped = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + size)
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        first, end = entry["data_offsets"]
        # The upper half of a float32.
        values = (mapped[first:end].view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        finite = values[np.isfinite(values)]
        tensors.append(
            {
                "name": name,
                "count": values.size,
                "nan": int(np.isnan(values).sum()),
                "inf": int(np.isinf(values).sum()),
                "zeros": int((values == 0).sum()),
                "min": float(finite.min()),
                "max": float(finite.max()),
                "mean": float(finite.mean(dtype=np.float64)),
                "std": float(finite.std(dtype=np.float64)),
            }
        )
scale = 1 if sys.platform == "darwin" else 1024
result = {"workMs": (time.perf_counter() - begin) * 1000, "tensors": tensors}
result["peakBytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
print(json.dumps(result))
