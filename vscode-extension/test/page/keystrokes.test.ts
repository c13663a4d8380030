// How long a keystroke takes in a file of 100,000 lines, from the key to the picture. Nothing is asserted of the time:
// it is printed, with the memory of the page.
import { expect, test } from 'vitest';
import { goTo, status, visit } from './visit';

const rows = 100_000;
const keys = 300;

/** A long chain of gates behind a latch that never leaves 0. */
function chain(): string {
  const gates = [...Array(rows - 4).keys()].map((index) => `${2 * index + 6} ${2 * index + 4} 2`);
  return ['aag', 2 + gates.length, 1, 1, 0, gates.length, 1].join(' ') + `\n2\n4 4\n${2 * gates.length + 4}\n${gates.join('\n')}\n`;
}

test('keystrokes in 100,000 lines', async () => {
  const { page } = await visit('');
  await status(page, /refuted/);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#open')]);
  await chooser.setFiles({ name: 'chain.aag', mimeType: 'text/plain', buffer: Buffer.from(chain()) });
  await status(page, /1 proved/);
  await goTo(page, 50_000, 1);
  await page.keyboard.press('End');
  const times: number[] = [];
  for (let key = 0; key < keys; key++) {
    const drawn = page.evaluate(() => new Promise<number>((resolve) => {
      addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp))), { once: true, capture: true });
    }));
    await page.evaluate(() => 0); // it listens
    await page.keyboard.press(key % 2 === 0 ? '2' : 'Backspace');
    times.push(await drawn);
  }
  times.sort((a, b) => a - b);
  const at = (part: number) => `${times[Math.floor(part * (times.length - 1))]!.toFixed(1)} ms`;
  const memory = await page.evaluate(() => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize >> 20);
  console.log(`keystrokes in ${rows} lines: median ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)}; heap of the page ${memory} MB`);
  expect(times).toHaveLength(keys);
});
