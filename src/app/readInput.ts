import * as v from 'valibot';

/**
 * Checks what a caller sent.
 * @throws Error with a text from which an assistant learns what to send instead
 */
export function readInput<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, input);
  if (parsed.success) return parsed.output;
  throw new Error(`The input is not usable: ${parsed.issues.map(({ message }) => message).join('; ')}`);
}
