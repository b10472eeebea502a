"""The reference reader (Rust) of safetensors through its Python binding: the index, then every tensor's shape, or one file.
usage: safetensorsReader.py DIR_OR_FILE"""

import json
import os
import resource
import sys
import time

from safetensors import safe_open

target = sys.argv[1]
begin = time.perf_counter()
result = {"tensors": 0}
try:
    files = [target]
    if os.path.isdir(target):
        with open(os.path.join(target, "model.safetensors.index.json"), "rb") as index:
            files = [os.path.join(target, name) for name in sorted(set(json.load(index)["weight_map"].values()))]
    for file in files:
        with safe_open(file, framework="np") as tensors:
            shapes = [tensors.get_slice(name).get_shape() for name in tensors.keys()]
        result["tensors"] += len(shapes)
except Exception as error:
    result["error"] = str(error)
result["workMs"] = (time.perf_counter() - begin) * 1000
scale = 1 if sys.platform == "darwin" else 1024
result["peakBytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
print(json.dumps(result))
