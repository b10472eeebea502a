import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixtureRoot } from '../../builders/frameworkFixtures.js';
import { type Fault, faults, faultyServer } from '../../builders/remote/faultyServer.js';
import { type HubServer, hubServer } from '../../builders/remote/hubServer.js';
import type { LocalServer } from '../../builders/remote/localServer.js';
import { inspectLocal, inspectRemote, withoutPlace } from '../../builders/remote/remoteInspection.js';
import { isExhaustive, seed } from '../../builders/seed.js';
import { PathError } from '../../../src/app/useCaseError.js';

const checkpoint = path.join(fixtureRoot, 'hf/peft-two-adapters/data');
let hub: HubServer;
let proxy: LocalServer;
let nextFault: () => Fault | null = () => null;
let expected: unknown;

beforeAll(async () => {
  hub = await hubServer(checkpoint, 'org/name');
  proxy = await faultyServer(hub.origin, () => nextFault());
  expected = withoutPlace(await inspectLocal(checkpoint));
});
afterAll(async () => {
  await proxy.close();
  await hub.close();
});

/** Numbers below 1 that a seed decides (mulberry32). */
function randomNumbers(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const inspectThere = () =>
  inspectRemote('hf://org/name', { access: { hub: () => Promise.resolve({ endpoint: proxy.origin, token: null }) } });

it('a thousand inspections with faults have the right report, or say what was wrong', async () => {
  const ends = { right: 0, refused: 0, partly: 0 };
  for (let run = 0; run < (isExhaustive ? 10_000 : 1_000); run += 1) {
    const random = randomNumbers(seed + run);
    const rate = random() * 0.3;
    nextFault = () => (random() < rate ? (faults[Math.floor(random() * faults.length)] as Fault) : null);
    try {
      const { report } = await inspectThere();
      if (JSON.stringify(withoutPlace(report)) === JSON.stringify(expected)) ends.right += 1;
      else {
        // A file that could not be fetched is named as such.
        expect(report.findings.map(({ code }) => code)).toContain('file-unreadable');
        ends.partly += 1;
      }
    } catch (error) {
      if (!(error instanceof PathError)) throw error;
      ends.refused += 1;
    }
  }
  expect(ends.right).toBeGreaterThan(100);
  expect(ends.refused + ends.partly).toBeGreaterThan(100);
});
