// What is bundled into the extension, for esbuild.mjs, which builds it, and scripts/notice.mjs,
// which lists the licences of what is in it.

/** @typedef {import('esbuild').BuildOptions} BuildOptions */

/** @type {BuildOptions} what runs in Node */
export const node = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'warning' };

/** @param {boolean} watch @param {string} folder @param {string} out @param {string[]} files @returns {BuildOptions} */
const page = (watch, folder, out, files = ['main.ts', 'panel.css']) => ({
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

/**
 * The extension in dist/extension.js, the page of the trace panel in dist/trace.js and dist/trace.css, those of the
 * schematic and of the Circuit view in files with their names, and Graphviz, a global of both, in dist/graphviz.js.
 * @param {boolean} watch @returns {BuildOptions[]}
 */
export const shipped = (watch = false) => [
  { ...node, entryPoints: ['src/node/main.ts'], outfile: 'dist/extension.js', external: ['vscode'], minify: !watch, sourcemap: watch },
  page(watch, 'counterexample', 'trace'),
  { ...page(watch, 'schematic', 'graphviz', ['graphviz.ts']), globalName: 'graphviz' },
  page(watch, 'schematic', 'schematic'),
  page(watch, 'circuit', 'circuit'),
];
