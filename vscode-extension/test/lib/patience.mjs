/** Milliseconds for what comes at once, or after several attempts, on a machine that may be busy. */
export const patience = 120_000;
