import { expect, test, vi } from 'vitest';
import { Listeners } from '../../src/listeners';
import { type ShownStep, status, stepShown } from '../../src/protocol';

/** A client as the language client is: of several handlers of a method it keeps the last. */
function client() {
  const handlers = new Map<string, (params: unknown) => void>();
  return {
    onNotification: vi.fn((method: string, handler: (params: unknown) => void) => void handlers.set(method, handler)),
    receive: (method: string, params: unknown) => handlers.get(method)?.(params),
  };
}

const shown: ShownStep = { uri: 'file:///c/a.aag', property: 'bad:0', step: 1, steps: 4 };

test('every listener of a notification hears it, of each client', () => {
  const listeners = new Listeners();
  const heard: [string, number][] = [];
  listeners.add(stepShown, ({ step }) => heard.push(['first', step]));
  listeners.add(stepShown, ({ step }) => heard.push(['second', step]));
  for (const one of [client(), client()]) {
    listeners.connect(one as never);
    one.receive('aiglens/step', shown);
    one.receive('aiglens/status', {});
  }
  expect(heard).toEqual([['first', 1], ['second', 1], ['first', 1], ['second', 1]]);
});

test('a listener that is disposed of hears nothing more', () => {
  const listeners = new Listeners();
  const [gone, staying] = [vi.fn(), vi.fn()];
  const listening = listeners.add(stepShown, gone);
  listeners.add(stepShown, staying);
  const one = client();
  listeners.connect(one as never);
  listening.dispose();
  one.receive('aiglens/step', shown);
  expect(gone).not.toHaveBeenCalled();
  expect(staying).toHaveBeenCalledExactlyOnceWith(shown);
});

test('listeners of one run are not those of the next', () => {
  const always = new Listeners();
  const [every, once] = [vi.fn(), vi.fn()];
  always.add(stepShown, every);
  const first = new Listeners(always);
  first.add(status, once);
  const [one, other] = [client(), client()];
  first.connect(one as never);
  new Listeners(always).connect(other as never);
  one.receive('aiglens/status', {});
  other.receive('aiglens/status', {});
  other.receive('aiglens/step', shown);
  expect(once).toHaveBeenCalledTimes(1);
  expect(every).toHaveBeenCalledTimes(1);
});
