/** Damage to files that loading the checkpoint does not open: it is reported, and leaves the verdict alone. */
import { baseName, parentPath } from '../files/paths.js';
import { specialFile, linkWithoutTarget } from '../files/fileTree.js';
import { promisesData } from '../files/readableFiles.js';
import type { RoleId } from '../files/roleLabels.js';
import { damagedContents } from '../findings/damagedContents.js';
import type { Finding, FindingCode } from '../findings/finding.js';
import type { FilePart, Parts } from './parts.js';
import { WeightChoice } from './weightChoice.js';

const ofContents: ReadonlySet<FindingCode> = new Set<FindingCode>([...damagedContents, 'json-corrupt', 'json-too-large']);

/** What no loader opens in any framework. */
const unusedRoles: ReadonlySet<RoleId> = new Set<RoleId>([
  'training-log',
  'log',
  'table',
  'records',
  'interrupted-save',
  'second-copy',
  'earlier-save',
  'side-file',
  'repository-internals',
  'installed-package',
  'lock-of-packages',
  'archived-checkpoint',
  'conversion-script',
  'directory-link',
]);

const modelCode = /^(?:configuration|modeling|tokenization|processing|image_processing|feature_extraction)_.+\.py$/s;
/** Texts for people, and results of evaluations, among what is called configuration. */
const documents =
  /(?:\.(?:md|rst|txt)|^(?:license|notice|readme|use_policy|\.gitattributes|\.gitignore)|(?:^|_)(?:results|metrics)\.json)$/is;
/** Pictures, sounds, films and documents. */
const media =
  /\.(?:png|jpe?g|gif|svg|webp|bmp|ico|tiff?|pdf|mp[34]|wav|flac|ogg|m4a|webm|mov|avi|html?|css|js|ipynb|sh|pptx?|docx?|xlsx?)$/i;

/** What is known of the checkpoint around the files. */
export interface AroundFiles {
  /** Whether it has a model: without one, any file that cannot be read may have been it. */
  hasModel: boolean;
  /** Bytes of the indexes of shards, by path. */
  indexes: ReadonlyMap<string, Uint8Array>;
}

/** Marks errors of files that loading leaves closed. Call before the verdict is made. */
export function setDamageAside(parts: Parts, around: AroundFiles): void {
  const damage = parts.findings.filter(({ code }) => ofContents.has(code));
  if (damage.length === 0) return;
  const files = new Map(parts.files.map((file) => [file.path, file]));
  const choice = new WeightChoice(parts, around.indexes);
  const withTensors = pathsWithTensors(parts);
  const code = new Set(parts.files.filter(({ path }) => modelCode.test(baseName(path))).map(({ path }) => parentPath(path)));
  for (const finding of damage) {
    const file = fileOf(finding, files);
    if (file === undefined) continue;
    const isCode = code.has(parentPath(file.path));
    const aside = asideOf(finding, file, {
      parts,
      around,
      choice,
      isBesideModelCode: isCode,
      holdsTensors: withTensors.has(file.path),
    });
    if (aside !== undefined) finding.aside = aside;
  }
}

/** The file of a finding; of shards without an index any that is there. */
function fileOf(finding: Finding, files: ReadonlyMap<string, FilePart>): FilePart | undefined {
  if (finding.code !== 'shard-missing') return files.get(finding.path ?? '');
  const [start = '', end = ''] = finding.facts.stem.split('*');
  return [...files.values()].find(({ path }) => path.startsWith(start) && path.endsWith(end));
}

interface Asked {
  parts: Parts;
  around: AroundFiles;
  choice: WeightChoice;
  isBesideModelCode: boolean;
  /** Of what is here some is in this file: it may be all that there is. */
  holdsTensors: boolean;
}

function pathsWithTensors({ files, tensors }: Parts): ReadonlySet<string> {
  const paths = new Set<string>();
  for (let piece = 0; piece < tensors.pieceCount; piece++) paths.add(files[tensors.pieceFile(piece)]?.path ?? '');
  return paths;
}

function asideOf(
  finding: Finding,
  file: FilePart,
  { parts, around, choice, isBesideModelCode, holdsTensors }: Asked,
): Finding['aside'] {
  const name = baseName(file.path);
  if (unusedRoles.has(file.role)) return 'unused';
  if (file.role === 'configuration') return asideOfSettings(name);
  if (file.role === 'source-code') return isBesideModelCode ? undefined : 'unused';
  if (file.role === 'unrecognised' && !promisesData(file.path) && !holdsTensors) {
    if (isOfNoUse(finding, name)) return 'unused';
    return around.hasModel || parts.isBesideRun === true ? 'other' : undefined;
  }
  return choice.leavesClosed(file) ? 'other' : undefined;
}

/**
 * transformers takes a generation_config.json that it cannot parse for one that is not there, and opens chat_template.json for processors
 * alone (modeling_utils.py: `from_pretrained` expects an OSError; processing_utils.py; 5.24).
 */
function asideOfSettings(name: string): Finding['aside'] {
  if (documents.test(name)) return 'unused';
  return name === 'generation_config.json' || name === 'chat_template.json' ? 'other' : undefined;
}

/** What holds no data of any framework: a picture, a pipe, a link without extension that leads to nothing (`logs`, `wandb`). */
function isOfNoUse(finding: Finding, name: string): boolean {
  if (media.test(name)) return true;
  if (finding.code !== 'file-unreadable') return false;
  const { detail } = finding.facts;
  return detail === specialFile || (detail === linkWithoutTarget && !/.\./s.test(name));
}
