// A visit of the page: a browser that has stored nothing yet, and what people look at.
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Frame, type Locator, type Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { root } from '../lib/paths';
import { patience } from '../lib/patience.mjs';

export interface Visit {
  page: Page;
  context: BrowserContext;
}

export const size = { width: 1280, height: 800 };

/** A browser without anything in its caches. At the end no request has left the origin of the page. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await chromium.connect(inject('pageBrowser'));
  const context = await browser.newContext({ viewport: size, ...options });
  context.setDefaultTimeout(patience);
  const others = new Set<string>();
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (!['data:', 'blob:', 'about:'].includes(protocol) && `${origin}/` !== inject('page')) others.add(request.url());
  });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') {
      const picture = join(root, 'out', `failed-page-${task.name.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 60)}.png`);
      for (const page of context.pages().slice(0, 1)) await page.screenshot({ path: picture }).catch(() => undefined);
    }
    await browser.close();
    expect([...others]).toEqual([]);
  });
  return context;
}

export async function visit(fragment: string, given: BrowserContext | BrowserContextOptions = {}, before?: (page: Page) => Promise<unknown>): Promise<Visit> {
  const context = 'newPage' in given ? given : await newContext(given);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
  onTestFinished(() => expect(errors).toEqual([]));
  await before?.(page);
  await page.goto(`${inject('page')}${fragment}`);
  await shown(page);
  return { page, context };
}

/** A file is shown, which takes the keyboard once. */
export async function shown(page: Page, name: string | RegExp = ''): Promise<void> {
  await page.locator('.file[aria-current]', { hasText: name }).waitFor({ state: 'attached' });
}

/** The status line says something. */
export async function status(page: Page, words: RegExp): Promise<void> {
  await page.locator('#status', { hasText: words }).waitFor();
}

/** The page of a panel, by the title of its frame. */
export async function panel(page: Page, title: RegExp): Promise<Frame> {
  const element: Locator = page.locator('iframe').filter({ visible: true });
  await expect.poll(() => Promise.all([...Array(4).keys()].map((index) => element.nth(index).getAttribute('title', { timeout: 100 }).catch(() => null)))).toContainEqual(expect.stringMatching(title));
  const all = await element.all();
  for (const one of all) {
    if (title.test((await one.getAttribute('title')) ?? '')) {
      const frame = await (await one.elementHandle())?.contentFrame();
      if (frame != null) return frame;
    }
  }
  throw new Error(`no panel is called ${title}`);
}

export async function goTo(page: Page, line: number, column = 1): Promise<void> {
  await page.locator('#text .view-lines').click();
  await page.keyboard.press('Control+G');
  const input = page.locator('.quick-input-widget input');
  await input.fill(`:${line}:${column}`);
  await input.press('Enter');
  await input.waitFor({ state: 'hidden' });
  await expect.poll(() => page.evaluate(() => document.getElementById('text')!.contains(document.activeElement))).toBe(true);
}

/** Runs a command by its name, as a keyboard does. */
export async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('F1');
  const input = page.locator('.quick-input-widget input');
  await input.fill(`>${name}`);
  await page.locator('.quick-input-widget .monaco-list-row', { hasText: name }).first().waitFor();
  await input.press('Enter');
}

export const message = (page: Page, words: RegExp): Locator => page.locator('.notice', { hasText: words });
