// Figures of docs/journal/editor.md that only a real editor has. They run when
// AIGLENS_MEASURE=1, and assert nothing of times.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { openFile, openPackaged } from './session';

const rounds = 40;

/** A property that fails at step 8, and 100,000 gates over the latches that lead there. */
function large(): string {
  const latches = 8;
  const gates = 100_000;
  const first = 2 * (latches + 2);
  const rows = [`aag ${latches + 1 + gates} 1 ${latches} 0 ${gates} 1`, '2'];
  for (let latch = 0; latch < latches; latch++) rows.push(`${4 + 2 * latch} ${2 + 2 * latch}`);
  rows.push(`${first + 2 * gates - 2}`);
  // Each gate reads the one before, negated, and a latch: the last one the last latch.
  for (let gate = 0; gate < gates; gate++) rows.push(`${first + 2 * gate} ${gate === 0 ? 2 * latches + 2 : first + 2 * gate - 1} ${4 + 2 * (gate % latches)}`);
  return `${rows.join('\n')}\n`;
}

test.skipIf(process.env['AIGLENS_MEASURE'] !== '1')('a step in a file of 100,000 rows, from the key to the frame', async () => {
  const vscode = await openPackaged();
  onTestFinished(() => vscode.close());
  writeFileSync(join(vscode.workspace, 'large.aag'), large());
  const { page, workbench, path } = await openFile(vscode, 'large.aag');
  const editor = await workbench.editor(path);
  await editor.goTo(11);
  await workbench.command('aiglens: Check All Properties of the File');
  await editor.lens(/refuted at step \d/).waitFor({ timeout: 120_000 });
  await editor.goTo(11);
  await page.keyboard.press('Control+F7');
  await editor.note(11, / step \d+ of \d+/);
  const floor: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    floor.push(await drawnAfter(page, round % 2 === 0 ? 'ArrowDown' : 'ArrowUp', '.cursors-layer'));
    const before = await drawn(page);
    times.push(await drawnAfter(page, round % 4 < 2 ? 'Alt+,' : 'Alt+.', '.view-lines'));
    expect(await drawn(page)).not.toBe(before);
  }
  report('cursor drawn', floor);
  report('step drawn', times);
});

/** What stands after the text of the visible rows. */
const drawn = (page: Page) =>
  page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as {
      document: { querySelectorAll(selector: string): Iterable<unknown> };
      getComputedStyle(element: unknown, pseudo: string): { content: string };
    };
    return [...document.querySelectorAll('.view-line span span')].map((span) => getComputedStyle(span, '::after').content).join('');
  });

/** The milliseconds from a key to the frame after the first change below an element. */
async function drawnAfter(page: Page, key: string, selector: string): Promise<number> {
  await page.evaluate((below) => {
    const scope = globalThis as unknown as Record<string, unknown> & {
      performance: { now(): number };
      document: { querySelector(selector: string): unknown };
      requestAnimationFrame(f: () => void): void;
      addEventListener(event: string, f: () => void, options: object): void;
      MutationObserver: new (f: () => void) => { observe(node: unknown, options: object): void; disconnect(): void };
    };
    scope['frameTime'] = new Promise<number>((resolve) => {
      const begin = () => {
        const start = scope.performance.now();
        const observer = new scope.MutationObserver(() => {
          observer.disconnect();
          scope.requestAnimationFrame(() => resolve(scope.performance.now() - start));
        });
        observer.observe(scope.document.querySelector(`.monaco-editor ${below}`), { subtree: true, childList: true, attributes: true, characterData: true });
      };
      scope.addEventListener('keydown', begin, { capture: true, once: true });
    });
  }, selector);
  await page.keyboard.press(key);
  const time = await page.evaluate(() => (globalThis as unknown as Record<string, Promise<number>>)['frameTime']!);
  await page.waitForTimeout(100);
  return time;
}

function report(what: string, times: number[]): void {
  times.sort((a, b) => a - b);
  process.stdout.write(`${what}, ms: median ${times[rounds / 2]!.toFixed(1)}, 9 in 10 within ${times[Math.floor(rounds * 0.9)]!.toFixed(1)}, all within ${times[rounds - 1]!.toFixed(1)}\n`);
}
