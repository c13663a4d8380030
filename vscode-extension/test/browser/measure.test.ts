// Figures of docs/performance.md that only a real editor has. They run when
// AIGLENS_MEASURE=1, and assert nothing of times.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const key = round % 4 < 2 ? 'Alt+,' : 'Alt+.';
    await page.evaluate(() => {
      const scope = globalThis as unknown as Record<string, unknown> & { performance: { now(): number }; requestAnimationFrame(f: () => void): void; addEventListener(event: string, f: () => void, options: object): void };
      const { document, getComputedStyle } = globalThis as unknown as {
        document: { querySelectorAll(selector: string): Iterable<unknown> };
        getComputedStyle(element: unknown, pseudo: string): { content: string };
      };
      const drawn = () => [...document.querySelectorAll('.view-line span span')].map((span) => getComputedStyle(span, '::after').content).join('');
      scope['stepTime'] = new Promise<number>((resolve) => {
        const before = drawn();
        scope.addEventListener(
          'keydown',
          () => {
            const start = scope.performance.now();
            const look = () => {
              if (drawn() !== before) resolve(scope.performance.now() - start);
              else scope.requestAnimationFrame(look);
            };
            scope.requestAnimationFrame(look);
          },
          { capture: true, once: true },
        );
      });
    });
    await page.keyboard.press(key);
    times.push(await page.evaluate(() => (globalThis as unknown as Record<string, Promise<number>>)['stepTime']!));
    await page.waitForTimeout(100);
  }
  times.sort((a, b) => a - b);
  expect(times.length).toBe(rounds);
  process.stdout.write(`step drawn, ms: median ${times[rounds / 2]!.toFixed(1)}, 9 in 10 within ${times[Math.floor(rounds * 0.9)]!.toFixed(1)}, all within ${times[rounds - 1]!.toFixed(1)}\n`);
});
