/** What refuses a run: its policy, what that names, and its holds. Nothing is proposed then. */
import { describe, expect, it } from 'vitest';
import { retentionOf } from '../../../src/app/retention/retentionOf.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';

const run = Object.fromEntries(
  [100, 200, 300].flatMap((step) =>
    ['model.safetensors', 'optimizer.pt', 'scheduler.pt'].map((name) => [`/run/checkpoint-${step}/${name}`, 'x']),
  ),
);

const asked = (files: Record<string, string>, workspace?: string) =>
  retentionOf(memoryPlatform({ ...run, '/run/.stowage/retention.yaml': 'keepLast: 2\n', ...files }), {
    path: '/run',
    ...(workspace === undefined ? {} : { workspace }),
  });

describe('a run', () => {
  it.each([
    [
      'a policy that is larger than any',
      { '/run/.stowage/retention.yaml': '#'.repeat(limits.retentionCharacters + 1) },
      '/run/.stowage/retention.yaml cannot be judged: it has',
    ],
    [
      'a policy with an error',
      { '/run/.stowage/retention.yaml': 'keepLast: -2' },
      'is no retention policy: line 1: keepLast must be from 1',
    ],
    [
      'holds with an error',
      { '/run/.stowage/holds.yaml': 'holds: [1]' },
      '/run has holds with an error: .stowage/holds.yaml, line 1',
    ],
    [
      'holds that are larger than any',
      { '/run/.stowage/holds.yaml': '#'.repeat(limits.retentionCharacters + 1) },
      'has holds that cannot be read',
    ],
    [
      'a hold of nothing',
      { '/run/.stowage/holds.yaml': 'holds: [{path: checkpoint-30, reason: legal}]' },
      'holds checkpoint-30, which is not here',
    ],
    [
      'holds under another name',
      { '/run/.stowage/holds.yml': 'holds: []' },
      'has holds where they are not read: .stowage/holds.yml',
    ],
    [
      'a directory in the place of its holds',
      { '/run/.stowage/holds.yaml/a': 'holds: []' },
      'has holds where they are not read: .stowage/holds.yaml/a',
    ],
    [
      'a manifest that is not there',
      { '/run/.stowage/retention.yaml': 'keepLast: 2\ncopies: {wanted: 1, manifest: copy.jsonl}' },
      '/run/.stowage/copy.jsonl cannot be judged',
    ],
    [
      'a manifest with an error',
      { '/run/.stowage/retention.yaml': 'keepLast: 2\ncopies: {wanted: 1, manifest: /copy.jsonl}', '/copy.jsonl': '\nx' },
      '/copy.jsonl is no manifest of a copy: line 2',
    ],
    [
      'a table with an error',
      {
        '/run/.stowage/retention.yaml': 'keepBest: {metric: loss, mode: min, count: 1, csv: l.csv}',
        '/run/.stowage/l.csv': 'a\nb',
      },
      'is no table of a metric: line 2',
    ],
  ])('with %s is refused', async (_name, files, sentence) => {
    await expect(asked(files as unknown as Record<string, string>)).rejects.toThrow(sentence);
  });

  it.each([
    ['latest', 'run/checkpoint-100\n', 'pointer'],
    ['best.txt', '/run/checkpoint-100/', 'pointer'],
    ['current', './run/checkpoint-100/model.safetensors', 'pointer'],
    // Of another run, of no checkpoint, and no pointer by its name.
    ['latest', 'other/checkpoint-100', undefined],
    ['latest', '../run/checkpoint-100', undefined],
    ['latest', 'run', undefined],
    ['notes.txt', 'run/checkpoint-100', undefined],
  ])('with %s beside it that has %j: %s', async (name, text, code) => {
    const { report } = await asked({ [`/${name}`]: text, '/other/checkpoint-100/model.safetensors': 'x' });
    const kept = report.keep.find((one) => one.path === 'checkpoint-100');
    expect(kept?.reasons).toEqual(code === undefined ? undefined : [expect.objectContaining({ code, detail: `../${name}` })]);
    expect(report.notes).toEqual([]);
  });

  it('says that pointers beside it are not known where that cannot be looked at', async () => {
    const platform = memoryPlatform({ ...run, '/run/.stowage/retention.yaml': 'keepLast: 2\n' });
    const openFolders = () => Promise.reject(new FormatError('io', 'permission denied'));
    const { report } = await retentionOf({ ...platform, openFolders }, { path: '/run' });
    expect(report.notes).toEqual([{ code: 'beside-unseen', path: '..', detail: 'permission denied' }]);
    expect(report.drop).toEqual([]);
  });

  it('lets nothing go where the workspace has more than limits.workspaceLinks links', async () => {
    const platform = memoryPlatform({ ...run, '/run/.stowage/retention.yaml': 'keepLast: 2\n' });
    const links = (count: number) =>
      Array.from({ length: count }, (_link, index) => ({
        path: `link${index}`,
        sizeBytes: 0,
        modifiedMs: 1,
        link: { target: '/elsewhere', inside: false },
      }));
    const isUnknown = async (count: number) => {
      const openTree: typeof platform.openTree = async (path) => {
        if (path === '/run') return platform.openTree(path);
        if (path !== '/models') throw new FormatError('io', 'it does not exist');
        const listing = { entries: links(count), errors: [], truncated: false };
        return {
          rootName: 'models',
          list: () => Promise.resolve(listing),
          open: () => Promise.reject(new FormatError('io', 'none')),
        };
      };
      const { report } = await retentionOf({ ...platform, openTree }, { path: '/run', workspace: '/models' });
      const why = report.undecided.flatMap((one) => one.why);
      return why.some(({ code, detail }) => code === 'adapter-unreadable' && detail === '/models');
    };
    expect(await isUnknown(3)).toBe(false);
    expect(await isUnknown(limits.workspaceLinks + 1)).toBe(true);
  });

  it.each([
    ['run/checkpoint-100', ['held']],
    ['checkpoint-100', ['held']],
    ['run', ['held']],
    ['another/checkpoint-100', []],
  ])('is held by a file beside it, as %s', async (path, codes) => {
    const { report } = await asked({
      '/.stowage/holds.yaml': `holds: [{path: ${path}, reason: legal}]`,
      '/another/checkpoint-100/model.safetensors': 'x',
    });
    const found = report.keep.find((one) => one.path === 'checkpoint-100')?.reasons.map(({ code }) => code) ?? [];
    expect(found).toEqual(codes);
    await expect(asked({ '/.stowage/holds.yaml': 'holds' })).rejects.toThrow(
      '/.stowage has holds with an error: holds.yaml, line 1',
    );
  });

  it('is refused with a hold beside it of what is not there', async () => {
    const holds = { '/.stowage/holds.yaml': 'holds: [{path: Run/checkpoint-100, reason: legal}]' };
    await expect(asked(holds)).rejects.toThrow('holds Run/checkpoint-100, which is not here');
  });

  it('reads manifests of half a million files', () => {
    expect(limits.copyManifestBytes).toBeGreaterThan(limits.listedFiles * 150);
  });

  it('keeps the base of an adapter in the workspace', async () => {
    const files = { '/projects/lora/adapter_config.json': JSON.stringify({ base_model_name_or_path: '../run/checkpoint-100' }) };
    const { report } = await asked(files, '/projects');
    expect(report.keep.find(({ path }) => path === 'checkpoint-100')?.reasons).toEqual([
      { code: 'base-of-adapter', detail: 'lora/adapter_config.json' },
    ]);
  });
});
