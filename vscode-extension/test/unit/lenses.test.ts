import { beforeEach, expect, test, vi } from 'vitest';
import { answered, LensRefresher } from '../../src/lenses';

let told: number;
let inView: string[];
let lenses: LensRefresher;

beforeEach(() => {
  vi.useFakeTimers();
  told = 0;
  inView = ['a.aag'];
  lenses = new LensRefresher(
    () => inView,
    () => told++,
  );
  return () => {
    lenses.clear();
    vi.useRealTimers();
  };
});

/** VS Code asks for the lenses of a document, and gets what the server answers. */
async function ask(uri = 'a.aag'): Promise<void> {
  const answer = [{ range: undefined }];
  expect(await lenses.middleware.provideCodeLenses!({ uri } as never, {} as never, async () => answer as never)).toBe(answer);
}

test('VS Code is told at once, and once more of what changes before it asks', async () => {
  lenses.refresh();
  expect(told).toBe(1);
  vi.advanceTimersByTime(250);
  for (let i = 0; i < 10; i++) lenses.refresh();
  await ask(); // the answer holds all of these
  vi.advanceTimersByTime(60_000);
  expect(told).toBe(1);
});

test('what changes after VS Code has asked is told of once it had time to ask', async () => {
  lenses.refresh();
  await ask();
  lenses.refresh();
  expect(told).toBe(1);
  vi.advanceTimersByTime(answered);
  expect(told).toBe(2);
});

test('VS Code that asks late is given more time, however much changes meanwhile', async () => {
  let longest = 0;
  for (let last = 0, at = 0; at < 10 * answered; at += 30) {
    const before = told;
    lenses.refresh();
    vi.advanceTimersByTime(30);
    if (told === before) continue;
    longest = Math.max(longest, at - last);
    last = at;
  }
  expect(longest).toBeGreaterThanOrEqual(4 * answered);
});

test('an editor that forgets to ask is told again, and one without lenses not for ever', () => {
  lenses.refresh();
  vi.advanceTimersByTime(answered);
  expect(told).toBe(2);
  vi.advanceTimersByTime(60_000);
  expect(told).toBe(3);
  lenses.refresh(); // it may show lenses now
  expect(told).toBe(4);
});

test('of two editors one may forget to ask', async () => {
  inView = ['a.aag', 'b.aag'];
  lenses.refresh();
  await ask('b.aag');
  vi.advanceTimersByTime(answered);
  expect(told).toBe(2); // the lenses of the other are old
  await ask('a.aag');
  await ask('b.aag');
  vi.advanceTimersByTime(60_000);
  expect(told).toBe(2);
});

test('an editor that shows no lenses does not hold up another', async () => {
  inView = ['a.aag', 'none.aag'];
  for (let i = 0; i < 20; i++) {
    const before = told;
    lenses.refresh();
    vi.advanceTimersByTime(answered);
    expect(told).toBeGreaterThan(before);
    await ask();
    vi.advanceTimersByTime(70 * i);
  }
});

test('after the end of the server VS Code is told nothing', () => {
  lenses.refresh();
  lenses.clear();
  vi.advanceTimersByTime(60_000);
  expect(told).toBe(1);
  lenses.refresh();
  expect(told).toBe(2);
});
