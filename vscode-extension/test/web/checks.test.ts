// Checks in workers of their own: what goes on beside them, and how they end.
import { afterEach, expect, test } from 'vitest';
import type { PropertyStatus } from '../../src/protocol';
import { hardCircuit } from '../host/hard';
import { Client, example } from './client';

let client: Client;
const uri = 'page:/text';

afterEach(() => client.close());

/** The next status with a property for which a condition holds, after something was sent. */
async function status(fits: (of: PropertyStatus) => boolean, send: () => void): Promise<PropertyStatus> {
  const found = client.next(({ method, params }) => method === 'aiglens/status' && params.properties.some(fits));
  send();
  return (await found).params.properties.find(fits);
}

const save = () => client.notify('textDocument/didSave', { textDocument: { uri } });
const stop = () => void client.request('workspace/executeCommand', { command: 'aiglens.stop', arguments: [{ uri }] });
const edit = (version: number, text: string) => client.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
const isRunning = ({ freshness }: PropertyStatus) => freshness === 'running';
const isSettled = ({ freshness, verdict }: PropertyStatus) => freshness === 'fresh' && verdict !== 'none';

/** A system about which the engine learns more and more. */
const endlessClauses = `(set-logic HORN)
(declare-fun P (Int Int) Bool)
(assert (P 1 1))
(assert (forall ((x Int) (y Int)) (=> (P x y) (P (+ x x y) (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) (<= x y) (<= 3 y)) false)))
(check-sat)
`;

/** A counter that is bad after 2^bits steps. */
function counter(bits: number): string {
  const gates: string[] = [];
  const and = (a: number, b: number) => {
    const gate = 2 * (bits + gates.length + 1);
    gates.push(`${gate} ${Math.max(a, b)} ${Math.min(a, b)}`);
    return gate;
  };
  const next: number[] = [];
  let carry = 1;
  for (let i = 1; i <= bits; i++) {
    const both = and(2 * i, carry);
    next.push(and(both ^ 1, and((2 * i) ^ 1, carry ^ 1) ^ 1));
    carry = both;
  }
  return `aag ${bits + gates.length} 0 ${bits} 0 ${gates.length} 1\n${next.map((n, i) => `${2 * i + 2} ${n}`).join('\n')}\n${carry}\n${gates.join('\n')}\n`;
}

async function open(text: string, languageId = 'aag', settings: object = {}): Promise<void> {
  client = new Client();
  await client.open(uri, text, settings, languageId);
}

test('a keystroke is answered while clauses are checked', async () => {
  await open(endlessClauses, 'smt2');
  await status(isRunning, save);
  const events: string[] = [];
  const ended = client.next(({ method, params }) => method === 'aiglens/status' && !params.properties.some(isRunning));
  void ended.then(() => events.push('end of the check'));
  edit(2, `; a comment\n${endlessClauses}`);
  await client.request('textDocument/hover', { textDocument: { uri }, position: { line: 2, character: 13 } });
  events.push('answer');
  stop();
  await ended;
  expect(events).toEqual(['answer', 'end of the check']);
});

test('keystrokes are answered while a comparison looks for equal gates', async () => {
  client = new Client({ withChecker: false }); // what it asks of checks is over at once
  const text = hardCircuit(12, 1);
  await client.open(uri, text, {}, 'aag');
  const rows = text.split('\n');
  const other = [...rows.slice(0, 25), '2', ...rows.slice(26)].join('\n'); // another bad
  let isOver = false;
  const compared = client.request('workspace/executeCommand', { command: 'aiglens.compare', arguments: [{ uri, text: other }] }).finally(() => (isOver = true));
  let answered = 0;
  const waits: number[] = [];
  while (!isOver) {
    const before = performance.now();
    edit(++answered + 1, `${text}c\n${answered}\n`);
    await client.request('textDocument/hover', { textDocument: { uri }, position: { line: 1, character: 0 } });
    waits.push(performance.now() - before);
  }
  expect(await compared).toMatchObject({ verdict: 'unknown' });
  waits.sort((a, b) => a - b);
  console.log(`${answered} keystrokes in a comparison, answered after ${waits[answered >> 1]!.toFixed(0)} ms by the median, ${waits.at(-1)!.toFixed(0)} ms at most`);
  expect(answered).toBeGreaterThan(10);
});

test('a worker that is killed is said to be, and the next check works', async () => {
  await open(counter(40));
  await status(isRunning, save);
  const killed = await status(isSettled, () => client.killCheckers());
  expect(killed).toMatchObject({ verdict: 'unknown' });
  expect(JSON.stringify(killed)).toContain('the worker process ended: killed');
  edit(2, example('semaphore2.aag'));
  expect(await status(isSettled, save)).toMatchObject({ verdict: 'proved' });
});

test('a check that is stopped leaves its place to the next', async () => {
  await open(counter(40), 'aag', { check: { workers: 1 } });
  await status(isRunning, save);
  await status((of) => !isRunning(of), stop);
  edit(2, example('semaphore2.aag'));
  expect(await status(isSettled, save)).toMatchObject({ verdict: 'proved' });
  await expect.poll(() => client.threads.at(-1)).toBe(1); // what was stopped has ended
});

test('a check that needs too much memory is unknown for that', async () => {
  await open(counter(40), 'aag', { check: { memory: 1 } });
  const found = await status(isSettled, save);
  expect(found).toMatchObject({ verdict: 'unknown' });
  expect(JSON.stringify(found)).toContain('memory limit');
});
