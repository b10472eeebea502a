import * as v from 'valibot';
import * as vscode from 'vscode';
import { datasetAround } from '../app/inspection/datasetAround.js';
import { toolOf } from '../app/assistantTools.js';
import { readInput } from '../app/readInput.js';
import type { Workers } from '../platform/inspector.js';
import type { ConfigEstimates } from './configs/configEstimates.js';
import { editorFiles } from './editorFiles.js';
import { displayPath, targetOf, type FileReach } from './inspectedPath.js';

/** What an assistant is given at most: a report of a large run has a megabyte, of which it would read the beginning. */
const mostCharacters = 20_000;

/** How the editor runs a use case for an assistant. */
interface ToolRun {
  message(name: string): string;
  /** Markdown. Rejects with a text that tells an assistant what to send instead. */
  answer(input: unknown, signal: AbortSignal): Promise<string>;
}

/** A use case as a tool that an assistant may call. */
class UseCaseTool implements vscode.LanguageModelTool<unknown> {
  constructor(private readonly run: ToolRun) {}

  prepareInvocation({ input }: vscode.LanguageModelToolInvocationPrepareOptions<unknown>): vscode.PreparedToolInvocation {
    const uris = urisOfInput(input);
    const invocationMessage = this.run.message(uris.map(displayPath).join(' ↔ '));
    const outside = uris.filter((uri) => !isOfWorkspace(uri));
    return outside.length === 0 ? { invocationMessage } : { invocationMessage, confirmationMessages: confirmationOf(outside) };
  }

  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const abort = new AbortController();
    const cancelled = token.onCancellationRequested(() => abort.abort());
    try {
      return textResult(await this.run.answer(input, abort.signal));
    } finally {
      cancelled.dispose();
    }
  }
}

/** Inspects in a worker of its own. */
async function inspection(workers: Workers, reach: FileReach, path: string, signal: AbortSignal): Promise<string> {
  const around = vscode.Uri.parse(await datasetAround(editorFiles, readableUri(path).toString()), true);
  const inspector = workers.startInspector(targetOf(around, reach));
  try {
    await inspector.endpoint.request('inspect', {}, signal);
    return await inspector.endpoint.request('markdown', {}, signal);
  } finally {
    inspector.dispose();
  }
}

/** Compares in a worker of its own. */
async function comparison(
  workers: Workers,
  reach: FileReach,
  paths: { a: string; b: string },
  signal: AbortSignal,
): Promise<string> {
  const [a, b] = [readableUri(paths.a), readableUri(paths.b)];
  const comparer = workers.startComparer({ a: targetOf(a, reach), b: targetOf(b, reach) });
  try {
    await comparer.endpoint.request('compare', { values: null }, signal);
    return await comparer.endpoint.request('markdown', {}, signal);
  } finally {
    comparer.dispose();
  }
}

/** An absolute path, or one relative to the first workspace folder; without `..` in it, so that it is where it seems to be. */
function uriAt(path: string): vscode.Uri {
  if (/^[a-z][\w+.-]+:\/\//i.test(path)) return vscode.Uri.joinPath(vscode.Uri.parse(path, true), '.');
  // A share, which only Windows names so, is no path below the drive of the workspace.
  const share = /^\\\\([^\\/?.][^\\/]*)(?=[\\/])/.exec(path);
  if (share !== null)
    return vscode.Uri.from({
      scheme: 'file',
      authority: share[1] ?? '',
      path: path.slice(share[0].length).replaceAll('\\', '/'),
    });
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
  if (folder === undefined) return vscode.Uri.file(path);
  return isAbsolute
    ? vscode.Uri.joinPath(folder.with({ path: '/' }), path.replaceAll('\\', '/'))
    : vscode.Uri.joinPath(folder, path);
}

/** @throws Error outside of a workspace that is not trusted: an assistant may follow what a file of it says */
function readableUri(path: string): vscode.Uri {
  const uri = uriAt(path);
  if (vscode.workspace.isTrusted || isOfWorkspace(uri)) return uri;
  throw new Error(`${displayPath(uri)} is outside of the workspace, which is not trusted.`);
}

function isOfWorkspace(uri: vscode.Uri): boolean {
  return vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

/** With the whole path: the last part of `/srv/ana/.ssh/config` says nothing. */
function confirmationOf(uris: readonly vscode.Uri[]): vscode.LanguageModelToolConfirmationMessages {
  const title = vscode.l10n.t('Read outside of the workspace?');
  const path = uris.map(displayPath).join(', ');
  return { title, message: vscode.l10n.t('The assistant asks for {path}.', { path }) };
}

/** Of the path of an input, or of both sides; none for an input that names none. */
function urisOfInput(input: unknown): vscode.Uri[] {
  const one = v.safeParse(toolOf.inspect.input, input);
  if (one.success) return [uriAt(one.output.path)];
  const both = v.safeParse(toolOf.compare.input, input);
  return both.success ? [uriAt(both.output.a), uriAt(both.output.b)] : [];
}

function textResult(text: string): vscode.LanguageModelToolResult {
  const isLong = text.length > mostCharacters;
  const bounded = isLong ? `${text.slice(0, mostCharacters)}\n\n${text.length - mostCharacters} more characters.` : text;
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(bounded)]);
}

/** Offers the use cases that have a tool. Editors without language models have no such registry. */
export function registerTools(workers: Workers, reach: FileReach, estimates: ConfigEstimates): vscode.Disposable {
  if (typeof vscode.lm?.registerTool !== 'function') return vscode.Disposable.from();
  const { inspect, compare, estimate } = toolOf;
  const register = (name: string, run: ToolRun): vscode.Disposable => vscode.lm.registerTool(name, new UseCaseTool(run));
  return vscode.Disposable.from(
    register(inspect.name, {
      message: (name) => vscode.l10n.t('Inspecting {name}', { name }),
      answer: (input, signal) => inspection(workers, reach, readInput(inspect.input, input).path, signal),
    }),
    register(compare.name, {
      message: (name) => vscode.l10n.t('Comparing {name}', { name }),
      answer: (input, signal) => comparison(workers, reach, readInput(compare.input, input), signal),
    }),
    register(estimate.name, {
      message: (name) => vscode.l10n.t('Estimating checkpoints of {name}', { name }),
      async answer(input) {
        const { path, ...changes } = readInput(estimate.input, input);
        const page = await estimates.page(readableUri(path), changes);
        if (page === null) throw new Error(`${path} is not a supported model or training config.`);
        return page;
      },
    }),
  );
}
