// @vitest-environment happy-dom
/** The panel of a directory of several things, on a cache of the Hugging Face Hub. */
import { afterEach, describe, expect, it } from 'vitest';
import { inspect } from '../../src/core/inspection/inspect.js';
import '../../webview/collection/collectionView.js';
import { onPanelEvent } from '../../webview/panel/panelEvents.js';
import { hubCacheTree, readHubCacheFixture } from '../builders/hubCache.js';
import './standInPage.js';

afterEach(() => document.body.replaceChildren());

async function openCache(): Promise<HTMLElementTagNameMap['stowage-collection-view']> {
  const { report } = await inspect(hubCacheTree(readHubCacheFixture('hub').files), { path: '/cache/hub' });
  if (report.kind !== 'collection') throw new Error(`this is a ${report.kind}`);
  const view = document.createElement('stowage-collection-view');
  view.name = 'hub';
  view.report = report;
  document.body.append(view);
  await view.updateComplete;
  const table = view.shadowRoot?.querySelector('stowage-data-grid');
  while (table !== null && table !== undefined && !(await table.updateComplete));
  return view;
}

const cellsOf = (row: Element): string[] =>
  [...row.querySelectorAll('th, td, .cell')].map((cell) => {
    const read = cell.cloneNode(true) as Element;
    for (const hidden of read.querySelectorAll('[aria-hidden]')) hidden.remove();
    return (read.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  });

/** Of the table of parts, its header first. */
const rowsOf = (view: HTMLElementTagNameMap['stowage-collection-view']): Element[] => [
  ...(view.shadowRoot?.querySelector('stowage-data-grid')?.shadowRoot?.querySelectorAll('.row') ?? []),
];

describe('the panel of a cache', () => {
  it('has a row for each revision, by its repository, and what only it has', async () => {
    const view = await openCache();
    const rows = rowsOf(view).map(cellsOf);
    expect(rows[0]?.slice(0, 4)).toEqual(['part', 'what', 'size', 'only here']);
    expect(rows[1]?.slice(0, 4)).toEqual(['model/org/tiny-gpt2@12fe8dd (main)', 'Hugging Face model', '126 kB', '0 B']);
    expect(rows).toHaveLength(11);
  });

  it('says what its bytes are', async () => {
    const view = await openCache();
    const rows = [...(view.shadowRoot?.querySelectorAll('section[aria-label="Bytes of the cache"] tr') ?? [])].map(cellsOf);
    expect(rows).toContainEqual(['incomplete downloads', '28 kB', '1']);
  });

  it('opens the report of a revision by its path', async () => {
    const view = await openCache();
    const opened: unknown[] = [];
    onPanelEvent(document.body, 'panel-checkpoint', (part) => void opened.push(part));
    rowsOf(view)[1]?.querySelector<HTMLButtonElement>('button.link')?.click();
    expect(opened).toEqual([{ path: 'models--org--tiny-gpt2/snapshots/12fe8dd745be4f73a6f46e3b7392f796aa9bfae3' }]);
  });
});
