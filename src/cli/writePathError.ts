import type { PathError } from '../app/useCaseError.js';
import { visibleText } from '../core/text/visibleText.js';

/** Says why a path gave no report. */
export function writePathError({ path, problem }: PathError): void {
  process.stderr.write(`stowage: ${visibleText(path)} ${visibleText(problem)}\n`);
}
