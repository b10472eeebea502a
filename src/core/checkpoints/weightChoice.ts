/** Which files of weights the Hugging Face libraries load where a directory has several sets of them. */
import { decodeLatin1 } from '../bytes/text.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { baseName, joinPath, parentPath } from '../files/paths.js';
import type { RoleId } from '../files/roleLabels.js';
import type { FilePart, Parts } from './parts.js';

/** As transformers calls the files of a model, in the order in which it looks for them. */
export const modelNames = [
  'model.safetensors',
  'model.safetensors.index.json',
  'pytorch_model.bin',
  'pytorch_model.bin.index.json',
] as const;

/**
 * In the order in which they are looked for (transformers/modeling_utils.py: _get_resolved_checkpoint_files; diffusers/models/modeling_utils.py;
 * peft/utils/save_and_load.py: load_peft_weights).
 */
const preferred = [
  'adapter_model.safetensors',
  'adapter_model.bin',
  ...['model', 'diffusion_pytorch_model'].flatMap((stem) => [`${stem}.safetensors`, `${stem}.safetensors.index.json`]),
  ...['pytorch_model', 'diffusion_pytorch_model'].flatMap((stem) => [`${stem}.bin`, `${stem}.bin.index.json`]),
];

const layouts: ReadonlySet<Parts['layout']> = new Set<Parts['layout']>([
  'huggingface-model',
  'huggingface-trainer',
  'peft-adapter',
]);

/** Weights of any name and format, and indexes of some. State for resuming has roles of its own. */
const ofWeights: ReadonlySet<RoleId> = new Set<RoleId>([
  'model-weights',
  'averaged-weights',
  'model-weights-of-tensor-rank',
  'tensor-data',
  'arrays',
  'array',
  'variable-index',
  'multimodal-projector',
  'model',
  'flax-state',
  'tensors',
  'data-of-model',
  'torch-file',
  'graph',
  'variables',
  'shard-index',
  'unrecognised',
]);

/** Parts of a pipeline are models in directories of their own. */
const pipelineNames = ['model_index.json', 'modules.json'];
/** Directories of exports for other programs (optimum, OpenVINO), in which no part of a pipeline is. */
const exportDirectory = /^(?:onnx|openvino|coreml|tflite|gguf|original)$/i;
/** Trainer loads what FSDP saved as a whole before it looks for a model (accelerate/utils/fsdp_utils.py: load_fsdp_model). */
const ofFsdp = /^pytorch_model_fsdp/;

/** Answers for the files of one checkpoint, by their names. */
export class WeightChoice {
  private readonly paths: ReadonlySet<string>;
  private readonly isPipeline: boolean;
  /** Files here that an index names, by the path of the index. */
  private readonly shards = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly parts: Parts,
    private readonly indexes: ReadonlyMap<string, Uint8Array>,
  ) {
    this.paths = new Set(parts.files.map(({ path }) => path));
    this.isPipeline = pipelineNames.some((name) => this.paths.has(name));
  }

  /** True for weights that loaders leave closed, as they find others first. */
  leavesClosed({ path, role }: FilePart): boolean {
    if (!layouts.has(this.parts.layout) || !ofWeights.has(role) || ofFsdp.test(baseName(path))) return false;
    const directory = parentPath(path);
    const own = this.takenIn(directory);
    if (own !== undefined && (this.isPipeline || directory === '')) return !this.isOf(own, path);
    if (this.isPipeline && directory !== '' && !exportDirectory.test(baseName(directory))) return false;
    const root = this.takenIn('');
    return root === undefined ? this.isPipeline && own === undefined : !this.isOf(root, path);
  }

  /** The file, or the index, that `from_pretrained` of transformers takes; undefined where it has none to open. */
  get ofModel(): string | undefined {
    return this.firstOf(modelNames, '');
  }

  /** True for a file in the directory itself that `from_pretrained` leaves closed, as it finds another first. */
  isLeftClosedByModel({ path, role }: FilePart): boolean {
    const own = this.ofModel;
    return own !== undefined && !path.includes('/') && ofWeights.has(role) && !ofFsdp.test(path) && !this.isOf(own, path);
  }

  /** The file, or the index, that loaders take in a directory. */
  private takenIn(directory: string): string | undefined {
    return this.firstOf(preferred, directory);
  }

  private firstOf(names: readonly string[], directory: string): string | undefined {
    return names.map((name) => joinPath(directory, name)).find((path) => this.paths.has(path));
  }

  private isOf(taken: string, path: string): boolean {
    if (path === taken) return true;
    const bytes = this.indexes.get(taken);
    if (bytes === undefined) return taken.endsWith('.index.json');
    let shards = this.shards.get(taken);
    if (shards === undefined) this.shards.set(taken, (shards = this.shardsIn(bytes, parentPath(taken))));
    return shards.has(path);
  }

  /** Texts of the index that are files here: in one pass, however many files are asked for. */
  private shardsIn(bytes: Uint8Array, directory: string): ReadonlySet<string> {
    const found = new Set<string>();
    const text = decodeLatin1(bytes, 0, bytes.byteLength);
    for (let start = text.indexOf('"'); start !== -1;) {
      const end = endOfString(text, start + 1);
      const path = joinPath(directory, text.slice(start + 1, end));
      if (this.paths.has(path)) found.add(path);
      start = text.indexOf('"', end + 1);
    }
    return found;
  }
}

/** The place of the quotation mark that ends a string of JSON, or the end of the text. */
function endOfString(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}

/**
 * Positions of files in the directory of a model that `from_pretrained` leaves closed, as it finds others first.
 * @param config of the model; one that names its file (`transformers_weights`) leaves none out here
 */
export function unopenedFiles(parts: Parts, indexes: ReadonlyMap<string, Uint8Array>, config: unknown): ReadonlySet<number> {
  if (memberOf(config, 'transformers_weights') !== undefined) return new Set();
  const choice = new WeightChoice(parts, indexes);
  const withTensors = new Set<number>();
  for (let row = 0; row < parts.tensors.size; row++) withTensors.add(parts.tensors.pieceFile(parts.tensors.firstPieceOf(row)));
  const closed = [...withTensors].filter((at) => {
    const file = parts.files[at];
    return file !== undefined && choice.isLeftClosedByModel(file);
  });
  return new Set(closed.length === withTensors.size ? [] : closed);
}
