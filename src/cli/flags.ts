import { parseArgs, type ParseArgsConfig } from 'node:util';
import { parseAmount } from '../core/text/amounts.js';
import { isRemoteAddress } from '../core/files/remote/remoteScheme.js';
import { UsageError } from './usageError.js';

/** Flags of every command that prints a report. */
export const reportFlags = {
  json: { type: 'boolean' },
  markdown: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const;

/** Flags whose value is where something is written. */
const written = new Set(['output', 'header-cache', 'job-folder', 'cache', 'script']);

/** @throws UsageError for an unknown flag, for a flag without its value, for an empty path or value, and for an address to write to */
export function parseFlags<const Flags extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: Flags) {
  const parsed = parsedArgs(args, options);
  // A shell variable that is not set: read as a path it would be the working directory.
  if (parsed.positionals.includes('')) throw new UsageError('a path is empty');
  for (const [flag, value] of Object.entries<unknown>(parsed.values))
    if (value === '' || (Array.isArray(value) && value.includes(''))) throw new UsageError(`--${flag} is empty`);
    else if (written.has(flag) && typeof value === 'string' && isRemoteAddress(value))
      throw new UsageError(`--${flag} takes a path of this machine: nothing is written to a store`);
  return parsed;
}

function parsedArgs<const Flags extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: Flags) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true as const, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** @throws UsageError */
export function refuseTwoForms(values: { json?: boolean; markdown?: boolean }): void {
  if (values.json === true && values.markdown === true) throw new UsageError('--json and --markdown exclude each other');
}

/** The number of a flag as an input of a use case: absent where the flag is, NaN for no amount, which no input takes. */
export function amountIn<Name extends string>(name: Name, text: string | undefined): Partial<Record<Name, number>> {
  return given(name, text === undefined ? undefined : (parseAmount(text) ?? NaN));
}

/** A flag as an input of a use case, absent where the flag is. */
export function given<Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}
