// What the user is asked when a run is changed, in the trace panel and in the Circuit view.
import { window } from 'vscode';

/** Random steps in which something is to come to hold. */
export const mostRandom = 1000;

/** How many names of values are said. */
const mostNames = 8;

/** Asks for the value of a word, whose values may have names. */
export async function askForValue({ name, names = [] }: { readonly name: string; readonly names?: readonly string[] }, where: string, value: string): Promise<string | undefined> {
  const said = [...names.slice(0, mostNames), ...(names.length > mostNames ? ['…'] : [])];
  const typed = await window.showInputBox({
    title: `${name} ${where}`,
    value,
    prompt: [...said, 'a number such as 5, 0x1f or 0b101'].join(', '),
    ignoreFocusOut: true,
  });
  return typed?.trim() || undefined;
}
