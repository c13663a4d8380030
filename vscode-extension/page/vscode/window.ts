/// <reference lib="dom" />
// What VS Code's window shows beside texts and panels: messages, questions, progress, the status bar, files of the disk.
import { CancellationTokenSource, type CancellationToken, Emitter, Uri } from 'monaco-editor/editor/editor.api.js';
import { StandaloneServices } from 'monaco-editor/editor/standalone/browser/standaloneServices.js';
import { IQuickInputService } from 'monaco-editor/platform/quickinput/common/quickInput.js';
import { executeCommand } from './commands';
import { Disposable, type MarkdownString, ProgressLocation } from './values';

interface Page {
  /** Where messages stand, and items of the status bar. */
  messages: HTMLElement;
  status: HTMLElement;
}

let page: Page;
export function provideWindow(given: Page): void {
  page = given;
}

// Messages.

type Item = string | { title: string };
type Kind = 'information' | 'warning' | 'error';

/** Messages that stand there, by their texts, and what closes them. */
const shownNow = new Map<string, () => void>();

function message(kind: Kind, text: string, ...given: (Item | { modal?: boolean })[]): Promise<Item | undefined> {
  const items = given.filter((one): one is Item => typeof one === 'string' || 'title' in one);
  const { element, button, remove } = notice(kind, text.replace(/^aiglens: /, ''));
  return new Promise((resolve) => {
    const done = (item?: Item) => {
      shownNow.delete(text);
      remove();
      resolve(item);
    };
    shownNow.get(text)?.(); // the same is said once
    shownNow.set(text, done);
    for (const item of items) button(typeof item === 'string' ? item : item.title, () => done(item));
    button('Close', () => done());
    // What asks nothing goes by itself, but not while it is read.
    if (items.length === 0 && kind === 'information') element.addEventListener('animationend', () => !element.matches(':hover, :focus-within') && done());
  });
}

function notice(kind: Kind, text: string): { element: HTMLElement; words: HTMLElement; button(name: string, run: () => void): void; remove(): void } {
  const element = document.createElement('div');
  element.className = `notice ${kind}`;
  element.setAttribute('role', kind === 'error' ? 'alert' : 'status');
  const words = document.createElement('span');
  words.textContent = text;
  element.append(words);
  page.messages.append(element);
  const button = (name: string, run: () => void) => {
    const one = document.createElement('button');
    one.textContent = name;
    one.addEventListener('click', run);
    element.append(one);
  };
  return { element, words, button, remove: () => element.remove() };
}

export const showInformationMessage = (text: string, ...items: Item[]) => message('information', text, ...items);
export const showWarningMessage = (text: string, ...items: Item[]) => message('warning', text, ...items);
export const showErrorMessage = (text: string, ...items: Item[]) => message('error', text, ...items);

/** What is slow is shown only once it takes a while. */
const slow = 400;

export async function withProgress<Answer>({ location, title = '', cancellable = false }: { location: number | object; title?: string; cancellable?: boolean }, run: (progress: { report(step: { message?: string }): void }, token: CancellationToken) => PromiseLike<Answer>): Promise<Answer> {
  const source = new CancellationTokenSource();
  let shown: ReturnType<typeof notice> | undefined;
  let said = '';
  const text = () => [title.replace(/^aiglens: /, ''), said].filter(Boolean).join(': ');
  const show = () => {
    if (location === ProgressLocation.Window) return;
    shown = notice('information', text());
    shown.element.classList.add('progress');
    if (cancellable) shown.button('Cancel', () => source.cancel());
  };
  const timer = setTimeout(show, slow);
  try {
    const report = ({ message: now = said }: { message?: string }) => {
      said = now;
      if (shown !== undefined) shown.words.textContent = text();
    };
    return await run({ report }, source.token);
  } finally {
    clearTimeout(timer);
    shown?.remove();
    source.dispose();
  }
}

// Questions.

const quick = () => StandaloneServices.get(IQuickInputService);

interface Pick {
  label: string;
  description?: string;
  detail?: string;
  kind?: number;
  iconPath?: { id: string };
}

const picked = ({ kind, iconPath, ...rest }: Pick) => (kind === -1 ? { type: 'separator', label: rest.label } : { ...rest, ...(iconPath === undefined ? {} : { label: `$(${iconPath.id}) ${rest.label}` }) });

export async function showQuickPick(items: readonly (Pick | string)[] | PromiseLike<readonly (Pick | string)[]>, { title, placeHolder, canPickMany }: { title?: string; placeHolder?: string; canPickMany?: boolean } = {}, token?: CancellationToken): Promise<unknown> {
  const all = (await items).map((of) => ({ of, ...picked(typeof of === 'string' ? { label: of } : of), ...(canPickMany === true ? { picked: (of as { picked?: boolean }).picked } : {}) }));
  const chosen: { of: unknown } | { of: unknown }[] | undefined = await quick().pick(all, { title, placeHolder: placeHolder ?? title, canPickMany, matchOnDescription: true }, token);
  return Array.isArray(chosen) ? chosen.map(({ of }) => of) : chosen?.of;
}

export async function showInputBox({ title, prompt, value, placeHolder, validateInput, ignoreFocusOut }: { title?: string; prompt?: string; value?: string; placeHolder?: string; ignoreFocusOut?: boolean; validateInput?(text: string): unknown } = {}): Promise<string | undefined> {
  return quick().input({ title, prompt, value, placeHolder, ignoreFocusLost: ignoreFocusOut, validateInput: validateInput && (async (text: string) => validateInput(text)) });
}

/** A list that the extension fills itself. */
export function createQuickPick(): object {
  const own = quick().createQuickPick({ useSeparators: true });
  let given: Pick[] = [];
  return Object.defineProperties(
    {
      onDidAccept: (run: () => void) => own.onDidAccept(run),
      onDidHide: (run: () => void) => own.onDidHide(run),
      onDidChangeValue: (run: (value: string) => void) => own.onDidChangeValue(run),
      onDidChangeActive: (run: (items: unknown[]) => void) => own.onDidChangeActive((items: { of: unknown }[]) => run(items.map(({ of }) => of))),
      show: () => own.show(),
      hide: () => own.hide(),
      dispose: () => own.dispose(),
    },
    {
      items: { get: () => given, set: (items: Pick[]) => (own.items = (given = items).map((of) => ({ of, ...picked(of) }))) },
      selectedItems: { get: () => own.selectedItems.map(({ of }: { of: unknown }) => of) },
      activeItems: { get: () => own.activeItems.map(({ of }: { of: unknown }) => of), set: (items: unknown[]) => (own.activeItems = own.items.filter(({ of }: { of: unknown }) => items.includes(of))) },
      ...Object.fromEntries(['title', 'placeholder', 'value', 'busy', 'matchOnDescription', 'matchOnDetail', 'ignoreFocusOut'].map((name) => [name, { get: () => own[name], set: (value: unknown) => (own[name] = value) }])),
    },
  );
}

// The status bar.

/** A text with icons, as VS Code writes them: `$(pass) 3 proved`. */
export function withIcons(text: string): (Node | string)[] {
  return text.split(/(\$\([a-z0-9~-]+\))/).flatMap((part): (Node | string)[] => {
    const [, icon] = /^\$\(([a-z0-9-]+)(?:~spin)?\)$/.exec(part) ?? [];
    if (icon === undefined) return part === '' ? [] : [part];
    const sign = document.createElement('span');
    sign.className = `codicon codicon-${icon}${part.includes('~spin') ? ' codicon-modifier-spin' : ''}`;
    sign.setAttribute('aria-hidden', 'true');
    return [sign];
  });
}

export function createStatusBarItem(): object {
  const element = document.createElement('button');
  element.className = 'status';
  element.hidden = true;
  let command: string | { command: string; arguments?: unknown[] } | undefined;
  element.addEventListener('click', () => {
    if (command !== undefined) void executeCommand(typeof command === 'string' ? command : command.command, ...(typeof command === 'string' ? [] : (command.arguments ?? [])));
  });
  page.status.append(element);
  let text = '';
  let tooltip: string | MarkdownString | undefined;
  return Object.defineProperties(
    { show: () => (element.hidden = false), hide: () => (element.hidden = true), dispose: () => element.remove(), name: '' },
    {
      text: { get: () => text, set: (to: string) => element.replaceChildren(...withIcons((text = to))) },
      tooltip: {
        get: () => tooltip,
        set: (to: string | MarkdownString | undefined) => {
          tooltip = to;
          element.title = to === undefined || typeof to !== 'string' ? '' : to;
        },
      },
      command: { get: () => command, set: (to: typeof command) => (command = to) },
      accessibilityInformation: { set: ({ label }: { label: string }) => element.setAttribute('aria-label', label) },
      backgroundColor: { set: () => undefined },
      color: { set: () => undefined },
    },
  );
}

export function setStatusBarMessage(text: string, milliseconds = 5000): Disposable {
  const element = document.createElement('span');
  element.className = 'said';
  element.setAttribute('role', 'status');
  element.append(...withIcons(text.replace(/^aiglens: /, '')));
  page.status.append(element);
  const timer = setTimeout(() => element.remove(), milliseconds);
  return new Disposable(() => {
    clearTimeout(timer);
    element.remove();
  });
}

// The log.

const lines: string[] = [];
const mostLines = 2000;

export function createOutputChannel(): object {
  const add = (level: string) => (text: unknown) => {
    lines.push(`${new Date().toISOString()} [${level}] ${text instanceof Error ? (text.stack ?? text.message) : `${text}`}`);
    if (lines.length > mostLines) lines.shift();
  };
  const levels = Object.fromEntries(['trace', 'debug', 'info', 'warn', 'error'].map((level) => [level, add(level)]));
  const changes = new Emitter<number>();
  return { ...levels, name: 'aiglens', logLevel: 3, onDidChangeLogLevel: changes.event, append: add('info'), appendLine: add('info'), replace: add('info'), clear: () => lines.splice(0), show: () => void shown(lines.join('\n')), hide: () => undefined, dispose: () => undefined };
}

let shown: (text: string) => unknown = () => undefined;
/** Sets the function that shows the log as a text. */
export function showLogBy(show: typeof shown): void {
  shown = show;
}

// Files of the disk. What is saved there goes as a download.

const downloadScheme = 'download';

export async function showSaveDialog({ defaultUri }: { defaultUri?: Uri } = {}): Promise<Uri | undefined> {
  const path = defaultUri?.path ?? '/aiglens.txt';
  const name = await showInputBox({ title: 'Save as a download', value: path.slice(path.lastIndexOf('/') + 1), prompt: 'The browser saves the file where it saves downloads' });
  return name === undefined || name === '' ? undefined : Uri.from({ scheme: downloadScheme, path: `/${name}` });
}

export function isDownload({ scheme }: Uri): boolean {
  return scheme === downloadScheme;
}

export function download(path: string, bytes: Uint8Array): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes as BlobPart]));
  link.download = path.slice(path.lastIndexOf('/') + 1);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** Files that the user chooses on the disk, by their names. */
export function chooseFiles(): Promise<File[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}
