/** What the host of a report panel shows. */
export const scenarios = [
  'sample',
  'many',
  'ranks',
  'run',
  'collection',
  'hub-cache',
  'hostile',
  'empty',
  'clean',
  'broken',
  'load',
  'logged',
  'loading',
  'failed',
  'dataset',
  'dataset-huge',
  'dataset-text',
  'dataset-untokenized',
  'dataset-hostile',
  'dataset-empty',
] as const;

export type Scenario = (typeof scenarios)[number];
