import * as vscode from 'vscode';
import type { ComparisonReport } from '../../src/core/comparison/comparisonReport.js';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import { assertEqual, assertTrue } from './support/assert.js';
import { closeAllEditors, inWorkspace, stowage, waitFor } from './support/extension.js';

const checkpoint = (step: number): vscode.Uri => inWorkspace('run', `checkpoint-${step}`);

/** The comparison with this title, once it has ended. */
async function ended(title: string): Promise<ComparisonReport> {
  const { comparisons } = await stowage();
  const state = await waitFor(
    comparisons.onDidChange,
    () => comparisons.panels().find((panel) => panel.title === title && panel.state.kind !== 'running')?.state,
    `the comparison ${title}`,
  );
  if (state.kind !== 'done') throw new Error(`no comparison: ${JSON.stringify(state)}`);
  return state.report;
}

describe('comparisons', () => {
  afterEach(closeAllEditors);

  it('are of the checkpoint that was selected and the one that was pointed at', async () => {
    const { comparisons } = await stowage();
    await vscode.commands.executeCommand(commandIds.selectForCompare, checkpoint(20));
    await vscode.commands.executeCommand(commandIds.compareWithSelected, checkpoint(10));
    const { a, b, tensors, resume } = await ended('checkpoint-20 ↔ checkpoint-10');
    assertEqual([a.step, b.step], [20, 10], 'steps, that which was selected first');
    assertTrue(tensors.same > 0, 'tensors are the same');
    assertTrue(
      resume.some(({ id }) => id === 'step'),
      'a resume goes on from another step',
    );
    assertEqual(comparisons.panels().length, 1, 'panels');
  });

  it('are of two that are selected at once, the earlier one on the left, in one panel a pair', async () => {
    const { comparisons } = await stowage();
    const both = [checkpoint(20), checkpoint(10)];
    await vscode.commands.executeCommand(commandIds.compareSelected, both[0], both);
    const { a, b } = await ended('checkpoint-10 ↔ checkpoint-20');
    assertEqual([a.step, b.step], [10, 20], 'steps');
    await vscode.commands.executeCommand(commandIds.compareSelected, both[1], both);
    assertEqual(comparisons.panels().length, 1, 'panels');
  });

  it('say why there is none with a folder that is no checkpoint', async () => {
    const { comparisons } = await stowage();
    await vscode.commands.executeCommand(commandIds.selectForCompare, checkpoint(20));
    await vscode.commands.executeCommand(commandIds.compareWithSelected, inWorkspace('other-files'));
    const state = await waitFor(
      comparisons.onDidChange,
      () => comparisons.panels().find(({ state: { kind } }) => kind === 'failed')?.state,
      'the failure',
    );
    assertTrue(state.kind === 'failed' && state.message.includes('other-files'), 'the folder is named');
  });
});
