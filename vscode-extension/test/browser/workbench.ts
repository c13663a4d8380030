// The VS Code workbench as a user sees it: what to click, what to read. Each
// function waits for what it needs; none waits for a time to pass.
import type { Locator, Page } from 'playwright-core';

export class Workbench {
  constructor(
    readonly page: Page,
    private readonly host: string,
  ) {}

  static async open(page: Page, address: string): Promise<Workbench> {
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

  /** Runs a command of the palette by its full title. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    const input = this.quickInput.locator('input').first();
    await input.waitFor();
    await input.fill(`>${title}`);
    await this.quickInput.locator('.monaco-list-row', { hasText: title }).first().click();
  }

  /** Opens a file of the workspace, as by Ctrl+P. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('Control+P');
    const input = this.quickInput.locator('input').first();
    await input.waitFor();
    await input.fill(name);
    await this.quickInput.locator('.monaco-list-row', { hasText: name }).first().click();
  }

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  get problems(): Locator {
    return this.page.locator('.markers-panel');
  }
}

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

  get errors(): Locator {
    return this.root.locator('.squiggly-error');
  }

  /** The cursor, as Ln and Col of the status bar have it. */
  async goTo(line: number, column = 1): Promise<void> {
    await this.focus();
    await this.page.keyboard.press('Control+G');
    const input = this.workbench.quickInput.locator('input').first();
    await input.waitFor();
    await input.fill(`:${line}:${column}`);
    await this.page.keyboard.press('Enter');
    await this.atLine(line);
  }

  /** Clicks into the middle of what is visible, to the right of the text. */
  private async focus(): Promise<void> {
    const box = await this.root.boundingBox();
    if (box === null) throw new Error('the editor is not visible');
    await this.page.mouse.click(box.x + box.width * 0.75, box.y + box.height / 2);
  }

  /** Waits until the cursor is on the line. */
  async atLine(line: number): Promise<void> {
    await this.page.locator('#status\\.editor\\.selection', { hasText: new RegExp(`Ln ${line},`) }).waitFor();
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async save(): Promise<void> {
    await this.page.keyboard.press('Control+S');
    await this.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  }

  /**
   * Clicks a lens. While lenses are drawn anew they can be dead (a span in place
   * of a link) when the text has no focus; a click into the text revives them.
   */
  async clickLens(text: string): Promise<void> {
    const link = this.root.locator('.codelens-decoration a', { hasText: text }).first();
    for (let attempt = 0; attempt < 10; attempt++) {
      try {
        return await link.click({ timeout: 2000 });
      } catch {
        await this.focus();
        await this.page.waitForTimeout(600);
      }
    }
    throw new Error(`no lens to click: ${text}`);
  }

  /** Rests the mouse on the beginning of a visible row until a hover with the text shows. */
  async hover(number: number, text: string): Promise<Locator> {
    const hover = this.page.locator('.monaco-hover:visible', { hasText: text }).first();
    const target = (await this.row(number)).locator('span span').first();
    for (let attempt = 0; attempt < 10; attempt++) {
      await this.page.mouse.move(5, 5);
      await target.hover();
      try {
        await hover.waitFor({ timeout: 2000 });
        return hover;
      } catch {
        // the server may not have been asked yet: away and back
      }
    }
    throw new Error(`no hover over line ${number} says ${text}`);
  }

  /** The row with this number, which must be visible. */
  async row(number: number): Promise<Locator> {
    const top = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN;
    const wanted = await top(this.root.locator('.line-numbers').getByText(String(number), { exact: true }));
    for (const row of await this.root.locator('.view-line').all()) {
      if (Math.abs((await top(row)) - wanted) < 2) return row;
    }
    throw new Error(`line ${number} is not visible`);
  }
}
