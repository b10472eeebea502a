/** Forms of answers that docs/plan-report.schema.json does not have yet, from the answers of plans and the units in their names. */
import { planReport } from '../../src/core/pages/plan/planReport.js';
import { planPage } from '../../src/core/pages/plan/planPage.js';
import { documentOfPreset, planPresets } from '../../src/core/planning/inputs/presets.js';
import { makePlan } from '../../src/core/planning/storagePlan.js';

/** A JSON schema, as far as forms are looked through. */
export interface Form {
  $ref?: string;
  type?: string | readonly string[];
  properties?: Record<string, Form>;
  required?: string[];
  items?: Form;
}

/** The answers of each preset, as they are printed. */
export function sampleAnswers(): unknown[] {
  return planPresets.map((preset) => {
    const document = documentOfPreset(preset);
    const plan = makePlan(document);
    return JSON.parse(JSON.stringify(planReport(plan, planPage(plan, document), document, []).answers)) as unknown;
  });
}

/**
 * Adds the forms of members that are in the samples and not in the form: numbers with a unit in their name, other numbers, flags, texts.
 * @throws Error for a member whose form has to be written by hand
 */
export function addForms(form: Form, samples: readonly unknown[], definitions: Readonly<Record<string, Form>>, path = ''): void {
  const { $ref } = form;
  const own = $ref === undefined ? form : definitions[$ref.replace('#/$defs/', '')];
  if (own?.items !== undefined)
    addForms(
      own.items,
      samples.flatMap((sample): unknown[] => (Array.isArray(sample) ? sample : [])),
      definitions,
      path,
    );
  if (own?.properties === undefined) return;
  const objects = samples.filter(isRecord);
  for (const key of new Set(objects.flatMap(Object.keys))) {
    const values = objects.map((object) => object[key]).filter((value) => value !== undefined);
    const known = own.properties[key];
    if (known !== undefined) addForms(known, values, definitions, `${path}/${key}`);
    else {
      own.properties[key] = formOf(key, values, `${path}/${key}`);
      if (values.length === objects.length) own.required = [...(own.required ?? []), key];
    }
  }
}

/** Units by the end of a name, as definitions of the schema call them. */
const units: readonly (readonly [end: RegExp, definition: string])[] = [
  [/BytesPerSecond$/, 'bytesPerSecond'],
  [/(^s|S)econds$/, 'seconds'],
  [/(^b|B)ytes$/, 'bytes'],
  [/(^d|D)ollars$/, 'dollars'],
  [/(^s|S)hare$/, 'share'],
];

function formOf(key: string, values: readonly unknown[], path: string): Form {
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  const isOptional = types.delete('null');
  const [type] = types;
  const unit = units.find(([end]) => end.test(key))?.[1];
  if (unit !== undefined && (type ?? 'number') === 'number' && types.size < 2)
    return { $ref: `#/$defs/${unit}${isOptional || unit === 'dollars' ? 'OrNull' : ''}` };
  if (types.size !== 1 || type === undefined || type === 'object')
    throw new Error(`docs/plan-report.schema.json: write the form of ${path} by hand`);
  return { type: isOptional ? [type, 'null'] : type };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
