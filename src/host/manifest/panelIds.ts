/** Types of the panels that are no editors. */
export const panelIds = {
  report: 'stowage.report',
  estimate: 'stowage.estimate',
  bandwidth: 'stowage.bandwidth',
  run: 'stowage.run',
  compare: 'stowage.compare',
} as const;
