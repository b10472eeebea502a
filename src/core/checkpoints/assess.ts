/** What the parts amount to: which findings follow from what is missing, and whether training can go on from here. */
import { isArrayFile } from './arrayFiles.js';
import { brokenPointerOf } from './brokenPointer.js';
import { countAbsentFiles } from './absentFiles.js';
import type { ResumeReport, ResumeVerdict } from './checkpointReport.js';
import type { Finding, FindingCode } from '../findings/finding.js';
import { codeFindings } from '../findings/codeFindings.js';
import { severityOf } from '../findings/severityOf.js';
import { entriesOf, itemsOf } from '../formats/pickle/pickleAccess.js';
import { spellingOf } from '../files/otherSpellings.js';
import type { RoleId } from '../files/roleLabels.js';
import type { ComponentId } from '../tensors/component.js';
import { componentOfStateKey } from '../tensors/stateKeys.js';
import type { Evidence } from '../findings/evidence.js';
import { isRead } from './checks.js';
import { findSwappedFiles } from './swappedFiles.js';
import { findSwappedSplits } from './swappedSplits.js';
import type { Ledger } from './ledger.js';
import { findMissingFiles } from './missingFiles.js';
import { hasOptimizerSettingsAlone } from './optimizerSettings.js';
import { modelRoles } from './modelRoles.js';
import type { FilePart, Parts } from './parts.js';
import { statePartsOf } from './stateParts.js';

/** Parts of training state in the order in which they matter for resuming. */
const stateComponents: ComponentId[] = [
  'weights',
  'masterWeights',
  'optimizer',
  'scheduler',
  'gradScaler',
  'ema',
  'rng',
  'dataLoader',
  'trainerState',
];

const effects: Partial<Record<ComponentId, string>> = {
  weights: 'There are no weights to resume from.',
  optimizer: 'Both moments restart at zero: the first steps are unstable.',
  scheduler: 'The learning-rate schedule restarts.',
  rng: 'Dropout, augmentation and shuffling draw other random numbers than an uninterrupted run.',
  dataLoader: 'Data order restarts at the beginning of an epoch: samples repeat or are skipped.',
  trainerState: 'Step and epoch counters restart.',
};

/**
 * What a save for resuming holds, by layout. Trainer keeps no loader state: it counts batches from trainer_state.json and skips
 * them (transformers/trainer.py, skip_first_batches), so the data order goes on.
 */
const expectedByLayout: Partial<Record<Parts['layout'], ComponentId[]>> = {
  'huggingface-trainer': ['weights', 'optimizer', 'scheduler', 'rng', 'trainerState'],
  'torch-file': ['weights', 'optimizer', 'scheduler', 'rng', 'dataLoader'],
  // Schedules are functions among the attributes.
  'stable-baselines3': ['weights', 'optimizer', 'rng', 'trainerState'],
};

/** Findings about the checkpoint as a whole. Call before `assessResume`. */
export function findWhatIsMissing(parts: Parts, ledger: Ledger): Finding[] {
  const present = presentComponents(parts, ledger);
  // A layout that knows why weights or optimizer are missing has named it.
  const named = new Set(parts.findings.map(({ code }) => code));
  const hasNamedWeights = named.has('zero-weights-missing');
  const findings: Finding[] = [
    ...(hasNamedWeights ? [] : placeholders(parts)),
    ...missingShards(parts),
    ...findMissingFiles(parts, present.has('weights')),
    ...findSwappedFiles(parts),
    ...findSwappedSplits(parts),
  ];
  if (layoutsOfModels.has(parts.layout) && !present.has('weights') && !hasNamedWeights) {
    const paths = new Set(parts.files.map(({ path }) => path));
    const usual = paths.has('adapter_config.json') ? 'adapter_model.safetensors' : 'model.safetensors';
    // A file without a tensor in it is one that was saved empty.
    const empty = ['adapter_model.bin', 'pytorch_model.bin'].find((path) => paths.has(path));
    findings.push({ code: 'weights-missing', facts: { file: paths.has(usual) ? usual : (empty ?? usual) } });
  }
  if (parts.layout !== 'huggingface-trainer') return findings;
  if (!parts.files.some((file) => file.path === 'trainer_state.json'))
    findings.push({ code: present.has('optimizer') ? 'trainer-state-lost' : 'trainer-state-missing' });
  for (const [component, code] of [
    ['optimizer', 'optimizer-missing'],
    ['scheduler', 'scheduler-missing'],
    ['rng', 'rng-missing'],
  ] as const) {
    const isNamed =
      component === 'optimizer'
        ? hasNamedWeights || named.has('zero-shards-missing')
        : component === 'rng' && named.has('rng-rank-missing');
    if (!present.has(component) && !isNamed) findings.push({ code });
  }
  return findings;
}

const layoutsOfModels = new Set<Parts['layout']>(['huggingface-trainer', 'huggingface-model', 'peft-adapter']);

/**
 * ZeRO-3 leaves tensors of shape [0] where weights should be when it does not gather them: in an export this is the model. DeepSpeed's own
 * model states always have them, as the weights are in the shards that it resumes from.
 */
function placeholders({ tensors, files, layout }: Parts): Finding[] {
  let weights = 0;
  let empty = 0;
  let tensor = '';
  let path: string | undefined;
  for (let row = 0; row < tensors.size; row++) {
    if (tensors.componentOf(row) !== 'weights') continue;
    const piece = tensors.firstPieceOf(row);
    const file = piece < tensors.endPieceOf(row) ? files[tensors.pieceFile(piece)] : undefined;
    if (file?.role === 'model-state-of-rank') continue;
    weights += 1;
    if (tensors.bytesOf(row) > 0 || tensors.elementsOf(row) > 0) continue;
    if (empty === 0) tensor = tensors.nameOf(row);
    empty += 1;
    path ??= file?.path;
  }
  const isModel = layout === 'huggingface-model' || layout === 'huggingface-trainer';
  if (!isModel || empty < 2 || empty * 2 <= weights) return [];
  return [{ code: 'weights-are-placeholders', ...(path === undefined ? {} : { path }), facts: { tensors: empty, tensor } }];
}

const shardName = /^(.*)-(\d{5})-of-(\d{5})(\.(?:safetensors|bin|gguf))$/s;

/** Roles of files that are named like shards and are none. */
const besideState: ReadonlySet<RoleId> = new Set<RoleId>(['side-file', 'interrupted-save', 'second-copy']);

/** Shards of one name. */
interface ShardSet {
  stem: string;
  total: number;
  present: Set<number>;
}

/** Sets whose names differ in case or normal form alone are one where none has a number of another. */
function joinRespelled(sets: Iterable<ShardSet>): ShardSet[] {
  const joined = new Map<string, ShardSet[]>();
  for (const set of sets) {
    const key = spellingOf(set.stem);
    const others = joined.get(key) ?? [];
    joined.set(key, others);
    const whole = others.find(({ present }) => [...set.present].every((number) => !present.has(number)));
    if (whole === undefined) others.push(set);
    else for (const number of set.present) whole.present.add(number);
  }
  return [...joined.values()].flat();
}

/** Shards say in their names how many there are, also where there is no index. */
function missingShards({ files, findings }: Parts): Finding[] {
  const sets = new Map<string, ShardSet>();
  for (const file of files) {
    const match = besideState.has(file.role) ? null : shardName.exec(file.path);
    if (match === null) continue;
    const [, stem = '', number, total, extension = ''] = match;
    const key = `${stem}-*-of-${total}${extension}`;
    const set = sets.get(key) ?? { stem: key, total: Number(total), present: new Set<number>() };
    sets.set(key, set);
    set.present.add(Number(number));
  }
  const isIndexed = new Set(findings.filter((finding) => finding.code === 'index-shard-missing').map((finding) => finding.path));
  return joinRespelled(sets.values()).flatMap(({ stem, total, present }): Finding[] => {
    const missing = Array.from({ length: Math.min(total, 100_000) }, (_, index) => index + 1).filter(
      (number) => !present.has(number),
    );
    // The index has named them already, with how many tensors each holds.
    if (missing.length === 0 || isIndexed.size > 0) return [];
    return [{ code: 'shard-missing', facts: { shards: missing.length, total, stem, first: missing.slice(0, 5).join(', ') } }];
  });
}

/** Copies of the model. They are tensors: a file that is called a model and has none is none. */
const modelComponents = new Set<ComponentId>(['weights', 'masterWeights', 'ema']);

/** Whether there are tensors of a model. */
export function holdsModel({ components }: Ledger): boolean {
  return [...modelComponents].some((component) => (components[component]?.tensors ?? 0) > 0);
}

/** Components that are there: those with bytes, and those whose key a pickled dict has. */
function presentComponents(parts: Parts, ledger: Ledger): Set<ComponentId> {
  const present = new Set<ComponentId>();
  const mayBePresent = (component: ComponentId): boolean =>
    !modelComponents.has(component) || (ledger.components[component]?.tensors ?? 0) > 0;
  const counted = stateComponents.filter((component) => ledger.components[component] !== undefined && mayBePresent(component));
  // Arguments say how training was set, not how far it came.
  const isArguments = ({ role }: FilePart): boolean => role === 'training-arguments';
  for (const component of counted)
    if (parts.files.some((file, index) => bytesIn(ledger, index, component) > 0 && !isArguments(file))) present.add(component);
  for (const file of parts.files) if (isLinked(file) && stateComponents.includes(file.component)) present.add(file.component);
  const argumentPaths = new Set(parts.files.filter(isArguments).map(({ path }) => path));
  for (const { path, value } of parts.objects) {
    // Arguments are called after what they set (`optim`), and are no state.
    if (value.kind !== 'pickle' || argumentPaths.has(path)) continue;
    for (const component of statePartsOf(value.root)) if (mayBePresent(component)) present.add(component);
  }
  for (const component of parts.remnants ?? []) present.delete(component);
  if (hasOptimizerSettingsAlone(parts, ledger.components.optimizer?.tensors ?? 0)) present.delete('optimizer');
  return present;
}

/** A link to another listed file, which counts there: what it is here is known by its name. */
function isLinked({ link, sizeBytes, isUnreadable }: FilePart): boolean {
  return link !== undefined && sizeBytes === 0 && isUnreadable !== true;
}

function bytesIn({ files }: Ledger, index: number, component: ComponentId): number {
  const account = files[index];
  return (account?.tensorBytes[component] ?? 0) + (account?.otherBytes[component] ?? 0);
}

/** Parts that the program did not have: the key is there, and holds nothing (`lr_scheduler: None`). */
function unusedComponents({ objects }: Parts): Set<ComponentId> {
  const unused = new Set<ComponentId>();
  for (const { value } of objects) {
    const dict = value.kind === 'pickle' ? entriesOf(value.root) : undefined;
    dict?.keys.forEach((key, index) => {
      const component = typeof key === 'string' ? componentOfStateKey(key) : undefined;
      const held = dict.values[index];
      if (component === 'scheduler' && (held === null || itemsOf(held)?.length === 0)) unused.add(component);
    });
  }
  return unused;
}

/** Errors that keep a checkpoint from being loaded at all. */
export function isBlocking(finding: Finding): boolean {
  return severityOf(finding) === 'error' && !harmless.has(finding.code);
}

const harmless = new Set<FindingCode>([
  ...(Object.keys(codeFindings) as (keyof typeof codeFindings)[]),
  ...(['listing-incomplete', 'internal-error', 'pickle-calls-unexpected', 'pickle-embeds-code', 'pickle-calls-cut'] as const),
]);

/** The resume verdict, from what is present and which findings block. */
export function assessResume(parts: Parts, ledger: Ledger): ResumeReport {
  const found = presentComponents(parts, ledger);
  const present = stateComponents.filter((component) => found.has(component));
  const expected = parts.expected ?? expectedByLayout[parts.layout] ?? ['weights', 'optimizer', 'scheduler', 'rng'];
  const unused = unusedComponents(parts);
  const missing = expected
    .filter((component) => !found.has(component) && !unused.has(component))
    .map((component) => ({ component, effect: effects[component] ?? 'It restarts.' }));
  const blockedBy = [...new Set(parts.findings.filter(isBlocking).map((finding) => finding.code))];
  const loaded = blockedBy.length > 0 ? 'broken' : verdictOf(parts, found, missing.length);
  // Loaders differ: weights_only=True refuses such a file, others make the call.
  const hasCalls = loaded !== 'broken' && loaded !== 'none' && hasCallsInState(parts, ledger, found);
  if (hasCalls) blockedBy.push('pickle-calls-unexpected');
  const verdict = hasCalls ? 'unknown' : loaded;
  const pointer = brokenPointerOf(parts.findings, verdict);
  return {
    verdict,
    ...evidenceOf(parts, ledger, found),
    present,
    missing: verdict === 'none' || verdict === 'unknown' ? [] : missing,
    blockedBy,
    ...(pointer && { pointer }),
    ...(parts.reshard === undefined || verdict === 'broken' ? {} : { reshard: parts.reshard }),
  };
}

/** Whether loading a file that has state which training resumes from makes a call that checkpoints do not need. */
function hasCallsInState({ files, findings }: Parts, ledger: Ledger, found: ReadonlySet<ComponentId>): boolean {
  const paths = new Set(findings.flatMap(({ code, path }) => (code === 'pickle-calls-unexpected' ? [path] : [])));
  const state = [...found].filter((component) => component !== 'trainerState');
  return files.some(
    ({ path, role }, index) =>
      paths.has(path) && role !== 'training-arguments' && state.some((component) => bytesIn(ledger, index, component) > 0),
  );
}

/** What the verdict rests on: the files that hold state, cannot be read or are missing. Some are known by their names alone. */
function evidenceOf({ files, findings }: Parts, ledger: Ledger, found: ReadonlySet<ComponentId>): Evidence {
  const holdsState = (index: number): boolean => [...found].some((component) => bytesIn(ledger, index, component) > 0);
  const aside = new Set(findings.flatMap((finding) => (finding.aside === undefined ? [] : [finding.path])));
  const isOfState = (file: FilePart, index: number): boolean =>
    (file.isUnreadable === true && !aside.has(file.path)) || holdsState(index) || (isLinked(file) && found.has(file.component));
  const own = files.filter(isOfState);
  const counted = own.filter(isRead).length;
  const of = own.length + countAbsentFiles(findings);
  return {
    basis: counted === 0 && own.length > 0 ? 'names' : 'header',
    coverage: of === 0 ? null : { counted, of, unit: 'files' },
  };
}

/**
 * What is missing from a checkpoint that has no model, and no other error that explains it: whatever fails has a finding that names why.
 * Call after all other findings.
 */
export function findMissingModel(parts: Parts, ledger: Ledger): Finding[] {
  const isExplained = parts.findings.some((finding) => severityOf(finding) === 'error');
  if (isExplained || assessResume(parts, ledger).verdict !== 'broken') return [];
  const file = promisedModel(parts)?.path;
  return [
    file === undefined
      ? { code: 'weights-missing', facts: { file: 'no file with tensors of a model' } }
      : { code: 'weights-missing', path: file, facts: { file } },
  ];
}

/** The largest file that should hold the model. */
function promisedModel({ files }: Parts): FilePart | undefined {
  const promised = files.filter(({ role, component }) => modelRoles.has(role) || component === 'weights');
  return promised.reduce<FilePart | undefined>((a, b) => (a === undefined || b.sizeBytes > a.sizeBytes ? b : a), undefined);
}

/** True in a directory or a file that no framework's names call a checkpoint: that there is no model is no damage. */
function isWithoutPromise(parts: Parts): boolean {
  const isPromise = (file: FilePart): boolean => modelRoles.has(file.role) && !(isRead(file) && file.isRoleOfFormat === true);
  return layoutsOfAnyFile.has(parts.layout) && parts.expected === undefined && !parts.files.some(isPromise);
}

/** Layouts of files of any use. One that was read has what it has: a GGUF of a vocabulary alone, a safetensors without tensors. */
export const layoutsOfAnyFile = new Set<Parts['layout']>([
  'unknown',
  'torch-file',
  'gguf',
  'safetensors-file',
  'numpy',
  'keras',
  'onnx',
  'orbax',
  'tensorflow',
]);

/** Findings of contents that this version does not list: whether these are a model is not known. */
const unlisted = new Set<FindingCode>(['unsupported-version', 'torch-tar-file', 'checkpoint-archived']);

/** Arrays among files of other kinds, none of which is called as a model is: a table of constants, or what a test expects. */
function holdsArraysAlone({ layout, files, tensors }: Parts): boolean {
  if ((layout !== 'unknown' && !holdsIntegersAlone({ layout, tensors })) || tensors.size === 0) return false;
  for (let piece = 0; piece < tensors.pieceCount; piece++) {
    const file = files[tensors.pieceFile(piece)];
    if (file === undefined || !isArrayFile(file)) return false;
  }
  return true;
}

/** Arrays of NumPy of which none has a fraction are labels, places or counts: no weights. */
function holdsIntegersAlone({ layout, tensors }: Pick<Parts, 'layout' | 'tensors'>): boolean {
  if (layout !== 'numpy') return false;
  for (let row = 0; row < tensors.size; row++) if (!/^([iu]\d+|bool)$/.test(tensors.dtypeOf(row))) return false;
  return true;
}

/** Whether what cannot be listed may be the model: any of it in a checkpoint, and most of the bytes of anything else. */
function isUnlisted({ files, findings }: Parts, isPromised: boolean): boolean {
  const paths = new Set(findings.flatMap(({ code, path }) => (unlisted.has(code) && path !== undefined ? [path] : [])));
  const bytesOf = (own: readonly FilePart[]): number => own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return paths.size > 0 && (isPromised || bytesOf(files.filter(({ path }) => paths.has(path))) * 2 >= bytesOf(files));
}

/** The verdict where no error blocks. */
function verdictOf(parts: Parts, found: ReadonlySet<ComponentId>, missing: number): ResumeVerdict {
  if (hasModel(found)) {
    if (isWithoutPromise(parts) && holdsArraysAlone(parts)) return 'none';
    if (!found.has('optimizer')) return 'weights-only';
    return missing === 0 ? 'complete' : 'partial';
  }
  const isPromised = !isWithoutPromise(parts);
  if (isUnlisted(parts, isPromised)) return 'unknown';
  if (isPromised) return 'broken';
  return [...found].every((component) => component === 'trainerState') ? 'none' : 'state-only';
}

function hasModel(found: ReadonlySet<ComponentId>): boolean {
  return [...modelComponents].some((component) => found.has(component));
}
