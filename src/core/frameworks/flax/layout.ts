/**
 * Trees that flax serialized into one file: `checkpoint_<step>` of flax.training.checkpoints before it used Orbax, `flax_model.msgpack`
 * of transformers, and the `checkpoint` of t5x, beside which large arrays lie in zarr directories.
 */
import { loadsAnywhere } from '../../checkpoints/reshard.js';
import { moveStateBesideParams } from '../jax/besideParams.js';
import { baseName } from '../../files/paths.js';
import type { Layout } from '../../checkpoints/layout.js';
import type { Listing } from '../../files/listing.js';
import type { FilePart, Parts } from '../../checkpoints/parts.js';
import { readFiles } from '../../checkpoints/readFiles.js';

const legacyName = /^checkpoint_(\d{1,15})$/;

export const flaxMsgpack: Layout = {
  id: 'flax-msgpack',
  match(listing) {
    if (listing.isSingleFile) return listing.hasMatch(/\.msgpack$/) || listing.hasMatch(legacyName) ? 0.9 : 0;
    if (listing.hasMatch(/\.msgpack$/)) return 0.78;
    if (listing.has('checkpoint') && hasZarrBeside(listing)) return 0.8;
    return listing.hasMatch(legacyName) ? 0.6 : 0;
  },
  async read(context, listing) {
    const result = await readFiles(context, listing);
    const { parts } = result;
    if (isOtherData(parts)) {
      Object.assign(parts, { layout: 'unknown', framework: { name: 'msgpack', version: null } } satisfies Partial<Parts>);
      return result;
    }
    parts.layout = this.id;
    moveStateBesideParams(parts, new Set(parts.files.map(({ path }) => path)));
    parts.framework = { name: hasZarrBeside(listing) ? 't5x' : 'flax', version: null };
    parts.step = stepOf(listing);
    parts.expected = ['weights', 'optimizer', 'rng', 'dataLoader'];
    parts.reshard = loadsAnywhere('Whole arrays are stored: the program shards them as it likes after loading.');
    return result;
  },
};

/** True where all there is are maps and lists of MessagePack: files of another program. */
function isOtherData({ files, tensors }: Parts): boolean {
  return tensors.size === 0 && files.some(isMsgpack) && files.every((file) => !isMsgpack(file) || file.role === 'object');
}

function isMsgpack({ format }: FilePart): boolean {
  return format === 'msgpack';
}

function hasZarrBeside(listing: Listing): boolean {
  return listing.entries.some(({ path }) => baseName(path) === '.zarray');
}

/** The step in the name of the directory or of the only file; several files are several steps. */
function stepOf(listing: Listing): number | null {
  const names = [listing.rootName, ...listing.entries.map(({ path }) => path)];
  const steps = new Set(names.map((name) => legacyName.exec(name)?.[1]).filter((step) => step !== undefined));
  return steps.size === 1 ? Number([...steps][0]) : null;
}
