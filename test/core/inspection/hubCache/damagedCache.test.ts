/** Caches as crashes, copies and users leave them: whatever is there, every byte counts once. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inspect } from '../../../../src/core/inspection/inspect.js';
import { filesIn, hubCaches, hubCacheTree, readHubCacheFixture, type HubCacheFixture } from '../../../builders/hubCache.js';
import { runs } from '../../../builders/seed.js';

type Files = HubCacheFixture['files'];

const caches = hubCaches.map((name) => readHubCacheFixture(name).files);
const targets = ['', '.', '..', '/etc/passwd', 'C:\\blob', '../../blobs/none', '../../../../x', 'a/../b', '../refs/main'];

/** One thing that happens to a file: it goes, it moves, or it is another link. */
const change = fc.record({
  place: fc.nat(),
  what: fc.constantFrom('remove', 'move', 'link', 'swap'),
  to: fc.constantFrom(...targets),
  folder: fc.constantFrom('blobs', 'snapshots', 'refs', '.no_exist', '.locks', 'models--a--b', 'hub', 'datasets'),
});

function changed(files: Files, changes: readonly (typeof change extends fc.Arbitrary<infer T> ? T : never)[]): Files {
  const now = { ...files };
  for (const { place, what, to, folder } of changes) {
    const names = Object.keys(now);
    const name = names[place % names.length];
    if (name === undefined) break;
    const stored = now[name];
    delete now[name];
    if (stored === undefined || what === 'remove') continue;
    const segments = name.split('/');
    if (what === 'swap') segments.reverse();
    else if (what === 'move') segments[place % segments.length] = folder;
    const moved = segments.join('/');
    // A file is no directory at the same time.
    if (Object.keys(now).some((other) => other.startsWith(`${moved}/`) || moved.startsWith(`${other}/`))) continue;
    now[moved] = what === 'link' ? { link: to } : stored;
  }
  return now;
}

it('counts every byte once in any cache', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...caches),
    fc.array(change, { maxLength: 12 }),
    fc.constantFrom('', 'models--org--tiny-gpt2', 'models--org--tiny-gpt2/snapshots', 'models--org--tiny-gpt2/blobs'),
    async (files, changes, directory) => {
      const inside = directory === '' ? files : filesIn(files, directory);
      const location = `/disk/cache/huggingface/hub${directory === '' ? '' : `/${directory}`}`;
      const tree = hubCacheTree(changed(inside, changes), location);
      const bytes = (await tree.list()).entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      const { report } = await inspect(tree, { path: location });
      expect(report.totalBytes).toBe(bytes);
      if (report.kind !== 'collection' || report.cache === undefined) return;
      const { usage } = report.cache;
      expect(usage.reduce((sum, each) => sum + each.bytes, 0)).toBe(bytes);
      const shared = usage.find(({ kind }) => kind === 'shared')?.bytes ?? 0;
      const own = report.parts.reduce((sum, { revision, totalBytes }) => sum + (revision?.ownBytes ?? totalBytes), 0);
      expect(own + shared + report.other.bytes).toBe(bytes);
      expect(report.findings.map(({ code }) => code)).not.toContain('internal-error');
    },
  );
  await fc.assert(property, runs(150));
});
