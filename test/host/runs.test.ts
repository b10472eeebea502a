import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import { assertEqual, assertTrue } from './support/assert.js';
import { closeAllEditors, inWorkspace, stowage, waitFor } from './support/extension.js';

const run = (): vscode.Uri => inWorkspace('run');

describe('runs', () => {
  afterEach(closeAllEditors);

  it('are looked for when that is asked for, and not before', async () => {
    const { runs } = await stowage();
    assertEqual(runs.found().length, 0, 'runs before');
    await vscode.commands.executeCommand(commandIds.findRuns);
    const found = runs.found().find(({ uri }) => uri.toString() === run().toString());
    assertEqual(found?.checkpoints.join(), 'checkpoint-20,checkpoint-10', 'checkpoints, the newest first');
    await vscode.commands.executeCommand('stowage.checkpoints.focus');
  });

  it('open a panel that lists the saves', async () => {
    const { runs } = await stowage();
    await vscode.commands.executeCommand(commandIds.showSaves, run());
    const report = await waitFor(runs.onDidList, () => runs.listed(run()) ?? undefined, 'the saves');
    assertEqual(report.runs.map(({ checkpoints }) => checkpoints.map(({ step }) => step).join()).join(' '), '10,20', 'steps');
  });

  it('are followed while a slow writer saves', async () => {
    const { runs } = await stowage();
    const { fs } = vscode.workspace;
    await vscode.commands.executeCommand(commandIds.showSaves, run());
    await waitFor(runs.onDidList, () => runs.listed(run()) ?? undefined, 'the saves');
    runs.follow(run(), true);
    const filesOf = (step: number) => runs.listed(run())?.runs[0]?.checkpoints.find((one) => one.step === step);
    const from = vscode.Uri.joinPath(run(), 'checkpoint-20');
    const to = vscode.Uri.joinPath(run(), 'checkpoint-40');
    try {
      const names = (await fs.readDirectory(from)).filter(([, type]) => type === vscode.FileType.File).map(([name]) => name);
      assertTrue(names.length > 1, 'a save of one file is never under way');
      for (const [index, name] of names.entries()) {
        await fs.copy(vscode.Uri.joinPath(from, name), vscode.Uri.joinPath(to, name));
        await waitFor(
          runs.onDidList,
          () => (filesOf(40)?.files === index + 1 ? true : undefined),
          `${index + 1} files of the save`,
        );
        assertEqual(filesOf(40)?.complete, index + 1 === names.length, `complete with ${name}`);
      }
    } finally {
      runs.follow(run(), false);
      await fs.delete(to, { recursive: true });
    }
  });
});
