import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { patience } from './test/lib/patience.mjs';

// A machine may be busy. No test waits for a time to pass: these are bounds only.
const bounds = { testTimeout: 5 * patience, hookTimeout: 5 * patience, expect: { poll: { timeout: patience } } };
const stub = fileURLToPath(new URL('test/unit/vscode.ts', import.meta.url));
// The package gives it to bundlers for browsers only.
const ofBrowsers = fileURLToPath(new URL('node_modules/vscode-languageclient/lib/browser/main.js', import.meta.url));

/** The packaged extension in an editor, driven like a user drives it. */
const driven = {
  globalSetup: 'test/browser/setup.ts',
  maxWorkers: 2,
  ...bounds,
  // The editor may redraw between two of a test's clicks. The report names what needed a second try.
  retry: 1,
};

/** Tests that run with the desktop alone, and what they need of it. */
const absentInBrowsers = [
  'comparison', // git: the last commit
  'typing', // a program of the server that a test holds back
  'verilog', // Yosys
  'run', // a script of the sources
  'measure', // measures and pictures for the documentation, of the desktop
  'screenshots',
  'stranger',
  'panel', // no editor: the page of the trace panel is the same in both packages
];

export default defineConfig({
  test: {
    projects: [
      {
        // The web page in a browser.
        test: { name: 'page', include: ['test/page/**/*.test.ts'], globalSetup: 'test/page/setup.ts', maxWorkers: 1, ...bounds },
      },
      {
        // The modules of the client, with what they need of VS Code replaced.
        resolve: { alias: [{ find: /^vscode$/, replacement: stub }, { find: 'vscode-languageclient/browser', replacement: ofBrowsers }] },
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], setupFiles: ['test/unit/patience.ts'], ...bounds },
      },
      {
        // The program in Web Workers, without a browser around them.
        test: { name: 'web', include: ['test/web/**/*.test.ts'], globalSetup: 'test/web/setup.ts', ...bounds },
      },
      {
        // What make vsix puts into a package.
        test: { name: 'package', include: ['test/package/**/*.test.ts'], ...bounds },
      },
      { test: { name: 'browser', include: ['test/browser/**/*.test.ts'], exclude: ['test/browser/inBrowser.test.ts'], ...driven } },
      {
        // The same with the package for browsers: the extension and its server run in the page.
        test: { name: 'web-extension', include: ['test/browser/**/*.test.ts'], exclude: absentInBrowsers.map((name) => `test/browser/${name}.test.ts`), ...driven },
      },
    ],
  },
});
