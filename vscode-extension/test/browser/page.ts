// A page of a webview in a browser without VS Code around it: that of the trace panel, or another one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { pageHtml } from '../../src/counterexample/html';
import type { FromPage, PageSignal, PageState, PageWord, ToPage } from '../../src/counterexample/messages';
import type { PageParts } from '../../src/page';
import { extension } from '../lib/paths';

/** Colours of VS Code's dark theme, as far as the picture needs any. */
const colours = ':root { --vscode-foreground: #ccc; --vscode-editor-background: #1f1f1f; --vscode-focusBorder: #0078d4; --vscode-font-family: sans-serif; --vscode-font-size: 13px; }';

interface Browser {
  sent: unknown[];
  postMessage(message: unknown, origin: string): void;
}

/** Opens the page of a bundle, as a panel does; what it sends is kept. */
export async function openPage(page: Page, bundle = 'trace', htmlOf: (parts: PageParts) => string = pageHtml, ...before: string[]): Promise<void> {
  const address = 'http://page.test';
  const dist = (name: string) => readFileSync(join(extension, 'dist', name), 'utf8');
  const html = htmlOf({ scripts: [...before, bundle].map((name) => `${address}/${name}.js`), style: `${address}/${bundle}.css`, source: address, nonce: 'n' });
  await page.route(`${address}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.endsWith('.js')) return route.fulfill({ contentType: 'text/javascript', body: dist(pathname.slice(1)) });
    if (pathname.endsWith('.css')) return route.fulfill({ contentType: 'text/css', body: colours + dist(`${bundle}.css`) });
    return route.fulfill({ contentType: 'text/html', body: html });
  });
  await page.addInitScript(() => {
    const scope = globalThis as unknown as Browser & { acquireVsCodeApi: unknown };
    let state: PageState | undefined;
    scope.sent = [];
    scope.acquireVsCodeApi = () => ({
      postMessage: (message: unknown) => scope.sent.push(message),
      getState: () => state,
      setState: (kept: PageState) => (state = kept),
    });
  });
  await page.goto(`${address}/`);
}

/** A control of the toolbar, or of its menu, which is opened for it. */
export async function control(frame: Page | Frame, selector: string): Promise<Locator> {
  const found = frame.locator(selector);
  await found.waitFor({ state: 'attached' });
  if (!(await found.isVisible())) await frame.locator('#more').click();
  return found;
}

export async function send<Message = ToPage>(page: Page, message: Message): Promise<void> {
  await page.evaluate((one) => (globalThis as unknown as Browser).postMessage(one, '*'), message);
}

export function sent<Message = FromPage>(page: Page): Promise<Message[]> {
  return page.evaluate(() => (globalThis as unknown as Browser).sent as Message[]);
}

export function trace(signals: PageSignal[], words: PageWord[] = []): ToPage {
  const steps = signals[0]!.values.length;
  return { type: 'trace', about: { uri: 'file:///a.aag', property: 'bad:0' }, trace: { name: 'full', file: 'a.aag', steps, stale: false, signals, words, more: 0 }, step: null };
}
