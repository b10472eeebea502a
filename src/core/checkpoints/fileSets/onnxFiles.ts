/** ONNX models and the files that hold their data, of one directory as one set. */
import { FormatError } from '../../bytes/formatError.js';
import { OtherSpellings } from '../../files/otherSpellings.js';
import { baseName, isSafeFileName, joinPath } from '../../files/paths.js';
import { findingOfError } from '../../findings/findingOfError.js';
import type { FoundPiece } from '../../formats/sink/fileSink.js';
import type { TensorExtra } from '../../tensors/tensorTable.js';
import { readOnnxModel, type OnnxModel } from '../../formats/protobuf/onnx.js';
import type { OnnxExternal, OnnxTensor } from '../../formats/protobuf/onnxTensor.js';
import { FileImports } from '../../formats/pickle/imports/fileImports.js';
import type { FileSet, FileSetAccess, FileSetFormat } from './fileSet.js';
import { respelledFindings } from '../respelledFiles.js';

/** Writers align data to pages: what lies between two tensors and is no longer than that is padding. */
const PADDING_BYTES = 64 * 1024;

interface OnnxSet extends FileSet {
  /** One file was inspected: what lies beside it is not listed. */
  isAlone: boolean;
}

export const onnxFiles: FileSetFormat = {
  id: 'onnx',
  checks: 'ONNX: initializers, external data against the files',
  names: [{ extensions: ['onnx'], isOwn: false }],
  find(listing, roles) {
    return [...listing.directories].flatMap(([root, paths]): OnnxSet[] => {
      const models = paths.filter((path) => path.endsWith('.onnx'));
      if (models.length === 0) return [];
      const stems = new Set(models.map((path) => path.slice(0, -'.onnx'.length)));
      // Data files may have any name; those that nobody else knows are looked for by the models.
      const isData = (path: string): boolean => {
        if (path.endsWith('.onnx')) return false;
        const { reader, role } = roles.of(path);
        if (reader === 'sniff') return true;
        // `.bin` alone names torch files too: beside a model it is data, unless a framework's name says what it is.
        return path.endsWith('.bin') && (role === 'torch-file' || stems.has(path.slice(0, -'.bin'.length)));
      };
      return [{ root, paths: [...models, ...paths.filter(isData)], isAlone: listing.isSingleFile }];
    });
  },
  read: async (set, access) => {
    const models: (OnnxModel | FormatError)[] = [];
    const paths = set.paths.filter((path) => path.endsWith('.onnx'));
    const instead = new Map<string, FileImports>();
    for (const path of paths) {
      const model = await readModel(path, access);
      models.push(model);
      if (model instanceof FormatError && model.code !== 'io') instead.set(path, await scanInstead(path, access));
    }
    await access.turn();
    const uses = new DataUses(set as OnnxSet, access);
    models.forEach((model, index) => {
      const path = paths[index] as string;
      access.describe(path, { role: 'model' });
      if (model instanceof FormatError) noteFailure(path, model, access);
      else addModel(path, model, uses, access);
    });
    for (const path of set.paths.slice(paths.length)) uses.finish(path);
    uses.noteMissing(paths[0] as string);
    for (const [path, imports] of instead) await noteInstead(path, imports, access);
  },
};

async function readModel(path: string, access: FileSetAccess): Promise<OnnxModel | FormatError> {
  try {
    return await access.withSource(path, (source) => readOnnxModel(source, access.signal));
  } catch (error) {
    // One damaged model does not take the others with it.
    if (error instanceof FormatError && error.code !== 'cancelled') return error;
    throw error;
  }
}

/** What a file imports that is no model: it may be a pickle under that name. */
async function scanInstead(path: string, access: FileSetAccess): Promise<FileImports> {
  const imports = new FileImports(access);
  await access.withSource(path, (source) => imports.scanPart(source, path, 0));
  return imports;
}

async function noteInstead(path: string, imports: FileImports, access: FileSetAccess): Promise<void> {
  if (!imports.hasAny) return;
  const sink = access.sinkOf(path);
  await imports.report(sink);
  sink.finding({ code: 'pickle-under-another-name', offset: 0, facts: { promised: 'onnx', found: 'pickle' } });
}

function noteFailure(path: string, error: FormatError, access: FileSetAccess): void {
  access.describe(path, { component: 'unexplained' });
  access.sinkOf(path).finding(findingOfError(error, 'file'));
}

function addModel(path: string, model: OnnxModel, uses: DataUses, access: FileSetAccess): void {
  const sink = access.sinkOf(path);
  const bytes = access.entry(path)?.sizeBytes ?? 0;
  const { irVersion = 0, producer, producerVersion, opset, expectedBytes, tensors, unknown } = model;
  for (const extent of unknown) sink.unexplained(extent.offset, extent.bytes);
  sink.metadata('producer', producer);
  sink.metadata('producerVersion', producerVersion);
  sink.json({ ir_version: irVersion, producer_name: producer, producer_version: producerVersion, opset_import: opset ?? null });
  for (const { domain, isOfRuntime, names, nodes } of model.operators.custom()) {
    const code = isOfRuntime ? 'operators-of-runtime' : 'operators-custom';
    sink.finding({ code, facts: { domain, operators: names.join(', '), nodes } });
  }
  for (const tensor of tensors) {
    const pieces = tensor.external === undefined ? inlinePieces(path, tensor, access) : uses.add(path, tensor, tensor.external);
    const stored = tensor.extents.reduce((sum, extent) => sum + extent.bytes, 0);
    const parameters = model.quantization.parametersOf(tensor.name, tensor.dtype, tensor.shape);
    sink.tensor({
      keyPath: [tensor.name],
      dtype: tensor.dtype,
      shape: tensor.shape,
      bytes: tensor.expectedBytes ?? stored,
      pieces,
      ...extraOf(tensor, parameters),
    });
  }
  if (expectedBytes > bytes) sink.finding({ code: 'file-truncated', offset: bytes, facts: { expectedBytes, bytes } });
  else if (!model.hasGraph || opset === undefined) {
    const detail = model.hasGraph ? 'the model does not say which operators it uses' : 'the model has no graph';
    sink.finding({ code: 'header-corrupt', facts: { detail } });
  } else if (tensors.length === 0) {
    // Graphs of operators alone are valid models: there is nothing to miss.
    access.describe(path, { role: 'model', component: 'config' });
  }
}

/** Integers in a list are written as numbers of as many bytes as each needs; in place of them are bytes, or floats of their width. */
function extraOf({ isRaw, external, dtype }: OnnxTensor, parameters: number | undefined): { extra?: TensorExtra } {
  const isEncoded = !isRaw && external === undefined && !['f32', 'f64', 'c64', 'c128'].includes(dtype);
  const extra: TensorExtra = { ...(parameters !== undefined && { parameters }), ...(isEncoded && { isEncoded }) };
  return Object.keys(extra).length === 0 ? {} : { extra };
}

function inlinePieces(path: string, { name, extents, isRaw, expectedBytes }: OnnxTensor, access: FileSetAccess): FoundPiece[] {
  const [only] = extents;
  if (only === undefined || extents.length > 1 || expectedBytes === undefined || only.bytes === expectedBytes) return extents;
  const fileBytes = access.entry(path)?.sizeBytes ?? 0;
  // A list of numbers is written in other widths than those of the type.
  if (!isRaw) return [{ ...only, logicalBytes: expectedBytes }];
  if (only.offset + only.bytes < fileBytes)
    access.sinkOf(path).finding({
      code: 'tensor-size-mismatch',
      offset: only.offset,
      facts: { tensor: name, expectedBytes, bytes: only.bytes },
    });
  return extents;
}

/** Which stretches of the data files the models refer to. */
class DataUses {
  private readonly used = new Map<string, { offset: number; bytes: number }[]>();
  private readonly missing = new Map<string, number>();
  private readonly spellings = new OtherSpellings(() => this.set.paths);

  constructor(
    private readonly set: OnnxSet,
    private readonly access: FileSetAccess,
  ) {}

  /** Pieces of a tensor in another file; none where that is not here. */
  add(model: string, { name, expectedBytes }: OnnxTensor, { location, offset, bytes: declared }: OnnxExternal): FoundPiece[] {
    if (!isSafeFileName(location)) {
      this.access.sinkOf(model).finding({ code: 'index-path-unsafe', facts: { shard: location } });
      return [];
    }
    const named = joinPath(this.set.root, location);
    const path = this.access.fileNumber(named) === undefined ? (this.spellings.find(named) ?? named) : named;
    const file = this.access.fileNumber(path);
    if (file === undefined) {
      this.missing.set(path, (this.missing.get(path) ?? 0) + 1);
      return [];
    }
    const bytes = declared ?? expectedBytes ?? 0;
    if (expectedBytes !== undefined && bytes !== expectedBytes)
      this.access.sinkOf(model).finding({ code: 'tensor-size-mismatch', facts: { tensor: name, expectedBytes, bytes } });
    const extents = this.used.get(path);
    if (extents === undefined) this.used.set(path, [{ offset, bytes }]);
    else extents.push({ offset, bytes });
    return [{ file, offset, bytes }];
  }

  /** What no tensor refers to is of something else; what is referred to has to be there. */
  finish(path: string): void {
    const { access } = this;
    const extents = this.used.get(path);
    if (extents === undefined) {
      access.giveBack(path);
      return;
    }
    access.describe(path, {
      role: 'data-of-model',
      roleOf: this.set.paths
        .filter((each) => each.endsWith('.onnx'))
        .map(baseName)
        .slice(0, 3)
        .join(', '),
    });
    const bytes = access.entry(path)?.sizeBytes ?? 0;
    const sink = access.sinkOf(path);
    let end = 0;
    for (const extent of extents.sort((a, b) => a.offset - b.offset)) {
      if (extent.offset - end > PADDING_BYTES) sink.unexplained(end, Math.min(extent.offset, bytes) - end);
      end = Math.max(end, extent.offset + extent.bytes);
    }
    if (end > bytes) {
      sink.finding({ code: 'file-truncated', offset: bytes, facts: { expectedBytes: end, bytes, declaredBy: 'model' } });
    } else if (bytes - end > PADDING_BYTES) {
      sink.unexplained(end, bytes - end);
      sink.finding({ code: 'file-too-long', offset: end, facts: { expectedBytes: end, bytes, declaredBy: 'model' } });
    }
  }

  noteMissing(model: string): void {
    if (this.set.isAlone) return;
    for (const finding of respelledFindings(this.spellings)) this.access.sinkOf(model).finding(finding);
    for (const [shard, tensors] of this.missing)
      this.access.sinkOf(model).finding({ code: 'index-shard-missing', facts: { shard, tensors } });
  }
}
