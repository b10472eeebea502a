import { baseName } from '../files/paths.js';
import type { FileFinding, Finding, FindingCode } from '../findings/finding.js';
import { codeFindings } from '../findings/codeFindings.js';
import { isOfSave } from '../findings/saveFindings.js';
import type { UnpackBudget } from '../bytes/unpackBudget.js';
import { limits } from '../bytes/limits.js';
import { pickleOutline } from '../formats/pickle/pickleOutline.js';
import type { PickleImportName } from '../formats/pickle/imports/importCollector.js';
import type { PickleValue } from '../formats/pickle/pickleValue.js';
import { type Classifier, classify, type FileSink, type FoundTensor } from '../formats/sink/fileSink.js';
import type { ComponentId } from '../tensors/component.js';
import { isFlatParameter } from '../tensors/flatParameters.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import { nameScopeOf } from './nameScope.js';
import { addImport } from '../formats/pickle/imports/importList.js';
import type { FilePart, Parts } from './parts.js';
import type { FileRole } from './roles/fileRule.js';
import type { RoleId } from '../files/roleLabels.js';
import { rankOfFile, type ShardedTensors } from './shardedTensors.js';
import { isTrainingDict } from './stateParts.js';
import { tensorsOfTorchDict } from './torchDicts.js';

/** What all files of one reading fill together. */
export interface SharedParts {
  readonly parts: Parts;
  readonly sharded: ShardedTensors;
  /** How many objects of ranks' files were found, by the files' role. */
  readonly rankObjects: Map<RoleId, number>;
  readonly signal: AbortSignal | undefined;
  readonly unpackBudget: UnpackBudget;
}

/** The file that a sink is for. */
export interface SinkFile {
  readonly part: FilePart;
  /** Its position in the listing. */
  readonly number: number;
  readonly role: FileRole;
  /** True in a file set, which puts its ranks' files together itself. */
  readonly isOfSet: boolean;
  /** Resolves when all files before it are done. */
  turn(): Promise<void>;
}

/** Puts what a format finds in one file of a checkpoint into the parts, by the role of the file. */
export class PartsSink implements FileSink {
  readonly file: number;
  readonly path: string;
  readonly tensors: TensorTable;
  readonly signal: AbortSignal | undefined;
  readonly unpackBudget: UnpackBudget;
  readonly isPadded: boolean;
  /** Set by a finding. */
  hasFindings = false;
  /** Set by a tensor. Formats that fill the table themselves leave it. */
  holdsTensors = false;
  private readonly isRankFile: boolean;
  /** Set by an object whose keys are the parts of training state: its other numbers are no parameters. */
  private isTrainingState = false;
  private rule: ComponentId | Classifier;

  /** How many findings each code has, and the last one that is kept. */
  private readonly findingsOfCode = new Map<FindingCode, { count: number; last: Finding | undefined }>();

  constructor(
    private readonly shared: SharedParts,
    private readonly own: SinkFile,
  ) {
    this.file = own.number;
    this.path = own.part.path;
    this.tensors = shared.parts.tensors;
    this.signal = shared.signal;
    this.unpackBudget = shared.unpackBudget;
    this.isPadded = own.role.isPadded === true;
    this.isRankFile = !own.isOfSet && rankOfFile(baseName(this.path)) !== undefined;
    this.rule = own.role.tensors;
  }

  /** That of the role, until an object shows otherwise. */
  get classify(): ComponentId | Classifier {
    return this.rule;
  }

  /** What tensors of a file are whose name did not tell its format. */
  setRule(rule: ComponentId | Classifier): void {
    this.rule = rule;
  }

  turn(): Promise<void> {
    return this.own.turn();
  }

  tensor(found: FoundTensor): void {
    this.holdsTensors = true;
    const { prefix } = this.own.role;
    const tensor = prefix === undefined ? found : { ...found, keyPath: [...prefix, ...found.keyPath] };
    const { component, part } = this.classificationOf(tensor);
    if (this.isRankFile || (tensor.isShard === true && !this.own.isOfSet)) {
      this.shared.sharded.add(nameScopeOf(this.path), this.file, withLocalShape(tensor), component, part);
      return;
    }
    this.tensors.add({ ...tensor, name: tensor.name ?? tensor.keyPath.join('.'), component, part });
    for (const { file = this.file, offset, bytes, logicalBytes } of tensor.pieces)
      this.tensors.addPiece(file, offset, bytes, logicalBytes);
  }

  claim(offset: number, bytes: number, component: ComponentId): void {
    this.own.part.claims.push({ offset, bytes, component });
  }

  finding(finding: FileFinding): void {
    this.hasFindings = true;
    const same = this.findingsOfCode.get(finding.code) ?? { count: 0, last: undefined };
    this.findingsOfCode.set(finding.code, same);
    same.count += 1;
    if (same.count > limits.fileFindings && same.last !== undefined) {
      same.last.more = (same.last.more ?? 0) + 1 + (finding.more ?? 0);
      return;
    }
    same.last = { ...finding, path: this.path };
    this.shared.parts.findings.push(same.last);
  }

  /** Takes back the findings of this file, for one that explains them all. It is the file's turn: they are the last. */
  withdrawFindings(): void {
    const { findings } = this.shared.parts;
    for (let at = findings.length - 1; findings[at]?.path === this.path; at--) {
      const { code } = findings[at] as Finding;
      if (isOfSave(code) || staysBesideCause.has(code)) continue;
      findings.splice(at, 1);
      this.findingsOfCode.delete(code);
    }
  }

  unexplained(offset: number, bytes: number): void {
    this.own.part.unexplained.push({ offset, bytes });
  }

  object(root: PickleValue): void {
    const { role } = this.own;
    if (typeof role.tensors !== 'string') {
      this.isTrainingState = isTrainingDict(root);
      this.rule = tensorsOfTorchDict(root) ?? role.tensors;
    }
    const kept = this.isRankFile && this.isOneOfMany() ? pickleOutline(root) : root;
    this.shared.parts.objects.push({ path: this.path, value: { kind: 'pickle', root: kept } });
  }

  json(root: unknown): void {
    this.shared.parts.objects.push({ path: this.path, value: { kind: 'json', root } });
  }

  pickleImport(name: PickleImportName): void {
    addImport(this.shared.parts, name, this.path);
  }

  metadata(key: string, value: string): void {
    const { metadata } = this.shared.parts;
    const texts = metadata.get(this.path) ?? new Map<string, string>();
    metadata.set(this.path, texts.set(key, value));
  }

  private classificationOf(tensor: FoundTensor): ReturnType<typeof classify> {
    const found = componentOfType(tensor, classify(this, tensor.keyPath), this.own.isOfSet);
    // A number beside the parts of training state (`best_acc1`, `loss`) is no parameter.
    const isNumber = tensor.keyPath.length === 1 && tensor.shape.length === 0;
    return this.isTrainingState && found.component === 'weights' && isNumber ? { ...found, component: 'trainerState' } : found;
  }

  /** Whether enough objects of ranks' files of this role are kept whole: the others have the same contents. */
  private isOneOfMany(): boolean {
    const { rankObjects } = this.shared;
    const { role } = this.own.role;
    const count = (rankObjects.get(role) ?? 0) + 1;
    rankObjects.set(role, count);
    return count > limits.wholeRankObjects;
  }
}

/** What a file does when it is loaded is no consequence of another cause. */
const staysBesideCause: ReadonlySet<Finding['code']> = new Set<Finding['code']>([
  ...(Object.keys(codeFindings) as (keyof typeof codeFindings)[]),
  'pickle-calls-unexpected',
  'pickle-embeds-code',
  'pickle-calls-cut',
  'pickle-not-scanned',
]);

/** Texts, handles and serialized objects among the variables of a graph are never weights, whatever their names. */
const objectDtypes = new Set(['string', 'variant', 'resource']);
/** Elements of the state of torch's generator on a CPU (Mersenne Twister), as `torch.get_rng_state()` returns it. */
const GENERATOR_BYTES = 5056;
/** Seed and offset of its generator on a GPU (Philox): a size that other tensors have, too. */
const CUDA_GENERATOR_BYTES = 16;
const generatorWords = /rng|random|seed|generator|cuda/i;

function componentOfType(
  { dtype, shape, keyPath }: FoundTensor,
  found: ReturnType<typeof classify>,
  isOfSet: boolean,
): ReturnType<typeof classify> {
  if (isOfSet && found.component === 'weights' && objectDtypes.has(dtype)) return { component: 'trainerState', part: 'whole' };
  // A data loader's own generator is its position, as its key says.
  const isBytes = dtype === 'u8' && shape.length === 1 && (found.component === 'weights' || found.component === 'trainerState');
  if (isBytes && shape[0] === GENERATOR_BYTES) return { component: 'rng', part: 'whole' };
  if (isBytes && shape[0] === CUDA_GENERATOR_BYTES && keyPath.some((key) => generatorWords.test(key)))
    return { component: 'rng', part: 'whole' };
  return found;
}

/** A flat parameter's global shape is how FSDP laid it out, not the shape of anything that a model has. */
function withLocalShape(tensor: FoundTensor): FoundTensor {
  const share = tensor.isShard === true && isFlatParameter(tensor.keyPath.at(-1) ?? '') ? tensor.extra?.inner?.[0] : undefined;
  return share === undefined ? tensor : { ...tensor, shape: share.shape };
}
