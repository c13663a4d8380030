// The page of the trace panel.
import { bundlePage, type PageParts } from '../page';
import { radices, wordRadices } from './radix';

export function pageHtml(parts: PageParts): string {
  return bundlePage(parts, 'Counterexample', body);
}

/** What a control of the toolbar is: how it looks there, what it is called, and what it does. */
interface Control {
  id: string;
  /** In the toolbar in the place of its name. */
  sign?: string;
  name: string;
  does: string;
  /** The key that does the same. */
  key?: string;
  /** It is pressed or not. */
  toggles?: true;
  hidden?: true;
}

/** Where there is little room, those with the highest rank go into the menu first; 0 stays. */
const ranked = (rank: number, attributes = '') => `data-rank="${rank}"${attributes}`;

const tooltip = ({ does, key }: Pick<Control, 'does' | 'key'>) => (key === undefined ? does : `${does}  ( ${key} )`);

function button({ id, sign, name, does, key, toggles, hidden }: Control, attributes = ''): string {
  const state = `${toggles === true ? ' aria-pressed="false"' : ''}${hidden === true ? ' hidden' : ''}`;
  const text = sign === undefined ? name : `<span class="sign" aria-hidden="true">${sign}</span><span class="name">${name}</span>`;
  return `<button id="${id}"${state} title="${tooltip({ does, ...(key === undefined ? {} : { key }) })}" aria-label="${name}" ${attributes}>${text}</button>`;
}

function set(id: string, name: string, rank: number, controls: readonly string[], hidden = false): string {
  return `<span id="${id}" class="set" role="group" aria-label="${name}" ${ranked(rank)}${hidden ? ' hidden' : ''}>${controls.join('')}</span>`;
}

const select = (id: string, name: string, does: string, options: readonly (readonly [string, string])[]) =>
  `<select id="${id}" aria-label="${name}" title="${does}">${options.map(([value, text]) => `<option value="${value}">${text}</option>`).join('')}</select>`;

const field = (id: string, holder: string, name: string, does: string, rank: number) =>
  `<input id="${id}" type="text" placeholder="${holder}" aria-label="${name}" title="${does}" spellcheck="false" ${ranked(rank)}>`;

/** The controls in their order. */
const toolbar = [
  field('filter', 'Filter', 'Filter signals by name, by regular expression between slashes, or by value with =0, =1, =x, =9', 'Name, /regex/, or name=1 for the value at the cursor  ( / )', 0),
  button({ id: 'signals', sign: '☰', name: 'Signals', does: 'Choose which signals are shown, by scope and by name', key: 'c' }, ranked(0, ' aria-expanded="false" aria-controls="chooser"')),
  field('expression', 'Expression', 'Expression over signals, shown as a row', 'Expression over signals as a row: a &amp; !b, q == 3, prev(a), rose(a)  ( e )', 8),
  set('search', 'Search in the selected signal', 6, [
    select('target', 'What to search for', 'What to search for in the selected signal', [['change', 'changes'], ['1', 'becomes 1'], ['0', 'becomes 0'], ['x', 'becomes x']]),
    button({ id: 'previous', sign: '◂', name: 'Previous', does: 'Previous in the selected signal', key: 'p' }),
    button({ id: 'next', sign: '▸', name: 'Next', does: 'Next in the selected signal', key: 'n' }),
  ]),
  button({ id: 'flip', name: 'Flip', does: 'Give the selected signal its other value at the cursor, or type that of a word, and see what the run does then: inputs in any step, latches without a reset in step 0', key: 'f' }, ranked(2)),
  button({ id: 'play-on', name: 'Go on from Here…', does: 'Start a new run with the steps up to the cursor, and continue with other inputs' }, ranked(17)),
  button({ id: 'play-carry', name: 'Play on the Present Text', does: 'The same inputs, found by their names, on the circuit of the present text', hidden: true }, ranked(3)),
  button({ id: 'play-back', name: 'Back', does: 'Back to the counterexample as it was found', hidden: true }, ranked(3)),
  set('steps', 'More steps', 4, [
    button({ id: 'play-add', name: '+ Step', does: 'Add a step with the inputs of the last one', key: 's' }),
    button({ id: 'play-random', name: '+ 10 random', does: 'Add ten steps with random inputs', key: 'x' }),
    button({ id: 'play-until', name: 'Until 1', does: 'Add random steps until the selected signal is 1 or the expression holds, at most 1000', key: 'u' }),
  ]),
  set('less', 'Fewer steps', 10, [
    button({ id: 'play-cut', name: 'Cut here', does: 'Remove the steps after the cursor' }),
    button({ id: 'play-reset', name: 'Reset', does: 'Begin again with one step from reset' }),
  ]),
  set('hiding', 'What is hidden', 13, [
    button({ id: 'unchanged', name: 'Changing', does: 'Show only signals that change in this run', toggles: true }),
    button({ id: 'irrelevant', name: 'Relevant', does: 'Show only latches that have a part in why the run ends as it does', toggles: true }),
  ]),
  set('words', 'Values of words', 14, [
    select('radix', 'Values of words', 'Values of words: by name and in their own radix, or as numbers  ( r )', radices.map((one) => [one, one] as const)),
  ], true),
  set('word', 'Values of the selected word', 18, [
    select('word-radix', 'Values of the selected word', 'Values of the selected word: as all words, or in a radix of its own, here and wherever its values are shown  ( R )', wordRadices.map(([one, name]) => [one, one === 'default' ? 'as all words' : name] as const)),
  ], true),
  set('zoom', 'Zoom', 12, [
    button({ id: 'out', sign: '−', name: 'Zoom Out', does: 'Zoom out', key: '−' }),
    button({ id: 'fit', name: 'Fit', does: 'All steps, over the whole width', key: '0' }),
    button({ id: 'in', sign: '+', name: 'Zoom In', does: 'Zoom in', key: '+' }),
  ]),
  button({ id: 'round', sign: '↻', name: 'Repeat the Loop', does: 'Show the loop once more, after the rounds that are there', key: 'l', hidden: true }, ranked(5)),
  set('runs', 'Other runs', 15, [
    button({ id: 'first', name: 'First', does: 'Show the first of the runs that were found again', hidden: true }),
    button({ id: 'another', name: 'Another', does: 'Find another run that ends in the same way, with other values of the latches that matter' }),
    button({ id: 'shortest', name: 'Shortest', does: 'Find the shortest run, and the proof that none is shorter' }),
  ], true),
  button({ id: 'mark', sign: '◆', name: 'Mark the Step', does: 'Mark the step of the cursor, to come back to it with [ and ], or remove its mark', key: 'm' }, ranked(16)),
  button({ id: 'table', name: 'Table', does: 'Values as a table, for screen readers too', key: 't', toggles: true }, ranked(11)),
  button({ id: 'why', name: 'Why', does: 'Why does the selected signal have its value at the cursor?', key: 'w' }, ranked(1, ' data-last')),
  button({ id: 'add', name: 'Add', does: 'Add the signal at the cursor of the editor' }, ranked(9)),
  button({ id: 'debug', name: 'Debug', does: 'Walk through the run in the debugger' }, ranked(8)),
  button({ id: 'export', name: 'Export…', does: 'Save, copy, or open in a waveform viewer' }, ranked(7)),
];

const body = `<div id="bar" role="toolbar" aria-label="Counterexample" aria-controls="view">
  ${toolbar.join('\n  ')}
  <button id="more" hidden title="What there is no room for here" aria-label="More" aria-haspopup="true" aria-expanded="false" aria-controls="menu">⋯</button>
</div>
<div id="menu" role="group" aria-label="More" hidden></div>
<div id="banner" role="status" hidden></div>
<div id="among" role="status" hidden></div>
<div id="nothing" hidden><p></p><button id="check" title="Check the property, for a counterexample of the present text">Check the property</button></div>
<div id="main">
<div id="chooser" role="region" aria-label="Signals" hidden>
  <div id="finding">
    <input id="choose" type="search" placeholder="Find signals" aria-label="Find signals by fragments of their names" title="Fragments of names, in any order" aria-controls="choices" spellcheck="false">
    <button id="choose-all" title="Show all that are listed" aria-label="Show all that are listed">All</button>
    <button id="choose-none" title="Hide all that are listed" aria-label="Hide all that are listed">None</button>
  </div>
  <div id="choices"></div>
</div>
<div id="scroll">
  <div id="space">
    <div id="view" tabindex="0" role="application" aria-roledescription="waveforms" aria-describedby="live help">
      <div id="corner"></div>
      <div id="names" role="presentation"></div>
      <div id="sash" aria-hidden="true"></div>
      <canvas id="canvas" role="img" aria-label="Waveforms"></canvas>
    </div>
  </div>
</div>
<div id="tableview" tabindex="0" hidden></div>
</div>
<div id="foot">
  <span id="outcome" role="status"></span>
  <span id="searching" role="status"></span>
  <span id="live" aria-live="polite"></span>
  <span id="markers" role="group" aria-label="Marked steps"></span>
</div>
<div id="help" hidden>Left and right move the cursor by a step, up and down select a signal. Home and End go to the first and the last step, n and p to the next and previous change. m marks a step. Enter goes to the text, opens a word or an instance, or changes an expression; e adds an expression. c chooses which signals are shown. r switches words between their own radix, decimal, hexadecimal and binary, R the selected word alone, t shows a table, l repeats a loop once more. f, or in a played run the space bar, flips a value that can be chosen; of a word f asks for a number. s adds a step, x adds ten random ones, and u adds steps until the signal is 1 or the expression holds.</div>`;
