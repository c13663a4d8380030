// A user writes a circuit from an empty file, by hand: the keys beside numbers and
// names are counted.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { root } from '../lib/paths';
import { openFile, openHeld, openPackaged } from './session';

const pictures = process.env['AIGLENS_SCREENSHOTS'] === '1';

/** A two-bit counter that goes from 2 back to 0, which never holds 3, and the header after each row; names in quotes. */
const counter = [
  ['aag', 'aag'],
  ['2 6', 'aag 1 0 1 0 0'],
  ['4 2', 'aag 2 0 2 0 0'],
  ['8', 'aag 2 0 2 1 0'],
  ['6 5 3', 'aag 3 0 2 1 1'],
  ['8 4 2', 'aag 4 0 2 1 2'],
  ["l0 'low'", 'aag 4 0 2 1 2'],
  ["l1 'high'", 'aag 4 0 2 1 2'],
  ["o0 'three'", 'aag 4 0 2 1 2'],
] as const;

test('a counter is typed into an empty file, proved, broken and mended', async () => {
  // As fast as a user who takes no suggestion, however slow the machine is: with a pause before it,
  // Enter would accept one. An editor in a browser saves by itself, one on the desktop does not.
  const vscode = await openPackaged({ 'editor.quickSuggestions': false, 'files.autoSave': 'off' });
  onTestFinished(() => vscode.close());
  writeFileSync(join(vscode.workspace, 'counter.aag'), '');
  const { page, workbench, path } = await openFile(vscode, 'counter.aag');
  const editor = await workbench.editor(path);
  const saved = () => readFileSync(path, 'utf8');
  await workbench.status(/no properties/).waitFor(); // the server has begun
  await editor.goTo(1);

  let keys = 0;
  const press = async (key: string) => {
    keys++;
    await page.keyboard.press(key);
  };
  for (const [index, [row, header]] of counter.entries()) {
    let isName = false;
    for (const key of row) {
      if (key === "'") isName = !isName;
      else if (isName || /\d/.test(key)) await page.keyboard.press(key === ' ' ? 'Space' : key);
      else await press(key === ' ' ? 'Space' : key);
    }
    if (index < counter.length - 1) await press('Enter');
    // The editor drops an edit that answers a key once another key was typed.
    await editor.header(header);
  }
  await press('Control+S');
  await editor.lens('proved').waitFor();
  expect(keys).toBeLessThanOrEqual(30);
  const rows = counter.slice(1).map(([row]) => `${row.replaceAll("'", '')}\n`).join('');
  // The final newline is the editor's work, which has parts that come only once it is idle, long after
  // the keys work on a busy machine: until then it saves the text as it is.
  await expect.poll(() => page.keyboard.press('Control+S').then(saved), { interval: 1000 }).toBe(`aag 4 0 2 1 2\n${rows}`);
  if (pictures) await page.screenshot({ path: join(root, 'out', 'typed.png'), animations: 'disabled' });

  // The negation of low for high: both are 1 after a step.
  await editor.replaceBefore(3, 4, '3');
  await editor.save();
  await editor.lens('refuted').waitFor();
  await editor.undo(3, 2);
  await editor.save();
  await editor.lens('proved').waitFor();

  // A row that is taken away is counted, and so is one that the cursor leaves.
  await editor.goTo(6, 6);
  await editor.press('Control+Shift+K');
  await editor.header('aag 3 0 2 1 1');
  await editor.save();
  await expect.poll(saved).toBe(`aag 3 0 2 1 1\n${rows.replace('8 4 2\n', '')}`);
  await editor.goTo(5, 6);
  await editor.press('Enter');
  await editor.type('8 4 2');
  await editor.press('ArrowUp');
  await editor.header('aag 4 0 2 1 2');
  await editor.save();
  await expect.poll(saved).toBe(`aag 4 0 2 1 2\n${rows}`);
});

let held: Awaited<ReturnType<typeof openHeld>>;

beforeAll(async () => {
  held = await openHeld();
});

afterAll(() => held?.close());

test('what is offered in an empty file is a circuit, then headers, however late the server comes', async () => {
  const starting = held.hold();
  writeFileSync(join(held.workspace, 'empty.aag'), '');
  const { page, workbench, path } = await openFile(held, 'empty.aag');
  const editor = await workbench.editor(path);
  await workbench.language('AIGER');
  await workbench.status(/reading/).waitFor(); // the extension runs, the server does not
  await editor.goTo(1);
  await page.keyboard.press('Control+Space');
  await page.locator('.suggest-widget.visible').waitFor();
  starting.release();
  const offered = page.locator('.suggest-widget.visible .monaco-list-row');
  await offered.first().waitFor();
  expect((await offered.allInnerTexts()).map((row) => row.split('\n')[0])).toEqual([
    expect.stringMatching(/^circuit/),
    expect.stringMatching(/^aag/),
    expect.stringMatching(/^aag M I L O A/),
    expect.stringMatching(/^aag M I L O A B/),
  ]);
  if (pictures) await page.screenshot({ path: join(root, 'out', 'offered.png'), animations: 'disabled' });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await editor.lens('check').waitFor();
  await editor.save();
  await editor.lens('proved').waitFor();
  expect(await page.locator('.squiggly-error, .squiggly-warning, .squiggly-info').count()).toBe(0);
  if (pictures) await page.screenshot({ path: join(root, 'out', 'offered-proved.png'), animations: 'disabled' });
});

test('a question that comes before the server is answered once it runs', async () => {
  const starting = held.hold();
  const { workbench, path } = await openFile(held, 'counter.aag');
  const editor = await workbench.editor(path);
  await workbench.language('AIGER');
  await workbench.status(/reading/).waitFor();
  await editor.goTo(25, 4); // 46 44 10
  await editor.press('F12');
  starting.release();
  await editor.atLine(24); // 44 42 8
});

test('a file that is saved before the server runs is checked once it does', async () => {
  const starting = held.hold();
  const { workbench, path } = await openFile(held, 'semaphore2.aag');
  const editor = await workbench.editor(path);
  await workbench.status(/reading/).waitFor();
  await editor.replaceBefore(25, 9, '9');
  await editor.save();
  starting.release();
  await editor.lens(/^refuted/).waitFor();
});
