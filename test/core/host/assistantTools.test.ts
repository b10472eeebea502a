import type * as vscode from 'vscode';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toolOf } from '../../../src/app/assistantTools.js';
import { standIn, Uri } from '../../builders/vscodeStandIn.js';
import { activatedHost, writeWeights, type TestHost } from './activatedHost.js';

const token = { onCancellationRequested: () => ({ dispose: () => undefined }) } as unknown as vscode.CancellationToken;

describe('a tool of an assistant', () => {
  let host: TestHost;

  beforeEach(() => {
    host = activatedHost({ hasLanguageModels: true });
    standIn.folder = { uri: Uri.parse('memfs:/project'), name: 'work', index: 0 };
  });
  afterEach(() => host.dispose());

  const tool = (): vscode.LanguageModelTool<unknown> => {
    const found = standIn.tools.get(toolOf.inspect.name);
    if (found === undefined) throw new Error('it is not registered');
    return found;
  };
  const prepared = (path: string): vscode.ProviderResult<vscode.PreparedToolInvocation> =>
    tool().prepareInvocation?.({ input: { path } }, token);
  const answer = (path: string): Promise<unknown> =>
    Promise.resolve(tool().invoke({ input: { path }, toolInvocationToken: undefined }, token));

  it('asks nothing more for what is in the workspace', () => {
    expect(prepared('run')).toEqual({ invocationMessage: 'Inspecting memfs:///project/run' });
  });

  it.each([
    '/srv/ana/.ssh/config',
    '../srv/ana/.ssh/config',
    '/project/../srv/ana/.ssh/config',
    'memfs:///project/../srv/ana/.ssh/config',
  ])('shows the whole path of what is outside: %s', (path) => {
    expect(prepared(path)).toEqual({
      invocationMessage: 'Inspecting memfs:///srv/ana/.ssh/config',
      confirmationMessages: {
        title: 'Read outside of the workspace?',
        message: 'The assistant asks for memfs:///srv/ana/.ssh/config.',
      },
    });
  });

  it.each(['\\\\server\\share\\run', '\\\\server\\share/run'])(
    'has the share of %s as its own authority, and asks for it',
    (path) => {
      expect(JSON.stringify(prepared(path))).toContain('Read outside of the workspace?');
      expect(JSON.stringify(prepared(path))).toContain('//server/share/run');
    },
  );

  it.each([
    ['vscode-remote://wsl%2Bubuntu/home/ana/run', 'model', 'vscode-remote://wsl%2Bubuntu/home/ana/run/model'],
    ['vscode-remote://ssh-remote%2Blogin/scratch', '/data/m', 'vscode-remote://ssh-remote%2Blogin/data/m'],
    ['vscode-remote://dev-container%2B7b22/workspaces/a', 'm', 'vscode-remote://dev-container%2B7b22/workspaces/a/m'],
    ['vscode-remote://tunnel%2Bgpu/home/ana', 'C:\\models\\a', 'vscode-remote://tunnel%2Bgpu/C:/models/a'],
    ['vscode-vfs://github/org/repo', '/org/repo/m', 'vscode-vfs://github/org/repo/m'],
  ])('in %s keeps scheme and authority for %s', (folder, path, whole) => {
    standIn.folder = { uri: Uri.parse(folder), name: 'work', index: 0 };
    const asked = prepared(path) as vscode.PreparedToolInvocation;
    expect(asked.invocationMessage).toBe(`Inspecting ${Uri.parse(whole).toString()}`);
  });

  it('compares two checkpoints, and asks for each that is outside of the workspace', async () => {
    writeWeights('memfs:/project/checkpoint-10/model.safetensors');
    writeWeights('memfs:/other/model.safetensors');
    const compare = standIn.tools.get(toolOf.compare.name) as vscode.LanguageModelTool<unknown>;
    const input = { a: 'checkpoint-10', b: '/other/model.safetensors' };
    expect(await compare.prepareInvocation?.({ input }, token)).toEqual({
      invocationMessage: 'Comparing memfs:///project/checkpoint-10 ↔ memfs:///other/model.safetensors',
      confirmationMessages: {
        title: 'Read outside of the workspace?',
        message: 'The assistant asks for memfs:///other/model.safetensors.',
      },
    });
    const invoke = async () => compare.invoke({ input, toolInvocationToken: undefined }, token);
    expect(JSON.stringify(await invoke())).toContain('Both checkpoints');
    standIn.isTrusted = false;
    await expect(invoke()).rejects.toThrow('outside of the workspace, which is not trusted');
    await expect(
      Promise.resolve(compare.invoke({ input: { a: 'checkpoint-10' }, toolInvocationToken: undefined }, token)),
    ).rejects.toThrow();
  });

  it('reads outside of the workspace only while it is trusted', async () => {
    writeWeights('memfs:/other/model.safetensors');
    writeWeights('memfs:/project/model.safetensors');
    await expect(answer('/other/model.safetensors')).resolves.toBeDefined();
    standIn.isTrusted = false;
    await expect(answer('/other/model.safetensors')).rejects.toThrow('outside of the workspace, which is not trusted');
    await expect(answer('model.safetensors')).resolves.toBeDefined();
  });
});
