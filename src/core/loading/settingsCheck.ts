/**
 * Files of settings that loaders parse before they take anything from them: what is no JSON, or no object. What each of them does with such a file was
 * tried with transformers 5.24 and PEFT 0.21.
 */
import { FormatError } from '../bytes/formatError.js';
import { byteOrderMark, decodeStrictText } from '../bytes/text.js';
import type { LoadCheckId } from '../checkpoints/loadReport.js';
import type { ReadResult } from '../checkpoints/readFiles.js';
import type { ReadContext } from '../checkpoints/reading/readContext.js';
import { baseName } from '../files/paths.js';
import type { FindingCode } from '../findings/finding.js';
import { jsonErrorInWords } from '../formats/text/jsonError.js';
import { jsonValue } from '../formats/text/jsonValue.js';
import { bytesBeside } from './filesBeside.js';
import { nothingToCheck, worsen, type LoadCheck } from './loadCheck.js';

interface SettingsFile {
  what: LoadCheckId;
  /** What is not made without it. */
  of: string;
  /** What is no JSON is taken for a file that is not there (transformers/modeling_utils.py: `from_pretrained` expects an OSError). */
  hasDefaults?: true;
  /** It is not parsed here. */
  isScanned?: true;
}

const settingsFiles: ReadonlyMap<string, SettingsFile> = new Map([
  ['config.json', { what: 'config', of: 'the model' }],
  // What is in it is scanned where its ids are taken from it.
  ['tokenizer.json', { what: 'tokenizer', of: 'the tokenizer', isScanned: true }],
  ['tokenizer_config.json', { what: 'tokenizer', of: 'the tokenizer' }],
  ['special_tokens_map.json', { what: 'tokenizer', of: 'the tokenizer' }],
  ['added_tokens.json', { what: 'tokenizer', of: 'the tokenizer' }],
  ['generation_config.json', { what: 'generation-config', of: 'the model', hasDefaults: true }],
]);
const adapterFile: SettingsFile = { what: 'adapter', of: 'the adapter' };

/** @throws FormatError `cancelled` */
export async function settingsCheck(read: ReadResult, context: ReadContext): Promise<LoadCheck> {
  const check: LoadCheck = { ...nothingToCheck, notChecked: [], findings: [] };
  const unparsed = new Set(read.parts.findings.flatMap(({ code, path }) => (ofUnparsed.has(code) ? [path] : [])));
  const tooLarge = new Set(read.parts.findings.flatMap(({ code, path }) => (code === 'json-too-large' ? [path] : [])));
  for (const { path, isUnreadable } of read.parts.files) {
    const file = baseName(path) === 'adapter_config.json' ? adapterFile : settingsFiles.get(path);
    // Of config.json the check of the model says it.
    if (file !== undefined && file.what !== 'config' && tooLarge.has(path)) noteTooLarge(check, path, file);
    if (file === undefined || (isUnreadable === true && !unparsed.has(path))) continue;
    if (unparsed.has(path)) noteUnparsed(check, path, file);
    else if (file.isScanned !== true) await checkFile(check, { read, context, path }, file);
  }
  return check;
}

/** What the reader of the directory reports of a file that Python does not parse. */
const ofUnparsed: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'json-corrupt',
  'header-corrupt',
  'file-empty',
  'json-byte-order-mark',
]);

interface Asked {
  read: ReadResult;
  context: ReadContext;
  path: string;
}

async function checkFile(check: LoadCheck, { read, context, path }: Asked, file: SettingsFile): Promise<void> {
  const parsed = read.side.json.has(path) ? { value: read.side.json.get(path) } : await valueOf(context, path);
  if (parsed === undefined) return;
  if (parsed === 'too large') return noteTooLarge(check, path, file);
  if ('detail' in parsed) {
    const { detail } = parsed;
    check.findings.push({
      code: 'json-corrupt',
      path,
      facts: { detail },
      ...(file.hasDefaults === true ? { aside: 'other' } : {}),
    });
    return noteUnparsed(check, path, file);
  }
  const found = kindOf(parsed.value);
  if (found === undefined) return;
  check.findings.push({ code: 'json-no-object', path, facts: { found, of: file.of } });
  note(check, file.what, `${path} has no JSON object`);
  worsen(check, 'fails', `${path} has ${found} where an object is expected: ${file.of} does not load.`);
}

function noteUnparsed(check: LoadCheck, path: string, { what, of, hasDefaults }: SettingsFile): void {
  note(check, what, `${path} is no valid JSON`);
  if (hasDefaults === true)
    worsen(check, 'loads-with-warnings', `${path} is no valid JSON: ${of} has the defaults of its class in place of it.`);
  else worsen(check, 'fails', `${path} is no valid JSON: ${of} does not load.`);
}

function noteTooLarge(check: LoadCheck, path: string, { what }: SettingsFile): void {
  const detail = `${path} is larger than what is read`;
  note(check, what, detail);
  worsen(check, 'unknown', `${detail}.`);
}

function note(check: LoadCheck, what: LoadCheckId, detail: string): void {
  check.notChecked.push({ what, detail });
}

/** The value of a file as Python parses it, or why it has none; undefined where it is not read. @throws FormatError `cancelled` */
async function valueOf(
  context: ReadContext,
  path: string,
): Promise<{ value: unknown } | { detail: string } | 'too large' | undefined> {
  try {
    const bytes = await bytesBeside(context, path);
    if (bytes.length === 0) return { detail: 'the file is empty' };
    if (byteOrderMark(bytes) !== undefined) return { detail: 'a byte-order mark is in front of it' };
    const text = decodeStrictText(bytes);
    return text === undefined ? { detail: 'the text is not UTF-8' } : { value: jsonValue(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return { detail: jsonErrorInWords(error) };
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    return error.code === 'limit-exceeded' ? 'too large' : undefined;
  }
}

/** What a value is that is no object. */
function kindOf(value: unknown): string | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return undefined;
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}
