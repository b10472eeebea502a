"""Write FILE: the state_dict of a real torch AdamW after one step, 2,000 parameters, 6,000 tensors, 2.0 GB. usage: writeOptimizer.py FILE"""

import os
import sys

import torch

parameters, total = 2000, 2_000_000_000
elements = total // (8 * parameters)  # exp_avg and exp_avg_sq take 4 bytes each
tensors = [torch.nn.Parameter(torch.zeros(elements // 64, 64)) for _ in range(parameters)]
optimizer = torch.optim.AdamW(tensors, lr=1e-3)
for tensor in tensors:
    tensor.grad = torch.full_like(tensor, 1e-3)
optimizer.step()
partial = sys.argv[1] + ".partial"
# The top folder inside a torch file is named after the file, so it is written under its own name in a folder of its own.
os.makedirs(partial, exist_ok=True)
torch.save(optimizer.state_dict(), os.path.join(partial, "optimizer.pt"))
os.replace(os.path.join(partial, "optimizer.pt"), sys.argv[1])
os.rmdir(partial)
