import * as vscode from 'vscode';

export interface Log {
  info(message: string): void;
  error(message: string): void;
  show(): void;
}

/** The extension's output channel. */
export function createLog(context: vscode.ExtensionContext, mirrorToConsole: boolean): Log {
  const channel = vscode.window.createOutputChannel('Stowage', { log: true });
  context.subscriptions.push(channel);
  return {
    info(message) {
      channel.info(message);
      if (mirrorToConsole) console.log(`stowage: ${message}`);
    },
    error(message) {
      channel.error(message);
      if (mirrorToConsole) console.error(`stowage: ${message}`);
    },
    show: () => channel.show(),
  };
}
