// The listeners to the notifications of the server.
import { Disposable } from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { ToClient } from './protocol';

/** Of a notification that is not known any more here; what it carries is what ToClient says. */
type Listener = (params: never) => void;

/** Any number of listeners for each notification: a client by itself keeps only the last. */
export class Listeners {
  private readonly all: Map<string, Set<Listener>>;

  /** @param others whose present listeners listen as well */
  constructor(others?: Listeners) {
    this.all = new Map([...(others?.all ?? [])].map(([notification, listeners]) => [notification, new Set(listeners)]));
  }

  add<Params>(notification: ToClient<Params>, listener: (params: Params) => void): Disposable {
    const listeners = this.all.get(notification) ?? new Set();
    this.all.set(notification, listeners.add(listener));
    return new Disposable(() => listeners.delete(listener));
  }

  /** Tells all present listeners about a client. */
  connect(client: Pick<BaseLanguageClient, 'onNotification'>): void {
    for (const [notification, listeners] of this.all) {
      client.onNotification(notification, (params: unknown) => listeners.forEach((listener) => listener(params as never)));
    }
  }
}
