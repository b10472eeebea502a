/** Assertions that also work in the web extension host, which has no `node:assert`. */
export function assertTrue(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

export function assertEqual<T>(actual: T, expected: T, what: string): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${what}: expected ${right}, got ${left}`);
}

/** Awaits a rejection and answers what it was rejected with. */
export async function assertRejects(promise: PromiseLike<unknown>, what: string): Promise<{ code?: unknown; message: string }> {
  try {
    await promise;
  } catch (error) {
    return error as { code?: unknown; message: string };
  }
  throw new Error(`${what}: expected a rejection`);
}
