/** Inputs of use cases by their schemas: checked, and described as JSON Schema. */
import type * as v from 'valibot';

export type InputSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** The part of JSON Schema that inputs need. */
export interface JsonSchema {
  type: string | string[];
  description?: string;
  enum?: readonly unknown[];
  minLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema;
}

/** The JSON Schema of an input. */
export function jsonSchemaOf({ entries }: InputSchema): JsonSchema {
  const fields = Object.entries(entries) as [string, Schema][];
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
    required: fields.filter(([, field]) => field.type !== 'exact_optional').map(([name]) => name),
  };
}

/** What the schemas of valibot that inputs are made of have in common. */
interface Schema {
  type: string;
  /** Of `exactOptional`. */
  wrapped?: Schema;
  /** Of `record`. */
  value?: Schema;
  /** Of `union`. */
  options?: readonly Schema[];
  /** Checks and descriptions. */
  pipe?: readonly Action[];
}

interface Action {
  type: string;
  requirement?: unknown;
  description?: string;
  examples?: readonly unknown[];
}

function fieldSchema(field: Schema): JsonSchema {
  if (field.type === 'exact_optional' && field.wrapped !== undefined) return fieldSchema(field.wrapped);
  const schema: JsonSchema = { type: typeOf(field) };
  for (const action of field.pipe ?? []) Object.assign(schema, keywordOf(action));
  if (field.type === 'record' && field.value !== undefined) schema.additionalProperties = fieldSchema(field.value);
  if (field.pipe?.some(({ type }) => type === 'integer') === true) schema.type = 'integer';
  return schema;
}

function typeOf({ type, options }: Schema): string | string[] {
  if (options !== undefined) return options.map((option) => option.type);
  return type === 'record' ? 'object' : type;
}

/** The keyword that a check or a description stands for. */
function keywordOf({ type, requirement, description, examples }: Action): Partial<JsonSchema> {
  if (type === 'description' && description !== undefined) return { description };
  // Assistants choose better among few names than they invent one, also where others are accepted.
  if (type === 'examples' && examples !== undefined) return { enum: examples };
  if (typeof requirement !== 'number') return {};
  if (type === 'min_length') return { minLength: requirement };
  if (type === 'min_value') return { minimum: requirement };
  return type === 'max_value' ? { maximum: requirement } : {};
}
