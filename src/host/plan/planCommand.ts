import * as vscode from 'vscode';
import { planTextOfPreset } from '../../app/plans/presetPlan.js';
import { planSuffix } from '../../core/planning/inputs/planDocument.js';
import { presetNames } from '../../core/planning/inputs/presetNames.js';
import type { ConfigEstimates } from '../configs/configEstimates.js';
import { mayBeConfig } from '../configs/configSelector.js';
import { editorIds } from '../ids.js';
import { nameOf, uriOfArgument } from '../inspectedPath.js';
import type { ReportSession } from '../report/reportSession.js';
import type { ReportSessions } from '../report/reportSessions.js';
import { openPlan } from './openPlan.js';

interface PlanSource extends vscode.QuickPickItem {
  /** The text of a plan; null where there is none after all. */
  text(): Promise<string | null>;
}

/**
 * "Plan Checkpoint Storage". A menu or a link gives a config, a checkpoint or a plan file; from the palette the user chooses what to
 * begin with: an open report, the config in front, a model.
 */
export async function planCommand(sessions: ReportSessions, estimates: ConfigEstimates, argument: unknown): Promise<void> {
  const uri = uriOfArgument(argument);
  if (uri?.path.endsWith(planSuffix) === true) {
    await vscode.commands.executeCommand('vscode.openWith', uri, editorIds.planEditor);
    return;
  }
  const text = uri === undefined ? await chosenText(sessions, estimates) : await textOf(sessions, estimates, uri);
  if (typeof text === 'string') await openPlan(text);
  else if (text === null)
    await vscode.window.showInformationMessage(
      vscode.l10n.t('There is no report and no config of a model here that a plan could begin with.'),
    );
}

/** From the report of a path where there is one, else from a config. */
function textOf(sessions: ReportSessions, estimates: ConfigEstimates, uri: vscode.Uri): Promise<string | null> {
  const session = sessions.get(uri);
  return session !== undefined && isDone(session) ? session.text('plan') : estimates.plan(uri);
}

/** Undefined where the user thought better of it. */
async function chosenText(sessions: ReportSessions, estimates: ConfigEstimates): Promise<string | null | undefined> {
  const chosen = await vscode.window.showQuickPick<PlanSource | vscode.QuickPickItem>(
    [...reportSources(sessions), ...configSources(estimates), ...presetSources()],
    {
      title: vscode.l10n.t('Plan Checkpoint Storage'),
      placeHolder: vscode.l10n.t('What to begin with'),
      matchOnDescription: true,
    },
  );
  return chosen !== undefined && 'text' in chosen ? chosen.text() : undefined;
}

function reportSources(sessions: ReportSessions): (PlanSource | vscode.QuickPickItem)[] {
  const sources = sessions
    .onePerPath()
    .filter(isDone)
    .map((session) => ({
      label: vscode.l10n.t('The report of {name}', { name: nameOf(session.uri) }),
      description: vscode.l10n.t('measured'),
      text: () => session.text('plan'),
    }));
  const { last } = sessions;
  if (last !== null && !sessions.all().some(({ uri }) => uri.toString() === last.uri.toString()))
    sources.push({
      label: vscode.l10n.t('My last report: {name}', { name: nameOf(last.uri) }),
      description: vscode.l10n.t('measured'),
      text: () => Promise.resolve(last.plan),
    });
  return withHeading(vscode.l10n.t('Reports'), sources);
}

function configSources(estimates: ConfigEstimates): (PlanSource | vscode.QuickPickItem)[] {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || !mayBeConfig(document)) return [];
  const source = {
    label: vscode.l10n.t('The config {name}', { name: nameOf(document.uri) }),
    description: vscode.l10n.t('read'),
    text: () => estimates.plan(document.uri),
  };
  return withHeading(vscode.l10n.t('In the editor'), [source]);
}

function presetSources(): (PlanSource | vscode.QuickPickItem)[] {
  const sources = presetNames.map((preset) => ({
    label: preset.label,
    text: () => Promise.resolve(planTextOfPreset(preset)),
  }));
  return withHeading(vscode.l10n.t('Models'), sources);
}

function withHeading(label: string, sources: PlanSource[]): (PlanSource | vscode.QuickPickItem)[] {
  return sources.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...sources];
}

function isDone({ state }: ReportSession): boolean {
  return state.phase === 'done';
}
