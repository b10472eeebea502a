import { createInterface } from 'node:readline/promises';

/** A question on the terminal; only `y` and `yes` are yes. False at once without a terminal to answer on. */
export async function ask(question: string, signal?: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`${question} [y/N] `, signal === undefined ? {} : { signal });
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    // Cancelled, or the terminal went away.
    return false;
  } finally {
    prompt.close();
  }
}
