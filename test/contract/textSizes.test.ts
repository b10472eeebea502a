import { expect, it } from 'vitest';
import { readText, repositoryFiles } from './projectFiles.js';

const sheets = repositoryFiles().filter((file) => /^webview\/.*\.(ts|css)$/.test(file));

/** Labels of charts are drawn into shapes whose places are computed with their size. */
const ofCharts = 'webview/shared/chartStyles.ts: 12px';

it('gives texts of panels one of four sizes', () => {
  const sizes = sheets
    .flatMap((file) => [...readText(file).matchAll(/font-size:\s*([^;]+);/g)].map(([, size]) => `${file}: ${size}`))
    .filter((size) => size !== ofCharts);
  expect(sizes.length).toBeGreaterThan(20);
  expect(sizes.filter((size) => !/: var\(--stowage-(headline|large|body|small)\)$/.test(size))).toEqual([]);
});

it('has them as 20, 15, 13 and 12 px at the usual size of the editor', () => {
  const tokens = readText('webview/shared/tokens.css');
  for (const [name, px] of [
    ['headline', 20],
    ['large', 15],
    ['small', 12],
  ] as const)
    expect(tokens).toContain(`--stowage-${name}: calc(var(--stowage-body) * ${px} / 13);`);
  expect(tokens).toContain('--stowage-body: var(--vscode-font-size, 13px);');
});

it('sets no size by a shorthand', () => {
  const shorthands = sheets.flatMap((file) => [...readText(file).matchAll(/[\s;{]font:\s*([^;]+);/g)].map(([, value]) => value));
  expect(new Set(shorthands)).toEqual(new Set(['inherit']));
});
