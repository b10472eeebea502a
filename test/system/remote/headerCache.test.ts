import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpSession } from '../../../src/platform/remote/httpSession.js';
import { nodeHeaderCache } from '../../../src/platform/remote/nodeHeaderCache.js';
import { nodeHttp } from '../../../src/platform/remote/nodeHttp.js';
import { createRemoteFileTree } from '../../../src/platform/remote/remoteFileTree.js';
import { RequestBudget } from '../../../src/platform/remote/requestBudget.js';
import { HubStore } from '../../../src/platform/remote/stores/hubStore.js';
import { fixtureRoot } from '../../builders/frameworkFixtures.js';
import { type HubServer, hubServer } from '../../builders/remote/hubServer.js';
import { inspectLocal, inspectRemote, type RemoteInspection, withoutPlace } from '../../builders/remote/remoteInspection.js';

let folder: string;
let hub: HubServer;
const kept = (): string => path.join(folder, 'cache');
const repository = (): string => path.join(folder, 'repository');

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-headers-'));
  cpSync(path.join(fixtureRoot, 'hf/trainer-sharded-safetensors/data/checkpoint-2'), repository(), { recursive: true });
  hub = await hubServer(repository(), 'org/name');
});

afterEach(async () => {
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Addresses of files that the Hub was asked for by it. */
async function inspectAgain(): Promise<RemoteInspection & { fetched: string[] }> {
  const before = hub.requests.length;
  const access = { hub: () => Promise.resolve({ endpoint: hub.origin, token: null }) };
  const inspection = await inspectRemote('hf://org/name', { access, cache: nodeHeaderCache(kept()) });
  const fetched = hub.requests.slice(before).flatMap(({ url }) => (url.includes('/resolve/') ? [path.basename(url)] : []));
  return { ...inspection, fetched };
}

describe('headers that are kept', () => {
  it('are not fetched again, and give the same report', async () => {
    const first = await inspectAgain();
    expect(first.fetched.length).toBeGreaterThan(10);
    const second = await inspectAgain();
    expect(second.fetched).toEqual([]);
    expect(withoutPlace(second.report)).toEqual(withoutPlace(await inspectLocal(repository())));
  });

  it('are fetched again of a file that has changed, and of no other', async () => {
    await inspectAgain();
    const state = path.join(repository(), 'trainer_state.json');
    writeFileSync(state, readFileSync(state, 'utf8').replace('"global_step": 2', '"global_step": 7'));
    const { report, fetched } = await inspectAgain();
    expect(new Set(fetched)).toEqual(new Set(['trainer_state.json']));
    expect(report).toMatchObject({ step: 7 });
  });

  it('are fetched again where the file of the cache is damaged, cut or of another name', async () => {
    await inspectAgain();
    const [first = '', second = '', third = '', fourth = ''] = readdirSync(kept());
    const bytes = readFileSync(path.join(kept(), first));
    bytes[0] = (bytes[0] as number) ^ 1;
    writeFileSync(path.join(kept(), first), bytes);
    writeFileSync(path.join(kept(), second), readFileSync(path.join(kept(), second)).subarray(1));
    writeFileSync(path.join(kept(), third), readFileSync(path.join(kept(), fourth)));
    const { report, fetched } = await inspectAgain();
    expect(fetched.length).toBeGreaterThanOrEqual(3);
    expect(withoutPlace(report)).toEqual(withoutPlace(await inspectLocal(repository())));
  });

  it('have names that say nothing, and are for their user alone', async () => {
    await inspectAgain();
    for (const name of readdirSync(kept())) {
      expect(name).toMatch(/^[0-9a-f]{64}-\d+-\d+$/);
      expect(statSync(path.join(kept(), name)).mode & 0o077).toBe(0);
    }
    expect(statSync(kept()).mode & 0o077).toBe(0);
  });

  it('serve no read of bytes that are verified', async () => {
    await inspectAgain();
    const session = new HttpSession(nodeHttp, new RequestBudget(() => Promise.resolve(true)));
    const place = { kind: 'hub', repository: 'model', id: 'org/name', revision: null, path: '' } as const;
    const store = new HubStore(session, place, { endpoint: hub.origin, token: null });
    const tree = await createRemoteFileTree(
      store,
      { name: 'name', address: 'hf://org/name', path: '' },
      { cache: nodeHeaderCache(kept()) },
    );
    const before = hub.requests.length;
    const config = await tree.open('config.json');
    await config.read(0, config.sizeBytes);
    expect(hub.requests.slice(before).some(({ url }) => url.includes('/resolve/'))).toBe(true);
    const asked = hub.requests.length;
    const cached = await tree.cached?.().open('config.json');
    await cached?.read(0, config.sizeBytes);
    expect(hub.requests).toHaveLength(asked);
  });
});

describe('the room of a cache', () => {
  const bounds = { headerCacheBytes: 8_000, headerCacheRanges: 20 };
  const range = (length: number): Uint8Array => new Uint8Array(length).fill(length % 251);

  it('is bounded in bytes: what was not used for longest is removed', async () => {
    const cache = nodeHeaderCache(kept(), bounds);
    for (let at = 0; at < 30; at += 1) await cache.keep('file', at * 1_000, range(900));
    const names = readdirSync(kept());
    expect(names.reduce((sum, name) => sum + statSync(path.join(kept(), name)).size, 0)).toBeLessThanOrEqual(8_000);
    expect(await cache.find('file', 29_000, 900)).toEqual(range(900));
    expect(await cache.find('file', 0, 900)).toBeNull();
  });

  it('is bounded in files, and takes nothing that is an eighth of it', async () => {
    const cache = nodeHeaderCache(kept(), bounds);
    for (let at = 0; at < 60; at += 1) await cache.keep('file', at, range(1));
    expect(readdirSync(kept()).length).toBeLessThanOrEqual(20);
    await cache.keep('large', 0, range(1_001));
    expect(await cache.find('large', 0, 1_001)).toBeNull();
  });

  it('finds what lies within a kept range, and nothing beyond it or of another file', async () => {
    const cache = nodeHeaderCache(kept(), bounds);
    const bytes = Uint8Array.from({ length: 100 }, (_, at) => at);
    await cache.keep('file', 50, bytes);
    expect(await nodeHeaderCache(kept(), bounds).find('file', 60, 5)).toEqual(bytes.subarray(10, 15));
    expect(await cache.find('file', 149, 2)).toBeNull();
    expect(await cache.find('other', 60, 5)).toBeNull();
  });

  it.runIf(process.platform === 'linux')('is none in a folder that cannot be made', async () => {
    const cache = nodeHeaderCache('/proc/none/headers', bounds);
    await cache.keep('file', 0, range(10));
    expect(await cache.find('file', 0, 10)).toBeNull();
  });

  it('has what several files bring at once, into a folder that is not there yet', async () => {
    const cache = nodeHeaderCache(path.join(kept(), 'below'), { headerCacheBytes: 80_000, headerCacheRanges: 100 });
    await Promise.all(Array.from({ length: 20 }, (_, at) => cache.keep(`file ${at}`, 0, range(10))));
    expect(readdirSync(path.join(kept(), 'below'))).toHaveLength(20);
  });

  it('is no error where nothing can be written', async () => {
    writeFileSync(kept(), 'a file in place of the folder');
    const cache = nodeHeaderCache(kept(), bounds);
    await cache.keep('file', 0, range(10));
    expect(await cache.find('file', 0, 10)).toBeNull();
    expect(withoutPlace((await inspectAgain()).report)).toEqual(withoutPlace(await inspectLocal(repository())));
  });
});
