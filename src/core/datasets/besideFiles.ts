/** What lies beside the data and belongs to no layout: tokenizers, settings, notes. */
import type { FileEntry } from '../files/fileTree.js';
import { baseName } from '../files/paths.js';
import type { DatasetAccess } from './datasetLayout.js';
import type { ByteKind } from '../report/datasetReport.js';

const rules: readonly (readonly [pattern: RegExp, role: string, kind: ByteKind])[] = [
  [
    /^(tokenizer\.json|tokenizer_config\.json|special_tokens_map\.json|added_tokens\.json|vocab\.(json|txt)|merges\.txt|.*\.(model|tiktoken))$/,
    'tokenizer',
    'tokenizer',
  ],
  [/\.(json|ya?ml|toml)$/i, 'settings', 'metadata'],
  [/\.(lock|crc|md5|sha256)$|^_SUCCESS$/i, 'mark', 'metadata'],
  [/\.(md|txt|rst|log|html?|py|sh|ipynb)$|^(LICENSE|README|NOTICE|\.gitattributes|\.gitignore)/i, 'notes', 'metadata'],
];

/** Names every file that no layout claimed. */
export async function readBeside(entries: readonly FileEntry[], access: DatasetAccess): Promise<void> {
  for (const { path, error, link } of entries) {
    if (error !== undefined) access.finding({ code: 'file-unreadable', path, facts: { detail: error } });
    if (link?.isDirectory === true)
      access.describe(path, { format: 'directory', role: 'link to a directory', restKind: 'metadata' });
    const rule = rules.find(([pattern]) => pattern.test(baseName(path)));
    if (rule !== undefined) access.describe(path, { format: formatOf(path), role: rule[1], restKind: rule[2] });
  }
}

function formatOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? 'text' : name.slice(dot + 1).toLowerCase();
}
