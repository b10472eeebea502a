import { FormatError } from '../core/bytes/formatError.js';
import { PathError } from './useCaseError.js';

/**
 * Runs work on a path: a file that cannot be read is reported with that path.
 * @param problem completes a sentence that begins with the path: `cannot be read`
 * @throws PathError, FormatError `cancelled`
 */
export async function ofPath<Result>(path: string, problem: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    throw new PathError(path, `${problem}: ${error.detail}`, { cause: error });
  }
}
