// The tools for agents, as the editor starts and calls them.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { agentTools, callAgentTool, eventually } from './support';

describe('the tools for agents', () => {
  if (vscode.lm.registerMcpServerDefinitionProvider === undefined) {
    it.skip('are none in this version of VS Code');
    return;
  }

  before(() => vscode.extensions.getExtension('aiglens.aiglens')!.activate());

  it('are those of aiglens mcp, and answer', async () => {
    const check = await eventually('the tools', async () => (await agentTools()).find((name) => name.endsWith('_check')));
    assert.match(await callAgentTool(check, { file: 'semaphore2.aag' }), /"verdict":"proved"/);
  });

  it('are gone while the setting turns them off', async () => {
    const settings = vscode.workspace.getConfiguration('aiglens');
    await settings.update('agents.enabled', false, vscode.ConfigurationTarget.Global);
    await eventually('no tools', async () => (await agentTools()).length === 0);
    await settings.update('agents.enabled', undefined, vscode.ConfigurationTarget.Global);
    await eventually('the tools', async () => (await agentTools()).length > 0);
  });
});
