// The web page: its address, its files, and patterns.
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fileNameOf, fragmentOf, linkOf, parse, withoutEmbed } from '../../page/address';
import { Files, type Storage, type Stored } from '../../page/files';
import { freeName, isLike } from '../../page/patterns';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = async (some: Promise<Uint8Array>) => new TextDecoder().decode(await some);

test('a link has the text and the panels that are open', async () => {
  const shared = 'aag 1 0 1 0 0 1\n2 3\n2\nl0 ¬∧ größer\n'.repeat(500);
  const fragment = await fragmentOf({ name: 'a b.aag', text: shared, panels: ['trace'] });
  expect(fragment).toMatch(/^#[\w=&.+%-]+$/);
  expect(await parse(fragment)).toEqual({ text: shared, name: 'a b.aag', panels: ['trace'], embed: false });
});

test('an address names an example, panels and whether it stands within another page', async () => {
  expect(await parse('#example=semaphore&panel=trace,circuit&panel=nothing&embed')).toEqual({ example: 'semaphore', panels: ['trace', 'circuit'], embed: true });
  expect(await parse('')).toEqual({ panels: [], embed: false });
});

test('a text that cannot be unpacked, or unpacks to too much, is refused', async () => {
  await expect(parse('#text=AAAA')).rejects.toThrow();
  await expect(parse('#text=%25')).rejects.toThrow();
  const bomb = deflateRawSync(Buffer.alloc((64 << 20) + 1)).toString('base64url');
  await expect(parse(`#text=${bomb}`)).rejects.toThrow('more than 64 MB');
});

test('the name of a shared file has no folder', () => {
  expect(fileNameOf('../../etc/a.aag')).toBe('a.aag');
  expect(fileNameOf('a?b#c.aag')).toBe('a_b_c.aag');
  expect(fileNameOf('')).toBe('circuit.aag');
});

test('an address outside of another page keeps all but that', () => {
  expect(withoutEmbed('#example=lift&embed&panel=trace')).toBe('#example=lift&panel=trace');
  expect(withoutEmbed('#embed=1&name=embed&text=a-embed')).toBe('#name=embed&text=a-embed');
});

test('a link is another with another text or name', () => {
  expect(linkOf('a.aag', 'x')).toBe(linkOf('a.aag', 'x'));
  expect(new Set([linkOf('a.aag', 'x'), linkOf('b.aag', 'x'), linkOf('a.aag', 'y')]).size).toBe(3);
});

/** What several tabs share. Each tab hears of the others once `hear` is called. */
function shared() {
  const stored = new Map<string, Stored>();
  const tabs: { listener?: (path: string) => void; heard: string[] }[] = [];
  return {
    stored,
    content: () => Object.fromEntries([...stored].map(([path, one]) => [path, new TextDecoder().decode(one.bytes)])),
    hear: () => tabs.forEach(({ listener, heard }) => heard.splice(0).forEach((path) => listener?.(path))),
    tab(): Storage {
      const tab: (typeof tabs)[number] = { heard: [] };
      tabs.push(tab);
      return {
        all: async () => [...stored],
        get: async (path) => stored.get(path),
        async replace(path, expected, by) {
          if (stored.get(path)?.revision !== expected) return { there: stored.get(path) };
          if (by === undefined) stored.delete(path);
          else stored.set(path, by);
          tabs.filter((one) => one !== tab).forEach(({ heard }) => heard.push(path));
          return 'replaced';
        },
        onDidReplace: (listener) => (tab.listener = listener),
      };
    },
  };
}

const told = { refused: (reason: string): never => { throw new Error(reason); }, both: (path: string, other: string): never => { throw new Error(`${path} ${other}`); } };

const given = new Map([['/given.aag', async () => bytes('given')]]);

test('an example is stored once it is changed, and comes back when the change is taken back', async () => {
  const all = shared();
  const files = new Files(all.tab(), given, told);
  await files.write('/mine.aag', bytes('mine'));
  expect(files.paths).toEqual(['/given.aag', '/mine.aag']);
  const changes: string[] = [];
  files.onDidChange(({ path, kind }) => changes.push(`${path} ${kind}`));
  expect(await text(files.read('/given.aag'))).toBe('given');
  await files.write('/given.aag', bytes('changed'));
  await files.write('/new.aag', bytes('new'));
  expect(all.content()).toEqual({ '/given.aag': 'changed', '/mine.aag': 'mine', '/new.aag': 'new' });
  expect(await text(files.read('/given.aag'))).toBe('changed');
  await files.remove('/given.aag');
  await files.remove('/new.aag');
  expect(await text(files.read('/given.aag'))).toBe('given');
  await expect(files.read('/new.aag')).rejects.toThrow('there is no file new.aag');
  expect(changes).toEqual(['/given.aag changed', '/new.aag created', '/given.aag changed', '/new.aag removed']);
  expect(all.content()).toEqual({ '/mine.aag': 'mine' });
});

test('what one tab stores another takes over, unless it has changed the file itself', async () => {
  const all = shared();
  const copies: string[] = [];
  const both = (path: string, other: string) => void copies.push(`${path} ${other}`);
  const [a, b] = [new Files(all.tab(), given, { ...told, both }), new Files(all.tab(), given, { ...told, both })];
  await a.write('/x.aag', bytes('1'));
  all.hear();
  await b.store();
  expect(b.paths).toContain('/x.aag');
  b.draft('/x.aag', () => bytes('of b'));
  await a.write('/x.aag', bytes('of a'));
  all.hear();
  expect(await text(b.read('/x.aag'))).toBe('of b');
  await b.store();
  expect(all.content()).toEqual({ '/x.aag': 'of b', '/x_2.aag': 'of a' });
  expect(copies).toEqual(['/x.aag /x_2.aag']);
  all.hear();
  await a.store();
  expect(await text(a.read('/x.aag'))).toBe('of b');
  expect(await text(a.read('/x_2.aag'))).toBe('of a');
  // Both have written the same: there is nothing to keep twice.
  await a.write('/x.aag', bytes('same'));
  await b.write('/x.aag', bytes('same'));
  expect(copies).toHaveLength(1);
});

test('a tab that has not heard of the others takes nothing away from them', async () => {
  const all = shared();
  const [a, b] = [new Files(all.tab(), given, told), new Files(all.tab(), given, told)];
  await a.write('/x.aag', bytes('1'));
  await b.refresh();
  await a.write('/x.aag', bytes('2'));
  await b.remove('/x.aag');
  expect(await text(b.read('/x.aag'))).toBe('2');
  await b.remove('/x.aag');
  await a.write('/x.aag', bytes('3'));
  expect(all.content()).toEqual({ '/x.aag': '3' });
});

test('a link leads to the file that it was opened as, whatever was written since', async () => {
  const all = shared();
  const files = new Files(all.tab(), given, told);
  await files.write('/x.aag', bytes('1'));
  await files.link('/x.aag', 'one');
  await files.write('/x.aag', bytes('2'));
  await files.link('/x.aag', 'two');
  const later = new Files(all.tab(), given, told);
  await later.refresh();
  expect([later.linked('one'), later.linked('two'), later.linked('three')]).toEqual(['/x.aag', '/x.aag', undefined]);
});

test('a file has a later time after each change', async () => {
  const files = new Files(shared().tab(), given, told);
  const times = [files.time('/given.aag')];
  for (const one of ['a', 'b']) {
    await files.write('/given.aag', bytes(one));
    times.push(files.time('/given.aag'));
  }
  expect(times[0]).toBeLessThan(times[1]!);
  expect(times[1]).toBeLessThan(times[2]!);
});

test('where the browser stores nothing it is said once, files last as long as the page, and are stored as soon as they can be', async () => {
  const all = shared();
  const tab = all.tab();
  let isFull = true;
  const reasons: string[] = [];
  const full: Storage = { ...tab, replace: async (...given) => (isFull ? told.refused('full') : tab.replace(...given)) };
  const files = new Files(full, new Map(), { ...told, refused: (reason) => reasons.push(reason) });
  await files.write('/a.aag', bytes('a'));
  await files.write('/a.aag', bytes('b'));
  await files.refresh();
  expect(await text(files.read('/a.aag'))).toBe('b');
  expect(reasons).toEqual(['full']);
  expect(files.isAtRisk).toBe(true);
  isFull = false;
  await files.write('/c.aag', bytes('c'));
  expect(all.content()).toEqual({ '/a.aag': 'b', '/c.aag': 'c' });
  expect(files.isAtRisk).toBe(false);
});

test('patterns of files', () => {
  expect(isLike('**/*.{aag,aig.gz}', '/a.aag')).toBe(true);
  expect(isLike('**/*.{aag,aig.gz}', '/b/a.aig.gz')).toBe(true);
  expect(isLike('**/*.smt2', '/a.aag')).toBe(false);
  expect(isLike({ pattern: 'a.map' }, '/a.map')).toBe(true);
  expect(isLike('a.map', '/b.map')).toBe(false);
});

test('a name that is taken gets a number before its ending', () => {
  const taken = new Set(['a.aag', 'a_2.aag', 'b.aig.gz', 'c']);
  const free = (name: string) => freeName(name, (one) => taken.has(one));
  expect(['a.aag', 'b.aig.gz', 'c', 'd'].map(free)).toEqual(['a_3.aag', 'b_2.aig.gz', 'c_2', 'd']);
});
