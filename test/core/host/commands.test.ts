import { afterEach, describe, expect, it } from 'vitest';
import { commandRows } from '../../../src/host/manifest/commandTable.js';
import { commandIds } from '../../../src/host/manifest/commandIds.js';
import { commandIdOf } from '../../../src/host/manifest/commandId.js';
import { editorNames, viewTypeOf } from '../../../src/host/manifest/editorTable.js';
import { until } from '../../builders/until.js';
import { standIn, Uri } from '../../builders/vscodeStandIn.js';
import { activatedHost, writeWeights, type TestHost } from './activatedHost.js';

describe('commands of the host', () => {
  let host: TestHost | undefined;
  afterEach(() => host?.dispose());

  it('are those of the table, each registered once', () => {
    host = activatedHost();
    expect([...standIn.commands.keys()].sort()).toEqual(commandRows.map(([name]) => commandIdOf(name)).sort());
  });

  it('come with an editor for each row of the editors', () => {
    host = activatedHost();
    expect([...standIn.editors.keys()].sort()).toEqual(editorNames.map(viewTypeOf).sort());
  });

  it('are gone with the extension', () => {
    activatedHost().dispose();
    expect([standIn.commands.size, standIn.editors.size, standIn.hovers.length]).toEqual([0, 0, 0]);
  });

  it('inspect the folder around a shard of a distributed checkpoint', async () => {
    host = activatedHost();
    const shard = standIn.write('memfs:/run/step_3/__0_0.distcp', 'shard');
    await standIn.run(commandIds.inspect, shard);
    expect(host.api.reports().map(({ uri }) => uri.path)).toEqual(['/run/step_3']);
  });

  it('inspect the folder around the index of a dataset, and other files by themselves', async () => {
    host = activatedHost();
    const index = standIn.write('memfs:/set/index.json', JSON.stringify({ version: 2, shards: [{ format: 'mds' }] }));
    await standIn.run(commandIds.inspect, index);
    await standIn.run(commandIds.inspect, standIn.write('memfs:/web/index.json', '{"pages": []}').toString());
    expect(host.api.reports().map(({ uri }) => uri.path)).toEqual(['/set', '/web/index.json']);
  });

  it('inspect the chosen folder where no file is in front', async () => {
    host = activatedHost();
    standIn.answer = [Uri.parse('memfs:/chosen')];
    await standIn.run(commandIds.inspect);
    expect(host.api.reports().map(({ uri }) => uri.path)).toEqual(['/chosen']);
  });

  it('open the estimate of a config, and say what is missing where there is none', async () => {
    host = activatedHost();
    await standIn.run(commandIds.estimate, Uri.parse('memfs:/run/config.json'));
    expect(standIn.panels.map(({ title }) => title)).toEqual(['Estimate of config.json']);
    await standIn.run(commandIds.estimate);
    expect(standIn.messages.map(({ text }) => text)).toEqual(['Open a config file first, or right-click one in the Explorer.']);
  });

  describe('that write', () => {
    const check = (): unknown => standIn.run(commandIds.checkBandwidth, Uri.file('/data/runs'));

    it('refuse where there is no machine to run on', async () => {
      host = activatedHost();
      await check();
      expect(standIn.messages.map(({ text }) => text)).toEqual([expect.stringContaining('need a machine to run on')]);
      expect(standIn.panels).toEqual([]);
    });

    it('refuse in a workspace that is not trusted', async () => {
      host = activatedHost({ canMeasure: true });
      standIn.isTrusted = false;
      await check();
      expect(standIn.messages.map(({ text }) => text)).toEqual([expect.stringContaining('need a trusted workspace')]);
      expect(standIn.panels).toEqual([]);
    });

    it('open a panel where the workspace is trusted', async () => {
      host = activatedHost({ canMeasure: true });
      await check();
      expect(standIn.panels.map(({ title }) => title)).toEqual(['Bandwidth of runs']);
      expect(standIn.messages).toEqual([]);
    });

    it('write beside a checkpoint whose folder is clicked, as its report does, and into any other folder', async () => {
      host = activatedHost({ canMeasure: true });
      standIn.write('file:/data/runs/checkpoint-30/model-00001-of-00002.safetensors', 'x');
      standIn.write('file:/data/runs/notes.txt', 'x');
      await standIn.run(commandIds.checkBandwidth, Uri.file('/data/runs/checkpoint-30'));
      await standIn.run(commandIds.checkBandwidth, Uri.file('/data/runs/other'));
      expect(standIn.panels.map(({ title }) => title)).toEqual(['Bandwidth of runs', 'Bandwidth of other']);
    });

    it('start no check in a panel whose workspace is not trusted any more', async () => {
      host = activatedHost({ canMeasure: true });
      await check();
      standIn.isTrusted = false;
      const [panel] = standIn.panels;
      panel?.fromPage.fire({ type: 'request', id: 1, method: 'start', params: { settings: { target: '/data/runs' } } });
      const reply = await until('the reply', () => panel?.posted[0]);
      expect(reply).toMatchObject({ type: 'failure', id: 1, code: 'not-trusted' });
    });

    it('refuse files of virtual file systems', async () => {
      host = activatedHost({ canMeasure: true });
      await standIn.run(commandIds.checkBandwidth, writeWeights('memfs:/run/model.safetensors'));
      expect(standIn.messages.map(({ text }) => text)).toEqual([expect.stringContaining('not virtual file systems')]);
    });
  });
});
