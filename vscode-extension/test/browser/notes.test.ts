// What stands at the ends of rows, as it is drawn: in one column, with values that have
// room of their own, so that nothing moves when one steps or types. With
// AIGLENS_SCREENSHOTS=1 in each theme and in two sizes, with pictures in out/notes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../lib/paths';
import { openFile, openPackaged } from './session';
import type { DrawnPiece } from './workbench';

const folder = join(root, 'out', 'notes');
const pictures = process.env['AIGLENS_SCREENSHOTS'] === '1';

const themes = [
  ['dark', 'Default Dark Modern'],
  ['light', 'Default Light Modern'],
  ['high-contrast', 'Default High Contrast'],
] as const;
const sizes = [
  { width: 1400, height: 900 },
  { width: 900, height: 600 },
];

/** Where each piece begins, by line. */
const places = (notes: Map<number, DrawnPiece[]>) => Object.fromEntries([...notes].map(([line, pieces]) => [line, pieces.map(({ left }) => left.toFixed(1))]));

/** The widest distance between the colours of two texts, of 0 to 255. */
function distance(a: string, b: string): number {
  const parts = (colour: string) => [...colour.matchAll(/[\d.]+/g)].map(Number);
  return Math.max(...parts(a).slice(0, 3).map((part, index) => Math.abs(part - parts(b)[index]!)));
}

test.each(pictures ? themes : [themes[0], themes[2]])('the ends of rows: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2_broken.aag');
  if (pictures) mkdirSync(folder, { recursive: true });
  const take = async (what: string) => {
    if (!pictures) return;
    for (const size of sizes) {
      await page.setViewportSize(size);
      await expect.poll(() => page.locator('.monaco-workbench').evaluate(({ clientWidth }) => clientWidth)).toBe(size.width);
      await page.screenshot({ path: join(folder, `${what}-${name}-${size.width}.png`), animations: 'disabled' });
    }
    await page.setViewportSize({ width: 1180, height: 760 });
  };
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await editor.note(25, '= 20 ∧ wait_b');
  await editor.note(10, 'free · next 64 ∨ 28 ∨ (20 ∧ work_b) · reset 1');
  await editor.note(11, 'two_at_work · bad 0');
  const begins = [...(await editor.notes())].filter(([line]) => line > 1 && line < 37).map(([, pieces]) => pieces[1]!.left.toFixed(1));
  expect(new Set(begins).size).toBe(1);
  await take('plain');

  await editor.goTo(11);
  await workbench.command('aiglens: Check All Properties of the File');
  await editor.lens('refuted at step 4').waitFor();
  await editor.goTo(11);
  await page.keyboard.press('Control+F7');
  await editor.note(11, '│0→1│ two_at_work · bad 0 · step 4 of 4: fails');
  const atEnd = places(await editor.notes());
  expect(Object.keys(atEnd).length).toBeGreaterThan(20);
  for (const step of [3, 2, 1, 0]) {
    await page.keyboard.press('Alt+,');
    await editor.note(11, new RegExp(` · step ${step} of 4`));
    expect(places(await editor.notes())).toEqual(atEnd);
    if (step === 3) {
      const drawn = await editor.notes();
      const [, changed] = drawn.get(10)!;
      const [, same] = drawn.get(7)!;
      expect([changed!.text, changed!.bold, same!.text, same!.bold]).toEqual(['│1→0│', true, '│  0│', false]);
      expect(changed!.colour).not.toBe(same!.colour);
      expect(drawn.get(9)!.slice(1, 3).map(({ text }) => text)).toEqual(['│  0│', '›1']);
      await take('values');
    }
  }
  await page.keyboard.press('Control+F7');
  await editor.note(11, 'two_at_work · bad 0');

  // What is typed into a row does not move its note.
  const { left } = (await editor.notes()).get(25)![1]!;
  await editor.goTo(25, 9);
  await editor.press('Backspace');
  await page.locator('.view-line', { hasText: /^46.44.1$/ }).waitFor();
  expect((await editor.notes()).get(25)![1]!.left).toBe(left);
  await editor.type('9');
  await editor.note(25, '= 20 ∧ wait_b ∧ ¬free');
  expect((await editor.notes()).get(25)![1]!.left).toBe(left);
  await take('typed');

  // Code is easier to read than what stands after it.
  const code = await page.locator('.view-line span[class^="mtk"]', { hasText: /^two_at_work$|^46$/ }).first().evaluate((element) => (globalThis as unknown as { getComputedStyle(of: unknown): { color: string } }).getComputedStyle(element).color);
  const background = await page.locator('.monaco-editor-background').first().evaluate((element) => (globalThis as unknown as { getComputedStyle(of: unknown): { backgroundColor: string } }).getComputedStyle(element).backgroundColor);
  const drawn = await editor.notes();
  expect(distance(drawn.get(25)![1]!.colour, background)).toBeLessThan(distance(code, background));
  if (name === 'high-contrast') {
    await editor.goTo(1);
    const header = (await editor.notes()).get(1)!;
    expect(header.map(({ text }) => text)).toEqual(['M:', 'I:', 'L:', 'O:', 'A:', 'B:']);
    expect(distance(header[0]!.colour, background)).toBeLessThan(distance(code, background));
  }
});

test('the layouts follow their setting at once', async () => {
  const vscode = await openPackaged();
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2_broken.aag');
  const editor = await workbench.editor(path);
  await editor.note(12, '= move_b ∧ ¬move_a');
  const between = page.locator('.view-line', { hasText: 'move_b∧¬move_a' });
  const settings = join(vscode.workspace, '.vscode', 'settings.json');
  const set = (layout: string) => {
    mkdirSync(join(vscode.workspace, '.vscode'), { recursive: true });
    writeFileSync(settings, JSON.stringify({ 'aiglens.inlayHints.layout': layout }));
  };
  set('between');
  await between.first().waitFor();
  await expect.poll(async () => (await editor.notes()).size).toBe(0);
  set('cursorLine');
  await between.first().waitFor({ state: 'detached' });
  await editor.goTo(12);
  await between.first().waitFor();
  expect(await between.count()).toBe(1);
  await page.keyboard.press('ArrowDown');
  await between.first().waitFor({ state: 'detached' });
  await page.locator('.view-line', { hasText: 'sleep_a∧move_a' }).first().waitFor();
  set('endOfLine');
  await editor.note(12, '= move_b ∧ ¬move_a');
});

test('a large file has colours by kind, wherever one looks', async () => {
  const vscode = await openPackaged();
  onTestFinished(() => vscode.close());
  // Gates that read an input, a latch and the gate before, in turn.
  const gates = 12_000;
  const rows = [`aag ${gates + 2} 1 1 0 ${gates} 1`, '2', '4 2', `${2 * gates + 4}`, '6 4 2'];
  for (let gate = 8; gate <= 2 * gates + 4; gate += 2) rows.push(`${gate} ${gate - 1} ${gate % 4 === 0 ? 2 : 4}`);
  writeFileSync(join(vscode.workspace, 'large.aag'), `${rows.join('\n')}\n`);
  const { workbench, path } = await openFile(vscode, 'large.aag');
  const editor = await workbench.editor(path);
  const kinds = async (line: number) => {
    await editor.goTo(line);
    const colours = async () => [...(await editor.colours(line)), ...(await editor.colours(line + 1))];
    await expect.poll(async () => {
      const [gate, before, first, , , second] = await colours();
      return [gate !== first, gate === before, first !== second, gate !== second];
    }).toEqual([true, true, true, true]);
  };
  await kinds(8);
  await kinds(6000);
  await editor.type('1');
  await editor.press('Backspace');
  await kinds(9000);
});
