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
    // The rows are drawn again after each value: a click may meet none.
    await expect.poll(async () => {
      if (!(await input.isVisible())) await variable(name).dblclick();
      return input.isVisible();
    }, { interval: 1000 }).toBe(true);
    await input.fill(value);
    await input.press('Enter');
  };
  return { frame, variable, open, set };
}
