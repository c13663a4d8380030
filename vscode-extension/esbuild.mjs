// Bundles the extension into dist/extension.js, the page of the trace panel into
// dist/trace.js and dist/trace.css, those of the schematic and of the Circuit view into files with
// their names, and Graphviz for both into dist/graphviz.js; with --tests the suite for the
// extension host, and the script that starts it, into out/host instead; with
// --watch again whenever a file changes, with a source map.
import * as esbuild from 'esbuild';

const tests = process.argv.includes('--tests');
const watch = process.argv.includes('--watch');

/** @type {esbuild.BuildOptions} */
const common = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'warning' };

/** @type {esbuild.BuildOptions} */
const options = tests
  ? {
      ...common,
      entryPoints: { suite: 'test/host/suite.ts', run: 'test/host/run.ts' },
      outdir: 'out/host',
      // Mocha loads parts of itself by computed names, playwright too.
      external: ['vscode', 'mocha', 'playwright-core'],
    }
  : {
      ...common,
      entryPoints: ['src/extension.ts'],
      outfile: 'dist/extension.js',
      external: ['vscode'],
      minify: !watch,
      sourcemap: watch,
    };

/** @param {string} folder @param {string} out @param {string[]} files @returns {esbuild.BuildOptions} */
const page = (folder, out, files = ['main.ts', 'panel.css']) => ({
  bundle: true,
  platform: 'browser',
  target: 'chrome120',
  format: 'iife',
  logLevel: 'warning',
  entryPoints: files.map((file) => ({ in: `src/${folder}/webview/${file}`, out })),
  outdir: 'dist',
  minify: !watch,
  sourcemap: watch && 'inline',
});

/** The module is a global of the page. */
const graphviz = { ...page('schematic', 'graphviz', ['graphviz.ts']), globalName: 'graphviz' };

for (const one of tests ? [options] : [options, page('counterexample', 'trace'), graphviz, page('schematic', 'schematic'), page('circuit', 'circuit')]) {
  if (watch) {
    await (await esbuild.context({ ...one, logLevel: 'info' })).watch();
  } else {
    await esbuild.build(one);
  }
}
