import { checkpointOf } from '../builders/inspectCheckpoint.js';
import * as vscode from 'vscode';
import { assertEqual, assertRejects, assertTrue } from './support/assert.js';
import { closeAllEditors, inWorkspace, waitForReport } from './support/extension.js';
import { withFakePanel } from './support/fakePanel.js';

const checkpoint = (): vscode.Uri => inWorkspace('checkpoint-30');

describe('messages of the report panel', () => {
  afterEach(closeAllEditors);

  it('sends nothing before the panel is ready, and the whole state then', () =>
    withFakePanel(checkpoint(), async (panel) => {
      const started = panel.nextEvent('started');
      const report = panel.nextEvent('report');
      panel.endpoint.send('ready', {});
      assertEqual((await started).name, 'checkpoint-30', 'name');
      assertEqual(checkpointOf((await report).report).tensorCount, 5, 'tensors');
    }));

  it('tells a panel that was hidden the state again', () =>
    withFakePanel(checkpoint(), async (panel) => {
      const first = panel.nextEvent('report');
      panel.endpoint.send('ready', {});
      await first;
      const endpoint = panel.reload();
      const second = panel.nextEvent('report');
      endpoint.send('ready', {});
      assertEqual((await second).name, 'checkpoint-30', 'name');
      assertEqual((await endpoint.request('tensorFacets', {})).components.length > 0, true, 'facets');
    }));

  it('answers rows, facets and details from the inspector', () =>
    withFakePanel(checkpoint(), async (panel) => {
      const report = panel.nextEvent('report');
      panel.endpoint.send('ready', {});
      await report;
      const page = await panel.endpoint.request('tensorPage', { query: { search: 'mlp' }, from: 0, count: 10 });
      assertEqual([page.rows.length, page.matching], [2, 2], 'rows that match');
      assertTrue(
        page.rows.every(({ name }) => name.includes('mlp')),
        'names',
      );
      const tree = await panel.endpoint.request('modulePage', { query: { search: 'mlp' }, toggled: [], from: 0, count: 10 });
      assertEqual([tree.rows.length, tree.matching], [tree.lines, 2], 'lines of the tree');
      const detail = await panel.endpoint.request('tensorDetail', { row: 0 });
      assertEqual(detail.dtype, 'f32', 'dtype');
    }));

  it('saves the report where the user says, and nothing when the user thinks better of it', () =>
    withFakePanel(checkpoint(), async (panel) => {
      const report = panel.nextEvent('report');
      panel.endpoint.send('ready', {});
      await report;
      const target = inWorkspace('saved.json');
      assertEqual(await withSaveDialog(target, () => panel.endpoint.request('saveJson', {})), 'saved.json', 'name of the file');
      const saved = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(target))) as { kind: string };
      assertEqual(saved.kind, 'checkpoint', 'kind');
      assertEqual(await withSaveDialog(undefined, () => panel.endpoint.request('saveJson', {})), null, 'answer after cancel');
    }));

  it('saves tensors as CSV and as Arrow', () =>
    withFakePanel(checkpoint(), async (panel) => {
      const report = panel.nextEvent('report');
      panel.endpoint.send('ready', {});
      await report;
      for (const format of ['csv', 'arrow'] as const) {
        const target = inWorkspace(`saved.${format}`);
        await withSaveDialog(target, () => panel.endpoint.request('saveTensors', { format, query: {} }));
        const text = new TextDecoder('latin1').decode(await vscode.workspace.fs.readFile(target));
        assertTrue(text.includes('model.embed_tokens.weight'), `the ${format} file lacks a tensor`);
      }
    }));

  it('tokenizes samples of raw text with the file that the user chooses, and goes on with it', () =>
    withFakePanel(inWorkspace('raw-text'), async (panel) => {
      const nextText = async () => {
        const { report } = await panel.nextEvent('report');
        return report.kind === 'dataset' ? report.text : null;
      };
      const first = nextText();
      panel.endpoint.send('ready', {});
      assertEqual((await first)?.tokenizer, null, 'tokenizer before');
      assertEqual(await withOpenDialog(undefined, () => panel.endpoint.request('chooseTokenizer', {})), null, 'after cancel');
      const chosen = inWorkspace('models', 'tokenizer.json');
      for (const ask of [
        () => withOpenDialog(chosen, () => panel.endpoint.request('chooseTokenizer', {})),
        () => panel.endpoint.request('refresh', {}),
      ]) {
        const next = nextText();
        await ask();
        assertTrue((await next)?.tokenizer?.endsWith('tokenizer.json') === true, 'the sample was not tokenized');
      }
    }));

  it('opens listed files only', () =>
    withFakePanel(checkpoint(), async (panel) => {
      const report = panel.nextEvent('report');
      panel.endpoint.send('ready', {});
      await report;
      for (const path of ['../odd/cut.safetensors', '/etc/hostname', 'nothing.json']) {
        const error = await assertRejects(panel.endpoint.request('openFile', { path, offsetBytes: null }), path);
        assertEqual(error.code, 'not-listed', `code for ${path}`);
      }
      await panel.endpoint.request('openFile', { path: 'config.json', offsetBytes: 4 });
      assertEqual(
        vscode.window.activeTextEditor?.document.uri.path.endsWith('/config.json'),
        true,
        'the text editor shows the file',
      );
      assertEqual(vscode.window.activeTextEditor?.selection.active.line, 1, 'line of the cursor');
    }));

  it('opens the checkpoints of a run, and nothing else', () =>
    withFakePanel(inWorkspace('run'), async (panel) => {
      const report = panel.nextEvent('report');
      panel.endpoint.send('ready', {});
      assertEqual(
        checkpointOf((await report).report).run?.checkpoints.map(({ path }) => path),
        ['checkpoint-10', 'checkpoint-20'],
        'checkpoints',
      );
      for (const path of ['', '.', '../odd', '/etc', 'checkpoint-10/model.safetensors', 'checkpoint-30']) {
        const error = await assertRejects(panel.endpoint.request('inspectCheckpoint', { path }), path);
        assertEqual(error.code, 'not-listed', `code for "${path}"`);
      }
      panel.restoreWindow();
      await panel.endpoint.request('inspectCheckpoint', { path: 'checkpoint-10' });
      const state = await waitForReport(inWorkspace('run', 'checkpoint-10'));
      assertTrue(state.phase === 'done' && checkpointOf(state.report).step === 10, 'the checkpoint has no report');
    }));

  it('puts a strict content security policy and no text of files into the document', () =>
    withFakePanel(inWorkspace('odd'), (panel) => {
      const html = panel.html();
      assertTrue(
        html.includes(`default-src 'none'`) && /script-src 'nonce-[0-9a-f]{32}';/.test(html),
        'the policy is not strict',
      );
      assertTrue(!html.includes('unsafe-') && !/ style=| on\w+=/.test(html), 'the document has inline code or style');
      assertTrue(!html.includes('odd'), 'the document holds a name of the inspected folder');
      return Promise.resolve();
    }));
});

async function withSaveDialog<T>(answer: vscode.Uri | undefined, use: () => Promise<T>): Promise<T> {
  const window = vscode.window as { showSaveDialog: typeof vscode.window.showSaveDialog };
  const original = window.showSaveDialog;
  window.showSaveDialog = () => Promise.resolve(answer);
  try {
    return await use();
  } finally {
    window.showSaveDialog = original;
  }
}

async function withOpenDialog<T>(answer: vscode.Uri | undefined, use: () => Promise<T>): Promise<T> {
  const window = vscode.window as { showOpenDialog: typeof vscode.window.showOpenDialog };
  const original = window.showOpenDialog;
  window.showOpenDialog = () => Promise.resolve(answer && [answer]);
  try {
    return await use();
  } finally {
    window.showOpenDialog = original;
  }
}
