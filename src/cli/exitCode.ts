/** Exit codes of the contract. */
export const exitCode = { done: 0, findings: 1, usage: 2, unreadable: 3 } as const;
