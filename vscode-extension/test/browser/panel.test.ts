// The page of the trace panel by itself: keys, filter, search, marks, table, and how
// many pictures a second it draws of a large trace.
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PageSignal, PageWord } from '../../src/counterexample/messages';
import { chromiumArguments, chromiumPath } from '../lib/editor';
import { patience } from '../lib/patience.mjs';
import { control, openPage, send, sent, trace } from './page';

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments });
});

afterAll(() => browser?.close());

beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1180, height: 420 } });
  page.setDefaultTimeout(patience);
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
const focused = () => page.evaluate(() => (globalThis as unknown as { document: { activeElement: { id: string } } }).document.activeElement.id);
const names = () => page.locator('.row:visible .name').allInnerTexts();

async function show(signals = small, words: PageWord[] = []): Promise<void> {
  await send(page, trace(signals, words));
  await expect.poll(async () => (await sent(page)).some(({ type }) => type === 'shown')).toBe(true);
}

test('is ready, shows a trace at its failing step, and walks through it by keys', async () => {
  expect(await sent(page)).toEqual([{ type: 'ready' }]);
  await show();
  await expect.poll(names).toEqual(['full', 'Latches (3)', 'low', 'high', 'idle', 'Inputs (1)', 'push', 'Chosen signals (1)', '8']);
  await expect.poll(live).toBe('full = 1 (was 0) at step 5 of 5, the property fails');
  await send(page, { type: 'focus' });
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
  await expect.poll(names).toEqual(['full', 'Latches (2 of 3)', 'low', 'high', 'Inputs (0 of 1)', 'Chosen signals (0 of 1)']);
  await page.locator('#filter').fill('=0');
  await expect.poll(names).toEqual(['full', 'Latches (1 of 3)', 'idle', 'Inputs (1)', 'push', 'Chosen signals (1)', '8']);
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

test('a click is about the row that is seen, while another picture is still to come', async () => {
  await show();
  await expect.poll(names).toContain('push');
  const { x, y } = (await page.locator('.row', { hasText: 'high' }).boundingBox())!;
  await page.evaluate(() => {
    const scope = globalThis as unknown as { requestAnimationFrame: (draw: () => void) => number; drawNow: () => void };
    scope.requestAnimationFrame = (draw) => {
      scope.drawNow = draw;
      return 1;
    };
  });
  const draw = () => page.evaluate(() => (globalThis as unknown as { drawNow: () => void }).drawNow());
  await page.locator('#filter').fill('/high|push/');
  await page.mouse.click(x + 5, y + 5);
  expect((await sent(page)).at(-1)).toEqual({ type: 'go', signal: 2, focus: false });
  await draw();
  expect(await live()).toContain('high = ');
  // The signal has another place in the trace that has come meanwhile; then it is gone.
  const seen = (await page.locator('.row', { hasText: 'high' }).boundingBox())!;
  await send(page, trace([small[0]!, small[3]!, ...small.filter((_, index) => index !== 0 && index !== 3)]));
  await page.mouse.click(seen.x + 5, seen.y + 5);
  await expect.poll(async () => (await sent(page)).at(-1)).toEqual({ type: 'go', signal: 3, focus: false });
  const before = (await sent(page)).length;
  await send(page, trace(small.filter(({ name }) => name !== 'high')));
  await page.mouse.click(seen.x + 5, seen.y + 5);
  expect((await sent(page)).slice(before).map(({ type }) => type)).not.toContain('go');
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

const counter = [
  signal('property', 'full', '0001'),
  signal('latches', 'q[1]', '0011'),
  signal('latches', 'q[0]', '01x1'),
  ...Array.from({ length: 40 }, (_, index) => signal('inputs', `in_${index}_`, '0101')),
];
const value = (name: string) => page.locator('.row:visible', { hasText: name }).first().locator('.value').innerText();
const q = { group: 'latches' as const, name: 'q', local: 'q', high: 1, low: 0, bits: [{ signal: 1 }, { signal: 2 }], values: [{ name: 'done', bits: '11' }] };

test('a word is one row in three kinds of numbers, which opens to its bits', async () => {
  await show(counter, [q]);
  await send(page, { type: 'focus' });
  await expect.poll(() => value('q')).toBe('done');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
  await expect.poll(live).toBe('q = 0b1x (was 1) at step 2 of 3');
  await page.locator('#radix').selectOption('binary');
  await expect.poll(() => value('q')).toBe('0b1x');
  await page.locator('#view').focus();
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await names()).slice(0, 5)).toEqual(['full', 'Latches (2)', 'q', 'q[1]', 'q[0]']);
  await page.keyboard.press('w'); // on a word: to the bit that has changed
  await expect.poll(live).toBe('q[1] = 1 (was 0) at step 2 of 3');
  await page.keyboard.press('w');
  await expect.poll(async () => (await sent(page)).at(-1)).toEqual({ type: 'why', signal: 1, step: 2 });
  await page.keyboard.press('t');
  await expect.poll(() => page.locator('tbody tr').nth(1).innerText()).toBe('q\t0b00\t0b01\t0b1x\t0b11');
});

test('the selected word has a radix of its own', async () => {
  await show(counter, [q]);
  await send(page, { type: 'focus' });
  const radix = page.locator('#word-radix');
  await expect.poll(() => radix.isDisabled()).toBe(true);
  for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await expect.poll(() => radix.isDisabled()).toBe(false);
  await page.keyboard.press('Shift+R');
  await expect.poll(async () => (await sent(page)).at(-1)).toEqual({ type: 'wordRadix', word: 'q', radix: 'decimal' });
  expect(await value('q')).toBe('done'); // until the choice is made
  await send(page, { type: 'chosen', chosen: [{ word: 'q', radix: 'signed' }] });
  await expect.poll(() => value('q')).toBe('-1');
  await expect.poll(() => radix.inputValue()).toBe('signed');
  await (await control(page, '#word-radix')).selectOption('hex');
  await expect.poll(async () => (await sent(page)).at(-1)).toEqual({ type: 'wordRadix', word: 'q', radix: 'hex' });
  await send(page, { type: 'chosen', chosen: [] });
  await expect.poll(() => value('q')).toBe('done');
});

test('instances are rows that open and close', async () => {
  await show([counter[0]!, ...['u/a', 'u/b'].map((name) => signal('latches', name, '0101', { scope: ['u'], local: name.slice(2) }))]);
  await send(page, { type: 'focus' });
  await expect.poll(names).toEqual(['full', 'Latches (2)', 'u', 'a', 'b']);
  await page.locator('.row.scope').click();
  await expect.poll(names).toEqual(['full', 'Latches (2)', 'u']);
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter', 'ArrowDown']) await page.keyboard.press(key);
  await expect.poll(live).toBe('u/a = 1 (was 0) at step 3 of 3, the property fails');
});

test('signals are chosen in a tree of scopes, by mouse and by keyboard, and found by fragments of their names', async () => {
  const inside = ['u/fifo/full', 'u/fifo/empty', 'u/busy'].map((name) => signal('latches', name, '0101', { scope: name.split('/').slice(0, -1), local: name.split('/').at(-1)! }));
  await page.setViewportSize({ width: 1000, height: 420 });
  await show([counter[0]!, ...inside, signal('inputs', 'push', '0101')]);
  await send(page, { type: 'focus' });
  await page.keyboard.press('c');
  await expect.poll(focused).toBe('choose');
  const tree = page.getByRole('tree', { name: 'Signals to show' });
  const item = (name: string) => tree.getByRole('treeitem', { name });
  await expect.poll(() => tree.getByRole('treeitem').allInnerTexts()).toEqual(['u', 'fifo', 'empty', 'full', 'busy', 'push']);
  expect((await page.locator('#scroll').boundingBox())!.x).toBeGreaterThan(150); // beside it, and not over it
  expect(await page.locator('.row:visible').count()).toBeGreaterThanOrEqual(8);
  await item('u/fifo, 2 of 2 shown').locator('.box').click();
  await expect.poll(names).toEqual(['full', 'Latches (1 of 3)', 'u', 'busy', 'Inputs (1)', 'push']);
  expect((await sent(page)).at(-1)).toEqual({ type: 'hide', hidden: ['u/fifo/empty', 'u/fifo/full'] });
  await expect.poll(() => item('u, 1 of 3 shown').getAttribute('aria-checked')).toBe('mixed');
  await expect.poll(() => page.locator('#signals').getAttribute('aria-label')).toBe('Signals, 2 hidden');

  await page.locator('#choose').click();
  await page.keyboard.type('full fi');
  await expect.poll(() => tree.getByRole('treeitem').allInnerTexts()).toEqual(['u', 'fifo', 'full']);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Space']) await page.keyboard.press(key);
  await expect.poll(names).toEqual(['full', 'Latches (2 of 3)', 'u', 'fifo', 'full', 'busy', 'Inputs (1)', 'push']);
  for (const key of ['ArrowUp', 'ArrowLeft']) await page.keyboard.press(key);
  await expect.poll(() => tree.getByRole('treeitem').count()).toBe(2);
  await page.locator('#choose').fill('');
  await page.locator('#choose-none').click();
  await expect.poll(names).toEqual(['full', 'Latches (0 of 3)', 'Inputs (0 of 1)']);
  await page.locator('#choose-all').click();
  expect((await sent(page)).at(-1)).toEqual({ type: 'hide', hidden: [] });
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('view');
  expect(await page.locator('#chooser').isVisible()).toBe(false);
  // A choice that was made in another panel.
  await send(page, { type: 'hidden', hidden: ['push'] });
  await expect.poll(names).not.toContain('push');

  // Where there is little room it lies over the waves, and goes with a click beside it.
  await page.setViewportSize({ width: 400, height: 360 });
  await page.locator('#signals').click();
  await expect.poll(focused).toBe('choose');
  expect((await page.locator('#scroll').boundingBox())!.width).toBe(400);
  await page.mouse.click(390, 200);
  await page.locator('#chooser').waitFor({ state: 'hidden' });
});

test('the property stays in view, below the ruler and in front of the waves', async () => {
  await show(counter);
  await send(page, { type: 'focus' });
  const box = async () => (await page.locator('.row.pinned').boundingBox())!.y;
  const before = await box();
  await page.locator('#scroll').evaluate((element: unknown) => ((element as { scrollTop: number }).scrollTop = 10_000));
  await expect.poll(names).toContain('in_39_');
  expect(await box()).toBe(before);
  expect(await value('full')).toBe('1');
  await page.locator('#filter').fill('in_3_');
  await expect.poll(names).toEqual(['full', 'Latches (0 of 2)', 'Inputs (1 of 40)', 'in_3_']);
  await page.locator('.row.pinned').click(); // and can be selected
  await expect.poll(live).toContain('full = 1');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(live).toContain('in_3_ = 1');
});

test('all steps fill the width, however wide it is', async () => {
  await show(counter);
  const canvas = page.locator('#canvas');
  for (const width of [600, 1400]) {
    await page.setViewportSize({ width, height: 420 });
    await expect.poll(async () => (await page.locator('#scroll').boundingBox())!.width).toBe(width);
    const { width: room } = (await canvas.boundingBox())!;
    await canvas.click({ position: { x: room - 3, y: 100 } });
    await expect.poll(live).toContain('step 3 of 3');
    await canvas.click({ position: { x: room / 4 + 3, y: 100 } });
    await expect.poll(live).toContain('step 1 of 3');
  }
});

test('the keyboard is in the waves when the window of the page gets it, unless something else has it', async () => {
  await show();
  await page.evaluate(() => (globalThis as unknown as { dispatchEvent(event: unknown): void; Event: new (type: string) => unknown }).dispatchEvent(new Event('focus')));
  await expect.poll(focused).toBe('view');
  await page.locator('#filter').focus();
  await page.evaluate(() => (globalThis as unknown as { dispatchEvent(event: unknown): void }).dispatchEvent(new Event('focus')));
  expect(await focused()).toBe('filter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  await send(page, { type: 'focus' });
  await expect.poll(focused).toBe('tableview');
});

test('expressions are typed, changed and removed; what is wrong stands in the row', async () => {
  await show([...small, signal('expressions', 'low & !high', '010x00'), signal('expressions', 'low &', '', { error: 'column 6: expected a name, found the end' })]);
  await send(page, { type: 'focus' });
  await page.keyboard.press('e');
  await page.keyboard.type('q == 3');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await sent(page)).at(-1)).toEqual({ type: 'expression', text: 'q == 3' });
  await send(page, { type: 'select', signal: 7 });
  await expect.poll(live).toBe('low &: column 6: expected a name, found the end');
  await page.keyboard.press('Enter'); // the keyboard went back to the waves
  await expect.poll(() => page.locator('#expression').inputValue()).toBe('low &');
  await page.keyboard.press('End');
  await page.keyboard.type(' push');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await sent(page)).at(-1)).toEqual({ type: 'expression', text: 'low & push', instead: 'low &' });
  await page.keyboard.press('ArrowUp');
  await expect.poll(live).toContain('low & !high = 0');
  await page.keyboard.press('Delete');
  await expect.poll(async () => (await sent(page)).at(-1)).toEqual({ type: 'remove', signal: 6 });
  await page.keyboard.press('t');
  await expect.poll(() => page.locator('tbody tr', { hasText: 'low & !high' }).innerText()).toBe('low & !high\t0\t1\t0\tx\t0\t0');
});

test('a signal without a name shows its formula', async () => {
  await show([...small.slice(0, 5), signal('gates', '8', '100000', { formula: '¬low ∧ ¬high' })]);
  await expect.poll(names).toContain('8 = ¬low ∧ ¬high');
});

test('a table says the same', async () => {
  await show();
  await page.keyboard.press('t');
  const table = page.locator('#tableview table');
  await expect.poll(() => table.locator('caption').innerText()).toBe('Counterexample of full: steps 0 to 5 of 5; signals 1 to 5 of 5, and the property');
  await expect.poll(() => table.locator('tbody tr', { hasText: 'high' }).innerText()).toBe('high\t0\t0\t1\tx\t1\t1');
  await table.locator('thead button', { hasText: '3' }).click();
  await expect.poll(() => table.locator('thead [aria-current]').innerText()).toBe('3');
});

test('the table of a loop says what repeats', async () => {
  const wave = trace(small);
  if (wave.type !== 'trace') throw new Error('no trace');
  await send(page, { ...wave, trace: { ...wave.trace, loop: 2, rounds: 2 } });
  await expect.poll(live).toBe('full = 0 at step 3, loop of 2 to 3');
  await send(page, { type: 'focus' });
  await expect.poll(focused).toBe('view');
  for (const key of ['End', 'm']) await page.keyboard.press(key);
  await expect.poll(() => page.locator('#markers button').getAttribute('title')).toBe('Go to the marked step 3 of round 2');
  await page.keyboard.press('n');
  await expect.poll(live).toBe('full: none after step 3 of round 2');
  await page.locator('#table').click();
  const table = page.locator('#tableview table');
  await expect.poll(() => table.locator('caption').innerText()).toBe('Counterexample of full: step 0 to step 3 of round 2; steps 2 to 3 repeat for ever; signals 1 to 5 of 5, and the property');
  expect(await table.locator('thead button').allInnerTexts()).toEqual(['0', '1', '2 ↻', '3 ↻', '2′ ↻', '3′ ↻']);
});

test('10,000 steps of 500 signals', async () => {
  const steps = 10_000;
  const large = Array.from({ length: 500 }, (_, index) =>
    signal(index === 0 ? 'property' : index < 300 ? 'latches' : 'inputs', `signal_${index}_of_many`, Array.from({ length: steps }, (_, step) => ((step * (index + 7)) >> (index % 9)) & 1).join('')),
  );
  await show(large);
  // Processor time of the page alone, whatever else the machine does.
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const seconds = async () => (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value;
  const frames = 60;
  const run = async (what: 'scroll' | 'zoom' | 'cursor') => {
    const before = await seconds();
    await page.evaluate(async ({ action, frames }) => {
      interface Box { scrollLeft: number; scrollTop: number; scrollHeight: number; scrollWidth: number; dispatchEvent(event: unknown): void }
      const scope = globalThis as unknown as {
        document: { getElementById(id: string): Box };
        requestAnimationFrame(run: () => void): void;
        WheelEvent: new (type: string, init: object) => unknown;
        KeyboardEvent: new (type: string, init: object) => unknown;
      };
      const box = scope.document.getElementById('scroll');
      const view = scope.document.getElementById('view');
      for (let frame = 1; frame <= frames; frame++) {
        await new Promise<void>((resolve) => scope.requestAnimationFrame(resolve));
        if (action === 'zoom') box.dispatchEvent(new scope.WheelEvent('wheel', { deltaY: frame <= frames / 2 ? -40 : 40, ctrlKey: true, clientX: 700, bubbles: true, cancelable: true }));
        else if (action === 'cursor') view.dispatchEvent(new scope.KeyboardEvent('keydown', { key: frame % 2 === 0 ? 'ArrowDown' : 'ArrowRight', bubbles: true }));
        else {
          box.scrollTop = (frame * 37) % box.scrollHeight;
          box.scrollLeft = (frame * 211) % box.scrollWidth;
        }
      }
    }, { action: what, frames });
    return frames / ((await seconds()) - before);
  };
  const rates: Record<string, number> = { 'all steps, scrolled': await run('scroll'), zoomed: await run('zoom'), 'cursor moved': await run('cursor') };
  await page.locator('#in').click({ clickCount: 12 });
  rates['zoomed in, scrolled'] = await run('scroll');
  console.log(Object.entries(rates).map(([what, rate]) => `${what}: ${rate.toFixed(0)} frames/s`).join('; '));
  for (const [what, rate] of Object.entries(rates)) expect(rate, what).toBeGreaterThan(10);
});

test('nothing runs and nothing is loaded but what belongs to the page', async () => {
  await page.evaluate(async () => {
    const scope = globalThis as unknown as { refused: string[]; document: { addEventListener(name: string, listener: (event: { effectiveDirective: string }) => void): void; body: { insertAdjacentHTML(where: string, html: string): void; append(node: unknown): void }; createElement(name: string): { textContent: string } } };
    scope.refused = [];
    scope.document.addEventListener('securitypolicyviolation', (event) => scope.refused.push(event.effectiveDirective));
    const script = scope.document.createElement('script');
    script.textContent = 'globalThis.ran = true';
    scope.document.body.append(script);
    scope.document.body.insertAdjacentHTML('beforeend', '<img src="http://elsewhere.test/" onerror="globalThis.ran = true"><p style="top: 0">');
    await fetch('http://elsewhere.test/').catch(() => undefined);
  });
  const refused = () => page.evaluate(() => [...new Set((globalThis as unknown as { refused: string[] }).refused)].sort());
  // The last one is that of the handler of an image that was not loaded.
  await expect.poll(refused).toEqual(expect.arrayContaining(['connect-src', 'img-src', 'script-src-attr', 'script-src-elem', 'style-src-attr']));
  expect(await page.evaluate(() => (globalThis as unknown as { ran?: boolean }).ran)).toBeUndefined();
});

test.each([400, 700, 1280])('at %i pixels the controls are one row, and the rest is in a menu under its name', async (width) => {
  await page.setViewportSize({ width, height: 360 });
  await show([...small, ...Array.from({ length: 20 }, (_, index) => signal('latches', `latch_${index}`, '010101'))]);
  const bar = page.locator('#bar');
  await expect.poll(async () => (await bar.boundingBox())!.height).toBeLessThan(36);
  await expect.poll(() => bar.evaluate((element: unknown) => (element as { scrollWidth: number; clientWidth: number }).scrollWidth <= (element as { clientWidth: number }).clientWidth)).toBe(true);
  for (const id of ['#filter', '#why']) expect(await bar.locator(id).isVisible()).toBe(true);
  expect(await page.locator('.row:visible:not(.group) .name').count()).toBeGreaterThanOrEqual(10);
  const more = page.locator('#more');
  expect(await more.isVisible()).toBe(width < 1280);
  if (width === 1280) return;

  // By keyboard: opened, walked through, and closed, back at the button.
  await more.focus();
  await page.keyboard.press('Enter');
  const menu = page.locator('#menu');
  await menu.waitFor();
  expect(await more.getAttribute('aria-expanded')).toBe('true');
  for (const item of await menu.locator(':is(button, select, input):visible').all()) expect((await item.getAttribute('aria-label')) ?? '').toMatch(/\w{2,}/);
  const first = await focused();
  await page.keyboard.press('ArrowDown');
  expect(await focused()).not.toBe(first);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  expect(await focused()).toBe('more');

  // What it holds works as in the row.
  await (await control(page, '#table')).click();
  await page.locator('#tableview table').waitFor();
  expect(await menu.isVisible()).toBe(false);
  await (await control(page, '#table')).click();
  await page.keyboard.press('e');
  await expect.poll(focused).toBe('expression');
  await page.keyboard.type('low & high');
  await page.keyboard.press('Enter');
  await expect.poll(() => sent(page)).toContainEqual({ type: 'expression', text: 'low & high' });
  expect(await menu.isVisible()).toBe(false);
});
