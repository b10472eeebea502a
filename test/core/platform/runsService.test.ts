/** What the editor asks of runs: lines of its view, a retention plan that knows its workspace, and a plan of what is listed. */
import { describe, expect, it } from 'vitest';
import { createRunsService } from '../../../src/platform/runsService.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';

const { signal } = new AbortController();
const files = {
  ...Object.fromEntries(
    [100, 200, 300].flatMap((step) =>
      ['model.safetensors', 'optimizer.pt', 'scheduler.pt'].map((name) => [`/run/checkpoint-${step}/${name}`, 'x']),
    ),
  ),
  '/run/.stowage/retention.yaml': 'keepLast: 2\n',
  '/projects/lora/adapter_config.json': JSON.stringify({ base_model_name_or_path: '../run/checkpoint-100' }),
};

function service(isLocal = true) {
  const platform = memoryPlatform(files);
  return createRunsService({
    path: '/run',
    openTree: () => platform.openTree('/run'),
    openFolders: () => platform.openFolders('/run', null),
    openFollowed: () => platform.openFolders('/run', null),
    room: () => platform.room('/run'),
    local: isLocal ? platform : null,
  });
}

describe('the service of runs', () => {
  it('keeps the base of an adapter in the workspace that it is given', async () => {
    const reasonWithin = async (workspace: string | null) =>
      /\| checkpoint\\-100 .*\|/.exec((await service().retention({ workspace }, signal)).markdown)?.[0];
    expect(await reasonWithin('/projects')).toContain('adapter');
    expect(await reasonWithin(null)).not.toContain('adapter');
  });

  it('applies no policy where files are reached through the editor, and has no scripts before a plan', async () => {
    await expect(service(false).retention({ workspace: null }, signal)).rejects.toThrow('this machine alone');
    expect(() => service().retentionScripts({}, signal)).toThrow('no policy was applied');
  });

  it('answers nothing of runs that were not listed, or are not there', async () => {
    const runs = service();
    expect(() => runs.runsMarkdown({}, signal)).toThrow('have not been listed');
    await runs.runs({ isFollowed: false }, signal);
    expect(() => runs.planOfRun({ path: 'elsewhere', names: null }, signal)).toThrow('no such run');
    expect(await runs.planOfRun({ path: '', names: null }, signal)).toContain('"path": "checkpoint-300"');
  });
});
