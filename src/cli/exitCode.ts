/** Exit codes of the contract; 130 is what shells say of a command that Ctrl-C ended. */
export const exitCode = { done: 0, findings: 1, usage: 2, unreadable: 3, cancelled: 130 } as const;
