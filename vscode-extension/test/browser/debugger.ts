// The views of the debugger: what stands in them, and how it is opened and set.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What the debugger shows. */
export function debuggerOf(page: Page) {
  const frame = (text: string | RegExp) => page.locator('.debug-call-stack .monaco-list-row', { hasText: text }).first();
  const variable = (text: string | RegExp) => page.locator('.debug-variables .monaco-list-row', { hasText: text }).first();
  /** Opens what is closed: some of it VS Code opens itself. */
  const open = (scope: string | RegExp, inside: string | RegExp) =>
    expect.poll(async () => {
      if ((await variable(scope).getAttribute('aria-expanded')) === 'false') await variable(scope).click();
      return variable(inside).isVisible();
    }, { interval: 1000 }).toBe(true);
  const set = async (name: string | RegExp, value: string) => {
    const input = page.locator('.debug-variables .monaco-inputbox input');
    // The rows are drawn again after each value: a click may meet none, and an input may go again.
    await expect.poll(async () => {
      try {
        if (!(await input.isVisible())) await variable(name).dblclick({ timeout: 5000 });
        await input.fill(value, { timeout: 5000 });
        await input.press('Enter', { timeout: 5000 });
        return true;
      } catch {
        return false;
      }
    }, { interval: 1000 }).toBe(true);
  };
  /**
   * Presses a key that leads from a step to another frame. After a value is set VS Code asks for the
   * threads again, and a key that is pressed meanwhile does nothing: it is pressed again while the step is the last.
   */
  const move = (key: string, step: string, to: string | RegExp) =>
    expect.poll(async () => {
      const last = await page.locator('.debug-call-stack .monaco-list-row').first().textContent({ timeout: 5000 }).catch(() => null);
      if (last?.trim().startsWith(step)) await page.keyboard.press(key);
      return frame(to).waitFor({ timeout: 5000 }).then(() => true, () => false);
    }).toBe(true);
  return { frame, variable, open, set, move };
}
