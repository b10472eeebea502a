/** Fields of inputs, each with the words that describe it to assistants. */
import * as v from 'valibot';

export const text = (description: string) => v.pipe(v.string(), v.minLength(1), v.description(description));
export const count = (description: string) => v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description));
export const amount = (description: string) => v.pipe(v.number(), v.minValue(0), v.description(description));
export const flag = (description: string) => v.pipe(v.boolean(), v.description(description));
