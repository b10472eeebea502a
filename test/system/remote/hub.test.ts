import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fixtureRoot } from '../../builders/frameworkFixtures.js';
import { type HubOptions, type HubServer, hubServer } from '../../builders/remote/hubServer.js';
import { inspectLocal, inspectRemote, type RemoteInspection, withoutPlace } from '../../builders/remote/remoteInspection.js';

const checkpoint = path.join(fixtureRoot, 'hf/trainer-sharded-safetensors/data');
const token = `hf_${'a1'.repeat(17)}`;
let hub: HubServer;

afterEach(() => hub.close());

async function inspectOnHub(address: string, options: HubOptions = {}, own: string | null = null): Promise<RemoteInspection> {
  hub = await hubServer(checkpoint, 'org/name', options);
  return inspectRemote(address, { access: { hub: () => Promise.resolve({ endpoint: hub.origin, token: own }) } });
}

describe('a model on the Hub', () => {
  it.each<[string, HubOptions]>([
    ['with all content on the Hub itself', {}],
    ['with all content behind redirects', { redirectedBytes: 0 }],
    ['with large content behind redirects that are signed for a range', { redirectedBytes: 2_000, isRangeBound: true }],
    ['with a list of several pages', { pageEntries: 3 }],
  ])('has the report of the same files here, %s', async (_, options) => {
    const { report, counts } = await inspectOnHub('hf://org/name', options);
    expect(report.path).toBe('hf://org/name');
    expect(withoutPlace(report)).toEqual(withoutPlace(await inspectLocal(checkpoint)));
    const { requests } = hub;
    expect(counts.requests).toBe(requests.length + hub.content.requests.length);
    // One for the commit, two for each file of safetensors.
    expect(requests.filter(({ url }) => url.includes('/revision/'))).toHaveLength(1);
    const shards = requests.filter(({ url }) => url.endsWith('.safetensors'));
    expect(shards.length + hub.content.requests.filter(({ url }) => url.includes('.safetensors')).length).toBeLessThanOrEqual(12);
  });

  it('is asked once where content is that stays there', async () => {
    await inspectOnHub('hf://org/name', { redirectedBytes: 0 });
    const asked = hub.requests.map(({ url }) => url).filter((url) => url.includes('/resolve/'));
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('is read with a token, which goes to no other host', async () => {
    const { report } = await inspectOnHub('hf://org/name', { token, redirectedBytes: 0 }, token);
    expect(JSON.stringify(report)).not.toContain(token);
    expect(hub.requests.every(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true);
    expect(hub.content.requests.length).toBeGreaterThan(0);
    expect(hub.content.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it('has a file with those that belong to it, and a folder', async () => {
    const { report: file } = await inspectOnHub('hf://org/name/checkpoint-2/model-00001-of-00003.safetensors');
    expect(withoutPlace(file)).toEqual(
      withoutPlace(await inspectLocal(path.join(checkpoint, 'checkpoint-2/model-00001-of-00003.safetensors'))),
    );
    await hub.close();
    const { report: folder } = await inspectOnHub('hf://org/name@refs/pr/1/checkpoint-2');
    expect(withoutPlace(folder)).toEqual(withoutPlace(await inspectLocal(path.join(checkpoint, 'checkpoint-2'))));
  });

  it.each<[string, string, HubOptions, string | null]>([
    ['there is no model org/name, or it is private: `hf auth login`', 'hf://org/name', { token }, null],
    ['the token that is used', 'hf://org/name', { token }, 'hf_other'],
    ['org/name is gated: its page asks to accept its terms', 'hf://org/name', { token, gated: true }, null],
    ['there is no model org/other', 'hf://org/other', {}, null],
    ['org/name has no revision next', 'hf://org/name@next', {}, null],
    ['there is nothing at this address', 'hf://org/name/no/such', {}, null],
  ])('says: %s', async (words, address, options, own) => {
    await expect(inspectOnHub(address, options, own)).rejects.toThrow(words);
  });
});
