// A real VS Code for a test: code-server on a workspace of its own, shown by a
// headless Chromium. All of it lives in one temporary folder and ends with close.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { type CodeServer, launch } from '../../../scripts/code-server/launch.mjs';
import { root } from './paths';

export interface Editor {
  server: CodeServer;
  browser: Browser;
  /** A copy of examples/, open as the workspace. */
  workspace: string;
  close(): Promise<void>;
}

export interface EditorOptions {
  vsix?: string;
  args?: string[];
  /** Folders are trusted only once the user says so. */
  trust?: boolean;
  settings?: Record<string, unknown>;
}

export async function openEditor(options: EditorOptions): Promise<Editor> {
  const install = execFileSync(join(root, 'scripts', 'code-server.sh'), { encoding: 'utf8' }).trim();
  const folder = mkdtempSync(join(tmpdir(), 'aiglens-editor-'));
  const workspace = join(folder, 'examples');
  mkdirSync(workspace);
  cpSync(join(root, 'examples'), workspace, { recursive: true });

  let server: CodeServer | undefined;
  let browser: Browser | undefined;
  const close = async () => {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  // Results are kept where only this editor finds them, and only where a test wants
  // that: what it checks would else be answered by what another one has checked.
  process.env['AIGLENS_CACHE'] = join(folder, 'cache');
  const settings = { 'aiglens.check.cache': false, ...options.settings };
  try {
    server = await launch({ install, home: join(folder, 'home'), ...options, settings });
    browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments });
    return { server, browser, workspace, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Nothing in it asks anything outside of this machine. */
export const chromiumArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function chromiumPath(): string {
  const candidates = [process.env['AIGLENS_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = candidates.find((path) => path !== undefined && existsSync(path));
  if (found === undefined) {
    throw new Error('no Chromium: install the package chromium or set AIGLENS_CHROMIUM');
  }
  return found;
}
