// Bundles the extension and its pages into dist, as bundles.mjs lists them; with --tests the
// suite for the extension host, and the script that starts it, into out/host instead; with
// --watch again whenever a file changes, with a source map.
import * as esbuild from 'esbuild';

import { node, shipped } from './bundles.mjs';

const watch = process.argv.includes('--watch');

/** @type {esbuild.BuildOptions} */
const tests = {
  ...node,
  entryPoints: { suite: 'test/host/suite.ts', run: 'test/host/run.ts' },
  outdir: 'out/host',
  // Mocha loads parts of itself by computed names, playwright too.
  external: ['vscode', 'mocha', 'playwright-core'],
};

for (const one of process.argv.includes('--tests') ? [tests] : shipped(watch)) {
  if (watch) {
    await (await esbuild.context({ ...one, logLevel: 'info' })).watch();
  } else {
    await esbuild.build(one);
  }
}
