// A machine may be busy, or stop for some seconds: vi.waitFor gives up as late as expect.poll does, and
// not after a second. No test waits for a time to pass: these are bounds only.
import { vi } from 'vitest';
import { patience } from '../lib/patience.mjs';

const waitFor = vi.waitFor.bind(vi);
vi.waitFor = (run, options = patience) => waitFor(run, options);
