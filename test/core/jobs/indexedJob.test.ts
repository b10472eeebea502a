import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { indexedJob, type IndexedJobOptions } from '../../../src/core/jobs/indexedJob.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';

const validate = compileSchemaFile('test/core/jobs/indexedJob.schema.json');
const array = {
  name: 'stowage-verify-00c0ffee',
  target: '/mnt/run data/step 100',
  tasks: 12,
  mostBytes: 1e12,
  promise: ['Reads 1 TB.', 'two\nlines: [x'],
};
const options: IndexedJobOptions = {
  nodes: 3,
  claim: { name: 'checkpoints', mountPath: '/mnt/run data' },
  namespace: 'training',
  image: 'registry.example:5000/node@sha256:0123',
  user: { userId: 1000, groupId: 100, groups: [2000, 3000] },
};
const folder = '/mnt/run data/jobs/stowage-verify-job-00c0ffee';
const program = { node: 'node', cli: `${folder}/cli.js`, folder };

interface Pod {
  containers: { command: string[]; volumeMounts: object[] }[];
  securityContext?: object;
}

function specOf(text: string): { completions: number; parallelism: number; completionMode: string; template: { spec: Pod } } {
  return (parse(text) as { spec: ReturnType<typeof specOf> }).spec;
}

describe('a Job of Kubernetes', () => {
  it.each([
    ['with all options', options],
    ['without', { ...options, namespace: null, user: null }],
    ['of root', { ...options, user: { userId: 0, groupId: 0, groups: [] } }],
  ])('is one by Kubernetes’ own schema, %s', (_, given) => {
    const text = indexedJob(array, given, program);
    expect(schemaErrors(validate, parse(text))).toEqual([]);
  });

  it('is refused by that schema where a key is not one of its own, at any depth', () => {
    const job = parse(indexedJob(array, options, program)) as { spec: { template: { spec: Pod } } };
    Object.assign(job.spec.template.spec.containers[0] ?? {}, { comand: [] });
    expect(schemaErrors(validate, job)).not.toEqual([]);
  });

  it('has an index for each task, as many at once as there are nodes, and writes into the folder of the job alone', () => {
    const spec = specOf(indexedJob(array, options, program));
    expect(spec).toMatchObject({ completionMode: 'Indexed', completions: 12, parallelism: 3 });
    const [container] = spec.template.spec.containers;
    expect(container?.command).toEqual(['node', `${folder}/cli.js`, 'job-task', folder]);
    expect(container?.volumeMounts).toEqual([
      { name: 'files', mountPath: '/mnt/run data', readOnly: true },
      { name: 'files', mountPath: folder, subPath: 'jobs/stowage-verify-job-00c0ffee' },
    ]);
  });

  it('reads as the user does, with all groups; root reads files of others, too', () => {
    const pod = specOf(indexedJob(array, options, program)).template.spec;
    expect(pod.securityContext).toEqual({
      runAsUser: 1000,
      runAsGroup: 100,
      runAsNonRoot: true,
      supplementalGroups: [2000, 3000],
    });
    const asRoot = { ...options, user: { userId: 0, groupId: 0, groups: [] } };
    const [container] = specOf(indexedJob(array, asRoot, program)).template.spec.containers;
    expect(container).toMatchObject({ securityContext: { capabilities: { drop: ['ALL'], add: ['DAC_OVERRIDE'] } } });
  });

  it('runs no more pods than there are tasks', () => {
    expect(specOf(indexedJob({ ...array, tasks: 2 }, options, program)).parallelism).toBe(2);
  });

  it.each([
    ['claim', { claim: { name: 'Check points', mountPath: '/mnt' } }],
    ['namespace', { namespace: '-x' }],
    ['image', { image: 'node; rm' }],
    ['folder', { claim: { name: 'checkpoints', mountPath: '/mnt/other' } }],
    ['folder', { claim: { name: 'checkpoints', mountPath: folder } }],
    ['claim without the files', { claim: { name: 'checkpoints', mountPath: '/mnt/run data/jobs' } }],
  ])('refuses a %s that cannot be', (_, wrong) => {
    expect(() => indexedJob(array, { ...options, ...wrong }, program)).toThrow(expect.objectContaining({ code: 'bad-setting' }));
  });
});
