import * as vscode from 'vscode';
import { assertEqual } from './support/assert.js';

describe('web extension host', () => {
  it('has no Node, and files that only the editor can read', () => {
    assertEqual(typeof globalThis.process, 'undefined', 'process');
    assertEqual(vscode.workspace.workspaceFolders?.[0]?.uri.scheme, 'vscode-remote', 'scheme');
  });
});
