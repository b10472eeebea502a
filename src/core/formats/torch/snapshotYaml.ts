import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';

/**
 * A manifest in YAML, as torchsnapshot writes it (yaml.dump in torchsnapshot/manifest.py): a few keys, of which `manifest` has an entry a
 * tensor. It is parsed piece by piece, each of whole entries: a tree of all of it takes hundreds of times the memory of its text.
 * @param useEntry gets each entry of `manifest`
 * @returns the other keys; `manifest` is true where there is one
 * @throws FormatError `corrupt` for what is no YAML of this form, `limit-exceeded` for an entry that is longer than a piece
 */
export async function parseYamlPieces(
  text: string,
  useEntry: (path: string, entry: unknown) => void,
): Promise<Record<string, unknown>> {
  // Only here: its modules take a tenth of the command line's start.
  const { parse } = await import('yaml');
  const root: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const piece of piecesOf(text)) {
    let value: unknown;
    try {
      value = parse(piece, { maxAliasCount: 100, schema: 'core', customTags: [], logLevel: 'silent' });
    } catch (error) {
      const detail = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'no YAML';
      throw new FormatError('corrupt', detail, { cause: error });
    }
    if (value === null) continue;
    if (typeof value !== 'object') throw new FormatError('corrupt', 'there are no keys');
    for (const [key, member] of Object.entries(value)) {
      const isManifest = key === 'manifest' && typeof member === 'object';
      root[key] = isManifest ? true : (member as unknown);
      if (!isManifest) continue;
      for (const [path, entry] of Object.entries((member ?? {}) as object)) {
        useEntry(path, entry);
      }
    }
  }
  return root;
}

const entriesKey = 'manifest:';
/** Characters after which the next piece begins. Only one entry that is longer makes a longer piece. */
const USUAL_PIECE = 32 * 1024;

/** Texts of whole keys, and of whole entries of the manifest with its key before them. */
function* piecesOf(text: string): Generator<string> {
  let piece = '';
  let isInManifest = false;
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('\n', at) + 1;
    const line = text.slice(at, next === 0 ? text.length : next);
    at += line.length;
    const isKey = /^[^\s#-]/.test(line);
    const isEntry = isInManifest && /^ {2}[^\s#:-]/.test(line);
    if (isKey) isInManifest = line.startsWith(entriesKey);
    if ((isKey || isEntry) && piece.length + line.length > USUAL_PIECE) {
      yield piece;
      piece = isEntry ? `${entriesKey}\n` : '';
    }
    piece += line;
    if (piece.length > limits.yamlPieceBytes)
      throw new FormatError('limit-exceeded', `an entry of ${piece.length} characters of YAML`);
  }
  yield piece;
}
