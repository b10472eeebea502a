// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { foldersOf } from '../../webview/panel/breadcrumb.js';

it('names the folders around paths of every system, and around addresses', () => {
  expect(foldersOf('/scratch/runs/a')).toEqual(['scratch', 'runs']);
  expect(foldersOf('/a/b/')).toEqual(['a']);
  expect(foldersOf('C:\\models\\llama\\model.safetensors')).toEqual(['C:', 'models', 'llama']);
  expect(foldersOf('\\\\server\\share\\a.pt')).toEqual(['server', 'share']);
  expect(foldersOf('/data/a\\b/c')).toEqual(['data', 'a\\b']);
  expect(foldersOf('vscode-vfs://github/org/repo/model.bin')).toEqual(['vscode-vfs://github', 'org', 'repo']);
  expect(foldersOf('hf://org/name')).toEqual(['hf://org']);
  expect(foldersOf('s3://bucket/run/step-5')).toEqual(['s3://bucket', 'run']);
  expect(foldersOf('s3://bucket')).toEqual(['s3://']);
  expect(foldersOf('model.bin')).toEqual([]);
  expect(foldersOf('')).toEqual([]);
});
