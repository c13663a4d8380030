import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { patience } from './test/lib/patience.mjs';

// A machine may be busy. No test waits for a time to pass: these are bounds only.
const bounds = { testTimeout: 5 * patience, hookTimeout: 5 * patience, expect: { poll: { timeout: patience } } };
const stub = fileURLToPath(new URL('test/unit/vscode.ts', import.meta.url));
// The package gives it to bundlers for browsers only.
const ofBrowsers = fileURLToPath(new URL('node_modules/vscode-languageclient/lib/browser/main.js', import.meta.url));

export default defineConfig({
  test: {
    projects: [
      {
        // The modules of the client, with what they need of VS Code replaced.
        resolve: { alias: [{ find: /^vscode$/, replacement: stub }, { find: 'vscode-languageclient/browser', replacement: ofBrowsers }] },
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], setupFiles: ['test/unit/patience.ts'], ...bounds },
      },
      {
        // What make vsix puts into a package.
        test: { name: 'package', include: ['test/package/**/*.test.ts'], ...bounds },
      },
      {
        // The packaged extension in a browser, driven like a user drives it.
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: 'test/browser/setup.ts',
          maxWorkers: 2,
          ...bounds,
          // The editor may redraw between two of a test's clicks. The report names what needed a second try.
          retry: 1,
        },
      },
    ],
  },
});
