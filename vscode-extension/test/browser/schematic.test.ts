// The schematic: what a property depends on, boxes and rows in both directions, values and causes
// of the step that is shown, and what becomes of it when the text is edited. With
// AIGLENS_MEASURE=1 it prints how long a person waits, with AIGLENS_SCREENSHOTS=1 in each theme.
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { address } from '../../../scripts/code-server/launch.mjs';
import { camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';

const node = (frame: Frame, words: string) => frame.locator(`g.node[aria-label^="${words}"]`);

test.each(shownThemes)('draws a property: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2_broken.aag', { width: 1500, height: 820 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await editor.goTo(11);
  await editor.save(); // begins a check
  await editor.lens('refuted at step 4').waitFor();
  await editor.goTo(11);
  await workbench.command('aiglens Picture: Draw Cone');
  const frame = await workbench.frame('g.node');
  await node(frame, 'root two_at_work').waitFor();
  expect(await frame.locator('g.node.latch').count()).toBe(7);
  expect(await frame.locator('g.node.input').count()).toBe(2);

  // From a box to its row, and from the row to its box.
  await node(frame, 'latch wait_b').click();
  await expect.poll(() => rowOf(page)).toBe('8');
  await expect.poll(() => frame.locator('g.node.selected').getAttribute('aria-label')).toContain('latch wait_b');
  await editor.goTo(16);
  await expect.poll(() => frame.locator('g.node.selected').getAttribute('aria-label')).not.toContain('latch wait_b');
  await editor.goTo(4);
  await expect.poll(() => frame.locator('g.node.selected').getAttribute('aria-label')).toContain('latch sleep_a');

  // Values and causes of the step that the text shows.
  expect(await frame.locator('.value').count()).toBe(0);
  await editor.goTo(11);
  await workbench.command('aiglens Trace: Toggle Values of the Counterexample');
  await expect.poll(() => node(frame, 'root two_at_work').getAttribute('aria-label')).toBe('root two_at_work, value 1, a cause');
  expect(await frame.locator('#step').innerText()).toBe('step 4');
  await expect.poll(() => frame.locator('.edge.is-1').count()).toBeGreaterThan(2);
  await take('schematic');
  await editor.goTo(11);
  await editor.press('Alt+Home');
  await expect.poll(() => node(frame, 'latch sleep_a').getAttribute('aria-label')).toContain('value 1');
  await expect.poll(() => node(frame, 'root two_at_work').getAttribute('aria-label')).toContain('value 0');

  // An edit makes it one of an earlier text, saving draws the new one.
  await editor.replaceBefore(25, 9, '8'); // 46 44 14 → 46 44 18, in two edits
  await frame.locator('#old').waitFor();
  await take('schematic-earlier');
  await editor.save();
  await frame.locator('#old').waitFor({ state: 'hidden' });
  await expect.poll(() => frame.locator('.value').count()).toBe(0);

  // It comes back with the window, which opens what it had open where its address names no file.
  await page.evaluate((address) => {
    const { history } = globalThis as unknown as { history: { replaceState(state: null, unused: string, address: string): void } };
    history.replaceState(null, '', address);
  }, address(vscode.host, vscode.workspace, []));
  const reloaded = page.waitForEvent('load');
  await workbench.command('Developer: Reload Window');
  await reloaded;
  await workbench.editor(path);
  await node(await workbench.frame('g.node'), 'root two_at_work').waitFor();
});

test.each(shownThemes)('opens and closes instances, by a click and by a key: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'two_digits.blif', { width: 1500, height: 820 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await editor.goTo(17);
  await workbench.command('aiglens Picture: Draw Cone');
  const frame = await workbench.frame('g.node');
  const instance = (name: string, open: boolean) => frame.locator(`g[aria-label="instance ${name}"][aria-expanded="${open}"]`);
  await instance('tens', true).waitFor();
  await node(frame, 'register tens/count').waitFor();
  await take('schematic-instances');
  await instance('tens', true).locator('text').click();
  await instance('tens', false).waitFor();
  expect(await node(frame, 'register tens/count').count()).toBe(0);
  await node(frame, 'register ones/count').waitFor();
  await take('schematic-instance-closed');
  await instance('tens', false).focus();
  await page.keyboard.press('Enter');
  await instance('tens', true).waitFor();
  await expect.poll(() => frame.evaluate(() => (globalThis as unknown as { document: { activeElement: { getAttribute(name: string): string } } }).document.activeElement.getAttribute('aria-label'))).toBe('instance tens');
});

/** The row that the text is at, whether or not it has the focus. */
const rowOf = (page: Page) => page.locator('.editor-instance .line-numbers.active-line-number').first().innerText();

/** A tree of exclusive ors over so many inputs, and latches between. */
function wide(): string {
  const inputs = 30;
  const latches = 60;
  const gates: string[] = [];
  let next = 2 * (inputs + latches + 1);
  const and = (a: number, b: number) => {
    gates.push(`${next} ${Math.max(a, b)} ${Math.min(a, b)}`);
    next += 2;
    return next - 2;
  };
  const xor = (a: number, b: number) => and(and(a, b) ^ 1, and(a ^ 1, b ^ 1) ^ 1);
  const latch = (i: number) => 2 * (inputs + 1 + (i % latches));
  const nexts = Array.from({ length: latches }, (_, i) => `${latch(i)} ${and(xor(latch(i + 1), 2 + 2 * (i % inputs)), latch(i * 7 + 3) ^ 1)}`);
  let bad = latch(0);
  for (let i = 1; i < latches; i++) bad = and(bad, xor(latch(i), latch(i * 5)) ^ 1);
  const rows = [`aag ${inputs + latches + gates.length} ${inputs} ${latches} 0 ${gates.length} 1`];
  for (let i = 0; i < inputs; i++) rows.push(`${2 + 2 * i}`);
  return `${[...rows, ...nexts, `${bad}`, ...gates].join('\n')}\n`;
}

test.skipIf(process.env['AIGLENS_MEASURE'] !== '1')('times of a picture of 300 nodes', async () => {
  const { writeFileSync } = await import('node:fs');
  const vscode = await openPackaged();
  onTestFinished(() => vscode.close());
  writeFileSync(join(vscode.workspace, 'wide.aag'), wide());
  const { page, workbench, path } = await openFile(vscode, 'wide.aag', { width: 1500, height: 820 });
  const editor = await workbench.editor(path);
  await editor.goTo(92);
  await editor.lens('check').waitFor();
  await workbench.command('aiglens Picture: Draw Cone');
  const frame = await workbench.frame('g.node');
  const nodes = await frame.locator('g.node').count();
  const milliseconds = await frame.evaluate(() => (globalThis as unknown as { document: { body: { dataset: Record<string, string> } } }).document.body.dataset['milliseconds']);
  console.log(`${nodes} nodes laid out and drawn in ${milliseconds} ms`);
  const times: number[] = [];
  for (let round = 0; round < 30; round++) {
    const target = frame.locator('g.node.latch').nth(round);
    const before = await rowOf(page);
    // Both clocks are that of the machine.
    await page.evaluate(() => {
      const scope = globalThis as unknown as { jumped: Promise<number>; document: { querySelector(s: string): { textContent: string } | null }; MutationObserver: new (f: () => void) => { observe(n: unknown, o: object): void; disconnect(): void } };
      const row = () => scope.document.querySelector('.editor-instance .line-numbers.active-line-number')?.textContent;
      const before = row();
      scope.jumped = new Promise((resolve) => {
        const observer = new scope.MutationObserver(() => {
          if (row() === undefined || row() === before) return;
          observer.disconnect();
          resolve(Date.now());
        });
        observer.observe(scope.document.querySelector('.editor-instance .monaco-editor'), { subtree: true, childList: true, characterData: true, attributes: true });
      });
    });
    const clicked = await target.evaluate((group) => {
      const at = Date.now();
      (group as unknown as { dispatchEvent(e: unknown): void }).dispatchEvent(new (globalThis as unknown as { MouseEvent: new (t: string, o: object) => unknown }).MouseEvent('click', { bubbles: true }));
      return at;
    });
    times.push((await page.evaluate(() => (globalThis as unknown as { jumped: Promise<number> }).jumped)) - clicked);
    expect(await rowOf(page)).not.toBe(before);
  }
  times.sort((a, b) => a - b);
  console.log(`from a click to the row: median ${times[15]} ms, 29 of 30 below ${times[28]} ms, longest ${times[29]} ms`);
});
