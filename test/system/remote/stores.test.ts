/** Every checkpoint and data set of the fixtures in each store: the report is that of the same files here. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesBelow } from '../../builders/diskTree.js';
import { casesBelow, fixtureRoot } from '../../builders/frameworkFixtures.js';
import { inspectLocal, inspectRemote, withoutPlace } from '../../builders/remote/remoteInspection.js';
import { azureServer, googleServer, type StoreServer, versityServer } from '../../builders/remote/storeServers.js';
import { ensureAzurite, ensureFakeGoogleStorage, ensureVersityGateway } from '../../runner/ensureStores.mjs';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'stowage-stores-')));
afterAll(() => rmSync(folder, { recursive: true }));

const larger = path.resolve('../shared/fixtures/frameworks');
const roots = [fixtureRoot, ...(existsSync(larger) ? [larger] : [])];

/** Cases by their paths, with the files that a store takes: a link has none of its own there. */
const cases = roots.flatMap((root) =>
  (['checkpoint', 'dataset'] as const).flatMap((kind) => casesBelow(root, kind).map((name) => path.join(root, name, 'data'))),
);

/** What the report of a case is here, read once for all stores. */
const local = new Map<string, Promise<string>>();
function localReport(data: string): Promise<string> {
  const known = local.get(data) ?? inspectLocal(data).then((report) => JSON.stringify(withoutPlace(report)));
  local.set(data, known);
  return known;
}

const s3 = await ensureVersityGateway();
const google = await ensureFakeGoogleStorage();
const azure = await ensureAzurite();

onStore('S3', 'binary' in s3 ? () => versityServer(s3.binary, folder) : s3.missing);
onStore('Google Cloud Storage', 'binary' in google ? () => googleServer(google.binary) : google.missing);
onStore('Azure Blob Storage', 'script' in azure ? () => azureServer(azure.script) : azure.missing);

function onStore(name: string, start: (() => Promise<StoreServer>) | string): void {
  if (typeof start === 'string') {
    console.warn(`\n*** NOT TESTED: inspections in ${name}, as there is no server: ${start} ***\n`);
    it(`has no ${name} to be tested on`, () => expect(start).not.toBe(''));
    return;
  }
  describe(`in ${name}`, () => {
    let store: StoreServer;
    beforeAll(async () => {
      store = await start();
    });
    afterAll(() => store.close());

    it('every fixture has the report of the same files here', async () => {
      expect(cases.length).toBeGreaterThan(50);
      const waiting = [...cases.entries()];
      const work = async (): Promise<void> => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          const [index, data] = next;
          for (const [file, bytes] of Object.entries(filesBelow(data))) await store.put(`${index}/data/${file}`, bytes);
          const { report } = await inspectRemote(`${store.address}/${index}/data`, { access: store.access });
          expect(JSON.stringify(withoutPlace(report)), data).toBe(await localReport(data));
        }
      };
      await Promise.all(Array.from({ length: 6 }, work));
    });
  });
}
