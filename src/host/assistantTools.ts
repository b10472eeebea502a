import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Platform } from '../platform/inspector.js';
import type { ConfigEstimates } from './configs/configEstimates.js';
import { toolIds } from './ids.js';
import { nameOf, targetOf } from './inspectedPath.js';

/** What an assistant is given at most: a report of a large run has a megabyte, of which it would read the beginning. */
const mostCharacters = 20_000;

const inspectInput = v.object({ path: v.pipe(v.string(), v.minLength(1)) });
const estimateInput = v.object({
  path: v.pipe(v.string(), v.minLength(1)),
  optimizer: v.optional(v.string()),
  precision: v.optional(v.string()),
});

/** Lets an assistant ask what a checkpoint holds. */
class InspectTool implements vscode.LanguageModelTool<unknown> {
  constructor(
    private readonly platform: Platform,
    private readonly hasLocalFiles: boolean,
  ) {}

  prepareInvocation({ input }: vscode.LanguageModelToolInvocationPrepareOptions<unknown>): vscode.PreparedToolInvocation {
    return { invocationMessage: vscode.l10n.t('Inspecting {name}', { name: nameOfInput(input) }) };
  }

  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const uri = uriAt(checked(inspectInput, input).path);
    const inspector = this.platform.startInspector(targetOf(uri, this.hasLocalFiles));
    const abort = new AbortController();
    const cancelled = token.onCancellationRequested(() => abort.abort());
    try {
      await inspector.endpoint.request('inspect', {}, abort.signal);
      return textResult(await inspector.endpoint.request('markdown', {}, abort.signal));
    } finally {
      cancelled.dispose();
      inspector.dispose();
    }
  }
}

/** Lets an assistant ask what a config will write. */
class EstimateTool implements vscode.LanguageModelTool<unknown> {
  constructor(private readonly estimates: ConfigEstimates) {}

  prepareInvocation({ input }: vscode.LanguageModelToolInvocationPrepareOptions<unknown>): vscode.PreparedToolInvocation {
    return { invocationMessage: vscode.l10n.t('Estimating checkpoints of {name}', { name: nameOfInput(input) }) };
  }

  async invoke({ input }: vscode.LanguageModelToolInvocationOptions<unknown>): Promise<vscode.LanguageModelToolResult> {
    const { path, optimizer, precision } = checked(estimateInput, input);
    const changes = { ...(optimizer === undefined ? {} : { optimizer }), ...(precision === undefined ? {} : { precision }) };
    const page = await this.estimates.page(uriAt(path), changes);
    if (page === null) throw new Error(`${path} is no config of a model or a training run that Stowage knows.`);
    return textResult(page);
  }
}

/** @throws Error with a text that tells an assistant what to send instead */
function checked<T>(schema: v.GenericSchema<unknown, T>, input: unknown): T {
  const parsed = v.safeParse(schema, input);
  if (parsed.success) return parsed.output;
  throw new Error(`The input is not usable: ${parsed.issues.map(({ message }) => message).join('; ')}`);
}

/** An absolute path, or one relative to the first workspace folder. */
function uriAt(path: string): vscode.Uri {
  if (/^[a-z][\w+.-]+:\/\//i.test(path)) return vscode.Uri.parse(path, true);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
  if (folder === undefined) return vscode.Uri.file(path);
  return isAbsolute ? folder.with({ path: path.replaceAll('\\', '/') }) : vscode.Uri.joinPath(folder, path);
}

function nameOfInput(input: unknown): string {
  const parsed = v.safeParse(inspectInput, input);
  return parsed.success ? nameOf(uriAt(parsed.output.path)) : '';
}

function textResult(text: string): vscode.LanguageModelToolResult {
  const isLong = text.length > mostCharacters;
  const bounded = isLong ? `${text.slice(0, mostCharacters)}\n\n${text.length - mostCharacters} more characters.` : text;
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(bounded)]);
}

/** Editors without language models have no such registry. */
export function registerTools(platform: Platform, hasLocalFiles: boolean, estimates: ConfigEstimates): vscode.Disposable {
  if (typeof vscode.lm?.registerTool !== 'function') return vscode.Disposable.from();
  return vscode.Disposable.from(
    vscode.lm.registerTool(toolIds.inspect, new InspectTool(platform, hasLocalFiles)),
    vscode.lm.registerTool(toolIds.estimate, new EstimateTool(estimates)),
  );
}
