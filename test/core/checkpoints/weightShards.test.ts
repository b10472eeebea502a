import { describe, expect, it } from 'vitest';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';

const topologyIn = async (path: string) => (await inspectCheckpoint(await createNodeFileTree(path), { path })).report.topology;

describe('parts of the weights in a distributed checkpoint', () => {
  it('are as many as the ranks of FSDP', async () => {
    expect(await topologyIn('samples/torchtitan-step-10')).toMatchObject({ worldSize: 4, weightShards: 4 });
    expect(await topologyIn('test/fixtures/frameworks/dcp/fsdp2-app-2r/data')).toMatchObject({ worldSize: 2, weightShards: 2 });
  });

  it('are not said of tensors that are whole, and of files that are no rank’s', async () => {
    expect(await topologyIn('test/fixtures/frameworks/dcp/fsdp1-local-2r/data')).not.toHaveProperty('weightShards');
    expect(await topologyIn('test/fixtures/frameworks/hf/trainer-ddp-2r/data/checkpoint-2')).not.toHaveProperty('weightShards');
  });
});
