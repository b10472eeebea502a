/** Wrong use of the command line: the message and the usage are printed, no stack. */
export class UsageError extends Error {}
