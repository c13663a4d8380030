// Properties as tests. The results come from the status model alone; running a
// test asks the server to check, and cancelling asks it to stop.
import { Disposable, TestRunProfileKind, type TestController, type TestItem, type TestRunRequest, tests, Uri, workspace } from 'vscode';
import type { Checks } from './checks';
import { checkedFiles } from './formats';
import { documentUri, reveal } from './places';
import type { PropertyStatus } from './protocol';
import { Refusal } from './refusal';
import type { Server } from './server';
import { isActive, type StatusChange, type StatusModel } from './status';
import { quiet, type Run, type Sent, TestRuns } from './testRuns';
import { TestTree } from './testTree';

const foundAtMost = 2000; // files of the workspace that are listed before they are opened
const pause = 100; // milliseconds between what is drawn
const settled = 400; // milliseconds without news before verdicts count that no check brought
const answer = 10_000; // milliseconds for the server to read a file

/** The Test Explorer as long as the setting is on, created again when another part marks the rows. */
export class Tests {
  explorer: TestExplorer | undefined;
  private readonly listener: Disposable;

  constructor(
    private readonly model: StatusModel,
    private readonly checks: Checks,
    private readonly server: Pick<Server, 'execute'>,
  ) {
    this.follow();
    this.listener = workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('aiglens.tests') || event.affectsConfiguration('aiglens.gutter')) this.follow();
    });
  }

  dispose(): void {
    this.listener.dispose();
    this.explorer?.dispose();
  }

  private follow(): void {
    const settings = workspace.getConfiguration('aiglens');
    const wanted = settings.get('tests.enabled', true);
    const places = !settings.get('gutter.enabled', true);
    if (this.explorer?.places === (wanted ? places : undefined)) return;
    this.explorer?.dispose();
    this.explorer = wanted ? new TestExplorer(this.model, this.checks, this.server, places) : undefined;
  }
}

export class TestExplorer {
  readonly controller: TestController;
  private readonly tree: TestTree;
  private readonly runs: TestRuns;
  private readonly listeners: Disposable;
  /** What was sent since the last drawing, by file and property. */
  private readonly sent = new Map<string, { whole: boolean; statuses: Map<string, PropertyStatus> }>();
  /** Verdicts that no run waited for, until nothing more comes. */
  private readonly unclaimed = new Map<TestItem, Sent>();
  private drawing: NodeJS.Timeout | undefined;
  private lastDrawn = 0;
  private settling: NodeJS.Timeout | undefined;

  /** @param places whether VS Code knows the rows of the properties; see TestTree */
  constructor(
    private readonly model: StatusModel,
    private readonly checks: Checks,
    server: Pick<Server, 'execute'>,
    readonly places: boolean,
  ) {
    this.controller = tests.createTestController('aiglens', 'aiglens: Properties of Circuits');
    this.tree = new TestTree(this.controller, places);
    this.runs = new TestRuns(this.controller, this.tree, model, checks, server);
    this.controller.createRunProfile('Check', TestRunProfileKind.Run, (request) => this.run(request), true);
    this.controller.resolveHandler = (item) => this.resolve(item);
    this.controller.refreshHandler = () => this.find();
    this.listeners = Disposable.from(
      this.controller,
      model.onDidChange((change) => this.changed(change)),
      model.onDidClear(() => this.cleared()),
      workspace.onDidChangeWorkspaceFolders(() => this.tree.arrange()),
    );
    for (const { uri, properties } of model.files) this.changed({ uri, whole: true, sent: [...properties.values()] });
  }

  /** Shows the row of a property. */
  async goTo(item: TestItem): Promise<void> {
    const { uri, property } = this.tree.subject(item);
    const status = this.model.file(uri ?? '')?.properties.get(property ?? '');
    if (uri !== undefined && status !== undefined) await reveal(uri, status.range, false);
  }

  /** The items of a file by property, each with what it shows. */
  showing(uri: string): [TestItem, string | undefined][] {
    const { properties } = this.model.file(uri) ?? { properties: new Map<string, PropertyStatus>() };
    const items = [...properties.keys()].flatMap((property) => this.tree.propertyItem(uri, property) ?? []);
    return items.map((item) => [item, this.runs.showing(item)]);
  }

  dispose(): void {
    clearTimeout(this.drawing);
    clearTimeout(this.settling);
    this.runs.clear();
    this.listeners.dispose();
  }

  private changed({ uri, whole, sent }: StatusChange): void {
    let pending = this.sent.get(uri);
    if (pending === undefined) this.sent.set(uri, (pending = { whole: false, statuses: new Map() }));
    pending.whole ||= whole;
    for (const status of sent) pending.statuses.set(status.property, status);
    this.drawing ??= setTimeout(() => this.draw(), Math.max(0, this.lastDrawn + pause - Date.now()));
  }

  /** All that was sent at once: items first, then what became of them. */
  private draw(): void {
    clearTimeout(this.drawing);
    this.drawing = undefined;
    this.lastDrawn = Date.now();
    const batch: Sent[] = [];
    for (const [uri, { whole, statuses }] of this.sent) {
      const file = this.model.file(uri);
      if (whole) this.tree.setFile(Uri.parse(uri), file).forEach((gone) => this.runs.drop(gone));
      else this.tree.setProperties(uri, statuses.values());
      for (const status of statuses.values()) {
        const item = this.tree.propertyItem(uri, status.property);
        if (item !== undefined && file?.properties.has(status.property)) batch.push({ uri, item, status });
      }
    }
    this.sent.clear();
    for (const { item, status } of batch) if (isActive(status)) this.unclaimed.delete(item);
    for (const sent of this.runs.follow(batch)) this.unclaimed.set(sent.item, sent);
    if (this.unclaimed.size === 0) return;
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), settled);
  }

  private settle(): void {
    clearTimeout(this.settling);
    const batch = [...this.unclaimed.values()];
    this.unclaimed.clear();
    this.runs.settle(batch);
  }

  private cleared(): void {
    clearTimeout(this.drawing);
    clearTimeout(this.settling);
    this.drawing = undefined;
    this.sent.clear();
    this.unclaimed.clear();
    this.runs.clear();
    for (const uri of this.tree.filesBelow(undefined)) this.tree.setFile(Uri.parse(uri), undefined);
  }

  private async resolve(item: TestItem | undefined): Promise<void> {
    if (item === undefined) return this.find();
    const { uri, property } = this.tree.subject(item);
    if (uri !== undefined && property === undefined) await this.read(uri);
  }

  /** Lists the circuits and Horn clauses of the workspace; nothing is checked and no file is read. */
  private async find(): Promise<void> {
    this.tree.setFound(await workspace.findFiles(checkedFiles, undefined, foundAtMost));
  }

  /** Asks the server to read a file that it knows nothing about, so that its properties are listed. */
  private async read(uri: string): Promise<void> {
    if (this.model.file(uri) !== undefined) return;
    const received = this.nextStatus(uri);
    await workspace.openTextDocument(documentUri(uri));
    await received;
    this.draw();
  }

  /** Waits for the server to send something of a file, but not for ever. */
  private nextStatus(uri: string): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        listener.dispose();
        resolve();
      };
      const timer = setTimeout(done, answer);
      const listener = this.model.onDidChange((change) => change.uri === uri && done());
    });
  }

  private async run(request: TestRunRequest): Promise<void> {
    const everything = request.include === undefined && !request.exclude?.length && (workspace.workspaceFolders ?? []).length > 0;
    const run = this.runs.begin(request, everything);
    try {
      if (everything) await this.runEverything(run);
      else await this.runSome(run, request);
    } finally {
      run.starting = false;
      run.endIfDone();
    }
    // What a check brings may be sent only when it differs from before.
    for (let wait = 300; !run.ended; wait = Math.min(2 * wait, 3000)) {
      await this.runs.ask(run);
      await Promise.race([run.done, new Promise((resolve) => setTimeout(resolve, wait))]);
    }
  }

  /** Every circuit of the workspace, and the open ones outside of it. */
  private async runEverything(run: Run): Promise<void> {
    const outside = [...this.model.files].filter(({ uri }) => workspace.getWorkspaceFolder(Uri.parse(uri)) === undefined);
    await Promise.all([this.checks.checkWorkspace(), ...outside.map(({ uri }) => this.checkFile(run, uri, undefined))]);
    // The files are checked a few at a time, with pauses in which the next ones are read.
    do await new Promise((resolve) => setTimeout(resolve, pause));
    while (!run.ended && this.model.quietFor < quiet);
    // What had its verdict already belongs to the result of everything.
    for (const { uri, properties } of this.model.files) {
      for (const status of properties.values()) {
        const item = this.tree.propertyItem(uri, status.property);
        if (run.ended || item === undefined || run.reported.has(item) || run.open.has(item) || status.verdict === 'none') continue;
        this.runs.report(run, { uri, item, status });
      }
    }
  }

  private async runSome(run: Run, request: TestRunRequest): Promise<void> {
    const excluded = new Set(request.exclude);
    const wanted = new Map<string, Set<string> | undefined>(); // undefined: all of the file
    for (const item of request.include ?? [undefined]) {
      const { uri, property } = item === undefined ? {} : this.tree.subject(item);
      if (uri !== undefined && property !== undefined) {
        if (wanted.has(uri)) wanted.get(uri)?.add(property);
        else wanted.set(uri, new Set([property]));
      } else {
        this.tree.filesBelow(item).forEach((file) => wanted.set(file, undefined));
      }
    }
    await Promise.all([...wanted].map(([uri, properties]) => this.checkFile(run, uri, properties, excluded)));
  }

  /** Asks for a check of some properties of a file, or of all but those that are excluded. */
  private async checkFile(run: Run, uri: string, some: ReadonlySet<string> | undefined, excluded: ReadonlySet<TestItem> = new Set()): Promise<void> {
    const fileItem = this.tree.fileItem(uri);
    if (fileItem !== undefined && (excluded.has(fileItem) || (fileItem.parent !== undefined && excluded.has(fileItem.parent)))) return;
    const asked = this.model.file(uri) === undefined ? this.checkClosed(uri) : undefined;
    if ((await asked) === false) {
      if (fileItem !== undefined) run.run.skipped(fileItem); // no property is in it
      return;
    }
    const all = [...(this.model.file(uri)?.properties.keys() ?? [])];
    const items = all.flatMap((property) => {
      const item = this.tree.propertyItem(uri, property);
      const wanted = item !== undefined && (some === undefined || some.has(property)) && !excluded.has(item);
      return wanted ? [{ property, item }] : [];
    });
    items.forEach(({ item }) => this.runs.claim(run, item));
    if (asked !== undefined) return;
    try {
      if (items.length === all.length) {
        await this.checks.check({ uri });
      } else {
        await Promise.all(items.map(({ property, item }) => this.checkProperty(run, item, { uri, property })));
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      items.forEach(({ item }) => this.runs.refuse(run, item, error.message));
    }
  }

  /** Has a file checked that is not open, and waits for its properties; false when it has none. */
  private async checkClosed(uri: string): Promise<boolean> {
    const received = this.nextStatus(uri);
    await this.checks.check({ uri });
    await received;
    this.draw();
    return this.model.file(uri) !== undefined;
  }

  private async checkProperty(run: Run, item: TestItem, params: { uri: string; property: string }): Promise<void> {
    try {
      await this.checks.check(params);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.runs.refuse(run, item, error.message);
    }
  }
}
