/** Files beside the tensors that name code, or hold some, by their names: configs, chat templates, graphs. */
import type { ByteSource } from '../bytes/byteSource.js';
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { readWhole } from '../bytes/readWhole.js';
import { decodeText } from '../bytes/text.js';
import { baseName } from '../files/paths.js';
import { isSideFile } from '../files/sideFiles.js';
import type { FileFinding } from '../findings/finding.js';
import { codeOfKerasConfig } from '../formats/keras/kerasCode.js';
import { codeOfTemplate, codeOfTemplates } from '../formats/loaderCode/chatTemplate.js';
import { codeOfRequirements } from '../formats/loaderCode/requirements.js';
import { codeOfTargets, codeOfYaml } from '../formats/loaderCode/targetCode.js';
import { codeOfConfig, type PlaceOf } from '../formats/loaderCode/configCode.js';
import { codeOfGraph, type GraphFile } from '../formats/tensorflow/graphCode.js';
import { jsonErrorInWords } from '../formats/text/jsonError.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { jsonValue } from '../formats/text/jsonValue.js';

/** What is asked of one file. */
export interface CodeQuestion {
  path: string;
  source: ByteSource;
  placeOf: PlaceOf;
  signal: AbortSignal | undefined;
}

/** @throws FormatError `io`, `cancelled`; what cannot be read otherwise is a finding */
export type CodeReader = (question: CodeQuestion) => Promise<FileFinding[]>;

const readers: readonly [name: RegExp, reader: CodeReader][] = [
  [/^(?:(?:.*[_-])?config|model_index|modules|chat_templates?)\.json$/s, readConfigFile],
  [/\.(?:jinja2?|j2)$/, readTemplateFile],
  [/\.ya?ml$/i, readYamlFile],
  [/^(?:requirements|constraints)[\w.-]{0,100}\.(?:txt|in)$/i, readRequirements],
  [/^saved_model\.pb$/, graphReader('saved-model')],
  [/^keras_metadata\.pb$/, graphReader('keras-metadata')],
  [/\.meta$/, graphReader('meta-graph')],
  [/^(?!fingerprint).+\.pb$/s, graphReader('graph')],
];

/** How code in a file with this name is looked for; undefined for a name that no loader takes code from. */
export function codeReaderOf(path: string): CodeReader | undefined {
  if (isSideFile(path)) return undefined;
  const name = baseName(path);
  return readers.find(([pattern]) => pattern.test(name))?.[1];
}

/** What a JSON file that was read already names, or that it has too much to look at. */
export function codeOfJson(source: ByteSource, path: string, root: unknown, placeOf: PlaceOf): FileFinding[] {
  try {
    return codeOfValue(path, root, placeOf);
  } catch (error) {
    if (FormatError.is(error, 'limit-exceeded')) return [notChecked(source, error.detail)];
    throw error;
  }
}

function codeOfValue(path: string, root: unknown, placeOf: PlaceOf): FileFinding[] {
  const name = baseName(path);
  const isKeras = typeof memberOf(root, 'class_name') === 'string' && memberOf(root, 'config') !== undefined;
  return [
    ...codeOfConfig(path, root, placeOf),
    ...codeOfTemplates(root),
    ...codeOfTargets(root, name),
    ...(isKeras ? codeOfKerasConfig(root, name, 'keras') : []),
  ];
}

async function readConfigFile({ path, source, placeOf, signal }: CodeQuestion): Promise<FileFinding[]> {
  const text = await textOf(source, signal);
  if (typeof text !== 'string') return [text];
  try {
    return codeOfJson(source, path, jsonValue(text), placeOf);
  } catch (error) {
    if (error instanceof SyntaxError)
      return [{ code: 'json-corrupt', facts: { detail: jsonErrorInWords(error) } }, notChecked(source, 'no valid JSON')];
    if (FormatError.is(error, 'limit-exceeded')) return [notChecked(source, error.detail)];
    throw error;
  }
}

async function readTemplateFile({ path, source, signal }: CodeQuestion): Promise<FileFinding[]> {
  const text = await textOf(source, signal);
  if (typeof text !== 'string') return [text];
  const found = codeOfTemplate(baseName(path), text);
  return found === undefined ? [] : [found];
}

async function readYamlFile({ source, signal }: CodeQuestion): Promise<FileFinding[]> {
  const text = await textOf(source, signal);
  return typeof text === 'string' ? codeOfYaml(text) : [text];
}

async function readRequirements({ source, signal }: CodeQuestion): Promise<FileFinding[]> {
  const text = await textOf(source, signal);
  if (typeof text !== 'string') return [text];
  const found = codeOfRequirements(text);
  return found === undefined ? [] : [found];
}

/** A text that is read whole, or why it is not. */
async function textOf(source: ByteSource, signal: AbortSignal | undefined): Promise<string | FileFinding> {
  if (source.sizeBytes > limits.codeTextBytes) return notChecked(source, 'larger than what is read');
  return decodeText(await readWhole(source, limits.codeTextBytes, 'text', signal));
}

function graphReader(file: GraphFile): CodeReader {
  return async ({ source, signal }) => {
    const { findings, failure } = await codeOfGraph(source, file, signal);
    // Other programs have files of these extensions: what is no graph is no damage of one.
    const isGraphByName = file === 'saved-model' || file === 'keras-metadata';
    if (failure === undefined || (!isGraphByName && failure.code === 'corrupt')) return findings;
    return [...findings, notChecked(source, failure.detail)];
  };
}

function notChecked({ sizeBytes }: ByteSource, detail: string): FileFinding {
  return { code: 'code-not-checked', facts: { bytes: sizeBytes, detail } };
}
