// Everything about counterexamples: values of a step in the text, the Circuit view, the
// trace panel, files, the debugger. One object owns it.
import { Disposable, type ExtensionContext } from 'vscode';
import { registerCircuit, whyFails } from '../circuit/register';
import { CircuitView } from '../circuit/view';
import { forEditor, register } from '../commands';
import { debugCounterexample, registerDebugging, simulate } from '../debug';
import type { Host } from '../host';
import { circuitEditor, circuitUri, propertyFrom, reveal } from '../places';
import * as protocol from '../protocol';
import { Radices } from '../radices';
import { Refusal } from '../refusal';
import type { Server } from '../server';
import type { StatusModel } from '../status';
import { Exchange } from './exchange';
import type { PropertyRef } from './messages';
import { type Actions, Panels } from './panel';
import { showReaching, showReachingExpression } from './play';
import { goToStep, move, pin, toggleValues } from './stepCommands';
import { chooseProperty, Steps } from './steps';
import { tell } from '../telling';

export interface Counterexamples extends Disposable {
  readonly steps: Steps;
  readonly circuit: CircuitView;
  readonly panels: Panels;
  readonly exchange: Exchange;
  readonly radices: Radices;
}

export function registerCounterexamples(context: Pick<ExtensionContext, 'extensionUri' | 'workspaceState'>, host: Pick<Host, 'absent' | 'debugAdapter' | 'viewers'>, server: Server, model: StatusModel): Counterexamples {
  const steps = new Steps(server, model);
  const radices = new Radices(context.workspaceState, server);
  const circuit = new CircuitView(context.extensionUri, server, model, steps, context.workspaceState, (about) => panels.player(about), radices);
  const exchange = new Exchange(server, host.viewers);
  const actions: Actions = {
    export: (about) => exchange.choose(about),
    exportRun: (uri, run) => exchange.chooseForRun(uri, run),
    ...(host.absent?.has('aiglens.debugCounterexample') === true ? {} : { debug: (about) => debugCounterexample(exchange, about) }),
    why: (about) => whyFails(circuit, model, steps, about),
    check: (about) => server.execute(protocol.check, about),
    another: (about) => server.execute(protocol.another, { ...about, find: 'another' }),
    shortest: (about) => server.execute(protocol.another, { ...about, find: 'shortest' }),
    first: (about) => server.execute(protocol.another, { ...about, find: 'known', number: 1 }),
  };
  const panels = new Panels(context.extensionUri, server, model, steps, circuit, actions, context.workspaceState, radices);
  const reaching = register('aiglens.showReaching', (about) => showReaching(server, panels, circuitEditor(), about));
  const holding = forEditor('aiglens.showReachingExpression', (editor) => showReachingExpression(server, panels, editor));
  const all = Disposable.from(steps, circuit, panels, registerCircuit(circuit, model, steps), reaching, holding, registerDebugging(host, steps, radices), radices, ...registerStepCommands(model, steps), ...registerOthers({ steps, panels, exchange }, model));
  return { steps, circuit, panels, exchange, radices, dispose: () => all.dispose() };
}

function registerStepCommands(model: StatusModel, steps: Steps): Disposable[] {
  const moves: Record<string, protocol.Move> = {
    'aiglens.firstStep': 'first',
    'aiglens.lastStep': 'last',
    'aiglens.nextStep': 'next',
    'aiglens.previousStep': 'previous',
    'aiglens.nextChange': 'nextChange',
    'aiglens.previousChange': 'previousChange',
  };
  return [
    ...Object.entries(moves).map(([id, to]) => forEditor(id, (editor) => move(model, steps, editor, to))),
    forEditor('aiglens.showValues', (editor) => toggleValues(model, steps, editor)),
    forEditor('aiglens.goToStep', (editor) => goToStep(model, steps, editor)),
    forEditor('aiglens.pinStep', (editor) => pin(steps, editor)),
  ];
}

function registerOthers({ steps, panels, exchange }: Omit<Counterexamples, 'dispose' | 'circuit' | 'radices'>, model: StatusModel): Disposable[] {
  const about = (run: (about: PropertyRef) => Promise<unknown>) => async (argument: unknown) => {
    const chosen = propertyFrom(argument) ?? (await chooseProperty(model, steps, circuitEditor()));
    if (chosen !== undefined) await run(chosen);
  };
  return [
    register('aiglens.showTrace', (named) => showTrace(steps, panels, propertyFrom(named))),
    forEditor('aiglens.playCircuit', (editor) => panels.play(editor.document.uri.toString(), {})),
    register('aiglens.addToTrace', () => panels.add(circuitEditor())),
    register('aiglens.saveTrace', about((chosen) => exchange.choose(chosen))),
    register('aiglens.debugCounterexample', about((chosen) => debugCounterexample(exchange, chosen))),
    forEditor('aiglens.simulate', ({ document }) => simulate(document)),
    register('aiglens.openWitness', () => openWitness(exchange, panels, model)),
  ];
}

/** Of a property that a lens names the values of the failing step come with the trace, unless that is of an earlier text. */
async function showTrace(steps: Steps, panels: Panels, about: PropertyRef | undefined): Promise<void> {
  const step = about && steps.show({ ...about, to: 'last' }).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.earlier === undefined) throw error;
  });
  await Promise.all([step, panels.show(about)]);
}

async function openWitness(exchange: Exchange, panels: Panels, model: StatusModel): Promise<void> {
  const circuit = circuitUri();
  if (circuit === undefined) {
    void tell('information', 'open the circuit that the witness is about first.');
    return;
  }
  const imported = await exchange.openWitness(circuit);
  if (imported === undefined) return;
  const { property, steps, loop = 0 } = imported;
  const row = model.file(circuit)?.properties.get(property);
  if (row !== undefined) await reveal(circuit, row.range, true);
  await panels.show({ uri: circuit, property });
  const repeated = loop === 1 ? `step ${steps - 1}` : `steps ${steps - loop} to ${steps - 1}`;
  const how = loop > 0 ? `fails: the loop of ${repeated} repeats for ever` : `fails at step ${steps - 1}`;
  void tell('information', `the witness was replayed: ${row?.name ?? property} ${how}.`);
}

