// Runs suite.ts inside the extension host of a real VS Code, prints what Mocha
// prints there and exits with its exit code.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openEditor } from '../lib/editor';
import { extension } from '../lib/paths';
import { marker } from './marker';

const limit = 360_000; // milliseconds for everything, far more than it takes

/** What VS Code says to itself: of interest only when nothing came of it. */
const others: string[] = [];

function print(args: unknown[]): void {
  const [first] = args;
  if (typeof first === 'string' && first.startsWith(marker)) {
    console.log(first.slice(marker.length));
  } else {
    others.push(args.join(' ').slice(0, 1000));
  }
}

/** A workspace of the examples and of an empty folder. Returns its file. */
function twoFolders(examples: string): string {
  const above = dirname(examples);
  mkdirSync(join(above, 'second'));
  const file = join(above, 'both.code-workspace');
  writeFileSync(file, JSON.stringify({ folders: [{ path: examples }, { path: 'second' }] }));
  return file;
}

async function main(): Promise<number> {
  const editor = await openEditor({ args: ['--vscode-option', 'enable-smoke-test-driver'] });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void editor.close().then(() => process.exit(1)));
  }
  try {
    const page = await editor.browser.newPage();
    const code = new Promise<number>((resolve, reject) => {
      void page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => print(args));
      void page.exposeFunction('codeAutomationExit', resolve);
      const fail = (why: string) => reject(new Error(`${why}; VS Code said:\n${others.join('\n')}`));
      void editor.server.exited.then((exit) => fail(`code-server ended with ${exit}`));
      setTimeout(() => fail(`no result after ${limit / 1000} s`), limit).unref();
    });
    const remote = (path: string) => `vscode-remote://${editor.server.host}${path}`;
    const address = editor.server.url(twoFolders(editor.workspace), [
      ['extensionDevelopmentPath', remote(extension)],
      ['extensionTestsPath', remote(join(extension, 'out', 'host', 'suite.js'))],
    ]);
    await page.goto(address.replace('?folder=', '?workspace='));
    return await code;
  } finally {
    await editor.close();
  }
}

main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
