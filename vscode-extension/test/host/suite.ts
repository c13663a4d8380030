// The entry point that the extension host calls.
import { format } from 'node:util';
import Mocha from 'mocha';
import { patience } from '../lib/patience.mjs';
import { marker, untrusted } from './marker';

export async function run(): Promise<void> {
  // VS Code's own messages take the same way out; the marker tells them apart.
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(marker + format(...args));
  const mocha = new Mocha({ ui: 'bdd', timeout: 2 * patience, reporter: 'spec', color: false });
  const only = process.env['AIGLENS_TEST_ONLY'];
  if (only !== undefined) mocha.grep(only);
  // The files register their tests while they are loaded; what they load is in
  // this bundle, so Mocha has nothing to find by itself.
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, '', mocha);
  if (process.env[untrusted] !== undefined) {
    await import('./untrusted.test');
  } else {
    await trusted();
  }
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} failed`);
}

async function trusted(): Promise<void> {
  await import('./extension.test');
  await import('./agents.test');
  await import('./changing.test');
  await import('./reading.test');
  await import('./blif.test');
  await import('./verdicts.test');
  await import('./counterexamples.test');
}
