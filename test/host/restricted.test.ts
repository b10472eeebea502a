import * as vscode from 'vscode';
import { offerLeftovers } from '../../src/host/bandwidth/begunCheck.js';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import { assertEqual } from './support/assert.js';
import { begunCheck, errorLog, fakeChecker, target } from './support/fakeChecker.js';
import { withSaidMessages } from './support/saidMessages.js';

/** Commands that must not be enabled here, as they write. */
const writing: string[] = [commandIds.checkBandwidth];

describe('restricted mode', () => {
  it('is what the window is in', () => assertEqual(vscode.workspace.isTrusted, false, 'trust'));

  it('enables no command that writes', () => {
    const manifest = vscode.extensions.getExtension('stowage.stowage')?.packageJSON as {
      contributes: { commands: { command: string; enablement?: string }[] };
    };
    const needTrust = manifest.contributes.commands.filter(
      ({ enablement }) => enablement?.includes('isWorkspaceTrusted') === true,
    );
    assertEqual(
      needTrust.map(({ command }) => command),
      writing,
      'commands that need trust',
    );
  });

  it('does not look for what an unfinished bandwidth check left', () =>
    withSaidMessages(
      (_message, items) => items[0],
      async (said) => {
        const [begun, checker] = [await begunCheck(), fakeChecker()];
        await offerLeftovers(begun, checker, errorLog());
        assertEqual([said.length, checker.asked.length], [0, 0], 'messages and removals');
        assertEqual(begun.target(), target, 'note');
      },
    ));
});
