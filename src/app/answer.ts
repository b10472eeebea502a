import type { TerminalOptions } from '../core/pages/render/terminalText.js';
import { jsonPieces, toJson } from '../core/text/json.js';

/** What a use case answers: a report, and its text in each form. */
export interface Answer<Report = object> {
  report: Report;
  /** The report as JSON by the schema of the use case; ends with a line break. */
  json(): string;
  /** The same in pieces; absent where it is never long. */
  jsonPieces?(): Iterable<string>;
  markdown(): string;
  terminal(options: TerminalOptions): string;
}

/** JSON as reports are written: two spaces of indentation and a line break at the end. */
export function jsonText(report: object): string {
  return `${toJson(report)}\n`;
}

/** The same text in pieces. */
export function* jsonTextPieces(report: object): Generator<string> {
  yield* jsonPieces(report);
  yield '\n';
}
