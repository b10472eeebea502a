/** Types of the panels that are no editors. */
export const panelIds = {
  report: 'stowage.report',
  bandwidth: 'stowage.bandwidth',
} as const;
