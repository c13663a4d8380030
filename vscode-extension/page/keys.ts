// Keys and commands of the manifest in the editor: its bindings, and its commands in the palette.
import { editor as monaco, KeyCode, KeyMod } from 'monaco-editor/editor/editor.api.js';
import { executeCommand, registerCommand } from './vscode/commands';
import { contributes } from './vscode/contributed';

const modifiers: Record<string, number> = { ctrl: KeyMod.CtrlCmd, cmd: KeyMod.CtrlCmd, shift: KeyMod.Shift, alt: KeyMod.Alt };
const named: Record<string, number> = { '.': KeyCode.Period, ',': KeyCode.Comma, home: KeyCode.Home, end: KeyCode.End };

/** A binding as the manifest writes it: `ctrl+k i`. */
export function keyOf(binding: string): number {
  const [first, second] = binding.split(' ').map((chord) => chord.split('+').reduce((keys, part) => keys | (modifiers[part] ?? named[part] ?? (KeyCode as unknown as Record<string, number>)[/^f\d+$/.test(part) ? part.toUpperCase() : `Key${part.toUpperCase()}`]!), 0));
  return second === undefined ? first! : KeyMod.chord(first!, second);
}

/** Lets the editor know them, and what the extension says of the state that they depend on. */
export function contributeTo(editor: monaco.IStandaloneCodeEditor): void {
  monaco.addKeybindingRules(contributes.keybindings.map(({ key, command, when }) => ({ keybinding: keyOf(key), command, when })));
  const contexts = new Map<string, monaco.IContextKey>();
  registerCommand('setContext', (name, value) => {
    const key = contexts.get(name as string) ?? editor.createContextKey(name as string, value as boolean);
    contexts.set(name as string, key);
    key.set(value as boolean);
  });
  void executeCommand('setContext', 'isWorkspaceTrusted', true);
  const hidden = new Map(contributes.palette.map(({ command, when }) => [command, when]));
  for (const { command, title } of contributes.commands) {
    const when = hidden.get(command);
    if (when === 'false' || notHere.has(command)) continue;
    editor.addAction({ id: `page.${command}`, label: `aiglens: ${title}`, ...(when === undefined ? {} : { precondition: when }), run: () => executeCommand(command) });
  }
}

/** Commands that lead nowhere on this page. */
export const notHere: ReadonlySet<string> = new Set(['aiglens.debugCounterexample', 'aiglens.simulate', 'aiglens.compareWith', 'aiglens.showCircuitBeside', 'aiglens.checkAllCircuits']);
