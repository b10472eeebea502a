/** Archives of a checkpoint, which `tar` makes of a directory: they are called as shards are, and hold no samples. */
import type { ByteSource } from '../bytes/byteSource.js';
import { compressionOf } from '../bytes/compression.js';
import { decompressBeginning } from '../bytes/decompressBeginning.js';
import { FormatError } from '../bytes/formatError.js';
import { memorySource } from '../bytes/memorySource.js';
import { ofBeginning } from '../bytes/unpackBudget.js';
import { baseName, parentPath } from '../files/paths.js';
import { walkTar } from './tar.js';
import { readZipDirectory } from './zip.js';

/** Whole names that trainers give files of a save; those of samples begin with the key of the sample. */
const stateName =
  /^(?:(?:pytorch_|tf_|flax_|adapter_|diffusion_pytorch_)?model(?:[-_.].*)?\.(?:safetensors|bin|h5|msgpack|index\.json|ckpt)|(?:optimizer|scheduler|scaler|training_args|rng_state\w*|random_states\w*|model_optim_rng|common|meta)\.(?:pt|pth|bin|pkl)|(?:trainer_state|adapter_config|generation_config)\.json|(?:\w+_)?(?:mp|zero_pp)_rank_.*\.pt|.*\.distcp|\.metadata|_CHECKPOINT_METADATA|manifest\.ocdbt)$/s;
/** Directories of steps, and files that every model has beside its weights. */
const stepDirectory = /^(?:checkpoint|ckpt|global_?step|iter|step|epoch)[-_=]?\d+$/i;
const besideState = /^(?:config\.json|README\.md|(?:special_)?tokenizer.*|vocab\.(?:json|txt)|merges\.txt|latest)$/i;
/** What comes out of the head of a compressed archive: its first headers. */
const MOST_BYTES = 64 * 1024;

const archiveName = /\.(tar|tgz|tbz2|txz|tar\.(gz|zst|bz2|xz))$/i;
/** The headers of a directory and of its first file. */
const HEAD_BYTES = 1024;

/** Whether a file is an archive by its name. */
export function isArchiveName(path: string): boolean {
  return archiveName.test(path);
}

/** Whether an archive begins with files of a checkpoint. */
export async function isCheckpointArchive(source: ByteSource, signal: AbortSignal | undefined): Promise<boolean> {
  return beginsWithCheckpoint(await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes), signal));
}

/** Whether a zip has files of a checkpoint. False for one whose directory cannot be read. */
export async function isCheckpointZip(source: ByteSource, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    const { entries } = await readZipDirectory(source, signal);
    return entries.some(({ name }) => isOfCheckpoint(name));
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    return false;
  }
}

function isOfCheckpoint(name: string): boolean {
  return stateName.test(baseName(name)) || isBesideState(name);
}

/** Whether the first members of an archive are files of a checkpoint. `head` is the beginning of the file. */
export async function beginsWithCheckpoint(head: Uint8Array): Promise<boolean> {
  const names = await firstNames(await unpacked(head));
  return names.some(isOfCheckpoint);
}

function isBesideState(name: string): boolean {
  return besideState.test(baseName(name)) && stepDirectory.test(baseName(parentPath(name)));
}

async function unpacked(head: Uint8Array): Promise<Uint8Array> {
  const compression = compressionOf(head);
  if (compression === undefined) return head;
  try {
    const source = memorySource('head', head);
    return (await decompressBeginning(source, compression, MOST_BYTES, { ...ofBeginning(undefined), isCut: true })).bytes;
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return new Uint8Array(0);
  }
}

/** The names of the files of which the headers are there. */
async function firstNames(bytes: Uint8Array): Promise<string[]> {
  const names: string[] = [];
  try {
    await walkTar(memorySource('head', bytes), undefined, ({ name, isFile }) => {
      if (isFile) names.push(name);
      return true;
    });
  } catch (error) {
    // The archive goes on behind its head, or is none.
    if (!FormatError.is(error)) throw error;
  }
  return names;
}
