/** Adds a hold to a file of holds, or takes one back; comments and the order of the others stay. */
import type { Document as YamlDocument, YAMLSeq } from 'yaml';
import { FormatError } from '../bytes/formatError.js';
import { readHolds } from './holds.js';

/**
 * @param text of the file; null where there is none yet
 * @param path of the checkpoint, relative to the run
 * @throws FormatError `corrupt` where the file has an error: it is not written over
 */
export async function withHold(text: string | null, path: string, reason: string): Promise<string> {
  const document = await parsed(text);
  document.addIn(['holds'], document.createNode({ path, reason, until: null }));
  return String(document);
}

/**
 * Without all holds of a checkpoint itself.
 * @throws FormatError `corrupt` as above; `unsupported` where others hold it: of a folder around it, of a file in it, or beside the run
 */
export async function withoutHold(text: string, path: string): Promise<string> {
  const held = await readHolds(text);
  const document = await parsed(text);
  const { items } = document.get('holds') as YAMLSeq;
  const kept = items.filter((_, index) => held[index]?.path !== path);
  if (kept.length === items.length)
    throw new FormatError('unsupported', 'it is held by a folder around it, a file in it, or a file of holds beside the run');
  items.splice(0, items.length, ...kept);
  return String(document);
}

async function parsed(text: string | null): Promise<YamlDocument> {
  const { Document, parseDocument } = await import('yaml');
  if (text === null || text.trim() === '') return new Document({ holds: [] });
  await readHolds(text);
  return parseDocument(text);
}
