// The packaged extension in an editor, and pages that show one of its files.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import { address } from '../../../scripts/code-server/launch.mjs';
import { copyExamples, type Editor as Vscode, openEditor } from '../lib/editor';
import { root } from '../lib/paths';
import { patience } from '../lib/patience.mjs';
import { builtIn, settings } from './setup';
import { Workbench } from './workbench';

/** The editor of all tests, with a workspace of one's own. Settings are those of the workspace. */
export async function openPackaged(own: Record<string, unknown> = {}): Promise<Vscode> {
  const browser = await chromium.connect(inject('browser'));
  const { workspace, remove } = copyExamples();
  if (Object.keys(own).length > 0) {
    mkdirSync(join(workspace, '.vscode'));
    writeFileSync(join(workspace, '.vscode', 'settings.json'), JSON.stringify({ ...own, 'files.exclude': { '.vscode': true } }));
  }
  return { host: inject('host'), browser, workspace, close: () => browser.close().finally(remove) };
}

/** An editor of one's own, whose server begins only once a test releases it, as on a machine that is busy. */
export async function openHeld(): Promise<Vscode & { hold(): { release(): void } }> {
  const vscode = await openEditor({ vsix: inject('vsix'), settings, builtIn });
  const extensions = join(vscode.home, 'extensions');
  const server = readdirSync(extensions).map((name) => join(extensions, name, 'bin', 'aiglens')).find(existsSync);
  if (server === undefined) throw new Error('no server in the extension');
  const held = `${server}.held`;
  const released = `${server}.released`;
  renameSync(server, held);
  const script = `#!/bin/sh\nwhile [ ! -e '${released}' ]; do sleep 0.05; done\nexec '${held}' "$@"\n`;
  writeFileSync(server, script, { mode: 0o755 });
  const hold = () => {
    rmSync(released, { force: true });
    return { release: () => writeFileSync(released, '') };
  };
  return { ...vscode, hold };
}

export interface Session {
  page: Page;
  workbench: Workbench;
  /** The path of the file that is open. */
  path: string;
}

export async function openFile(vscode: Vscode, file: string, viewport = { width: 1180, height: 760 }): Promise<Session> {
  const page = await vscode.browser.newPage({ viewport });
  page.setDefaultTimeout(patience);
  // Before what was registered earlier closes the browser.
  onTestFinished(async ({ task }) => {
    if (page.isClosed()) return;
    if (task.result?.state === 'fail') {
      const picture = `failed-${task.name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`;
      await page.screenshot({ path: join(root, 'out', picture) });
      console.error(`what it looked like: out/${picture}`);
    }
    await page.close();
  });
  const path = join(vscode.workspace, file);
  const url = address(vscode.host, vscode.workspace, [['openFile', `vscode-remote://${vscode.host}${path}`]]);
  return { page, workbench: await Workbench.open(page, url), path };
}
