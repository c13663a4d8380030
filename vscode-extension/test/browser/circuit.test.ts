// The Circuit view beside a text: what it says of each kind of place, that nothing of an earlier place
// is seen, the way from refuted to the cause, the keyboard. With AIGLENS_SCREENSHOTS=1 in each theme.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type FrameLocator, type Locator, type Page } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { circuitHtml } from '../../src/circuit/html';
import type { FromPage, Shown, ToPage } from '../../src/circuit/messages';
import type { Cause, Place } from '../../src/protocol';
import { openPage, send, sent } from './page';
import { camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';
import { squares } from './squares';
import type { Editor, Workbench } from './workbench';

const viewport = { width: 1280, height: 720 };

/** The sections of the view, once it shows a kind of place. The first answer may not know all of it yet. */
async function sections(circuit: FrameLocator, kind: string): Promise<string[]> {
  await circuit.locator('#content:not([aria-busy])', { has: circuit.locator('#what-title .note', { hasText: new RegExp(`^${kind}$`) }) }).waitFor();
  return circuit.locator('section').evaluateAll((all) => all.map((one) => one.getAttribute('aria-labelledby')!.replace('-title', '')));
}

const section = (circuit: FrameLocator, id: string): Locator => circuit.locator(`#${id}-body`);

async function shown(workbench: Workbench, editor: Editor): Promise<FrameLocator> {
  await editor.goTo(1);
  await workbench.page.keyboard.press('Control+K');
  await workbench.page.keyboard.press('i');
  await workbench.circuit.locator('#what-title').waitFor();
  return workbench.circuit;
}

test.each(shownThemes)('what is known of the place of the cursor: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme, 'aiglens.check.timeout': 2 });
  onTestFinished(() => vscode.close());
  writeFileSync(join(vscode.workspace, 'squares.blif'), squares());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2_broken.aag', viewport);
  const take = camera(page, name);
  page.setDefaultTimeout(30_000);
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  const circuit = await shown(workbench, editor);

  // Places of a text that is not checked.
  await editor.goTo(1, 6);
  await expect.poll(() => sections(circuit, 'header')).toEqual(['what']);
  await editor.goTo(2);
  await expect.poll(() => sections(circuit, 'input')).toEqual(['what', 'always', 'around']);
  await section(circuit, 'what').getByText('move_a').first().waitFor();
  await editor.goTo(9);
  await expect.poll(() => sections(circuit, 'latch')).toEqual(['what', 'always', 'around']);
  await section(circuit, 'what').getByText('Read by').waitFor();
  await editor.goTo(25);
  await expect.poll(() => sections(circuit, 'gate')).toEqual(['what', 'always', 'around']);
  await editor.goTo(50);
  await expect.poll(() => sections(circuit, 'comment')).toEqual(['what']);

  // From refuted to the cause, in names, without a click.
  await editor.goTo(11);
  await expect.poll(async () => (await sections(circuit, 'property'))[0]).toBe('property');
  await section(circuit, 'property').getByRole('button', { name: /check/i }).first().click();
  await section(circuit, 'property').getByText('refuted').first().waitFor();
  await workbench.cause('work_a').waitFor();
  await workbench.cause('work_b').waitFor();
  await take('circuit');

  // In a run: values, steps, causes that lead to their rows.
  await workbench.cause('work_b').click();
  await editor.atLine(9);
  await expect.poll(() => sections(circuit, 'latch')).toContain('now');
  await section(circuit, 'now').getByText('work_b').first().waitFor();
  await section(circuit, 'now').getByRole('button', { name: 'To the step before' }).click();
  await circuit.locator('.waves .present', { hasText: '3' }).waitFor();
  await circuit.locator('#picture svg').waitFor();
  await take('circuit-now');
  await circuit.getByRole('button', { name: 'Back' }).click();
  await editor.atLine(11);

  // An error row, with its fix as a button.
  await editor.goTo(37, 1);
  await editor.type('7');
  await expect.poll(() => sections(circuit, '(error|gate|undefined)')).toContain('what');
  await circuit.locator('.diagnostic .error').first().waitFor();
  await take('circuit-error');
  await editor.press('Control+Z');
  await circuit.locator('.diagnostic .error').first().waitFor({ state: 'detached' });

  // A word, an instance, a proof, and no answer.
  const worker = await workbench.openFile('worker.aag');
  await worker.goTo(43, 8);
  await expect.poll(() => sections(circuit, 'word')).toContain('what');
  await section(circuit, 'what').getByText('idle').first().waitFor();
  await take('circuit-word');
  const digits = await workbench.openFile('two_digits.blif');
  await digits.goTo(20, 9);
  await digits.goTo(18);
  await workbench.command('aiglens: Check All Properties of the File');
  await workbench.status(/1 proved, 1 refuted/).waitFor();
  await digits.goTo(19, 10);
  await sections(circuit, '(instance|model)');
  await digits.goTo(18);
  await sections(circuit, 'property');
  await section(circuit, 'property').getByText('What the proof says').waitFor();
  await take('circuit-proof');
  const unknown = await workbench.openFile('squares.blif');
  await unknown.clickLens('check', unknown.lens('unknown'));
  await unknown.goTo(3, 10);
  await expect.poll(async () => (await sections(circuit, 'property'))[0]).toBe('property');
  await section(circuit, 'property').getByText('unknown').first().waitFor();
  await section(circuit, 'property').getByRole('button').first().waitFor();
  await take('circuit-unknown');

  // Beside the text it follows the cursor, too.
  const again = await workbench.openFile('semaphore2_broken.aag');
  await page.locator('[aria-label^="Open the Circuit View Beside the Text"]').first().click();
  await again.goTo(9);
  const beside = page.frameLocator('iframe.webview:not([src*="purpose=webviewView"])').frameLocator('#active-frame');
  await section(beside, 'now').getByText('work_b').first().waitFor();
  await again.goTo(10);
  await section(beside, 'now').getByText('free').first().waitFor();
  await beside.locator('#picture svg').waitFor();
  await take('circuit-beside');
  await page.close();
});

/** The page without VS Code around it. */
async function openAlone(): Promise<Page> {
  const browser = await chromium.connect(inject('browser'));
  const page = await browser.newPage({ viewport: { width: 300, height: 300 } });
  onTestFinished(() => browser.close());
  page.setDefaultTimeout(30_000);
  await openPage(page, 'circuit', circuitHtml, 'graphviz');
  return page;
}

const uri = 'file:///a.aag';
const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 2 } });

function answerOf(name: string, line: number, why: Cause | null = null): ToPage {
  const now = { property: 'bad:0', name: 'bad', of: 'counterexample of bad', step: 3, steps: 5, words: 'step 3 of 4', value: '1', first: 0, values: '00011', word: null, next: null, previous: 2, actions: [], why };
  const title = `**gate** ${name}`;
  const answer: Place = {
    uri, version: 1, settled: true, kind: 'gate', range: range(line), title, says: Array.from({ length: 20 }, (_, index) => `sentence ${index}`), diagnostics: [], property: null, always: null, around: null, now,
    signal: { title, name, signal: null, definition: null, depth: 1, deeper: false, says: [], word: null, readers: [], moreReaders: 0 },
  };
  const shown: Shown = { answer, file: 'a.aag', more: [], cone: 0, isGrown: false };
  return { type: 'answer', count: line, ...shown };
}

test('no frame shows an earlier place once the answer is late', async () => {
  const page = await openAlone();
  await send<ToPage>(page, answerOf('first', 1));
  await page.getByText('gate first').waitFor();
  await page.evaluate(() => {
    const scope = globalThis as unknown as { frames: [number, boolean][]; document: { body: { classList: { contains(name: string): boolean } } }; addEventListener(type: string, listener: (event: { data: { type: string } }) => void): void; requestAnimationFrame(run: (now: number) => void): void };
    scope.frames = [];
    scope.addEventListener('message', ({ data }) => {
      if (data.type !== 'moved') return;
      const since = performance.now();
      // What is seen is what stands there after all that is done before a frame.
      const look = (now: number) => {
        setTimeout(() => scope.frames.push([now - since, !scope.document.body.classList.contains('waiting')]));
        if (now - since < 300) scope.requestAnimationFrame(look);
      };
      scope.requestAnimationFrame(look);
    });
  });
  await send<ToPage>(page, { type: 'moved', isSame: false });
  const frames = () => page.evaluate(() => (globalThis as unknown as { frames: [number, boolean][] }).frames);
  await expect.poll(async () => (await frames()).at(-1)?.[0] ?? 0).toBeGreaterThan(300);
  expect((await frames()).filter(([after, isSeen]) => isSeen && after > 100)).toEqual([]);
  expect(await page.locator('#content').evaluate((content) => (globalThis as unknown as { getComputedStyle(one: unknown): { opacity: string } }).getComputedStyle(content).opacity)).toBe('0');
  // News of the place itself, whose answer is late, do not bring the earlier one back.
  await send<ToPage>(page, { type: 'moved', isSame: true });
  await page.locator('body.waiting').waitFor();
  await send<ToPage>(page, answerOf('second', 2));
  await page.getByText('gate second').waitFor();
  await page.locator('body:not(.waiting):not(.old)').waitFor();
  // What is of an earlier text or step stays, marked.
  await send<ToPage>(page, { type: 'moved', isSame: true });
  await page.locator('body.old:not(.waiting)').waitFor();
});

test('an answer about the same place leaves focus, scroll position and what was opened; the keyboard alone leads through', async () => {
  const page = await openAlone();
  const cause = (name: string, signal: number, more: Partial<Cause> = {}): Cause => ({ name, value: '1', step: 3, at: 'step 3', signal, reason: '', location: { uri, range: range(signal) }, causes: [], ...more });
  const why = cause('gate', 1, { causes: [cause('left', 2, { causes: [cause('deep', 4, { causes: [cause('deepest', 5)] })] }), cause('right', 3, { cut: true })] });
  await send<ToPage>(page, answerOf('gate', 1, why));
  const entry = (name: RegExp) => page.getByRole('treeitem', { name });
  await page.getByRole('button', { name: 'What it is' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'What it is', expanded: false }).waitFor();
  await page.keyboard.press('Enter');
  await entry(/^gate/).focus();
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await entry(/^deepest/).waitFor();
  const scrolled = () => page.evaluate(() => (globalThis as unknown as { scrollY: number }).scrollY);
  const before = await scrolled();
  expect(before).toBeGreaterThan(0);
  await send<ToPage>(page, { ...answerOf('gate', 1, { ...why, value: '0' }), count: 2 } as ToPage);
  await entry(/^gate is 0/).waitFor();
  await entry(/^deepest/).waitFor();
  expect(await entry(/^deep is/).evaluate((one) => (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement === one)).toBe(true);
  expect(await scrolled()).toBe(before);
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  expect((await sent<FromPage>(page)).slice(-2)).toEqual([
    { type: 'go', of: 2, path: 'answer.now.why.causes.0.causes.0', focus: true },
    { type: 'causes', of: 2, path: 'answer.now.why.causes.1' },
  ]);
  // Of another place it begins at the top.
  await send<ToPage>(page, answerOf('other', 3, why));
  await page.getByText('gate other').waitFor();
  expect(await scrolled()).toBe(0);
});
