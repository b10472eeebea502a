/** Each form of telemetry as its program prints it, with the same bytes in each; and what is refused, with its sentence. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/core/bytes/limits.js';
import { FormatError } from '../../../../src/core/bytes/formatError.js';
import { encodeText } from '../../../../src/core/bytes/text.js';
import { readTelemetry } from '../../../../src/core/runs/telemetry/inputs/readTelemetry.js';
import type { NamedColumns } from '../../../../src/core/runs/telemetry/inputs/sampleColumns.js';
import type { Telemetry } from '../../../../src/core/runs/telemetry/inputs/samples.js';
import { memoryTree } from '../../../builders/memoryTree.js';

const startMs = Date.UTC(2026, 0, 5);
const iso = (step: number) => new Date(startMs + step * 10_000).toISOString();
/** Bytes written and read in each step of 10 s. */
const written = [0, 102_400, 51_200, 0, 1_024_000];
const wasRead = [0, 0, 20_480, 0, 0];
const steps = written.map((_bytes, step) => step);
const sums = (values: readonly number[]) =>
  values.map((_value, index) => values.slice(0, index + 1).reduce((sum, value) => sum + value, 0));

async function read(files: Record<string, string | Uint8Array>, named: NamedColumns = {}): Promise<Telemetry> {
  const entry = { modifiedMs: startMs + 50_000 };
  const tree = Object.entries(files).map(
    ([name, text]) => [name, { entry, bytes: typeof text === 'string' ? encodeText(text) : text }] as const,
  );
  return readTelemetry(memoryTree('telemetry', Object.fromEntries(tree)), named, undefined);
}

const csv = (header: string, rows: readonly string[]) => ({ 'a.csv': [header, ...rows].join('\n') });
const bytesOf = ({ write, read: reads }: Telemetry) => [
  [...(write?.bytes ?? [])].map(Math.round),
  [...(reads?.bytes ?? [])].map(Math.round),
];

const rates = (time: (step: number) => string) =>
  steps.map((step) => `${time(step)},${(written[step] as number) / 10},${(wasRead[step] as number) / 10}`);
const disk = (step: number) => ({ rkB: (wasRead[step] as number) / 10_240, wkB: (written[step] as number) / 10_240 });
const sadf = {
  sysstat: {
    hosts: [
      {
        nodename: 'storage1',
        statistics: steps.map((step) => ({
          timestamp: { date: iso(step + 1).slice(0, 10), time: iso(step + 1).slice(11, 19), tz: 'UTC', interval: 10 },
          disk: [
            { 'disk-device': 'sda', tps: 1, rd_sec: 2 * disk(step).rkB, wr_sec: 2 * disk(step).wkB, ...disk(step) },
            { 'disk-device': 'sda1', tps: 1, ...disk(step) },
            { 'disk-device': 'dm-0', tps: 1, ...disk(step) },
          ],
        })),
      },
    ],
  },
};
const iostat = {
  sysstat: {
    hosts: [
      {
        nodename: 'storage1',
        statistics: [-1, ...steps].map((step) => ({
          timestamp: `${iso(step + 1).slice(0, 19)}+0000`,
          'avg-cpu': { user: 1 },
          disk: [
            { disk_device: 'sda', 'r/s': 1, 'rkB/s': step < 0 ? 7 : disk(step).rkB, 'wkB/s': step < 0 ? 7 : disk(step).wkB },
          ],
        })),
      },
    ],
  },
};
const matrix = (metrics: readonly { metric: object; values: readonly number[] }[], first = 0) => ({
  status: 'success',
  data: {
    resultType: 'matrix',
    result: metrics.map(({ metric, values }) => ({
      metric,
      values: values.map((value, index) => [startMs / 1000 + (index + first) * 10, String(value)]),
    })),
  },
});
const jobStats = (step: number, write: number, wasReadBytes: number, name = 'obdfilter.fs-OST0000') => `${name}.job_stats=
job_stats:
- job_id:          train.1000
  snapshot_time:   ${startMs / 1000 + step * 10}.000000000 secs.nsecs
  read_bytes:      { samples:           9, unit: bytes, min:    4096, max: 4194304, sum:     ${wasReadBytes}, sumsq: 1 }
  write_bytes:     { samples:         262, unit: bytes, min: 1048576, max: 1048576, sum:       ${write} }
  getattr:         { samples:           1, unit:  reqs }
`;
const mountStats = (step: number, write: number, wasReadBytes: number) => `device proc mounted on /proc with fstype proc
device server:/export mounted on /mnt/ckpt with fstype nfs4 statvers=1.1
\topts:\trw,vers=4.2,rsize=1048576
\tage:\t${500 + step * 10}
\tbytes:\t1 2 3 4 ${wasReadBytes} ${write} 7 8
\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)
`;
const [writtenSums, readSums] = [
  [0, ...sums(written)],
  [0, ...sums(wasRead)],
];

describe('the same bytes', () => {
  const forms: [string, Record<string, string>, NamedColumns?][] = [
    ['CSV of rates, times in ISO 8601', csv('time,writeBytesPerSecond,readBytesPerSecond', rates(iso))],
    [
      'CSV with another zone and Windows line ends',
      {
        'a.csv': `\ufefftime,writeBytesPerSecond,readBytesPerSecond\r\n${rates((step) => `${new Date(startMs + 7_200_000 + step * 10_000).toISOString().slice(0, 19)}+02:00`).join('\r\n')}\r\n`,
      },
    ],
    [
      'CSV of Unix seconds, other names and separator',
      csv(
        '"when";note;w;r',
        rates((step) => `${startMs / 1000 + step * 10},"a;b"`).map((row) => row.replaceAll(',', ';')),
      ),
      { time: 'when', writeBytesPerSecond: 'w', readBytesPerSecond: 'r' },
    ],
    [
      'CSV of counters, times in milliseconds, set to 0 once',
      csv(
        'time,writeBytes,readBytes',
        writtenSums.map((sum, step) => `${startMs + step * 10_000},${step < 3 ? 5000 + sum : sum - 153_600},${readSums[step]}`),
      ),
    ],
    ['sadf -j', { 'sar.json': JSON.stringify(sadf) }],
    ['iostat -t -o JSON', { 'iostat.json': JSON.stringify(iostat) }],
    [
      'Prometheus, counters of two disks',
      {
        'q.json': JSON.stringify(
          matrix([
            { metric: { __name__: 'node_disk_written_bytes_total', device: 'sda' }, values: writtenSums },
            { metric: { __name__: 'node_disk_written_bytes_total', device: 'sdb' }, values: writtenSums.map(() => 7) },
            { metric: { __name__: 'node_disk_read_bytes_total', device: 'sda' }, values: readSums },
          ]),
        ),
      },
    ],
    [
      'Prometheus, rates',
      {
        'q.json': JSON.stringify(
          matrix(
            [
              { metric: { direction: 'write' }, values: written.map((bytes) => bytes / 10) },
              { metric: { direction: 'read' }, values: wasRead.map((bytes) => bytes / 10) },
            ],
            1,
          ),
        ),
      },
    ],
    [
      'job_stats of Lustre, one file',
      { 'jobs.txt': writtenSums.map((sum, step) => jobStats(step, sum, readSums[step] as number)).join('') },
    ],
    [
      'job_stats of two targets',
      {
        'jobs.txt': writtenSums
          .map((sum, step) => jobStats(step, sum, 0) + jobStats(step, 0, readSums[step] as number, 'obdfilter.fs-OST0001'))
          .join(''),
      },
    ],
    [
      'job_stats behind the time of each',
      {
        'jobs.txt': writtenSums
          .map((sum, step) => `${startMs / 1000 + step * 10}\n${jobStats(1, sum, readSums[step] as number)}`)
          .join(''),
      },
    ],
    [
      'job_stats, a file each',
      Object.fromEntries(writtenSums.map((sum, step) => [`${step}.txt`, jobStats(step, sum, readSums[step] as number)])),
    ],
    [
      'mountstats behind the time of each',
      { 'nfs.txt': writtenSums.map((sum, step) => `${iso(step)}\n${mountStats(0, sum, readSums[step] as number)}`).join('') },
    ],
    [
      'mountstats by its age',
      { 'nfs.txt': writtenSums.map((sum, step) => mountStats(step, sum, readSums[step] as number)).join('') },
    ],
  ];

  it.each(forms)('are in %s', async (name, files, named) => {
    const telemetry = await read(files, named);
    const isSet = name.includes('set to 0');
    // A counter that was set to 0 has only what it counted since.
    expect(bytesOf(telemetry)[0]).toEqual(isSet ? [0, 102_400, 0, 0, 1_024_000] : written);
    expect(bytesOf(telemetry)[1]).toEqual(wasRead);
    expect(telemetry.stepSeconds).toBe(10);
    if (!name.includes('age') && !name.includes('each')) expect(telemetry.write?.startMs[0]).toBe(startMs);
  });

  it('are those of a counter by its values where its name says nothing', async () => {
    const telemetry = await read({
      'q.json': JSON.stringify(matrix([{ metric: { __name__: 'bytes_written' }, values: writtenSums }])),
    });
    expect(bytesOf(telemetry)[0]).toEqual(written);
    expect(telemetry.notes.join(' ')).toContain('counters');
  });

  it('have holes where samples are missing, which short ones do not stay', async () => {
    const time = (step: number) => String(startMs / 1000 + step * 10);
    const all = Array.from({ length: 40 }, (_step, step) => `${time(step)},${step % 2 === 0 ? 100 : 300}`);
    const telemetry = await read(
      csv(
        'time,writeBytesPerSecond',
        all.filter((_row, step) => step !== 5 && (step < 20 || step > 29)),
      ),
    );
    expect(telemetry.missingSteps).toBe(11);
    expect(telemetry.write?.bytes).toHaveLength(30);
    expect(telemetry.write?.bytes[5]).toBe(1000);
  });
});

/** Written by pyarrow: 60 samples, one in 10 s, of which every first three of twenty write 1 GB/s more; a null among the reads. */
it.each(['zstd-dictionary', 'plain-v2'])('%s.parquet has its rates', async (name) => {
  const bytes = new Uint8Array(readFileSync(`test/fixtures/telemetry/${name}.parquet`));
  const telemetry = await read({ 'a.parquet': bytes });
  expect(telemetry).toMatchObject({ source: 'Parquet', samples: 60, stepSeconds: 10, missingSteps: 0 });
  const expected = Array.from({ length: 60 }, (_cell, cell) => 10 * ((cell % 20 < 3 ? 1e9 : 0) + 1e6));
  const [write, reads] = bytesOf(telemetry);
  expect(write?.map((value) => Math.round(value / 1e4))).toEqual(expected.map((value) => Math.round(value / 1e4)));
  expect(reads?.slice(0, 9)).toEqual([0, 100, 200, 300, 400, 500, 600, 600, 800]);
  expect(telemetry.write?.startMs[0]).toBe(startMs);
  const damaged = bytes.slice();
  damaged.fill(0xff, 40, 400);
  await expect(read({ 'a.parquet': damaged })).rejects.toThrow();
});

describe('refused', () => {
  const header = 'time,writeBytesPerSecond';
  const rows = ['2026-01-05T00:00:00Z,1', '2026-01-05T00:00:10Z,2', '2026-01-05T00:00:20Z,3'];
  const cases: [string, Record<string, string | Uint8Array>, RegExp][] = [
    ['an empty file', { 'a.csv': '' }, /it is empty/],
    ['a header alone', csv(header, []), /0 of the 3 samples/],
    ['one row', csv(header, rows.slice(0, 1)), /1 of the 3 samples/],
    [
      'times that are not in order',
      csv(header, [...rows].reverse()),
      /times are not in order: 2026-01-05T00:00:10.000Z comes after 2026-01-05T00:00:20.000Z/,
    ],
    ['two samples of one time', csv(header, [rows[0] ?? '', ...rows]), /two samples have the time 2026-01-05T00:00:00.000Z/],
    ['NaN', csv(header, [...rows, '2026-01-05T00:00:30Z,NaN']), /line 5 has something that is no number/],
    ['a negative rate', csv(header, [...rows, '2026-01-05T00:00:30Z,-1']), /line 5 has a negative number/],
    ['a time that is none', csv(header, ['yesterday,1']), /line 2 has no time/],
    [
      'times with and without a zone',
      csv(header, [...rows, '2026-01-05T00:00:30,1']),
      /line 5 differs from the others in whether its time has a zone/,
    ],
    ['another number of fields', csv(header, [...rows, '2026-01-05T00:00:30Z,1,2']), /line 5 has 3 fields, and the first line 2/],
    ['rates and counters', csv('time,writeBytesPerSecond,readBytes', []), /rates and counters/],
    ['no column of bytes', csv('time,load', []), /no column writeBytesPerSecond.* among time and load/],
    ['no column of times', csv('when,writeBytesPerSecond', []), /no column time among when and writeBytesPerSecond/],
    ['quotes without an end', csv(header, ['"2026,1']), /quotes do not end/],
    ['bytes', { 'a.bin': new Uint8Array([1, 0, 2, 0]) }, /no text, no JSON and no Parquet/],
    ['other JSON', { 'a.json': '{"a": 1}' }, /neither the answer of a Prometheus range query nor that of sysstat/],
    ['no JSON', { 'a.json': '{"a": ' }, /JSON/],
    ['an instant query', { 'a.json': '{"status":"success","data":{"resultType":"vector","result":[]}}' }, /range query/],
    [
      'an error of Prometheus',
      { 'a.json': '{"status":"error","error":"bad_data","data":{"resultType":""}}' },
      /answered error: bad_data/,
    ],
    [
      'iostat without times',
      {
        'a.json': JSON.stringify({
          sysstat: { hosts: [{ statistics: [{ disk: [{ disk_device: 'sda' }] }, { disk: [{ disk_device: 'sda' }] }] }] },
        }),
      },
      /start iostat with -t/,
    ],
    ['a directory of other files', { 'a.csv': header, 'b.csv': header }, /a\.csv is neither job_stats of Lustre nor mountstats/],
    ['a directory without files', {}, /no file/],
  ];
  it.each(cases)('%s', async (_name, files, sentence) => {
    const error: unknown = await read(files).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(FormatError.is(error) ? error.detail : error).toMatch(sentence);
  });

  it('texts above limits.telemetryTextBytes, of which nothing is read', async () => {
    const part = { entry: { sizeBytes: limits.telemetryTextBytes / 2 + 1 }, bytes: encodeText(jobStats(0, 1, 1)) };
    const tree = memoryTree('telemetry', { 'a.txt': part, 'b.txt': part });
    await expect(readTelemetry(tree, {}, undefined)).rejects.toMatchObject({ code: 'limit-exceeded' });
  });

  it('more than limits.telemetrySamples, without reading the rest', async () => {
    const line = encodeText('1,1\n'.repeat(1024));
    const head = encodeText('time,writeBytesPerSecond   \n');
    const sizeBytes = 2 ** 31;
    let furthest = 0;
    const source = {
      name: 'a.csv',
      sizeBytes,
      read: async (offset: number, length: number) => {
        furthest = Math.max(furthest, offset + length);
        const bytes = new Uint8Array(length);
        for (let at = 0; at < length; at += line.byteLength) bytes.set(line.subarray(0, length - at), at);
        if (offset === 0) bytes.set(head);
        return bytes;
      },
      close: async () => undefined,
    };
    const entry = { path: 'a.csv', sizeBytes, modifiedMs: null };
    const tree = {
      rootName: 'a.csv',
      list: async () => ({ entries: [entry], errors: [], truncated: false }),
      open: async () => source,
    };
    const error: unknown = await readTelemetry(tree, {}, undefined).catch((reason: unknown) => reason);
    expect(FormatError.is(error, 'limit-exceeded')).toBe(true);
    expect(furthest).toBeLessThan(limits.telemetrySamples * 5);
  }, 60_000);
});
