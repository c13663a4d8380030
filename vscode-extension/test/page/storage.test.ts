// What was written stays: in other tabs, under its link, after a crash, and where the browser stores nothing more.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { root } from '../lib/paths';
import { fragmentOf } from '../../page/address';
import { goTo, message, newContext, shown, status, visit } from './visit';

const example = (name: string) => readFileSync(join(root, 'examples', name), 'utf8');

/** Writes at the end of the text, which is a comment in the examples that are used here. */
async function write(page: Page, text: string): Promise<void> {
  await goTo(page, 1);
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

const line = (page: Page, text: string) => page.locator('#text .view-line', { hasText: text });
/** The last line of a file has such an end. */
async function ends(page: Page, name: string, text: string): Promise<void> {
  await shown(page, name);
  await page.locator('#text .view-lines').click();
  await expect.poll(() => page.keyboard.press('Control+End').then(() => line(page, text).count())).toBe(1);
}
const file = (page: Page, name: string) => page.locator('.file', { hasText: new RegExp(`^${name.replaceAll('.', '\\.')}$`) });

/** What the storage of the browser has of the user. */
const stored = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const asked = indexedDB.open('aiglens-files');
      asked.onsuccess = () => resolve(asked.result);
    });
    const files = database.transaction('files').objectStore('files');
    const [paths, all] = [files.getAllKeys(), files.getAll()];
    await new Promise((resolve) => (all.onsuccess = resolve));
    database.close();
    return Object.fromEntries(paths.result.map((path, index) => [String(path), new TextDecoder().decode(all.result[index].bytes)]));
  });

test('what one tab writes another shows, with its verdict and its files', async () => {
  const { page, context } = await visit('#example=semaphore2');
  const { page: other } = await visit('#example=semaphore2', context);
  await Promise.all([status(page, /1 proved/), status(other, /1 proved/)]);
  const row = example('semaphore2.aag').split('\n').indexOf('46 44 18') + 1;
  await goTo(page, row, 9);
  await page.keyboard.press('Backspace');
  await page.keyboard.type('9');
  await line(other, '46 44 19').waitFor();
  await page.keyboard.press('Control+S');
  await status(other, /1 refuted/);
  await page.click('#new');
  await file(other, 'circuit.aag').waitFor();
  await page.getByRole('button', { name: 'Take back what was changed in semaphore2.aag' }).click();
  await page.getByRole('button', { name: 'Take Back', exact: true }).click();
  await line(other, '46 44 18').waitFor();
  await status(other, /1 proved/);
  expect(Object.keys(await stored(page))).toEqual(['/circuit.aag']);
});

test('of two tabs that change one text, neither loses anything', async () => {
  const { page, context } = await visit('#example=counter');
  const { page: deaf } = await visit('#example=counter', context, (one) => one.addInitScript(() => void delete (globalThis as { BroadcastChannel?: unknown }).BroadcastChannel));
  await Promise.all([status(page, /1 proved/), status(deaf, /1 proved/)]);
  await write(page, 'of one');
  await page.keyboard.press('Control+S');
  await file(page, 'counter.aag').waitFor();
  await expect.poll(() => stored(page)).toMatchObject({ '/counter.aag': expect.stringMatching(/of one$/) });
  await write(deaf, 'of the other');
  await message(deaf, /counter\.aag was changed in two tabs.*counter_2\.aag/).waitFor();
  await file(deaf, 'counter_2.aag').waitFor();
  await expect.poll(() => stored(page)).toEqual({ '/counter.aag': `${example('counter.aag')}of the other`, '/counter_2.aag': `${example('counter.aag')}of one` });
});

test('what was typed is there after a crash, as changed since it was saved', async () => {
  const { page, context } = await visit('#example=counter');
  await status(page, /1 proved/);
  await write(page, 'typed');
  const { page: other } = await visit('#example=lift', context);
  await expect.poll(() => stored(other)).toEqual({ '/counter.aag': `${example('counter.aag')}typed` });
  await Promise.all([page.waitForEvent('crash'), page.goto('chrome://crash').catch(() => undefined)]);
  const { page: next } = await visit('#example=counter', context);
  await ends(next, 'counter.aag', 'typed');
  await file(next, 'counter.aag ●').waitFor();
});

test('a link opens the file that it has opened before, and gives back what was shared', async () => {
  const shared = `${example('counter.aag')}shared`;
  const link = await fragmentOf({ name: 'mine.aag', text: shared });
  const { page, context } = await visit(link);
  await status(page, /1 proved/);
  await write(page, ' and changed');
  await expect.poll(() => stored(page)).toEqual({ '/mine.aag': `${shared} and changed` });
  await page.reload();
  await ends(page, 'mine.aag', 'shared and changed');
  await message(page, /mine\.aag was changed since it was shared/).waitFor();
  await page.goto(`${inject('page')}#example=lift`);
  await shown(page, 'lift.aag');
  await page.goBack();
  await ends(page, 'mine.aag', 'shared and changed');
  await message(page, /mine\.aag was changed since it was shared/).getByRole('button', { name: 'Show It as Shared' }).click();
  await expect.poll(() => stored(page)).toEqual({ '/mine.aag': shared });

  // Sharing a text leads to no copy of it either, and a link to an example that was not changed leads to the example.
  await page.locator('.file', { hasText: 'lift.aag' }).click();
  await shown(page, 'lift.aag');
  await write(page, 'changed');
  await page.click('#share');
  await message(page, /link/).waitFor();
  await page.reload();
  await ends(page, 'lift.aag', 'changed');
  expect(Object.keys(await stored(page))).toEqual(['/lift.aag', '/mine.aag']);
  const { page: other } = await visit(await fragmentOf({ name: 'counter.aag', text: example('counter.aag') }), context);
  await status(other, /1 proved/);
  await write(other, 'changed');
  await expect.poll(() => stored(other)).toHaveProperty('/counter.aag');
  await other.reload();
  await message(other, /counter\.aag was changed since it was shared/).waitFor();
  expect(Object.keys(await stored(other))).toEqual(['/counter.aag', '/lift.aag', '/mine.aag']);
});

test('where the browser stores nothing more that is said, the text stays, and is stored once there is room', async () => {
  const { page } = await visit('#example=counter', {}, (one) =>
    one.addInitScript(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (...given) {
        const asked = put.apply(this, given);
        if ((globalThis as { isFull?: boolean }).isFull === true) this.transaction.abort(); // as the browser does where there is no room
        return asked;
      };
    }),
  );
  const full = (isFull: boolean) => page.evaluate((is) => ((globalThis as { isFull?: boolean }).isFull = is), isFull);
  await status(page, /1 proved/);
  await full(true);
  await write(page, 'no room');
  await message(page, /stores nothing/).waitFor();
  await ends(page, 'counter.aag', 'no room');
  const [dialog] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await full(false);
  await page.keyboard.press('Control+S');
  await file(page, 'counter.aag').waitFor();
  await expect.poll(() => stored(page)).toEqual({ '/counter.aag': `${example('counter.aag')}no room` });
});

test('old and broken verdicts of earlier visits are refused, and replaced', async () => {
  const context = await newContext();
  const { page } = await visit('#example=lift', context);
  await status(page, /2 proved, 1 refuted/);
  /** Each with what is done to it; without, as it is. */
  const entries = (damage?: readonly ('age' | 'cut' | 'flip')[]) =>
    page.evaluate(async (how) => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const asked = indexedDB.open('aiglens');
        asked.onsuccess = () => resolve(asked.result);
      });
      const transaction = database.transaction('entries', 'readwrite');
      const all = transaction.objectStore('entries');
      const [names, bytes] = [all.getAllKeys(), all.getAll() as IDBRequest<Uint8Array[]>];
      bytes.onsuccess = () => how?.forEach((one, index) => {
        const entry = bytes.result[index]!;
        if (one === 'age') entry.set(new TextEncoder().encode('0'), 'aiglens result '.length);
        if (one === 'flip') entry[entry.length >> 1]! ^= 1;
        all.put(one === 'cut' ? entry.slice(0, 40) : entry, names.result[index]!);
      });
      await new Promise((resolve) => (transaction.oncomplete = resolve));
      database.close();
      return bytes.result.map((entry, index): [string, number, boolean] => [String(names.result[index]), entry.length, new TextDecoder('latin1').decode(entry).startsWith('aiglens result 1\n')]);
    }, damage);
  await expect.poll(async () => (await entries()).length).toBe(3);
  const whole = await entries();
  await entries(['age', 'cut', 'flip']);
  await page.reload();
  await status(page, /2 proved, 1 refuted/);
  await expect.poll(async () => (await entries()).map(([name, , isOfVersion]) => [name, isOfVersion])).toEqual(whole.map(([name]) => [name, true]));
});
