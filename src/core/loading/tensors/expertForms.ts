/**
 * How the experts of a layer are stored. Configs count one matrix an expert; files have that, or all experts of a layer in one tensor, and
 * transformers 5 converts either on load (transformers/conversion_mapping.py; docs/formats/hugging-face.md).
 */
import type { TensorGroup } from '../../configs/architectures/tensorGroup.js';
import type { ShapeAt } from './storedPatterns.js';

/** Matrices of the experts of one kind of layer, as a config counts them. */
interface ExpertSet {
  /** `model.layers.N.mlp.experts`: the module above the experts. */
  module: string;
  experts: number;
  /** Layers that have them. */
  layers: number;
  groups: ReadonlyMap<string, TensorGroup>;
}

/** One form: what stands for these matrices in a file. */
type Form = (set: ExpertSet) => TensorGroup[] | null;

const separators = ['.experts.N.', '.experts.mlp.'] as const;

/**
 * The groups in the form that the file has; as they are where no other form fits.
 * @param shapeAt shape of the first tensor of such a key in the file; undefined where there is none
 */
export function inExpertForm(groups: readonly TensorGroup[], shapeAt: ShapeAt): readonly TensorGroup[] {
  const sets = expertSets(groups);
  if (sets.length === 0) return groups;
  const replaced = new Map<TensorGroup, TensorGroup[]>();
  for (const set of sets) {
    const own = [...set.groups.values()];
    if (own.some(({ name }) => shapeAt(name) !== undefined)) continue;
    const form = bestForm(set, shapeAt);
    if (form === undefined) continue;
    own.forEach((group, index) => replaced.set(group, index === 0 ? form : []));
  }
  return replaced.size === 0 ? groups : groups.flatMap((group) => replaced.get(group) ?? [group]);
}

/** The form with most sizes as in the file: two forms differ in the order of their axes alone. */
function bestForm(set: ExpertSet, shapeAt: ShapeAt): TensorGroup[] | undefined {
  let best: { form: TensorGroup[]; score: number } | undefined;
  for (const make of forms) {
    const form = make(set);
    const score = form?.reduce((sum, group) => sum + likeness(group.shape, shapeAt(group.name)), 0) ?? 0;
    if (form !== null && score > (best?.score ?? 0)) best = { form, score };
  }
  return best?.form;
}

/** 0 where there is no such tensor, else one more than the sizes that agree. */
function likeness(shape: readonly number[], found: readonly number[] | undefined): number {
  if (found === undefined) return 0;
  return 1 + (found.length === shape.length ? shape.filter((size, axis) => size === found[axis]).length : 0);
}

function expertSets(groups: readonly TensorGroup[]): ExpertSet[] {
  const sets = new Map<string, ExpertSet & { groups: Map<string, TensorGroup> }>();
  for (const group of groups) {
    const separator = separators.find((one) => group.name.includes(one));
    if (separator === undefined) continue;
    const at = group.name.lastIndexOf(separator);
    const module = group.name.slice(0, at + '.experts'.length);
    const leaf = group.name.slice(at + separator.length);
    const router = groups.find(
      ({ name, copies }) => name.startsWith(`${parentOf(module)}.`) && isRouter(name) && copies < group.copies,
    );
    const layers = router?.copies ?? 1;
    const key = `${module} ${group.copies}`;
    const set = sets.get(key) ?? { module, experts: group.copies / layers, layers, groups: new Map() };
    set.groups.set(leaf, group);
    sets.set(key, set);
  }
  return [...sets.values()].filter(({ experts }) => Number.isSafeInteger(experts) && experts > 0);
}

function isRouter(name: string): boolean {
  return !name.includes('.experts.') && /\.(gate|router|wg|router\.layer|router\.classifier)(\.\w+)?\.weight$/.test(name);
}

function parentOf(module: string): string {
  return module.slice(0, module.lastIndexOf('.'));
}

const leaves = { gate: 'gate_proj.weight', up: 'up_proj.weight', down: 'down_proj.weight' } as const;

/** All experts of a layer in two tensors; transposed ones are [experts, inputs, outputs] (Llama 4, gpt-oss). */
function merged(names: { gateUp: string; down: string }, { isTransposed = false, isBeside = false } = {}): Form {
  return ({ module, experts, layers, groups }) => {
    const [gate, up, down] = [groups.get(leaves.gate), groups.get(leaves.up), groups.get(leaves.down)];
    if (up === undefined || down === undefined) return null;
    const above = isBeside ? parentOf(module) : module;
    const [width = 0, hidden = 0] = up.shape;
    const first = gate === undefined ? width : 2 * width;
    const make = (name: string, shape: number[], like: TensorGroup): TensorGroup => ({
      ...like,
      name: `${above}.${name}`,
      shape,
      copies: layers,
      activeCopies: layers,
    });
    const biases = [
      ...[...groups].flatMap(([leaf, group]) =>
        leaf === 'up_proj.bias' ? [make(`${names.gateUp.replace('.weight', '')}_bias`, [experts, first], group)] : [],
      ),
      ...[...groups].flatMap(([leaf, group]) =>
        leaf === 'down_proj.bias' ? [make(`${names.down.replace('.weight', '')}_bias`, [experts, hidden], group)] : [],
      ),
    ];
    return [
      make(names.gateUp, isTransposed ? [experts, hidden, first] : [experts, first, hidden], up),
      make(names.down, isTransposed ? [experts, width, hidden] : [experts, hidden, width], down),
      ...biases,
    ];
  };
}

/** All experts of a layer one below the other in each of three matrices (modeling_dbrx.py, DbrxExpertGLU). */
const dbrx: Form = ({ module, experts, layers, groups }) => {
  const names = { gate_proj: 'w1', up_proj: 'v1', down_proj: 'w2' } as const;
  const up = groups.get(leaves.up);
  if (up === undefined) return null;
  const [width = 0, hidden = 0] = up.shape;
  return Object.values(names).map((name) => ({
    ...up,
    name: `${module}.mlp.${name}`,
    shape: [experts * width, hidden],
    copies: layers,
    activeCopies: layers,
  }));
};

const forms: readonly Form[] = [
  dbrx,
  merged({ gateUp: 'gate_up_proj', down: 'down_proj' }),
  merged({ gateUp: 'gate_up_proj', down: 'down_proj' }, { isTransposed: true }),
  merged({ gateUp: 'w13_weight', down: 'w2_weight' }),
  merged({ gateUp: 'up_proj', down: 'down_proj' }),
  merged({ gateUp: 'input_linear.weight', down: 'output_linear.weight' }, { isBeside: true }),
  merged({ gateUp: 'fc1.weight', down: 'fc2.weight' }, { isTransposed: true }),
];
