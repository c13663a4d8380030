// Runs suite.ts inside the extension host of a real VS Code, prints what Mocha prints
// there and exits with its exit code: once as users work, once in a folder that is not
// trusted.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { address } from '../../../scripts/code-server/launch.mjs';
import { openEditor } from '../lib/editor';
import { extension } from '../lib/paths';
import { patience } from '../lib/patience.mjs';
import { marker, untrusted } from './marker';

const limit = 15 * patience; // for everything, far more than it takes

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

/** Settings of a hostile folder. */
function hostile(examples: string): string {
  const server = join(examples, 'server.sh');
  writeFileSync(server, `#!/bin/sh\necho started > ${join(examples, 'started')}\n`);
  chmodSync(server, 0o755);
  writeFileSync(join(examples, 'cells.genlib'), 'GATE inv 1 O=!a;\nPIN * INV 1 999 1 0 1 0\n');
  mkdirSync(join(examples, '.vscode'), { recursive: true });
  const settings = { 'aiglens.server.path': server, 'aiglens.blif.genlib': join(examples, 'cells.genlib'), 'aiglens.check.trigger': 'onType', 'aiglens.trusted': true };
  writeFileSync(join(examples, '.vscode', 'settings.json'), JSON.stringify(settings));
  return examples;
}

async function run(trusted: boolean): Promise<number> {
  delete process.env[untrusted];
  if (!trusted) process.env[untrusted] = '1';
  const editor = await openEditor({ args: ['--vscode-option', 'enable-smoke-test-driver'], trust: !trusted });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void editor.close().then(() => process.exit(1)));
  }
  try {
    const page = await editor.browser.newPage();
    const code = new Promise<number>((resolve, reject) => {
      void page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => print(args));
      void page.exposeFunction('codeAutomationExit', resolve);
      const fail = (why: string) => reject(new Error(`${why}; VS Code said:\n${others.join('\n')}`));
      void editor.exited.then((exit) => fail(`code-server ended with ${exit}`));
      setTimeout(() => fail(`no result after ${limit / 1000} s`), limit).unref();
    });
    const remote = (path: string) => `vscode-remote://${editor.host}${path}`;
    const url = address(editor.host, trusted ? twoFolders(editor.workspace) : hostile(editor.workspace), [
      ['extensionDevelopmentPath', remote(extension)],
      ['extensionTestsPath', remote(join(extension, 'out', 'host', 'suite.js'))],
    ]);
    await page.goto(trusted ? url.replace('?folder=', '?workspace=') : url);
    return await code;
  } finally {
    await editor.close();
  }
}

async function main(): Promise<number> {
  for (const needed of ['dist/extension.js', process.platform === 'win32' ? 'bin/aiglens.exe' : 'bin/aiglens']) {
    if (!existsSync(join(extension, needed))) throw new Error(`there is no ${needed} in ${extension}: run scripts/build.sh`);
  }
  return (process.env[untrusted] === undefined && (await run(true))) || run(false);
}

main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
