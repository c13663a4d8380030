// The client of a server that is a worker. Each start has a worker of its own.
import { BaseLanguageClient, BrowserMessageReader, BrowserMessageWriter, type LanguageClientOptions, type MessageTransports, type ShutdownMode } from 'vscode-languageclient/browser';
import type { Started, Workers } from './workers';

export class WorkerClient extends BaseLanguageClient {
  private server: Started | undefined;

  constructor(
    private readonly workers: Workers,
    options: LanguageClientOptions,
  ) {
    super('aiglens', 'aiglens', options);
  }

  protected override async createMessageTransports(): Promise<MessageTransports> {
    this.server?.end();
    // A worker that ends is for the client what a process that ends is.
    const server = await this.workers.start('serve', () => reader.end());
    this.server = server;
    const reader = new Reader(server.port);
    return { reader, writer: new BrowserMessageWriter(server.port) };
  }

  protected override shutdown(mode: ShutdownMode, timeout?: number): Promise<void> {
    return super.shutdown(mode, timeout).finally(() => this.server?.end());
  }
}

class Reader extends BrowserMessageReader {
  end(): void {
    this.fireClose();
  }
}
