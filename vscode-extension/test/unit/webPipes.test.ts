import { expect, test } from 'vitest';
import { framed, Unframer } from '../../src/web/frames';
import { uriOf } from '../../src/web/owner';
import { Inbox, lines } from '../../src/web/pipes';

test('messages come out of their frames wherever the bytes are cut', () => {
  const messages = [{ id: 1, text: 'é\r\n\r\n' }, { id: 2 }, { id: 3, text: 'x'.repeat(3000) }];
  const bytes = messages.flatMap((message) => [...framed(message)]);
  for (const step of [1, 2, 7, 100, 1000, bytes.length]) {
    const found: unknown[] = [];
    const unframer = new Unframer((message) => found.push(message));
    for (let at = 0; at < bytes.length; at += step) unframer.push(Uint8Array.from(bytes.slice(at, at + step)));
    expect(found).toEqual(messages);
  }
});

test('a reader gets what is there, waits for more, and is told the end', () => {
  const inbox = new Inbox();
  const into = new Uint8Array(4);
  const got: string[] = [];
  const read = () => inbox.read(into, (length) => got.push(new TextDecoder().decode(into.subarray(0, length))));
  inbox.push(new TextEncoder().encode('abcdef'));
  read();
  read();
  read();
  expect(got).toEqual(['abcd', 'ef']);
  inbox.push(new TextEncoder().encode('g'));
  inbox.end();
  read();
  expect(got).toEqual(['abcd', 'ef', 'g', '']);
});

test('a log is told by lines', () => {
  const told: string[] = [];
  const log = lines((line) => told.push(line));
  for (const text of ['one\ntw', 'o\n', 'three']) log(new TextEncoder().encode(text));
  expect(told).toEqual(['one', 'two']);
});

test.each([
  ['/home/a b.aag', 'file:///home/a%20b.aag'],
  ['/vscode-vfs:github/owner/repo/a#.blif', 'vscode-vfs://github/owner/repo/a%23.blif'],
  ['/memfs:/a.aag', 'memfs:/a.aag'],
  ['//a.aag', 'file:///a.aag'], // a folder that ends in a slash, and a name
])('%s is asked for as %s', (path, uri) => {
  expect(uriOf(path)).toBe(uri);
});
