"""
Reads DLIO workloads as DLIO does and counts what its ranks save: one JSON object of a line for each file that is named.
DLIO's own code parses, validates and sizes; MPI, tracing and tensors, which that does not need, are replaced where they are not installed.
"""
import importlib.util
import json
import sys
import types
from unittest.mock import MagicMock


class Untraced:
    """Decorators that leave functions as they are: a stand-in for them would stand in for what they decorate."""

    def __init__(self, *_):
        pass

    def __getattr__(self, _):
        return lambda function: function


def is_missing(name):
    try:
        return importlib.util.find_spec(name) is None
    except ModuleNotFoundError:
        return True


for name in ('mpi4py', 'torch', 'PIL', 'h5py'):
    if is_missing(name):
        sys.modules[name] = MagicMock()
if is_missing('dftracer.python'):
    untraced = types.SimpleNamespace(dftracer=MagicMock(), dft_fn=Untraced, ai=Untraced(), DFTRACER_ENABLE=False)
    sys.modules['dftracer'] = sys.modules['dftracer.python'] = untraced

from omegaconf import OmegaConf  # noqa: E402

from dlio_benchmark.checkpointing import base_checkpointing  # noqa: E402
from dlio_benchmark.utils import config as dlio_config  # noqa: E402

element_bytes = {'int8': 1, 'uint8': 1, 'fp16': 2, 'bf16': 2, 'fp32': 4, 'fp64': 8}


def bytes_of(state):
    return sum(bytes_of(part) for part in state.values()) if isinstance(state, dict) else state


class Rank(base_checkpointing.BaseCheckpointing):
    """A rank whose tensors are their sizes, and whose files are counted."""

    def __init__(self):
        self.saved_bytes = 0
        super().__init__('pt')

    def get_tensor_core(self, length, datatype='int8', randomize=True):
        return length * element_bytes[datatype]

    def set_madvise_mergeable(self, tensor):
        return False

    def save_state(self, suffix, state, fsync=False):
        self.saved_bytes += bytes_of(state)

    def load_state(self, suffix, state):
        pass

    def save_checkpoint(self, epoch, step_number):
        super().save_checkpoint(epoch, step_number)

    def load_checkpoint(self, epoch, step_number):
        super().load_checkpoint(epoch, step_number)

    def finalize(self):
        pass


def sizes(path):
    workload = OmegaConf.to_container(OmegaConf.load(path), resolve=True)
    ranks = 1
    for sharing in ('tensor', 'pipeline'):
        ranks *= workload['model']['parallelism'][sharing]
    ranks *= int(sys.argv[1])
    args = types.SimpleNamespace()
    per_rank = []
    for rank in range(ranks):
        mpi = MagicMock()
        mpi.rank.return_value = rank
        mpi.size.return_value = ranks
        mpi.comm.return_value = types.SimpleNamespace(rank=rank, size=ranks, allreduce=lambda number: number)
        dlio_config.DLIOMPI = base_checkpointing.DLIOMPI = MagicMock()
        base_checkpointing.DLIOMPI.get_instance.return_value = mpi
        base_checkpointing.StorageFactory = MagicMock()
        args = dlio_config.ConfigArguments.__new__(dlio_config.ConfigArguments)
        args.my_rank, args.comm_size, args.logger = rank, ranks, MagicMock()
        dlio_config.LoadConfig(args, workload)
        dlio_config.ConfigArguments.get_instance = staticmethod(lambda args=args: args)
        if rank == 0:
            # Workloads without training data have no reader: the loader's standard is TensorFlow's, which this check does not take.
            args.data_loader = dlio_config.DataLoaderType.PYTORCH
            args.format = dlio_config.FormatType.NPZ
            args.num_files_train = 0
            args.validate()
        saving = Rank()
        saving.save_checkpoint(0, 1)
        per_rank.append(saving.saved_bytes)
    return {
        'bytes': sum(per_rank),
        'ranks': ranks,
        'writers': sum(1 for saved in per_rank if saved > 0),
        'largestBytes': max(per_rank),
        'isCheckpointOnly': args.checkpoint_only,
        'writes': args.num_checkpoints_write,
        'reads': args.num_checkpoints_read,
        'seconds': args.time_between_checkpoints,
        'folder': args.checkpoint_folder,
    }


for file in sys.argv[2:]:
    print(json.dumps(sizes(file)))
