import * as vscode from 'vscode';
import { storeSchemes } from '../manifest/storeSchemes.js';
import { parseRemoteAddress, remoteAddressText, shownPath } from '../../core/files/remote/remoteAddress.js';

/**
 * An address as the editor names resources. A signature stays behind the question mark, where it is not shown.
 * @throws FormatError `unsupported` for what is no address
 */
export function uriOfAddress(text: string): vscode.Uri {
  const address = parseRemoteAddress(text);
  if (address.kind === 'web') return vscode.Uri.parse(address.url, true);
  const shown = remoteAddressText(address);
  const end = shown.indexOf('://');
  const query = address.kind === 'azure' ? (address.signature ?? '') : '';
  return vscode.Uri.from({ scheme: shown.slice(0, end), path: `/${shown.slice(end + 3)}`, query });
}

/** The address of a resource; null for a resource of this machine or of another extension's file system. */
export function addressOf({ scheme, authority, path, query }: vscode.Uri): string | null {
  const parameters = query === '' ? '' : `?${query}`;
  if (scheme === 'http' || scheme === 'https') return `${scheme}://${authority}${path}${parameters}`;
  if (!storeSchemes.some((store) => store === scheme)) return null;
  const address = `${scheme}://${path.slice(1)}`;
  if (query === '') return address;
  const parsed = parseRemoteAddress(address);
  if (parsed.kind !== 'azure' || parsed.account === null) return address;
  return `https://${parsed.account}.blob.core.windows.net/${parsed.container}/${parsed.path}${parameters}`;
}

/** The address without what is secret in it; null as `addressOf`. */
export function shownAddress(uri: vscode.Uri): string | null {
  const address = addressOf(uri);
  return address === null ? null : shownPath(address);
}
