/** `stowage runs --output FILE`: jobs in the form that the file's name chooses. */
import path from 'node:path';
import type { JobsAnswer } from '../app/runs/jobsAnswer.js';
import { writeMarkdownWithCharts } from './markdownWithCharts.js';
import { UsageError } from './usageError.js';
import { writeFiles } from './writeFiles.js';

const extensions = ['.md', '.csv', '.arrow'] as const;

/** Answers the exit code. @throws UsageError for a name of another kind */
export async function writeJobs(file: string, answer: JobsAnswer<object>): Promise<number> {
  const extension = outputExtension(file);
  if (extension === '.md') return writeMarkdownWithCharts(file, answer.markdownWithCharts, answer.charts);
  return writeFiles(file, [{ path: file, content: extension === '.csv' ? answer.csv() : await answer.arrow() }]);
}

/** @throws UsageError */
export function outputExtension(file: string): (typeof extensions)[number] {
  const own = path.extname(file).toLowerCase();
  const found = extensions.find((extension) => extension === own);
  if (found === undefined) throw new UsageError(`--output takes a file whose name ends with ${extensions.join(', ')}`);
  return found;
}
