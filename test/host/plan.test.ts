import * as vscode from 'vscode';
import { editorIds } from '../../src/host/ids.js';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import { assertEqual, assertTrue } from './support/assert.js';
import { closeAllEditors, inspectAndWait, inWorkspace, waitFor } from './support/extension.js';

interface PlanText {
  kind: string;
  name: string;
  inputs: Record<string, unknown>;
  origins: Record<string, { kind: string; text: string }>;
  measured?: { label: string; bytes: number }[];
}

const tabs = vscode.window.tabGroups;

/** Documents of plans that are open in the planner. */
function planners(): vscode.Uri[] {
  return tabs.all
    .flatMap((group) => group.tabs)
    .map(({ input }) => input)
    .filter((input): input is vscode.TabInputCustom => input instanceof vscode.TabInputCustom)
    .filter(({ viewType }) => viewType === editorIds.planEditor)
    .map(({ uri }) => uri);
}

/** Runs the command and answers the plan that it opens. */
async function planOf(argument: unknown): Promise<{ uri: vscode.Uri; plan: PlanText }> {
  const before = new Set(planners().map(String));
  await vscode.commands.executeCommand(commandIds.plan, argument);
  const added = () => planners().find((uri) => !before.has(uri.toString()));
  const uri = await waitFor(tabs.onDidChangeTabs, added, 'a planner');
  const document = await vscode.workspace.openTextDocument(uri);
  return { uri, plan: JSON.parse(document.getText()) as PlanText };
}

/** Editors of plans hold changes that were never saved: they are reverted, so that closing shows no prompt. */
async function closePlans(): Promise<void> {
  while (planners().length > 0) {
    await vscode.commands.executeCommand('vscode.openWith', planners()[0], editorIds.planEditor);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await closeAllEditors();
}

describe('plan', () => {
  afterEach(closePlans);

  it('begins with the numbers of a config, and says where they are from', async () => {
    const uri = inWorkspace('configs', 'train-megatron-llama3-8b', 'train_llama3_8b.sh');
    const { uri: opened, plan } = await planOf(uri);
    assertEqual(opened.scheme, 'untitled', 'where the plan lies');
    assertEqual(plan.kind, 'stowage-plan', 'kind');
    assertEqual(plan.inputs['parameters'], 8_030_261_248, 'parameters');
    assertEqual(plan.origins['parameters'], { kind: 'read', text: 'train_llama3_8b.sh' }, 'origin');
  });

  it('takes the text of a URI, as links and lenses give it', async () => {
    const uri = inWorkspace('configs', 'train-megatron-llama3-8b', 'train_llama3_8b.sh');
    const { plan } = await planOf(uri.toString());
    assertEqual(plan.inputs['parameters'], 8_030_261_248, 'parameters');
  });

  it('begins with what a report measured, byte for byte', async () => {
    const uri = inWorkspace('checkpoint-30');
    const { report } = await inspectAndWait(uri);
    const { plan } = await planOf(uri);
    assertEqual(plan.name, 'checkpoint-30', 'name');
    assertEqual(plan.inputs['checkpointBytes'], report.totalBytes, 'bytes');
    assertEqual(
      plan.measured?.reduce((sum, { bytes }) => sum + bytes, 0),
      report.totalBytes,
      'sum of the parts',
    );
    assertEqual(plan.origins['checkpointBytes'], { kind: 'measured', text: 'checkpoint-30' }, 'origin');
  });

  it('opens a second plan beside the first', async () => {
    const uri = inWorkspace('configs', 'train-megatron-llama3-8b', 'train_llama3_8b.sh');
    const first = await planOf(uri);
    const second = await planOf(uri);
    assertTrue(first.uri.toString() !== second.uri.toString(), 'both are one document');
    assertEqual(planners().length, 2, 'planners');
  });

  it('reopens a plan file', async () => {
    const uri = inWorkspace('kept.stowage-plan.json');
    const text = JSON.stringify({ kind: 'stowage-plan', schemaVersion: 1, name: 'kept', preset: '405b', inputs: { gpus: 8192 } });
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    try {
      await vscode.commands.executeCommand('vscode.open', uri);
      await waitFor(tabs.onDidChangeTabs, () => planners().find((open) => open.path === uri.path), 'the planner');
      await closePlans();
      await vscode.commands.executeCommand(commandIds.plan, uri);
      await waitFor(tabs.onDidChangeTabs, () => planners().find((open) => open.path === uri.path), 'the planner again');
    } finally {
      await closePlans();
      await vscode.workspace.fs.delete(uri);
    }
  });
});
