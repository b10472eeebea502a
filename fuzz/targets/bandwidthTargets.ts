/** What bandwidth checks read: earlier results, results of jobs, messages between nodes, markers, tables of the system, answers of stores. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { readHistory, writeHistory } from '../../src/core/bandwidth/bandwidthHistory.js';
import { CheckError } from '../../src/core/bandwidth/checkError.js';
import { mountOf, parseMountTable, storingMountOf } from '../../src/core/bandwidth/mountTable.js';
import { readCheckRequest, readMeasurement, readNodesMeasurement } from '../../src/core/bandwidth/measurementSchema.js';
import { readBandwidthReport } from '../../src/core/bandwidth/readBandwidthReport.js';
import { bandwidthCharts, historyChart } from '../../src/core/pages/bandwidth/bandwidthCharts.js';
import { chartSvg } from '../../src/core/pages/charts/chartSvg.js';
import { renderBandwidthMarkdown } from '../../src/core/pages/bandwidth/bandwidthMarkdown.js';
import { renderBandwidthTerminal } from '../../src/core/pages/bandwidth/bandwidthTerminal.js';
import { historyCsv, historyTable } from '../../src/core/pages/bandwidth/historyTable.js';
import { planOfBandwidth } from '../../src/core/planning/sources/planOfBandwidth.js';
import { parseMarker } from '../../src/platform/bandwidth/checkMarker.js';
import { parseJobResult } from '../../src/platform/bandwidth/cluster/jobResult.js';
import { readLines } from '../../src/platform/bandwidth/cluster/messageLines.js';
import { LeadHandshake, MemberHandshake } from '../../src/platform/bandwidth/cluster/handshake.js';
import { leadMessageOf, memberMessageOf } from '../../src/platform/bandwidth/cluster/messages.js';
import { plainText, tagsOf } from '../../src/platform/objectStore/answerText.js';
import { bandwidthReport, measurement, sustainedMeasurement, sweepMeasurement } from '../../test/builders/bandwidthCheck.js';
import { checkRequest } from '../../test/core/bandwidth/measurements.js';
import type { FuzzTarget, Input } from '../target.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const textOf = (input: Input): string => decoder.decode(Object.values(input)[0]);
const text = (content: string): Input => ({ 'value.json': encoder.encode(content) });
const json = (...values: readonly unknown[]): Input[] => values.map((value) => text(JSON.stringify(value)));

const nodes = { nodes: [{ name: 'a', measurement: measurement() }], startSpreadSeconds: 0.1 };
const marker = {
  ...{ kind: 'stowage-bandwidth', schemaVersion: 1, startedAt: '2026-01-01T00:00:00Z', host: 'a', bootId: null },
  ...{ processNamespace: null, pid: 1, processStart: null, files: ['0001-a.bin'], smallFiles: 2 },
};
const mounts = [
  '22 28 0:21 / /sys rw,nosuid shared:7 - sysfs sysfs rw',
  '28 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro',
  '90 28 0:40 / /merged\\040here rw master:1 propagate_from:2 - overlay overlay rw,lowerdir=/l,upperdir=/up,workdir=/w',
].join('\n');
const listing =
  '<ListBucketResult><Contents><Key>a&amp;b&#x41;&#66;</Key><Size>5</Size></Contents><Contents><Key>c</Key></Contents></ListBucketResult>';

const memberMessages = json(
  { type: 'hello', name: 'node', rank: 1, nonce: '0a'.repeat(32), proof: '0b'.repeat(32) },
  { type: 'met', phase: 'write 1' },
  { type: 'began', phase: 'write 1' },
  { type: 'done', measurement: measurement() },
  { type: 'failed', code: 'io', detail: 'x' },
);
const leadMessages = json(
  { type: 'challenge', nonce: '0c'.repeat(32) },
  { type: 'welcome', proof: '0d'.repeat(32) },
  { type: 'run', request: checkRequest },
  { type: 'go', phase: 'write 1' },
  { type: 'stop' },
);

/** With a sweep and a rate that falls. */
function fullReport(): object {
  const sustained = sustainedMeasurement(Array.from({ length: 60 }, (_, second) => (second < 20 ? 2e9 : 0.6e9)));
  return bandwidthReport(
    { sweepStreams: [1, 4], isSustained: true },
    {},
    { sweep: sweepMeasurement({ 1: 1e9, 4: 2e9 }), sustained },
  );
}

/** Of version 2, which is judged again. */
function earlierReport(): object {
  const { sweep: _sweep, sustained: _sustained, ...report } = bandwidthReport();
  return { ...report, schemaVersion: 2 };
}

/** Other than that of any message. */
const key = Buffer.alloc(32, 7);

export function bandwidthTargets(): FuzzTarget[] {
  return [
    jsonTarget(
      'history',
      [text(writeHistory([bandwidthReport(), bandwidthReport({ replayOf: '/a' }), fullReport(), earlierReport()]))],
      showHistory,
    ),
    jsonTarget('measurement', json(measurement(), nodes, checkRequest), readMeasurements),
    jsonTarget('messages', [...memberMessages, ...leadMessages], readMessages),
    jsonTarget('job-result', json({ error: { code: 'io', detail: 'x' } }, { result: nodes }), (input) =>
      refused(() => parseJobResult(textOf(input))),
    ),
    jsonTarget('marker', json(marker), (input) => void parseMarker(textOf(input))),
    {
      ...jsonTarget('mounts', [text(mounts)], findMounts),
      formOf: () => 'text',
      dictionary: ['\\040', 'upperdir=/a', 'overlay', ' - '],
    },
    {
      ...jsonTarget('store-answer', [text(listing)], (input) => void tagsOf(textOf(input), 'Key').map(plainText)),
      formOf: () => 'text',
      dictionary: ['<Key>', '</Key>', '&#x110000;', '&#9999999;', '&amp;'],
    },
  ];
}

function jsonTarget(name: string, seeds: Input[], execute: FuzzTarget['execute']): FuzzTarget {
  return { name: `bandwidth-${name}`, seeds: () => seeds, formOf: () => 'json', execute };
}

/** Errors of a check are answers. */
function refused(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!CheckError.is(error)) throw error;
  }
}

function showHistory(input: Input): void {
  const reports = readHistory(textOf(input)).flatMap((value) => readBandwidthReport(value) ?? []);
  for (const report of reports) {
    renderBandwidthMarkdown(report);
    renderBandwidthTerminal(report, { width: 80, color: false });
    for (const chart of bandwidthCharts(report)) chartSvg(chart);
    planOfBandwidth(report);
  }
  historyTable(reports);
  historyChart(reports);
  historyCsv(reports);
}

function readMeasurements(input: Input): void {
  const value = parsed(textOf(input));
  for (const read of [readMeasurement, readNodesMeasurement, readCheckRequest]) refused(() => read(value));
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return null;
  }
}

/** The lines of a connection, in pieces, and what each side makes of them. */
function readMessages(input: Input): void {
  const bytes = Buffer.concat([...Object.values(input), Buffer.from('\n')]);
  const socket = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => undefined }) as unknown as Socket;
  readLines(socket, {
    maximumBytes: () => 4 * 1024 * 1024,
    onMessage(message) {
      if (new LeadHandshake(key).admit(message) !== null) throw new Error('a node without the token joined');
      const node = new MemberHandshake({ key, name: 'node', rank: 1 });
      if (node.isWelcome(message)) throw new Error('a lead without the token is welcome');
      node.hello(message);
      refused(() => memberMessageOf(message));
      refused(() => leadMessageOf(message));
    },
  });
  const half = bytes.byteLength >> 1;
  socket.emit('data', bytes.subarray(0, half));
  socket.emit('data', bytes.subarray(half));
}

function findMounts(input: Input): void {
  const table = parseMountTable(textOf(input));
  const mount = mountOf(table, '/merged here/data');
  if (mount !== null) storingMountOf(table, mount);
}
