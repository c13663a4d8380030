/// <reference lib="dom" />
// The page: an editor with the extension around it, files, and what the address asks for.
import { editor as monaco } from 'monaco-editor/editor/editor.api.js';
import type { ExtensionContext } from 'vscode';
import { activate } from '../src/extension';
import { documentUri } from '../src/places';
import type { StatusModel } from '../src/status';
import { webHost } from '../src/web/host';
import { type Address, fileNameOf, fragmentOf, linkOf, type Panel, parse, withoutEmbed } from './address';
import './features';
import { FileList } from './fileList';
import { Files } from './files';
import { contributeTo, notHere } from './keys';
import { registerLanguages } from './languages';
import { memento } from './memento';
import { type Pane, Panes } from './panes';
import { freeName } from './patterns';
import { isSave } from './saveKey';
import { split } from './split';
import { browserStorage } from './storage';
import { actsIn, executeCommand, onFailure, registerCommand } from './vscode/commands';
import { close, type Document, documents, type Followed, onDidChangeDirty, onDidFollow, openTextDocument, replaceText } from './vscode/documents';
import { activeTextEditor, EditorPlace, setReadOnly } from './vscode/editors';
import { provide, Uri } from './vscode/index';
import { type Look, looks, onSystemChange, setLook, systemLook } from './vscode/theme';
import { provideWebviews, showView } from './vscode/webviews';
import { chooseFiles, download, provideWindow, showErrorMessage, setStatusBarMessage, showInformationMessage, showLogBy, showWarningMessage } from './vscode/window';

/** What was built with the page; bundles.mjs says it. */
declare const built: { version: string; worker: string; files: Record<string, string>; examples: string[] };

/** What people have chosen, and seen. */
const kept = memento('page');

const byId = <Kind extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as Kind;

/** A file that belongs to the page, by the name that it has in the extension. */
async function load(name: string): Promise<Blob> {
  const ask = async (cache: RequestCache) => {
    const answer = await fetch(built.files[name] ?? name, { cache });
    return answer.ok ? answer.blob() : answer.status;
  };
  // The cache of a browser may fail while a file comes: Chromium's does when two tabs that open at once load a large one.
  const there = await ask('default').catch(() => ask('no-store')).catch(() => undefined);
  if (!(there instanceof Blob)) throw new Error(`${name} cannot be loaded: ${there === undefined ? 'there is no connection to the host' : `the host answers ${there}`}`);
  return there;
}

const untilLoaded = new Map<string, Promise<string>>();
/** The text of a bundle, which is loaded when a panel needs it first. */
function bundle(name: string): Promise<string> {
  const there = untilLoaded.get(name) ?? load(name).then((file) => file.text());
  untilLoaded.set(name, there);
  there.catch(() => untilLoaded.delete(name)); // the next panel tries again
  return there;
}

const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer());

/** What is shown where nothing else is asked for. */
const first = '/semaphore2_broken.aag';

/** What is typed is stored before the page goes, as far as the browser gives it the time; a tab that comes back shows what others have written. */
function keepStored(files: Files): void {
  addEventListener('visibilitychange', () => void (document.visibilityState === 'hidden' ? files.store() : files.refresh()));
  addEventListener('pagehide', () => void files.store());
  addEventListener('beforeunload', (event) => {
    void files.store();
    if (files.isAtRisk) event.preventDefault();
  });
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Tells the user of what fails. */
const told = (work: Promise<unknown>): Promise<void> => work.then(() => undefined, (error: unknown) => void showErrorMessage(wordsOf(error)));

const narrow = matchMedia('(max-width: 700px)');

const options: monaco.IStandaloneEditorConstructionOptions = {
  model: null,
  automaticLayout: true,
  glyphMargin: true,
  minimap: { enabled: false },
  lineNumbersMinChars: 3,
  scrollBeyondLastLine: false,
  'semanticHighlighting.enabled': true,
  wordBasedSuggestions: 'off',
  acceptSuggestionOnEnter: 'smart',
  formatOnType: true,
  fixedOverflowWidgets: true,
  stickyScroll: { enabled: false },
  inlayHints: { enabled: 'on', maximumLength: 120 },
  fontFamily: 'ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace',
  folding: true,
  accessibilitySupport: 'auto',
  largeFileOptimizations: true,
  ariaLabel: 'Text of the circuit',
};

class Page {
  readonly widget = monaco.create(byId('text'), options);
  readonly text = new EditorPlace(this.widget, 1);
  readonly below = new Panes(byId('below'), 'Runs', () => this.arrange());
  readonly beside = new Panes(byId('beside'), 'Circuit', () => this.arrange());
  private readonly asides = new Map<Document, { pane: Pane; place: EditorPlace }>();
  private list!: FileList;

  async start(): Promise<void> {
    this.chooseLook();
    provideWindow({ messages: byId('messages'), status: byId('status') });
    onFailure((error) => void showErrorMessage(wordsOf(error)));
    const given = new Map(built.examples.map((name) => [`/${name}`, async () => bytesOf(await load(`examples/${name}`))] as const));
    const files = new Files(browserStorage(), given, {
      refused: (reason) => void showWarningMessage(`The browser stores nothing (${reason}). What you write here lasts until you close the page: download it to keep it.`),
      both: (path, other) => void showWarningMessage(`${fileNameOf(path)} was changed in two tabs. Here it is as this tab has it; ${fileNameOf(other)} is what the other tab wrote.`),
    });
    await files.refresh();
    keepStored(files);
    provide({ files, own: async (name) => bytesOf(await load(name)), text: this.text, aside: (document) => this.aside(document), openFile: (document) => this.show(document) });
    provideWebviews({ below: this.below, beside: this.beside, bundle, key: (key, shift) => this.key(key, shift) });
    this.list = new FileList(byId('list'), files, built.examples, { open: (path) => void told(this.open(path)), remove: (path) => told(this.remove(path)) });
    registerLanguages();
    actsIn(() => activeTextEditor()?.widget ?? this.widget);
    contributeTo(this.widget);
    this.commands();
    split(byId('belowBorder'), byId('below'), 'y', '--below');
    split(byId('besideBorder'), byId('beside'), 'x', '--beside');
    onDidChangeDirty(() => this.list.draw());
    onDidFollow((one) => this.followed(one));
    setReadOnly(narrow.matches);
    narrow.addEventListener('change', () => {
      setReadOnly(narrow.matches);
      this.arrange();
    });
    const context = { extensionUri: Uri.parse('bundle:/'), extensionPath: '', subscriptions: [], workspaceState: memento('workspace'), globalState: memento('global'), extension: { packageJSON: { version: built.version } } };
    // The text is there before the server is.
    const activated = activate(context as unknown as ExtensionContext, (log) => ({ ...webHost(context.extensionUri, log), absent: notHere }));
    addEventListener('hashchange', () => void told(this.follow(location.hash)));
    void told(activated.then((drawn) => this.started(drawn)));
    await told(this.follow(location.hash));
  }

  private model: StatusModel | undefined;

  /** The server runs, or cannot. Only now is everything loaded once more, to be kept. */
  private started({ model }: Awaited<ReturnType<typeof activate>>): void {
    this.model = model;
    model.onDidChange(({ uri }) => void this.openPanels(uri));
    void this.openPanels(this.wanted?.uri ?? '');
    if ('serviceWorker' in navigator) navigator.serviceWorker.register('service.js').catch((error: unknown) => console.warn(error));
  }

  // Texts.

  /** Counts what was asked for: what comes late, after something else was asked for, is not shown. */
  private asked = 0;

  /** Reports whether the file is shown. */
  private async open(path: string): Promise<boolean> {
    const asked = ++this.asked;
    const document = await openTextDocument(documentUri(Uri.from({ scheme: 'file', path }).toString()));
    if (asked !== this.asked) return false;
    this.show(document);
    if (!narrow.matches) this.widget.focus();
    return true;
  }

  private show(document: Document) {
    const editor = this.text.show(document);
    void kept.update('last', document.uri.path);
    this.list.shown(document.uri.path);
    window.document.title = `${fileNameOf(document.uri.path)} – aiglens`;
    return editor;
  }

  private async remove(path: string): Promise<void> {
    const { files } = this.list;
    const name = fileNameOf(path);
    const isExample = built.examples.includes(name);
    const remove = isExample ? 'Take Back' : 'Remove';
    if ((await showWarningMessage(isExample ? `${name} is shown as it was given, without what you changed.` : `${name} is removed from this browser.`, remove, 'Keep')) !== remove) return;
    await files.remove(path);
    if (isExample) return; // its document follows
    const there = documents().find(({ uri }) => uri.path === path && uri.scheme === 'file');
    if (there === undefined) return;
    if (this.text.current?.document === there) await this.open(first);
    close(there);
  }

  /** Another tab has changed what is open here. */
  private followed({ document, kind, wasChanged }: Followed): void {
    const name = fileNameOf(document.uri.path);
    if (kind === 'removed') void showWarningMessage(`${name} was removed in another tab. Save it here to keep it.`);
    else if (wasChanged) void showInformationMessage(`${name} was changed in another tab, and is shown as it is there. Undo brings back what stood here.`);
    else if (!document.isDirty) setStatusBarMessage(`${name} was changed in another tab`);
  }

  /** A text about others, in a place of its own beside. */
  private aside(document: Document) {
    const there = this.asides.get(document);
    if (there !== undefined) {
      this.beside.show(there.pane, false);
      return there.place.show(document);
    }
    const element = window.document.createElement('div');
    element.className = 'aside';
    const widget = monaco.create(element, { ...options, readOnly: true, glyphMargin: false, lineNumbers: 'off', wordWrap: 'on' });
    const placed = new EditorPlace(widget, 2);
    const pane: Pane = {
      element,
      title: fileNameOf(document.uri.path).replace(/\.txt$/, ''),
      focus: () => widget.focus(),
      closed: () => {
        this.asides.delete(document);
        this.beside.remove(pane);
        placed.dispose();
        close(document);
      },
    };
    this.asides.set(document, { pane, place: placed });
    this.beside.show(pane, false);
    return placed.show(document);
  }

  // What the address asks for.

  private wanted: { uri: string; panels: readonly Panel[] } | undefined;

  private async follow(fragment: string): Promise<void> {
    const asked = ++this.asked;
    let address: Address;
    try {
      address = await parse(fragment);
    } catch (error) {
      void showErrorMessage(`The address holds no text that can be read: ${wordsOf(error)}`);
      address = { panels: [], embed: false };
    }
    window.document.documentElement.classList.toggle('embed', address.embed);
    const whole = byId<HTMLAnchorElement>('whole');
    whole.hidden = !address.embed;
    whole.href = withoutEmbed(fragment);
    const path = await this.pathOf(address);
    if (asked !== this.asked || !(await this.open(path))) return;
    const uri = this.text.current!.document.uri.toString();
    this.wanted = { uri, panels: address.panels };
    await executeCommand('aiglens.checkFile').catch((error: unknown) => console.warn(error));
    await this.openPanels(uri);
  }

  private async pathOf({ text, name = 'shared.aag', example }: Address): Promise<string> {
    if (text !== undefined) return this.shared(name, text);
    const named = example === undefined ? undefined : (built.examples.find((one) => one === example) ?? built.examples.find((one) => one.startsWith(`${example}.`)) ?? built.examples.find((one) => one.startsWith(example)));
    if (example !== undefined && named === undefined) void showErrorMessage(`There is no example called ${example}.`);
    const last = kept.get('last', '')!;
    return named !== undefined ? `/${named}` : this.list.files.has(last) ? last : first;
  }

  /** The file that a link leads to: the one that it has led to before, with what was changed since. */
  private async shared(name: string, text: string): Promise<string> {
    const { files } = this.list;
    const link = linkOf(name, text);
    const isText = (bytes: Uint8Array | undefined) => bytes !== undefined && new TextDecoder().decode(bytes) === text;
    const sameName = isText(files.ofUser(`/${name}`)?.bytes) || isText(await files.asGiven(`/${name}`).catch(() => undefined)) ? `/${name}` : undefined;
    const path = files.linked(link) ?? sameName ?? `/${freeName(name, (one) => files.has(`/${one}`))}`;
    if (!files.has(path)) await files.write(path, new TextEncoder().encode(text));
    await files.link(path, link);
    const document = await openTextDocument(Uri.from({ scheme: 'file', path }));
    if (document.getText() !== text) void this.offer(document, text);
    return path;
  }

  private async offer(document: Document, text: string): Promise<void> {
    const back = 'Show It as Shared';
    const chosen = await showInformationMessage(`${fileNameOf(document.uri.path)} was changed since it was shared, and is shown with the changes.`, back);
    if (chosen === back && !document.isClosed) replaceText(document, text);
  }

  /** Opens the panels that the address names, each once there is something to show in it. */
  private async openPanels(uri: string): Promise<void> {
    const { wanted } = this;
    if (wanted === undefined || wanted.uri !== uri) return;
    const all = [...(this.model?.file(uri)?.properties.values() ?? [])];
    if (all.length === 0 || all.some(({ verdict, freshness }) => verdict === 'none' || freshness !== 'fresh')) return;
    this.wanted = undefined;
    const shown = all.find(({ verdict }) => verdict === 'refuted') ?? all[0]!;
    const about = { uri, property: shown.property };
    if (this.widget.getPosition()?.lineNumber === 1) {
      const lineNumber = shown.range.start.line + 1;
      this.widget.setPosition({ lineNumber, column: 1 });
      this.widget.revealLineInCenterIfOutsideViewport(lineNumber);
    }
    for (const panel of wanted.panels) {
      if (panel === 'trace' && shown.verdict === 'refuted') await executeCommand('aiglens.showTrace', about);
      if (panel === 'circuit') await executeCommand(shown.verdict === 'refuted' ? 'aiglens.whyFails' : 'aiglens.showCircuit', about);
      if (panel === 'schematic') await executeCommand('aiglens.drawCone', about);
      if (panel === 'states') await executeCommand('aiglens.drawStates', about);
    }
  }

  // What can be done.

  private commands(): void {
    const run = (id: string, command: string) => byId(id).addEventListener('click', () => void told(executeCommand(command)));
    registerCommand('page.save', () => this.save());
    registerCommand('page.share', () => this.share());
    registerCommand('page.open', () => this.openFromDisk());
    registerCommand('page.download', () => this.download());
    registerCommand('page.new', () => this.create());
    registerCommand('aiglens.circuit.focus', (given) => showView('aiglens.circuit', 'Circuit', (given as { preserveFocus?: boolean } | undefined)?.preserveFocus === true));
    registerCommand('workbench.action.newGroupBelow', () => undefined);
    registerCommand('workbench.action.toggleEditorGroupLayout', () => undefined);
    registerCommand('workbench.action.focusFirstEditorGroup', () => this.widget.focus());
    registerCommand('workbench.action.openSettings', () => showInformationMessage('This page uses the default settings. VS Code lets you change them.'));
    registerCommand('vscode.openWith', () => undefined);
    registerCommand('editor.action.goToLocations', (uri, position, locations) => this.widget.trigger('aiglens', 'editor.action.goToLocations', [uri, position, locations, 'goto']));
    run('save', 'page.save');
    run('trace', 'aiglens.showTrace');
    run('circuit', 'aiglens.showCircuit');
    run('schematic', 'aiglens.drawCone');
    run('play', 'aiglens.playCircuit');
    run('share', 'page.share');
    run('open', 'page.open');
    run('download', 'page.download');
    run('new', 'page.new');
    byId('all').addEventListener('click', () => {
      this.widget.focus();
      this.widget.trigger('aiglens', 'editor.action.quickCommand', undefined);
    });
    byId('dismiss').addEventListener('click', () => {
      void kept.update('welcomed', true);
      byId('welcome').hidden = true;
      this.widget.focus();
    });
    byId('welcome').hidden = kept.get('welcomed', false)!;
    byId('offline').hidden = !('serviceWorker' in navigator);
    showLogBy((text) => openTextDocument({ content: text, language: 'plaintext' }).then((log) => this.aside(log)));
    addEventListener('keydown', (event) => {
      if (isSave(event)) {
        event.preventDefault();
        void told(this.save());
      } else if (event.key === 'F6') {
        event.preventDefault();
        this.key('F6', event.shiftKey);
      }
    });
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      void told(this.take([...(event.dataTransfer?.files ?? [])]));
    });
    const choice = byId<HTMLSelectElement>('look');
    choice.append(...Object.entries(looks).map(([value, text]) => new Option(text, value)));
    choice.value = kept.get('look', '')!;
    choice.addEventListener('change', () => {
      void kept.update('look', choice.value);
      this.chooseLook();
    });
    onSystemChange(() => this.chooseLook());
  }

  private chooseLook(): void {
    const look = kept.get<string>('look', '')!;
    setLook(look in looks ? (look as Look) : systemLook());
  }

  /** A save is when circuits are checked. */
  private async save(): Promise<void> {
    const document = this.text.current?.document;
    if (document === undefined) return;
    if (document.uri.scheme === 'file') await document.save();
    else await executeCommand('aiglens.checkFile');
  }

  private async share(): Promise<void> {
    const { current } = this.text;
    if (current === undefined) return;
    const { path, scheme } = current.document.uri;
    const isText = scheme === 'file';
    const [name, text] = [isText ? fileNameOf(path) : fileNameOf(path).replace(/\.aig\b.*$/, '.aag'), current.document.getText()];
    if (isText) await this.list.files.link(path, linkOf(name, text)); // the link leads back here
    const open: Panel[] = this.below.isEmpty ? [] : ['trace'];
    const address = `${location.href.replace(/#.*$/, '')}${await fragmentOf({ name, text, panels: open })}`;
    history.replaceState(null, '', address);
    const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
    const long = address.length > 8000 ? ` It has ${address.length} characters: not every program takes so many.` : '';
    void showInformationMessage(`${copied === true ? 'A link with this text is in the clipboard' : 'The address of this page is a link with this text'}. The text is in the link itself, and nowhere else.${long}`);
  }

  private async openFromDisk(): Promise<void> {
    await this.take(await chooseFiles());
  }

  private async take(all: readonly File[]): Promise<void> {
    let last: string | undefined;
    for (const file of all) {
      const path = `/${freeName(fileNameOf(file.name), (one) => this.list.files.has(`/${one}`))}`;
      await this.list.files.write(path, new Uint8Array(await file.arrayBuffer()));
      last = path;
    }
    if (last !== undefined && (await this.open(last))) await executeCommand('aiglens.checkFile');
  }

  private download(): void {
    const document = this.text.current?.document;
    if (document !== undefined) download(document.uri.path, new TextEncoder().encode(document.getText()));
  }

  private async create(): Promise<void> {
    const path = `/${freeName('circuit.aag', (one) => this.list.files.has(`/${one}`))}`;
    await this.list.files.write(path, new Uint8Array());
    await this.open(path);
  }

  /** From the text to what is below, beside, and back. */
  private key(key: string, back: boolean): void {
    if (key === 'F1') return byId('all').click();
    if (key === 's') return void told(this.save());
    const stops = [{ has: () => byId('text').contains(window.document.activeElement), focus: () => this.widget.focus() }, ...[this.below, this.beside].filter(({ isEmpty }) => !isEmpty).map((panes) => ({ has: () => panes.place.contains(window.document.activeElement), focus: () => panes.focus() })), { has: () => byId('bar').contains(window.document.activeElement), focus: () => byId('save').focus() }];
    const at = stops.findIndex(({ has }) => has());
    stops[(at + (back ? -1 : 1) + stops.length) % stops.length]!.focus();
  }

  private arrange(): void {
    byId('below').hidden = byId('belowBorder').hidden = this.below.isEmpty;
    byId('beside').hidden = byId('besideBorder').hidden = this.beside.isEmpty;
  }
}

/** From its text: so the policy of this page holds in it. From an address it would have the policy that the host sends. */
async function workerScript(): Promise<string> {
  for (;;) {
    try {
      return URL.createObjectURL(await load(built.worker));
    } catch (error) {
      console.warn(error);
      await new Promise((again) => setTimeout(again, 2000)); // the text can be read and written without it
    }
  }
}

let script: Promise<string> | undefined;
const editorWorker = async () => new Worker(await (script ??= workerScript()));

self.MonacoEnvironment = { getWorker: editorWorker };
void new Page().start().catch((error: unknown) => {
  byId('messages').textContent = `The page cannot start: ${wordsOf(error)}`;
  console.error(error);
});
