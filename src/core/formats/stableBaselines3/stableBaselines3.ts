/**
 * Models of Stable-Baselines3 (stable_baselines3/common/save_util.py, save_to_zip_file; common/base_class.py, save): a zip archive, stored, of
 *
 *   data                         JSON of the algorithm's attributes; what JSON cannot hold is cloudpickle in base64 under `:serialized:`
 *   pytorch_variables.pth        tensors beside the modules (`log_ent_coef`), by torch.save
 *   policy.pth                   state_dict of the policy, of some algorithms with its target networks
 *   policy.optimizer.pth, ...    state_dict of each optimizer: `actor.optimizer.pth`, `ent_coef_optimizer.pth`
 *   _stable_baselines3_version   text
 *   system_info.txt              text
 *
 * Members by torch.save are read in place; deflated ones, which the library does not write, are inflated where they are small.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { decodeBase64 } from '../../bytes/base64.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { memorySource } from '../../bytes/memorySource.js';
import { sliceSource } from '../../bytes/sliceSource.js';
import { decodeText } from '../../bytes/text.js';
import type { Unpacking } from '../../bytes/unpackBudget.js';
import type { ComponentId } from '../../tensors/component.js';
import { noteArchiveCode } from '../loaderCode/archiveCode.js';
import { directoryOfArchive } from '../pickle/imports/damagedArchive.js';
import { FileImports } from '../pickle/imports/fileImports.js';
import type { FileSink } from '../sink/fileSink.js';
import { nestedSink } from '../sink/nestedSink.js';
import { sinkWith } from '../sink/sinkWith.js';
import { memberOf } from '../text/jsonMember.js';
import { jsonValue } from '../text/jsonValue.js';
import { readTorchFile } from '../torch/torchFile.js';
import { isZip, type ZipEntry } from '../zip.js';
import { noteBytesBehindArchive } from '../zipTail.js';
import { isNotRead, isStored, openZipRecord, readZipContent } from '../zipRecord.js';

const DATA = 'data';
const VERSION = '_stable_baselines3_version';
/** Of the local header, to the name. */
const LOCAL_BYTES = 30;

/** True for a zip archive whose first member is called `data`, which save_to_zip_file writes first. */
export function isStableBaselines3(head: Uint8Array): boolean {
  if (!isZip(head) || head.byteLength < LOCAL_BYTES + DATA.length) return false;
  const nameBytes = new DataView(head.buffer, head.byteOffset).getUint16(26, true);
  return nameBytes === DATA.length && decodeText(head.subarray(LOCAL_BYTES, LOCAL_BYTES + nameBytes)) === DATA;
}

/**
 * Lists the tensors of all members by torch.save, and shows the attributes.
 * @throws FormatError `not-this-format` for another zip, `truncated` without a directory, `corrupt`
 */
export async function readStableBaselines3(source: ByteSource, sink: FileSink): Promise<string> {
  const directory = await directoryOfArchive(source, sink);
  const { entries } = directory;
  const find = (name: string): ZipEntry | undefined => entries.find((entry) => entry.name === name);
  if (find(DATA) === undefined || !entries.some(({ name }) => name === VERSION || name === 'policy.pth'))
    throw new FormatError('not-this-format', 'a zip archive without a model of Stable-Baselines3', { offset: 0 });
  const data = await textOf(source, find(DATA), limits.jsonBytes, sink);
  const version = await textOf(source, find(VERSION), limits.pointerBytes, sink);
  // Those by torch.save are scanned where they are read.
  const others = new FileImports(sink);
  await others.scanArchive(source, directory, isReadAsTorch);
  await sink.turn();
  noteBytesBehindArchive(source, directory, sink);
  await others.report(sink);
  if (version !== undefined) sink.metadata('version', version.trim());
  noteArchiveCode(entries, 'a program that unpacks the archive; Stable-Baselines3 does not import it', sink);
  await showData(data, find(DATA) as ZipEntry, sink);
  for (const entry of entries) {
    if (entry.name.endsWith('.pth')) await guard(entry, sink, () => readMember(source, entry, sink));
    else claim(entry, entry.name === DATA ? 'trainerState' : 'config', sink);
  }
  return 'stable-baselines3';
}

/** Members that are scanned where they are read: in place, or unpacked where they are small. */
function isReadAsTorch(entry: ZipEntry): boolean {
  return entry.name.endsWith('.pth') && !entry.isEncrypted && (isStored(entry) || entry.bytes <= limits.storedObjectsBytes);
}

async function readMember(source: ByteSource, entry: ZipEntry, sink: FileSink): Promise<void> {
  const { name, compressedBytes, headerOffset: offset } = entry;
  if (entry.isEncrypted) throw new FormatError('unsupported', 'encrypted', { offset });
  const { dataOffset, storedBytes, conflict } = await openZipRecord(source, entry, 0, sink.signal);
  if (conflict !== undefined) sink.finding({ code: 'zip-readers-differ', offset, facts: { record: name, detail: conflict } });
  if (storedBytes < compressedBytes) throw new FormatError('truncated', 'it goes past the end of the file', { offset });
  // The policy's tensors have the names of its state_dict. Optimizers repeat each other's, and their names say what they are.
  const nested = nestedSink(sink, dataOffset, name === 'policy.pth' ? [] : [name.slice(0, -'.pth'.length)]);
  if (isStored(entry)) await readTorchFile(sliceSource(source, dataOffset, compressedBytes), nested);
  else await readInflated(await unpacked(source, entry, sink), entry, nested);
}

/** Where a byte of an inflated member lies in the file is not known: its tensors share all of its bytes. */
async function readInflated(bytes: Uint8Array, { name, compressedBytes }: ZipEntry, nested: FileSink): Promise<void> {
  const pieces = [{ offset: 0, bytes: compressedBytes, logicalBytes: bytes.byteLength }];
  await readTorchFile(
    memorySource(name, bytes),
    sinkWith(nested, {
      tensor: (tensor) => nested.tensor({ ...tensor, pieces: tensor.pieces.length === 0 ? [] : pieces }),
      claim: () => undefined,
      unexplained: () => undefined,
      finding: ({ offset: _inside, ...finding }) => nested.finding(finding),
    }),
  );
}

/** @throws FormatError `unsupported` for another method or a large member, `corrupt` for one of another size than its directory has */
async function unpacked(source: ByteSource, entry: ZipEntry, unpacking: Unpacking): Promise<Uint8Array> {
  const { name, bytes, headerOffset: offset } = entry;
  if (bytes > limits.storedObjectsBytes)
    throw new FormatError('unsupported', `a compressed member of ${bytes} bytes`, { offset });
  const content = await readZipContent(source, entry, limits.storedObjectsBytes, unpacking);
  if (content.bytes.byteLength !== bytes)
    throw new FormatError('corrupt', `${name} does not unpack to ${bytes} bytes`, { offset });
  return content.bytes;
}

/** One damaged member does not take the others with it. */
async function guard(entry: ZipEntry, sink: FileSink, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    const code = isNotRead(error) ? 'unsupported-version' : 'header-corrupt';
    sink.finding({ code, offset: entry.headerOffset, facts: { detail: `${entry.name}: ${error.detail}` } });
    sink.unexplained(entry.headerOffset, entry.endOffset - entry.headerOffset);
  }
}

function claim({ headerOffset, endOffset }: ZipEntry, component: ComponentId, sink: FileSink): void {
  sink.claim(headerOffset, endOffset - headerOffset, component);
}

/** Undefined for a member that is absent, too large or damaged. */
async function textOf(
  source: ByteSource,
  entry: ZipEntry | undefined,
  maxBytes: number,
  unpacking: Unpacking,
): Promise<string | undefined> {
  if (entry === undefined || entry.isEncrypted || Math.max(entry.compressedBytes, entry.bytes) > maxBytes) return undefined;
  try {
    return decodeText((await readZipContent(source, entry, maxBytes, unpacking)).bytes);
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    return undefined;
  }
}

/** Attributes without the pickles in them, whose imports are listed. */
async function showData(text: string | undefined, { headerOffset: offset }: ZipEntry, sink: FileSink): Promise<void> {
  const imports = new FileImports(sink);
  const root = text === undefined ? undefined : parsed(text);
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    sink.finding({ code: 'header-corrupt', offset, facts: { detail: `${DATA} is no JSON object` } });
    return;
  }
  const shown = Object.fromEntries(
    Object.entries(root as Record<string, unknown>).map(([key, value]) => {
      const pickle = pickleIn(value);
      if (pickle === undefined) return [key, value];
      if (!scanAttribute(pickle, imports))
        sink.finding({ code: 'header-corrupt', offset, facts: { detail: `${DATA}, ${key}: no pickle in base64` } });
      return [key, memberOf(value, ':type:') ?? null];
    }),
  );
  await imports.report(sink);
  sink.json(shown);
  const steps = shown['num_timesteps'];
  if (typeof steps === 'number' && Number.isSafeInteger(steps) && steps >= 0) sink.metadata('step', String(steps));
}

function parsed(text: string): unknown {
  try {
    return jsonValue(text);
  } catch (error) {
    if (FormatError.is(error)) throw error;
    return undefined;
  }
}

/** The text of a pickle that an attribute is stored as. */
function pickleIn(value: unknown): string | undefined {
  const text = memberOf(value, ':serialized:');
  return typeof text === 'string' ? text : undefined;
}

/** Adds what loading the attribute would import; false where it is no pickle. */
function scanAttribute(text: string, imports: FileImports): boolean {
  const bytes = decodeBase64(text.replace(/\n/g, ''));
  return bytes !== undefined && imports.scan(bytes, undefined).pickles > 0;
}
