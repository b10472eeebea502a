/** Files without a directory layout: a torch file, a safetensors file, an array; and any other directory, which still gets its account. */
import type { LayoutId } from '../../text/frameworkLabels.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import type { Layout } from '../../checkpoints/layout.js';
import type { Listing } from '../../files/listing.js';
import { describeRankNames, describeTensorRankNames, describeWorldSizeNames } from '../../checkpoints/layouts/rankNames.js';
import type { FilePart, Parts } from '../../checkpoints/parts.js';
import { readFiles, type ReadResult } from '../../checkpoints/readFiles.js';
import { stepIn } from '../../checkpoints/layouts/stateSteps.js';
import { findOtherLightningStep } from '../../checkpoints/layouts/lightningSteps.js';
import { appendAll } from '../../bytes/appendAll.js';
import { baseName } from '../../files/paths.js';
import { torchDictOf, type TorchDict } from '../../checkpoints/torchDicts.js';

const torchName = /\.(pt|pth|bin|ckpt|pkl|pickle|pt2|th)$/;

/** Files that torch.save wrote, alone or next to each other. */
export const torchFile: Layout = looseLayout('torch-file', (listing) => (listing.hasMatch(torchName) ? 0.5 : 0), 'torch');

/** safetensors files that are not a model's. */
export const safetensorsFile: Layout = looseLayout(
  'safetensors-file',
  (listing) => (listing.hasMatch(/\.safetensors$/) ? 0.6 : 0),
  'safetensors',
);

/** NumPy arrays. */
export const numpyFile: Layout = looseLayout('numpy', (listing) => (isAll(listing, /\.np[yz]$/) ? 0.5 : 0), 'numpy');

/** Any directory: every byte is accounted for as far as names and first bytes tell. */
export const unknownLayout: Layout = looseLayout('unknown', () => 0.01, 'unknown');

function looseLayout(id: LayoutId, match: (listing: Listing) => number, framework: string): Layout {
  return {
    id,
    match,
    async read(context, listing) {
      const result = await readFiles(context, listing);
      const { parts } = result;
      parts.layout = id;
      parts.framework = { name: framework, version: null };
      parts.step = stepIn(parts.objects);
      nameByContent(parts);
      describeWorldSizeNames(parts);
      describeRankNames(parts);
      describeTensorRankNames(parts);
      describeNanochat(result);
      if (parts.files.some(({ role }) => role === 'variable-index')) {
        parts.layout = 'tensorflow';
        parts.framework = { name: 'tensorflow', version: null };
      }
      if (parts.layout === 'stable-baselines3') parts.step = stepInMetadata(parts);
      if (isFlax(parts)) describeFlax(parts, listing);
      if (parts.layout === 'torch-file') describeTorchDict(result);
      return result;
    },
  };
}

/** `flax.training.checkpoints.save_checkpoint(prefix=...)` gives its files any name, and the step at its end. */
function isFlax({ files }: Parts): boolean {
  return (
    files.some(({ role }) => role === 'flax-state') &&
    files.every(({ role, component }) => role === 'flax-state' || component !== 'weights')
  );
}

function describeFlax(parts: Parts, listing: Listing): void {
  parts.layout = 'flax-msgpack';
  parts.framework = { name: 'flax', version: null };
  parts.expected = ['weights', 'optimizer', 'rng', 'dataLoader'];
  const names = [listing.rootName, ...parts.files.filter(({ role }) => role === 'flax-state').map(({ path }) => path)];
  const steps = new Set(names.map((name) => /_?(\d{1,15})$/.exec(name)?.[1]).filter((step) => step !== undefined));
  parts.step = steps.size === 1 ? Number([...steps][0]) : null;
}

/** The highest of the steps that files state in metadata of their own. */
function stepInMetadata({ metadata }: Parts): number | null {
  const steps = [...metadata.values()].flatMap((texts) => texts.get('step') ?? []).map(Number);
  return steps.reduce<number | null>((highest, step) => Math.max(highest ?? 0, step), null);
}

function isAll(listing: Listing, pattern: RegExp): boolean {
  return listing.entries.length > 0 && listing.entries.every(({ path }) => pattern.test(path));
}

/** A file that a framework wrote alone: its root dict says which, at which step; of several the latest counts. */
function describeTorchDict({ parts }: ReadResult): void {
  let latest: TorchDict | undefined;
  for (const { path, value } of parts.objects) {
    const dict = value.kind === 'pickle' ? torchDictOf(value.root) : undefined;
    if (dict?.layout === 'lightning')
      appendAll(parts.findings, findOtherLightningStep({ name: baseName(path), path, step: dict.step }, dict.version));
    if (dict !== undefined && (latest === undefined || (dict.step ?? -1) > (latest.step ?? -1))) latest = dict;
  }
  if (latest === undefined) return;
  parts.layout = latest.layout;
  parts.framework = { name: latest.framework, version: latest.version };
  parts.step = latest.step;
  if (latest.expected !== undefined) parts.expected = latest.expected;
}

/** nanochat numbers its files by the step, and has the step and the model's sizes in a JSON file beside them. */
function describeNanochat({ parts, side }: ReadResult): void {
  for (const [path, root] of side.json) {
    if (!/^meta_\d{6}\.json$/.test(path)) continue;
    const step = memberOf(root, 'step');
    parts.framework = { name: 'nanochat', version: null };
    if (typeof step === 'number' && Number.isSafeInteger(step)) parts.step = Math.max(parts.step ?? 0, step);
  }
}

/** The names of files promise another format, or none that has a layout: where all are of one, that says what they are. */
function nameByContent(parts: Parts): void {
  const known = parts.files.filter(isKnown);
  if (known.length === 0 && parts.layout === 'torch-file')
    Object.assign(parts, { layout: 'unknown', framework: { name: 'unknown', version: null } } satisfies Partial<Parts>);
  // Where no name promises anything, one file that is known does not say what all are.
  const files = parts.layout === 'unknown' ? parts.files.filter(isOfLayout) : known;
  const [first] = files;
  const layout = first === undefined ? undefined : layoutOfContent(first);
  if (first === undefined || layout === undefined || !files.every((file) => layoutOfContent(file) === layout)) return;
  if (layout === 'unknown' ? files.some(({ format }) => format !== first.format) : layout === parts.layout) return;
  parts.layout = layout;
  parts.framework = {
    name: frameworks[layout] ?? first.format,
    version: parts.metadata.get(first.path)?.get('version') ?? null,
  };
}

/** False for files that lie beside those of every layout. */
function isOfLayout({ component, role }: FilePart): boolean {
  return role !== 'side-file' && component !== 'config' && component !== 'tokenizer';
}

/** False for those that no reader knows, too. */
function isKnown(file: FilePart): boolean {
  const { role, checks, isUnreadable } = file;
  return isOfLayout(file) && (checks !== undefined || isUnreadable === true) && role !== 'unrecognised';
}

/** Undefined for a file that no format has read, and for pickles that hold no more than settings. */
function layoutOfContent({ layout, format }: FilePart): LayoutId | undefined {
  return layout === 'torch-file' && !format.startsWith('torch') ? undefined : layout;
}

/** Programs that are not called as their formats are. */
const frameworks: Partial<Record<LayoutId, string>> = { 'torch-file': 'torch', numpy: 'numpy' };
