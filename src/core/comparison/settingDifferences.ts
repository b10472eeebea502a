/** Which settings and positions of the training state, and which sizes of the job, differ. */
import type { CheckpointReport, StateFact, Topology } from '../checkpoints/checkpointReport.js';
import type { SettingDifference } from './comparisonReport.js';

/**
 * Facts of the training state, each pair once.
 * @param isOneKind both frameworks state the same facts: one that a side lacks is a difference then
 */
export function compareFacts(a: CheckpointReport, b: CheckpointReport, isOneKind: boolean): SettingDifference[] {
  const [ofA, ofB] = [byId(a.facts), byId(b.facts)];
  return [...new Set([...ofA.keys(), ...ofB.keys()])].flatMap((id) => {
    const [own = [], other = []] = [ofA.get(id), ofB.get(id)];
    return own.length > 0 && other.length > 0 ? compareOne(own, other) : isOneKind ? [difference(own[0], other[0])] : [];
  });
}

function byId(facts: readonly StateFact[]): Map<string, StateFact[]> {
  const groups = new Map<string, StateFact[]>();
  for (const fact of facts) {
    const group = groups.get(fact.id);
    if (group === undefined) groups.set(fact.id, [fact]);
    else group.push(fact);
  }
  return groups;
}

/** Those that both state under one key; else the first of each, which is nearest to the root. */
function compareOne(a: readonly StateFact[], b: readonly StateFact[]): SettingDifference[] {
  const others = new Map<string, StateFact[]>();
  for (const fact of b) others.set(fact.keyPath, [...(others.get(fact.keyPath) ?? []), fact]);
  const seen = new Set<string>();
  let areShared = false;
  const found: SettingDifference[] = [];
  for (const fact of a) {
    const same = others.get(fact.keyPath);
    if (same === undefined) continue;
    areShared = true;
    // Ranks may state several values under one key: one that the other side states as well is no difference.
    const [other] = same;
    const isKnown = same.some(({ value }) => areEqualTexts(value, fact.value));
    if (isKnown || other === undefined || seen.has(`${fact.value}\n${other.value}`)) continue;
    seen.add(`${fact.value}\n${other.value}`);
    found.push(difference(fact, other));
  }
  const [own, other] = [a[0], b[0]];
  if (areShared || own === undefined || other === undefined || areEqualTexts(own.value, other.value)) return found;
  return [difference(own, other)];
}

function difference(a: StateFact | undefined, b: StateFact | undefined): SettingDifference {
  const { id, label } = (a ?? b) as StateFact;
  return {
    name: id,
    kind: 'state',
    label,
    a: a?.value ?? null,
    b: b?.value ?? null,
    files: { a: a?.path ?? null, b: b?.path ?? null },
  };
}

/** Numbers are equal however they are written: `0.001` and `1e-3`. */
export function areEqualTexts(a: string, b: string): boolean {
  if (a === b) return true;
  const [parts, others] = [a.split(','), b.split(',')];
  return parts.length === others.length && parts.every((part, at) => areEqualNumbers(part.trim(), (others[at] ?? '').trim()));
}

function areEqualNumbers(a: string, b: string): boolean {
  return a === b || (a !== '' && b !== '' && Number(a) === Number(b));
}

const sizes: readonly [keyof Topology, string][] = [
  ['worldSize', 'ranks'],
  ['dataParallel', 'data-parallel ranks'],
  ['tensorParallel', 'tensor-parallel ranks'],
  ['pipelineParallel', 'pipeline stages'],
  ['expertParallel', 'expert-parallel ranks'],
  ['zeroStage', 'ZeRO stage'],
];

/** Sizes of the job that both sides state. */
export function compareTopology({ topology: a }: CheckpointReport, { topology: b }: CheckpointReport): SettingDifference[] {
  return sizes.flatMap(([name, label]): SettingDifference[] => {
    const [own, other] = [a[name] ?? null, b[name] ?? null];
    if (own === null || other === null || own === other) return [];
    return [{ name, kind: 'topology', label, a: String(own), b: String(other), files: { a: null, b: null } }];
  });
}
