/** What follows from an adapter that was compared with its base model: the verdict, and the findings that name the cause. */
import { defaultAdapterTargets } from '../configs/adapters/adapterTargets.js';
import type { Finding } from '../findings/finding.js';
import { counted } from '../text/quantities.js';
import type { AdaptedBase } from './adaptedModel.js';
import { inWords, type Base } from './adapterBase.js';
import { addDifferences } from './adapterDifferences.js';
import type { AdapterComparison } from './adapterTensors.js';
import { absentModules, tokenBeyond } from './adapterTokens.js';
import { worsen, type LoadCheck } from './loadCheck.js';
import type { StoredAdapter } from './storedAdapters.js';
import type { TensorDifferences } from './tensors/tensorDifferences.js';
import { wrapperOf, type Wrapper } from './tensors/wrappedNames.js';

/** The adapters of a directory, as one check. */
export interface ComparedAdapters extends LoadCheck {
  /** Of all adapters that were compared. */
  differences: TensorDifferences;
}

/** An adapter and its base model. */
export interface Compared {
  base: Base;
  adapted: AdaptedBase;
  comparison: AdapterComparison;
}

export const otherRank = 'The adapter has another rank than its config.';

/** PEFT's own prefix aside. */
function adapterWrapper(name: string): Wrapper | undefined {
  return wrapperOf(name.replace(/(^|\.)base_model\.model\./, '$1'));
}

/** Adds to the check what the comparison of one adapter shows. */
export function judge(check: ComparedAdapters, adapter: StoredAdapter, { base, adapted, comparison: found }: Compared): void {
  const { path, hasTokenizer } = adapter;
  const { model, plan } = base;
  const whose = inWords(base);
  if (!check.checked.includes('adapter')) check.checked.push('adapter');
  const tensors = counted(adapter.tensors.length, 'tensor');
  check.done.push(`${path}: ${tensors} against ${model.name} (${whose})${found.open.length === 0 ? '' : ', shapes alone'}`);
  addDifferences(check.differences, found);
  const add = (finding: Finding, verdict: LoadCheck['verdict'], why: string): void => {
    check.findings.push(finding);
    worsen(check, verdict, why);
  };
  if (found.hasNoTarget) {
    const usual = defaultAdapterTargets(model.modelType ?? '') ?? [];
    const text = adapter.config['target_modules'];
    const named = typeof text === 'string' ? [text] : plan.targets;
    const targets = (named.length > 0 ? named : usual).slice(0, MAX_NAMED).join(', ');
    add(
      { code: 'adapter-targets-missing', path, facts: { targets, base: whose, usual: usual.join(', ') } },
      'fails',
      'The base model has no module that the adapter targets.',
    );
    return;
  }
  // As for files of a variant: with the argument it loads.
  if (adapted.labels !== undefined)
    worsen(
      check,
      'loads-with-warnings',
      `The output layer has ${counted(adapted.labels.adapter, 'label')}, and the config of the base ${adapted.labels.base}: from_pretrained raises an error without num_labels=${adapted.labels.adapter}.`,
    );
  const names = (adapted.model.groups ?? []).map(({ name }) => name);
  const [absentModule] = found.open.length > 0 ? [] : absentModules(adapter.config, names);
  if (absentModule !== undefined) {
    add(
      { code: 'adapter-targets-missing', path, facts: { targets: absentModule, base: whose, usual: '' } },
      'fails',
      `The base model has no module ${absentModule}, of which the adapter trains tokens.`,
    );
    return;
  }
  const beyond = tokenBeyond(adapter.config, found.tokens);
  if (beyond !== undefined)
    add(
      { code: 'adapter-tokens-beyond-embedding', path, facts: { ...beyond, base: whose } },
      hasTokenizer ? 'loads-with-warnings' : 'fails',
      `trainable_token_indices has ${beyond.token}, and the embedding of the base model has ${counted(beyond.rows, 'row')}.`,
    );
  const wrapped = found.unexpected.map(({ name: own }) => own).filter((own) => adapterWrapper(own) !== undefined);
  const [tensor] = wrapped;
  if (tensor !== undefined) {
    const { segment, of } = adapterWrapper(tensor) as Wrapper;
    add(
      { code: 'tensor-names-wrapped', path, facts: { tensors: wrapped.length, segment, of, tensor } },
      'loads-with-warnings',
      `Names of the adapter are those of a wrapper, ${of}: ${tensor}.`,
    );
    return;
  }
  const empty = found.mismatched.filter(({ found: shape }) => shape.includes(0));
  if (empty[0] !== undefined) {
    add(
      { code: 'weights-are-placeholders', path, facts: { tensors: empty.length, tensor: empty[0].name } },
      'fails',
      'Tensors of the adapter have no values.',
    );
    return;
  }
  const [rank] = found.ranks;
  if (rank !== undefined)
    add(
      { code: 'config-sizes-differ', path, facts: { what: 'LoRA rank', config: rank.expected, stored: rank.found } },
      'fails',
      otherRank,
    );
  const [mismatch] = found.mismatched;
  if (mismatch !== undefined) {
    const { name: tensor, expected, found: stored } = mismatch;
    const facts = {
      tensors: found.mismatched.length,
      tensor,
      expected: expected.join(' × '),
      found: stored.join(' × '),
      base: whose,
    };
    const isResized = isOfOtherVocabulary(found);
    const isEnlarged = isResized && hasTokenizer && (mismatch.vocabulary?.adapter ?? 0) > (mismatch.vocabulary?.base ?? 0);
    if (isResized)
      add(
        { code: 'adapter-vocabulary-differs', path, facts: { ...facts, isEnlarged } },
        isEnlarged ? 'loads-with-warnings' : 'fails',
        'The adapter has another vocabulary than its base model.',
      );
    else add({ code: 'adapter-of-other-base', path, facts }, 'fails', 'The adapter has other shapes than its base model.');
  }
  const [absent] = found.required;
  if (absent !== undefined)
    add(
      { code: 'adapter-modules-unsaved', path, facts: { tensors: found.required.length, first: absent.name } },
      'fails',
      'Modules that the adapter is to have whole are not in it.',
    );
  const [missing] = found.missing;
  if (missing !== undefined)
    add(
      {
        code: 'adapter-tensors-missing',
        path,
        facts: { missing: found.missing.length, expected: found.expected, first: missing.name },
      },
      'loads-with-warnings',
      'Tensors of the adapter are missing.',
    );
  const [unexpected] = found.unexpected;
  if (unexpected !== undefined)
    add(
      {
        code: 'adapter-tensors-unused',
        path,
        facts: { unused: found.unexpected.length, stored: adapter.tensors.length, first: unexpected.name },
      },
      'loads-with-warnings',
      'Tensors of the adapter have no module.',
    );
  const [reason] = found.open;
  if (reason === undefined) return;
  const others = found.open.length === 1 ? '' : `, and ${counted(found.open.length - 1, 'other reason')}`;
  check.notChecked.push({ what: 'adapter', detail: `${path}: shapes alone were compared, as ${reason}${others}` });
  worsen(check, 'unknown', `Not all modules that the adapter adapts are known: ${reason}.`);
}

/** Every tensor of another shape has the ids of one other vocabulary, and nothing else differs: the base was resized before the adapter was trained. */
function isOfOtherVocabulary({ mismatched }: AdapterComparison): boolean {
  const [first] = mismatched;
  return mismatched.every(
    ({ vocabulary }) =>
      vocabulary !== null && vocabulary.base === first?.vocabulary?.base && vocabulary.adapter === first.vocabulary.adapter,
  );
}

const MAX_NAMED = 5;
