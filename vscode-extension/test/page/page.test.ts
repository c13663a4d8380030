// The web page, from an empty cache on, as people use it.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { hardCircuit } from '../host/hard';
import { root } from '../lib/paths';
import { parse } from '../../page/address';
import { command, goTo, message, newContext, panel, shown, status, visit } from './visit';

const example = (name: string) => readFileSync(join(root, 'examples', name), 'utf8');

test('a first visit ends with a verdict, its mark, and the trace that the address asks for', async () => {
  const { page } = await visit('#example=semaphore2_broken&panel=trace');
  await status(page, /1 refuted/);
  await page.locator('.codelens-decoration', { hasText: 'refuted at step 4' }).waitFor();
  await page.locator('#text .cgmr[class*=type]').first().waitFor();
  const trace = await panel(page, /two_at_work/);
  await trace.locator('#names', { hasText: 'work_a' }).waitFor();
  expect(await trace.locator('#debug').isVisible()).toBe(false); // there is no debugger
  expect(await page.locator('#welcome p').count()).toBe(3);
  // What runs from its text runs with the policy of the page.
  expect(page.workers().map((worker) => new URL(worker.url()).protocol)).not.toContain('http:');
});

test('a text is broken, saved and stepped through, and its link shows the same elsewhere', async () => {
  const { page, context } = await visit('#example=semaphore2');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await status(page, /1 proved/);
  const row = example('semaphore2.aag').split('\n').indexOf('46 44 18') + 1;
  await goTo(page, row, 9);
  await page.keyboard.press('Backspace');
  await page.keyboard.type('9');
  await page.locator('.file', { hasText: 'semaphore2.aag ●' }).waitFor();
  await page.keyboard.press('Control+S');
  await status(page, /1 refuted/);
  await page.keyboard.press('Control+F7');
  await status(page, /step \d+ of \d+/);
  await page.keyboard.press('Alt+Home');
  await status(page, /step 0 of/);
  await page.keyboard.press('Alt+.');
  await status(page, /step 1 of/);

  await page.click('#share');
  await message(page, /link/).waitFor();
  const changed = example('semaphore2.aag').replace('46 44 18', '46 44 19');
  const { hash } = new URL(page.url());
  expect(await parse(hash)).toMatchObject({ name: 'semaphore2.aag', text: changed });
  const other = await visit(hash, await newContext());
  await status(other.page, /1 refuted/);
  await other.page.click('#share');
  await message(other.page, /link/).waitFor();
  expect((await parse(new URL(other.page.url()).hash)).text).toBe(changed);
});

test('after the first visit the page works without a connection, with what was written', async () => {
  const { page, context } = await visit('#example=counter');
  await status(page, /1 proved/);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await goTo(page, 1);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('kept');
  await page.keyboard.press('Control+S');
  await page.locator('.file', { hasText: /^counter\.aag$/ }).waitFor();
  await context.setOffline(true);
  await page.goto(`${inject('page')}#example=counter&panel=circuit,schematic`);
  await page.reload();
  await status(page, /1 proved/);
  const schematic = await panel(page, /counter/);
  await schematic.locator('svg').waitFor();
  await page.locator('.codelens-decoration', { hasText: 'proved' }).waitFor();
  await page.click('#share');
  await message(page, /link/).waitFor();
  expect((await parse(new URL(page.url()).hash)).text).toBe(`${example('counter.aag')}kept`);
});

test('pages in two folders of a host keep their files apart', async () => {
  const { page } = await visit('#example=counter');
  // It controls the page once it has removed what is old.
  const kept = () => page.evaluate(async () => (navigator.serviceWorker.controller === null ? [] : caches.keys()));
  await expect.poll(kept).toEqual([expect.stringContaining(`${inject('page')} `)]);
  await page.goto(`${inject('page')}other/#example=counter`);
  await expect.poll(async () => (await kept()).map((name) => name.split(' ')[1]).sort()).toEqual([inject('page'), `${inject('page')}other/`]);
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.update());
  expect(await kept()).toHaveLength(2);
});

test('a new version of the page takes over once no page of the one before is open', async () => {
  const address = `${inject('page')}renewed/`;
  const renew = async (name: string, from: RegExp, to: string) => fetch(`${address}${name}`, { method: 'PUT', body: (await (await fetch(`${address}${name}`)).text()).replace(from, to) });
  const { page, context } = await visit('renewed/#example=counter');
  const kept = () => page.evaluate(async () => (navigator.serviceWorker.controller === null ? [] : caches.keys()));
  await expect.poll(kept).toHaveLength(1);
  /** What becomes of the worker that the host has now. */
  const update = () => page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.getRegistration())!;
    await registration.update();
    const next = (registration.installing ?? registration.waiting)!;
    while (next.state === 'installing') await new Promise((changed) => next.addEventListener('statechange', changed, { once: true }));
    return next.state;
  });
  const digest = async () => createHash('sha256').update(await (await fetch(address)).text()).digest('hex');
  await renew('service.js', new RegExp(await digest()), '0'.repeat(64));
  await renew('service.js', /(?<=version:")/, 'early-');
  expect(await update()).toBe('redundant'); // the host still has the page of the version before
  expect(await kept()).toHaveLength(1);
  await renew('', /<title>/, '<title>Renewed: ');
  await renew('service.js', /early-/, 'renewed-');
  await renew('service.js', /0{64}/, await digest());
  expect(await update()).toBe('installed');
  await page.reload();
  expect(await page.title()).not.toContain('Renewed');
  await page.close();
  // The one before may still be about to end when the next page opens.
  await expect.poll(async () => {
    const next = await context.newPage();
    await next.goto(address);
    const title = await next.title();
    const names = await next.evaluate(() => caches.keys());
    await next.close();
    return [title, ...names];
  }).toEqual([expect.stringContaining('Renewed'), expect.stringContaining('/renewed/ renewed')]);
});

test('a long check is stopped, and the page goes on', async () => {
  // The page has the lock once the worker of the check has sent its result, or is ended.
  const context = await newContext();
  await context.route('**/serverWorker-*.js', async (route) => {
    const script = await (await route.fetch()).text();
    await route.fulfill({ contentType: 'text/javascript', body: `(${holdLock})();${script}` });
  });
  const { page } = await visit('', context);
  await status(page, /refuted/);
  await choose(page, [['hard.aag', hardCircuit(12, 1)]]);
  await status(page, /1 being checked/);
  await expect.poll(() => page.evaluate(async () => (await navigator.locks.query()).held?.length ?? 0)).toBeGreaterThan(0);
  await page.evaluate(() => {
    (globalThis as { ended?: Promise<number> }).ended = navigator.locks.request('check', () => performance.now());
    addEventListener('keydown', ({ key, timeStamp }) => key === 'Enter' && ((globalThis as { asked?: number }).asked = timeStamp), { capture: true });
  });
  await command(page, 'aiglens: Stop All Checks');
  await status(page, /not checked|unknown/);
  const took = await page.evaluate(async () => {
    const { ended, asked } = globalThis as unknown as { ended: Promise<number>; asked: number };
    return (await ended) - asked;
  });
  console.log(`from the key to the end of the check: ${took.toFixed(0)} ms`);
  await page.locator('.file', { hasText: 'counter.aag' }).click();
  await shown(page, 'counter.aag');
  await page.click('#save');
  await status(page, /1 proved/);
});

test('fifty files are open at once', async () => {
  const { page, context } = await visit('');
  await status(page, /refuted/);
  const before = await memory(context);
  const files = [...Array(50).keys()].map((index): [string, string] => [`file_${index}.aag`, example(index % 2 === 0 ? 'semaphore2.aag' : 'semaphore2_broken.aag')]);
  await choose(page, files);
  await expect.poll(() => page.locator('.file', { hasText: 'file_' }).count()).toBe(50);
  for (const [index, [name]] of files.entries()) {
    await page.locator('.file', { hasText: new RegExp(`^${name}`) }).click();
    await shown(page, name);
    await page.click('#save');
    await status(page, index % 2 === 0 ? /1 proved/ : /1 refuted/);
  }
  console.log(`the process of the page with its workers: ${before}; with fifty files open: ${await memory(context)}`);
  await page.locator('.file', { hasText: /^file_0/ }).click(); // the first is as it was
  await status(page, /1 proved/);
});

test('a new name goes into files that were not opened yet', async () => {
  const { page } = await visit('#example=vending.blif');
  await status(page, /proved/);
  const rows = example('account.blif').split('\n');
  const row = rows.findIndex((text) => text.startsWith('.model account')) + 1;
  expect(row).toBeGreaterThan(0);
  const used = example('vending.blif').split('\n').findIndex((text) => text.startsWith('.subckt account ')) + 1;
  await goTo(page, used, '.subckt a'.length + 1);
  await page.keyboard.press('F2');
  const input = page.locator('.rename-input');
  await input.fill('saving');
  await input.press('Enter');
  await page.locator('.file', { hasText: 'account.blif ●' }).waitFor();
  await page.locator('.file', { hasText: 'account.blif ●' }).click();
  await page.locator('#text .view-line', { hasText: '.model saving' }).first().waitFor();
});

test('a panel that cannot be loaded says so, and is there once it can', async () => {
  let isAway = true;
  const { page } = await visit('#example=lift', { serviceWorkers: 'block' }, (one) => one.route('**/trace-*.js', (route) => (isAway ? route.abort() : route.continue())));
  await status(page, /1 refuted/);
  await page.click('#trace');
  const frame = page.frameLocator('#below iframe');
  await frame.getByText('This panel cannot be shown: trace.js cannot be loaded').waitFor();
  isAway = false;
  await page.locator('#below .close').click();
  await page.click('#trace');
  await frame.locator('#names', { hasText: 'motor_up' }).waitFor();
});

test('the worker of the editor is asked for again until the host gives it', async () => {
  let asked = 0;
  const { page } = await visit('#example=lift', { serviceWorkers: 'block' }, (one) => one.route('**/editorWorker-*.js', (route) => (asked++ < 2 ? route.abort() : route.continue())));
  await status(page, /1 refuted/);
  await expect.poll(() => asked).toBe(3);
});

test('a module that the cache of the browser fails to give comes from the host', async () => {
  let asked = 0;
  const { page } = await visit('#example=lift', { serviceWorkers: 'block' }, (one) => one.route('**/aiglens-*.bin', (route) => (asked++ === 0 ? route.abort() : route.continue())));
  await status(page, /1 refuted/);
  expect(asked).toBe(2);
});

test('lines that end in CR LF are repaired by a fix and by Format', async () => {
  const { page } = await visit('#example=lift');
  const repaired = example('lift.aag');
  const crlf = repaired.replaceAll('\n', '\r\n');
  await choose(page, [['formatted.aag', crlf], ['fixed.aag', crlf]]);
  const sent = () => shared(page);
  await shown(page, 'fixed.aag');
  await status(page, /1 refuted/);
  await expect.poll(sent).toBe(crlf);
  await goTo(page, 1, repaired.indexOf('\n') + 1);
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget .action', { hasText: 'white space' }).first().click();
  await expect.poll(sent).toBe(repaired);
  await page.locator('.file', { hasText: 'formatted.aag' }).click();
  await shown(page, 'formatted.aag');
  await goTo(page, 1);
  await command(page, 'Format Document');
  await expect.poll(sent).toBe(repaired);
});

test('a fix is refused once another tab has changed the text, and nothing is lost', async () => {
  const { page, context } = await visit('#example=lift');
  await choose(page, [['fixed.aag', 'aag 1 0 1 0 0 1 \n2 3\n2\nc\n']]);
  await shown(page, 'fixed.aag');
  await status(page, /1 refuted/);
  const { page: other } = await visit('', context);
  await shown(other, 'fixed.aag');
  await goTo(page, 1, 16);
  await page.keyboard.press('Control+.');
  const fix = page.locator('.action-widget .action', { hasText: 'white space' }).first();
  await fix.waitFor();
  await goTo(other, 5);
  await other.keyboard.type('typed');
  await page.locator('#text .view-line', { hasText: 'typed' }).waitFor();
  await fix.click();
  await message(page, /The text has changed since this was offered/).waitFor();
  await expect.poll(() => shared(page)).toBe('aag 1 0 1 0 0 1 \n2 3\n2\nc\ntyped');
});

test('a binary file is shown as the text that it stands for', async () => {
  const { page } = await visit('');
  await status(page, /refuted/);
  // A latch that is its own negation, which is bad.
  const bytes = Buffer.from('aig 1 0 1 0 0 1\n3\n2\n', 'latin1');
  await choose(page, [['toggle.aig', bytes]]);
  await status(page, /1 refuted/);
  await page.locator('#text .view-line', { hasText: 'aag' }).first().waitFor();
});

test('where the program of the checks cannot be loaded the text is read all the same', async () => {
  const { page } = await visit('#example=lift', { serviceWorkers: 'block' }, (one) => one.route('**/checker-*.bin', (route) => route.abort()));
  await status(page, /3 unknown/);
  await page.locator('.codelens-decoration', { hasText: 'unknown' }).first().waitFor();
});

test('a module that cannot be loaded is said, and the text can be read and written', async () => {
  const { page } = await visit('#example=counter', {}, (one) => one.route('**/aiglens-*.bin', (route) => route.abort()));
  await message(page, /server/i).first().waitFor();
  await page.locator('#text .view-line', { hasText: 'aag' }).first().waitFor();
  await goTo(page, 1);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nwritten');
  await page.keyboard.press('Control+S');
  await page.click('#share');
  await message(page, /link/).waitFor();
  expect((await parse(new URL(page.url()).hash)).text).toContain('written');
});

test('where the browser stores nothing that is said, and verdicts come all the same', async () => {
  const { page } = await visit('#example=semaphore2_broken', { serviceWorkers: 'block' }, (one) =>
    one.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('refused', 'SecurityError');
      };
      Object.defineProperty(globalThis, 'indexedDB', { value: { open: refuse } });
      Object.defineProperty(Storage.prototype, 'getItem', { value: refuse });
      Object.defineProperty(Storage.prototype, 'setItem', { value: refuse });
    }),
  );
  await message(page, /stores nothing/).waitFor();
  await status(page, /1 refuted/);
});

test('the keyboard alone leads from the text to the trace, the commands and back', async () => {
  const { page } = await visit('#example=semaphore2_broken');
  await status(page, /1 refuted/);
  await goTo(page, 11);
  await command(page, 'aiglens: Show Trace of the Counterexample');
  const trace = await panel(page, /two_at_work/);
  await trace.locator('#names', { hasText: 'work_a' }).waitFor();
  await expect.poll(() => trace.evaluate(() => document.hasFocus())).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await status(page, /step 3 of 4/);
  const focus = () => page.evaluate(() => document.activeElement?.closest('[id]')?.id ?? document.activeElement?.tagName);
  await page.keyboard.press('F6');
  await expect.poll(focus).toBe('save');
  await page.keyboard.press('F6');
  await expect.poll(() => page.evaluate(() => document.getElementById('text')!.contains(document.activeElement))).toBe(true);
});

test('within another page it shows text and trace, and a link to itself', async () => {
  const { page } = await visit('#example=lift&panel=trace&embed', { viewport: { width: 700, height: 420 } });
  await panel(page, /runs_past_the_end/);
  await page.locator('#whole').waitFor();
  expect(await page.locator('#files').isVisible()).toBe(false);
  expect(await page.locator('#whole').getAttribute('href')).toBe('#example=lift&panel=trace');
});

/** What the largest process of a page takes; the system says so only here. */
async function memory(context: BrowserContext): Promise<string> {
  const session = await context.browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => (existsSync(`/proc/${id}/status`) ? Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) >> 10 : 0));
  return `${Math.max(...sizes)} MB`;
}

/** Runs in a worker of checks: it has a lock from each request to its result, as internal/worker writes them. */
function holdLock(): void {
  addEventListener('message', ({ data }) => {
    if (data.kind !== 'check') return;
    const port: MessagePort = data.port;
    const post = port.postMessage.bind(port);
    const isOf = (message: Uint8Array, kind: string) => String.fromCharCode(message[0]!) === kind;
    let release: () => void;
    port.addEventListener('message', ({ data: message }) => {
      if (isOf(message, 'q')) void navigator.locks.request('check', { mode: 'shared' }, () => new Promise<void>((resolve) => (release = resolve)));
    });
    port.postMessage = (message: Uint8Array) => {
      post(message);
      if (isOf(message, 'r')) release();
    };
  });
}

/** The text of the link that *Share* has made. */
async function shared(page: import('playwright-core').Page): Promise<string | undefined> {
  await page.click('#share');
  return (await parse(new URL(page.url()).hash)).text;
}

/** Files of the disk, as the dialog of the browser gives them. */
async function choose(page: import('playwright-core').Page, files: [name: string, content: string | Buffer][]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'aiglens-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const paths = files.map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  });
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#open')]);
  await chooser.setFiles(paths);
}
