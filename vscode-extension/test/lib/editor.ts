// A real VS Code for a test: code-server, shown by a headless Chromium, on a workspace that is a
// copy of the examples. All that it writes lies in temporary folders, and ends with close.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { type CodeServer, launch } from '../../../scripts/code-server/launch.mjs';
import { root } from './paths';

export interface Editor {
  /** Host and port, the authority of remote URIs. */
  host: string;
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
  /** Of the extensions that come with VS Code, the only ones: the others take a third of the time of an opening. */
  builtIn?: readonly string[];
}

/** A code-server with a home of its own. */
export interface EditorServer {
  host: string;
  /** The folder for everything that it writes. */
  home: string;
  exited: CodeServer['exited'];
  close(): Promise<void>;
}

export async function openServer(options: EditorOptions): Promise<EditorServer> {
  const install = execFileSync(join(root, 'scripts', 'code-server.sh'), { encoding: 'utf8' }).trim();
  const { path, remove } = temporaryFolder();
  const home = join(path, 'home');
  // Results are kept where only this editor finds them, and only where a test wants
  // that: what it checks would else be answered by what another one has checked.
  process.env['AIGLENS_CACHE'] = join(path, 'cache');
  const settings = { 'aiglens.check.cache': false, ...options.settings };
  // No window that was closed is opened again: what runs for it can end soon.
  const args = ['--reconnection-grace-time', '60', ...(options.args ?? [])];
  try {
    if (options.builtIn !== undefined) args.push('--builtin-extensions-dir', chosen(options.builtIn, install, join(path, 'builtin')));
    const { host, exited, stop } = await launch({ install, home, ...options, settings, args });
    return { host, home, exited, close: () => stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Fills a folder with these of the extensions that come with VS Code. */
function chosen(names: readonly string[], install: string, folder: string): string {
  mkdirSync(folder);
  for (const name of names) symlinkSync(join(install, 'node_modules/code-server/lib/vscode/extensions', name), join(folder, name));
  return folder;
}

/** An editor that shares nothing with others. */
export async function openEditor(options: EditorOptions): Promise<Editor & EditorServer> {
  const server = await openServer(options);
  const { workspace, remove } = copyExamples();
  let browser: Browser | undefined;
  const close = async () => {
    await browser?.close();
    await server.close();
    remove();
  };
  try {
    browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments });
    return { ...server, browser, workspace, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export function copyExamples(): { workspace: string; remove(): void } {
  const { path, remove } = temporaryFolder();
  const workspace = join(path, 'examples');
  cpSync(join(root, 'examples'), workspace, { recursive: true });
  return { workspace, remove };
}

function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'aiglens-editor-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
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

/** The shell without windows comes first: it draws the same, and takes two thirds of the processor time. */
export function chromiumPath(): string {
  const candidates = [process.env['AIGLENS_CHROMIUM'], '/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = candidates.find((path) => path !== undefined && existsSync(path));
  if (found === undefined) {
    throw new Error('no Chromium: install the package chromium or set AIGLENS_CHROMIUM');
  }
  return found;
}
