import { ensureBuild } from './build.mjs';

/** Vitest's global set-up for projects whose tests run what is shipped, also when vitest is started without the runner. */
export async function setup() {
  await ensureBuild();
}
