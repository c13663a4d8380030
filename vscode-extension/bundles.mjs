// What is bundled into the extension, for esbuild.mjs, which builds it, and scripts/notice.mjs,
// which lists the licences of what is in it; and into the web page, for page.mjs.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/** @typedef {import('esbuild').BuildOptions} BuildOptions */

/** @type {BuildOptions} what runs in Node */
export const node = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'warning' };

/** @type {BuildOptions} the extension where it runs in a browser */
export const web = { ...node, platform: 'browser', target: 'chrome120', entryPoints: ['src/web/main.ts'], outfile: 'dist/web/extension.js', external: ['vscode'] };

/**
 * The script of the program in a browser, dist/web/serverWorker.js. What Go's compiler needs of it stands with Go.
 * @param {boolean} watch @returns {BuildOptions}
 */
export const serverWorker = (watch = false) => ({
  bundle: true,
  platform: 'browser',
  target: 'chrome120',
  format: 'iife',
  logLevel: 'warning',
  entryPoints: ['src/web/serverWorker.ts'],
  outfile: 'dist/web/serverWorker.js',
  minify: !watch,
  plugins: [
    {
      name: 'go',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^wasm_exec\.js$/ }, () => ({ path: join(execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim(), 'lib', 'wasm', 'wasm_exec.js') })),
    },
  ],
});

/** @param {boolean} watch @param {string} folder @param {string} out @param {string[]} files @returns {BuildOptions} */
const panel = (watch, folder, out, files = ['main.ts', 'panel.css']) => ({
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
 * The page of the trace panel in dist/trace.js and dist/trace.css, those of the schematic and of the Circuit view in
 * files with their names, and Graphviz, a global of both, in dist/graphviz.js.
 * @param {boolean} watch @returns {BuildOptions[]}
 */
export const panels = (watch = false) => [
  panel(watch, 'counterexample', 'trace'),
  { ...panel(watch, 'schematic', 'graphviz', ['graphviz.ts']), globalName: 'graphviz' },
  panel(watch, 'schematic', 'schematic'),
  panel(watch, 'circuit', 'circuit'),
];

/** The extension in dist/extension.js and, for browsers, in dist/web/extension.js, and its panels. @param {boolean} watch @returns {BuildOptions[]} */
export const shipped = (watch = false) => [
  { ...node, entryPoints: ['src/node/main.ts'], outfile: 'dist/extension.js', external: ['vscode'], minify: !watch, sourcemap: watch },
  { ...web, minify: !watch, sourcemap: watch },
  ...panels(watch),
  serverWorker(watch),
];

/** @type {BuildOptions} */
const browser = { bundle: true, platform: 'browser', target: 'chrome120', format: 'esm', logLevel: 'warning', outdir: 'out' };

/** The web page, which page.mjs puts together: there VS Code's API is that of page/vscode. @type {Record<'main' | 'frame' | 'worker' | 'service', BuildOptions>} */
export const page = {
  main: { ...browser, entryPoints: { main: 'page/entry.ts' }, alias: { vscode: join(here, 'page', 'vscode', 'index.ts') }, loader: { '.ttf': 'file' }, assetNames: '[name]-[hash]' },
  frame: { ...browser, format: 'iife', entryPoints: { frame: 'page/frame.ts' } },
  worker: { ...browser, format: 'iife', entryPoints: { editorWorker: 'monaco-editor/editor/editor.worker.js' } },
  service: { ...browser, format: 'iife', entryPoints: { service: 'page/service.ts' } },
};

/** What the page takes from the manifest of the extension, as a module. @param {any} manifest @returns {import('esbuild').Plugin} */
export const contributed = ({ contributes, version }) => ({
  name: 'contributes',
  setup(build) {
    build.onResolve({ filter: /^aiglens:contributes$/ }, ({ path }) => ({ path, namespace: 'contributes' }));
    build.onLoad({ filter: /.*/, namespace: 'contributes' }, () => {
      const { languages, colors, keybindings, commands, menus, configuration } = contributes;
      const pick = (/** @type {any[]} */ all, /** @type {string[]} */ ...names) => all.map((one) => Object.fromEntries(names.map((name) => [name, one[name]])));
      const contents = {
        version,
        languages: pick(languages, 'id', 'extensions', 'aliases', 'firstLine', 'configuration').map((one) => ({ ...one, configuration: JSON.parse(readFileSync(join(here, one['configuration']), 'utf8')) })),
        colors: pick(colors, 'id', 'defaults'),
        keybindings: pick(keybindings, 'command', 'key', 'when'),
        commands: pick(commands, 'command', 'title'),
        palette: menus.commandPalette,
        settings: {
          ...Object.fromEntries([configuration].flat().flatMap((/** @type {any} */ { properties }) => Object.entries(properties).map((/** @type {[string, any]} */ [name, setting]) => [name, setting.default]))),
          'aiglens.tests.enabled': false, // the page has no list of tests
        },
      };
      return { contents: JSON.stringify(contents), loader: 'json' };
    });
  },
});
