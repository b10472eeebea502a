import { openReport } from './inspectCommand.js';
import type { ReportSessions } from './reportSessions.js';

/** "Verify Checkpoint or Dataset": of what a menu was opened for, else of the report in front, else of what is chosen. */
export async function verifyCommand(sessions: ReportSessions, resource: unknown): Promise<void> {
  const inFront = resource === undefined ? sessions.active() : undefined;
  const session = inFront ?? (await openReport(sessions, resource));
  session?.verify();
}
