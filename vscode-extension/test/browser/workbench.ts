// The VS Code workbench as a user sees it: what to click, what to read. Each
// function waits for what it needs; none waits for a time to pass.
import type { Frame, FrameLocator, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { patience } from '../lib/patience.mjs';

/** Milliseconds after which what was clicked is clicked again: an attempt may have been lost. */
const attempt = 20_000;

/** Attempts, until their time is over: three at least, however long the machine stops meanwhile. */
function* attempts(): Generator<void> {
  const end = Date.now() + patience;
  for (let made = 0; made < 3 || Date.now() < end; made++) yield;
}

/** Whether something happens in the time of an attempt. */
const happens = (event: Promise<unknown>): Promise<boolean> => event.then(() => true, () => false);

/**
 * The workbench looks four times a second whether a webview has the focus: for that long a command is about
 * the editor that had it before. A key that is pressed in a webview comes to the workbench by a message,
 * which drops it when the focus is elsewhere by then. A person is slower than that, a test is not: the focus
 * is awaited there before a key is pressed, and the key before what comes next.
 */
async function awaitKeys(page: Page): Promise<void> {
  interface Element {
    dataset: { parentFlowToElementId?: string };
    closest(selector: string): Element | null;
    matches(selector: string): boolean;
  }
  interface Scope {
    keysFromWebviews: number;
    document: { activeElement: Element | null; getElementById(id: string): Element | null };
    addEventListener(name: string, listener: (event: { isTrusted: boolean }) => void, capture: boolean): void;
  }
  await page.addInitScript(() => {
    const scope = globalThis as unknown as Scope;
    scope.keysFromWebviews = 0;
    scope.addEventListener('keydown', ({ isTrusted }) => void (isTrusted || scope.keysFromWebviews++), true);
  });
  /** Where a webview has the focus: how many keys have come so far, and whether the workbench knows of the focus. */
  const look = () =>
    page.evaluate(() => {
      const { document, keysFromWebviews } = globalThis as unknown as Scope;
      const webview = document.activeElement;
      if (webview?.matches('.webview') !== true) return undefined;
      const place = document.getElementById(webview.closest('[data-parent-flow-to-element-id]')?.dataset.parentFlowToElementId ?? '');
      return { keys: keysFromWebviews, isKnown: place?.closest('.editor-group-container')?.matches('.active') ?? true };
    });
  /** Looks until something holds, or for some seconds: a page may keep a key to itself, such as Escape in a menu. */
  const until = async (holds: (seen: NonNullable<Awaited<ReturnType<typeof look>>>) => boolean) => {
    for (const end = Date.now() + attempt / 2; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
      const seen = await look();
      if (seen === undefined || holds(seen) || Date.now() > end) return seen;
    }
  };
  const { keyboard } = page;
  const awaited = async (keys: number, act: () => Promise<void>) => {
    const before = await until(({ isKnown }) => isKnown);
    await act();
    if (before !== undefined) await until((seen) => seen.keys >= before.keys + keys);
  };
  const [press, type] = [keyboard.press.bind(keyboard), keyboard.type.bind(keyboard)];
  keyboard.press = (key, options) => awaited(1, () => press(key, options));
  keyboard.type = (text, options) => awaited(text.length, () => type(text, options));
}

export class Workbench {
  constructor(
    readonly page: Page,
    private readonly host: string,
  ) {}

  static async open(page: Page, address: string): Promise<Workbench> {
    await awaitKeys(page);
    await page.goto(address);
    await page.locator('.monaco-workbench').waitFor();
    return new Workbench(page, new URL(address).host);
  }

  /** The editor of a file, which must be open. */
  async editor(path: string): Promise<Editor> {
    const uri = `vscode-remote://${this.host}${path}`;
    const root = this.page.locator(`.editor-instance .monaco-editor[data-uri="${uri}"]`);
    await root.locator('.view-line').first().waitFor();
    return new Editor(this, root);
  }

  /**
   * Runs a command of the palette by its full title. The palette lists what may be run when it
   * is opened: while the editor that a command is about is just getting the focus, it has to be
   * opened again.
   */
  async command(title: string): Promise<void> {
    const isTitled = this.page.locator('.label-name', { hasText: startsWith(title, '( \\(.*)?$') });
    const row = this.quickInput.locator('.monaco-list-row', { has: isTitled }).first();
    for (const _ of attempts()) if ((await this.typeInto('F1', `>${title}`)) && (await this.choose(row))) return;
    throw new Error(`no command ${title}`);
  }

  /** Opens a file of the workspace, as by Ctrl+P. */
  async openFile(name: string): Promise<Editor> {
    const root = this.page.locator(`.editor-instance .monaco-editor[data-uri$="/${name}"]`);
    // A document about the file, whose name begins with that of the file, stands first until all is found:
    // a click that is too early meets it.
    const isNamed = this.page.locator('.label-name', { hasText: startsWith(name, '$') });
    const row = this.quickInput.locator('.monaco-list-row[data-index="0"]', { has: isNamed });
    for (const _ of attempts()) {
      if (!(await this.typeInto('Control+P', name)) || !(await this.choose(row))) continue;
      if (await happens(root.locator('.view-line').first().waitFor({ timeout: attempt }))) return new Editor(this, root);
    }
    throw new Error(`${name} does not open`);
  }

  /**
   * Opens the quick input by a key and types into it. It closes when something else gets the focus, such
   * as a panel that has just come.
   */
  async typeInto(key: string, text: string): Promise<boolean> {
    await this.page.keyboard.press(key);
    return happens(this.quickInput.locator('input').first().fill(text, { timeout: attempt }));
  }

  /** Chooses a row of the quick input by a click; where there is none, the quick input is closed. */
  async choose(row: Locator): Promise<boolean> {
    if (await happens(row.waitFor({ timeout: 5_000 }))) {
      // What could not be clicked is not there: what was clicked has closed it.
      if (await happens(row.click({ timeout: attempt }))) return true;
      if (!(await this.quickInput.isVisible())) return false;
    }
    await this.page.keyboard.press('Escape');
    return false;
  }

  /** Chooses an entry of the list that is open, or of one that opens. */
  async pick(text: string): Promise<void> {
    await this.quickInput.locator('.monaco-list-row', { hasText: text }).first().click();
  }

  /** Runs what a button in the title of the active editor stands for. */
  async titleButton(title: string): Promise<void> {
    await this.page.locator(`.editor-group-container.active .editor-actions [aria-label^="${title}"]`).first().click();
  }

  /** Runs an entry of the menu in the title of the active editor. */
  async titleMenu(title: string): Promise<void> {
    await this.titleButton('More Actions');
    await this.page.locator('.monaco-menu .action-item', { hasText: title }).first().click();
  }

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  /** An item of the Test Explorer. */
  test(label: string): Locator {
    return this.page.locator('.test-explorer .monaco-list-row', { hasText: label }).first();
  }

  /** Shows what is below an item of the Test Explorer. Items move as more are found: a click may meet another one. */
  async expandTest(label: string, child: string): Promise<void> {
    for (const _ of attempts()) {
      await this.test(label).click();
      await this.page.keyboard.press('ArrowRight');
      if (await this.test(child).waitFor({ timeout: 5_000 }).then(() => true, () => false)) return;
    }
    throw new Error(`${label} does not show ${child}`);
  }

  /** Waits until VS Code knows the language of the active file: a change of language ends what was asked before. */
  async language(name: string): Promise<void> {
    await this.page.locator('#status\\.editor\\.mode', { hasText: name }).waitFor();
  }

  /** The verdicts in the status bar. */
  status(text: RegExp): Locator {
    return this.page.locator('#aiglens\\.aiglens\\.aiglens\\.status', { hasText: text });
  }

  /** The frame that the page of the trace panel is in. */
  async panelFrame(): Promise<Frame> {
    return this.frame('#canvas');
  }

  /** The frame of a webview that has such an element: of several the last one. */
  async frame(inside: string): Promise<Frame> {
    let found: Frame | undefined;
    const find = async () => {
      found = undefined;
      for (const frame of this.page.frames()) if ((await frame.locator(inside).count().catch(() => 0)) > 0) found = frame;
      return found !== undefined && !found.isDetached();
    };
    await expect.poll(find, { message: `a webview with ${inside}` }).toBe(true);
    return found!;
  }

  /** Waits until keys go to the page of a webview with such an element. */
  async hasKeyboard(inside: Locator): Promise<void> {
    const has = () => inside.evaluate((one) => (one as unknown as { ownerDocument: { hasFocus(): boolean } }).ownerDocument.hasFocus());
    await expect.poll(has).toBe(true);
  }

  /**
   * Follows a link in a text by the mouse. The text is redrawn where the mouse is, and with it the link; it
   * may move until the link is underlined.
   */
  async followLink(link: Locator): Promise<void> {
    const { keyboard, mouse } = this.page;
    for (const _ of attempts()) {
      const box = await link.boundingBox();
      if (box === null) throw new Error('no link to follow');
      await mouse.move(5, 5);
      await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await keyboard.down('ControlOrMeta');
      try {
        if (!(await happens(this.page.locator('.detected-link-active').first().waitFor({ timeout: 5_000 })))) continue;
        return await mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      } finally {
        await keyboard.up('ControlOrMeta');
      }
    }
    throw new Error('a link that cannot be followed');
  }

  /** The page of the Circuit view, where people have left it. */
  get circuit(): FrameLocator {
    return this.page.frameLocator('iframe.webview[src*="purpose=webviewView"]').frameLocator('#active-frame');
  }

  /** A cause in the Circuit view. */
  cause(text: string): Locator {
    return this.circuit.locator('[id^="why-"] [role="treeitem"]', { hasText: text }).first();
  }

  get problems(): Locator {
    return this.page.locator('.markers-panel');
  }
}

/** Matches what begins with a text, and goes on like this. */
const startsWith = (text: string, rest: string) => new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}${rest}`);

/** A piece of what is drawn after the text of a row. */
export interface DrawnPiece {
  left: number; // from the left edge of the text
  width: number;
  text: string;
  bold: boolean;
  colour: string;
}

const textOf = (pieces: readonly DrawnPiece[]) => pieces.map(({ text }) => text).join('').trim();

export class Editor {
  constructor(
    private readonly workbench: Workbench,
    private readonly root: Locator,
  ) {}

  private get page(): Page {
    return this.workbench.page;
  }

  /** The lens with this text. */
  lens(text: string | RegExp): Locator {
    return this.root.locator('.codelens-decoration', { hasText: text }).first();
  }

  /** The part of a lens with this text, once it can be clicked. */
  link(text: string): Locator {
    return this.root.locator('.codelens-decoration a', { hasText: text }).first();
  }

  /** Waits until the lenses that are visible say this, from top to bottom. */
  async lenses(...texts: RegExp[]): Promise<void> {
    const read = () =>
      this.root.evaluate((root) =>
        [...root.querySelectorAll('.codelens-decoration')]
          .map((lens) => ({ top: lens.getBoundingClientRect().top, text: (lens.textContent ?? '').replace(/\s+/g, ' ') }))
          .sort((a, b) => a.top - b.top)
          .map(({ text }) => text),
      );
    await expect.poll(read).toEqual(texts.map((text) => expect.stringMatching(text)));
  }

  /** What is drawn after the text of the visible rows, by line number; pieces from left to right. */
  async notes(): Promise<Map<number, DrawnPiece[]>> {
    const found = await this.root.evaluate((root) => {
      const scope = globalThis as unknown as {
        getComputedStyle(element: unknown, pseudo: string): { content: string; fontWeight: string; color: string };
      };
      // The margin becomes wider when a row gets a second icon.
      const edge = root.querySelector('.view-lines')?.getBoundingClientRect().left ?? 0;
      const numbers = new Map([...root.querySelectorAll('.line-numbers')].map((label) => [Math.round(label.getBoundingClientRect().top), Number(label.textContent)]));
      return [...root.querySelectorAll('.view-line')].map((row) => {
        const pieces = [...row.querySelectorAll('span span')].flatMap((span) => {
          const { content, fontWeight, color } = scope.getComputedStyle(span, '::after');
          if (!content.startsWith('"')) return [];
          const { left, width } = span.getBoundingClientRect();
          return [{ left: left - edge, width, text: content.slice(1, -1).replace('\\9 ', '').replaceAll('\u00a0', ' '), bold: Number(fontWeight) > 500, colour: color }];
        });
        return [numbers.get(Math.round(row.getBoundingClientRect().top)) ?? 0, pieces] as const;
      });
    });
    return new Map(found.filter(([line, pieces]) => line > 0 && pieces.length > 0).map(([line, pieces]) => [line, [...pieces]]));
  }

  /** The colours of the words of a visible row. */
  async colours(line: number): Promise<string[]> {
    return (await this.row(line)).evaluate((row) => {
      const scope = globalThis as unknown as { getComputedStyle(element: unknown): { color: string } };
      return [...row.querySelectorAll('span span')].filter(({ textContent }) => textContent?.trim()).map((word) => scope.getComputedStyle(word).color);
    });
  }

  /** Waits until this is drawn after the text of a visible row. */
  async note(line: number, text: string | RegExp): Promise<void> {
    const read = async () => textOf((await this.notes()).get(line) ?? []);
    await expect.poll(read).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
  }

  /** Waits until this is part of what is drawn after the text of some visible row. */
  async someNote(text: string): Promise<void> {
    const read = async () => [...(await this.notes()).values()].map(textOf).join('\n');
    await expect.poll(read).toContain(text);
  }

  /** Waits until this is shown, or is not, among what stands in visible rows, hints and notes included. */
  async shows(text: string, isShown: boolean): Promise<void> {
    const read = async () => {
      const rows = (await this.root.locator('.view-line').allTextContents()).join('\n').replaceAll('\u00a0', ' ');
      return `${rows}\n${[...(await this.notes()).values()].map(textOf).join('\n')}`.includes(text);
    };
    await expect.poll(read).toBe(isShown);
  }

  /** Waits until the header of the AIGER file, which is visible, is this, hints apart. */
  async header(text: string): Promise<void> {
    const read = async () => ((await (await this.row(1)).textContent()) ?? '').replaceAll('\u00a0', ' ').replace(/[A-Z]:/g, '');
    await expect.poll(read).toBe(text);
  }

  get errors(): Locator {
    return this.root.locator('.squiggly-error');
  }

  /** The cursor, as Ln and Col of the status bar have it; the editor has the focus afterwards. */
  async goTo(line: number, column = 1): Promise<void> {
    const row = this.workbench.quickInput.locator('.monaco-list-row', { hasText: new RegExp(`line ${line}\\b`, 'i') }).first();
    for (const _ of attempts()) {
      await this.focus();
      if (!(await this.workbench.typeInto('Control+G', `:${line}:${column}`)) || !(await this.workbench.choose(row))) continue;
      const there = Promise.all([this.position(line, column).waitFor({ timeout: attempt }), this.focused.waitFor({ timeout: attempt })]);
      if (await happens(there)) return;
    }
    throw new Error(`the cursor does not come to line ${line}`);
  }

  hasFocus(): Promise<boolean> {
    return this.focused.isVisible();
  }

  /** The editor while it has the focus. */
  private get focused(): Locator {
    return this.root.and(this.page.locator('.focused'));
  }

  /** Clicks into the middle of what is visible, to the right of the text, until the editor has the focus. */
  private async focus(): Promise<void> {
    for (const _ of attempts()) {
      const box = await this.root.boundingBox();
      if (box === null) throw new Error('the editor is not visible');
      // A click that would meet something else, since the editor moves, is not made.
      const isClicked = await happens(this.root.click({ position: { x: box.width * 0.75, y: box.height / 2 }, timeout: attempt }));
      if (isClicked && (await happens(this.focused.waitFor({ timeout: 5_000 })))) return;
    }
    throw new Error('the editor does not get the focus');
  }

  private position(line: number, column?: number): Locator {
    return this.page.locator('#status\\.editor\\.selection', { hasText: new RegExp(`Ln ${line},${column === undefined ? '' : ` Col ${column}\\b`}`) });
  }

  /** Waits until the cursor is on the line. */
  async atLine(line: number): Promise<void> {
    await this.position(line).waitFor();
  }

  /** Types into the editor, which must have the focus or be about to get it. */
  async type(text: string): Promise<void> {
    await this.focused.waitFor();
    await this.page.keyboard.type(text);
  }

  /** Presses keys in the editor, which must have the focus or be about to get it. */
  async press(...keys: string[]): Promise<void> {
    await this.focused.waitFor();
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Replaces the character before a column of a line; two steps to undo. */
  async replaceBefore(line: number, column: number, by: string): Promise<void> {
    await this.goTo(line, column);
    await this.press('Backspace');
    await this.type(by);
  }

  async undo(line: number, steps: number): Promise<void> {
    await this.goTo(line);
    for (let step = 0; step < steps; step++) await this.press('Control+Z');
  }

  async save(): Promise<void> {
    await this.press('Control+S');
    await this.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  }

  /**
   * Clicks a lens until it leads somewhere. While lenses are redrawn they can be dead (a span in
   * place of a link) when the text has no focus; a click into the text revives them. A lens that is
   * redrawn between the press of the button and its release takes no note of the click. What a
   * click begins may end and change the lens before the click is over.
   */
  async clickLens(text: string, leadsTo: Locator): Promise<void> {
    const link = this.root.locator('.codelens-decoration a', { hasText: text }).first();
    await this.lens(text).waitFor();
    for (const _ of attempts()) {
      const isClicked = await happens(link.click({ timeout: 2000 }));
      if (await leadsTo.isVisible()) return;
      const isGone = (await this.root.locator('.codelens-decoration', { hasText: text }).count()) === 0;
      if (isClicked || isGone) {
        if (await happens(leadsTo.waitFor({ timeout: attempt }))) return;
      } else if (await this.root.isVisible()) {
        await this.focus();
      }
    }
    throw new Error(`no lens to click, or one that leads nowhere: ${text}`);
  }

  /** Rests the mouse on a word of a visible row, or on its beginning, until a hover with the text shows. */
  async hover(number: number, text: string, word?: RegExp): Promise<Locator> {
    const hover = this.page.locator('.monaco-hover:visible', { hasText: text }).first();
    for (const _ of attempts()) {
      await this.page.mouse.move(5, 5);
      try {
        const words = (await this.row(number)).locator('span span');
        await (word === undefined ? words : words.filter({ hasText: word })).first().hover({ timeout: 2000 });
        await hover.waitFor({ timeout: 5000 });
        return hover;
      } catch {
        // rows may be moving, or the server was not asked yet: away and back
      }
    }
    throw new Error(`no hover over line ${number} says ${text}`);
  }

  /** Shows the hover of the cursor, by keys; the first of the two is forgotten after some seconds. */
  async hoverAtCursor(text: string): Promise<void> {
    for (const _ of attempts()) {
      await this.press('Control+K', 'Control+I');
      if (await happens(this.page.locator('.monaco-hover:visible', { hasText: text }).first().waitFor({ timeout: attempt }))) return;
    }
    throw new Error(`no hover at the cursor says ${text}`);
  }

  /** The row with this number, which must be visible. */
  private async row(number: number): Promise<Locator> {
    // All at one moment: lenses that come and go move the rows.
    const index = await this.root.evaluate((root, wanted) => {
      const top = (element?: { getBoundingClientRect(): { top: number } }) => element?.getBoundingClientRect().top ?? Number.NaN;
      const label = [...root.querySelectorAll('.line-numbers')].find(({ textContent }) => textContent?.trim() === wanted);
      return [...root.querySelectorAll('.view-line')].findIndex((row) => Math.abs(top(row) - top(label)) < 2);
    }, String(number));
    if (index < 0) throw new Error(`line ${number} is not visible`);
    return this.root.locator('.view-line').nth(index);
  }
}
