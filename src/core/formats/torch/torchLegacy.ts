/**
 * torch.save before 1.6 (and with _use_new_zipfile_serialization=False): five pickles in a row, then the storages.
 *
 *   magic number | protocol version | system facts | the object | sorted storage keys | for each key: i64 element count, raw data
 *
 * torch/serialization.py, _legacy_save and _legacy_load.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { sliceSource } from '../../bytes/sliceSource.js';
import type { FileSink, FoundPiece } from '../sink/fileSink.js';
import { itemsOf, keyText } from '../pickle/pickleAccess.js';
import { FileImports } from '../pickle/imports/fileImports.js';
import { damageCodes, pickleDamage } from '../pickle/pickleDamage.js';
import { runPickle, type PickleResult } from '../pickle/pickleMachine.js';
import { listTorchTensors, storageSizesOf } from './torchStorages.js';

/** LONG1 of 0x1950a86a20f9469cfc6c, with a PROTO of 2 or higher before it. */
const magic = [0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19, 0x2e];
const COUNT_BYTES = 8;
const FIRST_READ_BYTES = 64 * 1024;

export function isTorchLegacy(head: Uint8Array): boolean {
  const start = head[0] === 0x80 ? 2 : 0;
  // Protocol 4 and above frame the number.
  const at = head[start] === 0x95 ? start + 9 : start;
  return magic.every((byte, index) => head[at + index] === byte);
}

/**
 * Lists the tensors and the object into the sink.
 * @throws FormatError `corrupt` or `truncated` when the pickles cannot be read
 */
export async function readTorchLegacy(source: ByteSource, sink: FileSink): Promise<void> {
  const { pickles, bytes } = await readPickles(source, sink);
  const imports = new FileImports(sink);
  // Behind the fifth pickle come storages; behind damage anything may follow.
  imports.scan(bytes, 0, pickles.length === 5 ? { end: pickles[4]?.end ?? bytes.byteLength } : {});
  await imports.report(sink);
  const [, , , object, keys] = pickles;
  if (object === undefined) throw new FormatError('truncated', 'the file ends before its object', { offset: source.sizeBytes });
  const { places, end } = keys === undefined ? noStorages(source) : placeStorages(source, object, keys, sink);
  sink.object(object.root);
  const used = new Set<string>();
  listTorchTensors(
    object.root,
    (key) => {
      used.add(key);
      return places.get(key);
    },
    sink,
  );
  for (const [key, piece] of places) if (!used.has(key)) sink.claim(piece.offset, piece.bytes, 'container');
  if (end < source.sizeBytes) await scanBehind(source, end, sink);
}

/** Programs that load one object after the other from a file read what is behind its storages. */
async function scanBehind(source: ByteSource, end: number, sink: FileSink): Promise<void> {
  const imports = new FileImports(sink);
  await imports.scanPart(sliceSource(source, end, source.sizeBytes - end), 'the bytes behind the storages', end);
  await imports.report(sink);
}

interface PlacedStorages {
  places: Map<string, FoundPiece>;
  /** Behind the last one. */
  end: number;
}

function noStorages({ sizeBytes }: ByteSource): PlacedStorages {
  return { places: new Map(), end: sizeBytes };
}

interface ReadPickles {
  pickles: PickleResult[];
  /** The beginning of the file, as far as it was read for them. */
  bytes: Uint8Array;
}

/** The pickles lie one behind the other, with nothing that says how long they are: read more until the fifth has its STOP. */
async function readPickles(source: ByteSource, sink: FileSink): Promise<ReadPickles> {
  for (let wanted = FIRST_READ_BYTES; ; wanted *= 4) {
    const length = Math.min(wanted, source.sizeBytes, limits.pickleBytes);
    const bytes = await source.read(0, length, sink.signal);
    const pickles: PickleResult[] = [];
    let at = 0;
    try {
      while (pickles.length < 5) {
        const pickle = runPickle(bytes, at);
        pickles.push(pickle);
        at = pickle.end;
      }
      return { pickles, bytes };
    } catch (error) {
      if (!FormatError.is(error)) throw error;
      if (error.code === 'truncated' && length === wanted) continue;
      if (!damageCodes.has(error.code)) throw error;
      sink.finding(pickleDamage(error, `pickle ${pickles.length + 1} of 5`, length - at, 0));
      return { pickles, bytes };
    }
  }
}

/**
 * Storages follow in the order of the key list, each behind its element count. Sizes come from the object's references, all of
 * them: one that is missed would move every storage behind it.
 */
function placeStorages(source: ByteSource, object: PickleResult, keys: PickleResult, sink: FileSink): PlacedStorages {
  const sizes = storageSizesOf(object);
  const places = new Map<string, FoundPiece>();
  let at = keys.end;
  for (const item of itemsOf(keys.root) ?? []) {
    const key = keyText(item);
    const bytes = sizes.get(key);
    if (bytes === undefined) break;
    places.set(key, { offset: at + COUNT_BYTES, bytes });
    at += COUNT_BYTES + bytes;
  }
  if (at > source.sizeBytes) {
    sink.finding({
      code: 'file-truncated',
      offset: source.sizeBytes,
      facts: { expectedBytes: at, bytes: source.sizeBytes },
    });
  } else if (at < source.sizeBytes && places.size === (itemsOf(keys.root)?.length ?? 0)) {
    sink.unexplained(at, source.sizeBytes - at);
    sink.finding({ code: 'file-too-long', offset: at, facts: { expectedBytes: at, bytes: source.sizeBytes } });
  }
  return { places, end: at };
}
