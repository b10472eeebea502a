/** Tables whose first line has settings in it, as those of Stable-Baselines3's Monitor. */
import { expect, it } from 'vitest';
import { utf8 } from '../../builders/byteWriter.js';
import { inspectDataset } from '../../builders/inspectDataset.js';

it.each([
  ['settings', '#{"t_start": 1639.5, "env_id": "CartPole-v1"}\nr,l,t\n1.0,2,3.0\n4.0,5,6.0\n', ['r', 'l', 't'], 2],
  ['settings with CRLF', '#{"t_start": 1639.5, "env_id": null}\r\nr,l,t\r\n1.0,2,3.0\r\n', ['r', 'l', 't'], 1],
  ['settings alone', '#{"t_start": 1639.5}', [], 0],
  ['a name that begins with a number sign', '#,a\n1,2\n', ['#', 'a'], 1],
])('%s', async (_, text, columns, rows) => {
  const report = await inspectDataset({ '0.monitor.csv': utf8(text) });
  expect(report.columns.map(({ name }) => name)).toEqual(columns);
  expect(report.samples).toBe(rows);
});
