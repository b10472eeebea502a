import * as vscode from 'vscode';

export interface SaidMessage {
  text: string;
  detail: string;
}

type Show = (text: string, ...rest: unknown[]) => Thenable<unknown>;

/**
 * Notes the warnings and messages that are shown meanwhile, and answers each.
 * @param answer what is chosen of a message's items; undefined dismisses it
 */
export async function withSaidMessages(
  answer: (message: SaidMessage, items: readonly string[]) => string | undefined,
  use: (said: readonly SaidMessage[]) => Promise<void>,
): Promise<void> {
  const window = vscode.window as unknown as { showWarningMessage: Show; showInformationMessage: Show };
  const { showWarningMessage, showInformationMessage } = window;
  const said: SaidMessage[] = [];
  const show: Show = (text, ...rest) => {
    const detail = rest.map((part) => (part as { detail?: string }).detail ?? '').join('');
    const message = { text, detail };
    said.push(message);
    return Promise.resolve(
      answer(
        message,
        rest.filter((item): item is string => typeof item === 'string'),
      ),
    );
  };
  window.showWarningMessage = show;
  window.showInformationMessage = show;
  try {
    await use(said);
  } finally {
    Object.assign(window, { showWarningMessage, showInformationMessage });
  }
}
