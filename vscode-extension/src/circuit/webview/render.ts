// What the page shows of an answer, as plain data.
import * as protocol from '../../protocol';
import type { Cause, Place, PlaceAction, PlaceAlways, PlaceDiagnostic, PlaceNow, PlaceProperty, PlaceSignal, PlaceValue, ProofFact, ProofTopic } from '../../protocol';
import { wordRadices } from '../../counterexample/radix';
import { canSet } from '../../counterexample/webview/model';
import type { CauseTree, Choice, Grown, Question, Section, Shown } from '../messages';
import { causeEntry } from './causes';
import { textOf } from '../../verdicts';
import { type Child, type Element, h, type Part } from './nodes';
import { plain, sentence } from './sentences';
import { type Entry, rowsOf, treeOf } from './tree';
import { wavesOf } from './wave';

/** What the user has made of the page. */
export interface View {
  readonly folded: ReadonlySet<Section>;
  readonly isPinned: boolean;
  readonly canGoBack: boolean;
  /** Entries of trees that were opened, or closed, by hand. */
  readonly opened: ReadonlyMap<string, boolean>;
  /** The entry of each tree that Tab leads to. */
  readonly current: ReadonlyMap<string, string>;
}

/** The line above the sections: what they are about. */
export function bar(shown: Pick<Shown, 'answer' | 'file'> | undefined, { isPinned, canGoBack }: View): Child[] {
  const place = shown && h('span', { class: 'place' }, h('span', { class: 'name' }, nameOf(shown.answer)), h('span', { class: 'row' }, `${shown.file}:${shown.answer.range.start.line + 1}`));
  const pin = isPinned ? 'Follow the cursor again' : 'Keep showing this place';
  return [
    h('button', { key: 'back', class: 'quiet', 'data-do': 'back', hidden: !canGoBack, title: 'Back to the place before the last link', 'aria-label': 'Back' }, '←'),
    place ?? h('span', { class: 'place' }),
    h('button', { key: 'pin', class: 'quiet', 'data-do': 'pin', 'aria-pressed': String(isPinned), title: `${pin}  ( Ctrl+K I )`, 'aria-label': pin }, isPinned ? 'Pinned' : 'Pin'),
  ];
}

/** A clause has no name, and would fill the bar: it stands below. */
function nameOf({ kind, signal, property, title }: Place): string {
  return property?.name ?? signal?.name ?? (kind === 'clause' ? kind : plain(title).replaceAll('\n', ' '));
}

/** The sections that an answer has something for. */
export function content(shown: Shown, view: View): Element[] {
  const { answer } = shown;
  const { property, now, always, around } = answer;
  const section = (id: Section, title: string, note: string, ...children: Part[]) => {
    const isOpen = !view.folded.has(id);
    return h('section', { key: id, 'aria-labelledby': `${id}-title` },
      h('h2', { id: `${id}-title` },
        h('button', { 'data-fold': id, 'aria-expanded': String(isOpen), 'aria-controls': `${id}-body`, title: isOpen ? 'Fold' : 'Unfold' },
          h('span', { class: 'twistie', 'aria-hidden': 'true' }), h('span', {}, title), h('span', { class: 'note' }, note))),
      h('div', { id: `${id}-body`, class: 'body', hidden: !isOpen }, ...(isOpen ? children : [])));
  };
  const hasPicture = answer.signal?.signal != null || (property !== null && answer.kind !== 'query');
  return [
    property && section('property', 'Property', view.folded.has('property') ? textOf(property) : '', ...propertyOf(property, shown, view)),
    section('what', 'What it is', answer.kind, ...whatItIs(shown)),
    now && section('now', 'Now', now.words, ...nowOf(now, property, shown, view)),
    always && section('always', 'Always', always.facts.length > 0 ? counted(always.facts.length + always.moreFacts, 'fact') : '', ...alwaysOf(always, view)),
    hasPicture && section('around', 'Around', '', ...aroundOf(shown, around !== null)),
  ].filter((one) => one !== null && one !== false && one !== undefined);
}

export function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

/** Rows under a title; nothing where there are none. */
function listed(title: string, ...rows: Part[]): Element[] {
  const list = h('ul', {}, ...rows);
  return list.children.length === 0 ? [] : [h('h3', {}, title), list];
}

function faint(text: string): Element {
  return h('span', { class: 'faint' }, text);
}

function paragraph(text: string, classes = ''): Element {
  return h('p', { class: classes || undefined }, ...sentence(text));
}

/** A sentence, with the list below it. */
function paragraphs(text: string, classes = ''): Element[] {
  const [first = '', ...rows] = text.split('\n- ');
  const list = h('ul', {}, ...rows.map((row, index) => h('li', { key: index }, ...sentence(row))));
  return rows.length === 0 ? [paragraph(first, classes)] : [paragraph(first, classes), list];
}

/** A link to a place, which stands at a path. */
function link(path: string, text: string, tip: string): Element {
  return h('button', { class: 'link', 'data-path': path, title: tip, 'aria-label': `${text}: ${tip}` }, text);
}

/**
 * @param about whose name the titles need not repeat
 * @param without commands that have other buttons
 */
function buttons(actions: readonly PlaceAction[], path: string, name: string, about = '', without: readonly string[] = []): Element | undefined {
  const wanted = actions.map((action, index) => ({ ...action, index })).filter(({ command }) => !without.includes(command));
  if (wanted.length === 0) return undefined;
  const repeated = about === '' ? /$^/ : new RegExp(`(?: of|:| for) ${about.replace(/[^\w\s]/g, '\\$&')}(?=[ ,]|$)`);
  return h('div', { class: 'actions rows', role: 'group', 'aria-label': name },
    ...wanted.map(({ title, index }) => h('button', { key: title, 'data-run': `${path}.${index}`, title }, title.replace(repeated, ''))));
}

function pairs(...all: (readonly [string, ...Child[]] | undefined | false)[]): Element | undefined {
  const rows = all.flatMap((pair) => (pair === undefined || pair === false ? [] : [h('dt', { key: pair[0] }, pair[0]), h('dd', { key: pair[0] }, ...pair.slice(1))]));
  return rows.length === 0 ? undefined : h('dl', {}, ...rows);
}

function grow(what: Grown, by: number, title: string): Element {
  return h('button', { key: title, 'data-grow': what, 'data-by': by, title }, title);
}

function whatItIs({ answer: { title, says, signal, diagnostics }, isGrown }: Shown): Part[] {
  return [
    paragraph(title),
    signal === null || signal.title === title ? undefined : paragraph(signal.title),
    ...(signal === null ? [] : signalOf(signal, isGrown)),
    ...says.flatMap((text) => paragraphs(text)),
    ...diagnostics.map(diagnosticOf),
  ];
}

function signalOf(signal: PlaceSignal, isGrown: boolean): Part[] {
  const { word, scope = [], instances = [], formula, reset, says, definition, readers, moreReaders } = signal;
  const bit = word === null ? undefined : (['word', `${word.negated === true ? 'the negation of ' : ''}bit ${word.index} of `, h('code', {}, word.name), ` (${counted(word.bits, 'bit')})`] as const);
  return [
    pairs(
      bit,
      scope.length > 0 && ['scope', h('code', {}, scope.join(' / '))],
      instances.length > 1 && ['instance', choiceOf('instance', 'The instance whose values are shown', instances.map((one) => [one, one]), instances[0]!)],
      formula !== undefined && ['formula', h('span', { class: 'formula' }, formula), ...formulaGrows(signal, isGrown)],
      reset !== undefined && ['reset', ...sentence(reset.replace(/^reset /, ''))],
    ),
    ...says.flatMap((text) => paragraphs(text, 'faint')),
    definition === null ? undefined : h('p', {}, link('answer.signal.definition', 'Definition', `go to the row that defines it, line ${definition.range.start.line + 1}`)),
    ...listed('Read by',
      ...readers.map(({ name, use = '', location }, index) => h('li', { key: index }, link(`answer.signal.readers.${index}`, name, `line ${location.range.start.line + 1}`), use !== '' && faint(` · ${use}`))),
      moreReaders > 0 && h('li', { class: 'faint' }, `and ${counted(moreReaders, 'other use')}`)),
  ];
}

function formulaGrows({ deeper, depth }: PlaceSignal, isGrown: boolean): Child[] {
  const buttons = [...(deeper ? [grow('formula', 1, 'One level more')] : []), ...(isGrown && depth > 1 ? [grow('formula', -1, 'One level less')] : [])];
  return buttons.length === 0 ? [] : [h('div', { class: 'actions' }, ...buttons)];
}

/** @param options what each is called in the answer, and to people */
function choiceOf(what: Choice, name: string, options: readonly (readonly [string, string])[], chosen: string): Element {
  return h('select', { 'data-choose': what, 'aria-label': name, title: name }, ...options.map(([value, text]) => h('option', { key: value, value, selected: value === chosen }, text)));
}

/** The radix in which the values of a word are written. */
function radixOf(word: PlaceValue, { radix }: Shown): Element {
  const name = `Radix of ${word.name}`;
  return h('div', { class: 'actions' }, h('select', { 'data-radix': '', 'aria-label': name, title: `${name}, here and wherever its values are shown` }, ...wordRadices.map(([value, text]) => h('option', { key: value, value, selected: value === radix }, text))));
}

function diagnosticOf({ severity, message, code, fixes }: PlaceDiagnostic, index: number): Element {
  const level = severity === 1 ? 'error' : severity === 2 ? 'warning' : 'note';
  return h('div', { key: `${code} ${message}`, class: 'diagnostic' },
    h('p', { class: level }, `${level === 'note' ? '' : `${level}: `}${message}`, faint(` ${code}`)),
    buttons(fixes, `answer.diagnostics.${index}.fixes`, 'Fixes'));
}

function propertyOf(property: PlaceProperty, shown: Shown, view: View): Part[] {
  const { message, standing, depth, engine, certificate, says, obstacle, why, actions, facts, moreFacts, verdict, freshness, sharing = [] } = property;
  const isOpenYet = verdict === 'none' || freshness === 'queued' || freshness === 'running';
  return [
    sharing.length > 1 && choiceOf('property', 'The property of this row that is shown', sharing.map((one) => [one.property, `${one.name} · ${textOf(one)}`]), property.property),
    h('p', { class: `verdict ${freshness === 'stale' ? '' : verdict === 'unknown' ? 'unknown' : standing}` }, isOpenYet || message === '' || freshness === 'stale' ? textOf(property) : message),
    ...(why === null ? [] : causes('why-property', why.value === '' && why.at !== '' ? 'How it is reached' : 'Why it fails', why, 'answer.property.why', shown, view)),
    buttons(actions, 'answer.property.actions', 'What can be done', property.name),
    pairs(
      depth !== undefined && depth > 0 && ['depth', `${depth}`],
      engine !== undefined && ['engine', engine],
      certificate !== undefined && ['certificate', ...sentence(certificate)],
      obstacle !== undefined && ['in the way', ...sentence(obstacle)],
    ),
    ...says.map((text) => paragraph(text, 'faint')),
    ...proofOf(facts, moreFacts, shown.topics, view),
  ];
}

function causes(id: string, title: string, cause: Cause, path: CauseTree, { more }: Shown, view: View): Element[] {
  return [h('h3', { key: `${id}-title` }, title), tree(id, title, [causeEntry(cause, path, more)], view, 2)];
}

/** @param levels those that are open unless they were closed */
function tree(id: string, name: string, entries: readonly Entry[], { opened, current }: View, levels: number): Element {
  const isOpen = ({ key, children }: Entry, level: number) => children !== undefined && (opened.get(`${id} ${key}`) ?? level <= levels);
  return treeOf(id, name, rowsOf(entries, isOpen), current.get(id));
}

function proofOf(facts: readonly string[], moreFacts: number, topics: readonly ProofTopic[] | undefined, view: View): Part[] {
  if (facts.length === 0) return [];
  const title = 'What the proof says';
  const all = topics === undefined ? h('button', { 'data-do': 'proof', title: 'List all facts and implications, with links to what they are about' }, moreFacts > 0 ? `All, with ${moreFacts} more` : 'With links') : undefined;
  return [
    h('h3', {}, title),
    topics === undefined ? h('ul', {}, ...facts.map((fact) => h('li', { key: fact }, ...sentence(fact)))) : tree('proof', title, topics.map(topicEntry), view, 1),
    all && h('div', { class: 'actions' }, all),
  ];
}

function topicEntry({ title, facts }: ProofTopic, index: number): Entry {
  return { key: title, label: [title, faint(` ${facts.length}`)], said: `${title}, ${counted(facts.length, 'fact')}`, children: facts.map((fact, at) => factEntry(fact, `topics.${index}.facts.${at}`, title)) };
}

function factEntry({ text, latches }: ProofFact, path: string, above = '', said = text): Entry {
  const key = `${above}/${text}`;
  const [only] = latches;
  const leads = latches.length === 1 && only!.location !== null ? `${path}.latches.0` : undefined;
  const children = latches.length < 2 ? [] : latches.map(({ name, location }, index) => {
    const where = location === null ? 'not in the text' : `line ${location.range.start.line + 1}`;
    return { key: `${key}/${name}`, label: [h('code', {}, name), faint(` · ${where}`)], said: `${name}, ${where}`, path: location === null ? undefined : `${path}.latches.${index}`, children: [] };
  });
  return { key, label: sentence(text), said: plain(said), path: leads, children };
}

function nowOf(now: PlaceNow, property: PlaceProperty | null, shown: Shown, view: View): Part[] {
  const { step, steps, loop = 0, previous, next, word, value, values, first, outside, why, actions, instance, says = [] } = now;
  const isDerivation = now.kind === 'derivation';
  const change = isDerivation ? 'step of it' : 'change';
  const { name } = shown.answer.signal ?? { name: nameOf(shown.answer) };
  const stepper = (to: string, text: string, title: string, isPossible: boolean) =>
    h('button', { key: to, 'data-step': to, title, 'aria-label': title, disabled: !isPossible }, text);
  const moves = h('div', { class: 'actions', role: 'group', 'aria-label': 'Steps' },
    stepper('previousChange', '«', previous === null ? `No ${change} before` : `To the ${change} before, step ${previous}`, previous !== null),
    stepper('previous', '‹ step', 'To the step before', step > (isDerivation ? 1 : 0)),
    stepper('next', 'step ›', 'To the next step', loop > 0 || step < (isDerivation ? steps : steps - 1)),
    stepper('nextChange', '»', next === null ? `No ${change} after` : `To the next ${change}, step ${next}`, next !== null));
    if (outside === true) return [h('p', {}, `It has no value in the ${now.of}, which does not depend on it.`), moves];
  const rows = [
    ...(value === '' ? [] : [{ name, value, values: [...values], isWord: false }]),
    ...(word === null ? [] : [{ name: word.name, value: word.value, values: word.values, isWord: true }]),
  ];
  const where = ` at step ${step} of the ${now.of}${instance === undefined ? '' : `, in ${instance}`}`;
  const isSame = property?.why != null && why !== null && property.property === now.property && property.why.signal === why.signal && property.why.step === why.step;
  const asks = (what: Question, text: string, title: string) => h('button', { key: what, 'data-change': what, title, 'aria-label': title }, text);
  const ofSignal = value !== '' && shown.answer.signal?.signal != null;
  const questions = loop > 0 || isDerivation || now.kind === 'compared' ? [] : [
    ofSignal && canSet(now, step) && asks('flip', `What if ${value === '1' ? 0 : 1}`, `What if ${name} were ${value === '1' ? 0 : 1} at step ${step}: show what the run does then`),
    word !== null && canSet(word, step) && asks('set', `What if ${word.name} = …`, `What if ${word.name} had another value at step ${step}: type it, and show what the run does then`),
    ofSignal && word === null && asks('until', 'Random steps until 1', `Add random steps at the end of the run until ${name} is 1`),
    word !== null && asks('untilValue', `Random steps until ${word.name} = …`, `Add random steps at the end of the run until ${word.name} has a value, which you type`),
  ].filter((one) => one !== false);
  return [
    ...rows.map((row, index) => h('p', {}, h('code', {}, row.name), ' = ', h('span', { class: 'value' }, ...sentence(row.value)), index === 0 && h('span', { class: 'faint' }, where))),
    word !== null && radixOf(word, shown),
    ...says.map((text) => paragraph(text)),
    rows.length > 0 && h('div', { class: 'scrolls' }, wavesOf({ first, step, rows })),
    moves,
    questions.length === 0 ? undefined : h('div', { class: 'actions', role: 'group', 'aria-label': 'Another run' }, ...questions),
    buttons(actions, 'answer.now.actions', 'What can be done with the run', now.name, [protocol.step]),
    ...(why === null || isSame ? [] : causes('why-now', isDerivation ? 'How it is derived' : 'Because', why, 'answer.now.why', shown, view)),
  ];
}

function alwaysOf({ facts, moreFacts, nothing, properties, moreProperties, unsearched = 0 }: PlaceAlways, view: View): Part[] {
  const entries = facts.map((fact, index) => {
    const entry = factEntry(fact, `answer.always.facts.${index}`, fact.property, `${fact.text}, by the proof of ${fact.name}`);
    return { ...entry, label: [...entry.label, faint(` · proof of ${fact.name}`)] };
  });
  return [
    nothing === undefined ? undefined : paragraph(nothing),
    facts.length === 0 ? undefined : tree('facts', 'What the proofs say', entries, view, 0),
    moreFacts > 0 ? h('p', { class: 'faint' }, `and ${moreFacts} more`) : undefined,
    ...listed('Properties that depend on it',
      ...properties.map((status, index) => {
        const { name, range, property } = status;
        return h('li', { key: property }, link(`answer.always.properties.${index}`, name, `line ${range.start.line + 1}`), faint(` · ${textOf(status)}`));
      }),
      moreProperties > 0 && h('li', { class: 'faint' }, `and ${moreProperties} more`),
      unsearched > 0 && h('li', { class: 'faint' }, `of ${unsearched} more it is not known: there are too many`)),
  ];
}

function aroundOf({ cone }: Shown, isThere: boolean): Part[] {
  return [
    h('div', { id: 'picture', 'data-foreign': true, role: 'group', 'aria-label': 'What it depends on', hidden: !isThere }),
    isThere ? undefined : h('p', { class: 'faint' }, 'There is nothing to draw.'),
    h('div', { class: 'actions' }, ...(isThere ? [grow('cone', 1, 'One level more'), ...(cone > 1 ? [grow('cone', -1, 'One level less')] : [])] : []), h('button', { 'data-do': 'schematic', title: 'Draw all that it depends on, in the schematic' }, 'Open the schematic')),
  ];
}
