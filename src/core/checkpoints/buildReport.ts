/** Makes the report of the parts and their ledger. */
import type { ReadCounter } from '../bytes/countingSource.js';
import { appendAll } from '../bytes/appendAll.js';
import { baseName, parentPath } from '../files/paths.js';
import { isRepositoryInternal } from '../files/repositoryInternals.js';
import type { BytesPerParameterTerm, CheckpointReport, FileReport } from './checkpointReport.js';
import { describeFindings } from '../findings/describeFindings.js';
import type { Finding } from '../findings/finding.js';
import { labelOfPart, segmentsOf, type Segment } from './segments.js';
import { counted } from '../text/quantities.js';
import { formatCount } from '../text/units.js';
import { componentIds } from '../tensors/component.js';
import type { NameIndex } from '../tensors/nameIndex.js';
import { countParameters, type ParameterCount } from '../tensors/parameterCount.js';
import { quantizationFacts } from './quantizationFacts.js';
import { TensorTotals } from '../tensors/tensorTotals.js';
import { weightShards } from './weightShards.js';
import { assessResume, findMissingModel, findWhatIsMissing, holdsModel } from './assess.js';
import { countAbsentFiles } from './absentFiles.js';
import { checksOf } from './checks.js';
import { compareConfig, type ConfigComparison } from './configSizes.js';
import type { ComparedCopies, ComparedPair } from './compareCopies.js';
import { findStoredTwice } from './storedTwice.js';
import { setDamageAside } from './filesBeside.js';
import { linkFindings, sameFilesOf } from './linkFindings.js';
import { damagedFiles } from './damagedFiles.js';
import { onlyCopiesOf, onlyCopyFindings } from './onlyCopies.js';
import { modelSizesIn } from './modelSizes.js';
import { findOldRanks, ranksOf } from './ranks.js';
import { moveArraysBesideModel } from './arraysBeside.js';
import { findAbsentTensors, type AbsentTensors } from './absentTensors.js';
import { noLoading, type Loading } from './loadReport.js';
import { accountBytes, type FileAccount, type Ledger } from './ledger.js';
import { objectTrees } from './objectTree.js';
import { findOptimizersOfOtherModels } from './optimizerShapes.js';
import { findLostMoments, trainableWeights } from './lostMoments.js';
import { matchOptimizer, type OptimizerMatch } from './optimizerMatch.js';
import type { FilePart, Parts } from './parts.js';
import { roleInWords } from '../files/roleLabels.js';
import { importFindings, listImports } from '../formats/pickle/imports/importList.js';
import type { ReadResult } from './readFiles.js';
import { checkShardIndex } from './shardIndex.js';
import { findStateFacts } from './stateFacts.js';
import { isModelDirectory } from './ownWeights.js';
import { unopenedFiles } from './weightChoice.js';

/** Compares what a loader would put together; called once all other findings are known. */
export type LoadChecker = (read: ReadResult, place: { path: string; optimizer: OptimizerMatch | null }) => Promise<Loading>;

/** The report, except for its elapsed time, which only the caller knows. */
export async function buildReport(
  read: ReadResult,
  path: string,
  counter: ReadCounter,
  { scopes, names, pairs }: ComparedCopies,
  checkLoad: LoadChecker = () => Promise.resolve(noLoading),
): Promise<CheckpointReport> {
  const { parts, side } = read;
  findDuplicateNames(parts, names);
  const fileNumbers = new Map(parts.files.map((file, index) => [file.path, index]));
  for (const [indexPath, bytes] of side.indexes)
    checkShardIndex(parts, names, scopes.numberOf(parentPath(indexPath)), indexPath, bytes, fileNumbers);
  moveArraysBesideModel(parts);
  if (isModelDirectory(parts)) parts.unopened = unopenedFiles(parts, side.indexes, side.json.get('config.json'));
  const ledger = accountBytes(parts);
  const quantization = quantizationFacts(side.json);
  const count = countParameters(parts.tensors, { index: names, scopeOf: scopes.scopeOf }, quantization, {
    isExport: isIn(parts, parts.copies),
    isOther: isIn(parts, parts.otherModels),
    isReplica: (row) => parts.replicas?.has(row) === true,
  });
  const onlyCopies = onlyCopiesOf(parts, count);
  const parameters = parts.parameters ?? parametersOf(count);
  const optimizerMatch = matchOptimizer(parts.tensors);
  const lostMoments = damagedFiles(parts).size > 0 ? [] : findLostMoments(parts, optimizerMatch, trainableWeights(parts));
  const storedTwice = findStoredTwice(parts, pairs);
  const linkedFiles = parts.files
    .filter(({ link, fileId }) => link !== undefined || fileId !== undefined)
    .map((file) => ({ ...file, isDirectory: file.format === 'directory' }));
  const pickleImports = listImports(parts.imports);
  appendAll(parts.findings, [
    ...findWhatIsMissing(parts, ledger),
    ...storedTwiceFindings(storedTwice),
    ...differingFindings(pairs),
    ...importFindings(parts),
    ...onlyCopyFindings(parts, onlyCopies),
    ...linkFindings(linkedFiles),
    ...findOldRanks(parts.files),
    ...layoutFindings(parts),
    ...tiedFindings(parts, count),
    ...unknownPackings(parts, count, quantization.method),
    ...(lostMoments.length > 0 ? lostMoments : unmatchedFindings(parts, optimizerMatch)),
  ]);
  setDamageAside(parts, { hasModel: holdsModel(ledger), indexes: side.indexes });
  appendAll(parts.findings, findOptimizersOfOtherModels(parts));
  const loading = await checkLoad(read, { path, optimizer: optimizerMatch });
  // Where the architecture is not known, sizes and layers alone are compared.
  const isChecked = loading.report?.checked.includes('config') === true;
  const config = isChecked ? nothingCompared : compareConfig(parts, side.json.get('config.json'));
  const absent = isChecked ? nothingCompared : findAbsentTensors(parts, side.json.get('config.json'));
  appendAll(parts.findings, [...config.findings, ...absent.findings, ...loading.findings]);
  appendAll(parts.findings, findMissingModel(parts, ledger));
  const objects = objectTrees(parts.objects);
  const resume = { ...assessResume(parts, ledger), ...optional('model', modelSizesIn(side.json)) };
  const sameFiles = sameFilesOf(linkedFiles);
  return {
    schemaVersion: 2,
    kind: 'checkpoint',
    path,
    layout: parts.layout,
    framework: parts.framework,
    step: parts.step,
    totalBytes: ledger.totalBytes,
    parameters: partialParameters({ stored: count.stored, ...parameters }, parts),
    bytesPerParameter:
      resume.verdict === 'none' || 'uncountedTensors' in parameters ? null : bytesPerParameter(parts, ledger, parameters.unique),
    components: inOrder(ledger.components),
    topology: { ...parts.topology, ...optional('weightShards', weightShards(parts) ?? undefined) },
    ranks: ranksOf(parts.files),
    files: parts.files.map((file, index) => ({
      ...reportFile(file, ledger.files[index] as FileAccount),
      ...optional('sameFileAs', sameFiles.get(file.path)),
      ...(onlyCopies.has(index) ? { role: `${roleInWords(file)}, only copy of the weights`, onlyCopyOfWeights: true } : {}),
    })),
    tensorCount: parts.tensors.size,
    optimizerMatch,
    storedTwice,
    facts: [...parts.facts, ...findStateFacts(objects)],
    objects,
    findings: describeFindings(parts.findings),
    checks: checksOf(parts, pairs, { sizes: config.compared, layers: absent.layers, loading }),
    resume,
    ...optional('load', loading.report),
    pickleImports,
    io: { bytesRead: counter.bytesRead, reads: counter.reads, elapsedMs: 0 },
  };
}

const nothingCompared = { findings: [], compared: [], layers: undefined } satisfies ConfigComparison & AbsentTensors;

/** The same with the files that are missing. Where the files state how many parameters there are, the count is of all. */
function partialParameters(
  parameters: CheckpointReport['parameters'],
  { findings, parameters: stated }: Parts,
): CheckpointReport['parameters'] {
  const ofState = findings.filter(({ code, aside }) => code !== 'rng-rank-missing' && aside === undefined);
  const missingFiles = countAbsentFiles(ofState);
  if (missingFiles === 0 || parameters.unique === 0) return parameters;
  const isOne = missingFiles === 1;
  const note = `Of what is here: ${counted(missingFiles, 'file')} ${isOne ? 'is' : 'are'} missing. `;
  return { ...parameters, source: stated === undefined ? `${note}${parameters.source}` : parameters.source, missingFiles };
}

function findDuplicateNames({ tensors, files, findings }: Parts, names: NameIndex): void {
  for (let row = 0; names.hasCopies && row < tensors.size; row++) {
    const copy = names.next(row);
    if (copy === -1) continue;
    const [a, b] = [tensors.firstPieceOf(row), tensors.firstPieceOf(copy)];
    const isSameFile =
      a < tensors.endPieceOf(row) && b < tensors.endPieceOf(copy) && tensors.pieceFile(a) === tensors.pieceFile(b);
    const path = files[tensors.pieceFile(a)]?.path;
    if (isSameFile && path !== undefined)
      findings.push({ code: 'tensor-name-duplicate', path, facts: { tensor: tensors.nameOf(row) } });
  }
}

/** Whether a row is in one of these files. */
function isIn({ tensors }: Parts, files: ReadonlySet<number> | undefined): (row: number) => boolean {
  return (row) => files?.has(tensors.pieceFile(tensors.firstPieceOf(row))) === true;
}

/** The sum is a lower bound where packed tensors are not in it. */
function parametersOf(count: ParameterCount): Pick<CheckpointReport['parameters'], 'unique' | 'source' | 'uncountedTensors'> {
  const { unique, unknownTensors } = count;
  return { unique, source: sourceOf(count), ...(unknownTensors === 0 ? {} : { uncountedTensors: unknownTensors }) };
}

function unknownPackings(
  { parameters }: Parts,
  { unknownTensors, unique }: ParameterCount,
  method: string | undefined,
): Finding[] {
  if (unknownTensors === 0 || parameters !== undefined) return [];
  return [{ code: 'parameters-not-known', facts: { tensors: unknownTensors, counted: unique, method: method ?? '' } }];
}

function sourceOf({ packedTensors, unknownTensors, leftOut, tied, exported, ofOthers, replicated }: ParameterCount): string {
  const remarks = [
    tied > 0 ? `${formatCount(tied)} in copies by name and shape` : '',
    replicated > 0 ? `${formatCount(replicated)} in copies that model-parallel ranks hold, by their names` : '',
    exported > 0
      ? `${formatCount(exported)} in other formats or precisions, taken for copies of the same model by their names`
      : '',
    ofOthers > 0 ? `${formatCount(ofOthers)} of other models left out` : '',
    packedTensors > 0 ? `${formatCount(packedTensors)} packed tensors by what they unpack to` : '',
    unknownTensors > 0 ? `${formatCount(unknownTensors)} packed tensors not counted: nothing tells what they unpack to` : '',
    leftOut > 0 ? `${formatCount(leftOut)} buffers, scales and indices left out` : '',
  ].filter((remark) => remark !== '');
  return `Summed from the shapes of the weights${remarks.length === 0 ? '' : `: ${remarks.join('; ')}`}.`;
}

/** Smaller shares of the total are summed into one last term: a sum of more than about six is no longer read. */
const MIN_TERM_SHARE = 0.03;

/** Below this share of the bytes the tensors of any directory are one thing among others: a test's array in a repository. */
const INCIDENTAL_SHARE = 0.05;

function isIncidental({ components, totalBytes }: Ledger, layout: Parts['layout']): boolean {
  if (!looseLayouts.has(layout)) return false;
  const tensorBytes = Object.values(components).reduce((sum, totals) => sum + totals.tensorBytes, 0);
  return tensorBytes < totalBytes * INCIDENTAL_SHARE;
}

const looseLayouts = new Set<Parts['layout']>(['unknown', 'torch-file', 'safetensors-file', 'numpy', 'onnx', 'keras']);

/** Total bytes by parameter, opened into one term for each segment; what rounds to nothing is summed in a last term. */
function bytesPerParameter(
  { tensors: table, layout }: Parts,
  ledger: Ledger,
  unique: number,
): CheckpointReport['bytesPerParameter'] {
  if (unique === 0 || isIncidental(ledger, layout)) return null;
  const totals = new TensorTotals(table);
  const segments = segmentsOf({ components: ledger.components });
  const isLarge = (segment: Segment): boolean => segment.bytes >= ledger.totalBytes * MIN_TERM_SHARE;
  const terms = segments.filter(isLarge).map((segment): BytesPerParameterTerm => {
    const { component, part, bytes } = segment;
    const { tensors, dtypes: all } = totals.of(component, part);
    const componentTotals = ledger.components[component];
    const payload = componentTotals?.parts?.[part] ?? componentTotals?.tensorBytes ?? 0;
    // A few scalars among pickled settings do not make these a float32.
    const dtypes = payload * 2 < bytes ? [] : all;
    return { component, part, dtypes, bytes, bytesPerParameter: bytes / unique, source: termSource(segment, tensors) };
  });
  const small = segments.filter((segment) => !isLarge(segment));
  const smallBytes = small.reduce((sum, segment) => sum + segment.bytes, 0);
  if (smallBytes > 0) {
    terms.push({
      component: 'container',
      part: 'otherState',
      dtypes: [],
      bytes: smallBytes,
      bytesPerParameter: smallBytes / unique,
      source: `Everything else: ${small.map((segment) => labelOfPart(segment.component, segment.part)).join(', ')}.`,
    });
  }
  return { value: ledger.totalBytes / unique, terms };
}

function termSource(segment: Segment, tensors: number): string {
  const bytes = `${formatCount(segment.bytes)} bytes`;
  return tensors === 0
    ? `${bytes} of files without tensors, from the file sizes.`
    : `${bytes}: ${formatCount(tensors)} tensors, from the headers, with their container overhead.`;
}

function inOrder(components: Ledger['components']): Ledger['components'] {
  const ordered: Ledger['components'] = {};
  for (const component of componentIds) {
    const totals = components[component];
    if (totals !== undefined) ordered[component] = totals;
  }
  return ordered;
}

/** A member that is absent where it has no value. */
function optional<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}

function reportFile(file: FilePart, account: FileAccount): FileReport {
  const components: FileReport['components'] = {};
  for (const component of componentIds) {
    const bytes = (account.tensorBytes[component] ?? 0) + (account.otherBytes[component] ?? 0);
    if (bytes > 0) components[component] = bytes;
  }
  const { path, sizeBytes, format, rank, link } = file;
  return {
    path,
    bytes: sizeBytes,
    format,
    role: roleInWords(file),
    components,
    ...(rank === undefined ? {} : { rank }),
    ...(link === undefined ? {} : { link }),
  };
}

function storedTwiceFindings(storedTwice: CheckpointReport['storedTwice']): Finding[] {
  return storedTwice.items.map(({ what, bytes, paths, setting, coverage }) => ({
    code: 'weights-stored-twice',
    path: paths[1] ?? paths[0] ?? '',
    facts: { what, bytes, setting, compared: coverage?.counted ?? 0, tensors: coverage?.of ?? 0 },
  }));
}

function differingFindings(pairs: readonly ComparedPair[]): Finding[] {
  return pairs
    .filter(({ what, differing }) => what === 'weights' && differing > 0)
    .map(({ paths: [first, second], differing, compared }) => ({
      code: 'weights-differ',
      path: second,
      facts: { first: baseName(first), second: baseName(second), differing, compared },
    }));
}

function tiedFindings({ tensors, files }: Parts, { tiedCopyRow: row }: ParameterCount): Finding[] {
  if (row === undefined) return [];
  const path = files[tensors.pieceFile(tensors.firstPieceOf(row))]?.path ?? '';
  return [{ code: 'tied-weights-stored-twice', path, facts: { tensor: tensors.nameOf(row), bytes: tensors.bytesOf(row) } }];
}

/** None where a file is damaged: the weights may be in it. */
function unmatchedFindings(parts: Parts, match: CheckpointReport['optimizerMatch']): Finding[] {
  if (match === null || match.method === 'none' || match.matched === match.total || damagedFiles(parts).size > 0) return [];
  return [{ code: 'optimizer-unmatched', facts: { unmatched: match.total - match.matched, total: match.total } }];
}

function layoutFindings({ layout, framework, files, findings }: Parts): Finding[] {
  if (files.length === 0) return [{ code: 'nothing-here' }];
  const own = files.filter(({ path }) => !isRepositoryInternal(path));
  const seen = own
    .slice(0, 5)
    .map((file) => file.path)
    .join(', ');
  // The file that may have been the model is named already.
  const isNamed = findings.some(({ code }) => code === 'binary-not-recognised');
  return layout === 'unknown' && framework.name === 'unknown' && !isNamed
    ? [{ code: 'layout-unknown', facts: { files: own.length, seen } }]
    : [];
}
