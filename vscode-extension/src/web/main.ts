// The entry where VS Code runs extensions in a browser: package.json, browser.
import { commands, type ExtensionContext, languages as editor } from 'vscode';
import * as extension from '../extension';
import { clauseLanguages, languages } from '../formats';
import { webHost } from './host';

export async function activate(context: ExtensionContext): Promise<extension.Drawn> {
  // What menus offer of programs is left out.
  void commands.executeCommand('setContext', 'aiglens.inBrowser', true);
  context.subscriptions.push(absent());
  return extension.activate(context, (log) => webHost(context.extensionUri, log));
}

export const { deactivate } = extension;

/** Says beside the language what needs a machine. */
function absent() {
  const item = editor.createLanguageStatusItem('aiglens.inBrowser', [...languages, ...clauseLanguages].map((language) => ({ language })));
  item.name = 'aiglens: In a Browser';
  item.text = 'Checks run in this browser';
  item.detail = 'no cluster, last commit, Verilog or other programs';
  return item;
}
