"""Writes a save of torch.distributed.checkpoint with many tensors and chunks, its data files sparse: usage FOLDER TENSORS CHUNKS.

With torch the classes are torch's own. Without it they are stand-ins with the same names and states, so that Python's pickler writes the
same bytes (torch 2.15, torch/distributed/checkpoint/metadata.py and filesystem.py).
"""

import pathlib
import pickle
import sys
import types

META = "torch.distributed.checkpoint.metadata"


def stand_ins():
    def make(module, name, base=object):
        holder = sys.modules.setdefault(module, types.ModuleType(module))
        made = type(name, (base,), {"__module__": module})
        setattr(holder, name, made)
        return made

    names = ["Metadata", "TensorStorageMetadata", "TensorProperties", "ChunkStorageMetadata", "MetadataIndex", "StorageMeta"]
    classes = {name: make(META, name) for name in names}
    classes["_StorageInfo"] = make("torch.distributed.checkpoint.filesystem", "_StorageInfo")
    size, dtype = make("torch", "Size", tuple), make("torch", "dtype")
    size.__reduce__ = lambda self: (size, (tuple(self),))
    dtype.__reduce__ = lambda self: "float32"
    sys.modules["torch"].float32 = dtype()
    sys.modules["torch"].float32.__module__ = "torch"
    layout = types.FunctionType((lambda name: name).__code__, {}, "_get_layout")
    # Newer interpreters keep the name of the place in which the code was written, and pickle that.
    layout.__qualname__ = "_get_layout"
    layout.__module__ = "torch.serialization"
    sys.modules.setdefault("torch.serialization", types.ModuleType("torch.serialization"))._get_layout = layout

    class Layout:
        def __reduce__(self):
            return (layout, ("torch.strided",))

    encoding = make(META, "_MEM_FORMAT_ENCODING")
    encoding.__init__ = lambda self, value: None
    encoding.__reduce__ = lambda self: (encoding, (0,))
    state = (sys.modules["torch"].float32, Layout(), False, encoding(0), False)
    classes["TensorProperties"].__getstate__ = lambda self: state
    return classes, size, lambda: classes["TensorProperties"]()


def real():
    import torch
    from torch.distributed.checkpoint import filesystem, metadata

    classes = {
        name: getattr(metadata, name)
        for name in ["Metadata", "TensorStorageMetadata", "ChunkStorageMetadata", "MetadataIndex", "StorageMeta"]
    }
    classes["_StorageInfo"] = filesystem._StorageInfo
    return classes, torch.Size, lambda: metadata.TensorProperties(dtype=torch.float32)


def filled(cls, **state):
    made = cls.__new__(cls)
    made.__dict__.update(state)
    return made


def main():
    folder, tensors, chunks = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    try:
        classes, size, properties = real()
    except ImportError:
        classes, size, properties = stand_ins()
    rows, columns = 128, 4096
    item = rows * columns * 4 + 1_536
    state, storage, ends = {}, {}, [0] * chunks
    for number in range(tensors):
        fqn = f"model.layers.{number // 12}.block.{number % 12}.weight"
        shards = [
            filled(classes["ChunkStorageMetadata"], offsets=size((rank * rows, 0)), sizes=size((rows, columns))) for rank in range(chunks)
        ]
        state[fqn] = filled(
            classes["TensorStorageMetadata"], properties=properties(), size=size((rows * chunks, columns)), chunks=shards
        )
        for rank, shard in enumerate(shards):
            index = filled(classes["MetadataIndex"], fqn=fqn, offset=shard.offsets, index=rank)
            storage[index] = filled(classes["_StorageInfo"], relative_path=f"__{rank}_0.distcp", offset=ends[rank], length=item)
            ends[rank] += item
    planner = {fqn: tuple(fqn.split(".", 1)) for fqn in state}
    meta = filled(classes["StorageMeta"], checkpoint_id="bench", save_id="0", load_id=None, modules=[])
    whole = filled(
        classes["Metadata"],
        state_dict_metadata=state,
        planner_data=planner,
        storage_data=storage,
        storage_meta=meta,
        version="1.0.0",
    )
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".metadata", "wb") as file:
        pickle.dump(whole, file, protocol=4)
    for rank in range(chunks):
        with open(folder / f"__{rank}_0.distcp", "wb") as file:
            file.truncate(ends[rank])
            # What a reader may look at: the beginning of the first archive and the end of the last.
            file.write(b"PK\x03\x04")
            file.seek(ends[rank] - 22)
            file.write(b"PK\x05\x06" + bytes(18))


main()
