import { parseArgs } from 'node:util';
import type { BandwidthService } from '../../app/bandwidth/bandwidthService.js';
import { CheckError } from '../../core/bandwidth/checkError.js';
import { readCheckRequest } from '../../core/bandwidth/measurementSchema.js';
import type { CheckRequest } from '../../core/bandwidth/measurement.js';
import { limits } from '../../core/bytes/limits.js';
import { visibleText } from '../../core/text/visibleText.js';
import { asCheckError } from '../../platform/bandwidth/cluster/asCheckError.js';
import { writeJobResult } from '../../platform/bandwidth/cluster/jobResult.js';
import { runLead, type StartedMembers } from '../../platform/bandwidth/cluster/lead.js';
import { runMember } from '../../platform/bandwidth/cluster/member.js';
import { leadAddressVariable, leadTokenVariable } from '../../platform/bandwidth/cluster/messages.js';
import { ownAddress, ownPlace, startWithSrun } from '../../platform/bandwidth/cluster/slurmNodes.js';
import { createNodeBandwidthService } from '../../platform/bandwidth/nodeBandwidthService.js';
import { exitCode } from '../exitCode.js';
import { UsageError } from '../usageError.js';
import { untilInterrupted } from '../untilInterrupted.js';

/**
 * `stowage bandwidth-job`, which only the script of a job calls: `lead` in the job's first process, `member` on each of
 * its nodes. Answers the exit code.
 */
export async function runBandwidthJob(args: readonly string[]): Promise<number> {
  const [part, ...rest] = args;
  if (part === 'lead') return lead(rest);
  if (part === 'member' && rest.length === 0) return member(createNodeBandwidthService({ threadFile: __filename }));
  throw new UsageError('bandwidth-job is called by the script of a job only');
}

async function lead(args: readonly string[]): Promise<number> {
  const { nodes, resultFile } = leadOptions(args);
  try {
    const request = await requestFromInput();
    const host = await ownAddress();
    const startMembers = (environment: Record<string, string>): StartedMembers =>
      startWithSrun(nodes, thisProgram('bandwidth-job', 'member'), environment);
    const onPhase = (phase: string, seconds: number): void =>
      say(`${phase}: all ${nodes} nodes began within ${(seconds * 1000).toFixed(1)} ms`);
    const result = await untilInterrupted((signal) => runLead({ nodes, request, host, startMembers, onPhase }, signal));
    await writeJobResult(resultFile, result);
    return exitCode.done;
  } catch (error) {
    const failure = asCheckError(error);
    say(failure.detail);
    await writeJobResult(resultFile, failure);
    return exitCode.unreadable;
  }
}

async function member(service: Pick<BandwidthService, 'run'>): Promise<number> {
  const leadAddress = process.env[leadAddressVariable];
  const token = process.env[leadTokenVariable];
  if (leadAddress === undefined || token === undefined) throw new UsageError('a member is started by the one that leads only');
  try {
    await untilInterrupted((signal) => runMember({ leadAddress, token, ...ownPlace(), service }, signal));
    return exitCode.done;
  } catch (error) {
    process.stderr.write(`stowage: ${visibleText(asCheckError(error).detail)}\n`);
    return exitCode.unreadable;
  }
}

function leadOptions(args: readonly string[]): { nodes: number; resultFile: string } {
  const { values } = parseArgs({ args: [...args], options: { nodes: { type: 'string' }, result: { type: 'string' } } });
  const nodes = Number(values.nodes);
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > limits.clusterNodes || values.result === undefined) {
    throw new UsageError('bandwidth-job lead takes --nodes and --result');
  }
  return { nodes, resultFile: values.result };
}

/** The request stands in the job's script, which hands it over as standard input. */
async function requestFromInput(): Promise<CheckRequest> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > limits.clusterMessageBytes) throw new CheckError('bad-setting', 'the request is too long');
    parts.push(part);
  }
  try {
    return readCheckRequest(JSON.parse(Buffer.concat(parts).toString('utf8')));
  } catch (error) {
    if (CheckError.is(error)) throw error;
    throw new CheckError('bad-setting', 'the request in the script is no JSON');
  }
}

/** This program once more, with other arguments. */
function thisProgram(...args: string[]): string[] {
  return [process.execPath, process.argv[1] ?? '', ...args];
}

function say(text: string): void {
  process.stdout.write(`${visibleText(text)}\n`);
}
