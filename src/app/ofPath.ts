import { FormatError } from '../core/bytes/formatError.js';
import { PathError } from './useCaseError.js';

/**
 * Work whose failures are the path's: a file that cannot be read is told by its name.
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
