// The page of its own: its address, its files, and patterns.
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fileNameOf, fragmentOf, parse } from '../../page/address';
import { filesIn, type Storage } from '../../page/files';
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

function storage(kept: [string, Uint8Array][] = []): Storage & { readonly kept: Map<string, Uint8Array> } {
  const all = new Map(kept);
  return { kept: all, all: async () => [...all], put: async (path, some) => void all.set(path, some), remove: async (path) => void all.delete(path) };
}

const refused = (reason: string): never => {
  throw new Error(reason);
};

test('an example is stored once it is changed, and comes back when the change is taken back', async () => {
  const store = storage([['/mine.aag', bytes('mine')]]);
  const files = await filesIn(store, new Map([['/given.aag', async () => bytes('given')]]), refused);
  expect(files.paths).toEqual(['/given.aag', '/mine.aag']);
  const told: string[] = [];
  files.onDidChange((path, kind) => told.push(`${path} ${kind}`));
  expect(await text(files.read('/given.aag'))).toBe('given');
  await files.write('/given.aag', bytes('changed'));
  await files.write('/new.aag', bytes('new'));
  expect([...store.kept.keys()].sort()).toEqual(['/given.aag', '/mine.aag', '/new.aag']);
  expect(await text(files.read('/given.aag'))).toBe('changed');
  await files.remove('/given.aag');
  await files.remove('/new.aag');
  expect(await text(files.read('/given.aag'))).toBe('given');
  await expect(files.read('/new.aag')).rejects.toThrow('there is no file new.aag');
  expect(told).toEqual(['/given.aag changed', '/new.aag created', '/given.aag changed', '/new.aag removed']);
});

test('where the browser stores nothing it is said once, and files last as long as the page', async () => {
  const no = async () => refused('no storage');
  const reasons: string[] = [];
  const files = await filesIn({ all: no, put: no, remove: no }, new Map(), (reason) => reasons.push(reason));
  await files.write('/a.aag', bytes('a'));
  await files.write('/a.aag', bytes('b'));
  expect(await text(files.read('/a.aag'))).toBe('b');
  expect(reasons).toEqual(['no storage']);
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
