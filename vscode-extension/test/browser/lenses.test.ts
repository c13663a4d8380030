// Lenses: they come to say what all else says, and lead to what there is to see. With AIGLENS_SCREENSHOTS=1 with pictures in each theme and size.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Editor as Vscode } from '../lib/editor';
import { shown } from './shown';
import { areTaken, camera, shownThemes, themes } from './pictures';
import { openFile, openPackaged } from './session';

let vscode: Vscode;

beforeAll(async () => {
  vscode = await openPackaged();
});

afterAll(() => vscode?.close());

test('lens, gutter, status bar and test come to say the same', async () => {
  const { page, workbench, path } = await openFile(vscode, 'semaphore2.aag');
  await (await workbench.editor(path)).lens('check').waitFor();
  await workbench.command('Testing: Focus on Test Explorer View');
  await workbench.expandTest('semaphore2.aag', 'two_at_work');
  const editor = await workbench.openFile('semaphore2.aag');
  await editor.goTo(11);
  await workbench.status(/1 not checked/).waitFor();

  const settled = (word: string) =>
    expect.poll(() => shown(page)).toEqual({ lens: word, gutter: word, status: word.replace(/^stale .*/, 'stale'), test: word });
  await editor.clickLens('check', editor.lens('proved'));
  await settled('proved');
  await editor.replaceBefore(25, 9, '9');
  await settled('stale proved');
  await editor.save();
  await settled('refuted');
  await editor.undo(25, 2);
  await settled('proved');
  await editor.replaceBefore(25, 9, '9');
  await settled('refuted');
  await page.close();
});

/** Counts the presses of mouse buttons from now on. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const scope = globalThis as unknown as { clicks: number; addEventListener(name: string, listener: () => void, capture: boolean): void };
    scope.clicks = 0;
    scope.addEventListener('mousedown', () => scope.clicks++, true);
  });
  return () => page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks);
}

/** What of a verdict is at the end of a row and in the lens above it, each time that one of the two changes. */
async function watchVerdicts(page: Page): Promise<() => Promise<{ row: string; lens: string }[]>> {
  await page.evaluate(() => {
    interface Node {
      textContent: string | null;
      querySelectorAll(selector: string): Iterable<Node>;
    }
    const scope = globalThis as unknown as { seen: { row: string; lens: string }[]; document: Node; getComputedStyle(node: Node, pseudo: string): { content: string }; requestAnimationFrame(run: () => void): void };
    scope.seen = [];
    const look = () => {
      const after = [...scope.document.querySelectorAll('.editor-instance .view-line span span')].map((span) => scope.getComputedStyle(span, '::after').content.replaceAll('\u00a0', ' '));
      const row = after.find((text) => /^"(proved|refuted|unknown)/.test(text))?.slice(1, -1) ?? '';
      const lens = [...scope.document.querySelectorAll('.editor-instance .codelens-decoration')].map(({ textContent }) => (textContent ?? '').replaceAll('\u00a0', ' ').split(' | ')[0]!)[0] ?? '';
      const last = scope.seen.at(-1);
      if (last?.row !== row || last.lens !== lens) scope.seen.push({ row, lens });
      scope.requestAnimationFrame(look);
    };
    look();
  });
  return () => page.evaluate(() => (globalThis as unknown as { seen: { row: string; lens: string }[] }).seen);
}

test.each(shownThemes)('a verdict stands at the end of the row before its lens is drawn, and never beside another one: %s', async (name, theme) => {
  const own = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => own.close());
  const { page, workbench, path } = await openFile(own, 'semaphore2_broken.aag', { width: 1280, height: 720 });
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await editor.goTo(11);
  const seen = await watchVerdicts(page);
  await workbench.command('aiglens: Check All Properties of the File');
  const isSaid = async (text: string) => expect.poll(async () => (await seen()).some(({ row }) => row === text)).toBe(true);
  const isGone = async (lens: RegExp) => expect.poll(async () => (await seen()).at(-1)).toEqual({ row: '', lens: expect.stringMatching(lens) });
  await isSaid('refuted at step 4');
  await take('row-verdict');
  await isGone(/^refuted at step 4$/);
  await editor.replaceBefore(25, 9, '8'); // 46 44 14 → 46 44 18
  await editor.save();
  await isGone(/^proved · /);
  const all = await seen();
  expect(all.find(({ row }) => row === 'refuted at step 4')!.lens).not.toContain('refuted');
  // Beside a lens that says a verdict on this text there is at most the same.
  const isOther = ({ row, lens }: { row: string; lens: string }) => row !== '' && /^(proved|refuted|unknown)/.test(lens) && row !== lens;
  expect(all.filter(isOther)).toEqual([]);
  await page.close();
});

test('where lenses are off a verdict stays at the end of its row, until the text changes', async () => {
  const own = await openPackaged({ 'editor.codeLens': false });
  onTestFinished(() => own.close());
  const { page, workbench, path } = await openFile(own, 'semaphore2_broken.aag');
  const editor = await workbench.editor(path);
  await workbench.status(/not checked/).waitFor();
  await editor.goTo(11);
  await workbench.command('aiglens: Check All Properties of the File');
  await editor.note(11, /refuted at step 4$/);
  await editor.replaceBefore(25, 9, '8');
  await editor.note(11, /bad 0$/);
  await editor.undo(25, 2); // the text of which it is known
  await editor.note(11, /refuted at step 4$/);
  await editor.goTo(49, 1); // a comment
  await editor.type('x');
  await editor.goTo(11);
  await editor.note(11, /refuted at step 4$/);
  await page.close();
});

test('from refuted to the values of the failing step in one click, to the cause in one more', async () => {
  const { page, workbench, path } = await openFile(vscode, 'semaphore2_broken.aag');
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  await editor.goTo(11);
  await workbench.command('aiglens: Check All Properties of the File');
  await editor.lenses(/^refuted at step 4 \| trace \| why \| debug \| latches…$/);
  await editor.link('refuted').waitFor();

  const clicks = await countClicks(page);
  await editor.link('refuted').click();
  await page.locator('#aiglens\\.aiglens\\.aiglens\\.step', { hasText: 'step 4 of 4' }).waitFor();
  const panel = await workbench.panelFrame();
  await panel.locator('.row').first().waitFor();
  expect(await clicks()).toBe(1);
  await editor.link('why').click();
  await workbench.cause('work_a').waitFor();
  await workbench.cause('work_b').waitFor();
  expect(await clicks()).toBe(2);
  await page.close();
});

test('proved leads to what proves it', async () => {
  const { page, workbench, path } = await openFile(vscode, 'counter.aag');
  const editor = await workbench.editor(path);
  await editor.clickLens('check', editor.lens('proved'));
  const proof = page.locator('.monaco-editor[data-uri^="aiglens-proof"]');
  await editor.clickLens('proved', proof);
  await proof.locator('.view-line', { hasText: 'is proved: it never fails.' }).waitFor();
  await proof.locator('.view-line', { hasText: 'found by' }).waitFor();
  await page.close();
});

const adder = ['.model adder', '.inputs a b', '.outputs sum', '.names a b sum', '10 1', '01 1', '.end', ''].join('\n');
const many = ['.model many', '.inputs a', '.outputs u v w x y', '.latch a q 0', ...'uvwxy'.split('').flatMap((name) => [`.names q ${name}`, '1 1']), '.end', ''].join('\n');

test('a file without properties says why, and five in a row have one lens', async () => {
  writeFileSync(join(vscode.workspace, 'adder.blif'), adder);
  writeFileSync(join(vscode.workspace, 'many.blif'), many);
  const { page, workbench, path } = await openFile(vscode, 'adder.blif');
  const editor = await workbench.editor(path);
  await editor.lenses(/^no properties: outputs of a model without latches are not checked/);
  await workbench.status(/no properties: why\?/).click();
  const message = page.locator('.notification-toast', { hasText: 'adder.blif has no properties: outputs of a model without latches' });
  await message.waitFor();
  await message.locator('.monaco-button', { hasText: 'Open Setting' }).waitFor();

  const five = await workbench.openFile('many.blif');
  await five.lenses(/^check 5 outputs$/);
  await five.clickLens('check 5 outputs', five.lens('5 outputs: refuted'));
  await five.lenses(/^5 outputs: refuted \| u: refuted at step 1 \| v: refuted at step 1 \| w: refuted at step 1$/);
  await page.close();
});

test.skipIf(!areTaken).each(themes)('pictures of lenses: %s', async (name, theme) => {
  const own = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => own.close());
  writeFileSync(join(own.workspace, 'adder.blif'), adder);
  for (const [size, viewport] of [['', { width: 1400, height: 900 }], ['small-', { width: 900, height: 600 }]] as const) {
    const { page, workbench, path } = await openFile(own, 'lift.aag', viewport);
    const take = camera(page, `${size}${name}`);
    const editor = await workbench.editor(path);
    await editor.lens('check').waitFor();
    await editor.goTo(21);
    await workbench.command('aiglens: Check All Properties of the File');
    await workbench.status(/2 proved, 1 refuted$/).waitFor();
    await editor.link('refuted').click();
    await workbench.panelFrame();
    await editor.link('why').click();
    await workbench.cause('step 4').waitFor();
    await take('lenses');
    const empty = await workbench.openFile('adder.blif');
    await empty.lens('no properties').waitFor();
    await workbench.status(/no properties: why\?/).waitFor();
    await take('no-properties');
    await page.close();
  }
});
