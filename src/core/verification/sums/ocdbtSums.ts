import { crc32c } from '../../bytes/crc32c.js';
import { FormatError } from '../../bytes/formatError.js';
import { joinPath, parentPath, baseName } from '../../files/paths.js';
import { readOcdbt } from '../../formats/ocdbt/ocdbt.js';
import { MAX_MANIFEST_BYTES } from '../../formats/ocdbt/manifest.js';
import type { Damage, Extent } from '../verification.js';
import { noSums, type SumContext, type SumFormat } from './sumFormat.js';

/** `manifest.ocdbt`, or one with a number. */
const manifestFile = /^manifest\.(?:ocdbt|[0-9a-f]{16})$/;
const dataFile = /^(?:(.*)\/)?d\/[0-9a-f]{32}$/;
const SUM_BYTES = 4;

/** CRC-32C of the manifests of an OCDBT database. */
export const ocdbtManifestSums: SumFormat = {
  recognises: (path) => manifestFile.test(baseName(path)),
  async read(source, { signal }) {
    const { sizeBytes } = source;
    if (sizeBytes > MAX_MANIFEST_BYTES || sizeBytes < 2 * SUM_BYTES) return { ...noSums(), reason: 'it is no manifest of OCDBT' };
    const bytes = await source.read(0, sizeBytes, signal);
    const stored = new DataView(bytes.buffer, bytes.byteOffset).getUint32(sizeBytes - SUM_BYTES, true);
    const all: Extent = { offset: 0, length: sizeBytes };
    const isRight = crc32c(bytes.subarray(0, sizeBytes - SUM_BYTES)) === stored;
    return {
      ...noSums(),
      by: ['ocdbt-crc32c'],
      checked: [all],
      damage: isRight ? [] : [{ ...all, what: 'the manifest: CRC-32C does not match' }],
    };
  },
};

/** CRC-32C of the nodes of the newest version, which a walk over the tree reads. Values in data files have none, but for those within nodes. */
export const ocdbtDataSums: SumFormat = {
  recognises: (path) => dataFile.test(path),
  async read(source, context) {
    const found = await databaseAround(context);
    if (found === null) return { ...noSums(), reason: 'there is no manifest of OCDBT above it that can be read' };
    const file = found.get(context.path);
    if (file === undefined) return { ...noSums(), reason: 'values of OCDBT have no checksums: a manifest is needed' };
    const { checked, damage } = file;
    const reason = 'values of OCDBT have no checksums, its nodes have';
    return { ...noSums(), by: ['ocdbt-crc32c'], checked, damage, reason };
  },
};

interface DataSums {
  checked: Extent[];
  damage: Damage[];
}

/**
 * Nodes by the paths of the data files that have them, of the nearest database whose manifest is around a file. One that merges others, as Orbax writes it,
 * points into their files: these are walked by that one.
 */
async function databaseAround(context: SumContext): Promise<ReadonlyMap<string, DataSums> | null> {
  const nearest = dataFile.exec(context.path)?.[1] ?? '';
  for (let folder = nearest; ; folder = parentPath(folder)) {
    const found = await context.once(`ocdbt ${folder}`, () => walkDatabase(folder, context));
    if (found !== null && (found.has(context.path) || folder === '')) return found;
    if (folder === '') return context.once(`ocdbt ${nearest}`, () => walkDatabase(nearest, context));
  }
}

/** Null where no manifest is there, or it cannot be read. */
async function walkDatabase(folder: string, context: SumContext): Promise<ReadonlyMap<string, DataSums> | null> {
  const files = new Map<string, DataSums>();
  const sumsOf = (path: string): DataSums => {
    const known = files.get(path) ?? { checked: [], damage: [] };
    files.set(path, known);
    return known;
  };
  const sizes = context.sizes;
  const numbered = context.names(folder).filter((name) => /^manifest\.[0-9a-f]{16}$/.test(name));
  try {
    await readOcdbt(
      {
        sizeOf: (path) => sizes.get(joinPath(folder, path)),
        read: async (path, offset, length) => {
          const whole = joinPath(folder, path);
          if (!manifestFile.test(baseName(path))) sumsOf(whole).checked.push({ offset, length });
          return readFrom(whole, offset, length, context);
        },
        numberedManifests: numbered,
      },
      () => undefined,
      (path, error) => {
        if (error === undefined) return;
        const { checked, damage } = sumsOf(joinPath(folder, path));
        const offset = error.offset ?? 0;
        const length = checked.find((extent) => extent.offset === offset)?.length ?? 0;
        damage.push({ offset, length, what: `a node of OCDBT: ${error.detail}` });
      },
    );
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return null;
  }
  return files;
}

async function readFrom(path: string, offset: number, length: number, { openOther, signal }: SumContext): Promise<Uint8Array> {
  const source = await openOther(path);
  if (source === undefined) throw new FormatError('io', `${path} is not there`);
  try {
    return await source.read(offset, length, signal);
  } finally {
    await source.close();
  }
}
