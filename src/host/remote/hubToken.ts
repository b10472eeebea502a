import * as vscode from 'vscode';

const secretName = 'stowage.hubToken';

/** The token of the Hugging Face Hub that the user gave this editor; null without one. */
export async function hubToken({ secrets }: Pick<vscode.ExtensionContext, 'secrets'>): Promise<string | null> {
  return (await secrets.get(secretName)) ?? null;
}

/** "Set Hugging Face Token…": keeps a token in the editor's secret storage, or removes the one that is there. */
export async function setHubTokenCommand({ secrets }: Pick<vscode.ExtensionContext, 'secrets'>): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Set Hugging Face Token'),
    prompt: vscode.l10n.t(
      'Kept in the secret storage of this editor, and sent to the Hub alone. Without a text the token is removed.',
    ),
    placeHolder: 'hf_…',
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^[\x21-\x7e]{0,512}$/.test(text.trim()) ? null : vscode.l10n.t('A token has neither spaces nor letters with accents.'),
  });
  if (typed === undefined) return;
  const token = typed.trim();
  await (token === '' ? secrets.delete(secretName) : secrets.store(secretName, token));
}
