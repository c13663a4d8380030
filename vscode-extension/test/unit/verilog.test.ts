// What is said of a check of a design beside its verdicts.
import { beforeEach, expect, test, vi } from 'vitest';
import type { CheckedDesign } from '../../src/protocol';
import * as protocol from '../../src/protocol';
import { checkDesign, goToCircuit, goToHdl } from '../../src/verilog';
import { commands, window } from './vscode';

beforeEach(() => vi.clearAllMocks());

async function check(answer: CheckedDesign | undefined) {
  const execute = vi.fn().mockResolvedValue(answer);
  await checkDesign({ execute } as never, { document: { uri: { toString: () => 'file:///w/top.sv' } } } as never);
  expect(execute.mock.calls).toEqual([[protocol.checkDesign, { uri: 'file:///w/top.sv' }]]);
}

test('verdicts alone need no message', async () => {
  await check({ message: 'module top' });
  await check(undefined);
  expect(window.showWarningMessage).not.toHaveBeenCalled();
  expect(window.showInformationMessage).not.toHaveBeenCalled();
});

test('why there is no circuit is said', async () => {
  await check({ message: '', problem: 'Yosys: no such module' });
  expect(window.showWarningMessage.mock.calls).toEqual([['aiglens: Yosys: no such module']]);
});

test('from Verilog to the circuit, and back', async () => {
  const [uri, active, places] = ['file:///w/top.sv', { line: 3 }, [{ uri: 'aiglens-aig:/w/top.sv.aag' }]];
  for (const [go, find] of [[goToCircuit, 'vscode.executeImplementationProvider'], [goToHdl, 'vscode.executeDeclarationProvider']] as const) {
    commands.executeCommand.mockClear();
    commands.executeCommand.mockResolvedValueOnce(places as never);
    await go({ document: { uri }, selection: { active } } as never);
    expect(commands.executeCommand.mock.calls).toEqual([[find, uri, active], ['editor.action.goToLocations', uri, active, places, 'goto', expect.any(String)]]);
  }
});
