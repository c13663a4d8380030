// The part of VS Code that keeps tests, with a record of what a run was told.
import { vi } from 'vitest';
import { EventEmitter, type Range, type TestMessage, type TestRunRequest, tests, type Uri } from './vscode';

export class Item {
  parent: Item | undefined;
  children = new Items(this);
  sortText?: string;
  description?: string;
  range?: Range;
  canResolveChildren = false;
  constructor(
    readonly id: string,
    public label: string,
    readonly uri?: Uri,
  ) {}
}

export class Items {
  private readonly map = new Map<string, Item>();
  constructor(private readonly owner?: Item) {}
  get size(): number {
    return this.map.size;
  }
  add(item: Item): void {
    item.parent = this.owner;
    this.map.set(item.id, item);
  }
  delete(id: string): void {
    this.map.delete(id);
  }
  replace(items: Item[]): void {
    this.map.clear();
    items.forEach((item) => this.add(item));
  }
  get(id: string): Item | undefined {
    return this.map.get(id);
  }
  get labels(): string[] {
    return [...this.map.values()].sort((a, b) => (a.sortText ?? a.label).localeCompare(b.sortText ?? b.label)).map(({ label }) => label);
  }
}

/** A run that writes down what it is told: `passed bad:0 1500`. */
export class FakeRun {
  readonly log: string[] = [];
  readonly messages: TestMessage[] = [];
  private readonly cancellation = new EventEmitter<void>();
  readonly token = { onCancellationRequested: this.cancellation.event };
  constructor(readonly request: TestRunRequest) {}
  cancel(): void {
    this.cancellation.fire();
  }
  enqueued = (item: Item) => this.note('enqueued', item);
  started = (item: Item) => this.note('started', item);
  skipped = (item: Item) => this.note('skipped', item);
  passed = (item: Item, duration?: number) => this.note('passed', item, duration);
  failed = (item: Item, message: TestMessage, duration?: number) => this.note('failed', item, duration, message);
  errored = (item: Item, message: TestMessage, duration?: number) => this.note('errored', item, duration, message);
  appendOutput = () => {};
  end = () => void this.log.push('end');
  private note(what: string, item: Item, duration?: number, message?: TestMessage): void {
    this.log.push([what, item.id, ...(duration === undefined ? [] : [duration])].join(' '));
    if (message !== undefined) this.messages.push(message);
  }
}

export class Controller {
  readonly items = new Items();
  readonly runs: FakeRun[] = [];
  readonly invalidated: string[] = [];
  resolveHandler?: (item: Item | undefined) => Promise<void>;
  refreshHandler?: () => Promise<void>;
  run: (request: TestRunRequest) => Promise<void> = async () => {};
  createRunProfile = (_label: string, _kind: number, handler: (request: TestRunRequest) => Promise<void>) => {
    this.run = handler;
  };
  createTestItem = (id: string, label: string, uri?: Uri) => new Item(id, label, uri);
  createTestRun = (request: TestRunRequest) => {
    const run = new FakeRun(request);
    this.runs.push(run);
    return run;
  };
  invalidateTestResults = (items: Item | Item[]) => void this.invalidated.push(...[items].flat().map(({ id }) => id));
  dispose = vi.fn();
  /** What every run was told, one after the other. */
  get log(): string[] {
    return this.runs.flatMap(({ log }) => log);
  }
}

export function fakeController(): Controller {
  const controller = new Controller();
  tests.createTestController.mockReturnValue(controller);
  return controller;
}

