/** The rows of the model in a directory itself, as its loader takes them: no copies, no other models, nothing below it. */
import type { Parts } from './parts.js';

export interface OwnWeight {
  row: number;
  path: string;
}

/** Rows of weights with elements, with the path of the file that holds each. */
export function* ownWeights(parts: Parts): Generator<OwnWeight> {
  for (const weight of ownTensors(parts)) if (parts.tensors.elementsOf(weight.row) > 0) yield weight;
}

/** The same with those without elements, which ZeRO-3 leaves of what it has on other ranks. */
export function* ownTensors({ tensors, files, copies, otherModels, unopened }: Parts): Generator<OwnWeight> {
  // Loaders take the files that are called as theirs, where there are any.
  const hasNamed = files.some(({ path, role }) => role === 'model-weights' && !path.includes('/'));
  const own = files.map(({ path, role }, file) => {
    const isLoose = hasNamed && (role === 'tensors' || role === 'torch-file');
    const isOther = isLoose || path.includes('/') || [copies, otherModels, unopened].some((left) => left?.has(file) === true);
    return isOther ? undefined : path;
  });
  for (let row = 0; row < tensors.size; row++) {
    // Of no file is a tensor that a damaged one lists, and has no bytes of.
    const isNowhere = tensors.firstPieceOf(row) === tensors.endPieceOf(row);
    if (isNowhere && unopened !== undefined && unopened.size > 0) continue;
    const path = own[tensors.pieceFile(tensors.firstPieceOf(row))];
    if (path !== undefined && tensors.componentOf(row) === 'weights') yield { row, path };
  }
}

const modelLayouts: ReadonlySet<Parts['layout']> = new Set<Parts['layout']>(['huggingface-model', 'huggingface-trainer']);
/** Models as torch.save wrote them (transformers/utils: WEIGHTS_NAME); `model.bin` is CTranslate2's as well. */
const torchWeights = /^(diffusion_)?pytorch_model([.-].*)?\.bin$/s;

/** True for a directory from which transformers makes a model by its config: of any of its formats. */
export function isModelDirectory({ layout, files }: Pick<Parts, 'layout' | 'files'>): boolean {
  return modelLayouts.has(layout) || (layout === 'torch-file' && files.some(({ path }) => torchWeights.test(path)));
}
