// The Circuit view beside a text: what it says of each kind of place, that nothing of an earlier place
// is seen, the way from refuted to the cause, the keyboard. With AIGLENS_SCREENSHOTS=1 in each theme.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type FrameLocator, type Locator, type Page } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { circuitHtml } from '../../src/circuit/html';
import type { FromPage, Shown, ToPage } from '../../src/circuit/messages';
import type { Cause, Place } from '../../src/protocol';
import { patience } from '../lib/patience.mjs';
import { openPage, send, sent } from './page';
import { areTaken, camera, shownThemes } from './pictures';
import { openFile, openPackaged } from './session';
import { squares } from './squares';
import type { Editor, Workbench } from './workbench';
import { hasYosys } from './yosys';

const viewport = { width: 1280, height: 720 };

/**
 * What the view shows of a place: its sections, each with the names of what it says. That of a property also
 * has its standing.
 */
function parts(circuit: FrameLocator): Promise<string[]> {
  return circuit.locator('section').evaluateAll((all) =>
    all.map((one) => {
      const said = [...one.querySelectorAll('#what-title .note, .verdict, dt, h3, .waves, [role="tree"], .diagnostic .error, select')].map((part) => {
        if (part.matches('.verdict')) return part.classList[1] ?? 'open';
        if (part.matches('.waves')) return 'waves';
        if (part.matches('.error')) return 'error';
        return part.id === '' ? (part.getAttribute('data-choose') ?? part.textContent ?? '') : part.id;
      });
      return [one.getAttribute('aria-labelledby')!.replace('-title', ''), ...said].join(' · ');
    }),
  );
}

/** The values in the picture that are not drawn in whole. */
function cutOff(circuit: FrameLocator): Promise<(string | null)[]> {
  interface Box {
    textContent: string | null;
    getBoundingClientRect(): { right: number };
    querySelectorAll(selector: string): Iterable<Box>;
  }
  return circuit.locator('#picture svg').evaluate((one) => {
    const svg = one as unknown as Box;
    return [...svg.querySelectorAll('.value')].filter((value) => value.getBoundingClientRect().right > svg.getBoundingClientRect().right + 0.5).map(({ textContent }) => textContent);
  });
}

const section = (circuit: FrameLocator, id: string): Locator => circuit.locator(`#${id}-body`);

async function shown(workbench: Workbench, editor: Editor): Promise<FrameLocator> {
  await editor.goTo(1);
  await workbench.command('aiglens Ask: Show the Circuit View');
  await workbench.circuit.locator('#what-title').waitFor();
  return workbench.circuit;
}

test.each(shownThemes)('what is known of the place of the cursor: %s', async (name, theme) => {
  // Enough for the semaphore and too little for the squares: in a page each check begins by compiling its program.
  const vscode = await openPackaged({ 'workbench.colorTheme': theme, 'aiglens.check.timeout': inject('inPage') ? 10 : 2 });
  onTestFinished(() => vscode.close());
  writeFileSync(join(vscode.workspace, 'squares.blif'), squares());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2_broken.aag', viewport);
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  const circuit = await shown(workbench, editor);

  const seen = new Map<string, string>();
  /** Waits until the view shows this and no more of a kind of place. */
  const isShown = async (place: string, want: readonly string[]) => {
    await expect.poll(() => parts(circuit), { message: place }).toEqual(want);
    seen.set(place, want.join('\n'));
  };

  // Places of a text that is not checked.
  await editor.goTo(1, 6);
  await isShown('header', ['what · header']);
  await editor.goTo(2);
  await section(circuit, 'what').getByText('move_a').first().waitFor();
  await isShown('input', ['what · input · Read by', 'always · Properties that depend on it', 'around']);
  await editor.goTo(9);
  await isShown('latch', ['what · latch · formula · reset · Read by', 'always · Properties that depend on it', 'around']);
  await editor.goTo(25);
  await isShown('gate', ['what · gate · formula · Read by', 'always · Properties that depend on it', 'around']);
  await editor.goTo(50);
  await isShown('comment', ['what · comment']);

  // From refuted to the cause, in names, without a click.
  await editor.goTo(11);
  await section(circuit, 'property').getByRole('button', { name: /check/i }).first().click();
  await workbench.cause('work_a').waitFor();
  await workbench.cause('work_b').waitFor();
  await isShown('property', ['property · failed · Why it fails · why-property · depth · engine · certificate', 'what · property · formula · Read by', 'always · Properties that depend on it', 'around']);
  await editor.note(11, /bad 0$/); // the lens has the verdict
  await take('circuit');

  // In a run: values, steps, causes that lead to their rows.
  await workbench.cause('work_b').click();
  await editor.atLine(9);
  await isShown('in a run', ['what · latch · formula · reset · Read by', 'now · waves · Because · why-now', 'always · Properties that depend on it', 'around']);
  await section(circuit, 'now').getByText('work_b').first().waitFor();
  await section(circuit, 'now').getByRole('button', { name: 'To the step before' }).click();
  await circuit.locator('.waves .present', { hasText: '3' }).waitFor();
  await circuit.locator('#picture svg .value').first().waitFor();
  expect(await cutOff(circuit)).toEqual([]);
  await take('circuit-now');
  await circuit.getByRole('button', { name: 'Back' }).click();
  await editor.atLine(11);

  // An error row, with its fix as a button.
  await editor.goTo(37, 1);
  await editor.type('7');
  await circuit.locator('.diagnostic .error').first().waitFor();
  await isShown('error row', ['what · gate · formula · error']);
  await take('circuit-error');
  await editor.press('Control+Z');
  await circuit.locator('.diagnostic .error').first().waitFor({ state: 'detached' });

  // A word, an instance, a proof, and no answer.
  const worker = await workbench.openFile('worker.aag');
  await worker.goTo(43, 8);
  await section(circuit, 'what').getByText('idle').first().waitFor();
  await isShown('word', ['what · word', 'always · Properties that depend on it']);
  await take('circuit-word');
  const digits = await workbench.openFile('two_digits.blif');
  await digits.goTo(18);
  await workbench.command('aiglens: Check All Properties of the File');
  await workbench.status(/1 proved, 1 refuted/).waitFor();
  await digits.goTo(19, 33);
  await isShown('instance', ['what · instance · Read by', 'always · facts · Properties that depend on it', 'around']);
  await digits.goTo(18);
  await section(circuit, 'property').getByText('What the proof says').waitFor();
  await isShown('in a proof', ['property · passed · depth · engine · certificate · What the proof says', 'what · property', 'around']);
  await take('circuit-proof');
  const unknown = await workbench.openFile('squares.blif');
  await unknown.clickLens('check', unknown.lens('unknown'));
  await unknown.goTo(3, 10);
  await section(circuit, 'property').getByRole('button').first().waitFor();
  await isShown('in an unknown', ['property · unknown · depth · engine · in the way', 'what · property · formula · Read by', 'always · Properties that depend on it', 'around']);
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

  // Each has what no other has.
  expect([...seen.keys()]).toHaveLength(12);
  expect(new Set(seen.values()).size).toBe(12);
  if (areTaken) {
    await page.setViewportSize({ width: 1920, height: 1080 });
    await take('circuit-unknown-large');
    await workbench.openFile('two_digits.blif');
    await digits.goTo(19, 33);
    await section(circuit, 'what').getByText('instance').first().waitFor();
    await take('circuit-instance-large');
    await workbench.openFile('semaphore2_broken.aag');
    await editor.goTo(9);
    await circuit.locator('#picture svg').waitFor();
    await take('circuit-now-large');
  }
  await page.close();
});

/** A circuit whose input is a word: its property fails once that was 2. */
const chooser = `aag 6 2 1 0 3 1
2
4
6 12
12
8 3 4
10 7 9
12 11 11
i0 x[0]
i1 x[1]
l0 seen
b0 was_two
c
word: x = x[1] x[0] {none = 0, two = 2}
`;

test.each(shownThemes)('what the run does with another value: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  writeFileSync(join(vscode.workspace, 'chooser.aag'), chooser);
  const { page, workbench, path } = await openFile(vscode, 'chooser.aag', viewport);
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  const circuit = await shown(workbench, editor);
  const now = section(circuit, 'now');
  await editor.clickLens('check', editor.lens('why'));
  await editor.clickLens('why', workbench.cause('x'));
  await editor.goTo(2);
  await now.getByRole('button', { name: /^What if x had/ }).waitFor();
  await expect.poll(() => now.textContent()).toContain('x = 2');
  await take('circuit-what-if');

  // The word has a radix of its own, at the ends of rows too.
  const radix = now.getByRole('combobox', { name: 'Radix of x' });
  await radix.selectOption('hex');
  await expect.poll(() => now.textContent()).toContain('x = 0x2');
  await editor.someNote('0x2');
  await take('circuit-radix');
  await radix.selectOption('default');
  await expect.poll(() => now.textContent()).toContain('x = 2');

  // Of the counterexample a run becomes, in the panel of its property.
  const frames = page.frameLocator('iframe.webview:not([src*="purpose=webviewView"])').frameLocator('#active-frame');
  await now.getByRole('button', { name: /^What if x had/ }).click();
  const input = workbench.quickInput.locator('input').first();
  await input.fill('none');
  await input.press('Enter');
  await now.getByText('run that is played').waitFor();
  await expect.poll(() => now.textContent()).toContain('x = 0');
  await frames.locator('#outcome').waitFor();

  // Of a signal the other value; the present step stays.
  const flip = now.getByRole('button', { name: /^What if x\[0\] were 1/ });
  await flip.focus();
  await flip.press('Enter');
  await expect.poll(() => now.textContent()).toContain('x = 1');
  await take('circuit-played');

  // Random steps up to a value.
  await now.getByRole('button', { name: /until x has a value/ }).click();
  await input.fill('two');
  await input.press('Enter');
  await expect.poll(() => now.textContent()).toContain('x = 2');

  // A value that the word cannot have leaves all as it is.
  await now.getByRole('button', { name: /^What if x had/ }).click();
  await input.fill('9');
  await input.press('Enter');
  await page.locator('.notification-toast', { hasText: /x/ }).first().waitFor();
  expect(await now.textContent()).toContain('x = 2');
  await page.close();
});

/** A chain of three latches: what the first one takes shows at the output three steps later. */
const chain = 'aag 4 1 3 1 0\n2\n4 2\n6 4\n8 6\n8\ni0 a\nl0 first\nl1 second\nl2 third\no0 y\n';

test.each(shownThemes)('the values of a difference, at the step of both texts, up to an edit: %s', async (name, theme) => {
  const vscode = await openPackaged({ 'workbench.colorTheme': theme });
  onTestFinished(() => vscode.close());
  writeFileSync(join(vscode.workspace, 'chain.aag'), chain);
  const { page, workbench, path } = await openFile(vscode, 'chain.aag', viewport);
  const take = camera(page, name);
  const editor = await workbench.editor(path);
  const circuit = await shown(workbench, editor);
  const now = section(circuit, 'now');
  await editor.replaceBefore(3, 4, '3');
  await workbench.command('aiglens: Compare with…');
  await workbench.pick('The File on Disk');
  const step = page.locator('#aiglens\\.aiglens\\.aiglens\\.comparison');
  await step.getByText('step 3 of 3').waitFor();
  const diff = page.locator('.monaco-diff-editor');
  await diff.locator('.editor.modified .view-line').nth(4).click({ position: { x: 5, y: 9 } });
  await expect.poll(() => now.textContent()).toMatch(/^third = [01] at step 3 of the difference in y/);
  const [, last] = /^third = ([01])/.exec((await now.textContent()) ?? '') ?? [];
  // The row has the same value, beside that of the other text.
  const rows = () =>
    diff.locator('.editor.modified').evaluate((root) => {
      const scope = globalThis as unknown as { getComputedStyle(element: unknown, pseudo: string): { content: string } };
      return [...root.querySelectorAll('.view-line span span')].map((span) => scope.getComputedStyle(span, '::after').content.replaceAll('\u00a0', ' ')).join('\n');
    });
  await expect.poll(rows).toContain(`third = ${last} ≠ `);
  expect(await now.getByRole('button', { name: /^(What if|Add random)/ }).count()).toBe(0);
  await take('circuit-difference');

  // The step is one: a button moves both texts, and a command of these moves the view.
  await now.getByRole('button', { name: 'To the step before' }).click();
  await step.getByText('step 2 of 3').waitFor();
  await expect.poll(() => now.textContent()).toContain('at step 2 of the difference in y');
  await workbench.titleButton('Next Step of the Comparison');
  await expect.poll(() => now.textContent()).toContain('at step 3 of the difference in y');

  // An edit ends it.
  await diff.locator('.editor.modified .view-line').nth(4).click({ position: { x: 5, y: 9 } });
  await page.keyboard.press('End');
  await page.keyboard.type(' 0');
  await step.waitFor({ state: 'hidden' });
  await now.waitFor({ state: 'detached' });
  await page.close();
});

test('by the keyboard alone from refuted to repaired', async () => {
  const vscode = await openPackaged();
  onTestFinished(() => vscode.close());
  const { page, workbench, path } = await openFile(vscode, 'semaphore2_broken.aag', viewport);
  const { keyboard } = page;
  const editor = await workbench.editor(path);
  await editor.lens('check').waitFor();
  const goTo = async (line: number) => {
    await keyboard.press('Control+1');
    await keyboard.press('Control+G');
    await workbench.quickInput.locator('input').first().fill(`:${line}`);
    await keyboard.press('Enter');
    await editor.atLine(line);
    await expect.poll(() => editor.hasFocus()).toBe(true);
  };
  const { circuit } = workbench;
  /** Presses Tab until a control of the view has the focus. */
  const tabTo = async (control: Locator) => {
    await control.waitFor();
    const isReached = () => control.evaluate((one) => (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement === one);
    for (let pressed = 0; pressed < 60 && !(await isReached()); pressed++) await keyboard.press('Tab');
    expect(await isReached()).toBe(true);
  };
  await goTo(11);
  await keyboard.press('Control+K');
  await keyboard.press('i');
  await circuit.locator('#property-title').waitFor();
  await keyboard.press('F1');
  await workbench.quickInput.locator('input').first().fill('>Focus on Circuit View');
  await workbench.quickInput.locator('.monaco-list-row.focused', { hasText: 'Focus on Circuit View' }).waitFor();
  await keyboard.press('Enter');
  await workbench.hasKeyboard(circuit.locator('body'));
  await tabTo(section(circuit, 'property').getByRole('button', { name: /check/i }).first());
  await keyboard.press('Enter');
  await section(circuit, 'property').getByText('refuted').first().waitFor();

  // Down to the row that lets b work, whichever way the tree has it.
  const tree = circuit.getByRole('tree', { name: 'Why it fails' });
  await tabTo(tree.getByRole('treeitem').first());
  const workB = tree.getByRole('treeitem', { name: /^work_b/ }).first();
  for (let pressed = 0; pressed < 20 && (await workB.getAttribute('tabindex')) !== '0'; pressed++) await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await editor.atLine(9);
  await goTo(25);
  await keyboard.press('End');
  await keyboard.press('Backspace');
  await keyboard.type('8');
  await keyboard.press('Control+S');
  await workbench.status(/1 proved/).waitFor();
  await goTo(11);
  await circuit.locator('#property-body .verdict.passed').waitFor();
});

test.skipIf(inject('inPage') || (!hasYosys() && process.env['CI'] === undefined))('Verilog that is checked is followed, too', async () => {
  const vscode = await openPackaged();
  onTestFinished(() => vscode.close());
  const { workbench, path } = await openFile(vscode, 'verilog/fifo_broken.sv', { width: 1400, height: 900 });
  const editor = await workbench.editor(path);
  await editor.goTo(38);
  await workbench.command('aiglens: Check All Properties of the File');
  await editor.lens('refuted at step 5').waitFor();
  const circuit = await shown(workbench, editor);
  await editor.goTo(38, 6);
  await circuit.locator('#property-body .verdict.failed').waitFor();
  await workbench.cause('count').waitFor();
  await workbench.cause('count').click();
  await circuit.locator('#now-body .waves').waitFor();
  await section(circuit, 'now').getByText('count').first().waitFor();
  await circuit.locator('#property-body').waitFor({ state: 'detached' });
});

/** The page without VS Code around it. */
async function openAlone(): Promise<Page> {
  const browser = await chromium.connect(inject('browser'));
  const page = await browser.newPage({ viewport: { width: 300, height: 300 } });
  onTestFinished(() => browser.close());
  page.setDefaultTimeout(patience);
  await openPage(page, 'circuit', circuitHtml, 'graphviz');
  return page;
}

const uri = 'file:///a.aag';
const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 2 } });

function answerOf(name: string, line: number, why: Cause | null = null): ToPage {
  const now = { kind: 'counterexample' as const, property: 'bad:0', name: 'bad', of: 'counterexample of bad', step: 3, steps: 5, words: 'step 3 of 4', value: '1', first: 0, values: '00011', word: null, next: null, previous: 2, actions: [], why };
  const title = `**gate** ${name}`;
  const answer: Place = {
    uri, version: 1, settled: true, kind: 'gate', range: range(line), title, says: Array.from({ length: 20 }, (_, index) => `sentence ${index}`), diagnostics: [], property: null, always: null, around: null, now,
    signal: { title, name, signal: null, definition: null, depth: 1, deeper: false, says: [], word: null, readers: [], moreReaders: 0 },
  };
  const shown: Shown = { answer, file: 'a.aag', more: [], cone: 0, isGrown: false, radix: 'default' as const };
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
