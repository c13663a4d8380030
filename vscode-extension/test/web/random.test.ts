// Verdicts of the program in workers on random circuits, compared with a search of all states.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PropertyStatus } from '../../src/protocol';
import { root } from '../lib/paths';
import { Client } from './client';

const count = process.env['AIGLENS_LONG'] === undefined ? 100 : 2000;

const isSettled = ({ freshness, verdict }: PropertyStatus) => freshness === 'fresh' && verdict !== 'none';

/** Each is a bound of its own: what a busy machine takes for a circuit. */
const bound = count * 5_000;

test(`${count} random circuits have the verdicts of a search of all states`, { timeout: bound }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'circuits-'));
  const file = join(folder, 'all.json');
  execFileSync('go', ['test', './internal/explicit', '-run', 'TestWritten', '-count', '1'], { cwd: root, env: { ...process.env, AIGLENS_CIRCUITS: `${count}`, AIGLENS_CIRCUITS_FILE: file } });
  const circuits: { text: string; verdict: string }[] = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  const client = new Client();
  const wrong: object[] = [];
  const found: Record<string, number> = {};
  for (const [i, { text, verdict }] of circuits.entries()) {
    const uri = `page:/${i}.aag`;
    if (i === 0) await client.open(uri, text);
    else client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'aag', version: 1, text } });
    const settled = client.next(({ method, params }) => method === 'aiglens/status' && params.uri === uri && params.properties.some(isSettled));
    client.notify('textDocument/didSave', { textDocument: { uri } });
    const got = (await settled).params.properties[0].verdict;
    if (got !== verdict) wrong.push({ i, got, verdict });
    found[verdict] = (found[verdict] ?? 0) + 1;
    client.notify('textDocument/didClose', { textDocument: { uri } });
  }
  await client.close();
  expect(wrong).toEqual([]);
  expect(Object.values(found).every((n) => n >= count / 10)).toBe(true);
  console.log(`verdicts: ${JSON.stringify(found)}`);
});
