/** What lies beside the data and belongs to no layout: tokenizers, settings, notes. */
import type { FileEntry } from '../files/fileTree.js';
import { baseName } from '../files/paths.js';
import { isRepositoryInternal } from '../files/repositoryInternals.js';
import { roleLabels } from '../files/roleLabels.js';
import { isSideFile } from '../files/sideFiles.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { limits } from '../bytes/limits.js';
import { isArchiveName, isCheckpointArchive } from '../formats/checkpointArchive.js';
import type { DatasetAccess } from './datasetLayout.js';
import type { ByteKind } from './datasetReport.js';
import { indexCacheName } from './layouts/megatron/indexCache.js';
import { describeTokenizer, type TokenizerFile } from './tokenizerFile.js';

const rules: readonly (readonly [pattern: RegExp, role: string, kind: ByteKind])[] = [
  [indexCacheName, 'index cache', 'index'],
  [
    /^(tokenizer\.json|tokenizer_config\.json|special_tokens_map\.json|added_tokens\.json|vocab\.(json|txt)|merges\.txt|.*\.(model|tiktoken))$/s,
    'tokenizer',
    'tokenizer',
  ],
  [/\.(json|ya?ml|toml)$/i, 'settings', 'metadata'],
  [/\.(lock|crc|md5|sha256)$|^_SUCCESS$/i, 'mark', 'metadata'],
  [/\.(md|txt|rst|log|html?|py|sh|ipynb)$|^(LICENSE|README|NOTICE|\.gitattributes|\.gitignore)/i, 'notes', 'metadata'],
];

/**
 * Names every file that no layout claimed, and takes from them the size of the vocabulary.
 * @returns the tokenizer nearest to the root
 */
export async function readBeside(entries: readonly FileEntry[], access: DatasetAccess): Promise<TokenizerFile | null> {
  for (const { path, sizeBytes, error, link } of entries) {
    if (error !== undefined) access.finding({ code: 'file-unreadable', path, facts: { detail: error } });
    const isDirectory = link?.isDirectory === true;
    if (isRepositoryInternal(path)) {
      access.describe(path, { format: 'other', role: 'repository internals', restKind: 'metadata' });
      continue;
    }
    if (isSideFile(path)) {
      access.describe(path, { format: 'other', role: roleLabels['side-file'], restKind: 'metadata' });
      continue;
    }
    if (access.listing.isLeftover(path)) {
      access.describe(path, { format: 'other', role: roleLabels['interrupted-save'], restKind: 'unexplained' });
      access.finding({ code: 'leftover-file', path, facts: { bytes: sizeBytes, copyOf: null } });
      continue;
    }
    if (isDirectory) access.describe(path, { format: 'directory', role: 'link to a directory', restKind: 'metadata' });
    const rule = rules.find(([pattern]) => pattern.test(baseName(path)));
    if (rule !== undefined && !isDirectory) access.describe(path, { format: formatOf(path), role: rule[1], restKind: rule[2] });
  }
  const readable = entries.filter(
    ({ path, error, link }) => error === undefined && link === undefined && !isRepositoryInternal(path),
  );
  await noteArchives(readable, access);
  const config = await readNearest(readable, 'config.json', 'model settings', access);
  const vocabularySize = memberOf(config?.root, 'vocab_size');
  if (config !== null && typeof vocabularySize === 'number' && Number.isSafeInteger(vocabularySize) && vocabularySize > 0)
    access.vocabulary({ size: vocabularySize, source: `vocab_size in ${config.path}` });
  const paddingId = memberOf(config?.root, 'pad_token_id');
  if (typeof paddingId === 'number' && Number.isSafeInteger(paddingId)) access.paddingId(paddingId);
  const tokenizer = await readNearest(readable, 'tokenizer.json', 'tokenizer', access);
  if (tokenizer === null) return null;
  access.describe(tokenizer.path, { restKind: 'tokenizer' });
  describeTokenizer(tokenizer, access);
  const padding = paddingIdOf(tokenizer.root, (await readNearest(readable, 'tokenizer_config.json', 'tokenizer', access))?.root);
  if (padding !== undefined) access.paddingId(padding);
  return tokenizer;
}

/** Archives of a checkpoint among the data: no loader takes samples from them. */
async function noteArchives(readable: readonly FileEntry[], access: DatasetAccess): Promise<void> {
  const paths = readable.filter(({ path }) => isArchiveName(path)).map(({ path }) => path);
  await access.each(paths.slice(0, limits.sniffedFiles), async (path, turn) => {
    const isArchive = await access.withSource(path, (source) => isCheckpointArchive(source, access.signal));
    await turn();
    if (!isArchive) return;
    access.describe(path, { format: formatOf(path), role: roleLabels['archived-checkpoint'], restKind: 'unexplained' });
    access.finding({ code: 'checkpoint-archived', path, facts: { bytes: access.entry(path)?.sizeBytes ?? 0 } });
  });
}

/** `pad_token` of a tokenizer_config.json, as an id of the tokenizer's added tokens. */
function paddingIdOf(tokenizer: unknown, config: unknown): number | undefined {
  const pad = memberOf(config, 'pad_token');
  const content = typeof pad === 'string' ? pad : memberOf(pad, 'content');
  const added = memberOf(tokenizer, 'added_tokens');
  if (typeof content !== 'string' || !Array.isArray(added)) return undefined;
  const id: unknown = memberOf(
    added.find((token) => memberOf(token, 'content') === content),
    'id',
  );
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined;
}

interface JsonFile {
  path: string;
  root: unknown;
}

/** The file of this name that has the fewest directories above it. */
async function readNearest(
  entries: readonly FileEntry[],
  name: string,
  role: string,
  access: DatasetAccess,
): Promise<JsonFile | null> {
  let nearest: string | undefined;
  for (const { path } of entries)
    if (baseName(path) === name && (nearest === undefined || path.split('/').length < nearest.split('/').length)) nearest = path;
  if (nearest === undefined) return null;
  const root = await access.json(nearest, role);
  return root === undefined ? null : { path: nearest, root };
}

function formatOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? 'text' : name.slice(dot + 1).toLowerCase();
}
