// The running server: starts it, stops it, restarts it, and says so when it
// cannot be started. One language client belongs to one run of the server.
import { type CancellationToken, CancellationTokenSource, commands, type Disposable, EventEmitter, type ExtensionContext, type LogOutputChannel, type TextDocument, window } from 'vscode';
import {
  type BaseLanguageClient,
  CloseAction,
  type CloseHandlerResult,
  CodeLensRefreshRequest,
  CodeLensRequest,
  DidChangeConfigurationNotification,
  ErrorAction,
  type ErrorHandler,
  type ErrorHandlerResult,
  ExecuteCommandRequest,
  type LanguageClientOptions,
  type Message,
  MessageType,
  type Middleware,
  ResponseError,
  RevealOutputChannelOn,
  ShowMessageNotification,
  State,
} from 'vscode-languageclient';
import { decodedScheme } from './decodedUri';
import { answerEarly, roundTrip } from './early';
import { EarlySaves } from './earlySaves';
import { LensRefresher } from './lenses';
import { Listeners } from './listeners';
import { clauseFiles, clauseLanguages, languages } from './formats';
import type { Host } from './host';
import * as protocol from './protocol';
import { Refusal } from './refusal';
import { answerWithTrust, serverPath, serverSettings } from './settings';
import { StatusFeature, type StatusModel } from './status';
import { tell } from './telling';
import { difference, isNew } from './versions';

/**
 * Documents with verdicts: files, new texts and decoded files. No git:, no comparison with an older version: what
 * is not the text that is being worked on gets none.
 */
function documentsOf(schemes: readonly string[]) {
  // A file of clauses may be one of another extension's language.
  return [...schemes, 'untitled', decodedScheme].flatMap((scheme) => [
    ...[...languages, ...clauseLanguages].map((language) => ({ language, scheme })),
    { pattern: clauseFiles, scheme },
  ]);
}

/** Milliseconds that a client which starts by itself may take before it is given up for another. */
const patience = 2000;

/** Milliseconds after which the user is told that a server which was started does not answer. */
const silence = 30_000;

export class Server {
  private client: BaseLanguageClient | undefined;
  private readonly listeners = new Listeners();
  /** The setting aiglens.server.path as the last start found it. */
  private path: string | undefined;
  private readonly lenses = new LensRefresher(
    () => this.lensProviders.keys(),
    () => this.tellOfLenses(),
  );
  /** VS Code asks for the lenses of a document, or this client does. */
  readonly onDidAskForLenses = this.lenses.onDidAsk;
  private readonly changes = new EventEmitter<void>();
  /** It runs now, or runs no more; see state. */
  readonly onDidChangeState = this.changes.event;
  private starting = true;
  /** A client that starts, and of whose server the user was told that it does not answer. */
  private silent: BaseLanguageClient | undefined;
  // Starts and stops happen one after the other, however they were asked for.
  private queue: Promise<void> = Promise.resolve();
  private readonly documents: ReturnType<typeof documentsOf>;

  constructor(
    private readonly context: ExtensionContext,
    private readonly host: Pick<Host, 'absent' | 'findServer' | 'program' | 'schemes'>,
    private readonly log: LogOutputChannel,
    private readonly model: StatusModel,
    private readonly middleware: Middleware,
  ) {
    this.documents = documentsOf(host.schemes);
    model.onDidClear(() => this.lenses.clear());
  }

  get state(): 'starting' | 'running' | 'stopped' {
    if (this.running !== undefined) return 'running';
    return this.starting || this.client?.state === State.Starting ? 'starting' : 'stopped';
  }

  get running(): BaseLanguageClient | undefined {
    return this.client?.isRunning() ? this.client : undefined;
  }

  /** The client once all starts and stops that were asked for are over; undefined when the server does not run. */
  private async started(): Promise<BaseLanguageClient | undefined> {
    for (let queue; queue !== this.queue; await queue) queue = this.queue;
    await this.startAgain();
    return this.running;
  }

  /** Waits for a client that starts by itself, after the server has died. */
  private async startAgain(): Promise<void> {
    if (this.client?.state === State.Starting) await this.client.start().catch(() => {}); // the client tells the reason
  }

  start(): Promise<void> {
    return this.enqueue(() => this.doStart());
  }

  stop(): Promise<void> {
    this.giveUp();
    return this.enqueue(() => this.doStop());
  }

  restart(): Promise<void> {
    this.giveUp();
    return this.enqueue(async () => {
      await this.doStop();
      await this.doStart();
    });
  }

  /**
   * Restarts when the setting says another path than at the last start. Compared
   * rather than asked of the event: while a remote window opens, VS Code takes
   * back settings that belong to the other machine without an event for each.
   */
  pathChanged(): void {
    if (serverPath() !== this.path) {
      this.path = serverPath();
      void this.restart();
    }
  }

  /**
   * Has the server execute one of its commands; undefined, with a message, when
   * it does not run.
   *
   * @throws Refusal when the server does not follow the command
   */
  execute<Params, Answer>(command: protocol.Command<Params, Answer>, params: NoInfer<Params>, token?: CancellationToken): Promise<Answer | undefined> {
    return this.send(ExecuteCommandRequest.method, { command, arguments: [params] }, token);
  }

  /** Sends a request, as execute does a command. */
  request<Params, Answer>(request: protocol.Request<Params, Answer>, params: NoInfer<Params>, token?: CancellationToken): Promise<Answer | undefined> {
    return this.send(request, params, token);
  }

  /** What the answer is follows from the method: only the two above know. */
  private async send<Answer>(method: string, params: unknown, token?: CancellationToken): Promise<Answer | undefined> {
    const client = await this.started();
    if (client === undefined) {
      void this.report('The server is not running.');
      return undefined;
    }
    try {
      // A token that is undefined would be sent as a second parameter.
      return await (token === undefined ? client.sendRequest<Answer>(method, params) : client.sendRequest<Answer>(method, params, token));
    } catch (error) {
      throw error instanceof ResponseError ? new Refusal(error.message, (error as ResponseError<protocol.RefusalData>).data?.earlier) : error;
    }
  }

  /** Sends a notification, unless the server does not run. */
  notify<Params>(notification: protocol.ToServer<Params>, params: NoInfer<Params>): void {
    void this.running?.sendNotification(notification, params).catch((error: unknown) => this.log.debug(`${notification}: ${String(error)}`));
  }

  /** Tells the server the settings, and whether the user trusts the folders. */
  tellSettings(): void {
    void this.running?.sendNotification(DidChangeConfigurationNotification.type, { settings: { aiglens: serverSettings() } });
  }

  /** Listens to a notification of every server that is started from now on. */
  listen<Params>(notification: protocol.ToClient<Params>, listener: (params: Params) => void): Disposable {
    return this.listeners.add(notification, listener);
  }

  /** What the server says of its version; undefined when it does not run. */
  get version(): Promise<string | undefined> {
    return this.started().then((client) => client?.initializeResult?.serverInfo?.version);
  }

  private enqueue(task: () => Promise<void>): Promise<void> {
    this.queue = this.queue
      .then(task)
      .catch((error: unknown) => this.log.error(error instanceof Error ? error : String(error)))
      .finally(() => this.changes.fire());
    return this.queue;
  }

  /** Asks for the lenses of a document, as VS Code does where it shows them. */
  askForLenses(document: TextDocument): void {
    const provider = this.running?.getFeature(CodeLensRequest.method).getProvider(document)?.provider;
    void Promise.resolve(provider?.provideCodeLenses(document, new CancellationTokenSource().token)).catch((error: unknown) => this.log.debug(`lenses: ${String(error)}`));
  }

  /** Has VS Code ask for the lenses again, some time later. */
  private tellOfLenses(): void {
    for (const provider of new Set(this.lensProviders.values())) provider.onDidChangeCodeLensEmitter.fire();
  }

  /** What answers for the lenses of each document in view. */
  private get lensProviders() {
    const feature = this.running?.getFeature(CodeLensRequest.method);
    return new Map(
      window.visibleTextEditors.flatMap(({ document }) => {
        const provider = feature?.getProvider(document);
        return provider === undefined ? [] : [[document.uri.toString(), provider] as const];
      }),
    );
  }

  private async doStart(): Promise<void> {
    this.starting = true;
    this.changes.fire();
    try {
      await this.whileHeld(() => this.startClient());
    } finally {
      this.starting = false;
    }
  }

  /** Holds what the user asks and saves while a server starts, and passes it on once the server runs. */
  private async whileHeld(start: () => Promise<void>): Promise<void> {
    const early = answerEarly(this.documents, () => this.started());
    const saves = new EarlySaves(this.documents);
    const slow = setTimeout(() => this.tellOfSilence(), silence);
    try {
      await start();
      if (this.running) saves.tell(this.running);
    } finally {
      clearTimeout(slow);
      this.silent = undefined;
      saves.dispose();
      const dispose = () => early.dispose();
      void roundTrip().then(dispose, dispose);
    }
  }

  private tellOfSilence(): void {
    this.silent = this.client;
    void this.report(`The server was started ${silence / 1000} s ago and has not answered yet.`);
  }

  /** A client that starts by itself, after the server has died, has no providers until the next one runs. */
  private followState(client: BaseLanguageClient): void {
    this.changes.fire();
    if (client === this.client && client.state === State.Starting && !this.starting) void this.whileHeld(() => this.startAgain());
  }

  private async startClient(): Promise<void> {
    this.path = serverPath();
    const found = await this.host.findServer();
    if ('problem' in found) {
      this.log.error(found.problem);
      void this.report(found.problem);
      return;
    }
    this.log.info(`starting ${found.name}`);
    const errors = new Errors((problem) => void this.report(problem));
    const client = found.client(this.options(errors));
    this.client = client;
    client.onDidChangeState(() => this.followState(client));
    // In place of the handler that the client has of its own.
    const followLenses = () => void client.onRequest(CodeLensRefreshRequest.type, () => this.lenses.refresh());
    const statuses = new StatusFeature(this.model, followLenses, this.host.absent);
    client.registerFeature(statuses);
    const listeners = new Listeners(this.listeners);
    listeners.add(protocol.status, (params) => statuses.receive(params));
    listeners.connect(client);
    // In place of the handler that the client has of its own, which cuts off what does not fit into a row.
    client.onNotification(ShowMessageNotification.type, ({ type, message }) => void tell(type === MessageType.Error ? 'error' : type === MessageType.Warning ? 'warning' : 'information', message.replace(/^aiglens: /, '')));
    try {
      await client.start();
      errors.onceRunning = client.createDefaultErrorHandler();
      void this.compareVersions(client, found.name);
    } catch (error) {
      this.log.error(error instanceof Error ? error : String(error));
      if (client === this.client) void this.report(`The server ${found.name} could not be started.`);
    }
  }

  /** Ends a start that takes no end, for a stop or a restart to follow. The client refuses to stop then, but ends its process. */
  private giveUp(): void {
    const { silent } = this;
    if (silent === undefined || silent !== this.client) return;
    this.client = undefined;
    void silent.dispose().catch((error: unknown) => this.log.debug(`given up: ${String(error)}`));
  }

  /** Says once that extension and server are of different releases. */
  private async compareVersions(client: BaseLanguageClient, program: string): Promise<void> {
    const text = difference(this.context.extension.packageJSON.version, client.initializeResult?.serverInfo?.version, program);
    if (text === undefined) return;
    this.log.warn(text);
    if (!(await isNew(this.context.globalState, text))) return;
    const settings = 'Open Settings';
    if ((await tell('warning', text, settings)) === settings) {
      await commands.executeCommand('workbench.action.openSettings', 'aiglens.server.path');
    }
  }

  private async doStop(): Promise<void> {
    // A client that starts refuses to stop, and would run beside the next one.
    await Promise.race([this.startAgain(), new Promise((resolve) => setTimeout(resolve, patience))]);
    const client = this.client;
    this.client = undefined;
    // A client that failed to start refuses to stop; there is nothing left to stop then.
    await client?.dispose().catch((error: unknown) => this.log.debug(`stop: ${String(error)}`));
  }

  private options(errorHandler: ErrorHandler): LanguageClientOptions {
    return {
      documentSelector: this.documents,
      initializationOptions: serverSettings,
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      middleware: {
        ...this.middleware,
        ...this.lenses.middleware,
        workspace: { configuration: answerWithTrust, didChangeConfiguration: async () => this.tellSettings() },
      },
      errorHandler,
      initializationFailedHandler: () => false,
    };
  }

  private async report(problem: string): Promise<void> {
    const retry = 'Restart Server';
    const settings = 'Open Settings';
    const showLog = 'Show Log';
    const choice = await tell('error', problem, retry, ...(this.host.program === undefined ? [] : [settings]), showLog);
    switch (choice) {
      case retry:
        return this.restart();
      case settings:
        return commands.executeCommand('workbench.action.openSettings', 'aiglens.server.path');
      case showLog:
        this.log.show();
    }
  }
}

/**
 * Errors of a server that never ran are told once, by the start that failed, and
 * not by a message for each write that went nowhere. Once it ran, they are
 * handled as the language client does by itself, restarts included. Where it gives the
 * server up, the user is told with a way to start it again.
 */
class Errors implements ErrorHandler {
  onceRunning: ErrorHandler | undefined;

  constructor(private readonly gaveUp: (problem: string) => void) {}

  async error(error: Error, message: Message | undefined, count: number | undefined): Promise<ErrorHandlerResult> {
    if (this.onceRunning === undefined) return { action: ErrorAction.Shutdown, handled: true };
    const result = await this.onceRunning.error(error, message, count);
    if (result.action !== ErrorAction.Shutdown) return result;
    this.gaveUp(`The connection to the server is broken, and the server is stopped: ${error.message}.`);
    return { ...result, handled: true };
  }

  async closed(): Promise<CloseHandlerResult> {
    if (this.onceRunning === undefined) return { action: CloseAction.DoNotRestart, handled: true };
    const result = await this.onceRunning.closed();
    if (result.action !== CloseAction.DoNotRestart) return result;
    this.gaveUp('The server has crashed too often in a short time, and is not started again.');
    return { ...result, handled: true };
  }
}
