// The packaged extension in an editor, and pages that show one of its files.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { type Editor as Vscode, openEditor } from '../lib/editor';
import { root } from '../lib/paths';
import { Workbench } from './workbench';

const settings = {
  'editor.hover.delay': 50,
  'editor.minimap.enabled': false,
  'window.commandCenter': false,
  // Each file that is opened stays open, and with it what is known of it.
  'workbench.editor.enablePreview': false,
};

export async function openPackaged(own: Record<string, unknown> = {}): Promise<Vscode> {
  const script = join(root, 'scripts', 'package.sh');
  const vsix = execFileSync(script, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  return openEditor({ vsix, settings: { ...settings, ...own } });
}

/** Lets no server of this editor begin until it is released, as on a machine that is busy. */
export function holdServer(vscode: Vscode): { release(): void } {
  const extensions = join(vscode.workspace, '..', 'home', 'extensions');
  const server = readdirSync(extensions).map((name) => join(extensions, name, 'bin', 'aiglens')).find(existsSync);
  if (server === undefined) throw new Error('no server in the extension');
  const held = `${server}.held`;
  renameSync(server, held);
  const script = `#!/bin/sh\nwhile [ ! -e '${held}.go' ]; do sleep 0.05; done\nexec '${held}' "$@"\n`;
  writeFileSync(server, script, { mode: 0o755 });
  return { release: () => writeFileSync(`${held}.go`, '') };
}

export interface Session {
  page: Page;
  workbench: Workbench;
  /** The path of the file that is open. */
  path: string;
}

export async function openFile(vscode: Vscode, file: string, viewport = { width: 1180, height: 760 }): Promise<Session> {
  const page = await vscode.browser.newPage({ viewport });
  page.setDefaultTimeout(60_000);
  // Before what was registered earlier closes the browser.
  onTestFinished(async ({ task }) => {
    if (task.result?.state !== 'fail' || page.isClosed()) return;
    const picture = `failed-${task.name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`;
    await page.screenshot({ path: join(root, 'out', picture) });
    console.error(`what it looked like: out/${picture}`);
  });
  const path = join(vscode.workspace, file);
  const address = vscode.server.url(vscode.workspace, [['openFile', `vscode-remote://${vscode.server.host}${path}`]]);
  return { page, workbench: await Workbench.open(page, address), path };
}
