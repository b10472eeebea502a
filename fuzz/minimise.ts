/** Delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002), in its simplest form. */
import { sizeOf, type Input } from './target.js';

/**
 * A smaller input that fails in the same way: files are removed, then parts of files, halves first, then what is left becomes zero.
 * @param fails whether an input fails in the same way
 * @param budgetMs when to stop with what is there
 */
export async function minimise(input: Input, fails: (input: Input) => Promise<boolean>, budgetMs: number): Promise<Input> {
  const endMs = performance.now() + budgetMs;
  let smallest = input;
  const tryOut = async (candidate: Input): Promise<boolean> => {
    if (performance.now() > endMs || !(await fails(candidate))) return false;
    smallest = candidate;
    return true;
  };
  for (const path of Object.keys(input)) {
    const { [path]: _removed, ...rest } = smallest;
    if (Object.keys(rest).length > 0) await tryOut(rest);
  }
  let before;
  do {
    before = sizeOf(smallest);
    for (const path of Object.keys(smallest)) await removeParts(path, () => smallest, tryOut);
  } while (sizeOf(smallest) < before && performance.now() < endMs);
  for (const path of Object.keys(smallest)) await clearParts(path, () => smallest, tryOut);
  return smallest;
}

type TryOut = (candidate: Input) => Promise<boolean>;

async function removeParts(path: string, current: () => Input, tryOut: TryOut): Promise<void> {
  const bytesOf = (): Uint8Array => current()[path] as Uint8Array;
  for (let part = bytesOf().byteLength >> 1; part > 0; part >>= 1)
    for (let at = 0; at < bytesOf().byteLength;) {
      const bytes = bytesOf();
      const isRemoved = await tryOut({ ...current(), [path]: without(bytes, at, at + part) });
      if (!isRemoved) at += part;
    }
}

function without(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const kept = new Uint8Array(bytes.byteLength - (Math.min(to, bytes.byteLength) - from));
  kept.set(bytes.subarray(0, from));
  kept.set(bytes.subarray(to), from);
  return kept;
}

async function clearParts(path: string, current: () => Input, tryOut: TryOut): Promise<void> {
  const size = (current()[path] as Uint8Array).byteLength;
  for (let at = 0; at < size; at += 16) {
    const bytes = (current()[path] as Uint8Array).slice();
    const part = bytes.subarray(at, at + 16);
    if (part.every((byte) => byte === 0)) continue;
    part.fill(0);
    await tryOut({ ...current(), [path]: bytes });
  }
}
