/** An input that a use case cannot use. Each face names the input as its users write it: `optimizer`, `--optimizer`. */
export class InputError extends Error {
  readonly code = 'bad-input';
  readonly input: string;
  /** Completes a sentence that begins with the input, or with the value where `isOfValue` is true. */
  readonly detail: string;
  readonly value: string | null;
  readonly isOfValue: boolean;

  private constructor(input: string, detail: string, value: string | null, isOfValue: boolean) {
    super(isOfValue ? `${input}: ${value ?? ''} ${detail}` : `${input} ${detail}${value === null ? '' : `, not ${value}`}`);
    this.name = 'InputError';
    this.input = input;
    this.detail = detail;
    this.value = value;
    this.isOfValue = isOfValue;
  }

  /** An input of the wrong form: `steps takes a whole number`. */
  static ofInput(input: string, detail: string, value: string | null = null): InputError {
    return new InputError(input, detail, value, false);
  }

  /** A value that the input does not have: `preset: 8x is none that there is`. */
  static ofValue(input: string, value: string, detail: string): InputError {
    return new InputError(input, detail, value, true);
  }
}

/** A path that gives no report. The message begins with the path. */
export class PathError extends Error {
  readonly code = 'unreadable';
  readonly path: string;
  /** Completes a sentence that begins with the path. */
  readonly problem: string;

  constructor(path: string, problem: string, options?: { cause: unknown }) {
    super(`${path} ${problem}`, options);
    this.name = 'PathError';
    this.path = path;
    this.problem = problem;
  }
}
