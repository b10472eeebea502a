/** The cache of the Hugging Face Hub: what our report says of it is what huggingface_hub's own scan says. */
import { describe, expect, it } from 'vitest';
import type { CollectionReport } from '../../../../src/core/inspection/collection/collectionReport.js';
import { inspect } from '../../../../src/core/inspection/inspect.js';
import type { Report } from '../../../../src/core/inspection/report.js';
import { renderMarkdown } from '../../../../src/core/pages/reportMarkdown.js';
import { renderTerminal } from '../../../../src/core/pages/reportTerminal.js';
import { filesIn, hubCaches, hubCacheTree, readHubCacheFixture, type HubCacheFixture } from '../../../builders/hubCache.js';
import { compileSchemaFile, schemaErrors } from '../../../builders/schemaErrors.js';

const home = '/disk/cache/huggingface';
const validate = compileSchemaFile('docs/collection-report.schema.json');

async function reportOf(files: HubCacheFixture['files'], location = `${home}/hub`): Promise<Report> {
  return (await inspect(hubCacheTree(files, location), { path: location })).report;
}

/** Bytes of all files, each once. */
async function bytesOf(files: HubCacheFixture['files']): Promise<number> {
  const { entries } = await hubCacheTree(files).list();
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

type CacheCollection = CollectionReport & Required<Pick<CollectionReport, 'cache'>>;

/** The report, which has to be of a cache, and whose numbers have to add up. */
async function cacheOf(files: HubCacheFixture['files'], location?: string): Promise<CacheCollection> {
  const report = await reportOf(files, location);
  if (report.kind !== 'collection' || report.cache === undefined) throw new Error(`this is a ${report.kind}`);
  expect(schemaErrors(validate, JSON.parse(JSON.stringify(report)))).toEqual([]);
  const { usage } = report.cache;
  expect(report.totalBytes).toBe(await bytesOf(files));
  expect(usage.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(report.totalBytes);
  expect(usage.reduce((sum, each) => sum + each.files, 0)).toBe(Object.values(files).filter((file) => !('link' in file)).length);
  const shared = usage.find(({ kind }) => kind === 'shared')?.bytes ?? 0;
  const own = report.parts.reduce((sum, { revision, totalBytes }) => sum + (revision?.ownBytes ?? totalBytes), 0);
  expect(own + shared + report.other.bytes).toBe(report.totalBytes);
  for (const { revision, totalBytes } of report.parts)
    if (revision !== undefined) expect(revision.ownBytes + revision.sharedBytes).toBe(totalBytes);
  return { ...report, cache: report.cache };
}

describe.each(hubCaches)('the cache %s', (name) => {
  const { files, scan } = readHubCacheFixture(name);

  it('has the revisions, sizes, refs and freed bytes of scan_cache_dir', async () => {
    const { parts } = await cacheOf(files);
    const own = parts
      .filter(({ path }) => !scan.ignoredRepositories.some((ignored) => path.startsWith(`${ignored}/`)))
      .map((part) => ({
        id: `${part.revision?.type}/${part.revision?.repository}`,
        commit: part.revision?.commit,
        sizeOnDisk: part.totalBytes,
        files: part.files,
        refs: part.revision?.refs,
        freed: part.revision?.ownBytes,
      }));
    const theirs = Object.entries(scan.repositories).flatMap(([id, { revisions }]) =>
      Object.entries(revisions).map(([commit, revision]) => ({ id, commit, ...revision })),
    );
    const byName = (rows: { id: string; commit: string | undefined }[]): object =>
      Object.fromEntries(rows.map((row) => [`${row.id}@${row.commit}`, row]));
    expect(own.length).toBe(theirs.length);
    expect(byName(own)).toEqual(byName(theirs));
  });

  it('has its repositories, and knows which ones it leaves out', async () => {
    const { repositories } = (await cacheOf(files)).cache;
    const kept = repositories.filter(({ isConsistent }) => isConsistent);
    expect(Object.fromEntries(kept.map(({ type, id, bytes, files: count }) => [`${type}/${id}`, [bytes, count]]))).toEqual(
      Object.fromEntries(Object.entries(scan.repositories).map(([id, each]) => [id, [each.sizeOnDisk, each.files]])),
    );
    const left = repositories.filter(({ isConsistent }) => !isConsistent).map(({ path }) => path);
    expect(left.sort()).toEqual(scan.ignoredRepositories);
  });

  it('frees by pruning what hf cache prune says', async () => {
    const { cache } = await cacheOf(files);
    expect(cache).toMatchObject({
      prune: { ...scan.prune, incompleteFiles: scan.incomplete.files, storeFiles: name === 'shared-blobs' ? 1 : 0 },
    });
  });
});

const { files: hub } = readHubCacheFixture('hub');
const tiny = 'models--org--tiny-gpt2';
const main = '12fe8dd745be4f73a6f46e3b7392f796aa9bfae3';

describe('a directory of the cache', () => {
  it('is named as one', async () => {
    expect(await cacheOf(hub)).toMatchObject({ layout: 'huggingface-cache' });
  });

  it('of one repository has a row for each revision', async () => {
    const report = await cacheOf(filesIn(hub, tiny), `${home}/hub/${tiny}`);
    expect(report.parts.map(({ path, verdict }) => [path, verdict]).sort()).toEqual([
      [`snapshots/${main}`, 'weights-only'],
      ['snapshots/e4f34d83be1800b0e5a7c84b6db4688788d0fb9a', 'weights-only'],
    ]);
  });

  it('of a repository with one revision gives the report of the model, and every byte beside it', async () => {
    const name = 'models--gpt-one-word';
    const files = filesIn(hub, name);
    const report = await reportOf(files, `${home}/hub/${name}`);
    expect(report).toMatchObject({ kind: 'checkpoint', layout: 'gguf', totalBytes: await bytesOf(files) });
    const commit = '420a32e263e8b2e59b4de7809ebbee34e74c9b61';
    expect(report.kind === 'checkpoint' && report.files.map(({ path, bytes }) => [path, bytes])).toEqual([
      [`snapshots/${commit}/model.gguf`, 23_680],
      ['refs/v1.0', 40],
    ]);
    expect(report).toMatchObject({ revision: { repository: 'gpt-one-word', type: 'model', commit, refs: ['v1.0'] } });
  });

  it('of a data set with one revision gives the report of the data set', async () => {
    const files = filesIn(hub, 'datasets--org--tokens');
    const report = await reportOf(files, `${home}/hub/datasets--org--tokens`);
    expect(report).toMatchObject({ kind: 'dataset', layout: 'parquet', totalBytes: await bytesOf(files) });
    expect(report).toMatchObject({ tokens: { count: 32_571, exact: true } });
  });

  it('of a download that was not allowed says what is missing, and what is left of the attempt', async () => {
    const report = await reportOf(filesIn(hub, 'models--org--gated'), `${home}/hub/models--org--gated`);
    expect(report.kind).toBe('checkpoint');
    expect(report.findings.map(({ code }) => code)).toContain('cache-download-incomplete');
    expect(report.totalBytes).toBe(817 + 28_000 + 40);
  });

  it('of a broken link names the blob', async () => {
    const report = await reportOf(filesIn(hub, 'models--org--broken'), `${home}/hub/models--org--broken`);
    const details = report.findings
      .filter(({ severity }) => severity === 'error')
      .map(({ code, message }) => `${code}: ${message}`);
    expect(details.join('\n')).toContain('cache-link-broken: 1 link of model/org/broken@d51afbd');
    expect(details.join('\n')).toContain('blob 4038769e');
  });

  it('is found around the home of the libraries, whose logins are counted and never opened', async () => {
    const files = {
      ...Object.fromEntries(Object.entries(hub).map(([file, stored]) => [`hub/${file}`, stored])),
      token: { base64: btoa('hf_secret') },
      stored_tokens: { base64: btoa('[a]\nhf_token = hf_secret') },
      'xet/https___cas_serv-tGqkUaZf_CBPHQ6h/chunk-cache/AA/x': { base64: btoa('chunk') },
      'hub/version.txt': { base64: btoa('1') },
    };
    const tree = hubCacheTree(files, home);
    const opened: string[] = [];
    const watched = { ...tree, open: (file: string) => (opened.push(file), tree.open(file)) };
    const { report } = await inspect(watched, { path: home });
    expect(opened).not.toContain('token');
    expect(opened).not.toContain('stored_tokens');
    expect(JSON.stringify(report)).not.toContain('secret');
    const { cache } = await cacheOf(files, home);
    expect(cache.usage).toContainEqual({ kind: 'xet', bytes: 5, files: 1 });
    expect(report).toMatchObject({ layout: 'huggingface-cache' });
  });

  it('claims nothing of what is not listed where the listing is cut', async () => {
    const tree = hubCacheTree(hub);
    const cut = { ...tree, list: async () => ({ ...(await tree.list()), truncated: true }) };
    const { report } = await inspect(cut, { path: 'hub' });
    expect(report).toMatchObject({ kind: 'collection', cache: { prune: null } });
    const codes = new Set(report.findings.map(({ code }) => code));
    expect(codes.has('listing-incomplete')).toBe(true);
    for (const code of ['cache-revision-detached', 'cache-blobs-unlinked', 'cache-ref-missing'])
      expect(codes.has(code)).toBe(false);
  });
});

describe('a revision with several models', () => {
  const commit = 'a'.repeat(40);
  const quantizations: HubCacheFixture['files'] = {
    'refs/main': { base64: btoa(commit) },
    'blobs/1': { from: 'gguf/alignment/data/a.gguf' },
    'blobs/2': { from: 'gguf/big-endian/data/be.gguf' },
    [`snapshots/${commit}/model-Q4.gguf`]: { link: '../../blobs/1' },
    [`snapshots/${commit}/model-Q8.gguf`]: { link: '../../blobs/2' },
  };
  const inHub = Object.fromEntries(Object.entries(quantizations).map(([file, stored]) => [`models--org--gguf/${file}`, stored]));

  it('is one row of a cache, with the numbers of the largest', async () => {
    const report = await cacheOf(inHub);
    expect(report.parts).toMatchObject([
      { layout: 'gguf', verdict: 'weights-only', files: 2, revision: { parts: 2, refs: ['main'] } },
    ]);
    expect(renderTerminal(report, { width: 100, color: false })).toContain('GGUF and 1 more');
  });

  it('has a row for each in its own report, and what the repository holds beside them', async () => {
    const report = await reportOf(quantizations, `${home}/hub/models--org--gguf`);
    expect(report).toMatchObject({
      kind: 'collection',
      totalBytes: await bytesOf(quantizations),
      other: { bytes: 40, files: 1 },
    });
    expect(schemaErrors(validate, JSON.parse(JSON.stringify(report)))).toEqual([]);
    expect(report.kind === 'collection' && report.parts.map(({ path }) => path).sort()).toEqual([
      `snapshots/${commit}/model-Q4.gguf`,
      `snapshots/${commit}/model-Q8.gguf`,
    ]);
  });
});

describe('a revision of which only the config was asked for', () => {
  const commit = 'a'.repeat(40);
  const files: HubCacheFixture['files'] = {
    'models--org--name/blobs/0123': { base64: btoa('{"model_type":"llama"}') },
    'models--org--name/refs/main': { base64: btoa(commit) },
    [`models--org--name/snapshots/${commit}/config.json`]: { link: '../../blobs/0123' },
    ...Object.fromEntries(
      Object.entries(filesIn(hub, 'models--gpt-one-word')).map(([file, stored]) => [`models--gpt-one-word/${file}`, stored]),
    ),
  };

  it('is nothing broken in the cache', async () => {
    const { parts } = await cacheOf(files);
    expect(parts.find(({ revision }) => revision?.commit === commit)).toMatchObject({ verdict: 'none', findingCodes: [] });
  });

  it('says in its own report how to get the rest', async () => {
    const report = await reportOf(filesIn(files, 'models--org--name'), `${home}/hub/models--org--name`);
    expect(report.findings.map(({ code }) => code)).toEqual(['cache-revision-without-weights']);
    expect(report).toMatchObject({ kind: 'checkpoint', resume: { verdict: 'none' } });
  });
});

it('data sets that the library datasets has cached are parts beside the revisions', async () => {
  const files: HubCacheFixture['files'] = {
    ...Object.fromEntries(
      Object.entries(filesIn(hub, 'models--gpt-one-word')).map(([file, stored]) => [`hub/models--gpt-one-word/${file}`, stored]),
    ),
    'datasets/org___name/default/0.0.0/abc/name-train.arrow': {
      from: 'datasets/arrow-lists/data/tokenized/data-00000-of-00003.arrow',
    },
    'datasets/org___name/default/0.0.0/abc/dataset_info.json': { base64: btoa('{}') },
    'datasets/downloads/0a1b.incomplete': { base64: btoa('partial') },
    'modules/transformers_modules/__init__.py': { base64: '' },
    'assets/library/note.bin': { base64: btoa('note') },
  };
  const report = await cacheOf(files, home);
  expect(report).toMatchObject({ layout: 'huggingface-cache' });
  expect(report.parts.map(({ kind, layout }) => `${kind} ${layout}`).sort()).toEqual([
    'checkpoint gguf',
    'dataset huggingface-dataset',
  ]);
});

describe('a part of a repository', () => {
  /** Links of which the targets are outside of the tree, with the size of these, as a disk lists them. */
  function outside(directory: string, location: string): ReturnType<typeof hubCacheTree> {
    const tree = hubCacheTree(hub);
    const below = async (): ReturnType<typeof tree.list> => {
      const all = await tree.list();
      const sizes = new Map(all.entries.map(({ path, sizeBytes }) => [path, sizeBytes]));
      const entries = all.entries
        .filter(({ path }) => path.startsWith(`${directory}/`))
        .map((entry) => ({
          ...entry,
          path: entry.path.slice(directory.length + 1),
          ...(entry.link?.entry !== undefined && {
            sizeBytes: sizes.get(entry.link.entry) ?? 0,
            link: { target: entry.link.target, inside: false },
          }),
        }));
      return { ...all, entries };
    };
    return {
      rootName: directory.split('/').at(-1) ?? '',
      location,
      list: below,
      open: async (file) => {
        const entry = (await tree.list()).entries.find(({ path }) => path === `${directory}/${file}`);
        return tree.open(entry?.link?.entry ?? `${directory}/${file}`);
      },
    };
  }

  it('of one revision is its report, with the repository and the commit', async () => {
    const directory = `${tiny}/snapshots/${main}`;
    const { report } = await inspect(outside(directory, `${home}/hub/${directory}`), { path: main });
    expect(report).toMatchObject({ kind: 'checkpoint', layout: 'huggingface-model', totalBytes: 125_980 });
    expect(report).toMatchObject({ revision: { repository: 'org/tiny-gpt2', type: 'model', commit: main, refs: null } });
  });

  it('of all snapshots counts what they share once, and does not claim to know refs', async () => {
    const directory = `${tiny}/snapshots`;
    const { report } = await inspect(outside(directory, `${home}/hub/${directory}`), { path: 'snapshots' });
    expect(report).toMatchObject({ kind: 'collection', totalBytes: 125_980, cache: { prune: null } });
    expect(report).toMatchObject({ parts: [{ revision: { refs: null } }, { revision: { refs: null } }] });
  });

  it('of blobs alone is what their first bytes say, and where their names are', async () => {
    const directory = `${tiny}/blobs`;
    const { report } = await inspect(outside(directory, `${home}/hub/${directory}`), { path: 'blobs' });
    expect(report).toMatchObject({ kind: 'checkpoint', totalBytes: 186_408, bytesPerParameter: null });
    expect(report.findings.map(({ code }) => code)).toEqual(['cache-blobs-alone']);
  });

  it('of refs alone is no cache', async () => {
    const directory = `${tiny}/refs`;
    const { report } = await inspect(outside(directory, `${home}/hub/${directory}`), { path: 'refs' });
    expect(report).toMatchObject({ kind: 'checkpoint', layout: 'unknown', totalBytes: 80 });
  });
});

describe('in words', () => {
  it('a cache has a row for each revision, and what its bytes are', async () => {
    const text = renderTerminal(await cacheOf(hub), { width: 100, color: false });
    expect(text).toContain(
      'Hugging Face cache\n\n467 kB (456 KiB): 10 revisions of 9 repositories. Each has a report of its own.',
    );
    expect(text).toContain('hf cache prune would free 119 kB: 1 revision without a ref and 1 incomplete download.');
    expect(text).toMatch(/^ {2}model\/org\/tiny-gpt2@12fe8dd \(main\) +Hugging Face model +126 kB +0 B /m);
    expect(text).toMatch(/^ {2}space\/org\/demo@f6862cb \(main\) +space +21 B +21 B +no checkpoint/m);
    expect(text).toMatch(/^ {2}shared by several revisions +126 kB {2}3 files$/m);
  });

  it('Markdown has the same', async () => {
    const text = renderMarkdown(await cacheOf(hub));
    expect(text).toContain('| dataset/org/tokens@9b3b1ec \\(main\\) | Parquet | 21.6 kB | 21.6 kB |');
    expect(text).toContain('| incomplete downloads | 28 kB | 1 |');
  });

  it('a repository without a revision has nothing to load', async () => {
    const name = 'models--org--gated';
    const blobs = Object.entries(filesIn(hub, name)).filter(([file]) => file.startsWith('blobs/'));
    const report = await cacheOf(Object.fromEntries(blobs), `${home}/hub/${name}`);
    expect(report).toMatchObject({ parts: [], totalBytes: 28_817 });
    expect(renderTerminal(report, { width: 100, color: false })).toContain('28.8 kB (28.1 KiB): Nothing to load.');
  });

  it('a revision is named in the line below its path', async () => {
    const name = 'models--gpt-one-word';
    const report = await reportOf(filesIn(hub, name), `${home}/hub/${name}`);
    expect(renderTerminal(report, { width: 100, color: false })).toContain('GGUF · model/gpt-one-word@420a32e (v1.0)');
  });
});

describe('a directory with links that is no cache', () => {
  it('stays what it was', async () => {
    const files: HubCacheFixture['files'] = {
      'models--org--name.txt': { base64: btoa('notes') },
      'models--x/readme.txt': { base64: btoa('notes') },
      '.locks/models--org--name/blobs/a.lock': { base64: '' },
    };
    expect(await reportOf(files, '/data/things')).not.toHaveProperty('cache');
  });

  it('beside a cache has rows of its own', async () => {
    const model = filesIn(hub, 'models--gpt-one-word');
    const files = {
      ...Object.fromEntries(Object.entries(model).map(([file, stored]) => [`models--gpt-one-word/${file}`, stored])),
      'run/model.safetensors': { from: 'hf/ct-fp8/data/model.safetensors' },
      'run/config.json': { from: 'hf/ct-fp8/data/config.json' },
    };
    const report = await cacheOf(files, '/scratch/user');
    expect(report).not.toHaveProperty('layout');
    expect(report.parts.map(({ path }) => path).sort()).toEqual([
      'models--gpt-one-word/snapshots/420a32e263e8b2e59b4de7809ebbee34e74c9b61',
      'run',
    ]);
  });

  it('ends where links point at each other', async () => {
    const commit = 'a'.repeat(40);
    const files: HubCacheFixture['files'] = {
      [`models--a/snapshots/${commit}/x`]: { link: 'y' },
      [`models--a/snapshots/${commit}/y`]: { link: '../../../../../../../../etc/passwd' },
      'models--a/refs/main': { base64: btoa('b'.repeat(5000)) },
    };
    const report = await cacheOf(files);
    expect(report).toMatchObject({ parts: [{ revision: { ownBytes: 0, brokenLinks: 2 } }] });
  });
});
