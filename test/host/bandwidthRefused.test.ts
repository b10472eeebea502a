import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import { assertEqual, assertTrue } from './support/assert.js';
import { inWorkspace, stowage } from './support/extension.js';
import { withSaidMessages } from './support/saidMessages.js';

describe('bandwidth checks', () => {
  it('are refused in words where nothing may be written, and open no panel', () =>
    withSaidMessages(
      () => undefined,
      async (said) => {
        await vscode.commands.executeCommand(commandIds.checkBandwidth, inWorkspace());
        assertEqual(said.length, 1, 'messages');
        assertTrue(/trusted workspace|need a machine/.test(said[0]?.text ?? ''), said[0]?.text ?? 'nothing was said');
        assertEqual((await stowage()).bandwidth?.panels().length ?? 0, 0, 'panels');
      },
    ));
});
