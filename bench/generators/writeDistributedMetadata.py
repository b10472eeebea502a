"""Writes a `.metadata` of torch.distributed.checkpoint with many tensors and chunks: usage FOLDER TENSORS CHUNKS.

The classes are stand-ins with the names and states of torch's, so that Python's own pickler writes the bytes that it writes for a real
save (class names and attribute order of torch 2.15, torch/distributed/checkpoint/metadata.py and filesystem.py).
"""
import pathlib
import pickle
import sys
import types


def stand_in(module, name, base=object):
    if module not in sys.modules:
        sys.modules[module] = types.ModuleType(module)
    made = type(name, (base,), {"__module__": module})
    setattr(sys.modules[module], name, made)
    return made


META = "torch.distributed.checkpoint.metadata"
Metadata = stand_in(META, "Metadata")
TensorStorageMetadata = stand_in(META, "TensorStorageMetadata")
TensorProperties = stand_in(META, "TensorProperties")
ChunkStorageMetadata = stand_in(META, "ChunkStorageMetadata")
MetadataIndex = stand_in(META, "MetadataIndex")
StorageMeta = stand_in(META, "StorageMeta")
StorageInfo = stand_in("torch.distributed.checkpoint.filesystem", "_StorageInfo")
DType = stand_in("torch", "DType")
Size = stand_in("torch", "Size", tuple)
DType.__reduce__ = lambda self: "float32"
Size.__reduce__ = lambda self: (Size, (tuple(self),))
sys.modules["torch"].float32 = DType()
DType.__reduce_ex__ = lambda self, protocol: "float32"
DTYPE = sys.modules["torch"].float32
DTYPE.__module__ = "torch"


def make(cls, **state):
    made = cls.__new__(cls)
    made.__dict__.update(state)
    return made


def main():
    folder, tensors, chunks = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    rows = 128
    item = rows * 4096 * 4 + 1_536
    state, storage, offsets = {}, {}, [0] * chunks
    for number in range(tensors):
        fqn = f"model.layers.{number // 12}.block.{number % 12}.weight"
        shards = [make(ChunkStorageMetadata, offsets=Size((rank * rows, 0)), sizes=Size((rows, 4096))) for rank in range(chunks)]
        properties = make(TensorProperties, dtype=DTYPE, requires_grad=False, pin_memory=False)
        state[fqn] = make(TensorStorageMetadata, properties=properties, size=Size((rows * chunks, 4096)), chunks=shards)
        for rank in range(chunks):
            index = make(MetadataIndex, fqn=fqn, offset=shards[rank].offsets, index=rank)
            storage[index] = make(StorageInfo, relative_path=f"__{rank}_0.distcp", offset=offsets[rank], length=item)
            offsets[rank] += item
    planner = {fqn: tuple(fqn.split(".", 1)) for fqn in state}
    meta = make(StorageMeta, checkpoint_id=str(folder.name), save_id="00000000-0000-0000-0000-000000000000", load_id=None, modules=[])
    whole = make(Metadata, state_dict_metadata=state, planner_data=planner, storage_data=storage, storage_meta=meta, version="1.0.0")
    with open(folder / ".metadata", "wb") as file:
        pickle.dump(whole, file, protocol=4)
    for rank in range(chunks):
        with open(folder / f"__{rank}_0.distcp", "wb") as file:
            file.truncate(offsets[rank])


main()
