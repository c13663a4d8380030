// What the page looks like: out/page-*.png, to be looked at.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../lib/paths';
import { panel, status, visit } from './visit';

const looks = {
  dark: { colorScheme: 'dark' },
  light: { colorScheme: 'light' },
  'high-contrast': { colorScheme: 'dark', contrast: 'more' },
  'high-contrast-light': { colorScheme: 'light', contrast: 'more' },
  phone: { colorScheme: 'light', viewport: { width: 360, height: 740 } },
} as const;

/** What is shown, and what is there then. */
const scenes = {
  '': { fragment: '#example=lift&panel=circuit,trace', verdicts: /2 proved, 1 refuted/ },
  '-horn': { fragment: '#example=crossing.smt2&panel=circuit,trace', verdicts: /1 proved/ },
} as const;

test.each(Object.entries(scenes).flatMap(([scene, what]) => Object.entries(looks).map(([name, look]) => ({ name: name + scene, look, what }))))('$name', async ({ name, look, what }) => {
  const { page } = await visit(what.fragment, look);
  await status(page, what.verdicts);
  if (name.endsWith('-horn')) await page.locator('.codelens-decoration', { hasText: 'safe' }).first().waitFor();
  else {
    const trace = await panel(page, /runs_past_the_end/);
    await trace.locator('#names', { hasText: 'motor_up' }).waitFor();
    await page.locator('iframe[title=Circuit]').waitFor();
  }
  mkdirSync(join(root, 'out'), { recursive: true });
  await page.screenshot({ path: join(root, 'out', `page-${name}.png`), animations: 'disabled' });
  const overflows = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  expect(overflows).toBe(false);
});
