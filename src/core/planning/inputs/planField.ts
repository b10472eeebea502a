/** What kinds of inputs a plan has. A field is read from JSON, from `--set` and from the panel by the same rules. */
import type { Quantity } from './quantities.js';

/** Where a field stands in the panel. */
export const fieldGroups = ['model', 'cluster', 'saving', 'failures', 'tiers', 'restore', 'retention', 'data', 'memory'] as const;
export type FieldGroup = (typeof fieldGroups)[number];

interface FieldWords {
  group: FieldGroup;
  label: string;
  /** What it is, in a sentence or less. */
  hint: string;
  /** Hidden until the group is opened wholly. */
  rare?: true;
}

export interface NumberField<Empty extends boolean = boolean> extends FieldWords {
  kind: 'number';
  quantity: Quantity;
  /** Null where the plan derives it unless it is given, or does without it. */
  standard: Empty extends true ? null : number;
  /** Both are allowed themselves. */
  minimum: number;
  maximum: number;
  /** Only whole numbers. */
  whole?: true;
  /** What one of the unit behind the panel's input is in the base unit, and what it is called: `{ unit: 'h', size: 3600 }`. */
  shown: { unit: string; size: number };
  /** What is used in place of null: `GPUs ÷ (TP × PP)`. */
  derived?: string;
  /** Null leaves out what would be computed from it. */
  optional?: true;
}

export interface ChoiceField<Choice extends string = string> extends FieldWords {
  kind: 'choice';
  choices: readonly { value: Choice; label: string }[];
  /** Values that somebody may well try, each with why it is none. */
  refused?: Readonly<Record<string, string>>;
  standard: Choice;
}

export interface FlagField extends FieldWords {
  kind: 'flag';
  standard: boolean;
}

export type PlanField = NumberField | ChoiceField | FlagField;

/** What a field's value is in a plan. */
export type FieldValue<F> = F extends { kind: 'flag' }
  ? boolean
  : F extends { kind: 'choice'; choices: readonly { value: infer Choice }[] }
    ? Choice
    : F extends { standard: null }
      ? number | null
      : number;

/** In words what null means in a field: what is used in its place. Null where null is no value of the field. */
export function meaningOfNull({ derived, optional }: NumberField): string | null {
  return optional === true ? 'not needed' : (derived ?? null);
}
