/** Named files: what every target takes, so that one set of mutators, one corpus and one way to minimise serve all of them. */
export type Input = Readonly<Record<string, Uint8Array>>;

/** What mutators take the bytes of a file for. */
export type InputForm = 'bytes' | 'text' | 'json';

export interface FuzzTarget {
  /** As `--target` selects it. */
  name: string;
  /** Valid inputs to begin with; never empty. Read when the target is run first. */
  seeds(): Input[];
  /** What a file is mutated as. */
  formOf(path: string): InputForm;
  /** Whether files may be removed and renamed. */
  isDirectory?: true;
  /** Words that its inputs are made of: signatures, keys. */
  dictionary?: readonly string[];
  /** Runs the code on an input. Throws what is a finding; errors that the room declares are none. */
  execute(input: Input): void | Promise<void>;
}

/** Bytes of all files. */
export function sizeOf(input: Input): number {
  let bytes = 0;
  for (const file of Object.values(input)) bytes += file.byteLength;
  return bytes;
}
