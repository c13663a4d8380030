// What the user asks of checks, from wherever it is asked: commands, status bar
// and Test Explorer. Stopping shows at once that it was understood; what became
// of the checks is then up to the server to say.
import { type Disposable, EventEmitter } from 'vscode';
import * as protocol from './protocol';
import type { Server } from './server';
import type { StatusModel } from './status';

/** Milliseconds to wait for the status that follows an answered stop. */
const patience = 1000;

export class Checks {
  private stops = 0;
  private readonly changes = new EventEmitter<void>();
  /** After stopping became another. */
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly server: Pick<Server, 'execute'>,
    private readonly model: StatusModel,
  ) {}

  /** The user asked to stop, and what follows from that was not told yet. */
  get stopping(): boolean {
    return this.stops > 0;
  }

  check(params: protocol.PropertyParams): Promise<null | undefined> {
    return this.server.execute(protocol.check, params);
  }

  /** Stops the checks of a property or a file, without a file all of them. */
  stop(params: protocol.StopParams = {}): Promise<null | undefined> {
    return this.followStop(this.server.execute(protocol.stop, params));
  }

  /** Undefined when the server does not run. */
  checkWorkspace(): Promise<protocol.WorkspaceCheck | undefined> {
    return this.server.execute(protocol.checkWorkspace, {});
  }

  recheckFailed(uri?: string): Promise<null | undefined> {
    return this.server.execute(protocol.recheckFailed, uri === undefined ? {} : { uri });
  }

  async properties(uri: string): Promise<protocol.PropertyStatus[]> {
    return (await this.server.execute(protocol.properties, { uri })) ?? [];
  }

  async history(uri: string): Promise<protocol.HistoryEntry[]> {
    return (await this.server.execute(protocol.history, { uri })) ?? [];
  }

  /** For a stop that was sent otherwise, as by a lens. */
  async followStop<Result>(answer: Promise<Result>): Promise<Result> {
    this.count(+1);
    try {
      const result = await answer;
      void this.nextStatus().then(() => this.count(-1));
      return result;
    } catch (error) {
      this.count(-1);
      throw error;
    }
  }

  dispose(): void {
    this.changes.dispose();
  }

  private count(by: number): void {
    this.stops += by;
    this.changes.fire();
  }

  private nextStatus(): Promise<void> {
    return new Promise((resolve) => {
      const listeners: Disposable[] = [];
      const done = () => {
        clearTimeout(timer);
        listeners.forEach((listener) => void listener.dispose());
        resolve();
      };
      const timer = setTimeout(done, patience);
      listeners.push(this.model.onDidChange(done), this.model.onDidClear(done));
    });
  }
}
