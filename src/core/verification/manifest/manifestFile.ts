/**
 * `stowage-manifest.json`: size, time, SHA-256 and a CRC-32C for each block of 64 MiB of every file. See docs/verify.md.
 */
import * as v from 'valibot';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { toJson } from '../../text/json.js';
import { visibleText } from '../../text/visibleText.js';
import type { Manifest, ManifestFile } from '../expected.js';
import { isListedName } from '../lists/listedName.js';

export const manifestName = 'stowage-manifest.json';
export const sumListName = 'SHA256SUMS';
/** What a run that was ended left: a line for each file that was whole. */
export const partialName = `${manifestName}.partial`;

export const manifestBlockBytes = 64 * 1024 * 1024;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const hexOf = (digits: number) => v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${digits}}$`)));
const fileSchema = v.object({
  path: v.string(),
  bytes: count,
  modifiedMs: v.nullable(v.number()),
  sha256: hexOf(64),
  crc32c: v.array(hexOf(8)),
});
const headSchema = {
  kind: v.literal('stowage-manifest'),
  schemaVersion: v.literal(1),
  blockBytes: v.pipe(count, v.minValue(4096)),
};
const manifestSchema = v.object({ ...headSchema, files: v.array(v.unknown()) });

/**
 * Parses a manifest.
 * @throws FormatError `corrupt` with the entry and a sentence: for what is no manifest of this version, and for paths that leave the directory, are
 *   absolute or stand there twice; `limit-exceeded`
 */
export function parseManifest(text: string): Manifest {
  const parsed = v.safeParse(manifestSchema, jsonOf(text));
  if (!parsed.success) throw new FormatError('corrupt', `it is no manifest of version 1: ${pathOf(parsed.issues[0])}`);
  const { blockBytes, files } = parsed.output;
  if (files.length > limits.listedFiles)
    throw new FormatError('limit-exceeded', `it lists ${files.length} files, more than ${limits.listedFiles}`);
  const byPath = new Map<string, ManifestFile>();
  for (const [index, value] of files.entries()) {
    const file = fileOf(value, blockBytes);
    if (typeof file === 'string') throw new FormatError('corrupt', `file ${index + 1} ${file}`);
    if (byPath.has(file.path))
      throw new FormatError('corrupt', `file ${index + 1} names ${visibleText(file.path)} a second time`);
    byPath.set(file.path, file);
  }
  return { blockBytes, files: byPath };
}

function pathOf(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue) ?? 'it'}: ${issue.message}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FormatError('corrupt', 'it is no JSON');
  }
}

/** An entry, or what is wrong with it. */
function fileOf(value: unknown, blockBytes: number): ManifestFile | string {
  const parsed = v.safeParse(fileSchema, value);
  if (!parsed.success) return `is no entry of a manifest: ${pathOf(parsed.issues[0])}`;
  const { path, bytes, crc32c } = parsed.output;
  if (!isListedName(path)) return `names ${visibleText(path)}, which leads out of the directory`;
  if (crc32c.length !== Math.ceil(bytes / blockBytes)) return `has ${crc32c.length} blocks, which ${bytes} bytes do not have`;
  return parsed.output;
}

/** The text of a manifest; ends with a line break. */
export function manifestText(files: readonly ManifestFile[], createdMs: number): string {
  const head = {
    kind: 'stowage-manifest',
    schemaVersion: 1,
    createdAt: new Date(createdMs).toISOString(),
    blockBytes: manifestBlockBytes,
  };
  return `${toJson({ ...head, files })}\n`;
}

/** The first line of a partial manifest. */
export function partialHead(): string {
  return `${JSON.stringify({ kind: 'stowage-manifest-partial', schemaVersion: 1, blockBytes: manifestBlockBytes })}\n`;
}

export function partialLine(file: ManifestFile): string {
  return `${JSON.stringify(file)}\n`;
}

/** The files that a partial manifest has. A last line that is cut is left out; one of another version has none. */
export function parsePartial(text: string): ManifestFile[] {
  const [head, ...lines] = text.split('\n');
  if (`${head}\n` !== partialHead()) return [];
  return lines.flatMap((line) => {
    if (line === '') return [];
    try {
      const file = fileOf(JSON.parse(line), manifestBlockBytes);
      return typeof file === 'string' ? [] : [file];
    } catch {
      return [];
    }
  });
}
