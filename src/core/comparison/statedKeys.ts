/** Which keys of configs a report has as facts of the training state. */
import type { StateFact } from '../checkpoints/checkpointReport.js';
import { areEqualTexts } from './settingDifferences.js';

export class StatedKeys {
  private readonly values = new Map<string, string[]>();

  constructor(facts: readonly StateFact[]) {
    for (const { keyPath, value } of facts) this.values.set(keyPath, [...(this.values.get(keyPath) ?? []), value]);
  }

  /**
   * Whether a fact has this key and this value; `betas.1` is a part of the fact `betas`.
   * @param value null where the file has no such key: then a fact is no such key either
   */
  has(key: string, value: string | null): boolean {
    const isKey = (path: string, valueOf: (fact: string) => string | undefined): boolean =>
      this.values.get(path)?.some((fact) => areEqualTexts(valueOf(fact) ?? '', value ?? '')) ?? value === null;
    const end = key.lastIndexOf('.');
    const index = Number(key.slice(end + 1));
    return (
      isKey(key, (fact) => fact) ||
      (end > 0 && Number.isInteger(index) && isKey(key.slice(0, end), (fact) => fact.split(',')[index]?.trim()))
    );
  }
}
