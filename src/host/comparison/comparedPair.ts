import * as vscode from 'vscode';
import { compareNatural } from '../../core/files/naturalOrder.js';
import { nameOf } from '../inspectedPath.js';

/** Both sides of a comparison. */
export interface ComparedPair {
  a: vscode.Uri;
  b: vscode.Uri;
}

const pairScheme = 'stowage-compare';

/** One address for both, by which panels are kept; its path has the names, and their folders before them, to tell tabs apart. */
export function uriOfPair({ a, b }: ComparedPair): vscode.Uri {
  const parent = (uri: vscode.Uri): string => nameOf(vscode.Uri.joinPath(uri, '..'));
  const folders = [...new Set([a, b].map(parent))].join(' ↔ ');
  const path = `/${folders}/${nameOf(a)} ↔ ${nameOf(b)}`;
  return vscode.Uri.from({ scheme: pairScheme, path, query: JSON.stringify([a.toString(), b.toString()]) });
}

/** The sides of such an address; undefined for any other. */
export function pairOfUri({ scheme, query }: vscode.Uri): ComparedPair | undefined {
  if (scheme !== pairScheme) return undefined;
  try {
    const [a, b] = JSON.parse(query) as unknown[];
    if (typeof a !== 'string' || typeof b !== 'string') return undefined;
    return { a: vscode.Uri.parse(a, true), b: vscode.Uri.parse(b, true) };
  } catch {
    return undefined;
  }
}

/** Of two in one folder that with the smaller number is on the left, as a change is read; others stay as they are. */
export function inOrder(one: vscode.Uri, other: vscode.Uri): ComparedPair {
  const folderOf = (uri: vscode.Uri): string => vscode.Uri.joinPath(uri, '..').toString();
  const isLater = folderOf(one) === folderOf(other) && compareNatural(nameOf(one), nameOf(other)) > 0;
  return isLater ? { a: other, b: one } : { a: one, b: other };
}
