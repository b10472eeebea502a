/** Keras models: `.weights.h5`, `.keras` archives, and the `.h5` of Keras 1 and 2. */
import { loadsAnywhere } from '../../checkpoints/reshard.js';
import { parentPath } from '../../files/paths.js';
import type { Layout } from '../../checkpoints/layout.js';
import type { Parts } from '../../checkpoints/parts.js';
import { readFiles } from '../../checkpoints/readFiles.js';

export const keras: Layout = {
  id: 'keras',
  match(listing) {
    if (listing.hasMatch(/\.(keras|weights\.h5)$/)) return 0.8;
    return listing.hasMatch(/\.(h5|hdf5)$/) ? 0.6 : 0;
  },
  async read(context, listing) {
    const result = await readFiles(context, listing);
    const { parts } = result;
    // An .h5 may hold anything: attributes of Keras tell its models from others.
    const isKeras = [...parts.metadata.values()].some((texts) => texts.has('keras_version')) || this.match(listing) > 0.6;
    parts.layout = isKeras ? this.id : 'unknown';
    parts.framework = isKeras ? { name: 'keras', version: versionOf(parts) } : { name: 'hdf5', version: null };
    if (!isKeras) return result;
    parts.expected = ['weights', 'optimizer'];
    parts.reshard = loadsAnywhere('Keras stores whole variables: any distribution can load them.');
    noteCopies(parts);
    return result;
  },
};

function versionOf({ metadata }: Parts): string | null {
  for (const texts of metadata.values()) {
    const version = texts.get('keras_version');
    if (version !== undefined) return version;
  }
  return null;
}

/** The formats name the same variables differently: files of one directory with weights of the same shapes are one model. */
function noteCopies(parts: Parts): void {
  const formsOfModel = new Map<string, WeightsOfFile[]>();
  const copies = new Set<number>();
  for (const weights of weightsByFile(parts)) {
    const key = JSON.stringify([parentPath(parts.files[weights.file]?.path ?? ''), weights.shapes.sort()]);
    const forms = formsOfModel.get(key) ?? [];
    formsOfModel.set(key, forms);
    // Copies under the same names are found by those.
    const [first] = forms;
    if (forms.some(({ names }) => [...weights.names].some((name) => names.has(name)))) continue;
    forms.push(weights);
    if (first === undefined) continue;
    copies.add(weights.file);
    const paths = [first, weights].map(({ file }) => parts.files[file]?.path ?? '');
    parts.duplicates.push({ what: `the same model in ${paths.join(' and ')}`, bytes: weights.bytes, paths, setting: null });
  }
  parts.copies = copies;
}

interface WeightsOfFile {
  file: number;
  names: Set<string>;
  shapes: string[];
  bytes: number;
}

function weightsByFile({ tensors }: Parts): WeightsOfFile[] {
  const files = new Map<number, WeightsOfFile>();
  for (let row = 0; row < tensors.size; row++) {
    const piece = tensors.firstPieceOf(row);
    if (tensors.componentOf(row) !== 'weights' || piece === tensors.endPieceOf(row)) continue;
    const file = tensors.pieceFile(piece);
    const weights = files.get(file) ?? { file, names: new Set<string>(), shapes: [], bytes: 0 };
    files.set(file, weights);
    weights.names.add(tensors.nameOf(row));
    weights.shapes.push(`${tensors.dtypeOf(row)} ${tensors.shapeOf(row).join(' ')}`);
    weights.bytes += tensors.bytesOf(row);
  }
  return [...files.values()];
}
