// Messages to the user. VS Code shows one without a button in a single row and cuts off the rest, which is where
// the reason stands: what does not fit gets a button, with which all of it is shown.
import { type LogOutputChannel, window } from 'vscode';

/** What a row of a notification has room for. */
const row = 55;
/** What is read at a glance; the rest is in the log. */
const glance = 400;

const whole = 'Show in Log';

const kinds = { information: 'showInformationMessage', warning: 'showWarningMessage', error: 'showErrorMessage' } as const;
const levels = { information: 'info', warning: 'warn', error: 'error' } as const;

let log: Pick<LogOutputChannel, 'info' | 'warn' | 'error' | 'show'> | undefined;

/** Where long messages can be read in whole. */
export function tellInto(channel: typeof log): void {
  log = channel;
}

/** Tells the user something, and offers what can be done; returns what of that was chosen. */
export async function tell(kind: keyof typeof kinds, message: string, ...offers: string[]): Promise<string | undefined> {
  const text = `aiglens: ${message}`;
  const isCut = text.length > glance;
  const fits = text.length <= row || (offers.length > 0 && !isCut);
  if (fits || log === undefined) return window[kinds[kind]](text, ...offers);
  log[levels[kind]](message);
  const chosen = await window[kinds[kind]](isCut ? `${text.slice(0, glance).replace(/\s+\S*$/, '')}…` : text, ...offers, whole);
  if (chosen !== whole) return chosen;
  log.show();
  return undefined;
}
