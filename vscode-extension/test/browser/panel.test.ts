// The page of the trace panel by itself: keys, filter, search, marks, table, and how
// many pictures a second it draws of a large trace.
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PageSignal } from '../../src/counterexample/messages';
import { chromiumArguments, chromiumPath } from '../lib/editor';
import { openPage, send, sent, trace } from './page';

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments });
});

afterAll(() => browser?.close());

beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1180, height: 420 } });
  page.setDefaultTimeout(15_000);
  await openPage(page);
  return () => page.close();
});

const signal = (group: PageSignal['group'], name: string, values: string, more: Partial<PageSignal> = {}): PageSignal => ({ group, name, values, relevant: true, inText: true, ...more });

const small = [
  signal('property', 'full', '000001'),
  signal('latches', 'low', '010101'),
  signal('latches', 'high', '001x11'),
  signal('latches', 'idle', '000000', { relevant: false }),
  signal('inputs', 'push', '111110', { inText: false }),
  signal('gates', '8', '100000'),
];

const live = () => page.locator('#live').innerText();
const names = () => page.locator('.row:visible .name').allInnerTexts();

async function show(signals = small): Promise<void> {
  await send(page, trace(signals));
  await expect.poll(async () => (await sent(page)).some(({ type }) => type === 'shown')).toBe(true);
}

test('is ready, shows a trace at its failing step, and walks through it by keys', async () => {
  expect(await sent(page)).toEqual([{ type: 'ready' }]);
  await show();
  await expect.poll(names).toEqual(['Property (1)', 'full', 'Latches (3)', 'low', 'high', 'idle', 'Inputs (1)', 'push', 'Chosen signals (1)', '8']);
  await expect.poll(live).toBe('full = 1 (was 0) at step 5 of 5, the property fails');
  await page.locator('#view').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
  await expect.poll(live).toBe('low = 0 (was 1) at step 4 of 5');
  await page.keyboard.press('Home');
  await page.keyboard.press('n');
  await expect.poll(live).toBe('low = 1 (was 0) at step 1 of 5');
  await page.locator('#target').selectOption('x');
  await page.locator('#view').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('n');
  await expect.poll(live).toBe('high = x (was 1) at step 3 of 5');
  for (const key of ['m', 'End', 'm', '[', 'Enter', 'w']) await page.keyboard.press(key);
  await expect.poll(() => page.locator('#markers button').allInnerTexts()).toEqual(['◆ 3', '◆ 5']);
  await expect.poll(live).toContain('step 3 of 5');
  const messages = await sent(page);
  expect(messages).toContainEqual({ type: 'go', signal: 2, focus: true });
  expect(messages.at(-1)).toEqual({ type: 'why', signal: 2, step: 3 });
  expect(messages.filter(({ type }) => type === 'step').at(-1)).toEqual({ type: 'step', step: 3 });
});

test('filters, hides, folds and removes', async () => {
  await show();
  await page.keyboard.press('/');
  await page.keyboard.type('/^(low|high)$/');
  await expect.poll(names).toEqual(['Property (0 of 1)', 'Latches (2 of 3)', 'low', 'high', 'Inputs (0 of 1)', 'Chosen signals (0 of 1)']);
  await page.locator('#filter').fill('=0');
  await expect.poll(names).toEqual(['Property (0 of 1)', 'Latches (1 of 3)', 'idle', 'Inputs (1)', 'push', 'Chosen signals (1)', '8']);
  await page.locator('#filter').fill('/(/');
  await expect.poll(() => page.locator('#filter').getAttribute('aria-invalid')).toBe('true');
  await page.locator('#filter').press('Escape');
  await page.locator('#unchanged').click();
  await expect.poll(names).not.toContain('idle');
  await page.locator('#unchanged').click();
  await page.locator('#irrelevant').click();
  await expect.poll(names).not.toContain('idle');
  await page.locator('.row.group', { hasText: 'Inputs' }).click();
  await expect.poll(names).not.toContain('push');
  await page.locator('.row', { hasText: '8' }).locator('.remove').click();
  expect((await sent(page)).at(-1)).toEqual({ type: 'remove', signal: 5 });
});

test('follows the step of the text without telling it, and what is gone leads nowhere', async () => {
  await show();
  await send(page, { type: 'step', step: 2 });
  await expect.poll(live).toContain('step 2 of 5');
  expect((await sent(page)).some(({ type }) => type === 'step')).toBe(false);
  await page.locator('.row.gone', { hasText: 'push' }).click();
  expect((await sent(page)).some(({ type }) => type === 'go')).toBe(false);
  await send(page, { type: 'places', stale: true, inText: small.map(() => false) });
  await expect.poll(() => page.locator('#banner').innerText()).toContain('The text has changed');
  await expect.poll(() => page.locator('.row.gone:visible').count()).toBe(6);
});

test('a table says the same', async () => {
  await show();
  await page.keyboard.press('t');
  const table = page.locator('#tableview table');
  await expect.poll(() => table.locator('caption').innerText()).toBe('Counterexample of full: steps 0 to 5 of 5; signals 1 to 6 of 6');
  await expect.poll(() => table.locator('tbody tr', { hasText: 'high' }).innerText()).toBe('high\t0\t0\t1\tx\t1\t1');
  await table.locator('thead button', { hasText: '3' }).click();
  await expect.poll(() => table.locator('thead [aria-current]').innerText()).toBe('3');
});

test('10,000 steps of 500 signals', async () => {
  const steps = 10_000;
  const large = Array.from({ length: 500 }, (_, index) =>
    signal(index === 0 ? 'property' : index < 300 ? 'latches' : 'inputs', `signal_${index}`, Array.from({ length: steps }, (_, step) => ((step * (index + 7)) >> (index % 9)) & 1).join('')),
  );
  await show(large);
  const run = (what: 'scroll' | 'zoom' | 'cursor') =>
    page.evaluate(async (action) => {
      interface Box { scrollLeft: number; scrollTop: number; scrollHeight: number; scrollWidth: number; dispatchEvent(event: unknown): void }
      const scope = globalThis as unknown as {
        document: { getElementById(id: string): Box };
        requestAnimationFrame(run: () => void): void;
        WheelEvent: new (type: string, init: object) => unknown;
        KeyboardEvent: new (type: string, init: object) => unknown;
      };
      const box = scope.document.getElementById('scroll');
      const view = scope.document.getElementById('view');
      const begin = performance.now();
      let frames = 0;
      while (performance.now() - begin < 2000) {
        await new Promise<void>((resolve) => scope.requestAnimationFrame(resolve));
        frames++;
        if (action === 'zoom') box.dispatchEvent(new scope.WheelEvent('wheel', { deltaY: frames % 120 < 60 ? -40 : 40, ctrlKey: true, clientX: 700, bubbles: true, cancelable: true }));
        else if (action === 'cursor') view.dispatchEvent(new scope.KeyboardEvent('keydown', { key: frames % 2 === 0 ? 'ArrowDown' : 'ArrowRight', bubbles: true }));
        else {
          box.scrollTop = (frames * 37) % box.scrollHeight;
          box.scrollLeft = (frames * 211) % box.scrollWidth;
        }
      }
      return frames / ((performance.now() - begin) / 1000);
    }, what);
  const rates: Record<string, number> = { 'all steps, scrolled': await run('scroll'), zoomed: await run('zoom'), 'cursor moved': await run('cursor') };
  await page.locator('#in').click({ clickCount: 12 });
  rates['zoomed in, scrolled'] = await run('scroll');
  console.log(Object.entries(rates).map(([what, rate]) => `${what}: ${rate.toFixed(0)} frames/s`).join('; '));
  for (const [what, rate] of Object.entries(rates)) expect(rate, what).toBeGreaterThan(10);
});

test('nothing runs and nothing is loaded but what belongs to the page', async () => {
  const refused = await page.evaluate(async () => {
    const directives: string[] = [];
    const scope = globalThis as unknown as { ran?: boolean; document: { addEventListener(name: string, listener: (event: { effectiveDirective: string }) => void): void; body: { insertAdjacentHTML(where: string, html: string): void; append(node: unknown): void }; createElement(name: string): { textContent: string } } };
    scope.document.addEventListener('securitypolicyviolation', (event) => directives.push(event.effectiveDirective));
    const script = scope.document.createElement('script');
    script.textContent = 'globalThis.ran = true';
    scope.document.body.append(script);
    scope.document.body.insertAdjacentHTML('beforeend', '<img src="http://elsewhere.test/" onerror="globalThis.ran = true"><p style="top: 0">');
    await fetch('http://elsewhere.test/').catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { directives: [...new Set(directives)].sort(), ran: scope.ran };
  });
  expect(refused.ran).toBeUndefined();
  expect(refused.directives).toEqual(expect.arrayContaining(['connect-src', 'img-src', 'script-src-elem', 'style-src-attr']));
});
